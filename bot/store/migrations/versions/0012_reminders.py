"""Reminders of whose turn it is: who wants them, in a match or in all, and what stands.

Older releases remind nobody, and leave the tables alone.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_BETWEEN_PEOPLE = sa.text("live AND accepted AND x_level IS NULL AND o_level IS NULL")


def upgrade() -> None:
    op.add_column(
        "people",
        sa.Column("wants_reminders", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
    )
    op.create_table(
        "reminder_choices",
        sa.Column("match_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("is_on", sa.Boolean, nullable=False),
    )
    op.create_index("reminder_choices_by_user", "reminder_choices", ["user_id"])
    op.create_table(
        "reminders",
        sa.Column("match_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("take", sa.Integer, nullable=False),
        sa.Column("claimed_at", sa.BigInteger, nullable=False),
        sa.Column("message_id", sa.BigInteger),
    )
    op.create_index(
        "live_matches_between_people",
        "matches",
        ["id"],
        sqlite_where=_BETWEEN_PEOPLE,
        postgresql_where=_BETWEEN_PEOPLE,
    )


def downgrade() -> None:
    op.drop_index("live_matches_between_people", "matches")
    op.drop_table("reminders")
    op.drop_table("reminder_choices")
    op.drop_column("people", "wants_reminders")

"""A table for the daily puzzles posted in servers' channels.

Older releases post nothing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_CHOSEN = sa.text("puzzle_channel IS NOT NULL")


def upgrade() -> None:
    none = sa.text("0")
    op.create_table(
        "puzzle_posts",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("locale", sa.String(16), nullable=False, server_default=sa.text("''")),
        sa.Column("day", sa.Date),
        sa.Column("take", sa.Integer, nullable=False, server_default=none),
        sa.Column("claimed_at", sa.BigInteger),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("failures", sa.Integer, nullable=False, server_default=none),
    )
    op.create_index(
        "servers_with_puzzles",
        "servers",
        ["guild_id"],
        sqlite_where=_CHOSEN,
        postgresql_where=_CHOSEN,
    )


def downgrade() -> None:
    op.drop_index("servers_with_puzzles", "servers")
    op.drop_table("puzzle_posts")

"""Tables for people's choices and the bot's memberships, and indices to find their matches.

Older releases keep working beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("takes_challenges", sa.Boolean, nullable=False, server_default=sa.text("TRUE")),
        sa.Column("forget_before", sa.BigInteger),
    )
    forgetting = sa.text("forget_before IS NOT NULL")
    op.create_index(
        "people_to_be_forgotten",
        "people",
        ["user_id"],
        sqlite_where=forgetting,
        postgresql_where=forgetting,
    )
    op.create_table(
        "memberships",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("absent_since", sa.BigInteger),
        sa.Column("forget_before", sa.BigInteger),
    )
    op.create_index("matches_by_guild", "matches", ["guild_id", "id"])
    op.create_index("matches_by_x", "matches", ["x_id", "id"])
    op.create_index("matches_by_o", "matches", ["o_id", "id"])


def downgrade() -> None:
    op.drop_index("matches_by_o", "matches")
    op.drop_index("matches_by_x", "matches")
    op.drop_index("matches_by_guild", "matches")
    op.drop_table("memberships")
    op.drop_table("people")

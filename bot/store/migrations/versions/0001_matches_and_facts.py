"""Matches, at most one of them live per channel, and facts."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("x_id", sa.BigInteger, nullable=False),
        sa.Column("x_level", sa.String(16)),
        sa.Column("o_id", sa.BigInteger, nullable=False),
        sa.Column("o_level", sa.String(16)),
        sa.Column("opened_by", sa.BigInteger, nullable=False),
        sa.Column("accepted", sa.Boolean, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("live", sa.Boolean, nullable=False),
        sa.Column("ended_how", sa.String(16)),
        sa.Column("winner", sa.String(1)),
        sa.Column("deadline_at", sa.BigInteger, nullable=False),
        sa.Column("asks_rematch", sa.BigInteger),
        sa.Column("next_id", sa.BigInteger),
    )
    live: Any = {"sqlite_where": sa.text("live"), "postgresql_where": sa.text("live")}
    op.create_index("one_live_match_a_channel", "matches", ["channel_id"], unique=True, **live)
    op.create_index("live_matches_by_deadline", "matches", ["deadline_at"], **live)
    op.create_table(
        "facts",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("facts")
    op.drop_table("matches")

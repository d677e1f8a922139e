"""Tables for attempts at the daily puzzles, their tallies, and servers' rankings.

Older releases keep working beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "attempts",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("tried", sa.String(8), nullable=False),
        sa.Column("tries", sa.Integer),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("is_shared", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
    )
    op.create_index("attempts_by_guild", "attempts", ["guild_id", "day"])
    op.create_index("attempts_by_day", "attempts", ["day"])
    numbers = ("solved_1", "solved_2", "solved_3", "missed", "streak", "best")
    op.create_table(
        "puzzle_tallies",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        *(sa.Column(number, sa.Integer, nullable=False) for number in numbers),
        sa.Column("last_day", sa.Date),
        sa.Column("gap_day", sa.Date),
    )
    op.create_table(
        "ranks",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("chart", sa.String(8), primary_key=True),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("score", sa.Integer, nullable=False),
    )
    op.create_index("ranks_by_score", "ranks", ["guild_id", "chart", "score"])
    op.create_index("ranks_by_user", "ranks", ["user_id"])


def downgrade() -> None:
    op.drop_table("ranks")
    op.drop_table("puzzle_tallies")
    op.drop_table("attempts")

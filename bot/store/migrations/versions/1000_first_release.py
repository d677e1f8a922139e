"""All tables of the first release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1000"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "attempts",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("tries", sa.String(length=8), nullable=False),
        sa.Column("tries_needed", sa.Integer()),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("is_shared", sa.Boolean(), server_default=sa.text("FALSE"), nullable=False),
        sa.Column("share_claimed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("user_id", "day"),
    )
    op.create_index("attempts_by_day", "attempts", ["day"])
    op.create_index("attempts_by_guild", "attempts", ["guild_id", "day"])
    op.create_table(
        "duels",
        sa.Column("first_id", sa.BigInteger(), nullable=False),
        sa.Column("second_id", sa.BigInteger(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("first_id", "second_id"),
    )
    op.create_index("duels_by_second", "duels", ["second_id"])
    op.create_table(
        "facts",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.String(length=16), nullable=False),
        sa.Column("x_id", sa.BigInteger(), nullable=False),
        sa.Column("x_level", sa.String(length=16)),
        sa.Column("o_id", sa.BigInteger(), nullable=False),
        sa.Column("o_level", sa.String(length=16)),
        sa.Column("opened_by", sa.BigInteger(), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("live", sa.Boolean(), nullable=False),
        sa.Column("ended_how", sa.String(length=16)),
        sa.Column("winner", sa.String(length=1)),
        sa.Column("deadline_at", sa.BigInteger(), nullable=False),
        sa.Column("asks_rematch", sa.BigInteger()),
        sa.Column("next_id", sa.BigInteger()),
        sa.Column("hints", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("hinted_version", sa.Integer()),
        sa.Column("ended_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("unjudged", sa.Boolean(), server_default=sa.text("FALSE"), nullable=False),
        sa.Column("duel", sa.String(length=32)),
        sa.Column("trail", sa.String(length=96)),
        sa.Column("turn_minutes", sa.Integer()),
        sa.Column("is_open", sa.Boolean(), server_default=sa.text("FALSE"), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "live_matches_between_people",
        "matches",
        ["id"],
        sqlite_where=sa.text("live AND accepted AND x_level IS NULL AND o_level IS NULL"),
        postgresql_where=sa.text("live AND accepted AND x_level IS NULL AND o_level IS NULL"),
    )
    op.create_index(
        "live_matches_by_deadline",
        "matches",
        ["deadline_at"],
        sqlite_where=sa.text("live"),
        postgresql_where=sa.text("live"),
    )
    op.create_index("matches_by_channel", "matches", ["channel_id", "id"])
    op.create_index("matches_by_guild", "matches", ["guild_id", "id"])
    op.create_index("matches_by_o", "matches", ["o_id", "id"])
    op.create_index("matches_by_opener", "matches", ["opened_by", "id"])
    op.create_index("matches_by_x", "matches", ["x_id", "id"])
    op.create_index(
        "one_live_match_a_channel",
        "matches",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("live"),
        postgresql_where=sa.text("live"),
    )
    op.create_index(
        "unjudged_matches",
        "matches",
        ["id"],
        sqlite_where=sa.text("unjudged"),
        postgresql_where=sa.text("unjudged"),
    )
    op.create_index(
        "unplayed_matches",
        "matches",
        ["id"],
        sqlite_where=sa.text("moves = ''"),
        postgresql_where=sa.text("moves = ''"),
    )
    op.create_table(
        "memberships",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("absent_since", sa.BigInteger()),
        sa.Column("forget_before", sa.BigInteger()),
        sa.PrimaryKeyConstraint("guild_id"),
    )
    op.create_table(
        "moment_tries",
        sa.Column("match_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("is_found", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "user_id"),
    )
    op.create_index("moment_tries_by_user", "moment_tries", ["user_id"])
    op.create_table(
        "moments",
        sa.Column("match_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("claimed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("takes_challenges", sa.Boolean(), server_default=sa.text("TRUE"), nullable=False),
        sa.Column("is_hidden", sa.Boolean(), server_default=sa.text("FALSE"), nullable=False),
        sa.Column("wants_reminders", sa.Boolean(), server_default=sa.text("FALSE"), nullable=False),
        sa.Column("forget_before", sa.BigInteger()),
        sa.PrimaryKeyConstraint("user_id"),
    )
    op.create_index(
        "people_to_be_forgotten",
        "people",
        ["user_id"],
        sqlite_where=sa.text("forget_before IS NOT NULL"),
        postgresql_where=sa.text("forget_before IS NOT NULL"),
    )
    op.create_table(
        "processes",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "progress",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("goal", sa.String(length=32), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("is_passed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "goal"),
    )
    op.create_table(
        "puzzle_posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(length=16), server_default=sa.text("''"), nullable=False),
        sa.Column("day", sa.Date()),
        sa.Column("take", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("claimed_at", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("guild_id"),
    )
    op.create_table(
        "puzzle_tallies",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("solved_1", sa.Integer(), nullable=False),
        sa.Column("solved_2", sa.Integer(), nullable=False),
        sa.Column("solved_3", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("last_day", sa.Date()),
        sa.Column("gap_day", sa.Date()),
        sa.PrimaryKeyConstraint("user_id"),
    )
    op.create_table(
        "ranks",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("chart", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "chart", "user_id"),
    )
    op.create_index(
        "ranks_by_month",
        "ranks",
        ["chart"],
        sqlite_where=sa.text("chart < 'a'"),
        postgresql_where=sa.text("chart < 'a'"),
    )
    op.create_index("ranks_by_score", "ranks", ["guild_id", "chart", "score"])
    op.create_index("ranks_by_user", "ranks", ["user_id"])
    op.create_table(
        "reminders",
        sa.Column("match_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("take", sa.Integer(), nullable=False),
        sa.Column("claimed_at", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_table(
        "server_scores",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id"),
    )
    op.create_index("server_scores_by_user", "server_scores", ["user_id"])
    op.create_index("server_scores_by_wins", "server_scores", ["guild_id", "won", "drawn", "lost"])
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("level", sa.String(length=16)),
        sa.Column("language", sa.String(length=16)),
        sa.Column("rules", sa.String(length=16)),
        sa.Column("turn_minutes", sa.Integer()),
        sa.Column("channels", sa.Text()),
        sa.Column("has_ranking", sa.Boolean()),
        sa.Column("puzzle_channel", sa.BigInteger()),
        sa.Column("puzzle_hour", sa.Integer()),
        sa.PrimaryKeyConstraint("guild_id"),
    )
    op.create_index(
        "servers_with_puzzles",
        "servers",
        ["guild_id"],
        sqlite_where=sa.text("puzzle_channel IS NOT NULL"),
        postgresql_where=sa.text("puzzle_channel IS NOT NULL"),
    )
    op.create_table(
        "tallies",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("rules", sa.String(length=16), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=False),
        sa.Column("hinted", sa.Boolean(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("unbeaten", sa.Integer(), nullable=False),
        sa.Column("longest", sa.Integer(), nullable=False),
        sa.Column("kept", sa.Integer(), nullable=False),
        sa.Column("critical", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "rules", "level", "hinted"),
    )

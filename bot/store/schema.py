"""The tables, their indices and groups of columns."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TextClause,
    and_,
    text,
)

from bot.domain.matches import HeadToHead
from bot.domain.stats import Tally
from engine import TRIES

metadata = MetaData()


def _index(name: str, where: TextClause, *columns: Column[Any], unique: bool = False) -> None:
    """Index only the rows for which a condition holds."""
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


matches = Table(
    "matches",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("message_id", BigInteger),
    Column("locale", String(16), nullable=False),
    Column("rules", String(16), nullable=False),
    Column("x_id", BigInteger, nullable=False),
    Column("x_level", String(16)),
    Column("o_id", BigInteger, nullable=False),
    Column("o_level", String(16)),
    Column("opened_by", BigInteger, nullable=False),
    Column("accepted", Boolean, nullable=False),
    Column("moves", Text, nullable=False),
    Column("live", Boolean, nullable=False),
    Column("ended_how", String(16)),
    Column("winner", String(1)),
    Column("deadline_at", BigInteger, nullable=False),
    Column("asks_rematch", BigInteger),
    Column("next_id", BigInteger),
    Column("hints", Integer, nullable=False, server_default=text("0")),
    Column("hinted_version", Integer),
    Column("ended_at", BigInteger, nullable=False, server_default=text("0")),
    Column("unjudged", Boolean, nullable=False, server_default=text("FALSE")),
    Column("duel", String(32)),
    Column("trail", String(96)),
    Column("turn_minutes", Integer),
    Column("is_open", Boolean, nullable=False, server_default=text("FALSE")),
)
"""One row per match. Times are Unix seconds; moves are coordinates in the order played.

At most one hint is counted per version; `hinted_version` is that of the latest. `ended_at` is 0
while the match is live, and where the time of its end is not known. `unjudged` says that its
result is in `tallies`, but not yet how well its players moved: on large boards, that takes the
engine.
"""

IS_LIVE = text("live")
"""Worded exactly as in the indices below: SQLite would not use them for `live = 1`."""

_index("one_live_match_a_channel", IS_LIVE, matches.c.channel_id, unique=True)

_index("live_matches_by_deadline", IS_LIVE, matches.c.deadline_at)

_IS_BETWEEN_PEOPLE = text("live AND accepted AND x_level IS NULL AND o_level IS NULL")

_index("live_matches_between_people", _IS_BETWEEN_PEOPLE, matches.c.id)

GOES_ON_BETWEEN_PEOPLE = and_(_IS_BETWEEN_PEOPLE, matches.c.id >= 0)
"""The second condition always holds; with it, SQLite searches the index."""

Index("matches_by_channel", matches.c.channel_id, matches.c.id)

Index("matches_by_opener", matches.c.opened_by, matches.c.id)

Index("matches_by_x", matches.c.x_id, matches.c.id)

Index("matches_by_o", matches.c.o_id, matches.c.id)

Index("matches_by_guild", matches.c.guild_id, matches.c.id)

IS_UNJUDGED = text("unjudged")

_index("unjudged_matches", IS_UNJUDGED, matches.c.id)

IS_UNPLAYED = text("moves = ''")

_index("unplayed_matches", IS_UNPLAYED, matches.c.id)

servers = Table(
    "servers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("level", String(16)),
    Column("language", String(16)),
    Column("rules", String(16)),
    Column("turn_minutes", Integer),
    Column("channels", Text),
    Column("has_ranking", Boolean),
    Column("puzzle_channel", BigInteger),
    Column("puzzle_hour", Integer),
)
"""One row for each server that has changed a setting; NULL means the default.

Channels are ids separated by spaces.
"""

HAS_PUZZLE_CHANNEL = text("puzzle_channel IS NOT NULL")

_index("servers_with_puzzles", HAS_PUZZLE_CHANNEL, servers.c.guild_id)

memberships = Table(
    "memberships",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("absent_since", BigInteger),
    Column("forget_before", BigInteger),
)
"""One row for each server that the bot is in, has left lately, or is to forget.

`absent_since` is in Unix seconds. In matches with ids below `forget_before`, the place is to be
removed.
"""

people = Table(
    "people",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("takes_challenges", Boolean, nullable=False, server_default=text("TRUE")),
    Column("is_hidden", Boolean, nullable=False, server_default=text("FALSE")),
    Column("wants_reminders", Boolean, nullable=False, server_default=text("FALSE")),
    Column("forget_before", BigInteger),
)
"""One row for each person who has made a choice, or is to be forgotten.

In matches with ids below `forget_before`, they are to be anonymized; NULL if in none.
"""

IS_TO_BE_FORGOTTEN = text("forget_before IS NOT NULL")

_index("people_to_be_forgotten", IS_TO_BE_FORGOTTEN, people.c.user_id)

tallies = Table(
    "tallies",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("rules", String(16), primary_key=True),
    Column("level", String(16), primary_key=True),
    Column("hinted", Boolean, primary_key=True),
    *(Column(field.name, Integer, nullable=False) for field in fields(Tally)),
)
"""One row for each person and kind of match; an empty level means against people."""

duels = Table(
    "duels",
    metadata,
    Column("first_id", BigInteger, primary_key=True, autoincrement=False),
    Column("second_id", BigInteger, primary_key=True, autoincrement=False),
    *(Column(name, Integer, nullable=False) for name in HeadToHead._fields),
)
"""One row for each pair of people who played each other; `first_id` is the lesser id."""

Index("duels_by_second", duels.c.second_id)

progress = Table(
    "progress",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("goal", String(32), primary_key=True),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("is_passed", Boolean, nullable=False),
)
"""One row for each person and goal on the path that they have tried."""

server_scores = Table(
    "server_scores",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    *(Column(name, Integer, nullable=False) for name in HeadToHead._fields),
)
"""One row for each person who has played other people in a server."""

Index("server_scores_by_user", server_scores.c.user_id)

Index(
    "server_scores_by_wins",
    server_scores.c.guild_id,
    server_scores.c.won,
    server_scores.c.drawn,
    server_scores.c.lost,
)

attempts = Table(
    "attempts",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("tries", String(8), nullable=False),
    Column("tries_needed", Integer),
    Column("guild_id", BigInteger),
    Column("is_shared", Boolean, nullable=False, server_default=text("FALSE")),
    Column("share_claimed_at", BigInteger),
)
"""One row for each person and day whose puzzle they tried; `tries_needed` is NULL unless solved.

`tries` has the cells as letters, in order; `guild_id` is the server of the last try.
`share_claimed_at` (Unix seconds) is set from when a share is claimed until it is posted.
"""

Index("attempts_by_guild", attempts.c.guild_id, attempts.c.day)

Index("attempts_by_day", attempts.c.day)

SOLVED_COLUMNS = [f"solved_{tries}" for tries in range(1, TRIES + 1)]
"""How many puzzles were solved with one try, with two, and so on."""

puzzle_tallies = Table(
    "puzzle_tallies",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    *(Column(name, Integer, nullable=False) for name in SOLVED_COLUMNS),
    Column("missed", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("last_day", Date),
    Column("gap_day", Date),
)
"""One row for each person's results in the daily puzzles."""

puzzle_posts = Table(
    "puzzle_posts",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("locale", String(16), nullable=False, server_default=text("''")),
    Column("day", Date),
    Column("take", Integer, nullable=False, server_default=text("0")),
    Column("claimed_at", BigInteger),
    Column("message_id", BigInteger),
    Column("failures", Integer, nullable=False, server_default=text("0")),
)
"""One row for each server that has chosen a channel for puzzles, with the last post there.

`claimed_at` (Unix seconds) is when the post of `day` was last claimed. `message_id` is NULL until
it is posted, and 0 if Discord refused it. `take` counts the claims of that day, and `failures` the
days in a row on which Discord refused.
"""

moments = Table(
    "moments",
    metadata,
    Column("match_id", BigInteger, primary_key=True, autoincrement=False),
    Column("ply", Integer, nullable=False),
    Column("message_id", BigInteger),
    Column("claimed_at", BigInteger, nullable=False),
)
"""One row for each match whose moment is shown; `ply` is that of the decisive mistake.

`message_id` is NULL until it is posted. `claimed_at` (Unix seconds) is when it was last claimed.
"""

moment_tries = Table(
    "moment_tries",
    metadata,
    Column("match_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("is_found", Boolean, nullable=False),
)
"""One row for each person who tried to find the better move, with their first try."""

Index("moment_tries_by_user", moment_tries.c.user_id)

reminders = Table(
    "reminders",
    metadata,
    Column("match_id", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("take", Integer, nullable=False),
    Column("claimed_at", BigInteger, nullable=False),
    Column("message_id", BigInteger),
)
"""One row for each match with a reminder of whose turn it is, at the match's `version`.

The other columns are as in `puzzle_posts`.
"""

ranks = Table(
    "ranks",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("chart", String(8), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("score", Integer, nullable=False),
)
"""One row for each person on a leaderboard (`chart`) of a server."""

Index("ranks_by_score", ranks.c.guild_id, ranks.c.chart, ranks.c.score)

Index("ranks_by_user", ranks.c.user_id)

IS_OF_A_MONTH = text("chart < 'a'")
"""Whether a row of `ranks` is of a month's leaderboard, whose name is such as `2026-11`."""

_index("ranks_by_month", IS_OF_A_MONTH, ranks.c.chart)

facts = Table(
    "facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Short texts by name."""

processes = Table(
    "processes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("seen_at", BigInteger, nullable=False),
)
"""One row for each process that is running; `seen_at` is in Unix seconds by the database's clock.

It is left out of copies.
"""

"""The tables, and how a match becomes a row and a row a match."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Index,
    Integer,
    MetaData,
    RowMapping,
    String,
    Table,
    Text,
    text,
)

from bot.game.duel import Duel
from bot.game.match import Ending, How, Match, Place, Player
from bot.game.tally import Tally
from engine import TRIES, Cell, Level, Mark, Record, Rules, rules_named

metadata = MetaData()

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
    Column("counted", Boolean, nullable=False, server_default=text("FALSE")),
    Column("duel", String(32)),
    Column("is_first", Boolean, nullable=False, server_default=text("FALSE")),
    Column("turn_minutes", Integer),
)
"""One row a match. Times are Unix seconds; moves are coordinates in the order played.

Hints are counted once a version: `hinted_version` is that of the last one. `ended_at` is 0 where
an older release ended the match.
"""

IS_LIVE = text("live")
"""Said as the indices below say it: SQLite uses them for nothing else, not even for `live = 1`."""

_live: Any = {"sqlite_where": IS_LIVE, "postgresql_where": IS_LIVE}
Index("one_live_match_a_channel", matches.c.channel_id, unique=True, **_live)
Index("live_matches_by_deadline", matches.c.deadline_at, **_live)
Index("matches_by_channel", matches.c.channel_id, matches.c.id)
Index("matches_by_opener", matches.c.opened_by, matches.c.id)
Index("matches_by_x", matches.c.x_id, matches.c.id)
Index("matches_by_o", matches.c.o_id, matches.c.id)
Index("matches_by_guild", matches.c.guild_id, matches.c.id)

IS_UNCOUNTED = text("NOT live AND NOT counted")
Index(
    "uncounted_matches",
    matches.c.ended_at,
    matches.c.id,
    sqlite_where=IS_UNCOUNTED,
    postgresql_where=IS_UNCOUNTED,
)

IS_UNPLAYED = text("moves = ''")
Index("unplayed_matches", matches.c.id, sqlite_where=IS_UNPLAYED, postgresql_where=IS_UNPLAYED)

CHANGING = (
    *("version", "accepted", "moves", "live", "ended_how", "winner", "deadline_at"),
    *("asks_rematch", "next_id", "ended_at"),
)
"""What a press may change.

Where the board is shown, hints, and what the match came to, are changed apart from it.
"""

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
"""One row for each server that has chosen something; what is empty it has not chosen.

Channels are ids with spaces between them.
"""

memberships = Table(
    "memberships",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("absent_since", BigInteger),
    Column("forget_before", BigInteger),
)
"""One row for each server that the bot is a member of, was lately, or is to forget.

`absent_since` is in Unix seconds; matches with ids less than `forget_before` are to be nowhere.
"""

people = Table(
    "people",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("takes_challenges", Boolean, nullable=False, server_default=text("TRUE")),
    Column("is_hidden", Boolean, nullable=False, server_default=text("FALSE")),
    Column("forget_before", BigInteger),
)
"""One row for each person who has chosen something, or is being forgotten.

Of the latter, matches with an id less than `forget_before` are theirs no more.
"""

FORGETTING = text("forget_before IS NOT NULL")
Index(
    "people_to_be_forgotten",
    people.c.user_id,
    sqlite_where=FORGETTING,
    postgresql_where=FORGETTING,
)

tallies = Table(
    "tallies",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("rules", String(16), primary_key=True),
    Column("level", String(16), primary_key=True),
    Column("hinted", Boolean, primary_key=True),
    *(Column(field.name, Integer, nullable=False) for field in fields(Tally)),
)
"""One row for what each person has come to in matches of a kind; no level is against people."""

duels = Table(
    "duels",
    metadata,
    Column("first_id", BigInteger, primary_key=True, autoincrement=False),
    Column("second_id", BigInteger, primary_key=True, autoincrement=False),
    *(Column(name, Integer, nullable=False) for name in Duel._fields),
)
"""One row for each two people who played each other; the lesser id is the first."""

Index("duels_by_second", duels.c.second_id)

attempts = Table(
    "attempts",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("tried", String(8), nullable=False),
    Column("tries", Integer),
    Column("guild_id", BigInteger),
    Column("is_shared", Boolean, nullable=False, server_default=text("FALSE")),
)
"""One row for each person and day whose puzzle they tried; `tries` once it is solved.

The cells are letters in the order they were tried; `guild_id` is where the last of them was.
"""

Index("attempts_by_guild", attempts.c.guild_id, attempts.c.day)
Index("attempts_by_day", attempts.c.day)

puzzle_tallies = Table(
    "puzzle_tallies",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    *(Column(f"solved_{tries}", Integer, nullable=False) for tries in range(1, TRIES + 1)),
    Column("missed", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("last_day", Date),
    Column("gap_day", Date),
)
"""One row for what each person has come to with the daily puzzles."""

ranks = Table(
    "ranks",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("chart", String(8), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("score", Integer, nullable=False),
)
"""One row for each person in a chart of a server."""

Index("ranks_by_score", ranks.c.guild_id, ranks.c.chart, ranks.c.score)
Index("ranks_by_user", ranks.c.user_id)

facts = Table(
    "facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the bot is to remember apart from matches, by name."""


def to_row(match: Match) -> dict[str, Any]:
    ending = match.ending
    return {
        "id": match.id,
        "version": match.version,
        "channel_id": match.place.channel_id,
        "guild_id": match.place.guild_id,
        "message_id": match.place.message_id,
        "locale": match.place.locale,
        "rules": match.rules.name,
        "x_id": match.x.user_id,
        "x_level": match.x.level.name if match.x.level else None,
        "o_id": match.o.user_id,
        "o_level": match.o.level.name if match.o.level else None,
        "opened_by": match.opened_by,
        "accepted": match.accepted,
        "moves": "".join(map(match.rules.coordinate, match.moves)),
        "live": match.is_live,
        "ended_how": ending.how.value if ending else None,
        "winner": ending.winner.value if ending and ending.winner else None,
        "deadline_at": int(match.deadline_at.timestamp()),
        "asks_rematch": match.asks_rematch,
        "next_id": match.next_id,
        "hints": match.hints,
        "ended_at": int(match.ended_at.timestamp()) if match.ended_at else 0,
        "duel": str(match.duel) if match.duel else None,
        "turn_minutes": match.turn_minutes,
    }


def from_row(row: RowMapping) -> Match:
    rules = rules_named(row["rules"])
    return Match(
        id=row["id"],
        version=row["version"],
        place=Place(row["channel_id"], row["guild_id"], row["locale"], row["message_id"]),
        rules=rules,
        x=Player(row["x_id"], Level[row["x_level"]] if row["x_level"] else None),
        o=Player(row["o_id"], Level[row["o_level"]] if row["o_level"] else None),
        opened_by=row["opened_by"],
        accepted=row["accepted"],
        moves=_moves_from_text(row["moves"], rules),
        broken_off=_broken_off(row),
        deadline_at=datetime.fromtimestamp(row["deadline_at"], UTC),
        asks_rematch=row["asks_rematch"],
        next_id=row["next_id"],
        hints=row["hints"],
        ended_at=datetime.fromtimestamp(row["ended_at"], UTC) if row["ended_at"] else None,
        duel=Duel.parse(row["duel"]) if row["duel"] else None,
        is_first=row["is_first"],
        turn_minutes=row["turn_minutes"],
    )


@cache
def _cells_by_coordinate(rules: Rules) -> dict[str, Cell]:
    return {rules.coordinate(cell): cell for cell in rules.cells}


def _moves_from_text(text: str, rules: Rules) -> tuple[Cell, ...]:
    cells = _cells_by_coordinate(rules)
    moves = tuple(cells[text[i : i + 2]] for i in range(0, len(text), 2))
    if rules.repeats:
        _ = Record(rules, moves).boards  # raises where the moves are no game
    elif len(set(moves)) < len(moves):
        raise ValueError(f"a cell is taken twice: {text}")
    return moves


def _broken_off(row: RowMapping) -> Ending | None:
    if row["ended_how"] is None and not row["live"]:  # a release that could not read it ended it
        return Ending(How.CALLED_OFF)
    if row["ended_how"] in (None, How.WON.value, How.DRAWN.value):
        return None
    return Ending(How(row["ended_how"]), Mark(row["winner"]) if row["winner"] else None)

"""How a match is read from a row of its table, and written to one."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, RowMapping, update

from bot.domain.matches import Ending, EndReason, HeadToHead, Match, Place, Player, Trail
from bot.store.schema import IS_LIVE, matches
from engine import Cell, Level, Mark, Record, Rules, rules_named

_log = logging.getLogger(__name__)

_READING_ERRORS = (KeyError, TypeError, ValueError, OSError, OverflowError)
"""The last two are raised for a time that is no date's."""

COORDINATE_LENGTH = 2
"""How many characters a move has in the column `moves`."""


def to_row(match: Match) -> dict[str, Any]:
    """All columns except `hinted_version` and `unjudged`, which other statements set."""
    return {
        "id": match.id,
        "channel_id": match.place.channel_id,
        "guild_id": match.place.guild_id,
        "message_id": match.place.message_id,
        "locale": match.place.locale,
        "rules": match.rules.name,
        "opened_by": match.opened_by,
        "hints": match.hints,
        "turn_minutes": match.turn_minutes,
        "is_open": match.is_open,
        **player_columns(match),
        **changing_columns(match),
    }


def player_columns(match: Match) -> dict[str, Any]:
    """The columns that joining writes, too.

    No other change writes players, as it could bring back one who has been forgotten meanwhile.
    """
    return {
        "x_id": match.x.user_id,
        "x_level": match.x.level.name if match.x.level else None,
        "o_id": match.o.user_id,
        "o_level": match.o.level.name if match.o.level else None,
        "duel": str(match.head_to_head) if match.head_to_head else None,
    }


def changing_columns(match: Match) -> dict[str, Any]:
    """The columns that each change of a match writes.

    Other statements write the board's message, the hints, and what is left to judge.
    """
    ending = match.ending
    return {
        "version": match.version,
        "accepted": match.accepted,
        "moves": "".join(map(match.rules.coordinate, match.moves)),
        "live": match.is_live,
        "ended_how": ending.reason.value if ending else None,
        "winner": ending.winner.value if ending and ending.winner else None,
        "deadline_at": int(match.deadline_at.timestamp()),
        "asks_rematch": match.rematch_asked_by,
        "next_id": match.next_id,
        "ended_at": int(match.ended_at.timestamp()) if match.ended_at else 0,
        "trail": str(match.trail) if match.trail else None,
    }


def from_row(row: RowMapping) -> Match:
    """The match in a row.

    Raises:
        One of _READING_ERRORS: This release cannot read it.
    """
    rules = rules_named(row["rules"])
    return Match(
        id=row["id"],
        version=row["version"],
        place=Place(row["channel_id"], row["guild_id"], row["locale"], row["message_id"]),
        rules=rules,
        x=_player(row["x_id"], row["x_level"]),
        o=_player(row["o_id"], row["o_level"]),
        opened_by=row["opened_by"],
        accepted=row["accepted"],
        moves=_parse_moves(row["moves"], rules),
        early_ending=_early_ending(row),
        deadline_at=_time(row["deadline_at"]),
        rematch_asked_by=row["asks_rematch"],
        next_id=row["next_id"],
        hints=row["hints"],
        ended_at=_time(row["ended_at"]) if row["ended_at"] else None,
        head_to_head=HeadToHead.parse(row["duel"]) if row["duel"] else None,
        trail=Trail.parse(row["trail"]) if row["trail"] else None,
        turn_minutes=row["turn_minutes"],
        is_open=row["is_open"],
    )


def _player(user_id: int, level_name: str | None) -> Player:
    return Player(user_id, Level[level_name] if level_name else None)


def _time(unix_seconds: int) -> datetime:
    return datetime.fromtimestamp(unix_seconds, UTC)


def _parse_moves(moves_text: str, rules: Rules) -> tuple[Cell, ...]:
    cells = _cells_by_coordinate(rules)
    starts = range(0, len(moves_text), COORDINATE_LENGTH)
    moves = tuple(cells[moves_text[start : start + COORDINATE_LENGTH]] for start in starts)
    if rules.repeats:
        Record(rules, moves).check_moves()
    elif len(set(moves)) < len(moves):
        raise ValueError(f"a cell is taken twice: {moves_text}")
    return moves


@cache
def _cells_by_coordinate(rules: Rules) -> dict[str, Cell]:
    return {rules.coordinate(cell): cell for cell in rules.cells}


def _early_ending(row: RowMapping) -> Ending | None:
    """How a match ended, unless the board itself says so."""
    if row["ended_how"] is None and not row["live"]:  # ended by a release that could not read it
        return Ending(EndReason.CALLED_OFF)
    if row["ended_how"] in (None, EndReason.WON.value, EndReason.DRAWN.value):
        return None
    winner = Mark(row["winner"]) if row["winner"] else None
    return Ending(EndReason(row["ended_how"]), winner)


def read_matches(rows: Iterable[RowMapping]) -> list[Match]:
    """The matches in rows, without those that this release cannot read.

    Those were written by a newer release, which may still play them, or by hand.
    """
    readable, errors = _read(rows)
    if errors:
        first_id, error = next(iter(errors.items()))
        _log.warning("%d matches cannot be read, the first is %d: %r", len(errors), first_id, error)
    return readable


def read_or_end_matches(connection: Connection, rows: Iterable[RowMapping]) -> list[Match]:
    """The matches in rows that are all to end; those that cannot be read are ended at once."""
    readable, errors = _read(rows)
    if errors:
        _end_unreadable(connection, errors)
    return readable


def _read(rows: Iterable[RowMapping]) -> tuple[list[Match], dict[int, Exception]]:
    """The matches in rows, and why others cannot be read, by their ids."""
    readable: list[Match] = []
    errors: dict[int, Exception] = {}
    for row in rows:
        try:
            readable.append(from_row(row))
        except _READING_ERRORS as error:
            errors[row["id"]] = error
    return readable, errors


def _end_unreadable(connection: Connection, errors: dict[int, Exception]) -> None:
    """Log the errors of rows by match id, and end those rows that are live."""
    ids = list(errors)
    _log.error(
        "%d matches cannot be read, so those in progress are ended; the first is %d.",
        len(ids),
        ids[0],
        exc_info=errors[ids[0]],
    )
    live_rows = update(matches).where(matches.c.id.in_(ids), IS_LIVE)
    next_version = matches.c.version + 1  # so that no other process overwrites it
    ended = {"live": False, "ended_how": EndReason.CALLED_OFF.value, "version": next_version}
    connection.execute(live_rows.values(ended))

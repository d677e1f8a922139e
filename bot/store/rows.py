"""Conversion between matches and their rows."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import RowMapping

from bot.game.duel import Duel
from bot.game.match import Ending, How, Match, Place, Player
from engine import Cell, Level, Mark, Record, Rules, rules_named


def to_row(match: Match) -> dict[str, Any]:
    """All columns but those with statements of their own: hinted_version, counted, is_first."""
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
        "asks_rematch": match.rematch_asked_by,
        "next_id": match.next_id,
        "hints": match.hints,
        "ended_at": int(match.ended_at.timestamp()) if match.ended_at else 0,
        "duel": str(match.duel) if match.duel else None,
        "turn_minutes": match.turn_minutes,
        "is_open": match.is_open,
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
        early_ending=_early_ending(row),
        deadline_at=datetime.fromtimestamp(row["deadline_at"], UTC),
        rematch_asked_by=row["asks_rematch"],
        next_id=row["next_id"],
        hints=row["hints"],
        ended_at=datetime.fromtimestamp(row["ended_at"], UTC) if row["ended_at"] else None,
        duel=Duel.parse(row["duel"]) if row["duel"] else None,
        is_first=row["is_first"],
        turn_minutes=row["turn_minutes"],
        is_open=row["is_open"],
    )


@cache
def _cells_by_coordinate(rules: Rules) -> dict[str, Cell]:
    return {rules.coordinate(cell): cell for cell in rules.cells}


def _moves_from_text(text: str, rules: Rules) -> tuple[Cell, ...]:
    cells = _cells_by_coordinate(rules)
    moves = tuple(cells[text[i : i + 2]] for i in range(0, len(text), 2))
    if rules.repeats:
        _ = Record(rules, moves).boards  # raises if the moves are not a legal game
    elif len(set(moves)) < len(moves):
        raise ValueError(f"a cell is taken twice: {text}")
    return moves


def _early_ending(row: RowMapping) -> Ending | None:
    if row["ended_how"] is None and not row["live"]:  # an older release could not read it
        return Ending(How.CALLED_OFF)
    if row["ended_how"] in (None, How.WON.value, How.DRAWN.value):
        return None
    return Ending(How(row["ended_how"]), Mark(row["winner"]) if row["winner"] else None)

"""The format of an export of a person's data: one JSON object, with a member for each section."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bot.domain.matches import Match
from bot.domain.stats import Tally, TallyKey


def encode_export(sections: Mapping[str, Any], match_batches: Sequence[str]) -> bytes:
    """The file of an export; the batches of matches are JSON already, without brackets."""
    members = [
        f"{json.dumps(name)}: {json.dumps(section, default=str)}"
        for name, section in sections.items()
    ]
    matches = ",\n".join(match_batches)
    members.append(f'"matches": [\n{matches}\n]')
    return ("{" + ", ".join(members) + "}\n").encode()


def export_match(match: Match, user_id: int) -> dict[str, Any]:
    """What is kept of a match, for one of its players: without the other's id."""
    mark = match.mark_of(user_id)
    assert mark is not None, "it is a match of theirs"
    other = match.players[mark.other]
    place = match.place
    ending = match.ending
    return {
        "match": match.id,
        "server": place.guild_id,
        "channel": place.channel_id,
        "message": place.message_id,
        "language": place.locale,
        "board": match.rules.name,
        "you": mark.value,
        "against": other.level.name.lower() if other.level else "a person",
        "opened_by_you": match.opened_by == user_id,
        "moves": [match.rules.coordinate(cell) for cell in match.moves],
        "hints": match.hints,
        "turn_minutes": match.turn_minutes,
        "ended_at": match.ended_at.isoformat() if match.ended_at else None,
        "ended": ending.reason.value if ending else None,
        "winner": ending.winner.value if ending and ending.winner else None,
    }


def export_tally(key: TallyKey, tally: Tally) -> dict[str, Any]:
    """A person's results in the matches of one key."""
    against = key.level.name.lower() if key.level else "people"
    return {"board": key.rules.name, "against": against, "hints": key.hinted, **asdict(tally)}

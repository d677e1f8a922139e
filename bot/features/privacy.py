"""What is kept about a person: their choices, a download of all of it, and its deletion."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from discord import ui
from sqlalchemy import Connection

from bot.domain.ids import MAX_ID, snowflake_time
from bot.domain.matches import Match
from bot.domain.privacy import (
    CHOICES_BY_ACTION,
    PrivacyAction,
    PrivacyPage,
    PrivacySummary,
)
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import Tally, TallyKey
from bot.features import (
    choices,
    forgetting,
    match_messages,
    moments,
    path,
    puzzles,
    ranking,
    stats,
)
from bot.messaging.reply import NamedFile
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.deletion_records import deletion_name, read_deletions
from bot.store.match_rows import read_matches
from bot.store.matches import NEWEST_OF_PERSON, newest_rows
from bot.views.privacy import delete_question_view, deletion_confirmation, privacy_view

_PACKED_FROM_BYTES = 1_000_000


async def press(context: Context, page: PrivacyPage) -> ui.LayoutView | None:
    """Do what a button asks, for the person who pressed it."""
    match page.action:
        case PrivacyAction.SHOW:
            return await show(context)
        case PrivacyAction.ASK_TO_DELETE:
            return delete_question_view(context.language, of_server=False)
        case PrivacyAction.ASK_TO_DELETE_SERVER:
            return delete_question_view(context.language, of_server=True)
        case PrivacyAction.DELETE:
            await _delete(context, forgetting.PEOPLE, context.user_id)
            return None
        case PrivacyAction.DELETE_SERVER:
            await _delete(context, forgetting.SERVERS, _managed_guild_id(context))
            return None
        case action:
            await context.change(choices.choose, context.user_id, CHOICES_BY_ACTION[action])
            return await show(context)


async def show(context: Context) -> ui.LayoutView:
    """Show what is kept about the person."""
    chosen = await context.read(choices.load, context.user_id)
    application = context.interaction.client.application
    assert application is not None, "known since login"
    summary = PrivacySummary(
        chosen,
        context.runtime.deadlines.limits.keep.days,
        runs_server=context.can_manage_guild,
        policy_url=application.privacy_policy_url,
    )
    return privacy_view(summary, context.language)


async def _delete(context: Context, owners: forgetting.Owners, owner_id: int) -> None:
    ended = await context.change(forgetting.forget, owners, owner_id, context.interaction.id)
    context.follow_ups.append(partial(match_messages.redraw_all, context.runtime, ended))
    await context.reply.replace_with_text(deletion_confirmation(context.language))


def _managed_guild_id(context: Context) -> int:
    if context.guild_id is None or not context.can_manage_guild:
        raise Refused(RefusalReason.NOT_YOURS_TO_SET)
    return context.guild_id


# The download


async def download(context: Context) -> None:
    """Send a person a file with all that is stored about them."""
    exported = await export(context.runtime, context.user_id)
    await context.reply.send_file(*await asyncio.to_thread(export_file, exported))


def export_file(exported: Mapping[str, Any]) -> NamedFile:
    """The file of an export: JSON, packed with gzip if it is large."""
    content = json.dumps(exported, default=str).encode()
    if len(content) < _PACKED_FROM_BYTES:
        return "velha.json", content
    return "velha.json.gz", gzip.compress(content)


async def export(runtime: Runtime, user_id: int) -> dict[str, Any]:
    """All that is stored about a person, by section."""
    sections = await runtime.database.read(_load_sections, user_id)
    sections["matches"] = played = []
    before_id: int | None = MAX_ID
    while before_id is not None:
        batch, before_id = await runtime.database.read(load_matches, user_id, before_id)
        played += [_export_match(match, user_id) for match in batch]
    return sections


def load_matches(
    connection: Connection, user_id: int, before_id: int
) -> tuple[list[Match], int | None]:
    """A batch of the newest matches of a person with ids below `before_id`.

    Returns:
        Those that can be read, and the `before_id` of the next batch; None after the last.
    """
    rows = newest_rows(connection, NEWEST_OF_PERSON, user_id, before_id)
    return read_matches(rows), rows[-1]["id"] if rows else None


def _load_sections(connection: Connection, user_id: int) -> dict[str, Any]:
    """All that is stored about a person, except for their matches."""
    tallies = stats.tallies_of(connection, user_id)
    tries = moments.load_tries(connection, user_id)
    return {
        "about": _load_person(connection, user_id),
        "tallies": [_export_tally(key, tally) for key, tally in tallies.items()],
        "duels": [score._asdict() for score in stats.head_to_heads_of(connection, user_id)],
        "puzzles": asdict(puzzles.load_stats(connection, user_id)),
        "attempts": [dict(row) for row in puzzles.load_attempts(connection, user_id)],
        "moments": [{"match": match_id, "found": found} for match_id, found in tries.items()],
        "ranks": ranking.scores_of(connection, user_id),
        "path": [
            {"goal": str(goal), **progress._asdict()}
            for goal, progress in path.load(connection, user_id).items()
        ],
        "server_scores": [
            {"server": guild_id, **score._asdict()}
            for guild_id, score in ranking.server_scores_everywhere(connection, user_id).items()
        ],
    }


def _load_person(connection: Connection, user_id: int) -> dict[str, Any]:
    person = {"user_id": user_id, **asdict(choices.load(connection, user_id))}
    deleted_before = read_deletions(connection).get(deletion_name(user_id))
    if deleted_before is not None:
        person["asked_for_deletion_at"] = snowflake_time(deleted_before).isoformat()
    return person


def _export_match(match: Match, user_id: int) -> dict[str, Any]:
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
        "trail": str(match.trail) if match.trail else None,
        "turn_minutes": match.turn_minutes,
        "ended_at": match.ended_at.isoformat() if match.ended_at else None,
        "ended": ending.reason.value if ending else None,
        "winner": ending.winner.value if ending and ending.winner else None,
    }


def _export_tally(key: TallyKey, tally: Tally) -> dict[str, Any]:
    """A person's results in the matches of one key."""
    against = key.level.name.lower() if key.level else "people"
    return {"board": key.rules.name, "against": against, "hints": key.hinted, **asdict(tally)}

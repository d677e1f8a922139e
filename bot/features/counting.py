"""Counting matches that are over, after the answers are sent.

Their results are added to tallies, to scores of one person against another, and to the ladder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    Connection,
    Table,
    and_,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from bot.domain.ids import DELETED_USER_ID
from bot.domain.ladder import score_on_ladder
from bot.domain.matches import HeadToHead, Match, MatchResult, result_for
from bot.domain.refusals import OverloadedError
from bot.domain.stats import (
    Leaderboard,
    Tally,
    TallyBatch,
    TallyKey,
)
from bot.features import match_messages
from bot.features.stats import TALLY_FIELDS, read_head_to_heads, read_tallies
from bot.messaging.errors import log_errors
from bot.runtime.runtime import Runtime
from bot.store.database import insert_new
from bot.store.match_rows import read_matches
from bot.store.schema import (
    COUNTING_LOCK,
    IS_UNCOUNTED,
    UNCOUNTED_BY_INDEX,
    duels,
    matches,
    people,
    ranks,
    tallies,
)
from engine import Accuracy, Mark, accuracies

Accuracies = Mapping[Mark, Accuracy]

COUNT_BATCH_SIZE = 100

_MAX_REDRAW_AGE = timedelta(minutes=5)
"""How long after its end a match that was a first is still redrawn to say so."""

_UNCOUNTED = (
    select(matches)
    .where(UNCOUNTED_BY_INDEX)
    .order_by(matches.c.ended_at, matches.c.id)
    .limit(COUNT_BATCH_SIZE)
)

_LOCK_UNCOUNTED = (
    select(matches)
    .where(matches.c.id.in_(bindparam("ids")), IS_UNCOUNTED)
    .with_for_update(skip_locked=True)
)

_MARK_COUNTED = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values(counted=True, is_first=bindparam("new_is_first"))
)

_PRIVACY_OF = select(people.c.user_id, people.c.is_hidden, people.c.forget_before).where(
    people.c.user_id.in_(bindparam("user_ids"))
)


async def count_soon(runtime: Runtime) -> None:
    """Count the matches that are over, soon: those that end meanwhile are counted, too."""
    batch = partial(count_and_redraw, runtime)
    await runtime.delayed_jobs.run(count_soon, runtime.counting_batch_seconds, batch)


async def count_and_redraw(runtime: Runtime) -> bool:
    """Count a batch of matches, and redraw those that were a first success for a person.

    Returns:
        Whether there may be more; False also if it failed, to be retried later.
    """
    with log_errors("Ended matches could not be counted"):
        async with runtime.counting_lock:
            firsts = await count(runtime)
        await match_messages.redraw_all(runtime, firsts or ())
        return firsts is not None
    return False


async def count(runtime: Runtime) -> list[Match] | None:
    """Count some of the matches that are over and not counted yet.

    Returns:
        Those that ended lately and were a first for one of their players; None if there was
        nothing to count.

    Raises:
        UnavailableError: The database fails, or the bot is shutting down; nothing is lost.
    """
    ids, ended = await runtime.database.read(load_uncounted)
    if not ids:
        return None
    judged = await _judge(runtime, ended)
    counted = await runtime.database.change(count_matches, ids, judged)
    oldest = runtime.clock.now() - _MAX_REDRAW_AGE
    return [match for match in counted if match.is_first and _has_ended_after(match, oldest)]


def _has_ended_after(match: Match, time: datetime) -> bool:
    return match.ended_at is not None and match.ended_at > time


def load_uncounted(connection: Connection) -> tuple[list[int], list[Match]]:
    """A batch of the matches that are over and not yet counted, in the order they ended.

    Returns:
        The ids of all of them, and those matches that can be read.
    """
    rows = connection.execute(_UNCOUNTED).mappings().all()
    return [row["id"] for row in rows], read_matches(rows)


async def _judge(runtime: Runtime, ended: Iterable[Match]) -> dict[int, Accuracies]:
    """The accuracy of both sides, by match id, before anything is locked.

    Small boards take a moment each, and large ones a process of their own.
    """
    with_result = [match for match in ended if result_for(Mark.X, match)]
    small = [match for match in with_result if match.rules.is_small]
    judged: dict[int, Accuracies] = {m.id: accuracies(m.moves, m.rules) for m in small}
    for match in with_result:
        # Those that were ended unread, without a time, may be many.
        if not match.rules.is_small and match.ended_at is not None:
            judged[match.id] = await _judge_large(runtime, match)
    return judged


async def _judge_large(runtime: Runtime, match: Match) -> Accuracies:
    """The accuracy of both sides; empty where the engine is overloaded."""
    try:
        return await runtime.engine.run(accuracies, match.moves, match.rules)
    except OverloadedError:
        return {}


def count_matches(
    connection: Connection, ids: Collection[int], judged: Mapping[int, Accuracies]
) -> list[Match]:
    """Count those of these matches that are over and not yet counted, in the order they ended.

    `judged` has the accuracy of both sides, by match id; matches may be missing. It is one
    transaction: a match is counted and marked as such, or neither.

    Returns:
        The matches counted now, with `is_first` set; none while another process is counting.
    """
    lock = connection.execute(COUNTING_LOCK.with_for_update(skip_locked=True))
    if lock.one_or_none() is None:
        return []
    rows = connection.execute(_LOCK_UNCOUNTED, {"ids": list(ids)}).mappings().all()
    in_order = sorted(rows, key=lambda row: (row["ended_at"], row["id"]))
    ended = read_matches(in_order)
    counted = _add_to_results(connection, ended, judged) if ended else []
    first_ids = {match.id for match in counted if match.is_first}
    marks = [{"match_id": row["id"], "new_is_first": row["id"] in first_ids} for row in rows]
    if marks:
        connection.execute(_MARK_COUNTED, marks)
    return counted


def _add_to_results(
    connection: Connection, ended: list[Match], judged: Mapping[int, Accuracies]
) -> list[Match]:
    """Add matches to all results of their players; return them with `is_first` set.

    Every match comes here once after its end: what else is counted of a match belongs here.
    """
    players = (player for match in ended for player in match.players.values())
    user_ids = {player.user_id for player in players if not player.is_bot}
    privacy = connection.execute(_PRIVACY_OF, {"user_ids": list(user_ids)}).all()
    forget_before = {row.user_id: row.forget_before or 0 for row in privacy}

    old_tallies = read_tallies(connection, user_ids)
    old_head_to_heads = read_head_to_heads(connection, user_ids)
    hidden = frozenset(row.user_id for row in privacy if row.is_hidden)
    batch = TallyBatch(old_tallies.copy(), old_head_to_heads.copy(), hidden)
    counted = []
    servers = defaultdict[int, set[int]](set)
    for match in ended:
        known = _known_players(match, forget_before)
        counted.append(batch.add(match, known, judged.get(match.id, {})))
        for user_id in _climbers(match, known):
            servers[user_id].add(match.place.guild_id or 0)
    for user_id, guild_ids in servers.items():
        _save_rung(connection, user_id, guild_ids, score_on_ladder(batch.ladder_of(user_id)))
    _save_tallies(connection, batch.tallies.items() - old_tallies.items())
    _save_head_to_heads(connection, batch.head_to_heads.items() - old_head_to_heads.items())
    return counted


def _known_players(match: Match, forget_before: Mapping[int, int]) -> dict[Mark, int]:
    """The ids of the human players who are neither forgotten nor to be forgotten, by mark."""
    return {
        mark: player.user_id
        for mark, player in match.players.items()
        if not player.is_bot
        and player.user_id != DELETED_USER_ID
        and match.id >= forget_before.get(player.user_id, 0)
    }


def _climbers(match: Match, user_ids: Mapping[Mark, int]) -> Iterator[int]:
    """The players for whom a match counts on the ladder."""
    if TallyKey.of(match).is_on_ladder:
        for mark, user_id in user_ids.items():
            if result_for(mark, match) in {MatchResult.WON, MatchResult.DRAWN}:
                yield user_id


def _save_rung(
    connection: Connection, user_id: int, guild_ids: Iterable[int], score: int | None
) -> None:
    """Set a person's place on the ladder, in these servers and wherever they have one."""
    if score is None:
        return
    chart = Leaderboard.LADDER.value
    is_of_person = and_(ranks.c.chart == chart, ranks.c.user_id == user_id)
    connection.execute(update(ranks).where(is_of_person).values(score=score))
    for guild_id in filter(None, guild_ids):
        insert_new(connection, ranks, guild_id=guild_id, chart=chart, user_id=user_id, score=score)


def _save_tallies(
    connection: Connection, changed: Iterable[tuple[tuple[int, TallyKey], Tally]]
) -> None:
    rows = [
        {
            "user_id": user_id,
            "rules": key.rules.name,
            "level": key.level.name if key.level else "",
            "hinted": key.hinted,
            **{name: getattr(tally, name) for name in TALLY_FIELDS},
        }
        for (user_id, key), tally in changed
    ]
    _replace_rows(connection, tallies, rows)


def _save_head_to_heads(
    connection: Connection, changed: Iterable[tuple[tuple[int, int], HeadToHead]]
) -> None:
    rows = [
        {"first_id": first_id, "second_id": second_id, **score._asdict()}
        for (first_id, second_id), score in changed
    ]
    _replace_rows(connection, duels, rows)


def _replace_rows(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, replacing those with the same primary keys."""
    if not rows:
        return
    is_old = [column == bindparam(f"old_{column.name}") for column in table.primary_key]
    old_keys = [{f"old_{key.name}": row[key.name] for key in table.primary_key} for row in rows]
    connection.execute(delete(table).where(*is_old), old_keys)
    connection.execute(insert(table), rows)

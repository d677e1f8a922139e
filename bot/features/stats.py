"""People's results: how they are shown, and how every match that is over is counted in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    insert,
    or_,
    select,
    union,
    update,
)

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import EndReason, HeadToHead, Match, MatchResult, Place, result_for
from bot.domain.refusals import OverloadedError, RefusalReason, Refused
from bot.domain.stats import (
    UNBEATABLE,
    LastMatches,
    Leaderboard,
    Stats,
    StatsPage,
    Tally,
    TallyBatch,
    TallyKey,
    ladder_score,
    was_played_in,
    without_opponent,
)
from bot.features import choices, puzzles
from bot.features.ranking import upsert_score
from bot.features.settings import language_in
from bot.messaging.interactions import Person
from bot.messaging.reply import DrawInLanguage, in_locale
from bot.runtime.context import Context
from bot.runtime.runtime import Runtime
from bot.store.match_rows import read_matches
from bot.store.matches import last_played_by
from bot.store.schema import (
    COUNTING_LOCK,
    IS_UNCOUNTED,
    UNCOUNTED_BY_INDEX,
    duels,
    matches,
    people,
    tallies,
)
from bot.views.stats import last_matches_view, stats_view
from engine import TIC_TAC_TOE, Accuracy, Level, Mark, accuracies, rules_named

Accuracies = Mapping[Mark, Accuracy]

COUNT_BATCH_SIZE = 100

_MAX_REDRAW_AGE = timedelta(minutes=5)
"""How long after its end a match that was a first is still redrawn to say so."""

_TALLY_FIELDS = [field.name for field in fields(Tally)]


async def stats(context: Context, person: Person) -> DrawInLanguage:
    """Show a person's results."""
    if not isinstance(person, Person):
        raise Refused(RefusalReason.UNKNOWN_OPTION)
    if person.bot:
        raise Refused(RefusalReason.STATS_OF_A_BOT)
    found = await _load_for(context, person.id)
    return partial(stats_view, found, is_public=False)


async def post(context: Context, page: StatsPage) -> None:
    """Show everybody a person's results, in the language of the channel."""
    found = await _load_for(context, page.user_id)
    locale = await context.read(language_in, context.place)
    await context.reply.post(in_locale(locale, partial(stats_view, found, is_public=True)))


async def _load_for(context: Context, user_id: int) -> Stats:
    return await context.read(load, user_id, asker_id=context.user_id, today=context.today)


async def last_matches(context: Context) -> DrawInLanguage:
    """Show a person their own last matches, to review."""
    found = await context.read(load_last_matches, context.user_id, context.place)
    return partial(last_matches_view, found)


def load(connection: Connection, user_id: int, *, asker_id: int, today: date) -> Stats:
    """A person's results, and their score against the asker.

    Raises:
        Refused: They are hidden.
    """
    score = HeadToHead()
    if user_id != asker_id:
        if choices.load(connection, user_id).is_hidden:
            raise Refused(RefusalReason.STATS_HIDDEN, person_id=user_id)
        score = head_to_head(connection, asker_id, user_id)
    return Stats(
        asker_id=asker_id,
        user_id=user_id,
        tallies=tallies_of(connection, user_id),
        head_to_head=score,
        puzzles=puzzles.load_stats(connection, user_id),
        today=today,
    )


def load_last_matches(connection: Connection, user_id: int, place: Place) -> LastMatches:
    """A person's newest matches, for themselves to see in a place.

    Opponents who are hidden, or who played elsewhere, are not named: others may see the answer.
    """
    newest = last_played_by(connection, user_id)
    hidden = choices.hidden(connection, {match.opponent_of(user_id) for match in newest})

    def mask_opponent(match: Match) -> Match:
        if not match.is_between_people:
            return match
        if was_played_in(match, place) and match.opponent_of(user_id) not in hidden:
            return match
        return without_opponent(match, user_id)

    return LastMatches(user_id, tuple(map(mask_opponent, newest)))


# Tallies, and scores of one person against another

_TALLIES_OF = (
    select(tallies)
    .where(tallies.c.user_id.in_(bindparam("user_ids")))
    .order_by(*tallies.primary_key)
)

_HEAD_TO_HEADS_AMONG = select(duels).where(
    duels.c.first_id.in_(bindparam("user_ids")), duels.c.second_id.in_(bindparam("user_ids"))
)


def tallies_of(connection: Connection, user_id: int) -> dict[TallyKey, Tally]:
    """A person's results, by key of the tally."""
    return {key: tally for (_, key), tally in _read_tallies(connection, [user_id]).items()}


def _read_tallies(
    connection: Connection, user_ids: Collection[int]
) -> dict[tuple[int, TallyKey], Tally]:
    """The tallies of some people, without games and levels unknown to this release."""
    found: dict[tuple[int, TallyKey], Tally] = {}
    for row in connection.execute(_TALLIES_OF, {"user_ids": list(user_ids)}).mappings():
        with suppress(KeyError, ValueError):
            level = Level[row["level"]] if row["level"] else None
            key = TallyKey(rules_named(row["rules"]), level, row["hinted"])
            found[row["user_id"], key] = Tally(**{name: row[name] for name in _TALLY_FIELDS})
    return found


def head_to_head(connection: Connection, first_id: int, second_id: int) -> HeadToHead:
    """The results of two people against each other, from the first one's side."""
    pair = min(first_id, second_id), max(first_id, second_id)
    found = _read_head_to_heads(connection, pair).get(pair, HeadToHead())
    return found if first_id < second_id else found.reversed_sides


def head_to_heads_of(connection: Connection, user_id: int) -> list[HeadToHead]:
    """A person's results against each opponent, without the opponents' ids."""
    is_in_pair = or_(duels.c.first_id == user_id, duels.c.second_id == user_id)
    query = select(duels).where(is_in_pair).order_by(*duels.primary_key)
    return [
        _from_row(row) if row["first_id"] == user_id else _from_row(row).reversed_sides
        for row in connection.execute(query).mappings()
    ]


def _read_head_to_heads(
    connection: Connection, user_ids: Collection[int]
) -> dict[tuple[int, int], HeadToHead]:
    """The results of some people against each other, as in `TallyBatch`."""
    rows = connection.execute(_HEAD_TO_HEADS_AMONG, {"user_ids": list(user_ids)}).mappings()
    return {(row["first_id"], row["second_id"]): _from_row(row) for row in rows}


def _from_row(row: RowMapping) -> HeadToHead:
    return HeadToHead(row["won"], row["drawn"], row["lost"])


# Levels


def _is_pass(
    level: ColumnElement[str], won: ColumnElement[bool], drawn: ColumnElement[bool]
) -> ColumnElement[bool]:
    """Whether a level is passed: by a win, or by a draw where nothing better is possible."""
    return or_(won, and_(drawn, level.in_([level.name for level in UNBEATABLE])))


def _recent_passes(
    player_id: Column[int], mark: Mark, level: Column[str]
) -> Select[*tuple[Any, ...]]:
    """Select the levels passed in the moment before matches are counted."""
    drawn = matches.c.ended_how == EndReason.DRAWN.value
    return select(level).where(
        IS_UNCOUNTED,
        matches.c.ended_at >= bindparam("since"),
        matches.c.rules == TIC_TAC_TOE.name,
        matches.c.hints == 0,
        player_id == bindparam("user_id"),
        _is_pass(level, matches.c.winner == mark.value, drawn),
    )


_PASSED_LEVELS = union(
    select(tallies.c.level).where(
        tallies.c.user_id == bindparam("user_id"),
        tallies.c.rules == TIC_TAC_TOE.name,
        ~tallies.c.hinted,
        _is_pass(tallies.c.level, tallies.c.won > 0, tallies.c.drawn > 0),
    ),
    _recent_passes(matches.c.x_id, Mark.X, matches.c.o_level),
    _recent_passes(matches.c.o_id, Mark.O, matches.c.x_level),
)


def passed_levels(connection: Connection, user_id: int, since: datetime) -> set[Level]:
    """The levels that a person has passed on 3x3 without hints.

    Matches that are not counted yet are included if they ended at or after `since`.
    """
    parameters = {"user_id": user_id, "since": int(since.timestamp())}
    names = connection.execute(_PASSED_LEVELS, parameters).scalars()
    return {Level[name] for name in names if name in Level.__members__}


# Counting

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


async def count(runtime: Runtime) -> list[Match] | None:
    """Count some of the matches that are over and not counted yet.

    Returns:
        Those that ended lately and were a first for one of their players; None if there was
        nothing to count.

    Raises:
        UnavailableError: The database fails, or the bot is shutting down; nothing is lost.
    """
    ids, ended = await runtime.read_in_background(load_uncounted)
    if not ids:
        return None
    judged = await _judge(runtime, ended)
    counted = await runtime.transact_in_background(count_matches, ids, judged)
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
    return [row["id"] for row in rows], read_matches(connection, rows)


async def _judge(runtime: Runtime, ended: Iterable[Match]) -> dict[int, Accuracies]:
    """The accuracy of both sides, by match id, before anything is locked.

    Small boards take a moment each, and large ones a process of their own.
    """
    with_result = [match for match in ended if result_for(Mark.X, match)]
    small = [match for match in with_result if match.rules.is_small]
    judged = await runtime.executor.run(_judge_small, small)
    for match in with_result:
        # Those that an older release ended may be many.
        if not match.rules.is_small and match.ended_at is not None:
            judged[match.id] = await _judge_large(runtime, match)
    return judged


def _judge_small(ended: Iterable[Match]) -> dict[int, Accuracies]:
    return {match.id: accuracies(match.moves, match.rules) for match in ended}


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
    ended = read_matches(connection, in_order)
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

    old_tallies = _read_tallies(connection, user_ids)
    old_head_to_heads = _read_head_to_heads(connection, user_ids)
    hidden = frozenset(row.user_id for row in privacy if row.is_hidden)
    batch = TallyBatch(old_tallies.copy(), old_head_to_heads.copy(), hidden)
    counted = []
    for match in ended:
        known = _known_players(match, forget_before)
        counted.append(batch.add(match, known, judged.get(match.id, {})))
        _raise_ladder_scores(connection, match, known)
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


def _raise_ladder_scores(
    connection: Connection, match: Match, user_ids: Mapping[Mark, int]
) -> None:
    """Raise the players' scores in the server's ladder, if the match was on the ladder."""
    level = match.bot_level
    guild_id = match.place.guild_id
    if not guild_id or level is None or not TallyKey.of(match).is_on_ladder:
        return
    for mark, user_id in user_ids.items():
        result = result_for(mark, match)
        if result in {MatchResult.WON, MatchResult.DRAWN}:
            key = guild_id, Leaderboard.LADDER.value, user_id
            upsert_score(connection, key, max, ladder_score(level, result))


def _save_tallies(
    connection: Connection, changed: Iterable[tuple[tuple[int, TallyKey], Tally]]
) -> None:
    rows = [
        {
            "user_id": user_id,
            "rules": key.rules.name,
            "level": key.level.name if key.level else "",
            "hinted": key.hinted,
            **{name: getattr(tally, name) for name in _TALLY_FIELDS},
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

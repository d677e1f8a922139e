"""The tables of results: tallies, head-to-head results of pairs, and leaderboards of servers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import date, datetime
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
    func,
    insert,
    or_,
    select,
    tuple_,
    union,
    update,
)

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import EndReason, HeadToHead, Match, MatchResult, result_for
from bot.domain.stats import (
    UNBEATABLE,
    Leaderboard,
    Standing,
    Tally,
    TallyBatch,
    TallyKey,
    ladder_score,
)
from bot.store.database import Database
from bot.store.match_rows import read_matches
from bot.store.schema import (
    COUNTING_LOCK,
    IS_OF_A_MONTH,
    IS_UNCOUNTED,
    UNCOUNTED_BY_INDEX,
    duels,
    matches,
    people,
    ranks,
    tallies,
)
from engine import TIC_TAC_TOE, Accuracy, Level, Mark, rules_named

COUNT_BATCH_SIZE = 100

LEADERBOARD_SIZE = 10

_PRUNE_BATCH_SIZE = 1_000

# The queries. Their parameters are bound by name.

_SELECT_UNCOUNTED = (
    select(matches)
    .where(UNCOUNTED_BY_INDEX)
    .order_by(matches.c.ended_at, matches.c.id)
    .limit(COUNT_BATCH_SIZE)
)

_SELECT_UNCOUNTED_AMONG = (
    select(matches)
    .where(matches.c.id.in_(bindparam("ids")), IS_UNCOUNTED)
    .with_for_update(skip_locked=True)
)

_UPDATE_COUNTED = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"))
    .values(counted=True, is_first=bindparam("new_is_first"))
)

_SELECT_PRIVACY_CHOICES = select(
    people.c.user_id, people.c.is_hidden, people.c.forget_before
).where(people.c.user_id.in_(bindparam("user_ids")))

_SELECT_TALLIES = (
    select(tallies)
    .where(tallies.c.user_id.in_(bindparam("user_ids")))
    .order_by(*tallies.primary_key)
)

_SELECT_HEAD_TO_HEADS = select(duels).where(
    duels.c.first_id.in_(bindparam("user_ids")), duels.c.second_id.in_(bindparam("user_ids"))
)


def _is_pass(
    level: ColumnElement[str], won: ColumnElement[bool], drawn: ColumnElement[bool]
) -> ColumnElement[bool]:
    """Whether a level is passed: by a win, or by a draw where nothing better is possible."""
    return or_(won, and_(drawn, level.in_([level.name for level in UNBEATABLE])))


def _select_recent_passes(
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


_SELECT_PASSED_LEVELS = union(
    select(tallies.c.level).where(
        tallies.c.user_id == bindparam("user_id"),
        tallies.c.rules == TIC_TAC_TOE.name,
        ~tallies.c.hinted,
        _is_pass(tallies.c.level, tallies.c.won > 0, tallies.c.drawn > 0),
    ),
    _select_recent_passes(matches.c.x_id, Mark.X, matches.c.o_level),
    _select_recent_passes(matches.c.o_id, Mark.O, matches.c.x_level),
)

_TALLY_FIELDS = [field.name for field in fields(Tally)]

_IS_HIDDEN = (
    select(people.c.user_id).where(people.c.user_id == ranks.c.user_id, people.c.is_hidden).exists()
)

_Row = dict[str, Any]

_TalliesByKey = dict[tuple[int, TallyKey], Tally]
"""By user id and key of the tally."""

_HeadToHeadsByPair = dict[tuple[int, int], HeadToHead]
"""By the ids of the pair, the lesser first, and from that one's side."""

ScoreKey = tuple[int, str, int]
"""Server id, leaderboard's name and user id: the primary key of `ranks`."""


class StatsTable:
    """Stores results: a few rows per person, however many matches they have played."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def uncounted(self) -> tuple[list[int], list[Match]]:
        """A batch of the matches that are over and not yet counted, in the order they ended.

        Returns:
            The ids of all of them, and those matches that can be read.
        """
        with self._database.autocommit() as connection:
            rows = connection.execute(_SELECT_UNCOUNTED).mappings().all()
            return [row["id"] for row in rows], read_matches(connection, rows)

    def count(
        self, ids: Iterable[int], accuracies: Mapping[int, Mapping[Mark, Accuracy]]
    ) -> list[Match]:
        """Count those of these matches that are over and not yet counted, in the order they ended.

        `accuracies` has the accuracy of both sides, by match id; matches may be missing.

        Returns:
            The matches counted now, with `is_first` set; none while another process is counting.
        """
        with self._database.transaction() as connection:
            lock = connection.execute(COUNTING_LOCK.with_for_update(skip_locked=True))
            if lock.one_or_none() is None:
                return []

            rows = connection.execute(_SELECT_UNCOUNTED_AMONG, {"ids": list(ids)}).mappings().all()
            if not rows:
                return []
            in_order = sorted(rows, key=lambda row: (row["ended_at"], row["id"]))
            ended = read_matches(connection, in_order)
            counted = _count(connection, ended, accuracies) if ended else []

            first_ids = {match.id for match in counted if match.is_first}
            updates = [
                {"match_id": row["id"], "new_is_first": row["id"] in first_ids} for row in rows
            ]
            connection.execute(_UPDATE_COUNTED, updates)
        return counted

    def tallies(self, user_id: int) -> dict[TallyKey, Tally]:
        """A person's results, by key of the tally."""
        with self._database.autocommit() as connection:
            tallies_by_key = _read_tallies(connection, [user_id])
        return {key: tally for (_user_id, key), tally in tallies_by_key.items()}

    def passed_levels(self, user_id: int, since: datetime) -> set[Level]:
        """The levels that a person has passed on 3x3 without hints.

        Matches that are not counted yet are included if they ended at or after `since`.
        """
        parameters = {"user_id": user_id, "since": int(since.timestamp())}
        with self._database.autocommit() as connection:
            names = connection.execute(_SELECT_PASSED_LEVELS, parameters).scalars()
            return {Level[name] for name in names if name in Level.__members__}

    def head_to_head(self, first_id: int, second_id: int) -> HeadToHead:
        """The results of two people against each other, from the first one's side."""
        pair = min(first_id, second_id), max(first_id, second_id)
        with self._database.autocommit() as connection:
            head_to_head = _read_head_to_heads(connection, pair).get(pair, HeadToHead())
        return head_to_head if first_id < second_id else head_to_head.reversed_sides

    def head_to_heads(self, user_id: int) -> list[HeadToHead]:
        """A person's results against each opponent, without the opponents' ids."""
        is_in_pair = or_(duels.c.first_id == user_id, duels.c.second_id == user_id)
        query = select(duels).where(is_in_pair).order_by(*duels.primary_key)
        with self._database.autocommit() as connection:
            rows = connection.execute(query).mappings().all()
        return [_head_to_head_of(row, user_id) for row in rows]

    def top(self, guild_id: int, leaderboard: str, asker_id: int) -> list[Standing]:
        """The best of a leaderboard, then the asker if they have a lower place in it.

        Hidden people are left out.
        """
        is_shown = and_(ranks.c.guild_id == guild_id, ranks.c.chart == leaderboard, ~_IS_HIDDEN)
        query = (
            select(ranks.c.user_id, ranks.c.score)
            .where(is_shown)
            .order_by(ranks.c.score.desc(), ranks.c.user_id)
            .limit(LEADERBOARD_SIZE)
        )
        with self._database.autocommit() as connection:
            rows = connection.execute(query).all()
            scores = [row.score for row in rows]
            top = [Standing(1 + scores.index(row.score), row.user_id, row.score) for row in rows]
            if any(standing.user_id == asker_id for standing in top):
                return top
            asker_standing = _find_standing(connection, is_shown, asker_id)
        return top if asker_standing is None else [*top, asker_standing]

    def scores(self, user_id: int) -> list[tuple[int, str, int]]:
        """A person's scores, each as server id, leaderboard's name and score."""
        query = select(ranks.c.guild_id, ranks.c.chart, ranks.c.score)
        with self._database.autocommit() as connection:
            rows = connection.execute(query.where(ranks.c.user_id == user_id))
            return [(row.guild_id, row.chart, row.score) for row in rows]

    def prune_months(self, before: date) -> int:
        """Delete a batch of the points of the months before that of a day; return how many.

        No leaderboard shows them any more.
        """
        month = Leaderboard.MONTH.on(before)
        past = select(*ranks.primary_key).where(IS_OF_A_MONTH, ranks.c.chart < month)
        is_past = tuple_(*ranks.primary_key).in_(past.limit(_PRUNE_BATCH_SIZE))
        with self._database.write() as connection:
            return connection.execute(delete(ranks).where(is_past)).rowcount


def _find_standing(
    connection: Connection, is_shown: ColumnElement[bool], user_id: int
) -> Standing | None:
    """A person's line in the leaderboard of the rows that are shown; None if they have none."""
    query = select(ranks.c.score).where(is_shown, ranks.c.user_id == user_id)
    score = connection.execute(query).scalar_one_or_none()
    if score is None:
        return None
    count_better = select(func.count()).select_from(ranks).where(is_shown, ranks.c.score > score)
    place = 1 + connection.execute(count_better).scalar_one()
    return Standing(place, user_id, score)


def _count(
    connection: Connection,
    ended: list[Match],
    accuracies: Mapping[int, Mapping[Mark, Accuracy]],
) -> list[Match]:
    """Add matches to all results of their players; return them with `is_first` set.

    Every match comes here once after its end: what else is counted of a match belongs here.
    """
    players = (player for match in ended for player in match.players.values())
    user_ids = {player.user_id for player in players if not player.is_bot}
    choices = connection.execute(_SELECT_PRIVACY_CHOICES, {"user_ids": list(user_ids)}).all()
    hidden = frozenset(row.user_id for row in choices if row.is_hidden)
    forget_before = {row.user_id: row.forget_before or 0 for row in choices}

    old_tallies = _read_tallies(connection, user_ids)
    old_head_to_heads = _read_head_to_heads(connection, user_ids)
    batch = TallyBatch(old_tallies.copy(), old_head_to_heads.copy(), hidden)
    counted = []
    for match in ended:
        user_ids_by_mark = _known_players(match, forget_before)
        counted.append(batch.add(match, user_ids_by_mark, accuracies.get(match.id, {})))
        _update_ladder(connection, match, user_ids_by_mark)

    new_tallies = batch.tallies.items() - old_tallies.items()
    tally_rows = [_tally_row(user_id, key, tally) for (user_id, key), tally in new_tallies]
    _replace_rows(connection, tallies, tally_rows)
    new_head_to_heads = batch.head_to_heads.items() - old_head_to_heads.items()
    duel_rows = [_head_to_head_row(pair, head_to_head) for pair, head_to_head in new_head_to_heads]
    _replace_rows(connection, duels, duel_rows)
    return counted


def _known_players(match: Match, forget_before: Mapping[int, int]) -> dict[Mark, int]:
    """The ids of the human players who are neither forgotten nor to be forgotten, by mark."""
    user_ids = {}
    for mark, player in match.players.items():
        if player.is_bot or player.user_id == DELETED_USER_ID:
            continue
        if match.id >= forget_before.get(player.user_id, 0):
            user_ids[mark] = player.user_id
    return user_ids


def _update_ladder(connection: Connection, match: Match, user_ids: Mapping[Mark, int]) -> None:
    """Raise the players' scores in the server's ladder, if the match was on the ladder."""
    level = match.bot_level
    guild_id = match.place.guild_id
    if not guild_id or level is None or not TallyKey.of(match).is_on_ladder:
        return
    for mark, user_id in user_ids.items():
        result = result_for(mark, match)
        if result is None or result is MatchResult.LOST:
            continue
        key = guild_id, Leaderboard.LADDER.value, user_id
        upsert_score(connection, key, max, ladder_score(level, result))


def upsert_score(
    connection: Connection, key: ScoreKey, combine: Callable[[int, int], int], score: int
) -> None:
    """Combine a score with the stored one, in a transaction that holds `COUNTING_LOCK`."""
    is_row = [column == value for column, value in zip(ranks.primary_key, key, strict=True)]
    stored = connection.execute(select(ranks.c.score).where(*is_row)).scalar_one_or_none()
    if stored is None:
        connection.execute(insert(ranks).values((*key, score)))
    else:
        connection.execute(update(ranks).where(*is_row).values(score=combine(stored, score)))


def _replace_rows(connection: Connection, table: Table, rows: list[_Row]) -> None:
    """Insert rows, replacing those with the same primary keys."""
    if not rows:
        return
    is_old = [column == bindparam(f"old_{column.name}") for column in table.primary_key]
    old_keys = [{f"old_{key.name}": row[key.name] for key in table.primary_key} for row in rows]
    connection.execute(delete(table).where(*is_old), old_keys)
    connection.execute(insert(table), rows)


def _read_tallies(connection: Connection, user_ids: Collection[int]) -> _TalliesByKey:
    """The tallies of some people, without games and levels unknown to this release."""
    tallies_by_key: _TalliesByKey = {}
    for row in connection.execute(_SELECT_TALLIES, {"user_ids": list(user_ids)}).mappings():
        with suppress(KeyError, ValueError):
            level = Level[row["level"]] if row["level"] else None
            key = TallyKey(rules_named(row["rules"]), level, row["hinted"])
            counts = {name: row[name] for name in _TALLY_FIELDS}
            tallies_by_key[row["user_id"], key] = Tally(**counts)
    return tallies_by_key


def _tally_row(user_id: int, key: TallyKey, tally: Tally) -> _Row:
    return {
        "user_id": user_id,
        "rules": key.rules.name,
        "level": key.level.name if key.level else "",
        "hinted": key.hinted,
        **{name: getattr(tally, name) for name in _TALLY_FIELDS},
    }


def _read_head_to_heads(connection: Connection, user_ids: Collection[int]) -> _HeadToHeadsByPair:
    """The results of some people against each other."""
    rows = connection.execute(_SELECT_HEAD_TO_HEADS, {"user_ids": list(user_ids)}).mappings()
    return {(row["first_id"], row["second_id"]): _head_to_head(row) for row in rows}


def _head_to_head(row: RowMapping) -> HeadToHead:
    return HeadToHead(row["won"], row["drawn"], row["lost"])


def _head_to_head_of(row: RowMapping, user_id: int) -> HeadToHead:
    """The results in a row, from one of the two people's side."""
    head_to_head = _head_to_head(row)
    return head_to_head if row["first_id"] == user_id else head_to_head.reversed_sides


def _head_to_head_row(pair: tuple[int, int], head_to_head: HeadToHead) -> _Row:
    first_id, second_id = pair
    return {"first_id": first_id, "second_id": second_id, **head_to_head._asdict()}

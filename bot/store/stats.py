"""The tables of results: tallies, duels of pairs, and the leaderboards of servers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    Table,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import HeadToHead, Match, MatchResult, result_for
from bot.domain.stats import Leaderboard, Standing, Tally, TallyBatch, TallyKey, ladder_score
from bot.store.database import Database
from bot.store.matches import read_all
from bot.store.schema import COUNTING_LOCK, IS_UNCOUNTED, duels, matches, people, ranks, tallies
from engine import Accuracy, Level, Mark, rules_named

Row = dict[str, Any]

Judged = Mapping[int, Mapping[Mark, Accuracy]]
"""The accuracy of each side, by match id."""

_UNCOUNTED_AMONG = (
    select(matches)
    .where(matches.c.id.in_(bindparam("ids")), IS_UNCOUNTED)
    .with_for_update(skip_locked=True)
)

_MARK = (
    update(matches)
    .where(matches.c.id == bindparam("its_id"))
    .values(counted=True, is_first=bindparam("new_first"))
)


class TallyTable:
    """People's results: a few rows per person, however many matches there are."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def count(self, ids: Iterable[int], judged: Judged) -> list[Match]:
        """Count those of these matches that are over and not yet counted, in the order they ended.

        Returns:
            The matches counted now, with `is_first` set; none while another process is counting.
        """
        with self._connections.transaction() as connection:
            turn = connection.execute(COUNTING_LOCK.with_for_update(skip_locked=True))
            if turn.one_or_none() is None:
                return []
            rows = connection.execute(_UNCOUNTED_AMONG, {"ids": list(ids)}).mappings().all()
            read = read_all(connection, sorted(rows, key=lambda row: (row["ended_at"], row["id"])))
            counted = _count(connection, read, judged) if read else []
            firsts = {match.id for match in counted if match.is_first}
            if rows:
                marks = [{"its_id": row["id"], "new_first": row["id"] in firsts} for row in rows]
                connection.execute(_MARK, marks)
        return counted

    def of(self, user_id: int) -> dict[TallyKey, Tally]:
        """A person's results, by kind of match."""
        with self._connections.autocommit() as connection:
            found = _tallies_of(connection, [user_id])
        return {kind: tally for (_user_id, kind), tally in found.items()}

    def head_to_head(self, first: int, second: int) -> HeadToHead:
        """The results of two people against each other, from the first one's side."""
        with self._connections.autocommit() as connection:
            pair = {first, second}
            head_to_head = _duels_among(connection, pair).get((min(pair), max(pair)), HeadToHead())
        return head_to_head if first < second else head_to_head.reversed_sides

    def head_to_heads_of(self, user_id: int) -> list[HeadToHead]:
        """A person's results against each opponent, without the opponents' ids."""
        theirs = or_(duels.c.first_id == user_id, duels.c.second_id == user_id)
        query = select(duels).where(theirs).order_by(*duels.primary_key)
        with self._connections.autocommit() as connection:
            rows = connection.execute(query).mappings().all()
        return [
            _duel(row) if row["first_id"] == user_id else _duel(row).reversed_sides for row in rows
        ]


def _count(connection: Connection, counted: list[Match], judged: Judged) -> list[Match]:
    """Add matches to the tallies, duels and ranks of their players."""
    user_ids = {p.user_id for match in counted for p in match.players.values() if not p.is_bot}
    query = select(people).where(people.c.user_id.in_(user_ids))
    chosen = {row.user_id: row for row in connection.execute(query)}
    stood, stood_between = _tallies_of(connection, user_ids), _duels_among(connection, user_ids)
    hidden = frozenset(user_id for user_id, row in chosen.items() if row.is_hidden)
    counts = TallyBatch(stood.copy(), stood_between.copy(), hidden)
    forgotten = {user_id: row.forget_before or 0 for user_id, row in chosen.items()}
    said = [
        counts.add(match, _known(match, forgotten), judged.get(match.id, {})) for match in counted
    ]
    for match in counted:
        _rank(connection, match, _known(match, forgotten))
    _replace(connection, tallies, map(_tally_row, counts.tallies.items() - stood.items()))
    _replace(connection, duels, map(_duel_row, counts.duels.items() - stood_between.items()))
    return said


def _rank(connection: Connection, match: Match, known: Mapping[Mark, int]) -> None:
    """Raise the players' scores in the server's ladder chart, if the match was on the ladder."""
    kind, guild_id = TallyKey.of(match), match.place.guild_id
    for mark, user_id in known.items():
        result = result_for(mark, match)
        if guild_id and kind.is_on_ladder and kind.level and result not in (None, MatchResult.LOST):
            key = guild_id, Leaderboard.LADDER.value, user_id
            upsert_score(connection, key, max, ladder_score(kind.level, result))


def _known(match: Match, forgotten: Mapping[int, int]) -> dict[Mark, int]:
    """The ids of the human players who are neither forgotten nor about to be, by mark."""
    return {
        mark: player.user_id
        for mark, player in match.players.items()
        if not player.is_bot
        and player.user_id != DELETED_USER_ID
        and match.id >= forgotten.get(player.user_id, 0)
    }


def _replace(connection: Connection, table: Table, rows: Iterable[Row]) -> None:
    """Insert rows, replacing those with the same primary keys."""
    if new := list(rows):
        keys = [column == bindparam(f"old_{column.name}") for column in table.primary_key]
        connection.execute(
            delete(table).where(*keys),
            [{f"old_{key.name}": row[key.name] for key in table.primary_key} for row in new],
        )
        connection.execute(insert(table), new)


def _tally_row(counted: tuple[tuple[int, TallyKey], Tally]) -> Row:
    (user_id, (rules, level, hinted)), tally = counted
    kind = {"rules": rules.name, "level": level.name if level else "", "hinted": hinted}
    return {"user_id": user_id, **kind, **asdict(tally)}


def _tallies_of(
    connection: Connection, user_ids: Collection[int]
) -> dict[tuple[int, TallyKey], Tally]:
    """The tallies of some people, without games and levels unknown to this release."""
    theirs = select(tallies).where(tallies.c.user_id.in_(user_ids))
    query = theirs.order_by(*tallies.primary_key)
    read = {}
    for row in connection.execute(query).mappings():
        with suppress(KeyError, ValueError):
            level = Level[row["level"]] if row["level"] else None
            kind = TallyKey(rules_named(row["rules"]), level, row["hinted"])
            numbers = {field.name: row[field.name] for field in fields(Tally)}
            read[row["user_id"], kind] = Tally(**numbers)
    return read


def _duel_row(counted: tuple[tuple[int, int], HeadToHead]) -> Row:
    (first, second), head_to_head = counted
    return {"first_id": first, "second_id": second, **head_to_head._asdict()}


def _duels_among(
    connection: Connection, user_ids: Collection[int]
) -> dict[tuple[int, int], HeadToHead]:
    among = duels.c.first_id.in_(user_ids), duels.c.second_id.in_(user_ids)
    rows = connection.execute(select(duels).where(*among)).mappings()
    return {(row["first_id"], row["second_id"]): _duel(row) for row in rows}


def _duel(row: RowMapping) -> HeadToHead:
    return HeadToHead(row["won"], row["drawn"], row["lost"])


StandingKey = tuple[int, str, int]
"""Server id, chart name, user id: the primary key."""

TOP = 10

_hidden = select(people.c.user_id).where(people.c.user_id == ranks.c.user_id, people.c.is_hidden)


class StandingTable:
    """The charts of servers; hidden people are in none."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def top(self, guild_id: int, chart: str, asker: int) -> list[Standing]:
        """The best of a chart, followed by `asker` if they are in it with a lower place."""
        seen = ranks.c.guild_id == guild_id, ranks.c.chart == chart, ~_hidden.exists()
        best = select(ranks.c.user_id, ranks.c.score).where(*seen)
        best = best.order_by(ranks.c.score.desc(), ranks.c.user_id).limit(TOP)
        with self._connections.autocommit() as connection:
            rows = connection.execute(best).all()
            scores = [row.score for row in rows]
            top = [Standing(1 + scores.index(row.score), *row) for row in rows]
            if asker in (rank.user_id for rank in top):
                return top
            own = connection.execute(
                select(ranks.c.score).where(*seen, ranks.c.user_id == asker)
            ).scalar_one_or_none()
            if own is None:
                return top
            better = select(func.count()).select_from(ranks).where(*seen, ranks.c.score > own)
            return [*top, Standing(1 + connection.execute(better).scalar_one(), asker, own)]

    def of(self, user_id: int) -> list[tuple[int, str, int]]:
        """A person's ranks, each as server id, chart name and score."""
        query = select(ranks.c.guild_id, ranks.c.chart, ranks.c.score)
        with self._connections.autocommit() as connection:
            rows = connection.execute(query.where(ranks.c.user_id == user_id))
            return [(row.guild_id, row.chart, row.score) for row in rows]


def upsert_score(
    connection: Connection, key: StandingKey, combine: Callable[[int, int], int], score: int
) -> None:
    """Combine a score with the stored one, in a transaction that holds `COUNTING_LOCK`."""
    same_row = [column == value for column, value in zip(ranks.primary_key, key, strict=True)]
    stored = connection.execute(select(ranks.c.score).where(*same_row)).scalar_one_or_none()
    if stored is None:
        connection.execute(insert(ranks).values((*key, score)))
    else:
        connection.execute(update(ranks).where(*same_row).values(score=combine(stored, score)))

"""The table of ranks: scores in the charts of each server."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, func, insert, select, update

from bot.game.ranking import Rank
from bot.store.database import Connections
from bot.store.schema import people, ranks

RankKey = tuple[int, str, int]
"""Server id, chart name, user id: the primary key."""

TOP = 10
_hidden = select(people.c.user_id).where(people.c.user_id == ranks.c.user_id, people.c.is_hidden)


class RankTable:
    """The charts of servers; hidden people are in none."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def top(self, guild_id: int, chart: str, asker: int) -> list[Rank]:
        """The best of a chart, followed by `asker` if they are in it with a lower place."""
        seen = ranks.c.guild_id == guild_id, ranks.c.chart == chart, ~_hidden.exists()
        best = select(ranks.c.user_id, ranks.c.score).where(*seen)
        best = best.order_by(ranks.c.score.desc(), ranks.c.user_id).limit(TOP)
        with self._connections.autocommit() as connection:
            rows = connection.execute(best).all()
            scores = [row.score for row in rows]
            top = [Rank(1 + scores.index(row.score), *row) for row in rows]
            if asker in (rank.user_id for rank in top):
                return top
            own = connection.execute(
                select(ranks.c.score).where(*seen, ranks.c.user_id == asker)
            ).scalar_one_or_none()
            if own is None:
                return top
            better = select(func.count()).select_from(ranks).where(*seen, ranks.c.score > own)
            return [*top, Rank(1 + connection.execute(better).scalar_one(), asker, own)]

    def of(self, user_id: int) -> list[tuple[int, str, int]]:
        """A person's ranks, each as server id, chart name and score."""
        query = select(ranks.c.guild_id, ranks.c.chart, ranks.c.score)
        with self._connections.autocommit() as connection:
            rows = connection.execute(query.where(ranks.c.user_id == user_id))
            return [(row.guild_id, row.chart, row.score) for row in rows]


def put_score(
    connection: Connection, key: RankKey, combine: Callable[[int, int], int], score: int
) -> None:
    """Combine a score with the stored one, in a transaction that holds `COUNTING_LOCK`."""
    same_row = [column == value for column, value in zip(ranks.primary_key, key, strict=True)]
    stored = connection.execute(select(ranks.c.score).where(*same_row)).scalar_one_or_none()
    if stored is None:
        connection.execute(insert(ranks).values((*key, score)))
    else:
        connection.execute(update(ranks).where(*same_row).values(score=combine(stored, score)))

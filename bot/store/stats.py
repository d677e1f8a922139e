"""Scores in the leaderboards of servers, which puzzles and matches change."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, insert, select, update

from bot.store.schema import ranks

ScoreKey = tuple[int, str, int]
"""Server id, leaderboard's name and user id: the primary key of `ranks`."""


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

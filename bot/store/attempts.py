"""The tables of the daily puzzle: attempts, and each person's tally of them."""

from __future__ import annotations

from datetime import date
from operator import add
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.game.cells import cells_of, letters_of
from bot.game.puzzles import Attempt, PuzzleTally
from bot.game.ranking import Chart
from bot.store.database import Connections
from bot.store.ranks import put_score
from bot.store.schema import attempts, puzzle_tallies
from bot.store.statements import COUNTING_LOCK, put
from engine import TRIES, Cell

_SOLVED_COLUMNS = [f"solved_{tries}" for tries in range(1, TRIES + 1)]
_OTHER_COLUMNS = ("missed", "streak", "best", "last_day", "gap_day")


class AttemptTable:
    """One attempt per person and day; compare-and-set decides every race between tries."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def tried(self, user_id: int, day: date) -> tuple[Cell, ...]:
        """The cells that a person has tried, in order; empty if none."""
        query = select(attempts.c.tried).where(*_same_row(user_id, day))
        with self._connections.autocommit() as connection:
            return cells_of(connection.execute(query).scalar_one_or_none() or "")

    def tally(self, user_id: int) -> PuzzleTally:
        with self._connections.autocommit() as connection:
            return _tally(connection, user_id)

    def save(
        self, user_id: int, day: date, before: tuple[Cell, ...], now: Attempt, guild_id: int | None
    ) -> bool:
        """Store an attempt if the stored tries are still `before`; return False if they are not.

        An attempt that is over is added to the person's tally and to the ranks of its server.
        """
        new = {"tried": letters_of(now.tried), "tries": now.tries, "guild_id": guild_id}
        try:
            with self._connections.transaction() as connection:
                if now.is_over:
                    connection.execute(COUNTING_LOCK.with_for_update())
                if before:
                    stood = *_same_row(user_id, day), attempts.c.tried == letters_of(before)
                    done = connection.execute(update(attempts).where(*stood).values(new))
                    if done.rowcount == 0:
                        return False
                else:
                    row = {"user_id": user_id, "day": day, **new}
                    connection.execute(insert(attempts).values(row))
                if now.is_over:
                    _count(connection, user_id, day, now, guild_id)
        except IntegrityError:  # another request inserted the row first
            return False
        return True

    def share(self, user_id: int, day: date, *, is_shared: bool = True) -> bool:
        """Note whether the attempt of a day is shared; return False if that is so already."""
        is_other = attempts.c.is_shared != is_shared
        query = update(attempts).where(*_same_row(user_id, day), is_other)
        with self._connections.autocommit() as connection:
            return connection.execute(query.values(is_shared=is_shared)).rowcount == 1

    def of(self, user_id: int) -> list[RowMapping]:
        """All stored columns of a person's attempts, by day."""
        query = select(attempts).where(attempts.c.user_id == user_id).order_by(attempts.c.day)
        with self._connections.autocommit() as connection:
            return list(connection.execute(query).mappings())

    def prune(self, before: date) -> int:
        """Delete the attempts of the oldest day earlier than `before`; return how many."""
        oldest = select(func.min(attempts.c.day)).where(attempts.c.day < before).scalar_subquery()
        with self._connections.autocommit() as connection:
            return connection.execute(delete(attempts).where(attempts.c.day == oldest)).rowcount


def _same_row(user_id: int, day: date) -> tuple[Any, Any]:
    return attempts.c.user_id == user_id, attempts.c.day == day


def _count(
    connection: Connection, user_id: int, day: date, attempt: Attempt, guild_id: int | None
) -> None:
    tally = _tally(connection, user_id).after(day, attempt)
    rest = {name: getattr(tally, name) for name in _OTHER_COLUMNS}
    solved = dict(zip(_SOLVED_COLUMNS, tally.solved, strict=True))
    put(connection, puzzle_tallies.c.user_id, user_id, **solved, **rest)
    if guild_id is not None and attempt.points:
        for chart in (Chart.MONTH, Chart.EVER):
            put_score(connection, (guild_id, chart.on(day), user_id), add, attempt.points)


def _tally(connection: Connection, user_id: int) -> PuzzleTally:
    query = select(puzzle_tallies).where(puzzle_tallies.c.user_id == user_id)
    row = connection.execute(query).mappings().one_or_none()
    return PuzzleTally() if row is None else tally_of(row)


def tally_of(row: RowMapping) -> PuzzleTally:
    """Read a tally from a row that has the columns of `puzzle_tallies`."""
    return PuzzleTally(
        tuple(row[name] for name in _SOLVED_COLUMNS), *(row[name] for name in _OTHER_COLUMNS)
    )

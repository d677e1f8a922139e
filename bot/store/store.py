"""The store: every question and every change, each in one transaction."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime
from typing import Self

from alembic.util.exc import CommandError
from sqlalchemy import URL, RowMapping, Select, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.match import Match
from bot.migrations import migrate
from bot.store.database import SchemaError, create_engine
from bot.store.schema import facts, from_row, matches, to_row

_SWEEP_ROWS = 100

_log = logging.getLogger(__name__)


class Store:
    """Matches in a database. Any method may raise `StoreError` when the database fails."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    async def open(cls, url: URL) -> Self:
        """Connect, and bring the tables up to date."""
        engine = create_engine(url)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
        except CommandError as error:
            await engine.dispose()
            raise SchemaError(
                f"its tables are of another release than this code: {error}"
            ) from None
        except BaseException:
            await engine.dispose()
            raise
        return cls(engine)

    async def close(self) -> None:
        await self._engine.dispose()

    async def latest(self, match_id: int) -> Match | None:
        """A match, or the last of the rematches that followed it."""
        async with self._engine.begin() as connection:
            match = await _one(connection, select(matches).where(matches.c.id == match_id))
            while match is not None and match.next_id is not None:
                following = select(matches).where(matches.c.id == match.next_id)
                match = await _one(connection, following)
            return match

    async def live_match(self, channel_id: int) -> Match | None:
        query = select(matches).where(matches.c.channel_id == channel_id, matches.c.live)
        async with self._engine.begin() as connection:
            return await _one(connection, query)

    async def add(self, match: Match) -> bool:
        """Store a new match; False when a live match holds the channel already."""
        try:
            async with self._engine.begin() as connection:
                await connection.execute(insert(matches).values(to_row(match)))
        except IntegrityError:
            return False
        return True

    async def save(self, match: Match) -> Match | None:
        """Store a change to the version that was loaded.

        Returns:
            The match at its next version; None when another change came first.
        """
        async with self._engine.begin() as connection:
            return await _compare_and_set(connection, match)

    async def save_with_successor(self, match: Match, successor: Match) -> bool:
        """Store a change and the match that follows; False, and neither, if another came first."""
        try:
            async with self._engine.begin() as connection:
                if await _compare_and_set(connection, match) is None:
                    return False
                await connection.execute(insert(matches).values(to_row(successor)))
        except IntegrityError:
            return False
        return True

    async def place(self, match_id: int, message_id: int) -> None:
        """Note the message that shows a match, unless a newer message is noted already."""
        column = matches.c.message_id
        is_newer = or_(column.is_(None), column < message_id)
        change = update(matches).where(matches.c.id == match_id, is_newer)
        async with self._engine.begin() as connection:
            await connection.execute(change.values(message_id=message_id))

    async def expire(self, now: datetime, channel_id: int | None = None) -> list[Match]:
        """End live matches whose deadline has passed, a limited number at a time.

        Several processes may sweep at once: a row that one of them holds is skipped by the rest.
        """
        due = select(matches).where(matches.c.live, matches.c.deadline_at <= int(now.timestamp()))
        if channel_id is not None:
            due = due.where(matches.c.channel_id == channel_id)
        due = due.order_by(matches.c.deadline_at).limit(_SWEEP_ROWS)
        async with self._engine.begin() as connection:
            rows = await connection.execute(due.with_for_update(skip_locked=True))
            matches_due = [await _read(connection, row) for row in rows.mappings().all()]
            ended = [match.expire() for match in matches_due if match is not None]
            saved = [await _compare_and_set(connection, match) for match in ended]
        return [match for match in saved if match is not None]

    async def fact(self, name: str) -> str | None:
        """What was remembered under a name."""
        async with self._engine.begin() as connection:
            query = select(facts.c.value).where(facts.c.name == name)
            return (await connection.execute(query)).scalar_one_or_none()

    async def remember(self, name: str, value: str) -> None:
        async with self._engine.begin() as connection:
            change = update(facts).where(facts.c.name == name).values(value=value)
            if (await connection.execute(change)).rowcount == 0:
                await connection.execute(insert(facts).values(name=name, value=value))


async def _one(connection: AsyncConnection, query: Select[tuple[object, ...]]) -> Match | None:
    row = (await connection.execute(query)).mappings().one_or_none()
    return None if row is None else await _read(connection, row)


async def _read(connection: AsyncConnection, row: RowMapping) -> Match | None:
    """The match of a row; None for one that this release cannot read, which ends it.

    Left live, a row written by a newer release, or by hand, would hold its channel for ever.
    """
    try:
        return from_row(row)
    except (KeyError, ValueError):
        _log.exception("Match %d cannot be read: it is ended.", row["id"])
        unreadable = update(matches).where(matches.c.id == row["id"])
        await connection.execute(unreadable.values(live=False))
        return None


async def _compare_and_set(connection: AsyncConnection, match: Match) -> Match | None:
    """Store a match where its version is still the stored one: this decides every race.

    Where its board is shown is no part of that: only `place` notes it.
    """
    saved = replace(match, version=match.version + 1)
    values = {name: value for name, value in to_row(saved).items() if name != "message_id"}
    stored = matches.c.id == match.id, matches.c.version == match.version
    done = await connection.execute(update(matches).where(*stored).values(values))
    return saved if done.rowcount == 1 else None

"""The tables of people and of memberships: what is chosen, and what is to be forgotten."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.domain.privacy import PrivacyChoices
from bot.store.database import Database, upsert, upsert_latest
from bot.store.matches import SWEEP_ROWS
from bot.store.schema import (
    COUNTING_LOCK,
    FORGETTING,
    attempts,
    duels,
    memberships,
    people,
    puzzle_posts,
    puzzle_tallies,
    ranks,
    servers,
    tallies,
)

_CHOSE_NOTHING = [people.c[name].is_(chosen) for name, chosen in asdict(PrivacyChoices()).items()]

_CHOICES = [people.c[field.name] for field in fields(PrivacyChoices)]

_OWNER_COLUMNS = (
    *(tallies.c.user_id, duels.c.first_id, duels.c.second_id),
    *(attempts.c.user_id, puzzle_tallies.c.user_id, ranks.c.user_id),
)
"""The columns that say whose a result is: a person's are deleted with them."""


class PeopleTable:
    """People's choices; a person without a row has the defaults."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def choices(self, user_id: int) -> PrivacyChoices:
        with self._connections.autocommit() as connection:
            query = select(*_CHOICES).where(people.c.user_id == user_id)
            chosen = connection.execute(query).one_or_none()
        return PrivacyChoices() if chosen is None else PrivacyChoices(*chosen)

    def is_any_hidden(self, user_ids: Collection[int]) -> bool:
        hidden = people.c.user_id.in_(user_ids), people.c.is_hidden
        with self._connections.autocommit() as connection:
            query = select(people.c.user_id).where(*hidden).limit(1)
            return connection.execute(query).first() is not None

    def choose(self, user_id: int, choice: Mapping[str, bool]) -> None:
        """Set some of the fields of `PrivacyChoices`, by name."""
        with self._connections.autocommit() as connection:
            upsert(connection, people.c.user_id, user_id, **choice)

    def start_forgetting(self, user_id: int, before_id: int) -> None:
        """Note that a person's matches with ids below `before_id` are to be forgotten.

        Their results and choices are deleted at once.
        """
        with self._connections.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())  # waits for a count in progress
            for column in _OWNER_COLUMNS:
                connection.execute(delete(column.table).where(column == user_id))
            anew = asdict(PrivacyChoices())
            upsert_latest(connection, people.c.forget_before, user_id, before_id, **anew)

    def to_be_forgotten(self) -> list[tuple[int, int]]:
        """A batch of people to be forgotten, each with the id below which their matches are."""
        query = select(people.c.user_id, people.c.forget_before)
        query = query.where(FORGETTING).limit(SWEEP_ROWS)
        with self._connections.autocommit() as connection:
            return [(user_id, before) for user_id, before in connection.execute(query)]

    def finish_forgetting(self, user_id: int, before_id: int) -> None:
        """Note that a person's matches are forgotten, unless they asked again meanwhile."""
        is_theirs = people.c.user_id == user_id
        done = update(people).where(is_theirs, people.c.forget_before == before_id)
        chose_nothing = people.c.forget_before.is_(None), *_CHOSE_NOTHING
        with self._connections.transaction() as connection:
            connection.execute(done.values(forget_before=None))
            connection.execute(delete(people).where(is_theirs, *chose_nothing))


class MembershipTable:
    """The servers that the bot is in. Without intents it hears of no removal, so it polls."""

    def __init__(self, connections: Database) -> None:
        self._connections = connections

    def note(self, guild_ids: Collection[int], now: datetime) -> None:
        """Note that the bot is now a member of these servers, and of no others."""
        row, seconds = memberships.c, int(now.timestamp())
        # Of two processes that note a new server at once, one fails: the other does it all.
        with suppress(IntegrityError), self._connections.transaction() as connection:
            known = dict(connection.execute(select(row.guild_id, row.absent_since)).all())
            if new := [{"guild_id": guild_id} for guild_id in set(guild_ids) - known.keys()]:
                connection.execute(insert(memberships), new)
            for guild_id, since in known.items():
                is_absent = guild_id not in guild_ids
                if is_absent is not (since is not None):
                    noted = update(memberships).where(row.guild_id == guild_id)
                    connection.execute(noted.values(absent_since=seconds if is_absent else None))

    def start_forgetting(self, guild_id: int, before_id: int) -> None:
        """Delete a server's choices, posts and ranks; note to forget matches below `before_id`."""
        with self._connections.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())
            for table in (servers, puzzle_posts, ranks):
                connection.execute(delete(table).where(table.c.guild_id == guild_id))
            made_there = update(attempts).where(attempts.c.guild_id == guild_id)
            connection.execute(made_there.values(guild_id=None))
            upsert_latest(connection, memberships.c.forget_before, guild_id, before_id)

    def absent_before(self, moment: datetime) -> list[int]:
        """The servers that the bot has not been a member of since `moment`."""
        absent = memberships.c.absent_since <= int(moment.timestamp())
        query = select(memberships.c.guild_id).where(absent)
        with self._connections.autocommit() as connection:
            return list(connection.execute(query).scalars())

    def to_be_forgotten(self) -> list[tuple[int, int]]:
        """The servers to be forgotten, each with the id below which its matches are."""
        query = select(memberships.c.guild_id, memberships.c.forget_before)
        query = query.where(memberships.c.forget_before.is_not(None))
        with self._connections.autocommit() as connection:
            return [(guild_id, before) for guild_id, before in connection.execute(query)]

    def finish_forgetting(self, guild_id: int, before_id: int) -> None:
        """Delete a server's row once its matches are forgotten, unless it asked again meanwhile."""
        asked_then = memberships.c.guild_id == guild_id, memberships.c.forget_before == before_id
        with self._connections.autocommit() as connection:
            connection.execute(delete(memberships).where(*asked_then))

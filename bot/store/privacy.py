"""People's choices, and the forgetting of people and servers.

Forgetting takes three steps, as there may be too many matches for one transaction:

1. Start: delete results, and store the id below which matches are to be forgotten.
2. Forget matches in batches, until none are left.
3. Finish: delete the stored id.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from sqlalchemy import Column, Connection, and_, delete, select, update

from bot.domain.ids import DELETED_USER_ID, MAX_ID
from bot.domain.matches import Match
from bot.domain.privacy import PrivacyChoices
from bot.store.database import Database, upsert, upsert_latest
from bot.store.deletion_records import (
    deletion_name,
    prune_deletions,
    read_deletions,
    record_deletion,
)
from bot.store.forgetting import (
    GUILD_MATCHES,
    USER_MATCHES,
    ForgottenBatch,
    forget_matches,
    newest_rows,
)
from bot.store.match_rows import read_matches
from bot.store.matches import load_match
from bot.store.schema import (
    COUNTING_LOCK,
    IS_TO_BE_FORGOTTEN,
    attempts,
    duels,
    matches,
    memberships,
    moment_tries,
    people,
    puzzle_posts,
    puzzle_tallies,
    ranks,
    reminder_choices,
    servers,
    tallies,
)

_CHOICES = [people.c[field.name] for field in fields(PrivacyChoices)]

_HAS_DEFAULTS = [people.c[name].is_(value) for name, value in asdict(PrivacyChoices()).items()]

_RESULT_OWNER_COLUMNS = (
    tallies.c.user_id,
    duels.c.first_id,
    duels.c.second_id,
    attempts.c.user_id,
    puzzle_tallies.c.user_id,
    ranks.c.user_id,
    moment_tries.c.user_id,
    reminder_choices.c.user_id,
)
"""The columns that say to whom a row belongs; the rows of a forgotten person are deleted."""

_USER_ID_COLUMNS = (
    *_RESULT_OWNER_COLUMNS,
    people.c.user_id,
    matches.c.x_id,
    matches.c.o_id,
    matches.c.opened_by,
)

_GUILD_ID_COLUMNS = tuple(
    table.c.guild_id for table in (matches, servers, memberships, puzzle_posts, attempts, ranks)
)


_REMOVE_SCORES = tuple(
    update(matches)
    .where(
        matches.c.id.in_(newest.with_only_columns(matches.c.id)),
        matches.c.duel.is_not(None),
    )
    .values(duel=None)
    for newest in USER_MATCHES.newest
)
"""Statements that take the score off a person's newest matches, which a board or rematch shows."""


class PrivacyTable:
    """Stores people's choices, and forgets people and servers.

    A person without a row has made no choices. The functions handed in as `end` end a live match.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def choices(self, user_id: int) -> PrivacyChoices:
        query = select(*_CHOICES).where(people.c.user_id == user_id)
        with self._database.autocommit() as connection:
            row = connection.execute(query).one_or_none()
        return PrivacyChoices() if row is None else PrivacyChoices(*row)

    def choose(self, user_id: int, choices: Mapping[str, bool]) -> None:
        """Set some of the fields of `PrivacyChoices`, by name; hiding takes scores off boards."""
        with self._database.write() as connection:
            upsert(connection, people.c.user_id, user_id, **choices)
            if choices.get("is_hidden"):
                for statement in _REMOVE_SCORES:
                    connection.execute(statement, {"owner_id": user_id, "before_id": MAX_ID})

    def hidden(self, user_ids: Collection[int]) -> set[int]:
        """Those of the people who hide."""
        is_hidden = and_(people.c.user_id.in_(user_ids), people.c.is_hidden)
        with self._database.autocommit() as connection:
            return set(connection.execute(select(people.c.user_id).where(is_hidden)).scalars())

    def matches_of(self, user_id: int, before_id: int) -> tuple[list[Match], int | None]:
        """A batch of the newest matches of a person with ids below `before_id`.

        Returns:
            Those that can be read, and the `before_id` of the next batch; None after the last.
        """
        with self._database.autocommit() as connection:
            rows = newest_rows(connection, USER_MATCHES.newest, user_id, before_id)
            readable = read_matches(connection, rows)
        return readable, rows[-1]["id"] if rows else None

    def start_forgetting_user(self, user_id: int, before_id: int) -> None:
        """Delete a person's results and choices; their matches below `before_id` are to follow."""
        with self._database.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())  # waits for a count in progress
            for column in _RESULT_OWNER_COLUMNS:
                connection.execute(delete(column.table).where(column == user_id))
            defaults = asdict(PrivacyChoices())
            upsert_latest(
                connection, people.c.forget_before, before_id, key_value=user_id, **defaults
            )
            record_deletion(connection, user_id, before_id)

    def next_user_to_forget(self) -> tuple[int, int] | None:
        """A person to be forgotten, as user id and the `before_id` of matches; None if none."""
        query = select(people.c.user_id, people.c.forget_before).where(IS_TO_BE_FORGOTTEN).limit(1)
        with self._database.autocommit() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else (row.user_id, row.forget_before)

    def forget_user_matches(
        self, user_id: int, before_id: int, end: Callable[[Match], Match]
    ) -> ForgottenBatch:
        """Anonymize a person in a batch of their newest matches with ids below `before_id`.

        Returns:
            The batch, whose ended matches are anonymized, too.
        """
        with self._database.transaction() as connection:
            batch = forget_matches(connection, USER_MATCHES, user_id, before_id, end)
        with self._database.autocommit() as connection:
            stored = [load_match(connection, match.id) for match in batch.ended]
        return replace(batch, ended=[match for match in stored if match])

    def finish_forgetting_user(self, user_id: int, before_id: int) -> None:
        """Store that a person's matches are forgotten, unless they asked again meanwhile."""
        is_user = people.c.user_id == user_id
        clear = update(people).where(is_user, people.c.forget_before == before_id)
        is_not_forgotten = people.c.forget_before.is_(None)
        delete_defaults = delete(people).where(is_user, is_not_forgotten, *_HAS_DEFAULTS)
        with self._database.transaction() as connection:
            connection.execute(clear.values(forget_before=None))
            connection.execute(delete_defaults)

    def start_forgetting_guild(self, guild_id: int, before_id: int) -> None:
        """Delete a server's settings, posts and leaderboards; its matches are to follow."""
        with self._database.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())  # waits for a count in progress
            for table in (servers, puzzle_posts, ranks):
                connection.execute(delete(table).where(table.c.guild_id == guild_id))
            in_guild = update(attempts).where(attempts.c.guild_id == guild_id)
            connection.execute(in_guild.values(guild_id=None))
            upsert_latest(connection, memberships.c.forget_before, before_id, key_value=guild_id)
            record_deletion(connection, guild_id, before_id)

    def next_guild_to_forget(self) -> tuple[int, int] | None:
        """A server to be forgotten, as server id and the `before_id` of matches; None if none."""
        query = select(memberships.c.guild_id, memberships.c.forget_before)
        query = query.where(memberships.c.forget_before.is_not(None)).limit(1)
        with self._database.autocommit() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else (row.guild_id, row.forget_before)

    def forget_guild_matches(
        self, guild_id: int, before_id: int, end: Callable[[Match], Match]
    ) -> ForgottenBatch:
        """Remove the place from a batch of a server's newest matches with ids below `before_id`.

        Returns:
            The batch, whose ended matches still have their place: their boards are drawn once more.
        """
        with self._database.transaction() as connection:
            return forget_matches(connection, GUILD_MATCHES, guild_id, before_id, end)

    def finish_forgetting_guild(self, guild_id: int, before_id: int) -> None:
        """Delete a server's row once its matches are forgotten, unless it asked again meanwhile."""
        row = memberships.c
        is_unchanged = and_(row.guild_id == guild_id, row.forget_before == before_id)
        with self._database.write() as connection:
            connection.execute(delete(memberships).where(is_unchanged))

    def deleted_before(self, user_id: int) -> int | None:
        """The id before which a person was deleted in the last weeks; None if they were not."""
        with self._database.autocommit() as connection:
            return read_deletions(connection).get(deletion_name(user_id))

    def repeat_deletions(self, deletions: Mapping[str, int]) -> int:
        """Start deletions that another copy of this database recorded after this was made.

        `deletions` are as `read_deletions` returns them.

        Returns:
            How many people and servers these are.
        """
        with self._database.autocommit() as connection:
            known = read_deletions(connection)
            user_ids = _distinct_ids(connection, _USER_ID_COLUMNS)
            guild_ids = _distinct_ids(connection, _GUILD_ID_COLUMNS)

        def missed(owner_ids: set[int]) -> dict[int, int]:
            """The `before_id` of each deletion that is not known here, by the id of its owner."""
            names = {owner_id: deletion_name(owner_id) for owner_id in owner_ids}
            return {
                owner_id: deletions[name]
                for owner_id, name in names.items()
                if deletions.get(name, 0) > known.get(name, 0)
            }

        users = missed(user_ids)
        guilds = missed(guild_ids)
        for user_id, before_id in users.items():
            self.start_forgetting_user(user_id, before_id)
        for guild_id, before_id in guilds.items():
            self.start_forgetting_guild(guild_id, before_id)
        return len(users.keys() | guilds.keys())

    def prune_deletions(self, before_id: int) -> None:
        """Delete the records of deletions with a lower `before_id`: no copy can be as old."""
        with self._database.autocommit() as connection:
            prune_deletions(connection, before_id)


def _distinct_ids(connection: Connection, columns: Iterable[Column[Any]]) -> set[int]:
    """The ids in some columns, without those that stand for deleted owners."""
    ids: set[int] = set()
    for column in columns:
        ids.update(connection.execute(select(column).distinct()).scalars())
    return ids - {None, DELETED_USER_ID}

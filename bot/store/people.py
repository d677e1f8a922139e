"""The table of people: what each has chosen, and who is to be forgotten."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, fields

from sqlalchemy import delete, select, update

from bot.game.people import Choices
from bot.store.database import Connections
from bot.store.schema import FORGETTING, attempts, duels, people, puzzle_tallies, ranks, tallies
from bot.store.statements import COUNTING_LOCK, SWEEP_ROWS, put, put_latest

_CHOSE_NOTHING = [people.c[name].is_(chosen) for name, chosen in asdict(Choices()).items()]
_CHOICES = [people.c[field.name] for field in fields(Choices)]
_OWNER_COLUMNS = (
    *(tallies.c.user_id, duels.c.first_id, duels.c.second_id),
    *(attempts.c.user_id, puzzle_tallies.c.user_id, ranks.c.user_id),
)
"""The columns that say whose a result is: a person's are deleted with them."""


class PeopleTable:
    """People's choices; a person without a row has the defaults."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def choices(self, user_id: int) -> Choices:
        with self._connections.autocommit() as connection:
            query = select(*_CHOICES).where(people.c.user_id == user_id)
            chosen = connection.execute(query).one_or_none()
        return Choices() if chosen is None else Choices(*chosen)

    def is_any_hidden(self, user_ids: Collection[int]) -> bool:
        hidden = people.c.user_id.in_(user_ids), people.c.is_hidden
        with self._connections.autocommit() as connection:
            query = select(people.c.user_id).where(*hidden).limit(1)
            return connection.execute(query).first() is not None

    def choose(self, user_id: int, choice: Mapping[str, bool]) -> None:
        """Set some of the fields of `Choices`, by name."""
        with self._connections.autocommit() as connection:
            put(connection, people.c.user_id, user_id, **choice)

    def begin_to_forget(self, user_id: int, before_id: int) -> None:
        """Note that a person's matches with ids below `before_id` are to be forgotten.

        Their results and choices are deleted at once.
        """
        with self._connections.transaction() as connection:
            connection.execute(COUNTING_LOCK.with_for_update())  # waits for a count in progress
            for column in _OWNER_COLUMNS:
                connection.execute(delete(column.table).where(column == user_id))
            anew = asdict(Choices())
            put_latest(connection, people.c.forget_before, user_id, before_id, **anew)

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

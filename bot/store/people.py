"""The table of people: what each has chosen, and who is being forgotten."""

from __future__ import annotations

from sqlalchemy import delete, select, update

from bot.game.people import Choices
from bot.store.database import Connections
from bot.store.schema import FORGETTING, people
from bot.store.statements import SWEEP_ROWS, put, put_latest


class PeopleTable:
    """What people have chosen; whoever has chosen nothing has no row."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def choices(self, user_id: int) -> Choices:
        with self._connections.one() as connection:
            query = select(people.c.takes_challenges).where(people.c.user_id == user_id)
            takes = connection.execute(query).scalar_one_or_none()
        return Choices() if takes is None else Choices(takes)

    def choose(self, user_id: int, choices: Choices) -> None:
        with self._connections.one() as connection:
            put(connection, people.c.user_id, user_id, takes_challenges=choices.takes_challenges)

    def begin_to_forget(self, user_id: int, before_id: int) -> None:
        """Note that a person's matches with lesser ids are to be forgotten, and what they chose."""
        with self._connections.whole() as connection:
            anew = {"takes_challenges": True}
            put_latest(connection, people.c.forget_before, user_id, before_id, **anew)

    def to_be_forgotten(self) -> list[tuple[int, int]]:
        """Some of those who are, each with the id before which."""
        query = select(people.c.user_id, people.c.forget_before)
        query = query.where(FORGETTING).limit(SWEEP_ROWS)
        with self._connections.one() as connection:
            return [(user_id, before) for user_id, before in connection.execute(query)]

    def forgotten(self, user_id: int, before_id: int) -> None:
        """Nothing is left of a person but what they have chosen since; maybe they asked again."""
        is_theirs = people.c.user_id == user_id
        done = update(people).where(is_theirs, people.c.forget_before == before_id)
        chose_nothing = people.c.forget_before.is_(None), people.c.takes_challenges
        with self._connections.whole() as connection:
            connection.execute(done.values(forget_before=None))
            connection.execute(delete(people).where(is_theirs, *chose_nothing))

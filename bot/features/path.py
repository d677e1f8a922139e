"""What is stored of people's paths."""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import Connection, bindparam, select

from bot.domain.matches import Match, Setup, Trail
from bot.domain.path import Path, Progress, setup_of, trail_at
from bot.features.choices import hidden
from bot.store.database import replace_rows
from bot.store.schema import progress

_PROGRESS_OF = (
    select(progress).where(progress.c.user_id == bindparam("user_id")).order_by(progress.c.goal)
)


def load(connection: Connection, user_id: int) -> Path:
    """A person's progress, without goals unknown to this release."""
    found: dict[Setup, Progress] = {}
    for row in connection.execute(_PROGRESS_OF, {"user_id": user_id}).mappings():
        with suppress(KeyError, ValueError):
            goal = Setup.parse(row["goal"])
            found[goal] = Progress(row["draws"], row["losses"], row["is_passed"])
    return found


def save(connection: Connection, user_id: int, goal: Setup, reached: Progress) -> None:
    """Store a person's progress at a goal, in a transaction that has locked the person."""
    row = {"user_id": user_id, "goal": str(goal), **reached._asdict()}
    replace_rows(connection, progress, [row])


def trail_of(connection: Connection, match: Match, path: Path) -> Trail | None:
    """Where a new match against the bot stands on its player's path; None if they are hidden."""
    setup = setup_of(match)
    assert setup is not None, "it is against the bot"
    person = match.players[match.person_mark]
    return None if hidden(connection, [person.user_id]) else trail_at(path, setup)

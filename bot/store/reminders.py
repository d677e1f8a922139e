"""The tables of reminders: who wants them in which match, and which messages remind."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    and_,
    case,
    delete,
    false,
    func,
    insert,
    not_,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError

from bot.domain.ids import DELETED_CHANNEL_ID
from bot.domain.matches import Match
from bot.domain.reminders import REMIND_AFTER, OutdatedReminder, Reminder
from bot.store.claims import NONCE_SECONDS, REFUSED_MESSAGE_ID, may_claim_again
from bot.store.database import Database
from bot.store.match_rows import COORDINATE_LENGTH, read_matches
from bot.store.schema import (
    GOES_ON_BETWEEN_PEOPLE,
    matches,
    people,
    reminder_choices,
    reminders,
)

_BATCH_SIZE = 20

_X_TO_MOVE = func.length(matches.c.moves) % (2 * COORDINATE_LENGTH) == 0
"""X is to move after an even number of moves."""

_TO_MOVE_ID = case((_X_TO_MOVE, matches.c.x_id), else_=matches.c.o_id)

_TAKES_CHALLENGES = func.coalesce(people.c.takes_challenges, true())

_WANTS_REMINDERS = func.coalesce(reminder_choices.c.is_on, people.c.wants_reminders)

_IS_LIVE = (
    select(matches.c.live).where(matches.c.id == reminder_choices.c.match_id).scalar_subquery()
)

_DELETE_OLD_CHOICES = delete(reminder_choices).where(not_(func.coalesce(_IS_LIVE, false())))


class ReminderTable:
    """Stores who wants reminders in a match, and at most one reminder per match.

    Compare-and-set decides which of several processes posts it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def choice(self, match_id: int, user_id: int) -> bool | None:
        """Whether a person wants reminders in a match; None if they have not said so there."""
        query = select(reminder_choices.c.is_on).where(_is_choice(match_id, user_id))
        with self._database.autocommit() as connection:
            return connection.execute(query).scalar_one_or_none()

    def choose(self, match_id: int, user_id: int, *, is_on: bool) -> None:
        row = {"match_id": match_id, "user_id": user_id, "is_on": is_on}
        with suppress(IntegrityError), self._database.transaction() as connection:
            # Of two presses at once, the second fails here: both have chosen the same.
            connection.execute(delete(reminder_choices).where(_is_choice(match_id, user_id)))
            connection.execute(insert(reminder_choices).values(row))

    def choices_of(self, user_id: int) -> dict[int, bool]:
        """What a person has chosen in live matches, by match id."""
        with self._database.autocommit() as connection:
            return load_choices(connection, user_id)

    def claim(self, now: datetime, default_turn: timedelta) -> list[Reminder]:
        """Claim a batch of the reminders that are due, so that no other process posts them now.

        `default_turn` is how long turns last in matches that do not say so.
        """
        with self._database.write() as connection:
            due_rows = connection.execute(_select_due(now, default_turn)).mappings().all()
            claimed = [row for row in due_rows if _claim(connection, row, now)]
            return [Reminder(match) for match in read_matches(connection, claimed)]

    def record(self, match: Match, message_id: int | None) -> bool:
        """Store the message of a reminder; None if Discord refused it.

        Returns:
            False if the reminder is outdated by now, as posting it took too long.
        """
        statement = (
            update(reminders)
            .where(_is_reminder(match.id, match.version))
            .values(message_id=REFUSED_MESSAGE_ID if message_id is None else message_id)
        )
        with self._database.write() as connection:
            return connection.execute(statement).rowcount == 1

    def outdated(self, now: datetime) -> list[OutdatedReminder]:
        """A batch of the outdated reminders, except those being posted now."""
        with self._database.autocommit() as connection:
            rows = connection.execute(_select_outdated(now)).mappings()
            return [_outdated_from_row(row) for row in rows]

    def remove(self, match_id: int, version: int) -> None:
        with self._database.write() as connection:
            connection.execute(delete(reminders).where(_is_reminder(match_id, version)))

    def delete_old_choices(self) -> None:
        """Delete what was chosen in matches that have ended."""
        with self._database.write() as connection:
            connection.execute(_DELETE_OLD_CHOICES)


def load_choices(connection: Connection, user_id: int) -> dict[int, bool]:
    """What a person has chosen in live matches, by match id."""
    query = select(reminder_choices).where(reminder_choices.c.user_id == user_id)
    return {row.match_id: row.is_on for row in connection.execute(query)}


def _is_choice(match_id: int, user_id: int) -> ColumnElement[bool]:
    return and_(reminder_choices.c.match_id == match_id, reminder_choices.c.user_id == user_id)


def _is_reminder(match_id: int, version: int) -> ColumnElement[bool]:
    return and_(reminders.c.match_id == match_id, reminders.c.version == version)


def _select_due(now: datetime, default_turn: timedelta) -> Select[*tuple[object, ...]]:
    """Select the matches whose player to move wants a reminder by now, and has none."""
    seconds = int(now.timestamp())
    default_turn_minutes = int(default_turn.total_seconds()) // 60
    turn_seconds = 60 * func.coalesce(matches.c.turn_minutes, default_turn_minutes)
    turn_began_at = matches.c.deadline_at - turn_seconds

    is_claimable = and_(
        reminders.c.version == matches.c.version,
        may_claim_again(
            reminders.c.message_id, reminders.c.take, reminders.c.claimed_at, now_seconds=seconds
        ),
    )

    is_choice = and_(
        reminder_choices.c.match_id == matches.c.id, reminder_choices.c.user_id == _TO_MOVE_ID
    )
    tables = (
        matches.outerjoin(people, people.c.user_id == _TO_MOVE_ID)
        .outerjoin(reminder_choices, is_choice)
        .outerjoin(reminders, reminders.c.match_id == matches.c.id)
    )
    return (
        select(matches, reminders.c.take)
        .select_from(tables)
        .where(
            GOES_ON_BETWEEN_PEOPLE,
            _WANTS_REMINDERS,
            _TAKES_CHALLENGES,
            turn_began_at <= seconds - int(REMIND_AFTER.total_seconds()),
            matches.c.deadline_at > seconds,
            or_(reminders.c.match_id.is_(None), is_claimable),
        )
        .limit(_BATCH_SIZE)
    )


def _claim(connection: Connection, row: RowMapping, now: datetime) -> bool:
    """Claim the reminder of a row by compare-and-set; False if another process was faster."""
    match_id = row["id"]
    version = row["version"]
    take = row["take"]
    claim = {"version": version, "take": (take or 0) + 1, "claimed_at": int(now.timestamp())}
    if take is None:
        try:
            connection.execute(insert(reminders).values(match_id=match_id, **claim))
        except IntegrityError:
            return False
        return True
    is_unchanged = and_(_is_reminder(match_id, version), reminders.c.take == take)
    return connection.execute(update(reminders).where(is_unchanged).values(claim)).rowcount == 1


def _outdated_from_row(row: RowMapping) -> OutdatedReminder:
    is_place_deleted = row["channel_id"] == DELETED_CHANNEL_ID
    return OutdatedReminder(
        match_id=row["match_id"],
        version=row["version"],
        channel_id=None if is_place_deleted else row["channel_id"],
        message_id=None if row["message_id"] == REFUSED_MESSAGE_ID else row["message_id"],
    )


def _select_outdated(now: datetime) -> Select[*tuple[object, ...]]:
    """Select the reminders whose match is gone, has ended, or is at another version."""
    is_its_match = matches.c.id == reminders.c.match_id
    channel_id = select(matches.c.channel_id).where(is_its_match).scalar_subquery()
    is_current = (
        select(and_(matches.c.live, matches.c.version == reminders.c.version))
        .where(is_its_match)
        .scalar_subquery()
    )
    is_being_posted = and_(
        reminders.c.message_id.is_(None),
        reminders.c.claimed_at >= int(now.timestamp()) - NONCE_SECONDS,
    )
    return (
        select(reminders, channel_id.label("channel_id"))
        .where(not_(func.coalesce(is_current, false())), not_(is_being_posted))
        .limit(_BATCH_SIZE)
    )

"""Reminders: who asked for them, which are due, and which are outdated."""

from __future__ import annotations

from bot.domain.match_actions import reminder_refusal_reason
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.reminders import OutdatedReminder, Reminder
from bot.features import choices
from bot.runtime.deadlines import Deadlines
from bot.runtime.executor import Executor, for_answer, in_background
from bot.store.store import Store


class ReminderService:
    """Switches reminders on and off, and claims those that are due.

    Every coroutine raises UnavailableError if the database does not answer in time.
    """

    def __init__(self, store: Store, executor: Executor, deadlines: Deadlines) -> None:
        self.executor = executor
        self._reminders = store.reminders
        self._matches = store.matches
        self._database = store.database
        self._deadlines = deadlines

    @for_answer
    def toggle(self, match_id: int, *, user_id: int, channel_id: int) -> bool | Refusal:
        """Switch a player's reminders in a match on or off; True if they are on now."""
        match = self._matches.load(match_id)
        if match is None or match.place.channel_id != channel_id:
            return Refusal(RefusalReason.UNKNOWN_MATCH)
        if reason := reminder_refusal_reason(match, user_id):
            return Refusal(reason)
        with self._database.autocommit() as connection:
            chosen_for_all = choices.load(connection, user_id)
        if not chosen_for_all.takes_challenges:
            return Refusal(RefusalReason.NO_REMINDERS)
        chosen = self._reminders.choice(match_id, user_id)
        was_on = chosen_for_all.wants_reminders if chosen is None else chosen
        self._reminders.choose(match_id, user_id, is_on=not was_on)
        return not was_on

    @in_background
    def claim(self) -> list[Reminder]:
        """Claim some of the reminders that are due, so that no other process posts them."""
        now = self._deadlines.clock.trusted_now()
        if now is None:
            return []
        return self._reminders.claim(now, self._deadlines.limits.turn)

    @in_background
    def record_posted(self, reminder: Reminder, message_id: int | None) -> bool:
        """Note the message of a reminder, or None if Discord refused it; False if it came late."""
        return self._reminders.record(reminder.match, message_id)

    @in_background
    def outdated(self) -> list[OutdatedReminder]:
        """Some of the reminders whose match has moved on or ended."""
        now = self._deadlines.clock.trusted_now()
        if now is None:
            return []
        self._reminders.delete_old_choices()
        return self._reminders.outdated(now)

    @in_background
    def remove(self, reminder: OutdatedReminder) -> None:
        """Delete an outdated reminder, once its message is gone."""
        self._reminders.remove(reminder.match_id, reminder.version)

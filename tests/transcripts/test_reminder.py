"""Reminders of whose turn it is, and the answers to their switch."""

from __future__ import annotations

from functools import partial

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.domain.reminders import Reminder
from bot.views.components import notice_view
from bot.views.i18n import Language
from bot.views.reminders import reminder_view, toggle_confirmation
from tests.bot.example_matches import make_match
from tests.transcripts.transcript import Transcript, placed

MATCH = make_match("x.. ... ...")


def reminder(language: Language) -> ui.LayoutView:
    return reminder_view(Reminder(placed(MATCH, language)))


def switched(language: Language, *, is_on: bool) -> ui.LayoutView:
    return notice_view(toggle_confirmation(language, is_on=is_on))


def test_reminder(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Reminder")
    transcript.show("It is Ben's turn", reminder)
    transcript.show("Ben switches reminders on", partial(switched, is_on=True))
    transcript.show("Ben switches them off again", partial(switched, is_on=False))
    assert str(transcript) == snapshot

"""What is kept about somebody, to see, to download and to delete."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.domain.privacy import PrivacyChoices, PrivacySummary
from bot.domain.puzzles import Attempt
from bot.features.puzzles import AttemptKey
from bot.views.components import notice_view
from bot.views.i18n import Language
from bot.views.privacy import delete_question_view, deletion_confirmation, privacy_view
from tests.bot.backend import App
from tests.bot.databases import save_attempt, sqlite_with_tables
from tests.bot.example_matches import ANA, NOON, SERVER, make_match
from tests.transcripts.transcript import Transcript

SCREENS: Mapping[str, PrivacySummary] = {
    "Nothing chosen": PrivacySummary(PrivacyChoices(), 365),
    "Ana takes no challenges, and is hidden": PrivacySummary(
        PrivacyChoices(takes_challenges=False, is_hidden=True), 365
    ),
    "Ana wants reminders": PrivacySummary(PrivacyChoices(wants_reminders=True), 365),
    "Rui, who runs the server": PrivacySummary(PrivacyChoices(), 365, runs_server=True),
    "A host who keeps less, and has a policy": PrivacySummary(
        PrivacyChoices(), 30, policy_url="https://host.example/privacy"
    ),
}


def forgotten(language: Language) -> ui.LayoutView:
    return notice_view(deletion_confirmation(language))


async def downloaded(folder: Path) -> str:
    """What Ana downloads, who has won a match and solved a puzzle."""
    app = App(sqlite_with_tables(folder))
    app.end(make_match("xxx oo. ..."))
    solved = Attempt((4,), 4)
    save_attempt(app.store, AttemptKey(ANA, NOON.date()), solved, SERVER)
    exported = await app.export(ANA)
    await app.close()
    return json.dumps(exported, indent=1)


async def test_privacy(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    transcript = Transcript("Privacy")
    transcript.show_all(SCREENS, privacy_view)
    question = delete_question_view
    transcript.show("Ana wants to be forgotten", partial(question, of_server=False))
    transcript.show("Rui wants the server to be forgotten", partial(question, of_server=True))
    transcript.show("Deleted", forgotten)
    transcript.heading("The download")
    transcript.write("", *(await downloaded(tmp_path)).splitlines())
    assert str(transcript) == snapshot

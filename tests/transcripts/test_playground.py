"""What the playground says around the bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from syrupy.assertion import SnapshotAssertion

from bot.playground import texts
from bot.views.i18n import Language
from tests.transcripts.transcript import Transcript

Say = Callable[[Language], str]
SCREENS: Mapping[str, Say] = {
    "In the terminal": lambda language: texts.welcome(language, "http://127.0.0.1:1234", "Ana"),
    "In the terminal, at the end": texts.closed,
    "The first message": texts.greeting,
    "A command was sent as text": texts.sent_as_text,
    "A command takes more than three seconds": texts.slow,
}


def said(say: Say, language: Language) -> str:
    return say(language)


def test_playground(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Playground")
    transcript.show_all(SCREENS, said)
    assert str(transcript) == snapshot

"""The help."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.views.help import Help, help_view
from bot.views.i18n import Language
from tests.transcripts.transcript import Transcript

SCREENS: Mapping[str, Help] = {
    "Boards speak English": Help("en-US"),
    "Boards speak Portuguese; the command's id and the host's pages are known": Help(
        "pt-BR", 7, "https://host.example/privacy", "https://host.example/terms"
    ),
}


def seen(asked: Help, language: Language) -> ui.LayoutView:
    return help_view(asked, language)


def test_help(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Help")
    for title, asked in SCREENS.items():
        transcript.show(title, partial(seen, asked))
    assert str(transcript) == snapshot

"""The help."""

from __future__ import annotations

from collections.abc import Mapping

from syrupy.assertion import SnapshotAssertion

from bot.views.help import Help, help_view
from tests.transcripts.transcript import Transcript

SCREENS: Mapping[str, Help] = {
    "Boards speak English": Help("en-US"),
    "Boards speak Portuguese; the command's id and the host's pages are known": Help(
        "pt-BR", 7, "https://host.example/privacy", "https://host.example/terms"
    ),
}


def test_help(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Help")
    transcript.show_all(SCREENS, help_view)
    assert str(transcript) == snapshot

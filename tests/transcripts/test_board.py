"""The message that shows a match."""

from __future__ import annotations

from dataclasses import replace

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.game.match import Match
from bot.texts.words import Language
from bot.views.board import match_view
from tests.bot.drawn import against_velha
from tests.transcripts.transcript import Transcript


def _board(match: Match, language: Language) -> ui.LayoutView:
    return match_view(replace(match, place=replace(match.place, locale=language.code)))


def test_board(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Board")
    transcript.heading("Against the bot")
    match = against_velha("x.. .o. ...")
    transcript.show("Ana has played A1", lambda language: _board(match, language))
    assert str(transcript) == snapshot

"""Games with other rules in the terminal."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from bot.views.i18n import Language
from engine import INFINITE, Board, best_moves
from engine.terminal.game import Choice, TerminalGame
from tests.transcripts.terminal import Terminal, shown, words

FOUR_MOVES_LEFT = Board.parse("x3x2o1 ..x1o3 ..o2.. 56", INFINITE)


def _end(language: Language) -> list[str]:
    def play() -> None:
        table = TerminalGame(words(language), lambda b: Choice(best_moves(b)[0]), person=None)
        table.play(FOUR_MOVES_LEFT)

    return shown(play, language=language)


def test_terminal_games(snapshot: SnapshotAssertion) -> None:
    terminal = Terminal("Other games in the terminal")
    terminal.heading("Infinite")
    typed = ["A1", "B2", "C2", "a1", "b1", "c1", "n"]
    terminal.run("play child --board infinite --first me --seed 2 --hint --review", *typed)
    terminal.show("Its last four moves, where nobody wins", _end)
    terminal.heading("Misère")
    typed = ["B2", "B3", "C1", "A1", "A3", "n"]
    terminal.run("play child --board misère --first me --seed 1 --hint --review", *typed)
    assert str(terminal) == snapshot

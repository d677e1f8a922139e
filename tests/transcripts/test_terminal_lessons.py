"""What the terminal tells of how the engine thinks: hints, searches, trees and what they cost."""

from __future__ import annotations

from functools import partial
from itertools import islice

from syrupy.assertion import SnapshotAssertion

from bot.views.i18n import Language
from engine import MISERE, Board, Rules
from engine.terminal.game import SEARCHES, TerminalGame
from engine.terminal.search_costs import search_cost_lines
from tests.transcripts.terminal import Terminal, shown, words

THREE_LEFT = Board.parse("xo. xxo ..o")
FIVE_LEFT = Board.parse("xo. .xo ...", MISERE)


def _watch_game(language: Language) -> list[str]:
    """What --watch shows late in a game: on an empty board plain minimax takes seconds."""

    def play() -> None:
        table = TerminalGame(words(language), SEARCHES["alphabeta"], person=None, shows_costs=True)
        table.play(THREE_LEFT)

    return shown(play, language=language)


def _watch(board: Board, language: Language, lines: int | None = None) -> list[str]:
    return list(islice(search_cost_lines(board, words(language)), lines))


def test_terminal_lessons(snapshot: SnapshotAssertion) -> None:
    terminal = Terminal("Lessons in the terminal")
    terminal.heading("Hints")
    terminal.run("play easy --first me --hint --seed 1", "A1", "C3", "q")
    terminal.run("play easy --self-play --hint --seed 5")
    terminal.heading("A search")
    terminal.run("play alphabeta --self-play --review")
    terminal.heading("Trees")
    terminal.run("tree")
    terminal.run("tree 'xox oxo .x.'")
    terminal.run("tree 'xxx oo. ...'")
    terminal.run("tree '3 12 8 / 2 4 6 / 14 5 2'")
    terminal.run("tree --steps")
    terminal.run("tree '3 12 8 / 2 4 6 / 14 5 2' --steps")
    terminal.heading("What searches cost")
    terminal.show("--watch, when three cells are left", _watch_game)
    terminal.show("Five cells left in misère", partial(_watch, FIVE_LEFT))
    terminal.show("The first line for 4x3x3", partial(_watch, Board(Rules(4, 3, 3)), lines=1))
    assert str(terminal) == snapshot

"""A game in the terminal, with or without a person."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from engine.board import Board
from engine.grid import Mark
from engine.lessons import Way
from engine.levels import Level, choose_move
from engine.review import advise, judge
from engine.rules import Cell, Rules
from engine.solver import solve
from engine.terminal.drawing import SYMBOLS, draw, patience
from engine.terminal.language import N_
from engine.terminal.search_costs import watch
from engine.terminal.texts import TerminalTexts

_QUIT = {"q", "quit", "exit", "sair"}
_YES = {"y", "yes", "s", "sim"}


class QuitError(Exception):
    """The person left in the middle of a game."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and how many positions were visited to find it, if they were counted."""

    cell: Cell
    visits: int | None = None


Player = Callable[[Board], Choice]
"""A function that picks a move on a board."""


def player_of_level(level: Level, rng: random.Random) -> Player:
    return lambda board: Choice(choose_move(board, level, rng))


def _by_search(way: Way) -> Player:
    def choose(board: Board) -> Choice:
        found = way.search(board)
        return Choice(found.best_actions[0], found.nodes)

    return choose


def _by_solver(board: Board) -> Choice:
    solution = solve(board)
    return Choice(solution.principal_variation[0], solution.nodes)


SEARCHES: dict[str, Player] = {
    "alphabeta": _by_search(Way.PRUNED),
    "minimax": _by_search(Way.PLAIN),
    "solver": _by_solver,
}


@dataclass(frozen=True)
class TerminalGame:
    """Where a game is played: who the person is, if any, and what they want to see."""

    words: TerminalTexts
    machine: Player
    person: Mark | None
    hints: bool = False
    watches: bool = False

    def play(self, board: Board) -> list[Cell]:
        """Play a game to its end, announce the result, and return the moves."""
        moves: list[Cell] = []
        self._show(board, None)
        while not board.is_terminal:
            mark = board.to_move
            if mark is self.person:
                choice = Choice(self._ask(board))
            else:
                with patience(self.words.language.say(N_("Thinking"))):
                    choice = self.machine(board)
                print(self._moved(board, choice))
            moves.append(choice.cell)
            board = board.result(choice.cell)
            self._show(board, choice.cell)
        print(self.words.result(board, self.person))
        return moves

    def _moved(self, board: Board, choice: Choice) -> str:
        """The sentence that says what the machine played, and in how many visits."""
        language, move = self.words.language, board.rules.coordinate(choice.cell)
        if choice.visits is not None:
            visits = language.count(N_("1 visit"), N_("{n} visits"), choice.visits)
            move = f"{move} ({visits})"
        # Translators: {move} is a cell, such as "B2", or "B2 (20 visits)".
        said = N_("{symbol} plays {move}.") if self.person else N_("After {symbol}'s move, {move}:")
        return language.say(said, symbol=SYMBOLS[board.to_move], move=move)

    def _show(self, board: Board, last: Cell | None) -> None:
        asked = self.hints and self.person in (None, board.to_move) and not board.is_terminal
        drawn = hint(board, last, self.words) if asked else draw(board, last=last)
        print("\n".join(["", drawn, "", *self.words.notes(board)]))
        for line in watch(board, self.words) if self.watches and not board.is_terminal else ():
            print(line, flush=True)

    def _ask(self, board: Board) -> Cell:
        """Ask the person for a cell until the answer is a legal move."""
        while True:
            typed = ask(f"{SYMBOLS[board.to_move]}> ")
            if typed.lower() in _QUIT:
                raise QuitError
            try:
                return read_cell(typed, board, self.words)
            except ValueError as problem:
                print(problem)


def ask(prompt: str) -> str:
    """What a person types.

    Raises:
        GoodbyeError: They left.
    """
    try:
        return input(prompt).strip()
    except EOFError:
        raise QuitError from None


def again(words: TerminalTexts) -> bool:
    """Whether the person wants to play again."""
    return ask(words.language.say(N_("Play again, with sides swapped? (y/n) "))).lower() in _YES


def read_cell(text: str, board: Board, words: TerminalTexts) -> Cell:
    """The free cell that a person means by `B2`.

    Raises:
        ValueError: It is not a cell, or it is taken; the message says so to the person.
    """
    name, rules, say = text.upper(), board.rules, words.language.say
    cells = {rules.coordinate(cell): cell for cell in rules.cells}
    if name not in cells:
        last = rules.coordinate(rules.cells[-1])
        raise ValueError(
            say(N_("There's no cell {typed!r}: type A1 to {last}."), typed=text, last=last)
        )
    if cells[name] == board.vanishing:
        raise ValueError(
            say(N_("{cell} becomes free only after your move: choose another."), cell=name)
        )
    if board[cells[name]] is not None:
        raise ValueError(say(N_("{cell} is taken: choose a free cell."), cell=name))
    return cells[name]


def hint(board: Board, last: Cell | None, words: TerminalTexts) -> str:
    """The board with every free cell's worth, and the best move in words."""
    with patience(words.language.say(N_("Weighing every move"))):
        advice = advise(board)
    worths = {verdict.action: verdict.worth for verdict in advice}
    drawn = draw(board, last=last, worths=worths)
    return f"{drawn}\n\n{words.legend(board.rules)}\n{words.advice(advice[0])}"


def review(moves: list[Cell], rules: Rules, words: TerminalTexts) -> None:
    """Print what each move of a game was worth, as soon as it is known."""
    say, board = words.language.say, Board(rules)
    print("\n" + say(N_("Review: for the player who moved, + is won, = drawn, - lost.")))
    for number, cell in enumerate(moves, start=1):
        judging = N_("Judging move {number} of {all}")
        with patience(say(judging, number=number, all=len(moves))):
            verdict = judge(board, cell)
        print(words.judgement(number, verdict), flush=True)
        board = board.result(cell)

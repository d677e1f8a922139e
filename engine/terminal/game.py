"""A game in the terminal, with hints and reviews, against a level or a search, or of two."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from engine.board import Board, Mark
from engine.lessons import Way
from engine.levels import Level, choose_move
from engine.review import advise, judge, line_of_play
from engine.rules import Cell, Rules
from engine.solver import solve
from engine.terminal.drawing import SYMBOLS, draw, status_line
from engine.terminal.game_texts import GameTexts
from engine.terminal.language import N_, typed_word, words
from engine.terminal.search_costs import search_cost_lines


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and the number of positions visited to find it, if counted."""

    cell: Cell
    visits: int | None = None


Player = Callable[[Board], Choice]
"""A function that picks a move on a board."""


def level_player(level: Level, rng: random.Random) -> Player:
    return lambda board: Choice(choose_move(board, level, rng))


def _search_player(way: Way) -> Player:
    def choose(board: Board) -> Choice:
        result = way.search(board)
        return Choice(result.best_actions[0], result.nodes)

    return choose


def _solver_player(board: Board) -> Choice:
    solution = solve(board)
    return Choice(solution.principal_variation[0], solution.nodes)


SEARCHES: dict[str, Player] = {
    "alphabeta": _search_player(Way.PRUNED),
    "minimax": _search_player(Way.PLAIN),
    "solver": _solver_player,
}


# Translators, from here on: what somebody may type, with a blank between the words; those of all
# languages are understood.
_QUIT = words(N_("q quit exit"))
_YES = words(N_("y yes"))
_NO = words(N_("n no"))


# Translators, from here on: said in a terminal, while somebody plays. {symbol} is X or O. The keys
# that are named are typed.
class QuitError(Exception):
    """The person quit in the middle of a game."""


@dataclass(frozen=True)
class TerminalGame:
    """The players of a game, and what is shown; `person` is None if the computer plays itself."""

    texts: GameTexts
    computer: Player
    person: Mark | None
    shows_hints: bool = False
    shows_costs: bool = False

    def play(self, board: Board) -> list[Cell]:
        """Play a game to its end, announce the result, and return the moves."""
        moves: list[Cell] = []
        self._show(board, None)
        while not board.is_terminal:
            choice = self._next_choice(board)
            moves.append(choice.cell)
            board = board.result(choice.cell)
            self._show(board, choice.cell)
        print(self.texts.result(board, self.person))
        return moves

    def _next_choice(self, board: Board) -> Choice:
        """The move of whoever is to move; one of the computer is announced."""
        if board.to_move is self.person:
            return Choice(self._read_move(board))
        with status_line(self.texts.language.say(N_("Thinking"))):
            choice = self.computer(board)
        print(self._move_message(board, choice))
        return choice

    def _move_message(self, board: Board, choice: Choice) -> str:
        """The sentence about a move of the computer, with its visits."""
        language = self.texts.language
        move = board.rules.coordinate(choice.cell)
        if choice.visits is not None:
            visits = language.ngettext("{n} visit", "{n} visits", choice.visits)
            move = f"{move} ({visits})"
        # Translators: {move} is a cell, such as "B2", or "B2 (20 visits)".
        text = N_("{symbol} plays {move}.") if self.person else N_("After {symbol}'s move, {move}:")
        return language.say(text, symbol=SYMBOLS[board.to_move], move=move)

    def _show(self, board: Board, last: Cell | None) -> None:
        is_persons_turn = self.person in {None, board.to_move}
        if self.shows_hints and is_persons_turn and not board.is_terminal:
            picture = hint(board, last, self.texts)
        else:
            picture = draw(board, last=last)
        print("\n".join(["", picture, "", *self.texts.notes(board)]))
        if self.shows_costs and not board.is_terminal:
            for line in search_cost_lines(board, self.texts):
                print(line, flush=True)

    def _read_move(self, board: Board) -> Cell:
        """Ask the person for a cell until it is a legal move."""
        while True:
            typed = read_answer(f"{SYMBOLS[board.to_move]}> ")
            try:
                return read_cell(typed, board, self.texts)
            except ValueError as error:
                print(error)


def read_answer(prompt: str) -> str:
    """What the person types, stripped.

    Raises:
        QuitError: It is a word for quitting, or the input has ended.
    """
    answer = _read_line(prompt)
    if typed_word(answer) in _QUIT:
        raise QuitError
    return answer


def _read_line(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        raise QuitError from None


def wants_to_play_again(texts: GameTexts) -> bool:
    """Ask until the answer is a yes, which Enter is, or a no."""
    prompt = texts.language.say(N_("Enter: play again, sides swapped; q: quit "))
    while True:
        answer = typed_word(_read_line(prompt))
        if not answer or answer in _YES:
            return True
        if answer in _NO | _QUIT:
            return False


def read_cell(text: str, board: Board, texts: GameTexts) -> Cell:
    """The free cell that `text`, such as `B2`, names.

    Raises:
        ValueError: It is not a cell, or it is taken; the message is for the person.
    """
    say = texts.language.say
    rules = board.rules
    name = text.upper()
    cells = {rules.coordinate(cell): cell for cell in rules.cells}
    if name not in cells:
        last = rules.coordinate(rules.cells[-1])
        raise ValueError(
            say(N_('There\'s no square "{typed}": type A1 to {last}.'), typed=text, last=last)
        )
    cell = cells[name]
    if cell == board.vanishing:
        raise ValueError(
            say(N_("{cell} becomes free only after your move: choose another."), cell=name)
        )
    if board[cell] is not None:
        raise ValueError(say(N_("{cell} is taken: choose a free square."), cell=name))
    return cell


def hint(board: Board, last: Cell | None, texts: GameTexts) -> str:
    """The board with the worth of every free cell, and the best move."""
    with status_line(texts.language.say(N_("Weighing every move"))):
        advice = advise(board)
    worths = {verdict.action: verdict.worth for verdict in advice}
    picture = draw(board, last=last, worths=worths)
    return f"{picture}\n\n{texts.legend(board.rules)}\n{texts.advice(advice[0])}"


def review(moves: list[Cell], rules: Rules, texts: GameTexts) -> None:
    """Print the verdict on each move of a game, as soon as it is known."""
    say = texts.language.say
    board = Board(rules)
    print("\n" + say(N_("Review: for the player who moved, + is won, = drawn, - lost.")))
    for number, cell in enumerate(moves, start=1):
        task = N_("Judging move {number} of {all}")
        with status_line(say(task, number=number, all=len(moves))):
            verdict = judge(board, cell)
            line = line_of_play(verdict)
        print(texts.judgement(number, verdict), flush=True)
        if line:
            print(texts.line_of_play(verdict, line), flush=True)
        board = board.result(cell)

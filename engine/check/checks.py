"""The checks of the course's eight functions, board by board.

The names and contracts are those of the exercise: boards are lists of lists, actions pairs of row
and column. When the game is over, `player`, `actions` and `result` may return anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from math import factorial
from typing import Any

from engine.board import Board
from engine.check.finding import (
    Finding,
    FindingError,
    FindingKind,
    describe_error,
    kind_of_error,
    short_repr,
)
from engine.grid import Mark
from engine.rules import TIC_TAC_TOE, Cell
from engine.solver import solver_of
from engine.tree import reachable_positions
from engine.worth import Value

CONSTANTS = ("X", "O", "EMPTY")
_WIDTH = TIC_TAC_TOE.columns
_OUTSIDE = ((_WIDTH, 0), (0, _WIDTH), (-1, 0))

Action = tuple[int, int]
State = list[list[Any]]


class LearnerModule:
    """A learner's module, with the calls that test it."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.symbols: Mapping[Mark | None, object] = {
            Mark.X: getattr(module, "X", "X"),
            Mark.O: getattr(module, "O", "O"),
            None: getattr(module, "EMPTY", None),
        }
        self._states: dict[Board, State] = {}

    def check(self, name: str, board: Board) -> list[Finding]:
        """The findings about a function on one board."""
        try:
            return list(_CHECKS[name](self, board))
        except FindingError as error:
            return [error.finding]
        except BaseException as error:  # noqa: BLE001 - methods of a returned object may do anything
            return [self.error_finding(error, board)]

    def state(self, board: Board) -> State:
        """A board as the course's list of lists; cached, so pass a copy to learners' functions."""
        if board not in self._states:
            symbols = [self.symbols[board[cell]] for cell in board.rules.cells]
            rows = [symbols[start : start + _WIDTH] for start in board.rules.cells[::_WIDTH]]
            self._states[board] = rows
        return self._states[board]

    def call(self, name: str, board: Board, *action: Action) -> Any:
        """Call a function; FindingError if it raises or changes the board."""
        value, error = self.try_call(name, board, *action)
        if error is not None:
            raise FindingError(self.error_finding(error, board, *action))
        return value

    def try_call(
        self, name: str, board: Board, *action: Action
    ) -> tuple[Any, BaseException | None]:
        """Call a function: its value, and its exception; FindingError if it changes the board."""
        state = [row.copy() for row in self.state(board)]
        value = None
        error = None
        try:
            value = getattr(self.module, name)(state, *action)
        except BaseException as exception:  # noqa: BLE001 - SystemExit too: it may do anything
            error = exception
        if state != self.state(board):
            text = _action_repr(*action)
            raise FindingError(Finding(FindingKind.CHANGES_BOARD, board, action=text))
        return value, error

    def expect(self, name: str, board: Board, expected: object) -> Iterator[Finding]:
        """Compare what a function returns with the only right value."""
        got = self.call(name, board)
        is_right = got is None if expected is None else got == expected
        if is_right:
            return
        got_text = short_repr(got)
        expected_text = short_repr(expected)
        family = "" if isinstance(expected, set) else f"{expected_text} {got_text}"
        yield Finding(FindingKind.WRONG, board, got=got_text, expected=expected_text, family=family)

    def error_finding(self, error: BaseException, board: Board | None, *action: Action) -> Finding:
        """The finding that a call raised an error."""
        text = describe_error(error, self.module.__file__)
        kind = kind_of_error(error)
        return Finding(kind, board, got=text, family=text, action=_action_repr(*action))

    def choose(self, board: Board) -> Cell:
        """The move that `minimax` chooses on an unfinished board.

        Raises:
            FindingError: It raises, changes the board, or returns no legal move.
        """
        move = self.call("minimax", board)
        cells = {_pair(cell): cell for cell in board.actions()}
        if not isinstance(move, tuple) or move not in cells:
            raise FindingError(Finding(FindingKind.ILLEGAL_MOVE, board, got=short_repr(move)))
        return cells[move]


def _action_repr(*action: Action) -> str:
    """The repr of the action that was passed, if any; otherwise empty."""
    return short_repr(action[0]) if action else ""


def _pair(cell: Cell) -> Action:
    return divmod(cell, _WIDTH)


def _initial_state(learner: LearnerModule, board: Board) -> Iterator[Finding]:
    try:
        got = learner.module.initial_state()
    except BaseException as error:  # noqa: BLE001 - SystemExit too
        raise FindingError(learner.error_finding(error, None)) from None
    expected = learner.state(board)
    if got != expected:
        yield Finding(FindingKind.WRONG, got=short_repr(got), expected=short_repr(expected))
    elif len({id(row) for row in got}) < len(got):
        yield Finding(FindingKind.SHARES_ROWS)


def _player(learner: LearnerModule, board: Board) -> Iterator[Finding]:
    yield from learner.expect("player", board, learner.symbols[board.to_move])


def _actions(learner: LearnerModule, board: Board) -> Iterator[Finding]:
    yield from learner.expect("actions", board, set(map(_pair, board.actions())))


def _result(learner: LearnerModule, board: Board) -> Iterator[Finding]:
    for cell in board.actions():
        got = learner.call("result", board, _pair(cell))
        expected = learner.state(board.result_unchecked(cell))
        if got != expected:
            yield Finding(
                FindingKind.WRONG,
                board,
                got=short_repr(got),
                expected=short_repr(expected),
                action=short_repr(_pair(cell)),
            )
            break
    taken = [_pair(cell) for cell in board.rules.cells if board[cell]]
    for invalid in (*_OUTSIDE, *taken):
        _, error = learner.try_call("result", board, invalid)
        if error is None:
            family = "taken" if invalid in taken else "outside"
            action = short_repr(invalid)
            yield Finding(FindingKind.ALLOWS_INVALID, board, family=family, action=action)
        elif not isinstance(error, Exception):
            yield learner.error_finding(error, board, invalid)


def _winner(learner: LearnerModule, board: Board) -> Iterator[Finding]:
    expected = None if board.winner is None else learner.symbols[board.winner]
    yield from learner.expect("winner", board, expected)


def _terminal(learner: LearnerModule, board: Board) -> Iterator[Finding]:
    yield from learner.expect("terminal", board, board.is_terminal)


def _utility(learner: LearnerModule, board: Board) -> Iterator[Finding]:
    yield from learner.expect("utility", board, board.utility)


def _minimax(learner: LearnerModule, board: Board) -> Iterator[Finding]:
    if board.is_terminal:
        yield from learner.expect("minimax", board, None)
        return
    cell = learner.choose(board)
    solver = solver_of(board.rules)
    worths = solver.analyse(board)
    worth = worths[cell]
    best = max(worths.values(), key=lambda worth: worth.rank)
    if worth.rank == best.rank:
        return
    if worth.value is not best.value:
        kind = FindingKind.WORSE_MOVE
    elif worth.value is Value.WIN:
        kind = FindingKind.LATER_WIN
    else:
        kind = FindingKind.SOONER_LOSS
    best_cells = [other for other, worth in worths.items() if worth.rank == best.rank]
    values = (best.value, worth.value)
    yield Finding(
        kind,
        board,
        got=short_repr(_pair(cell)),
        expected=", ".join(str(_pair(best_cell)) for best_cell in best_cells),
        family=str(values),
        line=solver.solve(board.result(cell)).principal_variation,
        values=values,
    )


Check = Callable[[LearnerModule, Board], Iterator[Finding]]

_CHECKS: Mapping[str, Check] = {
    "initial_state": _initial_state,
    "player": _player,
    "actions": _actions,
    "result": _result,
    "winner": _winner,
    "terminal": _terminal,
    "utility": _utility,
    "minimax": _minimax,
}
FUNCTION_NAMES = tuple(_CHECKS)
"""The eight functions, in the order in which a learner writes them."""


@lru_cache(maxsize=8)
def boards_for(name: str) -> list[Board]:
    """The boards on which a function is checked, those with the fewest marks first.

    `minimax` begins with the fullest boards instead, where game trees are small.
    """
    boards = _all_boards()
    if name == "initial_state":
        return boards[:1]
    if name == "minimax":
        return boards[::-1]
    if name == "utility":
        return [board for board in boards if board.is_terminal]
    if name in {"winner", "terminal"}:
        return boards
    return [board for board in boards if not board.is_terminal]


def effort(name: str, board: Board) -> int:
    """Roughly how much work a function has with a board: `minimax` reads all lines of play."""
    return factorial(len(board.actions())) if name == "minimax" else 1


@cache
def _all_boards() -> list[Board]:
    return reachable_positions(Board())

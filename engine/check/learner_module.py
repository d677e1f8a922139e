"""A learner's module: the course's symbols for our boards, and calls that report what goes wrong.

Boards are lists of lists and actions pairs of row and column, as in the exercise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.board import Board, Mark
from engine.check.finding import (
    Finding,
    FindingError,
    FindingKind,
    describe_error,
    kind_of_error,
    short_repr,
)
from engine.rules import TIC_TAC_TOE, Cell

CONSTANTS = ("X", "O", "EMPTY")
_WIDTH = TIC_TAC_TOE.columns

Action = tuple[int, int]
State = list[list[Any]]


class LearnerModule:
    """A learner's module, imported."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.symbols: Mapping[Mark | None, object] = {
            Mark.X: getattr(module, "X", "X"),
            Mark.O: getattr(module, "O", "O"),
            None: getattr(module, "EMPTY", None),
        }
        self._states: dict[Board, State] = {}

    def state(self, board: Board) -> State:
        """A board as the course's list of lists; cached, so pass a copy to learners' functions."""
        if board not in self._states:
            symbols = [self.symbols[board[cell]] for cell in board.rules.cells]
            rows = [symbols[start : start + _WIDTH] for start in board.rules.cells[::_WIDTH]]
            self._states[board] = rows
        return self._states[board]

    def call(self, name: str, board: Board, action: Action | None = None) -> Any:
        """Call a function with a board and, for `result`, an action.

        Raises:
            FindingError: It raises an error, or changes the board.
        """
        value, error = self.try_call(name, board, action)
        if error is not None:
            raise FindingError(self.error_finding(error, board, action))
        return value

    def try_call(
        self, name: str, board: Board, action: Action | None = None
    ) -> tuple[Any, BaseException | None]:
        """Like `call`, but return the error that the function raises beside its value.

        Raises:
            FindingError: It changes the board.
        """
        state = [row.copy() for row in self.state(board)]
        arguments = (state,) if action is None else (state, action)
        value = None
        error = None
        try:
            value = getattr(self.module, name)(*arguments)
        except BaseException as exception:  # noqa: BLE001 - SystemExit too: it may do anything
            error = exception
        if state != self.state(board):
            text = _optional_repr(action)
            raise FindingError(Finding(FindingKind.CHANGES_BOARD, board, action=text))
        return value, error

    def choose(self, board: Board) -> Cell:
        """The move that `minimax` chooses on an unfinished board.

        Raises:
            FindingError: It raises an error, changes the board, or returns no legal move.
        """
        move = self.call("minimax", board)
        cells = {to_action(cell): cell for cell in board.actions()}
        if not isinstance(move, tuple) or move not in cells:
            raise FindingError(Finding(FindingKind.ILLEGAL_MOVE, board, got=short_repr(move)))
        return cells[move]

    def error_finding(
        self, error: BaseException, board: Board | None, action: Action | None = None
    ) -> Finding:
        """The finding that the module or one of its functions raised an error."""
        text = describe_error(error, self.module.__file__)
        kind = kind_of_error(error)
        return Finding(kind, board, got=text, family=text, action=_optional_repr(action))


def to_action(cell: Cell) -> Action:
    """The row and column of a cell, from 0."""
    return divmod(cell, _WIDTH)


def _optional_repr(action: Action | None) -> str:
    return "" if action is None else short_repr(action)

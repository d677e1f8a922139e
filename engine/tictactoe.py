"""The eight functions of the well-known course exercise, on top of this engine.

A drop-in replacement for a learner's own `tictactoe.py`. A board is a list of three rows of three;
an action is a pair of row and column, both counted from 0.
"""

from __future__ import annotations

from engine.board import Board, IllegalMoveError
from engine.grid import Mark
from engine.rules import TIC_TAC_TOE, bit_set
from engine.solver import solver_of

X, O, EMPTY = "X", "O", None  # noqa: E741 - the course names them so

Symbol = str | None
State = list[list[Symbol]]
Action = tuple[int, int]

_SYMBOLS: dict[Mark | None, Symbol] = {Mark.X: X, Mark.O: O, None: EMPTY}
_WIDTH = TIC_TAC_TOE.columns


def initial_state() -> State:
    return _to_state(Board())


def player(board: State) -> Symbol:
    """Whose turn it is."""
    return _SYMBOLS[_to_board(board).to_move]


def actions(board: State) -> set[Action]:
    """The free cells; empty once the game is over."""
    position = _to_board(board)
    if _is_over(position):
        return set()
    return {divmod(cell, _WIDTH) for cell in position.free_cells}


def result(board: State, action: Action) -> State:
    """A new board, after the move.

    Raises:
        IllegalMoveError: The cell is taken or not on the board, or the game is over.
    """
    row, column = action
    is_on_board = row in range(_WIDTH) and column in range(_WIDTH)
    if not is_on_board or board[row][column] != EMPTY:
        raise IllegalMoveError(f"{action!r} is no free cell")
    position = _to_board(board)
    if _is_over(position):
        raise IllegalMoveError(f"the game is over: {position}")
    return _to_state(position.result_unchecked(row * _WIDTH + column))


def winner(board: State) -> Symbol:
    """The player with three in a row, or None; also for boards that play cannot reach."""
    return _SYMBOLS[_winner(_to_board(board))]


def terminal(board: State) -> bool:
    """Whether the game is over."""
    return _is_over(_to_board(board))


def utility(board: State) -> int:
    """1 if X has won, -1 if O has, 0 for a draw.

    Raises:
        ValueError: The game is not over.
    """
    if not terminal(board):
        raise ValueError(f"an unfinished game has no utility: {board}")
    return {X: 1, O: -1, EMPTY: 0}[winner(board)]


def minimax(board: State) -> Action | None:
    """A best move for the player to move; None when the game is over."""
    if terminal(board):
        return None
    cell = solver_of(TIC_TAC_TOE).solve(_to_board(board)).principal_variation[0]
    return divmod(cell, _WIDTH)


def _to_board(state: State) -> Board:
    symbols = [symbol for row in state for symbol in row]
    x = bit_set(cell for cell, symbol in enumerate(symbols) if symbol == X)
    o = bit_set(cell for cell, symbol in enumerate(symbols) if symbol == O)
    return Board(TIC_TAC_TOE, x, o)


def _winner(board: Board) -> Mark | None:
    winners = (mark for mark in Mark if board.rules.completed(board.mask_of(mark)))
    return next(winners, None)


def _is_over(board: Board) -> bool:
    return _winner(board) is not None or not board.free_cells


def _to_state(board: Board) -> State:
    symbols = [_SYMBOLS[board[cell]] for cell in board.rules.cells]
    return [symbols[start : start + _WIDTH] for start in board.rules.cells[::_WIDTH]]

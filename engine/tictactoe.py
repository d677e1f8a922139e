"""The eight functions of the well-known course exercise, over lists of lists, played by ours.

Whatever was written against a `tictactoe.py` of one's own runs on this one too. A board is three
rows of three; an action is a row and a column, both counted from 0.
"""

from __future__ import annotations

from engine.alphabeta import minimax as best_action
from engine.board import Board, IllegalMoveError, Mark
from engine.rules import TIC_TAC_TOE, Cell, bit_set

X, O, EMPTY = "X", "O", None  # noqa: E741 - the course names them so

Symbol = str | None
State = list[list[Symbol]]
Action = tuple[int, int]

_SYMBOLS: dict[Mark | None, Symbol] = {Mark.X: X, Mark.O: O, None: EMPTY}
_WIDTH = TIC_TAC_TOE.columns


def initial_state() -> State:
    return _state(Board())


def player(board: State) -> Symbol:
    """Whose turn it is."""
    return _SYMBOLS[_board(board).to_move]


def actions(board: State) -> set[Action]:
    return {divmod(cell, _WIDTH) for cell in _board(board).actions()}


def result(board: State, action: Action) -> State:
    """The board after a move, a new one.

    Raises:
        IllegalMoveError: The cell is taken or not on the board, or the game is over.
    """
    row, column = action
    if row not in range(TIC_TAC_TOE.rows) or column not in range(_WIDTH):
        raise IllegalMoveError(f"there is no cell {action!r}")
    return _state(_board(board).result(row * _WIDTH + column))


def winner(board: State) -> Symbol:
    won = _board(board).winner
    return None if won is None else _SYMBOLS[won]


def terminal(board: State) -> bool:
    """Whether the game is over."""
    return _board(board).is_terminal


def utility(board: State) -> int:
    """1 if X has won, -1 if O has, 0 for a draw.

    Raises:
        ValueError: The game is not over.
    """
    return _board(board).utility


def minimax(board: State) -> Action | None:
    """The best move for whoever is to move; None when the game is over."""
    cell = best_action(_board(board))
    return None if cell is None else divmod(cell, _WIDTH)


def _board(state: State) -> Board:
    symbols = [symbol for row in state for symbol in row]
    x, o = (_held(symbol, symbols) for symbol in (X, O))
    return Board(TIC_TAC_TOE, bit_set(x), bit_set(o))


def _held(symbol: Symbol, symbols: list[Symbol]) -> list[Cell]:
    return [cell for cell, held in enumerate(symbols) if held == symbol]


def _state(board: Board) -> State:
    symbols = [_SYMBOLS[board[cell]] for cell in board.rules.cells]
    return [symbols[start : start + _WIDTH] for start in board.rules.cells[::_WIDTH]]

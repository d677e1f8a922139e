"""What a move was good for: names that people understand, given where a proof allows.

On 3x3 they are the eight rules of Newell and Simon's player, as told by Crowley and Siegler,
*Flexible Strategy Use in Young Children's Tic-Tac-Toe* (1993), and one that takes a proof. A
reason never makes a move good: in 48 positions the rules alone would throw away a win.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from engine.board import Board, Mark, winning_cells
from engine.rules import TIC_TAC_TOE, Cell
from engine.worth import Value, Worth


class Reason(Enum):
    """What a move is good for, the strongest first."""

    WIN = "completes a line"
    BLOCK = "stops a line of the other's"
    FORK = "opens two lines at once"
    BLOCK_FORK = "stops the other from doing so"
    DOUBLE_THREAT = "threatens to complete two lines at once"
    BLOCK_DOUBLE_THREAT = "stops the other from doing so on a larger board"
    FORCED_SEQUENCE = "a threat on the way to a win that is proven"
    CENTRE = "takes the centre"
    OPPOSITE_CORNER = "takes the corner opposite to one of the other's"
    CORNER = "takes a corner"
    SIDE = "takes a side"


_NEEDS = {
    Reason.FORK: Value.WIN,
    Reason.BLOCK_FORK: Value.DRAW,
    Reason.DOUBLE_THREAT: Value.WIN,
    Reason.BLOCK_DOUBLE_THREAT: Value.DRAW,
    Reason.FORCED_SEQUENCE: Value.WIN,
}
"""What a move has to be worth to have been good for that: the proof goes before the name."""

Names = dict[Reason, tuple[Cell, ...]]
"""What each name could be said of, before there is a proof."""


def reason(board: Board, action: Cell, worth: Worth) -> Reason | None:
    """The strongest thing that a move worth so much is good for; None where it has no name."""
    return reason_among(action, worth, names_of(board))


def names_of(board: Board) -> Names:
    """What the moves of a position look good for."""
    names = dict(_rules_of_3x3(board) if board.rules == TIC_TAC_TOE else _rules(board))
    names[Reason.FORCED_SEQUENCE] = _threats(board)
    return names


def reason_among(action: Cell, worth: Worth, names: Names) -> Reason | None:
    """The same as `reason`, from names that were worked out for all moves of the position."""
    fitting = (name for name in Reason if action in names.get(name, ()))
    return next((name for name in fitting if worth.value >= _NEEDS.get(name, Value.LOSS)), None)


def rule_moves(board: Board) -> tuple[Reason, tuple[Cell, ...]]:
    """What Newell and Simon's player does on 3x3: the first of its rules that applies.

    Raises:
        ValueError: The board is not 3x3, or the game is over.
    """
    if board.rules != TIC_TAC_TOE or board.is_terminal:
        raise ValueError(f"the rules say nothing about this board: {board!r}")
    return next((name, cells) for name, cells in _rules_of_3x3(board) if cells)


_Rule = tuple[Reason, tuple[Cell, ...]]
_CENTRE = 4
_CORNERS = (0, 2, 6, 8)
_SIDES = (1, 3, 5, 7)


def _rules_of_3x3(board: Board) -> Iterator[_Rule]:
    own, other = board.to_move, board.to_move.other
    free = board.actions()
    yield Reason.WIN, winning_cells(board, own)
    yield Reason.BLOCK, winning_cells(board, other)
    yield Reason.FORK, _forks(board, own)
    yield Reason.BLOCK_FORK, _blocks_of_forks(board)
    yield Reason.CENTRE, tuple(cell for cell in free if cell == _CENTRE)
    opposite = (cell for cell in free if cell in _CORNERS and board[8 - cell] is other)
    yield Reason.OPPOSITE_CORNER, tuple(opposite)
    yield Reason.CORNER, tuple(cell for cell in free if cell in _CORNERS)
    yield Reason.SIDE, tuple(cell for cell in free if cell in _SIDES)


def _forks(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells in which two lines meet that hold one mark of the player's and no other."""
    own, other = board.marks(mark), board.marks(mark.other)
    begun = [
        line
        for line in board.rules.line_masks
        if (line & own).bit_count() == 1 and not line & other
    ]
    meets = {cell: sum(line >> cell & 1 for line in begun) for cell in board.actions()}
    return tuple(cell for cell, lines in meets.items() if lines >= 2)


def _blocks_of_forks(board: Board) -> tuple[Cell, ...]:
    """A lone fork is taken; of several, none can be, so the other is kept busy elsewhere."""
    forks = _forks(board, board.to_move.other)
    if len(forks) < 2:
        return forks
    busy = (cell for cell in board.actions() if _keeps_busy(board, cell))
    return tuple(busy) or forks


def _keeps_busy(board: Board, cell: Cell) -> bool:
    """Whether a move makes two in a row whose block is not the very fork it is to prevent."""
    after = board.result(cell)
    threats = winning_cells(after, board.to_move)
    return bool(threats) and threats[0] not in _forks(after, after.to_move)


def _rules(board: Board) -> Iterator[_Rule]:
    """What moves are good for on boards of any size."""
    own, other = board.to_move, board.to_move.other
    yield Reason.WIN, winning_cells(board, own)
    yield Reason.BLOCK, winning_cells(board, other)
    yield Reason.DOUBLE_THREAT, _double_threats(board, own)
    if feared := _double_threats(board, other):
        stops = (c for c in board.actions() if not _still_feared(board, c, feared))
        yield Reason.BLOCK_DOUBLE_THREAT, tuple(stops)


def _threats(board: Board) -> tuple[Cell, ...]:
    """The free cells that would give the player to move a line to complete that is new."""
    own = board.to_move
    before = set(winning_cells(board, own))
    new = (c for c in board.actions() if set(winning_cells(board.result(c), own)) - before)
    return tuple(new)


def _double_threats(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells that would give a player two cells to complete a line on."""
    own, other = board.marks(mark), board.marks(mark.other)
    lines = [line & ~own for line in board.rules.line_masks if not line & other]
    pairs = [line for line in lines if line.bit_count() == 2]
    return tuple(
        cell
        for cell in board.actions()
        if len({line & ~(1 << cell) for line in pairs if line >> cell & 1}) >= 2
    )


def _still_feared(board: Board, cell: Cell, feared: tuple[Cell, ...]) -> bool:
    after = board.result(cell)
    return any(threat in feared for threat in _double_threats(after, after.to_move))

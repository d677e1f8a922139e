"""The meaning of each reason on 3x3, defined without the engine: by lines and plain minimax."""

from __future__ import annotations

from collections.abc import Callable

from engine import Board, Cell, Mark, Reason
from tests.engine.positions import TRUTH

LINES_OF_3X3 = ("012", "345", "678", "036", "147", "258", "048", "246")


def value_of(board: Board, cell: Cell) -> int:
    """The value of a move to its player, by plain minimax."""
    value_to_x, _plies = TRUTH[board.result(cell)]
    return value_to_x if board.to_move is Mark.X else -value_to_x


def values_of(board: Board) -> dict[Cell, int]:
    return {cell: value_of(board, cell) for cell in board.actions()}


def ways_to_win(drawing: str, mark: Mark) -> set[int]:
    """The free cells where one more mark would complete a line."""
    cells = set()
    for line in LINES_OF_3X3:
        marks = [drawing[int(cell)] for cell in line]
        if marks.count(mark.value) == 2 and marks.count(".") == 1:
            cells.add(int(line[marks.index(".")]))
    return cells


def drawn(board: Board, *moves: tuple[Cell, Mark]) -> str:
    """A board as nine characters, with more marks, which need not alternate."""
    cells = list(str(board).replace(" ", ""))
    for cell, mark in moves:
        cells[cell] = mark.value
    return "".join(cells)


def threats_after(board: Board, cell: Cell) -> set[int]:
    return ways_to_win(drawn(board, (cell, board.to_move)), board.to_move)


def can_fork(board: Board, mark: Mark) -> bool:
    return any(len(ways_to_win(drawn(board, (c, mark)), mark)) > 1 for c in board.actions())


def is_safe_from_forks(board: Board, cell: Cell) -> bool:
    """Whether, after a move, every fork of the opponent allows its player to win first."""
    after, own, other = board.result(cell), board.to_move, board.to_move.other
    forks = (c for c in after.actions() if len(threats_after(after, c)) > 1)
    return all(ways_to_win(drawn(after, (fork, other)), own) for fork in forks)


def losing_replies(board: Board, cell: Cell) -> int:
    after = board.result(cell)
    return sum(value < 0 for value in values_of(after).values())


def nobody_can_win(board: Board) -> bool:
    cells = drawn(board)
    return all({"x", "o"} <= {cells[int(cell)] for cell in line} for line in LINES_OF_3X3)


def loses_slowest(board: Board, cell: Cell) -> bool:
    """Whether every move loses, and no move loses later than this one."""
    plies = [TRUTH[board.result(c)][1] for c in board.actions()]
    return max(values_of(board).values()) < 0 and TRUTH[board.result(cell)][1] == max(plies)


def is_forced_win(board: Board, cell: Cell) -> bool:
    """Whether a move makes one threat, and the only reply that stops it loses."""
    after, threats = board.result(cell), threats_after(board, cell)
    if len(threats) != 1 or ways_to_win(drawn(after), after.to_move):
        return False
    return value_of(after, *threats) < 0


MEANING: dict[Reason, Callable[[Board, Cell], bool]] = {
    Reason.WIN: lambda b, c: b.result(c).winner is b.to_move,
    Reason.MISSED_WIN: lambda b, c: (
        not b.result(c).winner and any(b.result(other).winner for other in b.actions())
    ),
    Reason.BLOCK: lambda b, c: c in ways_to_win(drawn(b), b.to_move.other),
    Reason.FORK: lambda b, c: len(threats_after(b, c)) == 2 and value_of(b, c) == 1,
    Reason.FORCED_SEQUENCE: is_forced_win,
    Reason.QUIET_WIN: lambda b, c: not threats_after(b, c) and value_of(b, c) == 1,
    Reason.THROWN_WIN: lambda b, c: value_of(b, c) == 0 < max(values_of(b).values()),
    Reason.BLOCK_FORK: lambda b, c: can_fork(b, b.to_move.other) and is_safe_from_forks(b, c),
    Reason.ONLY_MOVE: lambda b, c: [m for m, v in values_of(b).items() if v >= 0] == [c],
    Reason.THREAT: lambda b, c: (
        len(threats_after(b, c)) == 1 and not ways_to_win(drawn(b), b.to_move.other)
    ),
    Reason.MOST_REPLIES_LOSE: lambda b, c: losing_replies(b, c) > (len(b.actions()) - 1) / 2,
    Reason.SOME_REPLIES_LOSE: lambda b, c: losing_replies(b, c) > 0,
    Reason.LONGEST_DEFENCE: loses_slowest,
    Reason.NOTHING_LEFT: lambda b, _: nobody_can_win(b),
    Reason.CENTRE: lambda _, c: c == 4,
    Reason.OPPOSITE_CORNER: lambda b, c: c in (0, 2, 6, 8) and b[8 - c] is b.to_move.other,
    Reason.CORNER: lambda _, c: c in (0, 2, 6, 8),
    Reason.SIDE: lambda _, c: c in (1, 3, 5, 7),
}

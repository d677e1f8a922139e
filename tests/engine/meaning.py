"""The meaning of each reason, by trying every move; whether one can fork, by the lines of 3x3.

Where a cell lies is no reason for a move that loses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from engine import Board, Cell, Mark, Reason, Value, Worth, solver_of

CORNERS, SIDES = (0, 2, 6, 8), (1, 3, 5, 7)
LINES_OF_3X3 = ("012", "345", "678", "036", "147", "258", "048", "246")


@cache
def wins(board: Board) -> set[Cell]:
    """The moves that win at once."""
    return {cell for cell in board.actions() if board.result(cell).winner is board.to_move}


def ways(board: Board, cell: Cell) -> set[Cell]:
    """Where the player of a move could win with the next, and the other can get in the way.

    There are none where the other wins first.
    """
    after = board.result(cell)
    if wins(after):
        return set()
    reached = [after.result(reply) for reply in after.actions()]
    return {way for position in reached for way in wins(position)}.intersection(after.actions())


@cache
def worths(board: Board) -> dict[Cell, Worth]:
    return solver_of(board.rules).analyse(board)


def best_value(board: Board) -> Value:
    return max(worth.value for worth in worths(board).values())


def is_won(board: Board, cell: Cell) -> bool:
    return worths(board)[cell].value is Value.WIN


def draws(board: Board, cell: Cell) -> bool:
    return worths(board)[cell].value is Value.DRAW


def losing_replies(board: Board, cell: Cell) -> int:
    """How many replies to a move lose within five plies."""
    replies = worths(board.result(cell)).values()
    return sum(worth.value is Value.LOSS and worth.plies_to_end <= 6 for worth in replies)


def share_that_loses(board: Board, cell: Cell) -> float:
    return losing_replies(board, cell) / len(board.result(cell).actions())


def ways_to_win(drawing: str, mark: Mark) -> set[int]:
    """The free cells of 3x3 where one more mark would complete a line."""
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


def blocks(board: Board, cell: Cell) -> bool:
    """Whether the opponent could win there, if its player moved elsewhere."""
    others = [board.result(other) for other in board.actions() if other != cell]
    if not others:
        return cell in ways_to_win(drawn(board), board.to_move.other)
    return any(cell in wins(after) for after in others)


def forks(board: Board, mark: Mark) -> list[Cell]:
    """Where a player of 3x3 would have two ways to win, whoever is to move."""
    return [c for c in board.actions() if len(ways_to_win(drawn(board, (c, mark)), mark)) > 1]


def is_safe_from_forks(board: Board, cell: Cell) -> bool:
    """Whether, after a move, every fork of the opponent allows its player to win first."""
    after, own, other = board.result(cell), board.to_move, board.to_move.other
    return all(ways_to_win(drawn(after, (c, other)), own) for c in forks(after, other))


def nobody_can_win(board: Board) -> bool:
    cells = drawn(board)
    return all({"x", "o"} <= {cells[int(cell)] for cell in line} for line in LINES_OF_3X3)


MEANING: dict[Reason, Callable[[Board, Cell], bool]] = {
    Reason.WIN: lambda b, c: c in wins(b),
    Reason.MISSED_WIN: lambda b, c: bool(wins(b)) and c not in wins(b),
    Reason.OWN_LINE: lambda b, c: b.result(c).winner is b.to_move.other,
    Reason.UNBLOCKS: lambda b, c: b.vanishing in wins(b.result(c)),
    Reason.BLOCK: blocks,
    Reason.FORK: lambda b, c: len(ways(b, c)) == 2 and is_won(b, c),
    Reason.FORCED_SEQUENCE: lambda b, c: len(ways(b, c)) == 1 and is_won(b, c),
    Reason.QUIET_WIN: lambda b, c: not ways(b, c) and is_won(b, c),
    Reason.THROWN_WIN: lambda b, c: not is_won(b, c) and best_value(b) is Value.WIN,
    Reason.BLOCK_FORK: lambda b, c: bool(forks(b, b.to_move.other)) and is_safe_from_forks(b, c),
    Reason.ONLY_MOVE: lambda b, c: [m for m, w in worths(b).items() if w.value >= 0] == [c],
    Reason.THREAT: lambda b, c: len(ways(b, c)) == 1,
    Reason.MOST_REPLIES_LOSE: lambda b, c: share_that_loses(b, c) > 0.5,
    Reason.SOME_REPLIES_LOSE: lambda b, c: 0 < share_that_loses(b, c) <= 0.5,
    Reason.LONGEST_DEFENCE: lambda b, c: (
        best_value(b) is Value.LOSS
        and worths(b)[c].plies_to_end == max(w.plies_to_end for w in worths(b).values())
    ),
    Reason.NOTHING_LEFT: lambda b, _: nobody_can_win(b),
    Reason.CENTRE: lambda b, c: c == 4 and draws(b, c),
    Reason.OPPOSITE_CORNER: lambda b, c: (
        c in CORNERS and b[8 - c] is b.to_move.other and draws(b, c)
    ),
    Reason.CORNER: lambda b, c: c in CORNERS and draws(b, c),
    Reason.SIDE: lambda b, c: c in SIDES and draws(b, c),
    Reason.ZUGZWANG: lambda b, c: worths(b)[c] == Worth(Value.WIN, 2),
    Reason.LOSES: lambda b, c: worths(b)[c].value is Value.LOSS,
    Reason.SOME_MOVES_LOSE: lambda b, c: (
        draws(b, c) and any(worth.value is Value.LOSS for worth in worths(b).values())
    ),
    Reason.EVERY_MOVE_DRAWS: lambda b, _: all(w.value is Value.DRAW for w in worths(b).values()),
}

"""Infinite tic-tac-toe solved by plain value iteration, without the engine.

A position is the cells of the player to move, the oldest mark first, and those of the other player.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, count, zip_longest

Side = tuple[int, ...]
Position = tuple[Side, Side]
"""The cells of the player to move, and of the other player."""
START: Position = ((), ())
LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]
WINNING = {frozenset(map(int, line)) for line in LINES}


def has_line(marks: Side) -> bool:
    return any(frozenset(three) in WINNING for three in combinations(marks, 3))


def after_moves(position: Position) -> list[Position | None]:
    """The position after each move; None if the move wins."""
    own, other = position
    free = set(range(9)).difference(own, other)
    kept_after = [(*own, cell)[-3:] for cell in free]
    return [None if has_line(kept) else (other, kept) for kept in kept_after]


@cache
def solved() -> dict[Position, int]:
    """The number of plies in which the player to move wins from every unfinished position.

    It is negative if the player loses, and 0 if neither player can force a win.
    """
    after = graph()
    outcomes = dict.fromkeys(after, 0)
    undecided = list(after)
    won: set[Position | None] = set()
    lost: set[Position | None] = {None}
    for plies in count(1):
        is_win = plies % 2 == 1
        if is_win:
            decided = [position for position in undecided if not lost.isdisjoint(after[position])]
            won.update(decided)
        else:
            decided = [position for position in undecided if won.issuperset(after[position])]
            lost.update(decided)
        if not decided:
            break
        outcomes |= dict.fromkeys(decided, plies if is_win else -plies)
        undecided = [position for position in undecided if not outcomes[position]]
    return outcomes


def graph() -> dict[Position, list[Position | None]]:
    """Every reachable unfinished position, with the positions after its moves."""
    after: dict[Position, list[Position | None]] = {}
    reachable = [START]
    for position in reachable:  # grows in the loop
        if position not in after:
            after[position] = after_moves(position)
            reachable += filter(None, after[position])
    return after


def ordered_cells(position: Position) -> Side:
    """The cells of both players, the oldest mark first."""
    own, other = position
    first, second = (own, other) if len(own) == len(other) else (other, own)
    return tuple(cell for pair in zip_longest(first, second) for cell in pair if cell is not None)


def sides(cells: Side) -> Position:
    """The position with these cells, the oldest mark first: the inverse of `ordered_cells`."""
    newest_first = cells[::-1]
    last_mover, to_move = newest_first[::2], newest_first[1::2]
    return to_move[::-1], last_mover[::-1]


def drawn(cells: Side, plies: int) -> str:
    """The text by which the engine writes a position after so many plies."""
    first_ply = plies - len(cells)
    marks = {
        cell: "xo"[(first_ply + index) % 2] + str(index // 2 + 1)
        for index, cell in enumerate(cells)
    }
    text = [marks.get(cell, "..") for cell in range(9)]
    rows = ["".join(text[start : start + 3]) for start in (0, 3, 6)]
    return " ".join([*rows, str(plies)] if plies > len(cells) else rows)

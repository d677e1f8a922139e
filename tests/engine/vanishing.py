"""What plain value iteration says of infinite tic-tac-toe, written apart on purpose.

A position is the cells of the marks of the player to move, the oldest first, and of the other. Two
rules that are played elsewhere are here as well, to show what they would do to the game.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from itertools import combinations, zip_longest

Side = tuple[int, ...]
Position = tuple[Side, Side]
START: Position = ((), ())
LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]
WINNING = {frozenset(map(int, line)) for line in LINES}


class Rule(Enum):
    OURS = "the win is judged after the vanishing, and the cell is free one ply later"
    FREE_AT_ONCE = "the player may move to where the own mark vanishes"
    WIN_FIRST = "the win is judged before the vanishing, among four marks"


def has_line(marks: Side) -> bool:
    return any(frozenset(three) in WINNING for three in combinations(marks, 3))


def moves(position: Position, rule: Rule) -> dict[int, Position | None]:
    """Where each move leads; to None where it wins."""
    own, other = position
    taken = {*own[-2:], *other} if rule is Rule.FREE_AT_ONCE else {*own, *other}
    after: dict[int, Position | None] = {}
    for cell in sorted(set(range(9)) - taken):
        left = (*own, cell)[-3:]
        wins = has_line((*own, cell) if rule is Rule.WIN_FIRST else left)
        after[cell] = None if wins else (other, left)
    return after


@cache
def solved(rule: Rule = Rule.OURS) -> dict[Position, int]:
    """Of every unfinished position, in how many plies whoever is to move wins.

    A number below 0 says in how many it loses, and 0 that neither can force an end.
    """
    after = graph(rule)
    worth, undecided, plies = dict.fromkeys(after, 0), list(after), 0
    lost: set[Position | None] = {None}
    won: set[Position | None] = set()
    while True:
        plies += 1
        if plies % 2:
            found = [position for position in undecided if not lost.isdisjoint(after[position])]
            won.update(found)
        else:
            found = [position for position in undecided if won.issuperset(after[position])]
            lost.update(found)
        if not found:
            return worth
        worth |= dict.fromkeys(found, plies if plies % 2 else -plies)
        undecided = [position for position in undecided if not worth[position]]


def graph(rule: Rule) -> dict[Position, list[Position | None]]:
    """Every unfinished position that play can reach, and those that it can lead to."""
    after: dict[Position, list[Position | None]] = {}
    found = [START]
    for position in found:
        if position not in after:
            after[position] = list(moves(position, rule).values())
            found += filter(None, after[position])
    return after


def ordered_cells(position: Position) -> Side:
    """The cells of the marks of both players, the oldest first."""
    own, other = position
    first, second = (own, other) if len(own) == len(other) else (other, own)
    return tuple(cell for pair in zip_longest(first, second) for cell in pair if cell is not None)


def sides(cells: Side) -> Position:
    """The inverse: whose turn it is, whose oldest mark goes first, from as many marks."""
    last, other = cells[::-1][::2][::-1], cells[::-1][1::2][::-1]
    return other, last


def drawn(cells: Side, plies: int) -> str:
    """How the engine is to draw the position after so many plies."""
    marks = ["xo"[(plies - len(cells) + i) % 2] + str(i // 2 + 1) for i in range(len(cells))]
    on = dict(zip(cells, marks, strict=True))
    text = [on.get(cell, "..") for cell in range(9)]
    rows = ["".join(text[start : start + 3]) for start in (0, 3, 6)]
    return " ".join([*rows, str(plies)] if plies > len(cells) else rows)

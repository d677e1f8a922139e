"""What reasons against moves claim, checked on the lines of a board alone, without the engine.

A side is the cells of its marks; in infinite, the oldest first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from engine import INFINITE, Board, Cell, Reason, Rules, Verdict

Side = tuple[Cell, ...]
"""Free cells do not belong to either side."""


@cache
def lines(columns: int, rows: int, length: int) -> list[set[Cell]]:
    found = []
    for column in range(columns):
        for row in range(rows):
            for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                places = [(column + right * i, row + down * i) for i in range(length)]
                if all(x in range(columns) and y in range(rows) for x, y in places):
                    found.append({y * columns + x for x, y in places})
    return found


class Game:
    """A game by its lines, and what a side can do in it."""

    def __init__(self, rules: Rules) -> None:
        self.cells = set(range(rules.columns * rules.rows))
        self.lines = lines(rules.columns, rules.rows, rules.in_a_row)
        self.kept = 3 if rules is INFINITE else len(self.cells)

    def add(self, side: Side, cell: Cell) -> Side:
        return (*side, cell)[-self.kept :]

    def free(self, own: Side, other: Side) -> set[Cell]:
        return self.cells.difference(own, other)

    def has_line(self, side: Side) -> bool:
        return any(line.issubset(side) for line in self.lines)

    def completing(self, own: Side, other: Side) -> set[Cell]:
        """Where `own`, if it is to move, completes a line."""
        free = self.free(own, other)
        return {cell for cell in free if self.has_line(self.add(own, cell))}

    def is_fork(self, own: Side, other: Side, cell: Cell) -> bool:
        after = self.add(own, cell)
        return len(self.completing(after, other)) > 1 and not self.completing(other, after)

    def wins_by_threats(self, own: Side, other: Side, cell: Cell) -> bool:
        after = self.add(own, cell)
        threats = self.completing(after, other)
        if not threats or self.completing(other, after):
            return False
        if len(threats) > 1:
            return True
        blocked = self.add(other, *threats)
        return any(self.wins_by_threats(after, blocked, c) for c in self.free(after, blocked))

    def leaves_threats(self, own: Side, other: Side, cell: Cell) -> bool:
        """Whether threats win after every reply to a move that the other cannot answer by a win."""
        after = self.add(own, cell)
        reached = [self.add(other, reply) for reply in self.free(after, other)]
        return not self.completing(other, after) and all(
            any(self.wins_by_threats(after, side, c) for c in self.free(after, side))
            for side in reached
        )

    def leaves_only_lines(self, own: Side, other: Side, cell: Cell) -> bool:
        after = self.add(own, cell)
        left = self.free(after, other)
        return bool(left) and not self.has_line(after) and self.completing(other, after) == left

    def makes_unblock(self, own: Side, other: Side, cell: Cell) -> bool:
        """Whether the other's oldest mark leaves a cell where its own move lets `own` win."""
        after = self.add(own, cell)
        replies = self.free(after, other)
        reached = [self.add(other, reply) for reply in replies]
        return not self.completing(other, after) and all(
            other[0] in self.completing(after, side) for side in reached
        )


def sides(board: Board) -> tuple[Side, Side]:
    """The sides of the player to move and of the other."""
    return board.held_by(board.to_move), board.held_by(board.to_move.other)


def is_true(verdict: Verdict) -> bool:
    """Whether the lines of the board show what is said against a move."""
    cause = verdict.cause
    assert cause is not None
    game = Game(verdict.board.rules)
    own, other = sides(verdict.board)
    after = game.add(own, verdict.action)
    missed: dict[Reason, Callable[[Side, Side, Cell], bool]] = {
        Reason.MISSED_FORK: game.is_fork,
        Reason.MISSED_THREATS: game.wins_by_threats,
        Reason.MISSED_QUIET_MOVE: game.leaves_threats,
        Reason.MISSED_ZUGZWANG: game.leaves_only_lines,
        Reason.MISSED_UNBLOCKING: game.makes_unblock,
    }
    allowed = {
        Reason.ALLOWED_FORK: game.is_fork,
        Reason.ALLOWED_THREATS: game.wins_by_threats,
        Reason.ALLOWED_QUIET_MOVE: game.leaves_threats,
        Reason.ALLOWED_ZUGZWANG: game.leaves_only_lines,
        Reason.ALLOWED_UNBLOCKING: game.makes_unblock,
    }
    if cause.reason is Reason.OWN_LINE:
        return game.has_line(after)
    if cause.reason is Reason.MISSED_WIN:
        return set(cause.cells) == game.completing(own, other) != set()
    if cause.reason is Reason.ALLOWED_WIN:
        return set(cause.cells) == game.completing(other, after) != set()
    [cell] = cause.cells
    if cause.reason in missed:
        return verdict.action != cell and missed[cause.reason](own, other, cell)
    return allowed[cause.reason](other, after, cell)

"""Reasons why a move is good or bad, in terms that people know; given only if a proof allows.

Some are rules of Newell and Simon's player for 3x3, as told by Crowley and Siegler, *Flexible
Strategy Use in Young Children's Tic-Tac-Toe* (1993). A reason never makes a move good: in 48
positions those rules alone would throw away a win (40) or a draw (8).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from functools import singledispatch
from typing import NamedTuple

from engine.and_or import open_lines
from engine.board import Board
from engine.grid import Mark
from engine.rules import TIC_TAC_TOE, Cell
from engine.worth import Value, Worth


class Reason(Enum):
    """Why a move is good or bad, the most telling reason first."""

    WIN = "completes a line"
    MISSED_WIN = "completes none where it could"
    OWN_LINE = "completes a line, where that loses"
    UNBLOCKS = "lets the other win where its own mark vanishes"
    FORK = "opens two lines at once"
    DOUBLE_THREAT = "threatens to complete two lines at once, on a larger board"
    BLOCK = "stops a line of the other's"
    FORCED_SEQUENCE = "a threat on the way to a win that is proven"
    QUIET_WIN = "wins and leaves the other nothing to stop"
    THROWN_WIN = "draws where it could win"
    BLOCK_FORK = "stops the other from forking"
    BLOCK_DOUBLE_THREAT = "stops the other from making a double threat"
    ONLY_MOVE = "draws where every other move loses"
    THREAT = "threatens to complete a line"
    MOST_REPLIES_LOSE = "most replies lose soon"
    LONGEST_DEFENCE = "loses the slowest"
    NOTHING_LEFT = "no line can be completed any more"
    CENTRE = "takes the centre"
    OPPOSITE_CORNER = "takes the corner opposite to one of the other's"
    CORNER = "takes a corner"
    SIDE = "takes a side"
    SOME_REPLIES_LOSE = "some replies lose soon"
    OPEN_LINES = "lies on the most lines that its player can still complete"
    CLOSED_LINES = "lies on the most lines that the other can still complete"


_NEEDS: Mapping[Reason, Value] = {
    Reason.FORK: Value.WIN,
    Reason.DOUBLE_THREAT: Value.WIN,
    Reason.BLOCK_FORK: Value.DRAW,
    Reason.BLOCK_DOUBLE_THREAT: Value.DRAW,
    Reason.CENTRE: Value.DRAW,
    Reason.OPPOSITE_CORNER: Value.DRAW,
    Reason.CORNER: Value.DRAW,
    Reason.SIDE: Value.DRAW,
}
"""The value that a move must be proven to have for the reason to be given."""

Names = dict[Reason, Collection[Cell]]
"""Reasons, each with the moves that it applies to."""


class Observations(NamedTuple):
    """What can be seen in a position before anything is proven.

    `names` are the reasons that seem to apply to moves; `threats` are the moves that threaten to
    win next. If `goes_by_lines`, open lines tell equally good moves apart.
    """

    names: Mapping[Reason, Collection[Cell]]
    threats: Collection[Cell]
    goes_by_lines: bool = False


@singledispatch
def look_at(board: Board) -> Observations:
    """What can be seen in a position without a proof; variants register their own versions."""
    rules = _rules_of_3x3(board) if board.rules == TIC_TAC_TOE else _rules(board)
    return Observations(dict(rules), _threats(board, board.to_move), goes_by_lines=True)


def look_one_ply(board: Board) -> Observations:
    """A version of `look_at` for any game, by trying each move."""
    own = board.to_move
    names = {
        Reason.WIN: board.winning_cells(own),
        Reason.OWN_LINE: board.losing_cells(),
        Reason.BLOCK: board.forced_cells(),
    }
    after = {cell: board.result(cell) for cell in board.actions()}
    return Observations(names, {cell for cell in after if after[cell].winning_cells(own)})


def names_of(board: Board, worths: Mapping[Cell, Worth]) -> Names:
    """The reasons that apply to the moves of a position, except those about their replies."""
    look = look_at(board)
    names: Names = {
        name: [c for c, w in worths.items() if c in cells and w.value is _NEEDS.get(name, w.value)]
        for name, cells in look.names.items()
    }
    if wins := look.names[Reason.WIN]:
        names[Reason.MISSED_WIN] = [cell for cell in worths if cell not in wins]
    return names | dict(_proven(board, worths, look))


def reason_among(action: Cell, names: Names, losing: int = 0, replies: int = 0) -> Reason | None:
    """The most telling reason that applies to a move; None if none does.

    The opponent has `replies` replies, of which `losing` lose soon.
    """
    true = {name for name, cells in names.items() if action in cells}
    if losing:
        most = losing > replies - losing
        true.add(Reason.MOST_REPLIES_LOSE if most else Reason.SOME_REPLIES_LOSE)
    return next((name for name in Reason if name in true), None)


def rule_moves(board: Board) -> tuple[Reason, tuple[Cell, ...]]:
    """The first of Newell and Simon's rules for 3x3 that applies, and the moves it allows.

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
    yield Reason.WIN, board.winning_cells(own)
    yield Reason.BLOCK, board.forced_cells()
    yield Reason.FORK, _double_threats(board, own)
    yield Reason.BLOCK_FORK, _blocks_of_forks(board)
    yield Reason.CENTRE, tuple(cell for cell in free if cell == _CENTRE)
    opposite = (cell for cell in free if cell in _CORNERS and board[8 - cell] is other)
    yield Reason.OPPOSITE_CORNER, tuple(opposite)
    yield Reason.CORNER, tuple(cell for cell in free if cell in _CORNERS)
    yield Reason.SIDE, tuple(cell for cell in free if cell in _SIDES)


def _blocks_of_forks(board: Board) -> tuple[Cell, ...]:
    """The moves against forks: take a lone one; against several, make a threat if possible."""
    forks = _double_threats(board, board.to_move.other)
    if len(forks) < 2:
        return forks
    busy = (cell for cell in board.actions() if _keeps_busy(board, cell))
    return tuple(busy) or forks


def _keeps_busy(board: Board, cell: Cell) -> bool:
    """Whether a move threatens to win, and blocking that is not itself a fork."""
    after = board.result(cell)
    threats = after.winning_cells(board.to_move)
    return bool(threats) and threats[0] not in _double_threats(after, after.to_move)


def _rules(board: Board) -> Iterator[_Rule]:
    """The reasons that seem to apply on boards of any size, with their moves."""
    own, other = board.to_move, board.to_move.other
    yield Reason.WIN, board.winning_cells(own)
    yield Reason.BLOCK, board.forced_cells()
    yield Reason.DOUBLE_THREAT, _double_threats(board, own)
    if feared := set(_double_threats(board, other)):
        left = {cell: _double_threats(board.result(cell), other) for cell in board.actions()}
        yield Reason.BLOCK_DOUBLE_THREAT, tuple(c for c in left if feared.isdisjoint(left[c]))


def _double_threats(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells that would give a player two new cells to complete a line on: forks."""
    return _threats(board, mark, at_least=2)


def _threats(board: Board, mark: Mark, at_least: int = 1) -> tuple[Cell, ...]:
    """The free cells that would give a player so many new cells to complete a line on."""
    pairs = {line for line in open_lines(board, mark) if line.bit_count() == 2}
    return tuple(c for c in board.actions() if sum(p >> c & 1 for p in pairs) >= at_least)


def _proven(
    board: Board, worths: Mapping[Cell, Worth], look: Observations
) -> Iterator[tuple[Reason, Collection[Cell]]]:
    """The reasons that follow from the proven worths, with their moves."""
    best = max(worths.values(), key=lambda worth: worth.rank)
    of = {value: [c for c, worth in worths.items() if worth.value is value] for value in Value}
    threats = set(look.threats)
    yield Reason.FORCED_SEQUENCE, threats.intersection(of[Value.WIN])
    yield Reason.QUIET_WIN, of[Value.WIN]
    if best.value is Value.WIN:
        yield Reason.THROWN_WIN, of[Value.DRAW]
        return
    equal = [cell for cell, worth in worths.items() if worth.rank == best.rank]
    if not look.names[Reason.BLOCK]:  # who has to block has no time to threaten
        yield Reason.THREAT, threats.intersection(equal)
    if best.value is Value.LOSS:
        yield Reason.LONGEST_DEFENCE, equal
        return
    if len(equal) == 1 < len(worths):
        yield Reason.ONLY_MOVE, equal
    if look.goes_by_lines:
        yield _lines(board, equal)


def _lines(board: Board, cells: list[Cell]) -> tuple[Reason, Collection[Cell]]:
    """The moves on the most lines open to the player, or else the opponent, with that reason."""
    for name, mark in (
        (Reason.OPEN_LINES, board.to_move),
        (Reason.CLOSED_LINES, board.to_move.other),
    ):
        through = lines_through(board, mark)
        if most := max(through[cell] for cell in cells):
            return name, [cell for cell in cells if through[cell] == most]
    return Reason.NOTHING_LEFT, cells


def lines_through(board: Board, mark: Mark) -> dict[Cell, int]:
    """How many lines through each free cell a player can still complete."""
    lines = open_lines(board, mark)
    return {cell: sum(line >> cell & 1 for line in lines) for cell in board.actions()}

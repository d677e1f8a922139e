"""Alpha-beta as a list of events, to be stepped through; and game trees small enough to draw."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any, NamedTuple

from engine.alphabeta import Game
from engine.board import Board, Mark
from engine.rules import Cell
from engine.solver import solver_of

MOST_EVENTS = 500
"""A trace is no longer: nobody steps through more."""

MOST_LEAVES = 6
"""In a picture with more of them, the boards are unreadable on a phone."""

_MAX_FREE_CELLS = 4
"""With more free cells, a tree has more than `MOST_LEAVES` leaves."""

UNKNOWN = "?"
"""What is shown in place of a value of which nothing is known."""

_PLIES = 2
"""How deep a `SolvedBelow` is searched."""

Path = tuple[Any, ...]
"""The actions that lead from the root of a tree to a node."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a game tree; `utility` is what best play leads to from there."""

    state: Game[Any]
    action: Any
    utility: int
    children: tuple[Node, ...]

    def walk(self) -> Iterator[Node]:
        """All nodes of the tree from here on, in pre-order."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def chosen(self) -> Node | None:
        """The child that max or min picks: the first of the best; None when the game is over."""
        for child in self.children:
            if child.utility == self.utility:
                return child
        return None


def game_tree(state: Game[Any], action: Any = None) -> Node:
    """The whole tree of a position, which should be near the end of the game."""
    if state.is_terminal:
        return Node(state, action, state.utility, ())
    children = tuple(game_tree(state.result(move), move) for move in state.actions())
    best = max if state.to_move is Mark.X else min
    return Node(state, action, best(child.utility for child in children), children)


def small_tree(board: Board) -> Node | None:
    """The whole tree of a 3x3 position, if it is small enough for a picture; otherwise None."""
    if not board.rules.is_small or len(board.actions()) > _MAX_FREE_CELLS:
        return None
    return game_tree(board) if leaf_count(board) <= MOST_LEAVES else None


def leaf_count(state: Game[Any]) -> int:
    """How many leaves the tree of a position has."""
    if state.is_terminal:
        return 1
    return sum(leaf_count(state.result(action)) for action in state.actions())


@dataclass(frozen=True, slots=True)
class Numbers:
    """A game tree of bare numbers: `content` is a leaf's, as X sees it, or the subtrees."""

    content: int | tuple[Numbers, ...]
    to_move: Mark = Mark.X

    @classmethod
    def of(cls, branches: Sequence[Sequence[int]]) -> Numbers:
        """Max over branches of min over leaves."""
        leaves = (tuple(map(cls, branch)) for branch in branches)
        return cls(tuple(cls(branch, Mark.O) for branch in leaves))

    def actions(self) -> Sequence[int]:
        return () if isinstance(self.content, int) else range(len(self.content))

    def result(self, action: int, /) -> Numbers:
        assert not isinstance(self.content, int), "a leaf has no children"
        return self.content[action]

    @property
    def is_terminal(self) -> bool:
        return isinstance(self.content, int)

    @property
    def utility(self) -> int:
        assert isinstance(self.content, int), "only a leaf has a number"
        return self.content


@dataclass(frozen=True, slots=True)
class SolvedBelow:
    """A position that is searched for two plies; the solver says what each leaf is worth."""

    board: Board
    plies: int = _PLIES

    @property
    def to_move(self) -> Mark:
        return self.board.to_move

    def actions(self) -> Sequence[Cell]:
        return self.board.actions()

    def result(self, action: Cell, /) -> SolvedBelow:
        return SolvedBelow(self.board.result(action), self.plies - 1)

    @property
    def is_terminal(self) -> bool:
        return self.plies == 0 or self.board.is_terminal

    @property
    def utility(self) -> int:
        if self.board.is_terminal:
            return self.board.utility
        return solver_of(self.board.rules).worth(self.board).value.utility(self.to_move)


def watchable(board: Board) -> Board | SolvedBelow:
    """What a search of a position is shown on: its tree if that is small, or else two plies."""
    return board if small_tree(board) else SolvedBelow(board)


class EventKind(Enum):
    """What a search does at a node: arrive, read a leaf, take a child's value, or cut the rest."""

    VISIT = "visit"
    LEAF = "leaf"
    BETTER = "better"
    NO_BETTER = "no better"
    CUT = "cut"


PROGRAM: Mapping[Mark, Sequence[str]] = {
    Mark.X: (
        "if leaf: return number",
        "for v in child_values:",
        " alpha = max(alpha, v)",
        " if alpha >= beta: break",
        "return alpha",
    ),
    Mark.O: (
        "if leaf: return number",
        "for v in child_values:",
        " beta = min(beta, v)",
        " if alpha >= beta: break",
        "return beta",
    ),
}
"""Alpha-beta in five lines, short enough for a phone: where X chooses, and where O does.

The values of the children are computed one by one, as the loop asks for them.
"""

LINES: Mapping[EventKind, int] = {
    EventKind.LEAF: 0,
    EventKind.VISIT: 1,
    EventKind.BETTER: 2,
    EventKind.NO_BETTER: 2,
    EventKind.CUT: 3,
}
"""The line of `PROGRAM` that does it, from 0 on."""


class Event(NamedTuple):
    """One step of a search, at the node that `path` leads to.

    `alpha` and `beta` are what X and O have secured, after it. The node's utility is known to be
    at `least` and at most `greatest`; of a leaf both are its number. `unread` counts the children
    that are left.
    """

    kind: EventKind
    path: Path
    alpha: float
    beta: float
    least: float = -math.inf
    greatest: float = math.inf
    unread: int = 0


Bounds = tuple[float, float]
"""The least and the greatest value that a node can have, after what was read of it."""


def trace(root: Game[Any]) -> tuple[Event, ...]:
    """What alpha-beta does, one event after the other; `MOST_EVENTS` at most.

    It is the textbook's: utilities alone, moves in the game's order, and the remaining moves are
    cut off once alpha >= beta.
    """
    return tuple(islice(_search(root, (), -math.inf, math.inf), MOST_EVENTS))


def _search(
    state: Game[Any], path: Path, alpha: float, beta: float
) -> Generator[Event, None, Bounds]:
    """Yield the events of a subtree; return the bounds of its value."""
    if state.is_terminal:
        yield Event(EventKind.LEAF, path, alpha, beta, state.utility, state.utility)
        return state.utility, state.utility
    unread = [*state.actions()]
    yield Event(EventKind.VISIT, path, alpha, beta, unread=len(unread))
    best = max if state.to_move is Mark.X else min
    read: list[Bounds] = []
    least, greatest = -math.inf, math.inf
    while unread:
        if alpha >= beta:
            yield Event(EventKind.CUT, path, alpha, beta, least, greatest, len(unread))
            break
        action = unread.pop(0)
        read.append((yield from _search(state.result(action), (*path, action), alpha, beta)))
        known = [*read, (-math.inf, math.inf)] if unread else read  # the unread may be anything
        least, greatest = (best(ends) for ends in zip(*known, strict=True))
        before = alpha, beta
        if state.to_move is Mark.X:
            alpha = max(alpha, least)
        else:
            beta = min(beta, greatest)
        kind = EventKind.NO_BETTER if (alpha, beta) == before else EventKind.BETTER
        yield Event(kind, path, alpha, beta, least, greatest, len(unread))
    return least, greatest


def known_bounds(events: Sequence[Event]) -> dict[Path, Bounds]:
    """What is known of each node that was read."""
    return {event.path: (event.least, event.greatest) for event in events}


def cut_paths(events: Sequence[Event]) -> set[Path]:
    """The nodes below which the rest was cut off."""
    return {event.path for event in events if event.kind is EventKind.CUT}


def move_name(root: Game[Any], path: Path) -> str:
    """The move that a path ends with: a cell such as B2, or a branch a and its second leaf a2."""
    if isinstance(root, Numbers):
        branch, *leaf = path
        return chr(ord("a") + branch) + "".join(str(index + 1) for index in leaf)
    board = root.board if isinstance(root, SolvedBelow) else root
    assert isinstance(board, Board), "only trees of numbers and of boards are shown"
    return board.rules.coordinate(path[-1])


def bounds_text(bounds: Bounds, *, signed: bool) -> str:
    """What is known of a value: a number or, where not everything was read, a bound."""
    least, greatest = bounds
    if least == greatest:
        return number_text(least, signed=signed)
    if math.isinf(least) and math.isinf(greatest):
        return UNKNOWN
    if math.isinf(greatest):
        return f"≥{number_text(least, signed=signed)}"
    return f"≤{number_text(greatest, signed=signed)}"


def number_text(value: float, *, signed: bool) -> str:
    """A number as trees show it; `signed` ones, as of boards, have a plus."""
    return f"{value:+.0f}" if signed and value else f"{value:.0f}"

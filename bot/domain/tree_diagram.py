"""Diagrams of searches: trees of boards or of numbers, and large boards with texts in their cells.

`bot.views.tree_picture` draws them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from engine import (
    UNKNOWN,
    Board,
    Cell,
    Event,
    Mark,
    Node,
    Numbers,
    Path,
    SolvedBelow,
    bounds_text,
    cut_paths,
    game_tree,
    known_bounds,
    number_text,
)

CUT_SIGN = "//"
"""What stands in the cells of moves that are cut off, as textbooks mark it on a branch."""


class NodeStyle(Enum):
    """How a node is drawn: like the others, with a ring, greyed, or not at all."""

    PLAIN = "plain"
    CURRENT = "current"
    UNREAD = "unread"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """A node of a tree: its board, or None in a tree of numbers; its caption; what is below.

    `to_move` is None where nobody is; `is_chosen` says that max or min chooses this move.
    """

    board: Board | None
    to_move: Mark | None
    action: Cell | None = None
    caption: str = ""
    style: NodeStyle = NodeStyle.PLAIN
    is_chosen: bool = False
    children: tuple[DiagramNode, ...] = ()

    def walk(self) -> Iterator[DiagramNode]:
        """The nodes from this one on, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class LabelledBoard:
    """A large board, with texts in free cells, a cell with a ring, and a caption below."""

    board: Board
    texts: tuple[tuple[Cell, str], ...] = ()
    current: Cell | None = None
    caption: str = ""


Diagram = DiagramNode | tuple[LabelledBoard, ...]
"""A tree, or boards, one beside the other; none if there is nothing to draw."""


@dataclass(frozen=True, slots=True)
class _Look:
    """How the nodes of a tree are drawn, by their paths.

    Attributes:
        captions: The captions.
        styles: The styles that are not PLAIN.
        chosen: The nodes that max or min chooses.
    """

    captions: Mapping[Path, str]
    styles: Mapping[Path, NodeStyle]
    chosen: Collection[Path] = ()

    def diagram(self, node: Node, path: Path = ()) -> DiagramNode:
        state = node.state
        return DiagramNode(
            board=state if isinstance(state, Board) else None,
            to_move=None if state.is_terminal else state.to_move,
            action=node.action,
            caption=self.captions.get(path, ""),
            style=self.styles.get(path, NodeStyle.PLAIN),
            is_chosen=path in self.chosen,
            children=tuple(self.diagram(child, (*path, child.action)) for child in node.children),
        )


def _paths(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Each node of a tree with its path, in reading order."""
    yield path, node
    for child in node.children:
        yield from _paths(child, (*path, child.action))


def tree_diagram(tree: Node, path: Path) -> DiagramNode:
    """A tree without values, with a ring at the position at `path`."""
    return _Look({}, {path: NodeStyle.CURRENT}).diagram(tree)


def values_diagram(tree: Node, path: Path, *, is_answered: bool) -> DiagramNode:
    """A tree with its values; that of the position at `path` is the question.

    What is above it is asked later.
    """
    captions: dict[Path, str] = {}
    chosen: set[Path] = set()
    for below, node in _paths(tree):
        is_above = below != path and path[: len(below)] == below
        if is_above or (below == path and not is_answered):
            captions[below] = "" if is_above else UNKNOWN
            continue
        captions[below] = number_text(node.utility, signed=True)
        if node.chosen is not None:
            chosen.add((*below, node.chosen.action))
    return _Look(captions, {path: NodeStyle.CURRENT}, chosen).diagram(tree)


def search_diagram(
    root: Board | Numbers | SolvedBelow, events: Sequence[Event], *, is_over: bool = False
) -> Diagram:
    """What alpha-beta has read so far, and where it is, unless the search `is_over`."""
    if isinstance(root, SolvedBelow):
        return _two_boards(root, events)
    known, cut = known_bounds(events), cut_paths(events)
    signed = isinstance(root, Board)
    captions = {path: bounds_text(bounds, signed=signed) for path, bounds in known.items()}
    styles: dict[Path, NodeStyle] = {}
    tree = game_tree(root)
    for path, _node in _paths(tree):
        if path not in known:
            is_cut = any(path[:length] in cut for length in range(len(path)))
            styles[path] = NodeStyle.CUT if is_cut else NodeStyle.UNREAD
    if not is_over:
        styles[events[-1].path] = NodeStyle.CURRENT
    return _Look(captions, styles).diagram(tree)


def _two_boards(root: SolvedBelow, events: Sequence[Event]) -> tuple[LabelledBoard, ...]:
    """The position with what its moves are worth, and beside it a move with its replies."""
    known, path = known_bounds(events), events[-1].path
    left = _labelled(root.board, (), known, path[0] if path else None)
    move = next((event.path[:1] for event in reversed(events) if event.path), None)
    if move is None:
        return (left,)
    board = root.board.result(move[0])
    right = _labelled(board, move, known, path[1] if len(path) > 1 else None)
    if move in cut_paths(events):
        read = {cell for cell, _text in right.texts}
        cut = [(cell, CUT_SIGN) for cell in board.actions() if cell not in read]
        right = replace(right, texts=(*right.texts, *cut))
    return left, right


def _labelled(
    board: Board, path: Path, known: Mapping[Path, tuple[float, float]], current: Cell | None
) -> LabelledBoard:
    children = {cell: known[*path, cell] for cell in board.actions() if (*path, cell) in known}
    texts = tuple((cell, bounds_text(ends, signed=True)) for cell, ends in children.items())
    ends = known.get(path, (-math.inf, math.inf))
    name = "" if board.is_terminal else "max " if board.to_move is Mark.X else "min "
    return LabelledBoard(board, texts, current, name + bounds_text(ends, signed=True))

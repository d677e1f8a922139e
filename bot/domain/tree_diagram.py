"""Diagrams of game trees: boards with captions, joined by branches.

`bot.views.tree_picture` draws them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from engine import Board, Cell, Node, Verdict

CUT_OFF_NAME = "a"
READ_NEXT_NAME = "b"
UNREAD_NAMES = (CUT_OFF_NAME, READ_NEXT_NAME)
"""The names of two unread branches in a diagram: the one that is cut off, and the one read next."""

UNKNOWN_VALUE = "?"


class NodeStyle(Enum):
    """How a board is drawn: like the others, with a ring around it, or greyed."""

    PLAIN = "plain"
    CURRENT = "current"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """A board in a diagram, the move that led to it, and the boards below.

    `is_chosen` says that max or min chooses this move.
    """

    board: Board
    action: Cell | None = None
    captions: tuple[str, ...] = ()
    style: NodeStyle = NodeStyle.PLAIN
    is_chosen: bool = False
    children: tuple[DiagramNode, ...] = ()

    def walk(self) -> Iterator[DiagramNode]:
        """The nodes from this one on, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def without_values(self) -> DiagramNode:
        """The same boards without captions and chosen moves."""
        children = tuple(child.without_values() for child in self.children)
        return replace(self, captions=(), is_chosen=False, children=children)


Path = tuple[Cell | None, ...]
"""The moves that lead from the root of a tree to a board."""


@dataclass(frozen=True, slots=True)
class _Annotations:
    """What a diagram of a tree shows besides values, and what is cut off in grey.

    Attributes:
        captions: Texts in place of values, and of the moves chosen there.
        names: Further texts.
        unread: Boards that have not been read yet: no value, and nothing below.
        current: Boards with a ring.
    """

    captions: Mapping[Path, str] = field(default_factory=dict)
    names: Mapping[Path, str] = field(default_factory=dict)
    unread: Collection[Path] = ()
    current: Collection[Path] = ()

    def diagram(self, node: Node, path: Path = ()) -> DiagramNode:
        """The diagram of a tree, from the node at `path` on."""
        captions = tuple(filter(None, [*self._values(node, path), self.names.get(path)]))
        if path in self.unread:
            return DiagramNode(node.board, node.action, captions)
        chosen = None if path in self.captions or node.is_cut else node.chosen
        children = tuple(
            replace(
                self.diagram(child, (*path, child.action)),
                is_chosen=child is chosen and not child.is_cut,
            )
            for child in node.children
        )
        style = NodeStyle.CURRENT if path in self.current else NodeStyle.PLAIN
        style = NodeStyle.CUT if node.is_cut else style
        return DiagramNode(node.board, node.action, captions, style, children=children)

    def _values(self, node: Node, path: Path) -> Iterator[str]:
        if path in self.captions:
            yield self.captions[path]
        elif path not in self.unread and not node.is_cut:
            yield signed(node.utility)
            if _is_cut_below(node):
                yield from (_alpha(node.alpha), _beta(node.beta))


def walk_diagram(tree: Node, path: Path, *, is_answered: bool) -> DiagramNode:
    """A tree around the position at `path`, whose value is the question.

    What is above it is asked later.
    """
    captions = {path[:ply]: "" for ply in range(len(path))}
    if not is_answered:
        captions[path] = UNKNOWN_VALUE
    return _Annotations(captions, current={path}).diagram(_without_cuts(tree))


def _without_cuts(node: Node) -> Node:
    return replace(node, is_cut=False, children=tuple(map(_without_cuts, node.children)))


def one_level_diagram(
    board: Board, verdicts: Sequence[Verdict], chosen: Cell, *, is_answered: bool
) -> DiagramNode:
    """A position and its children with their values; once answered, also with its own value."""
    values = {verdict.action: signed(verdict.utility) for verdict in verdicts}
    children = tuple(
        DiagramNode(board.result(cell), cell, (value,), is_chosen=is_answered and cell == chosen)
        for cell, value in sorted(values.items())
    )
    caption = values[chosen] if is_answered else UNKNOWN_VALUE
    return DiagramNode(board, captions=(caption,), style=NodeStyle.CURRENT, children=children)


def alpha_diagram(tree: Node, *, is_answered: bool) -> DiagramNode:
    """The children of the root that are read before the first cut; the question is alpha."""
    read = _without_last_children(tree, keep=0)
    if is_answered:
        return _Annotations({(): _alpha(first_cut(tree).alpha)}).diagram(read)
    questions: list[Path] = [(child.action,) for child in read.children]
    captions = dict.fromkeys([(), *questions], UNKNOWN_VALUE)
    return _Annotations(captions, current=questions).diagram(read)


def beta_diagram(tree: Node, *, is_answered: bool) -> DiagramNode:
    """The tree as far as it is read before the first cut; the question is beta."""
    cut_node = first_cut(tree)
    here: Path = (cut_node.action,)
    beta = _beta(cut_node.beta) if is_answered else UNKNOWN_VALUE
    annotations = _Annotations(
        captions={(): _alpha(cut_node.alpha), here: beta},
        unread=[(*here, reply.action) for reply in cut_node.children if reply.is_cut],
        current={here},
    )
    return annotations.diagram(_without_last_children(tree, keep=1))


def half_read_diagram(tree: Node) -> DiagramNode:
    """A tree at the moment of its first cut: what was read, and two `UNREAD_NAMES` branches."""
    names = _unread_branches(tree)
    here: Path = (first_cut(tree).action,)
    captions = dict.fromkeys([(), here], UNKNOWN_VALUE)
    annotations = _Annotations(captions, names, unread=names, current={here})
    return annotations.diagram(_without_last_children(tree, keep=2))


def answered_diagram(tree: Node) -> DiagramNode:
    """The tree of `half_read_diagram` once alpha-beta is done, with the same names."""
    return _Annotations(names=_unread_branches(tree)).diagram(tree)


def pruned_diagram(tree: Node) -> DiagramNode:
    """A tree as alpha-beta searches it, with what is cut off greyed."""
    return _Annotations().diagram(tree)


def first_cut(tree: Node) -> Node:
    """The first node of a tree, in reading order, below which alpha-beta cuts."""
    return next(node for node in tree.walk() if _is_cut_below(node))


def _is_cut_below(node: Node) -> bool:
    return not node.is_cut and any(child.is_cut for child in node.children)


def _without_last_children(tree: Node, *, keep: int) -> Node:
    """A tree with the root's children before the node of the first cut, and `keep` from it on."""
    return replace(tree, children=tree.children[: tree.children.index(first_cut(tree)) + keep])


def _unread_branches(tree: Node) -> dict[Path, str]:
    """The names of the board that is cut off first, and of the one that is read next."""
    cut_node = first_cut(tree)
    cut_off = next(reply for reply in cut_node.children if reply.is_cut)
    read_next = tree.children[tree.children.index(cut_node) + 1]
    return {(cut_node.action, cut_off.action): CUT_OFF_NAME, (read_next.action,): READ_NEXT_NAME}


def _alpha(alpha: float) -> str:
    return f"alpha {signed(alpha)}"


def _beta(beta: float) -> str:
    return f"beta {signed(beta)}"


def signed(value: float) -> str:
    """A value as captions and answers show it: +1, 0 or -1."""
    return f"{value:+.0f}" if value else "0"

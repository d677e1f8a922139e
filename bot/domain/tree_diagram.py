"""Diagrams of game trees: boards with captions, joined by branches.

`bot.services.tree_picture` draws them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Diagram:
    """A diagram's root, and the PNG drawn of it."""

    root: DiagramNode
    png: bytes


def one_level_diagram(
    board: Board, verdicts: Sequence[Verdict], chosen: Cell, *, is_answered: bool
) -> DiagramNode:
    """A position and its children with their values; once answered, also with its own value."""
    values = {verdict.action: verdict.utility for verdict in verdicts}
    children = []
    for cell, value in sorted(values.items()):
        child = DiagramNode(board.result(cell), cell, captions=(signed(value),))
        children.append(replace(child, is_chosen=is_answered and cell == chosen))
    caption = signed(values[chosen]) if is_answered else UNKNOWN_VALUE
    return DiagramNode(
        board, captions=(caption,), style=NodeStyle.CURRENT, children=tuple(children)
    )


def alpha_diagram(tree: Node, *, is_answered: bool) -> DiagramNode:
    """The children of the root that are read before the first cut; the question is alpha."""
    before_cut = _children_before_cut(tree)
    children = tuple(pruned_diagram(child) for child in before_cut)
    if is_answered:
        caption = _alpha_caption(max(child.utility for child in before_cut))
        return DiagramNode(tree.board, captions=(caption,), children=children)
    questions = tuple(_without_value(child) for child in children)
    return DiagramNode(tree.board, captions=(UNKNOWN_VALUE,), children=questions)


def _without_value(node: DiagramNode) -> DiagramNode:
    """A node whose value is the question: neither it nor the move that leads to it is shown."""
    replies = tuple(replace(reply, is_chosen=False) for reply in node.children)
    return replace(node, captions=(UNKNOWN_VALUE,), style=NodeStyle.CURRENT, children=replies)


def beta_diagram(tree: Node, *, is_answered: bool) -> DiagramNode:
    """The tree as far as it is read before the first cut; the question is beta."""
    before_cut = _children_before_cut(tree)
    cut_node = first_cut(tree)
    replies = tuple(
        DiagramNode(reply.board, reply.action) if reply.is_cut else pruned_diagram(reply)
        for reply in cut_node.children
    )
    beta = _beta_caption(cut_node.beta) if is_answered else UNKNOWN_VALUE
    current = _current_node(cut_node, beta, replies)
    children = [pruned_diagram(child) for child in before_cut]
    alpha = _alpha_caption(max(child.utility for child in before_cut))
    return DiagramNode(tree.board, captions=(alpha,), children=(*children, current))


def half_read_diagram(tree: Node) -> DiagramNode:
    """A tree at the moment of its first cut: what was read, and two `UNREAD_NAMES` branches."""
    names = _unread_branches(tree)

    def named_or_read(node: Node) -> DiagramNode:
        if node.board in names:
            return DiagramNode(node.board, node.action, captions=(names[node.board],))
        return pruned_diagram(node)

    before_cut = _children_before_cut(tree)
    cut_node = first_cut(tree)
    read_next = tree.children[len(before_cut) + 1]
    replies = tuple(named_or_read(reply) for reply in cut_node.children)
    children = (
        *(named_or_read(child) for child in before_cut),
        _current_node(cut_node, UNKNOWN_VALUE, replies),
        named_or_read(read_next),
    )
    return DiagramNode(tree.board, captions=(UNKNOWN_VALUE,), children=children)


def answered_diagram(tree: Node) -> DiagramNode:
    """The tree of `half_read_diagram` once alpha-beta is done, with the same names."""
    return pruned_diagram(tree, _unread_branches(tree))


def pruned_diagram(node: Node, names: Mapping[Board, str] | None = None) -> DiagramNode:
    """A tree as alpha-beta searches it, with what is cut off greyed; `names` are more captions."""
    names = names or {}
    chosen = None if node.is_cut else node.chosen
    children = tuple(
        replace(pruned_diagram(child, names), is_chosen=child is chosen and not child.is_cut)
        for child in node.children
    )

    captions = []
    if not node.is_cut:
        captions.append(signed(node.utility))
    if _is_cut_below(node):
        captions += [_alpha_caption(node.alpha), _beta_caption(node.beta)]
    if node.board in names:
        captions.append(names[node.board])

    style = NodeStyle.CUT if node.is_cut else NodeStyle.PLAIN
    return DiagramNode(node.board, node.action, tuple(captions), style, children=children)


def first_cut(tree: Node) -> Node:
    """The first node of a tree, in reading order, below which alpha-beta cuts."""
    return next(node for node in tree.walk() if _is_cut_below(node))


def _is_cut_below(node: Node) -> bool:
    return not node.is_cut and any(child.is_cut for child in node.children)


def _children_before_cut(tree: Node) -> Sequence[Node]:
    """The children of the root that are read before the one that `first_cut` finds."""
    return tree.children[: tree.children.index(first_cut(tree))]


def _unread_branches(tree: Node) -> dict[Board, str]:
    """The names of the board that is cut off first, and of the one that is read next."""
    cut_node = first_cut(tree)
    cut_off = next(reply for reply in cut_node.children if reply.is_cut)
    read_next = tree.children[tree.children.index(cut_node) + 1]
    return {cut_off.board: CUT_OFF_NAME, read_next.board: READ_NEXT_NAME}


def _current_node(node: Node, caption: str, children: tuple[DiagramNode, ...]) -> DiagramNode:
    return DiagramNode(
        node.board,
        node.action,
        captions=(caption,),
        style=NodeStyle.CURRENT,
        children=children,
    )


def _alpha_caption(alpha: float) -> str:
    return f"alpha {signed(alpha)}"


def _beta_caption(beta: float) -> str:
    return f"beta {signed(beta)}"


def signed(value: float) -> str:
    """A value as captions and answers show it: +1, 0 or -1."""
    return f"{value:+.0f}" if value else "0"

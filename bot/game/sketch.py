"""What a picture of a game tree shows: boards and their captions, the same in every language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from bot.game.learn import Chapter, LearnPage
from engine import Board, Cell, Node, Verdict, small_tree

UNREAD = ("a", "b")
"""The names of two unread branches in a picture: the one that is cut, and the one read next."""
UNKNOWN = "?"
NO_NAMES: Mapping[Board, str] = {}


class Look(Enum):
    """How a board is drawn: like the others, with a ring around it, or greyed."""

    PLAIN = "plain"
    HERE = "here"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Sketch:
    """A board, the move that led to it, and the boards below; `is_taken` if it is chosen."""

    board: Board
    made: Cell | None = None
    captions: tuple[str, ...] = ()
    look: Look = Look.PLAIN
    is_taken: bool = False
    children: tuple[Sketch, ...] = ()

    def walk(self) -> Iterator[Sketch]:
        """The boards from this one on, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class Picture:
    """A sketch, and the PNG drawn of it."""

    sketch: Sketch
    png: bytes


def walk_sketch(page: LearnPage, verdicts: Sequence[Verdict]) -> Sketch | None:
    """The tree around the position that was walked to, as large as fits a picture; None off 3x3.

    `verdicts` judge the moves from that position.
    """
    if not page.board.rules.is_small:
        return None
    for start, above in enumerate(page.boards):
        if tree := small_tree(above):
            return _walked(tree, page.path[start:], page)
    chosen = first_found(verdicts)
    sketch = level_sketch(page.board, verdicts, chosen, is_told=page.answer is not None)
    if page.chapter is Chapter.NUMBERS:
        return sketch
    children = tuple(replace(child, captions=()) for child in sketch.children)
    return replace(sketch, captions=(), children=children)


def first_found(verdicts: Sequence[Verdict]) -> Cell:
    """The first in reading order of the moves with the best value: what plain minimax chooses."""
    most = verdicts[0].worth.value
    return min(verdict.action for verdict in verdicts if verdict.worth.value is most)


def level_sketch(
    board: Board, verdicts: Sequence[Verdict], chosen: Cell, *, is_told: bool
) -> Sketch:
    """A position and its children with their values; `is_told` adds its own and marks `chosen`."""
    numbers = {made.action: made.worth.value.utility(made.mark) for made in verdicts}
    children = tuple(
        Sketch(board.result(cell), cell, (_signed(n),), is_taken=is_told and cell == chosen)
        for cell, n in sorted(numbers.items())
    )
    caption = _signed(numbers[chosen]) if is_told else UNKNOWN
    return Sketch(board, None, (caption,), Look.HERE, children=children)


def _walked(node: Node, path: Sequence[Cell], page: LearnPage, *, above: bool = True) -> Sketch:
    """`above` says that the path leads through `node` or ends there: its value is asked for."""
    numbered, is_here = page.chapter is Chapter.NUMBERS, above and not path
    shows = numbered and (not above or (is_here and page.answer is not None))
    captions = (_signed(node.value),) if shows else (UNKNOWN,) if numbered and is_here else ()
    children = []
    for child in node.children:
        leads_on = above and bool(path) and child.action == path[0]
        below = _walked(child, path[1:] if leads_on else (), page, above=leads_on)
        children.append(replace(below, is_taken=shows and child is node.chosen))
    look = Look.HERE if is_here else Look.PLAIN
    return Sketch(node.board, node.action, captions, look, children=tuple(children))


def first_cut(tree: Node) -> Node:
    """The first node of a tree, in reading order, below which alpha-beta cuts."""
    return next(
        node
        for node in tree.walk()
        if not node.is_cut and any(child.is_cut for child in node.children)
    )


def half_read_sketch(tree: Node) -> Sketch:
    """A tree at the moment of its first cut: what was read, and the two `UNREAD` branches."""
    parent = first_cut(tree)
    after = tree.children.index(parent) + 1
    names = _names(tree)

    def sketch(child: Node) -> Sketch:
        name = names.get(child.board)
        return Sketch(child.board, child.action, (name,)) if name else pruned_sketch(child)

    below = tuple(map(sketch, parent.children))
    here = Sketch(parent.board, parent.action, (UNKNOWN,), Look.HERE, children=below)
    children = tuple(
        here if child is parent else sketch(child) for child in tree.children[: after + 1]
    )
    return Sketch(tree.board, captions=(UNKNOWN,), children=children)


def told_sketch(tree: Node) -> Sketch:
    """The tree of `half_read_sketch` once alpha-beta is done, with the same names."""
    return pruned_sketch(tree, _names(tree))


def _names(tree: Node) -> dict[Board, str]:
    """The `UNREAD` names of the board that is cut first, and of the one that is read next."""
    parent = first_cut(tree)
    cut = next(child for child in parent.children if child.is_cut)
    return {cut.board: UNREAD[0], tree.children[tree.children.index(parent) + 1].board: UNREAD[1]}


def pruned_sketch(node: Node, names: Mapping[Board, str] = NO_NAMES) -> Sketch:
    """A tree as alpha-beta has searched it, with what was cut greyed."""
    taken = None if node.is_cut else node.chosen
    children = tuple(
        replace(pruned_sketch(child, names), is_taken=child is taken and not child.is_cut)
        for child in node.children
    )
    captions = [] if node.is_cut else [_signed(node.value)]
    if any(child.is_cut and not node.is_cut for child in node.children):
        captions += [f"alpha {_signed(node.alpha)}", f"beta {_signed(node.beta)}"]
    captions += [name for board, name in names.items() if board == node.board]
    look = Look.CUT if node.is_cut else Look.PLAIN
    return Sketch(node.board, node.action, tuple(captions), look, children=children)


def _signed(number: float) -> str:
    return f"{number:+.0f}" if number else "0"

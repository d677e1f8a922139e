"""What a picture of a game tree shows: boards, and what is written below them. No words in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from bot.game.learn import Chapter, LearnPage
from engine import Board, Cell, Node, Verdict, small_tree

UNREAD = ("a", "b")
"""How a picture names what is still to be read: a branch that is cut, and the next that is not."""
UNKNOWN = "?"
NO_NAMES: Mapping[Board, str] = {}


class Look(Enum):
    """How a board is drawn: like the others, with a ring around it, or greyed."""

    PLAIN = "plain"
    HERE = "here"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Sketch:
    """A board, the move that led to it, and the boards below it; `is_taken` by max or min."""

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
    """Where one has walked to in a tree, as much of it as can be shown; None off 3x3.

    `verdicts` are the moves that can be made there, judged.
    """
    if not page.board.rules.is_quick:
        return None
    for start, above in enumerate(page.boards):
        if tree := small_tree(above):
            return _walked(tree, page.path[start:], page)
    numbered = page.chapter is Chapter.NUMBERS
    chosen = first_found(verdicts)
    sketch = level_sketch(page.board, verdicts, chosen, is_told=page.answer is not None)
    return sketch if numbered else _without_captions(sketch)


def first_found(verdicts: Sequence[Verdict]) -> Cell:
    """The first in reading order of the moves worth most: what a search would come upon."""
    most = verdicts[0].worth.value
    return min(verdict.action for verdict in verdicts if verdict.worth.value is most)


def level_sketch(
    board: Board, verdicts: Sequence[Verdict], chosen: Cell, *, is_told: bool
) -> Sketch:
    """A position and those that can follow next, numbered; itself and the chosen once told."""
    numbers = {made.action: made.worth.value.utility(made.mark) for made in verdicts}
    children = tuple(
        Sketch(
            board.result(cell),
            cell,
            (_signed(numbers[cell]),),
            is_taken=is_told and cell == chosen,
        )
        for cell in sorted(numbers)
    )
    caption = _signed(numbers[chosen]) if is_told else UNKNOWN
    return Sketch(board, None, (caption,), Look.HERE, children=children)


def _without_captions(sketch: Sketch) -> Sketch:
    children = tuple(map(_without_captions, sketch.children))
    return replace(sketch, captions=(), children=children)


def _walked(node: Node, path: Sequence[Cell], page: LearnPage, *, above: bool = True) -> Sketch:
    """`above` says that the path leads through here, or ends here: its numbers are asked for."""
    numbered, is_here = page.chapter is Chapter.NUMBERS, above and not path
    caption = _signed(node.value) if numbered and not above else ""
    if numbered and is_here:
        caption = _asked(page, node.value)
    shows = numbered and (not above or (is_here and page.answer is not None))
    children = []
    for child in node.children:
        leads_on = above and bool(path) and child.action == path[0]
        below = _walked(child, path[1:] if leads_on else (), page, above=leads_on)
        children.append(replace(below, is_taken=shows and child is node.chosen))
    look = Look.HERE if is_here else Look.PLAIN
    return Sketch(
        node.board, node.action, (caption,) if caption else (), look, children=tuple(children)
    )


def _asked(page: LearnPage, number: int) -> str:
    return UNKNOWN if page.answer is None else _signed(number)


def first_cut(tree: Node) -> Node:
    """The position in a tree below which alpha-beta cuts something first."""
    return next(
        node
        for node in tree.walk()
        if not node.is_cut and any(child.is_cut for child in node.children)
    )


def half_read_sketch(tree: Node) -> Sketch:
    """A tree up to the first cut: what is read by then, and what might be read next."""
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
    """The same tree once all of it is read that alpha-beta reads."""
    return pruned_sketch(tree, _names(tree))


def _names(tree: Node) -> dict[Board, str]:
    """What is cut first, and what is read next instead."""
    parent = first_cut(tree)
    cut = next(child for child in parent.children if child.is_cut)
    return {cut.board: UNREAD[0], tree.children[tree.children.index(parent) + 1].board: UNREAD[1]}


def pruned_sketch(node: Node, names: Mapping[Board, str] = NO_NAMES) -> Sketch:
    """A tree as alpha-beta has read it, with what is cut greyed."""
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

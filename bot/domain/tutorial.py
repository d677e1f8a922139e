"""The tutorial on minimax: its pages, and what there is to show on each.

The later chapters have positions of their own; the tests state what each was chosen to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from itertools import accumulate

from bot.domain.ids import cells_of, letters_of
from engine import (
    Board,
    Cell,
    Glimpse,
    Node,
    Record,
    Rules,
    Search,
    Value,
    Verdict,
    Way,
    small_tree,
)

EXAMPLE = Record(moves=(6, 4, 7, 8, 5, 1))
"""A small tree with a win, a draw and a loss in it, and a win in what is cut."""

DAWDLING = Record(moves=(6, 4, 7, 5))
"""The first winning move is not the one that wins at once."""


class Chapter(IntEnum):
    """The chapters, in their order."""

    TREE = 1
    NUMBERS = 2
    PRUNING = 3
    SAVED = 4
    WAYS = 5
    SOONER = 6
    LIMIT = 7
    HORIZON = 8
    MIND = 9


IN_SIGHT: Mapping[Chapter, Record] = {
    Chapter.LIMIT: Record(Rules(4, 4, 3)),
    Chapter.HORIZON: Record(Rules(5, 5, 4), (5, 17, 1, 16, 2, 8)),
}
"""Positions for a depth-limited search. At depth 1 or 2, it throws the second one's win away."""

DEPTHS = (1, 2, 3)
"""The search depths to choose from on these positions, in plies."""

WALKED = (Chapter.TREE, Chapter.NUMBERS)

_MOST_ANSWERS = 3


@dataclass(frozen=True, slots=True)
class LearnPage:
    """A page of the lesson, which starts from the last position of `record`.

    `path` are the moves walked down from there; `answer` is the index of the choice pressed, be it
    the answer to a question or one of `DEPTHS`.
    """

    record: Record
    chapter: Chapter = Chapter.TREE
    path: tuple[Cell, ...] = ()
    answer: int | None = None

    def __str__(self) -> str:
        """Without path and answer, the text is that of the releases that had neither."""
        path = letters_of(self.path)
        answer = "" if self.answer is None else self.answer
        more = f":{path}:{answer}" if path or self.answer is not None else ""
        return f"learn:{self.record.code}:{self.chapter}{more}"

    @classmethod
    def parse(cls, code: str, chapter: str, path: str = "", answer: str = "") -> LearnPage:
        page = cls(
            Record.read(code),
            Chapter(int(chapter)),
            cells_of(path),
            int(answer) if answer else None,
        )
        if page.record.boards[-1].is_terminal or page.record.rules.repeats:
            raise ValueError(f"there is nothing left to search: {page}")
        if answer and page.answer not in range(_MOST_ANSWERS):
            raise ValueError(f"nobody is asked that: {page}")
        if path and page.chapter not in WALKED:
            raise ValueError(f"nobody walks there: {page}")
        _ = page.boards  # raises if the path is not legal
        return page

    @property
    def boards(self) -> tuple[Board, ...]:
        """The positions along `path`, the starting one first.

        Raises:
            IllegalMoveError: The path holds an illegal move.
        """
        return tuple(accumulate(self.path, Board.result, initial=self.record.boards[-1]))

    @property
    def board(self) -> Board:
        return self.boards[-1]

    @property
    def is_on_match(self) -> bool:
        return bool(self.record.moves) and self.record != EXAMPLE

    @property
    def depth(self) -> int:
        """How many plies the search looks ahead."""
        return DEPTHS[self.answer or 0]

    @property
    def first_question(self) -> LearnPage:
        """The first page on numbers: one move down if the tree fits a picture, else the start."""
        board = self.record.boards[-1]
        path = board.actions()[:1] if small_tree(board) else ()
        return LearnPage(self.record, Chapter.NUMBERS, path)


@dataclass(frozen=True, slots=True)
class LessonQuestioned:
    """Somebody is asked whether to learn from their own match, which counts as a hint."""


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


NUMBERS = {-1: "-1", 0: "0", 1: "+1"}


@dataclass(frozen=True, slots=True)
class Question:
    """The choices for an answer, and the index of the right one."""

    choices: tuple[str, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Walk:
    """A position walked to in the tree; `verdicts` judge its moves, none if the game is over."""

    page: LearnPage
    verdicts: Sequence[Verdict]
    picture: Picture | None

    @property
    def number(self) -> int:
        board = self.page.board
        if not self.verdicts:
            return board.utility
        return self.verdicts[0].worth.value.utility(board.to_move)

    @property
    def chosen(self) -> Cell:
        """The move that max or min takes."""
        return first_found(self.verdicts)

    @property
    def shows_more_than_a_move(self) -> bool:
        """Whether the picture is deeper than a move: then its numbers are large enough to read."""
        children = self.picture.sketch.children if self.picture else ()
        return any(child.children for child in children)

    @property
    def question(self) -> Question | None:
        if self.page.chapter is not Chapter.NUMBERS:
            return None
        return Question(tuple(NUMBERS.values()), list(NUMBERS).index(self.number))


@dataclass(frozen=True, slots=True)
class Pruned:
    """A tree as alpha-beta searches it, and what it cuts off."""

    page: LearnPage
    tree: Node
    picture: Picture

    @property
    def cut_node(self) -> Node:
        """The node below which alpha-beta cuts first."""
        return first_cut(self.tree)

    @property
    def best_before_cut(self) -> Node:
        """The best child of the root that was read before `cut_node`: X is sure of its value."""
        read = self.tree.children[: self.tree.children.index(self.cut_node)]
        return max(read, key=lambda child: child.value)

    @property
    def refutation(self) -> Node:
        """The child of `cut_node` that causes the cut: the last that was read."""
        return [child for child in self.cut_node.children if not child.is_cut][-1]

    @property
    def visits(self) -> int:
        """How many nodes alpha-beta visits."""
        return sum(not node.is_cut for node in self.tree.walk())

    @property
    def saved(self) -> int:
        return sum(node.is_cut for node in self.tree.walk())

    @property
    def question(self) -> Question:
        if self.page.chapter is Chapter.PRUNING:
            return Question((*UNREAD, " + ".join(UNREAD)), 0)
        branches = sum(
            child.is_cut and not node.is_cut for node in self.tree.walk() for child in node.children
        )
        choices = sorted({branches, self.saved, self.visits})
        return Question(tuple(map(str, choices)), choices.index(self.saved))


@dataclass(frozen=True, slots=True)
class Ways:
    """What each way to search finds from a position, and how many nodes it visits."""

    page: LearnPage
    board: Board
    found: Mapping[Way, Search[Cell]]


@dataclass(frozen=True, slots=True)
class Sooner:
    """A position with several winning moves, one of which wins at once."""

    page: LearnPage
    verdicts: Sequence[Verdict]
    picture: Picture

    @property
    def wins(self) -> tuple[Verdict, ...]:
        """The moves that win, in reading order."""
        won = [verdict for verdict in self.verdicts if verdict.worth.value is Value.WIN]
        return tuple(sorted(won, key=lambda verdict: verdict.action))

    @property
    def soonest(self) -> Verdict:
        return min(self.wins, key=lambda verdict: verdict.worth.plies_to_end)

    @property
    def question(self) -> Question:
        name = self.soonest.board.rules.coordinate
        choices = tuple(name(verdict.action) for verdict in self.wins)
        return Question(choices, self.wins.index(self.soonest))


@dataclass(frozen=True, slots=True)
class Sight:
    """What a depth-limited search finds in a position."""

    page: LearnPage
    board: Board
    glimpse: Glimpse


@dataclass(frozen=True, slots=True)
class Mind:
    """How the bot itself thinks."""

    page: LearnPage


Minimax = Walk | Pruned | Ways | Sooner | Sight | Mind

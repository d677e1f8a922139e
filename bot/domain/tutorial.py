"""The tutorial on minimax: its pages, and what there is to show on each.

The later chapters have positions of their own; the tests state what each was chosen to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from itertools import accumulate

from bot.domain.ids import decode_cells, encode_cells
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

EXAMPLE_GAME = Record(moves=(6, 4, 7, 8, 5, 1))
"""A small tree with a win, a draw and a loss in it, and a win in what is cut."""

SLOW_WIN_GAME = Record(moves=(6, 4, 7, 5))
"""The first winning move is not the one that wins at once."""


class Chapter(IntEnum):
    """The chapters, in their order."""

    TREE = 1
    NUMBERS = 2
    PRUNING = 3
    SAVED = 4
    COMPARISON = 5
    FASTEST_WIN = 6
    LIMIT = 7
    HORIZON = 8
    BOT = 9


DEPTH_LIMIT_GAMES: Mapping[Chapter, Record] = {
    Chapter.LIMIT: Record(Rules(4, 4, 3)),
    Chapter.HORIZON: Record(Rules(5, 5, 4), (5, 17, 1, 16, 2, 8)),
}
"""Positions for a depth-limited search. At depth 1 or 2, it throws the second one's win away."""

DEPTHS = (1, 2, 3)
"""The search depths to choose from on these positions, in plies."""

WALKABLE = (Chapter.TREE, Chapter.NUMBERS)

_MAX_ANSWERS = 3


@dataclass(frozen=True, slots=True)
class TutorialPage:
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
        path = encode_cells(self.path)
        answer = "" if self.answer is None else self.answer
        more = f":{path}:{answer}" if path or self.answer is not None else ""
        return f"learn:{self.record.code}:{self.chapter}{more}"

    @classmethod
    def parse(cls, code: str, chapter: str, path: str = "", answer: str = "") -> TutorialPage:
        page = cls(
            Record.read(code),
            Chapter(int(chapter)),
            decode_cells(path),
            int(answer) if answer else None,
        )
        if page.record.boards[-1].is_terminal or page.record.rules.repeats:
            raise ValueError(f"there is nothing left to search: {page}")
        if answer and page.answer not in range(_MAX_ANSWERS):
            raise ValueError(f"nobody is asked that: {page}")
        if path and page.chapter not in WALKABLE:
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
        return bool(self.record.moves) and self.record != EXAMPLE_GAME

    @property
    def depth(self) -> int:
        """How many plies the search looks ahead."""
        return DEPTHS[self.answer or 0]

    @property
    def first_question(self) -> TutorialPage:
        """The first page on numbers: one move down if the tree fits a picture, else the start."""
        board = self.record.boards[-1]
        path = board.actions()[:1] if small_tree(board) else ()
        return TutorialPage(self.record, Chapter.NUMBERS, path)


@dataclass(frozen=True, slots=True)
class HintConfirmation:
    """Somebody is asked whether to learn from their own match, which counts as a hint."""


UNREAD_NAMES = ("a", "b")
"""The names of two unread branches in a picture: the one that is cut, and the one read next."""

UNKNOWN_VALUE = "?"

NO_NAMES: Mapping[Board, str] = {}


class NodeStyle(Enum):
    """How a board is drawn: like the others, with a ring around it, or greyed."""

    PLAIN = "plain"
    HERE = "here"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class DiagramNode:
    """A board, the move that led to it, and the boards below; `is_taken` if it is chosen."""

    board: Board
    made: Cell | None = None
    captions: tuple[str, ...] = ()
    look: NodeStyle = NodeStyle.PLAIN
    is_taken: bool = False
    children: tuple[DiagramNode, ...] = ()

    def walk(self) -> Iterator[DiagramNode]:
        """The boards from this one on, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class Diagram:
    """A sketch, and the PNG drawn of it."""

    diagram: DiagramNode
    png: bytes


def walk_diagram(page: TutorialPage, verdicts: Sequence[Verdict]) -> DiagramNode | None:
    """The tree around the position that was walked to, as large as fits a picture; None off 3x3.

    `verdicts` judge the moves from that position.
    """
    if not page.board.rules.is_small:
        return None
    for start, above in enumerate(page.boards):
        if tree := small_tree(above):
            return _walked(tree, page.path[start:], page)
    chosen = first_found(verdicts)
    diagram = one_level_diagram(page.board, verdicts, chosen, is_answered=page.answer is not None)
    if page.chapter is Chapter.NUMBERS:
        return diagram
    children = tuple(replace(child, captions=()) for child in diagram.children)
    return replace(diagram, captions=(), children=children)


def first_found(verdicts: Sequence[Verdict]) -> Cell:
    """The first in reading order of the moves with the best value: what plain minimax chooses."""
    most = verdicts[0].worth.value
    return min(verdict.action for verdict in verdicts if verdict.worth.value is most)


def one_level_diagram(
    board: Board, verdicts: Sequence[Verdict], chosen: Cell, *, is_answered: bool
) -> DiagramNode:
    """A position and its children with their values; once answered, its own too."""
    numbers = {made.action: made.worth.value.utility(made.mark) for made in verdicts}
    children = tuple(
        DiagramNode(
            board.result(cell), cell, (_signed(n),), is_taken=is_answered and cell == chosen
        )
        for cell, n in sorted(numbers.items())
    )
    caption = _signed(numbers[chosen]) if is_answered else UNKNOWN_VALUE
    return DiagramNode(board, None, (caption,), NodeStyle.HERE, children=children)


def _walked(
    node: Node, path: Sequence[Cell], page: TutorialPage, *, above: bool = True
) -> DiagramNode:
    """`above` says that the path leads through `node` or ends there: its value is asked for."""
    numbered, is_here = page.chapter is Chapter.NUMBERS, above and not path
    shows = numbered and (not above or (is_here and page.answer is not None))
    captions = (_signed(node.value),) if shows else (UNKNOWN_VALUE,) if numbered and is_here else ()
    children = []
    for child in node.children:
        leads_on = above and bool(path) and child.action == path[0]
        below = _walked(child, path[1:] if leads_on else (), page, above=leads_on)
        children.append(replace(below, is_taken=shows and child is node.chosen))
    look = NodeStyle.HERE if is_here else NodeStyle.PLAIN
    return DiagramNode(node.board, node.action, captions, look, children=tuple(children))


def first_cut(tree: Node) -> Node:
    """The first node of a tree, in reading order, below which alpha-beta cuts."""
    return next(
        node
        for node in tree.walk()
        if not node.is_cut and any(child.is_cut for child in node.children)
    )


def half_read_diagram(tree: Node) -> DiagramNode:
    """A tree at the moment of its first cut: what was read, and the two `UNREAD_NAMES` branches."""
    parent = first_cut(tree)
    after = tree.children.index(parent) + 1
    names = _names(tree)

    def diagram(child: Node) -> DiagramNode:
        name = names.get(child.board)
        return DiagramNode(child.board, child.action, (name,)) if name else pruned_diagram(child)

    below = tuple(map(diagram, parent.children))
    here = DiagramNode(
        parent.board, parent.action, (UNKNOWN_VALUE,), NodeStyle.HERE, children=below
    )
    children = tuple(
        here if child is parent else diagram(child) for child in tree.children[: after + 1]
    )
    return DiagramNode(tree.board, captions=(UNKNOWN_VALUE,), children=children)


def answered_diagram(tree: Node) -> DiagramNode:
    """The tree of `half_read_diagram` once alpha-beta is done, with the same names."""
    return pruned_diagram(tree, _names(tree))


def _names(tree: Node) -> dict[Board, str]:
    """The `UNREAD_NAMES` names of the board that is cut first, and of the one that is read next."""
    parent = first_cut(tree)
    cut = next(child for child in parent.children if child.is_cut)
    return {
        cut.board: UNREAD_NAMES[0],
        tree.children[tree.children.index(parent) + 1].board: UNREAD_NAMES[1],
    }


def pruned_diagram(node: Node, names: Mapping[Board, str] = NO_NAMES) -> DiagramNode:
    """A tree as alpha-beta has searched it, with what was cut greyed."""
    taken = None if node.is_cut else node.chosen
    children = tuple(
        replace(pruned_diagram(child, names), is_taken=child is taken and not child.is_cut)
        for child in node.children
    )
    captions = [] if node.is_cut else [_signed(node.value)]
    if any(child.is_cut and not node.is_cut for child in node.children):
        captions += [f"alpha {_signed(node.alpha)}", f"beta {_signed(node.beta)}"]
    captions += [name for board, name in names.items() if board == node.board]
    look = NodeStyle.CUT if node.is_cut else NodeStyle.PLAIN
    return DiagramNode(node.board, node.action, tuple(captions), look, children=children)


def _signed(number: float) -> str:
    return f"{number:+.0f}" if number else "0"


UTILITIES = {-1: "-1", 0: "0", 1: "+1"}


@dataclass(frozen=True, slots=True)
class Question:
    """The choices for an answer, and the index of the right one."""

    choices: tuple[str, ...]
    right: int


@dataclass(frozen=True, slots=True)
class TreeWalk:
    """A position walked to in the tree; `verdicts` judge its moves, none if the game is over."""

    page: TutorialPage
    verdicts: Sequence[Verdict]
    picture: Diagram | None

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
        children = self.picture.diagram.children if self.picture else ()
        return any(child.children for child in children)

    @property
    def question(self) -> Question | None:
        if self.page.chapter is not Chapter.NUMBERS:
            return None
        return Question(tuple(UTILITIES.values()), list(UTILITIES).index(self.number))


@dataclass(frozen=True, slots=True)
class PruningDemo:
    """A tree as alpha-beta searches it, and what it cuts off."""

    page: TutorialPage
    tree: Node
    picture: Diagram

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
            return Question((*UNREAD_NAMES, " + ".join(UNREAD_NAMES)), 0)
        branches = sum(
            child.is_cut and not node.is_cut for node in self.tree.walk() for child in node.children
        )
        choices = sorted({branches, self.saved, self.visits})
        return Question(tuple(map(str, choices)), choices.index(self.saved))


@dataclass(frozen=True, slots=True)
class SearchComparison:
    """What each way to search finds from a position, and how many nodes it visits."""

    page: TutorialPage
    board: Board
    found: Mapping[Way, Search[Cell]]


@dataclass(frozen=True, slots=True)
class FastestWin:
    """A position with several winning moves, one of which wins at once."""

    page: TutorialPage
    verdicts: Sequence[Verdict]
    picture: Diagram

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
class DepthLimitDemo:
    """What a depth-limited search finds in a position."""

    page: TutorialPage
    board: Board
    glimpse: Glimpse


@dataclass(frozen=True, slots=True)
class BotOverview:
    """How the bot itself thinks."""

    page: TutorialPage


TutorialContent = (
    TreeWalk | PruningDemo | SearchComparison | FastestWin | DepthLimitDemo | BotOverview
)

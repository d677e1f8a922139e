"""The tutorial on minimax: its pages and their content.

The later chapters have positions of their own; the tests state what each was chosen to show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import accumulate

from bot.domain.pages import Page
from bot.domain.tree_diagram import (
    CUT_OFF_NAME,
    UNKNOWN_VALUE,
    UNREAD_NAMES,
    Diagram,
    DiagramNode,
    NodeStyle,
    first_cut,
    one_level_diagram,
    signed,
)
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
"""Leaves a small tree with a win, a draw and a loss in it, and a win in what is cut off."""

SLOW_WIN_GAME = Record(moves=(6, 4, 7, 5))
"""Leaves several winning moves, of which the first does not win at once."""


class Chapter(IntEnum):
    """The chapters, or steps of a chapter, by their numbers in custom_ids; see `CHAPTERS`."""

    TREE = 1
    NUMBERS = 2
    PRUNING = 3
    SAVED = 4
    COMPARISON = 5
    FASTEST_WIN = 6
    LIMIT = 7
    HORIZON = 8
    BOT = 9
    ALPHA = 10
    BETA = 11
    RULE = 12
    OWN_TREE = 13


CHAPTERS: tuple[tuple[Chapter, ...], ...] = (
    (Chapter.TREE,),
    (Chapter.NUMBERS,),
    (Chapter.ALPHA, Chapter.BETA, Chapter.PRUNING, Chapter.RULE),
    (Chapter.SAVED,),
    (Chapter.OWN_TREE,),
    (Chapter.COMPARISON,),
    (Chapter.FASTEST_WIN,),
    (Chapter.LIMIT,),
    (Chapter.HORIZON,),
    (Chapter.BOT,),
)
"""The chapters in their order, each with its steps."""

STEPS = tuple(step for chapter in CHAPTERS for step in chapter)
"""The steps of all chapters, in their order."""

DEPTH_LIMIT_GAMES: Mapping[Chapter, Record] = {
    Chapter.LIMIT: Record(Rules(4, 4, 3)),
    Chapter.HORIZON: Record(Rules(5, 5, 4), (5, 17, 1, 16, 2, 8)),
}
"""Positions for a depth-limited search; in the second, depths 1 and 2 throw a win away."""

DEPTHS = (1, 2, 3)
"""The depths to choose from for such a search, in plies."""

WALKABLE = (Chapter.TREE, Chapter.NUMBERS)
"""The chapters in which moves can be made on the board."""

_MAX_CHOICES = 3
"""The most choices that a question has."""

_UTILITIES = (-1, 0, 1)
"""What a game can be worth to X: a loss, a draw or a win."""

_FIRST_LEAVES = (1, 2, 1, 2, 0, 1)
"""The leaves of the reader's tree at first, as indices of `_UTILITIES`; they lead to a cut."""

_LEAVES_A_BRANCH = len(_FIRST_LEAVES) // 2

CUT_RULE = "alpha >= beta"
"""When alpha-beta cuts."""

CUT_RULE_CHOICES = ("alpha < beta", CUT_RULE, "alpha = 0")
"""The answers to choose from when asked when to cut."""


@dataclass(frozen=True, slots=True)
class TutorialPage(Page):
    """A page of the tutorial.

    Attributes:
        record: The game from whose last position the page starts.
        chapter: The chapter, or a step of one.
        path: The moves made from there. In `Chapter.OWN_TREE`, the leaves instead, as indices of
            the utilities.
        answer: The index of the choice that was pressed: an answer, or one of `DEPTHS`.
        wrong_answer: An earlier answer that was wrong.
    """

    kind = "learn"
    optional = ("path answer", "wrong_answer")

    record: Record
    chapter: Chapter = Chapter.TREE
    path: tuple[Cell, ...] = ()
    answer: int | None = None
    wrong_answer: int | None = None

    def check(self) -> None:
        if self.record.boards[-1].is_terminal or self.record.rules.repeats:
            raise ValueError(f"this game has no tree to search: {self}")
        choices = (None, *range(_MAX_CHOICES))
        if self.answer not in choices or self.wrong_answer not in choices:
            raise ValueError(f"there is no such choice: {self}")
        if self.wrong_answer is not None and self.answer is None:
            raise ValueError(f"no answer follows the wrong one: {self}")
        if self.chapter is Chapter.OWN_TREE:
            _ = self.leaves  # raises if they are none
            return
        if self.path and self.chapter not in WALKABLE:
            raise ValueError(f"no moves can be made in this chapter: {self}")
        _ = self.boards  # raises if the path is illegal

    @property
    def boards(self) -> tuple[Board, ...]:
        """The positions along `path`, beginning with the start.

        Raises:
            IllegalMoveError: A move of the path is illegal.
        """
        return tuple(accumulate(self.path, Board.result, initial=self.record.boards[-1]))

    @property
    def board(self) -> Board:
        return self.boards[-1]

    @property
    def leaves(self) -> tuple[int, ...]:
        """The leaves of the reader's own tree, each -1, 0 or +1.

        Raises:
            ValueError: The path holds no leaves.
        """
        indices = self.path or _FIRST_LEAVES
        if len(indices) != len(_FIRST_LEAVES) or max(indices) >= len(_UTILITIES):
            raise ValueError(f"there are no such leaves: {indices}")
        return tuple(_UTILITIES[index] for index in indices)

    def with_next_leaf(self, number: int) -> TutorialPage:
        """The page once a leaf has changed to the next utility, and the question is open again."""
        indices = list(self.path or _FIRST_LEAVES)
        indices[number] = (indices[number] + 1) % len(_UTILITIES)
        return TutorialPage(self.record, self.chapter, tuple(indices))

    def reveals(self, right: int) -> bool:
        """Whether the right answer is shown: it was given, or the second answer was wrong, too."""
        if self.answer is None:
            return False
        return self.answer == right or self.wrong_answer is not None

    def with_answer(self, number: int, right: int) -> TutorialPage:
        """The page after another answer; what was wrong before is remembered."""
        if number == self.answer:
            return self
        if self.answer is None or self.reveals(right):
            return replace(self, answer=number)
        return replace(self, answer=number, wrong_answer=self.answer)

    @property
    def is_on_match(self) -> bool:
        """Whether the page is about a match, not about a position of the tutorial's own."""
        return bool(self.record.moves) and self.record != EXAMPLE_GAME

    @property
    def depth(self) -> int:
        """How many plies a depth-limited search looks ahead."""
        return DEPTHS[self.answer or 0]

    @property
    def first_question(self) -> TutorialPage:
        """The first page on values: one move down if the tree fits a picture, else the start."""
        board = self.record.boards[-1]
        path = board.actions()[:1] if small_tree(board) else ()
        return TutorialPage(self.record, Chapter.NUMBERS, path)


@dataclass(frozen=True, slots=True)
class HintConfirmation:
    """A player is asked to confirm a lesson about their own match, which counts as a hint."""


@dataclass(frozen=True, slots=True)
class Question:
    """The choices to answer a question with, and the index of the right one."""

    choices: tuple[str, ...]
    right: int


def _utility_question(utility: int) -> Question:
    """Ask for a value: -1, 0 or +1."""
    return Question(tuple(map(signed, _UTILITIES)), _UTILITIES.index(utility))


@dataclass(frozen=True, slots=True)
class TreeWalk:
    """A position of the game tree; `verdicts` judge its moves, and are empty at the end."""

    page: TutorialPage
    verdicts: Sequence[Verdict]
    picture: Diagram | None

    @property
    def utility(self) -> int:
        """The minimax value of the position: -1, 0 or +1."""
        return self.verdicts[0].utility if self.verdicts else self.page.board.utility

    @property
    def chosen(self) -> Cell:
        """The move that max or min chooses."""
        return first_best(self.verdicts)

    @property
    def shows_more_than_a_move(self) -> bool:
        """Whether the diagram is deeper than one move."""
        children = self.picture.root.children if self.picture else ()
        return any(child.children for child in children)

    @property
    def question(self) -> Question | None:
        if self.page.chapter is not Chapter.NUMBERS:
            return None
        return _utility_question(self.utility)


@dataclass(frozen=True, slots=True)
class PruningDemo:
    """A tree as alpha-beta searches it, and what it cuts off."""

    page: TutorialPage
    tree: Node
    picture: Diagram | None = None

    @property
    def cut_node(self) -> Node:
        """The node below which alpha-beta cuts first."""
        return first_cut(self.tree)

    @property
    def best_before_cut(self) -> Node:
        """The best child of the root that is read before `cut_node`: X is sure of its value."""
        index = self.tree.children.index(self.cut_node)
        return max(self.tree.children[:index], key=lambda child: child.utility)

    @property
    def refutation(self) -> Node:
        """The child of `cut_node` that causes the cut: the last one that is read."""
        return [child for child in self.cut_node.children if not child.is_cut][-1]

    @property
    def visits(self) -> int:
        """How many nodes alpha-beta visits."""
        return sum(not node.is_cut for node in self.tree.walk())

    @property
    def saved(self) -> int:
        """How many nodes are cut off."""
        return sum(node.is_cut for node in self.tree.walk())

    @property
    def question(self) -> Question:
        match self.page.chapter:
            case Chapter.ALPHA:
                return _utility_question(self.best_before_cut.utility)
            case Chapter.BETA:
                return _utility_question(self.refutation.utility)
            case Chapter.PRUNING:
                choices = (*UNREAD_NAMES, " + ".join(UNREAD_NAMES))
                return Question(choices, choices.index(CUT_OFF_NAME))
            case Chapter.RULE:
                return Question(CUT_RULE_CHOICES, CUT_RULE_CHOICES.index(CUT_RULE))
            case _:
                return self._question_on_savings

    @property
    def _question_on_savings(self) -> Question:
        choices = sorted({self._cut_branches, self.saved, self.visits})
        return Question(tuple(map(str, choices)), choices.index(self.saved))

    @property
    def _cut_branches(self) -> int:
        read = (node for node in self.tree.walk() if not node.is_cut)
        return sum(child.is_cut for node in read for child in node.children)


@dataclass(frozen=True, slots=True)
class OwnTree:
    """A tree whose leaves the reader chooses: max over two nodes of min, three leaves each."""

    page: TutorialPage

    @property
    def left(self) -> tuple[int, ...]:
        return self.page.leaves[:_LEAVES_A_BRANCH]

    @property
    def right(self) -> tuple[int, ...]:
        return self.page.leaves[_LEAVES_A_BRANCH:]

    @property
    def alpha(self) -> int:
        """What max is sure of after the left branch."""
        return min(self.left)

    @property
    def read_leaves(self) -> tuple[int, ...]:
        """The leaves of the right branch that alpha-beta reads."""
        for count, leaf in enumerate(self.right, start=1):
            if self.alpha >= leaf:
                return self.right[:count]
        return self.right

    @property
    def beta(self) -> int:
        """What min is sure of in the right branch, after what is read of it."""
        return min(self.read_leaves)

    @property
    def unread_count(self) -> int:
        """How many leaves of the right branch alpha-beta never reads."""
        return len(self.right) - len(self.read_leaves)

    @property
    def value(self) -> int:
        return max(self.alpha, min(self.right))

    @property
    def question(self) -> Question:
        return Question(tuple(map(str, range(len(self.right)))), self.unread_count)


@dataclass(frozen=True, slots=True)
class SearchComparison:
    """What each kind of search finds in a position, and how many nodes it visits."""

    page: TutorialPage
    board: Board
    searches: Mapping[Way, Search[Cell]]


@dataclass(frozen=True, slots=True)
class FastestWin:
    """A position with several winning moves, one of which wins at once."""

    page: TutorialPage
    verdicts: Sequence[Verdict]
    picture: Diagram | None = None

    @property
    def wins(self) -> tuple[Verdict, ...]:
        """The moves that win, in reading order."""
        wins = [verdict for verdict in self.verdicts if verdict.worth.value is Value.WIN]
        return tuple(sorted(wins, key=lambda verdict: verdict.action))

    @property
    def fastest(self) -> Verdict:
        return min(self.wins, key=lambda verdict: verdict.worth.plies_to_end)

    @property
    def question(self) -> Question:
        coordinate = self.fastest.board.rules.coordinate
        choices = tuple(coordinate(verdict.action) for verdict in self.wins)
        return Question(choices, self.wins.index(self.fastest))


@dataclass(frozen=True, slots=True)
class DepthLimitDemo:
    """What a depth-limited search finds in a position, and its guess after each move, if shown."""

    page: TutorialPage
    board: Board
    glimpse: Glimpse
    guesses: Mapping[Cell, int | None]


@dataclass(frozen=True, slots=True)
class BotOverview:
    """How the bot itself searches."""

    page: TutorialPage


TutorialContent = (
    TreeWalk | PruningDemo | OwnTree | SearchComparison | FastestWin | DepthLimitDemo | BotOverview
)


def question_of(content: TutorialContent) -> Question | None:
    """The question that a page asks, if any."""
    if isinstance(content, TreeWalk | PruningDemo | OwnTree | FastestWin):
        return content.question
    return None


def shows_answer(content: TutorialContent) -> bool:
    """Whether a page has a question, and shows the right answer to it."""
    question = question_of(content)
    return question is not None and content.page.reveals(question.right)


def walk_diagram(page: TutorialPage, verdicts: Sequence[Verdict]) -> DiagramNode | None:
    """The tree around the position of a page, as large as fits a picture; None off 3x3.

    `verdicts` judge the moves from that position.
    """
    if not page.board.rules.is_small:
        return None
    for ply, board in enumerate(page.boards):
        if tree := small_tree(board):
            return _tree_diagram(tree, page, page.path[ply:])
    is_answered = page.reveals(_UTILITIES.index(verdicts[0].utility))
    diagram = one_level_diagram(page.board, verdicts, first_best(verdicts), is_answered=is_answered)
    return diagram if page.chapter is Chapter.NUMBERS else _without_captions(diagram)


def _tree_diagram(node: Node, page: TutorialPage, path: tuple[Cell, ...] | None) -> DiagramNode:
    """The diagram of a tree, where `path` leads from `node` to the page's position.

    `path` is empty at that position, and None beside the path.
    """
    has_values = page.chapter is Chapter.NUMBERS
    is_current = path == ()
    is_beside_path = path is None
    is_answered = is_current and page.reveals(_UTILITIES.index(node.utility))
    shows_value = has_values and (is_answered or is_beside_path)

    captions: tuple[str, ...] = ()
    if shows_value:
        captions = (signed(node.utility),)
    elif has_values and is_current:
        captions = (UNKNOWN_VALUE,)

    children = []
    for child in node.children:
        remaining_path = path[1:] if path and child.action == path[0] else None
        diagram = _tree_diagram(child, page, remaining_path)
        children.append(replace(diagram, is_chosen=shows_value and child is node.chosen))

    style = NodeStyle.CURRENT if is_current else NodeStyle.PLAIN
    return DiagramNode(node.board, node.action, captions, style, children=tuple(children))


def _without_captions(diagram: DiagramNode) -> DiagramNode:
    children = tuple(replace(child, captions=()) for child in diagram.children)
    return replace(diagram, captions=(), children=children)


def first_best(verdicts: Sequence[Verdict]) -> Cell:
    """The first in reading order of the moves with the best value: what plain minimax chooses."""
    best = verdicts[0].worth.value
    return min(verdict.action for verdict in verdicts if verdict.worth.value is best)

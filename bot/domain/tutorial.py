"""The tutorial on minimax: its pages, their content, and the diagrams of game trees in it.

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
"""All steps in their order."""


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

_UTILITIES = (-1, 0, 1)

_FIRST_LEAVES = (1, 2, 1, 2, 0, 1)
"""The leaves of the reader's tree at first, as indices of `_UTILITIES`; they lead to a cut."""

CUT_RULES = ("alpha < beta", "alpha >= beta", "alpha = 0")
"""The answers to choose from when asked when to cut; the second is right."""

UNREAD_NAMES = ("a", "b")
"""The names of two unread branches in a diagram: the one that is cut off, and the one read next."""

UNKNOWN_VALUE = "?"


@dataclass(frozen=True, slots=True)
class TutorialPage:
    """A page of the tutorial, which starts from the last position of `record`.

    `path` are the moves made from there; in `Chapter.OWN_TREE` it is the leaves, as indices of the
    utilities. `answer` is the index of the choice that was pressed: the answer to a question, or
    one of `DEPTHS`. `wrong_answer` is an earlier answer that was wrong.
    """

    record: Record
    chapter: Chapter = Chapter.TREE
    path: tuple[Cell, ...] = ()
    answer: int | None = None
    wrong_answer: int | None = None

    def __str__(self) -> str:
        """Without path and answer, the text is the same as in releases that had neither."""
        text = f"learn:{self.record.code}:{self.chapter}"
        if not self.path and self.answer is None:
            return text
        answer = "" if self.answer is None else self.answer
        text = f"{text}:{encode_cells(self.path)}:{answer}"
        return text if self.wrong_answer is None else f"{text}:{self.wrong_answer}"

    @classmethod
    def parse(
        cls, code: str, chapter: str, path: str = "", answer: str = "", wrong_answer: str = ""
    ) -> TutorialPage:
        page = cls(
            Record.read(code),
            Chapter(int(chapter)),
            decode_cells(path),
            int(answer) if answer else None,
            int(wrong_answer) if wrong_answer else None,
        )
        if page.record.boards[-1].is_terminal or page.record.rules.repeats:
            raise ValueError(f"this game has no tree to search: {page}")
        if page.answer is not None and page.answer not in range(_MAX_CHOICES):
            raise ValueError(f"there is no such choice: {page}")
        if page.wrong_answer is not None and (
            page.answer is None or page.wrong_answer not in range(_MAX_CHOICES)
        ):
            raise ValueError(f"there is no such choice: {page}")
        if page.chapter is Chapter.OWN_TREE:
            _ = page.leaves  # raises if they are none
            return page
        if page.path and page.chapter not in WALKABLE:
            raise ValueError(f"no moves can be made in this chapter: {page}")
        _ = page.boards  # raises if the path is illegal
        return page

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
        if len(indices) != len(_FIRST_LEAVES) or not set(indices) <= set(range(len(_UTILITIES))):
            raise ValueError(f"there are no such leaves: {indices}")
        return tuple(_UTILITIES[index] for index in indices)

    def with_next_leaf(self, number: int) -> TutorialPage:
        """The page once a leaf has changed to the next utility, and the question is open again."""
        indices = list(self.path or _FIRST_LEAVES)
        indices[number] = (indices[number] + 1) % len(_UTILITIES)
        return TutorialPage(self.record, self.chapter, tuple(indices))

    def reveals(self, right: int) -> bool:
        """Whether the right answer is shown: it was given, or the second answer was wrong, too."""
        return self.answer is not None and (self.answer == right or self.wrong_answer is not None)

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


@dataclass(frozen=True, slots=True)
class TreeWalk:
    """A position of the game tree; `verdicts` judge its moves, and are empty at the end."""

    page: TutorialPage
    verdicts: Sequence[Verdict]
    picture: Diagram | None

    @property
    def utility(self) -> int:
        """The minimax value of the position: -1, 0 or +1."""
        board = self.page.board
        if not self.verdicts:
            return board.utility
        return self.verdicts[0].worth.value.utility(board.to_move)

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
        return max(self.tree.children[:index], key=lambda child: child.value)

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
                return _utility_question(self.best_before_cut.value)
            case Chapter.BETA:
                return _utility_question(self.refutation.value)
            case Chapter.PRUNING:
                return Question((*UNREAD_NAMES, " + ".join(UNREAD_NAMES)), 0)
            case Chapter.RULE:
                return Question(CUT_RULES, 1)
            case _:
                return self._question_of_savings

    @property
    def _question_of_savings(self) -> Question:
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
        return self.page.leaves[:3]

    @property
    def right(self) -> tuple[int, ...]:
        return self.page.leaves[3:]

    @property
    def alpha(self) -> int:
        """What max is sure of after the left branch."""
        return min(self.left)

    @property
    def read(self) -> tuple[int, ...]:
        """The leaves of the right branch that alpha-beta reads."""
        for count, leaf in enumerate(self.right, start=1):
            if self.alpha >= leaf:
                return self.right[:count]
        return self.right

    @property
    def beta(self) -> int:
        """What min is sure of in the right branch, after what is read of it."""
        return min(self.read)

    @property
    def unread(self) -> int:
        return len(self.right) - len(self.read)

    @property
    def value(self) -> int:
        return max(self.alpha, min(self.right))

    @property
    def question(self) -> Question:
        return Question(tuple(map(str, range(len(self.right)))), self.unread)


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


def walk_diagram(page: TutorialPage, verdicts: Sequence[Verdict]) -> DiagramNode | None:
    """The tree around the position of a page, as large as fits a picture; None off 3x3.

    `verdicts` judge the moves from that position.
    """
    if not page.board.rules.is_small:
        return None
    for ply, board in enumerate(page.boards):
        if tree := small_tree(board):
            return _tree_diagram(tree, page.path[ply:], page)
    chosen = first_best(verdicts)
    value = next(v.worth.value.utility(v.mark) for v in verdicts if v.action == chosen)
    is_answered = page.reveals(_UTILITIES.index(value))
    root = one_level_diagram(page.board, verdicts, chosen, is_answered=is_answered)
    if page.chapter is Chapter.NUMBERS:
        return root
    children = tuple(replace(child, captions=()) for child in root.children)
    return replace(root, captions=(), children=children)


def _tree_diagram(
    node: Node, path: Sequence[Cell], page: TutorialPage, *, is_on_path: bool = True
) -> DiagramNode:
    """`is_on_path` says that the path leads through `node` or ends there; `path` is the rest."""
    has_values = page.chapter is Chapter.NUMBERS
    is_here = is_on_path and not path
    is_answered = is_here and page.reveals(_UTILITIES.index(node.value))
    shows_value = has_values and (not is_on_path or is_answered)
    captions: tuple[str, ...] = ()
    if shows_value:
        captions = (_signed(node.value),)
    elif has_values and is_here:
        captions = (UNKNOWN_VALUE,)
    children = []
    for child in node.children:
        is_next = is_on_path and bool(path) and child.action == path[0]
        below = _tree_diagram(child, path[1:] if is_next else (), page, is_on_path=is_next)
        children.append(replace(below, is_chosen=shows_value and child is node.chosen))
    style = NodeStyle.CURRENT if is_here else NodeStyle.PLAIN
    return DiagramNode(node.board, node.action, captions, style, children=tuple(children))


def first_best(verdicts: Sequence[Verdict]) -> Cell:
    """The first in reading order of the moves with the best value: what plain minimax chooses."""
    best = verdicts[0].worth.value
    return min(verdict.action for verdict in verdicts if verdict.worth.value is best)


def one_level_diagram(
    board: Board, verdicts: Sequence[Verdict], chosen: Cell, *, is_answered: bool
) -> DiagramNode:
    """A position and its children with their values; once answered, also with its own value."""
    values = {verdict.action: verdict.worth.value.utility(verdict.mark) for verdict in verdicts}
    children = []
    for cell, value in sorted(values.items()):
        is_chosen = is_answered and cell == chosen
        children.append(
            DiagramNode(board.result(cell), cell, (_signed(value),), is_chosen=is_chosen)
        )
    caption = _signed(values[chosen]) if is_answered else UNKNOWN_VALUE
    return DiagramNode(board, None, (caption,), NodeStyle.CURRENT, children=tuple(children))


def half_read_diagram(tree: Node) -> DiagramNode:
    """A tree at the moment of its first cut: what was read, and two `UNREAD_NAMES` branches."""
    parent = first_cut(tree)
    names = _unread_branches(tree)

    def named_or_read(node: Node) -> DiagramNode:
        if node.board in names:
            return DiagramNode(node.board, node.action, (names[node.board],))
        return pruned_diagram(node)

    current = DiagramNode(
        parent.board,
        parent.action,
        (UNKNOWN_VALUE,),
        NodeStyle.CURRENT,
        children=tuple(map(named_or_read, parent.children)),
    )
    index = tree.children.index(parent)
    before = map(named_or_read, tree.children[:index])
    read_next = named_or_read(tree.children[index + 1])
    return DiagramNode(
        tree.board, captions=(UNKNOWN_VALUE,), children=(*before, current, read_next)
    )


def alpha_diagram(tree: Node, *, is_answered: bool) -> DiagramNode:
    """The tree down to what is read before the first cut; what it secures for X is asked."""
    before = tree.children[: tree.children.index(first_cut(tree))]
    read = [pruned_diagram(child) for child in before]
    alpha = max(child.value for child in before)
    if is_answered:
        return DiagramNode(tree.board, captions=(f"alpha {_signed(alpha)}",), children=tuple(read))
    questions = [
        replace(
            child,
            captions=(UNKNOWN_VALUE,),
            style=NodeStyle.CURRENT,
            children=tuple(replace(reply, is_chosen=False) for reply in child.children),
        )
        for child in read
    ]
    return DiagramNode(tree.board, captions=(UNKNOWN_VALUE,), children=tuple(questions))


def beta_diagram(tree: Node, *, is_answered: bool) -> DiagramNode:
    """The tree down to the node that is cut, as far as it is read; what O has there is asked."""
    parent = first_cut(tree)
    before = tree.children[: tree.children.index(parent)]
    alpha = max(child.value for child in before)
    read = tuple(
        DiagramNode(child.board, child.action) if child.is_cut else pruned_diagram(child)
        for child in parent.children
    )
    caption = f"beta {_signed(parent.beta)}" if is_answered else UNKNOWN_VALUE
    current = DiagramNode(parent.board, parent.action, (caption,), NodeStyle.CURRENT, children=read)
    return DiagramNode(
        tree.board,
        captions=(f"alpha {_signed(alpha)}",),
        children=(*map(pruned_diagram, before), current),
    )


def answered_diagram(tree: Node) -> DiagramNode:
    """The tree of `half_read_diagram` once alpha-beta is done, with the same names."""
    return pruned_diagram(tree, _unread_branches(tree))


def _unread_branches(tree: Node) -> dict[Board, str]:
    """The names of the board that is cut off first, and of the one that is read next."""
    parent = first_cut(tree)
    cut = next(child for child in parent.children if child.is_cut)
    read_next = tree.children[tree.children.index(parent) + 1]
    return dict(zip((cut.board, read_next.board), UNREAD_NAMES, strict=True))


def first_cut(tree: Node) -> Node:
    """The first node of a tree, in reading order, below which alpha-beta cuts."""
    return next(node for node in tree.walk() if _is_cut_below(node))


def _is_cut_below(node: Node) -> bool:
    return not node.is_cut and any(child.is_cut for child in node.children)


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
        captions.append(_signed(node.value))
    if _is_cut_below(node):
        captions += [f"alpha {_signed(node.alpha)}", f"beta {_signed(node.beta)}"]
    if node.board in names:
        captions.append(names[node.board])
    style = NodeStyle.CUT if node.is_cut else NodeStyle.PLAIN
    return DiagramNode(node.board, node.action, tuple(captions), style, children=children)


def _utility_question(utility: int) -> Question:
    return Question(tuple(map(_signed, _UTILITIES)), _UTILITIES.index(utility))


def _signed(number: float) -> str:
    return f"{number:+.0f}" if number else "0"

"""What there is to show on each page of the lesson on minimax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.game.learn import Chapter, LearnPage
from bot.game.sketch import UNREAD, Picture, first_cut, first_found
from engine import Board, Cell, Glimpse, Node, Search, Value, Verdict, Way

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

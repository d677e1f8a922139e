"""The tutorial on minimax: its pages and their content.

Some chapters have positions of their own; the tests state what each was chosen to show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import accumulate
from typing import ClassVar, Self

from bot.domain.pages import Page
from bot.domain.private import PrivatePage, play_on
from bot.domain.tree_diagram import (
    Diagram,
    LabelledBoard,
    search_diagram,
    tree_diagram,
    values_diagram,
)
from engine import (
    MOST_EVENTS,
    Board,
    Cell,
    Event,
    EventKind,
    Mark,
    Numbers,
    Record,
    SolvedBelow,
    Verdict,
    leaf_count,
    number_text,
    small_tree,
    trace,
)

EXAMPLE_GAME = Record(moves=(6, 4, 7, 8, 5, 1))
"""Leaves a small tree with a win, a draw and a loss in it, and a win in what is cut off."""

TRAP_GAME = Record.read("2V2VVGJYKM")
"""Ends with a trap of the level that sets them: nobody has won yet, and one reply holds."""


class Chapter(IntEnum):
    """The chapters, or steps of a chapter, by their numbers in custom_ids; see `CHAPTERS`."""

    TREE = 1
    NUMBERS = 2
    WATCH = 3
    NUMBER_TREE = 4
    OWN_NUMBERS = 5
    BOT = 6
    WRITE = 7


CHAPTERS: tuple[tuple[Chapter, ...], ...] = (
    (Chapter.TREE,),
    (Chapter.NUMBERS,),
    (Chapter.WATCH,),
    (Chapter.NUMBER_TREE, Chapter.OWN_NUMBERS),
    (Chapter.BOT, Chapter.WRITE),
)
"""The chapters in their order, each with its steps."""

STEPS = tuple(step for chapter in CHAPTERS for step in chapter)
"""The steps of all chapters, in their order."""

WALKABLE = (Chapter.TREE, Chapter.NUMBERS)
"""The chapters in which moves can be made on the board."""

STEPPABLE = (Chapter.WATCH, Chapter.NUMBER_TREE)
"""The chapters in which a search is followed step by step."""

WITH_OWN_NUMBERS = (Chapter.NUMBER_TREE, Chapter.OWN_NUMBERS)

_MAX_CHOICES = 3
"""The most choices that a question has."""

_UTILITIES = (-1, 0, 1)
"""What a game can be worth to X: a loss, a draw or a win."""

WINNERS = ("o", "draw", "x")
"""The answers to who wins, in the order of the utilities."""

READ, SKIP = "read", "skip"
"""The answers to what alpha-beta does with the next branch."""


@dataclass(frozen=True, slots=True)
class Leaves:
    """The leaves of a tree of numbers, three branches with three leaves each."""

    numbers: tuple[int, ...]

    greatest: ClassVar[int] = 19
    per_branch: ClassVar[int] = 3

    def __str__(self) -> str:
        return ".".join(map(str, self.numbers))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read leaves that `str` has written. Raises ValueError if they are none."""
        numbers = tuple(map(int, text.split(".")))
        if len(numbers) != cls.per_branch**2 or max(map(abs, numbers)) > cls.greatest:
            raise ValueError(f"there are no such leaves: {text}")
        return cls(numbers)

    @property
    def tree(self) -> Numbers:
        starts = range(0, len(self.numbers), self.per_branch)
        return Numbers.of([self.numbers[start : start + self.per_branch] for start in starts])

    def with_change(self, index: int, change: int) -> Leaves:
        """The leaves after a change of one of them, as far as numbers go."""
        numbers = list(self.numbers)
        numbers[index] = max(-self.greatest, min(numbers[index] + change, self.greatest))
        return Leaves(tuple(numbers))


TEXTBOOK_LEAVES = Leaves((3, 12, 8, 2, 4, 6, 14, 5, 2))
"""The tree of Russell and Norvig, *Artificial Intelligence: A Modern Approach*."""


@dataclass(frozen=True, slots=True)
class TutorialPage(Page):
    """A page of the tutorial.

    Attributes:
        record: The game from whose last position the page starts.
        chapter: The chapter, or a step of one.
        path: The moves made from there. In `Chapter.OWN_NUMBERS`, the leaf to change.
        answer: The index of the choice that was pressed.
        wrong_answer: An earlier answer that was wrong.
        step: The index of an event of a search.
        leaves: The leaves of the tree of numbers.
        code: Whether the program of a search is shown.
    """

    kind = "learn"
    optional = ("path", "answer", "wrong_answer", "step", "leaves", "code")

    record: Record
    chapter: Chapter = Chapter.TREE
    path: tuple[Cell, ...] = ()
    answer: int | None = None
    wrong_answer: int | None = None
    step: int = 0
    leaves: Leaves = TEXTBOOK_LEAVES
    code: bool = False

    def check(self) -> None:
        if self.record.boards[-1].is_terminal or self.record.rules.repeats:
            raise ValueError(f"this game has no tree to search: {self}")
        choices = (None, *range(_MAX_CHOICES))
        if self.answer not in choices or self.wrong_answer not in choices:
            raise ValueError(f"there is no such choice: {self}")
        if self.wrong_answer is not None and self.answer is None:
            raise ValueError(f"no answer follows the wrong one: {self}")
        if self.step >= (MOST_EVENTS if self.chapter in STEPPABLE else 1):
            raise ValueError(f"there is no such step: {self}")
        self._check_for_chapter()

    def _check_for_chapter(self) -> None:
        """Check what only some chapters have."""
        if self.code and self.chapter not in STEPPABLE:
            raise ValueError(f"there is no program in this chapter: {self}")
        if self.leaves != TEXTBOOK_LEAVES and self.chapter not in WITH_OWN_NUMBERS:
            raise ValueError(f"there are no numbers in this chapter: {self}")
        if self.chapter in WALKABLE:
            _ = self.boards  # raises if the path is illegal
        elif self.chapter is Chapter.OWN_NUMBERS:
            if len(self.path) > 1 or self.leaf >= len(self.leaves.numbers):
                raise ValueError(f"there is no such leaf: {self}")
        elif self.path:
            raise ValueError(f"no moves can be made in this chapter: {self}")

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
    def leaf(self) -> int:
        """The index of the leaf to change."""
        return self.path[0] if self.path else 0

    @property
    def first_question(self) -> TutorialPage:
        """The first page on values: one move down if the tree fits a picture, else the start."""
        board = self.record.boards[-1]
        path = board.actions()[:1] if small_tree(board) else ()
        return TutorialPage(self.record, Chapter.NUMBERS, path)


@dataclass(frozen=True, slots=True)
class Question:
    """The choices to answer a question with, and the right one."""

    choices: tuple[str, ...]
    answer: str

    @property
    def right(self) -> int:
        """The index of the right choice."""
        return self.choices.index(self.answer)

    def is_answered_on(self, page: TutorialPage) -> bool:
        """Whether the page shows the answer: it was given, or only one choice is left."""
        if page.answer is None:
            return False
        has_tried_again = page.wrong_answer is not None or len(self.choices) < _MAX_CHOICES
        return page.answer == self.right or has_tried_again

    def answered(self, page: TutorialPage, number: int) -> TutorialPage:
        """The page after another answer; what was wrong before is remembered."""
        if number == page.answer:
            return page
        if page.answer is None or self.is_answered_on(page):
            return replace(page, answer=number)
        return replace(page, answer=number, wrong_answer=page.answer)


@dataclass(frozen=True, slots=True)
class TutorialContent:
    """What a page shows: the base class of its kinds."""

    page: TutorialPage

    @property
    def question(self) -> Question | None:
        """The question that the page asks, if any."""
        return None

    @property
    def is_answered(self) -> bool:
        """Whether the page has a question, and shows the right answer to it."""
        return self.question is not None and self.question.is_answered_on(self.page)

    @property
    def play_on(self) -> PrivatePage | None:
        """The private match from the position on, once the page has been read to its end."""
        return None

    @property
    def diagram(self) -> Diagram:
        """The picture of the page; empty if it has none."""
        return ()


@dataclass(frozen=True, slots=True)
class TreeWalk(TutorialContent):
    """A position of the game tree; `verdicts` judge its moves, and are empty at the end."""

    verdicts: Sequence[Verdict]

    @property
    def utility(self) -> int:
        """The minimax value of the position: -1, 0 or +1."""
        return self.verdicts[0].utility if self.verdicts else self.page.board.utility

    @property
    def chosen(self) -> Cell:
        """The first in reading order of the best moves: what plain minimax chooses."""
        best = self.verdicts[0].worth.value
        return min(verdict.action for verdict in self.verdicts if verdict.worth.value is best)

    @property
    def question(self) -> Question | None:
        """Who wins, at the start; then what each position is worth."""
        if self.page.chapter is Chapter.NUMBERS:
            choices = tuple(number_text(utility, signed=True) for utility in _UTILITIES)
        elif not self.page.path:
            choices = WINNERS
        else:
            return None
        return Question(choices, choices[_UTILITIES.index(self.utility)])

    @property
    def diagram(self) -> Diagram:
        """The tree around the position if it fits a picture, or else what its moves are worth."""
        page = self.page
        for ply, board in enumerate(page.boards):
            if tree := small_tree(board):
                if page.chapter is Chapter.TREE:
                    return tree_diagram(tree, page.path[ply:])
                path = page.path[ply:]
                return values_diagram(tree, path, is_answered=self.is_answered)
        if page.chapter is Chapter.TREE or not self.verdicts:
            return ()
        chosen = self.chosen if self.is_answered else None
        return (_with_utilities(page.board, self.verdicts, chosen),)


@dataclass(frozen=True, slots=True)
class WatchedSearch(TutorialContent):
    """A search to be followed step by step."""

    root: Board | SolvedBelow | Numbers
    events: Sequence[Event]

    @classmethod
    def in_numbers(cls, page: TutorialPage) -> Self:
        """The search in the page's tree of numbers."""
        tree = page.leaves.tree
        return cls(page, tree, trace(tree))

    @property
    def step(self) -> int:
        return min(self.page.step, len(self.events) - 1)

    @property
    def event(self) -> Event:
        return self.events[self.step]

    @property
    def is_over(self) -> bool:
        return self.step == len(self.events) - 1

    @property
    def play_on(self) -> PrivatePage | None:
        record = self.page.record
        if self.page.chapter is not Chapter.WATCH or not self.is_over:
            return None
        return play_on(record, len(record.moves), record.boards[-1].to_move)

    @property
    def to_move(self) -> Mark:
        """Who chooses at the node of the event; at a leaf, who would."""
        return self.root.to_move if len(self.event.path) % 2 == 0 else self.root.to_move.other

    @property
    def question(self) -> Question | None:
        """Whether the next branch is read: asked where a bound has just moved."""
        event = self.event
        if event.kind is not EventKind.BETTER or not (event.path and event.unread) or self.is_over:
            return None
        is_cut = self.events[self.step + 1].kind is EventKind.CUT
        return Question((READ, SKIP), SKIP if is_cut else READ)

    @property
    def next_cut(self) -> int:
        """The step of the next cut, or of the end."""
        following = range(self.step + 1, len(self.events))
        cuts = (step for step in following if self.events[step].kind is EventKind.CUT)
        return next(cuts, len(self.events) - 1)

    @property
    def read_count(self) -> int:
        """How many leaves the whole search reads."""
        return read_count(self.events)

    @property
    def leaf_count(self) -> int:
        return leaf_count(self.root)

    @property
    def diagram(self) -> Diagram:
        return search_diagram(self.root, self.events[: self.step + 1], is_over=self.is_over)


def read_count(events: Sequence[Event]) -> int:
    """How many leaves a search reads."""
    return sum(event.kind is EventKind.LEAF for event in events)


@dataclass(frozen=True, slots=True)
class OwnNumbers(TutorialContent):
    """A tree whose numbers the reader changes, and what alpha-beta reads of it."""

    fewest: ClassVar[int] = 5
    """The fewest leaves that prove the value of a tree of three times three (Knuth and Moore)."""

    @property
    def events(self) -> Sequence[Event]:
        return trace(self.page.leaves.tree)

    @property
    def read_count(self) -> int:
        return read_count(self.events)

    @property
    def diagram(self) -> Diagram:
        return search_diagram(self.page.leaves.tree, self.events, is_over=True)


def _with_utilities(
    board: Board, verdicts: Sequence[Verdict], current: Cell | None = None
) -> LabelledBoard:
    """A board that shows what each move is worth."""
    texts = [(verdict.action, number_text(verdict.utility, signed=True)) for verdict in verdicts]
    return LabelledBoard(board, tuple(sorted(texts)), current)


@dataclass(frozen=True, slots=True)
class TrapDemo(TutorialContent):
    """A trap of the bot's: a position in which one reply holds; `verdicts` judge them all."""

    verdicts: Sequence[Verdict]

    @property
    def board(self) -> Board:
        return TRAP_GAME.boards[-1]

    @property
    def play_on(self) -> PrivatePage | None:
        if not self.is_answered:
            return None
        return play_on(TRAP_GAME, len(TRAP_GAME.moves), self.board.to_move)

    @property
    def holding(self) -> Verdict:
        return self.verdicts[0]

    @property
    def losing_count(self) -> int:
        return sum(verdict.is_blunder for verdict in self.verdicts)

    @property
    def question(self) -> Question:
        """Which reply holds: the one that does, and two that do not."""
        actions = sorted(verdict.action for verdict in self.verdicts[:_MAX_CHOICES])
        coordinate = self.board.rules.coordinate
        return Question(tuple(map(coordinate, actions)), coordinate(self.holding.action))

    @property
    def diagram(self) -> Diagram:
        verdicts = self.verdicts if self.is_answered else ()
        return (_with_utilities(self.board, verdicts, TRAP_GAME.moves[-1]),)


@dataclass(frozen=True, slots=True)
class WriteYourOwn(TutorialContent):
    """Where the reader goes from here; `source_url` is the repository's address, if known."""

    source_url: str | None


CONTENTS_WITHOUT_SEARCH: Mapping[Chapter, Callable[[TutorialPage], TutorialContent]] = {
    Chapter.NUMBER_TREE: WatchedSearch.in_numbers,
    Chapter.OWN_NUMBERS: OwnNumbers,
}
"""What those pages show follows from the page alone."""

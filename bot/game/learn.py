"""The pages of the lesson on minimax.

The later chapters have positions of their own; the tests state what each was chosen to show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

from bot.game.cells import cells_of, letters_of
from engine import Board, Cell, Record, Rules, small_tree

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

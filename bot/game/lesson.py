"""What there is to show on a lesson's page: the page, and what the engine says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from bot.game.minimax import Minimax
from bot.game.page import HintPage, PuzzlePage, RetryPage, ReviewPage
from bot.game.puzzles import Attempt, PuzzleTally
from engine import Board, Cell, Puzzle, Verdict, turning_point

Verdicts = Sequence[Verdict]


@dataclass(frozen=True, slots=True)
class Hint:
    """`reply` is the best answer to the move that was asked about, if it has one."""

    page: HintPage
    verdicts: Verdicts
    reply: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """`reply` is the best answer to the last move shown."""

    page: ReviewPage
    verdicts: Verdicts
    reply: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """`tried` is the move that was tried last, judged, and `reply` the best answer to it."""

    page: RetryPage
    verdicts: Verdicts
    tried: Verdict | None = None
    reply: Verdict | None = None


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """`replies` are the best answers to cells that were tried and lose.

    `step` is the move of the solution that was made last, judged; `tally` is the person's
    results, where this puzzle counted.
    """

    page: PuzzlePage
    puzzle: Puzzle
    replies: Mapping[Cell, Verdict | None] = field(default_factory=dict)
    step: Verdict | None = None
    tally: PuzzleTally | None = None


Lesson = Hint | Review | Retry | DailyPuzzle | Minimax


def shown_ply(page: ReviewPage, verdicts: Verdicts) -> int:
    """After how many plies a review shows the board: where it was decided, or else at its end."""
    if page.ply is not None:
        return page.ply
    decided = decided_after(verdicts)
    return len(verdicts) if decided is None else decided


def decided_after(verdicts: Verdicts) -> int | None:
    """After how many plies the value of a game changed for the last time, if it ever did."""
    decisive = turning_point(verdicts)
    return None if decisive is None else decisive + 1


def another_mistake(page: RetryPage, verdicts: Verdicts) -> int | None:
    """The ply of the next mistake of a game; after the last comes the first."""
    plies = [ply for ply, verdict in enumerate(verdicts, 1) if verdict.is_blunder]
    later = [ply for ply in plies if ply > page.ply]
    return next((ply for ply in (*later, *plies) if ply != page.ply), None)


def is_over(tried: Sequence[Cell], puzzle: Puzzle) -> bool:
    """Whether nothing is left to be found of a puzzle, or no try."""
    return Attempt(tuple(tried), puzzle.solution).is_over


def is_possible(page: PuzzlePage, puzzle: Puzzle) -> bool:
    """Whether its cells can be tried like that, and as much of the solution be shown."""
    can_be_tried = set(page.tried) <= set(puzzle.worths) and puzzle.solution not in page.tried[:-1]
    is_shown = is_over(page.tried, puzzle) and 0 < page.ply <= len(puzzle.line)
    return can_be_tried and (page.ply == 0 or is_shown)


def solved_up_to(puzzle: Puzzle, ply: int) -> Board:
    """The board of a puzzle after so many plies of its solution."""
    return reduce(Board.result, puzzle.line[:ply], puzzle.board)

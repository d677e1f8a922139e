"""Lessons: a page, with what the engine says about it."""

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
    """`reply` is the best answer to the last move shown, if that was a blunder that loses."""

    page: ReviewPage
    verdicts: Verdicts
    reply: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """`tried` is the verdict on the last try, and `reply` the best answer to it if it loses."""

    page: RetryPage
    verdicts: Verdicts
    tried: Verdict | None = None
    reply: Verdict | None = None


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """`replies` are the best answers to cells that were tried and lose.

    `step` is the verdict on the move of the solution that is shown; `tally` is the person's
    results, if this puzzle counted.
    """

    page: PuzzlePage
    puzzle: Puzzle
    replies: Mapping[Cell, Verdict | None] = field(default_factory=dict)
    step: Verdict | None = None
    tally: PuzzleTally | None = None


Lesson = Hint | Review | Retry | DailyPuzzle | Minimax


def shown_ply(page: ReviewPage, verdicts: Verdicts) -> int:
    """The ply at which a review shows the board: by default the decisive one, or else the end."""
    if page.ply is not None:
        return page.ply
    decided = decided_after(verdicts)
    return len(verdicts) if decided is None else decided


def decided_after(verdicts: Verdicts) -> int | None:
    """The ply at which the value of a game changed for the last time; None if it never did."""
    decisive = turning_point(verdicts)
    return None if decisive is None else decisive + 1


def another_mistake(page: RetryPage, verdicts: Verdicts) -> int | None:
    """The ply of the next mistake, after the last the first again; None if there is no other."""
    plies = [ply for ply, verdict in enumerate(verdicts, 1) if verdict.is_blunder]
    later = [ply for ply in plies if ply > page.ply]
    return next((ply for ply in (*later, *plies) if ply != page.ply), None)


def is_over(tried: Sequence[Cell], puzzle: Puzzle) -> bool:
    """Whether a puzzle is solved, or no try is left."""
    return Attempt(tuple(tried), puzzle.solution).is_over


def is_possible(page: PuzzlePage, puzzle: Puzzle) -> bool:
    """Whether these tries can be made in a puzzle, and its solution be shown up to `page.ply`."""
    can_be_tried = set(page.tried) <= set(puzzle.worths) and puzzle.solution not in page.tried[:-1]
    is_shown = is_over(page.tried, puzzle) and 0 < page.ply <= len(puzzle.line)
    return can_be_tried and (page.ply == 0 or is_shown)


def solved_up_to(puzzle: Puzzle, ply: int) -> Board:
    """The board of a puzzle after `ply` plies of its solution."""
    return reduce(Board.result, puzzle.line[:ply], puzzle.board)

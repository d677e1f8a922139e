"""The path: fourteen stops over all boards, each passed without hints, and a second mark for each.

A match counts for one of them at most: the first that is not passed and has its board, its level
and its side. They are passed in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.domain.matches import Match, MatchResult, Setup, Trail, result_for
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Mark, Rules

_THREE_ON_4X4, _FOUR_ON_4X4 = Rules(4, 4, 3), Rules(4, 4, 4)
_FOUR_ON_5X5, _FIVE_ON_5X5 = Rules(5, 5, 4), Rules(5, 5, 5)

STOPS: Mapping[Setup, int] = {
    Setup(TIC_TAC_TOE, Level.EASY): 0,
    Setup(INFINITE, Level.EASY): 0,
    Setup(MISERE, Level.EASY): 0,
    Setup(_THREE_ON_4X4, Level.EASY): 0,
    Setup(TIC_TAC_TOE, Level.MEDIUM): 2,
    Setup(_FOUR_ON_5X5, Level.EASY): 0,
    Setup(_FIVE_ON_5X5, Level.EASY): 3,
    Setup(_FOUR_ON_4X4, Level.EASY): 3,
    Setup(INFINITE, Level.EASY, Mark.O): 0,
    Setup(MISERE, Level.HARD, Mark.O): 0,
    Setup(TIC_TAC_TOE, Level.HARD, Mark.X): 2,
    Setup(INFINITE, Level.MEDIUM, Mark.X): 0,
    Setup(_FOUR_ON_4X4, Level.IMPOSSIBLE, Mark.X): 2,
    Setup(TIC_TAC_TOE, Level.IMPOSSIBLE, Mark.X): 1,
}
"""The stops in their order, and how many draws pass each as a win does; 0 if only a win does."""

SECOND_MARKS: Mapping[Setup, int] = {
    Setup(TIC_TAC_TOE, Level.EASY, Mark.O): 0,
    Setup(INFINITE, Level.HARD, Mark.O): 0,
    Setup(MISERE, Level.MEDIUM, Mark.X): 2,
    Setup(_THREE_ON_4X4, Level.IMPOSSIBLE, Mark.X): 0,
    Setup(TIC_TAC_TOE, Level.HARD, Mark.O): 2,
    Setup(_FOUR_ON_5X5, Level.MEDIUM, Mark.X): 0,
    Setup(_FIVE_ON_5X5, Level.IMPOSSIBLE, Mark.O): 2,
    Setup(_FOUR_ON_4X4, Level.HARD, Mark.O): 2,
    Setup(INFINITE, Level.MEDIUM, Mark.O): 0,
    Setup(MISERE, Level.IMPOSSIBLE, Mark.O): 2,
    Setup(TIC_TAC_TOE, Level.EXPERT, Mark.O): 2,
    Setup(INFINITE, Level.IMPOSSIBLE, Mark.X): 0,
    Setup(_FOUR_ON_4X4, Level.IMPOSSIBLE, Mark.O): 2,
    Setup(TIC_TAC_TOE, Level.IMPOSSIBLE, Mark.O): 2,
}
"""The second mark of each stop, in the same order: the same board, stronger or going second."""

GOALS: Mapping[Setup, int] = {**STOPS, **SECOND_MARKS}

LOSSES_BEFORE_RELIEF = 4
"""After so many losses in a row at a goal, a match against the lowest level is offered."""


class Progress(NamedTuple):
    """How far somebody is at a goal: draws that count, losses in a row, whether it is passed."""

    draws: int = 0
    losses: int = 0
    is_passed: bool = False

    def after(self, result: MatchResult, draws_to_pass: int) -> Progress:
        """The progress with one more match, of which `draws_to_pass` draws pass the goal."""
        if result is MatchResult.LOST:
            return self._replace(losses=self.losses % LOSSES_BEFORE_RELIEF + 1)
        draws = self.draws + int(result is MatchResult.DRAWN and draws_to_pass > 0)
        is_passed = result is MatchResult.WON or 0 < draws_to_pass <= draws
        return Progress(draws, 0, is_passed)


Path = Mapping[Setup, Progress]
"""Somebody's progress at the goals where they have any."""


def is_passed(path: Path, goal: Setup) -> bool:
    return goal in path and path[goal].is_passed


def stops_passed(path: Path) -> int:
    return sum(is_passed(path, stop) for stop in STOPS)


def next_goal(path: Path, rules: Rules | None = None) -> Setup | None:
    """The first goal that is not passed, on a board if one is given; None if all are."""
    open_goals = (goal for goal in GOALS if not is_passed(path, goal))
    return next((goal for goal in open_goals if rules in (None, goal.rules)), None)


def usual_setup(path: Path, rules: Rules) -> Setup:
    """What somebody plays on a board: the first goal not passed there, or at last the hardest."""
    return next_goal(path, rules) or [goal for goal in GOALS if goal.rules == rules][-1]


def chosen_setup(path: Path, rules: Rules, level: Level) -> Setup:
    """A match at a chosen level: with the side of the stop there, if one is not passed."""
    setup = Setup(rules, level)
    open_stops = (stop for stop in STOPS if not is_passed(path, stop))
    return next((stop for stop in open_stops if _counts_for(setup, stop)), setup)


def goal_at(path: Path, setup: Setup) -> Setup | None:
    """The goal for which a match counts, before hints; with no side, one of either side."""
    open_goals = (goal for goal in GOALS if not is_passed(path, goal))
    return next((goal for goal in open_goals if _counts_for(setup, goal)), None)


def _counts_for(setup: Setup, goal: Setup) -> bool:
    has_side = goal.mark is None or setup.mark in (None, goal.mark)
    return (goal.rules, goal.level) == (setup.rules, setup.level) and has_side


def setup_of(match: Match) -> Setup | None:
    """What a person plays against the bot; None between people."""
    if match.bot_level is None:
        return None
    return Setup(match.rules, match.bot_level, match.person_mark)


def trail_at(path: Path, setup: Setup) -> Trail:
    """Where a new match stands on its player's path."""
    goal = goal_at(path, setup)
    draws = path[goal].draws if goal and goal in path else 0
    return Trail(goal, draws, stops_passed(path))


def after_match(path: Path, match: Match) -> tuple[Path, Trail]:
    """A path with one more match against the bot, and where that match stands on it."""
    setup = setup_of(match)
    assert setup is not None, "it is against the bot"
    assert setup.mark is not None, "it has been played"
    result = result_for(setup.mark, match)
    assert result is not None, "only results are counted"
    goal = None if match.hints else goal_at(path, setup)
    if goal is None:
        return path, Trail(None, 0, stops_passed(path), _elsewhere(next_goal(path), setup))
    progress = path.get(goal, Progress()).after(result, GOALS[goal])
    path = {**path, goal: progress}
    following = None
    if progress.is_passed:
        following = next_goal(path)
    elif progress.losses == LOSSES_BEFORE_RELIEF:
        following = Setup(setup.rules, Level.CHILD)
    return path, Trail(goal, progress.draws, stops_passed(path), following, progress.is_passed)


def _elsewhere(goal: Setup | None, setup: Setup) -> Setup | None:
    """A goal, unless a rematch leads there."""
    return None if goal == setup._replace(mark=None) else goal


def without_progress(trail: Trail | None) -> Trail | None:
    """Only what is next, for a player whose results nobody else may see."""
    return Trail(None, following=trail.following) if trail else None

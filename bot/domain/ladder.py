"""The ladder: the bot's levels on 3x3, each passed without hints, once those below are passed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.domain.matches import Match, MatchResult
from engine import TIC_TAC_TOE, Level

RUNGS = (
    Level.EASY,
    Level.MEDIUM,
    Level.HARD,
    Level.EXPERT,
    Level.PERFECT,
    Level.IMPOSSIBLE,
)
"""From the bottom up. Somebody new meets the first."""

UNBEATABLE = (Level.PERFECT, Level.IMPOSSIBLE)
"""The levels against which a draw is the best possible result on 3x3."""

PASSED_BY_DRAWS = (Level.EXPERT, *UNBEATABLE)
"""The levels that two draws pass: a casual player beats *expert* three times in a hundred."""

_DRAWS_TO_PASS = 2

_SCORED_LEVELS = (Level.CHILD, *RUNGS)
"""Scores are stored by the levels' places here: one that comes between two others needs a migration
of `ranks`."""


class LadderResult(NamedTuple):
    """How often somebody has won and drawn against a level on 3x3, without hints."""

    won: int = 0
    drawn: int = 0


LadderResults = Mapping[Level, LadderResult]


def is_on_ladder(match: Match) -> bool:
    """Whether a match can pass a rung, as long as no hint is given."""
    return match.rules == TIC_TAC_TOE and match.bot_level in RUNGS


def passed_rungs(results: LadderResults) -> tuple[Level, ...]:
    """The rungs that somebody has passed, from the bottom up."""
    passed: list[Level] = []
    for level in RUNGS:
        result = results.get(level, LadderResult())
        has_drawn_enough = level in PASSED_BY_DRAWS and result.drawn >= _DRAWS_TO_PASS
        if not result.won and not has_drawn_enough:
            break
        passed.append(level)
    return tuple(passed)


def level_to_pass(results: LadderResults) -> Level:
    """The lowest rung that somebody has not passed, or the highest."""
    passed = passed_rungs(results)
    return RUNGS[min(len(passed), len(RUNGS) - 1)]


def score_on_ladder(results: LadderResults) -> int | None:
    """The score of the highest rung that somebody has passed: the greater, the better."""
    passed = passed_rungs(results)
    if not passed:
        return None
    has_won = results[passed[-1]].won > 0
    return ladder_score(passed[-1], MatchResult.WON if has_won else MatchResult.DRAWN)


def ladder_score(level: Level, result: MatchResult) -> int:
    """The score of a draw or a win against a level."""
    score = 2 * _SCORED_LEVELS.index(level)
    return score + 1 if result is MatchResult.WON else score


def parse_ladder_score(score: int) -> tuple[Level, MatchResult]:
    """The inverse of `ladder_score`. Raises IndexError if the score is too high."""
    level_index, is_win = divmod(score, 2)
    result = MatchResult.WON if is_win else MatchResult.DRAWN
    return _SCORED_LEVELS[level_index], result

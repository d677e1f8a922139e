"""The ladder of 3x3: what passes a rung, and how a place on it is stored."""

from __future__ import annotations

import pytest

from bot.domain.ladder import (
    RUNGS,
    LadderResult,
    ladder_score,
    level_to_pass,
    parse_ladder_score,
    passed_rungs,
    score_on_ladder,
)
from bot.domain.matches import MatchResult
from engine import Level

WON, DREW_ONCE, DREW_TWICE = LadderResult(won=1), LadderResult(drawn=1), LadderResult(drawn=2)
UP_TO_HARD = dict.fromkeys((Level.EASY, Level.MEDIUM, Level.HARD), WON)
UP_TO_EXPERT = {**UP_TO_HARD, Level.EXPERT: DREW_TWICE}


@pytest.mark.parametrize(
    ("results", "passed"),
    [
        ({}, 0),
        ({Level.EASY: WON}, 1),
        ({Level.EASY: LadderResult(drawn=9)}, 0),
        ({Level.MEDIUM: WON, Level.IMPOSSIBLE: DREW_TWICE}, 0),
        (UP_TO_HARD, 3),
        ({**UP_TO_HARD, Level.EXPERT: DREW_ONCE}, 3),
        ({**UP_TO_HARD, Level.EXPERT: WON}, 4),
        (UP_TO_EXPERT, 4),
        ({**UP_TO_EXPERT, Level.IMPOSSIBLE: DREW_TWICE}, 4),
        ({**UP_TO_EXPERT, Level.PERFECT: DREW_TWICE}, 5),
        ({**UP_TO_EXPERT, Level.PERFECT: DREW_TWICE, Level.IMPOSSIBLE: DREW_TWICE}, 6),
    ],
)
def test_a_rung_counts_once_those_below_are_passed(
    results: dict[Level, LadderResult], passed: int
) -> None:
    assert passed_rungs(results) == RUNGS[:passed]
    assert level_to_pass(results) is RUNGS[min(passed, 5)]


def test_the_score_is_that_of_the_highest_rung_and_tells_a_win_from_draws() -> None:
    assert score_on_ladder({Level.MEDIUM: WON}) is None
    assert score_on_ladder(UP_TO_HARD) == ladder_score(Level.HARD, MatchResult.WON)
    assert score_on_ladder(UP_TO_EXPERT) == ladder_score(Level.EXPERT, MatchResult.DRAWN)


def test_a_score_rises_with_the_level_and_from_a_draw_to_a_win() -> None:
    rungs = [(level, result) for level in Level for result in (MatchResult.DRAWN, MatchResult.WON)]
    assert [parse_ladder_score(ladder_score(*one)) for one in rungs] == rungs
    assert sorted(rungs, key=lambda one: ladder_score(*one)) == rungs

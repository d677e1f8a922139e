"""One's own mistakes to practise: which they are, and the score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.practice import Exercise, MistakePage, PracticeStep, own_mistakes
from engine import MISERE, TIC_TAC_TOE, Cell, Mark, Rules, judge
from tests.bot.domain.test_analysis import TWO_EACH, judged
from tests.bot.example_matches import ANA, make_match

TRY, SHOW, NEXT = PracticeStep.TRY, PracticeStep.SHOW, PracticeStep.NEXT
RIGHT, WRONG = 4, 8
"""Cells for X's second move: the centre wins, the corner does not."""


@pytest.mark.parametrize(
    ("moves", "rules", "mark", "plies"),
    [
        (TWO_EACH, TIC_TAC_TOE, Mark.X, [3, 5]),
        (TWO_EACH, TIC_TAC_TOE, Mark.O, [2, 6]),
        ("C2 A2 A3 C1 C3 B3 A1 B1 B2", TIC_TAC_TOE, Mark.O, [8]),
        ("A1 A2 A3 C2 B1 C1 B3 B2", MISERE, Mark.O, [6]),
        ("B2 A1 C3 C1 B1 B3 A2 C2 A3", TIC_TAC_TOE, Mark.X, []),
    ],
)
def test_one_s_own_moves_that_changed_the_result_are_practised(
    moves: str, rules: Rules, mark: Mark, plies: list[int]
) -> None:
    assert own_mistakes(judged(moves, rules).verdicts, mark) == plies


def exercise(step: PracticeStep, *tries: Cell) -> Exercise:
    """X's first mistake, tried; two came before, one of which was right on the first try."""
    game = judged(TWO_EACH)
    match, mistake = make_match(moves=game.record.moves), game.verdicts[2]
    page = MistakePage(step, match.id, 3, tries, met=2, right=1)
    cell = mistake.best_actions[0] if step is SHOW else tries[-1]
    return Exercise(page, ANA, match, mistake, judge(mistake.board, cell))


@pytest.mark.parametrize(
    ("tried", "right"),
    [
        (exercise(TRY, RIGHT), 2),
        (exercise(TRY, WRONG, RIGHT), 1),
        (exercise(SHOW), 1),
        (exercise(SHOW, WRONG), 1),
    ],
)
def test_what_is_right_on_the_first_try_counts(tried: Exercise, right: int) -> None:
    assert tried.is_over
    assert tried.next_page == MistakePage(NEXT, 7, 3, met=3, right=right)


def test_a_wrong_try_does_not_end_an_exercise() -> None:
    assert not exercise(TRY, WRONG).is_over
    assert not replace(exercise(TRY, WRONG), answer=None).is_over

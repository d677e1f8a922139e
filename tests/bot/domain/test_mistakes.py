"""Mistakes to try again: which come, and the score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.analysis import blunder_plies
from bot.domain.mistakes import Mistake, MistakePage, MistakeStep, find_mistake
from bot.domain.refusals import Refused
from engine import MISERE, TIC_TAC_TOE, Cell, Mark, Rules, judge
from tests.bot.domain.test_analysis import TWO_EACH, judged
from tests.bot.example_matches import make_match

TRY, SHOW, NEXT = MistakeStep.TRY, MistakeStep.SHOW, MistakeStep.NEXT
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
def test_one_s_own_moves_that_changed_the_result_are_mistakes(
    moves: str, rules: Rules, mark: Mark, plies: list[int]
) -> None:
    assert blunder_plies(judged(moves, rules).verdicts, mark) == plies


def mistake(step: MistakeStep, *tries: Cell) -> Mistake:
    """X's first mistake, tried; two came before, one of which was right on the first try."""
    game = judged(TWO_EACH)
    match, verdict = make_match(moves=game.record.moves), game.verdicts[2]
    page = MistakePage(step, match.id, 3, tries, met=2, right=1)
    cell = verdict.best_actions[0] if step is SHOW else tries[-1]
    return Mistake(page, verdict, match, judge(verdict.board, cell))


@pytest.mark.parametrize(
    ("tried", "right"),
    [
        (mistake(TRY, RIGHT), 2),
        (mistake(TRY, WRONG, RIGHT), 1),
        (mistake(SHOW), 1),
        (mistake(SHOW, WRONG), 1),
    ],
)
def test_what_is_right_on_the_first_try_counts(tried: Mistake, right: int) -> None:
    assert tried.is_over
    assert tried.next_page == MistakePage(NEXT, 7, 3, met=3, right=right)


def test_a_wrong_try_does_not_end_a_mistake() -> None:
    assert not mistake(TRY, WRONG).is_over
    assert not replace(mistake(TRY, WRONG), answer=None).is_over


def test_a_review_leads_through_one_side_s_mistakes_or_both_from_any_on() -> None:
    game = judged(TWO_EACH)

    def plies(mark: Mark | None, ply: int | None = None) -> list[int]:
        found, page = [], MistakePage(NEXT, game.record, in_review=True)
        if ply is not None:
            page = replace(page, step=TRY, ply=ply)
        while met := find_mistake(page, game.record, game.verdicts, mark):
            found.append(met.page.ply)
            page = met.next_page
        return found

    assert [plies(mark) for mark in (Mark.X, Mark.O, None)] == [[3, 5], [2, 6], [2, 3, 5, 6]]
    assert [plies(Mark.X, ply) for ply in (3, 5)] == [[3, 5], [5, 3]]
    assert plies(None, 5) == [5, 6, 2, 3]
    assert [plies(Mark.X, ply) for ply in (2, 6)] == [[2, 3, 5], [6, 3, 5]], "the other side's"


def test_in_a_review_the_other_side_s_mistake_can_be_tried_too() -> None:
    game = judged(TWO_EACH)
    page = MistakePage(TRY, game.record, 2, (RIGHT,), in_review=True)
    assert find_mistake(page, game.record, game.verdicts, Mark.X) == Mistake(page, game.verdicts[1])
    with pytest.raises(Refused):
        find_mistake(replace(page, ply=1), game.record, game.verdicts, Mark.X)

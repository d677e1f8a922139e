"""Hints, reviews and mistakes: where their cells and buttons lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from bot.domain.analysis import (
    REFUTATION_PLIES,
    Hint,
    Review,
    ReviewPage,
    ReviewView,
)
from bot.domain.match_actions import HintMovePage, HintPage, RematchPage
from bot.domain.mistakes import Mistake, MistakePage, MistakeStep
from bot.domain.tutorial import TutorialPage
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.mistakes import mistake_view
from bot.views.verdicts import explanation
from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Cell,
    Level,
    Mark,
    Record,
    Rules,
    judge,
    refutation,
)
from tests.bot.example_matches import make_bot_match
from tests.bot.languages import check_limits
from tests.bot.views.examples import (
    AGAIN,
    EN,
    MISSED_FORK,
    MISTAKEN,
    advice_on,
    buttons,
    controls,
    judged,
    squares,
    targets,
    text_of,
)


def pages_of_cells(view: ui.LayoutView) -> list[object]:
    """The page that each cell of 3x3 opens."""
    return targets(buttons(view)[:9])


def control(view: ui.LayoutView, label: str) -> object:
    """The page that a button below the board opens; None if there is no such button."""
    below = [button for button in buttons(view)[9:] if button.label == label]
    return next(iter(targets(below)), None)


def reviewed(game: Record, ply: int | None = None) -> ui.LayoutView:
    return review_view(Review(ReviewPage(game, ply), judged(game)), EN)


def refuted(game: Record, ply: int, shown: int, **facts: Any) -> ui.LayoutView:
    """Best play after the move at `ply`, with so many moves of it shown."""
    played = next(iter(game.moves[ply:]), None)
    line = refutation(judged(game).verdicts[ply - 1], played, REFUTATION_PLIES)
    page = ReviewPage(game, ply, ReviewView.REFUTATION, shown)
    return review_view(Review(page, replace(judged(game), **facts), refutation=line), EN)


# Hint


def test_the_best_cell_of_a_hint_plays_and_the_others_tell_more() -> None:
    match = make_bot_match("x.. .o. ..x")
    advice = advice_on(match.board)
    best, other = (verdict.action for verdict in advice[:2])

    short = Hint(match, advice, is_detailed=False)
    detailed = replace(short, is_detailed=True)
    for hint, below in (
        (short, [HintPage(match.id, match.version)]),
        (detailed, []),
        (replace(detailed, cell=best), []),
        (replace(detailed, cell=other), [HintMovePage(match.id, match.version, other)]),
    ):
        view = hint_view(hint, EN)
        for cell in match.board.actions():
            page_class = HintMovePage if cell == best else HintPage
            page = page_class(match.id, match.version, cell)
            assert targets([squares(view, match.rules)[cell]]) == [page]
        assert targets(controls(view, match.rules)) == below


@pytest.mark.parametrize(
    ("rules", "board", "cell", "said"),
    [
        (TIC_TAC_TOE, "... ... ...", 0, "7 of 8 replies. Otherwise it's a draw."),
        (INFINITE, "...... ..x1.. ......", 0, "1 of 7 replies. Otherwise nobody wins."),
    ],
)
def test_a_trap_says_what_follows_if_nobody_falls_for_it(
    rules: Rules, board: str, cell: Cell, said: str
) -> None:
    assert explanation(EN, judge(Board.parse(board, rules), cell)).endswith(said)


def test_where_each_move_s_value_is_listed_no_sentence_repeats_it() -> None:
    some_lose = make_bot_match("x.. .o. ..x")
    none_loses = make_bot_match()
    for match, is_repeated in ((some_lose, False), (none_loses, True)):
        advice = advice_on(match.board)
        for verdict in advice:
            said = text_of(hint_view(Hint(match, advice, verdict.action), EN))
            assert ("⬜ draw: " in said) is not is_repeated
            assert ("it's a draw" in said) is is_repeated


def test_a_reason_that_holds_for_another_move_too_is_not_said_twice() -> None:
    match = make_bot_match("x.. .o. ..x")
    said = text_of(hint_view(Hint(match, advice_on(match.board), 3), EN))
    assert said.count("stops a fork") == 1
    assert "🔎 The same goes for **A2**." in said


# Review


@pytest.mark.parametrize("game", [MISSED_FORK, AGAIN])
def test_a_review_is_stepped_through_back_and_on(game: Record) -> None:
    last = len(game.moves)
    for ply in range(last + 1):
        view = reviewed(game, ply)
        assert control(view, "←") == (ReviewPage(game, ply - 1) if ply else None)
        assert control(view, "→") == (ReviewPage(game, ply + 1) if ply < last else None)
        assert control(view, "More") == ReviewPage(game, ply, view=ReviewView.MORE)


def test_a_mark_leads_to_the_move_that_made_it_and_a_better_move_to_a_try() -> None:
    page = ReviewPage(MISSED_FORK, 4)
    mistake = MistakePage(MistakeStep.TRY, MISSED_FORK, 4, in_review=True)
    led: dict[Cell, object] = dict.fromkeys(range(9))
    led |= {cell: replace(page, ply=ply) for ply, cell in enumerate((0, 4, 8, 2), 1)}
    led |= {cell: replace(mistake, tries=(cell,)) for cell in (1, 3, 5, 7)}
    view = reviewed(MISSED_FORK, 4)
    assert pages_of_cells(view) == [*led.values()]
    assert control(view, "Try again") == mistake
    first = MistakePage(MistakeStep.NEXT, MISSED_FORK, in_review=True)
    assert control(reviewed(MISSED_FORK, 3), "Try again") == first


def test_a_win_that_could_have_come_sooner_is_no_mistake_to_try_again() -> None:
    view = reviewed(Record(TIC_TAC_TOE, (4, 0, 6, 8, 1, 7, 2)), 5)
    sooner = buttons(view)[2]
    assert str(sooner.emoji) == "💡"
    assert targets([sooner]) == [None]


def test_what_vanishes_leads_nowhere_and_a_mark_to_its_newest_move() -> None:
    led: dict[Cell, object] = dict.fromkeys(range(9))
    led |= {cell: ReviewPage(AGAIN, ply) for ply, cell in ((8, 1), (5, 4), (7, 5), (4, 7), (6, 8))}
    led[6] = MistakePage(MistakeStep.TRY, AGAIN, 8, (6,), in_review=True)
    assert pages_of_cells(reviewed(AGAIN, 8)) == [*led.values()]


@pytest.mark.parametrize(
    ("game", "ply", "side", "is_led"),
    [
        (MISSED_FORK, 4, None, True),
        (MISSED_FORK, 4, Mark.O, True),
        (MISSED_FORK, 4, Mark.X, False),
        (MISSED_FORK, 3, None, False),
        (Record(TIC_TAC_TOE, (0, 1, 2)), 3, None, False),
        (Record(INFINITE, (1, 3, 0, 7, 4)), 5, None, True),
        (Record(MISERE, (0, 1, 3, 4, 6)), 5, None, False),
    ],
    ids=["others", "loser", "winner", "before", "drawn", "infinite", "over"],
)
def test_the_move_that_lost_leads_all_but_the_winner_to_what_it_let_the_other_play(
    game: Record, ply: int, side: Mark | None, *, is_led: bool
) -> None:
    view = review_view(Review(ReviewPage(game, ply), replace(judged(game), side=side)), EN)
    refutation = ReviewPage(game, ply, ReviewView.REFUTATION)
    assert control(view, "How I saw it") == (refutation if is_led else None)


def test_a_refutation_is_stepped_through_and_leads_to_the_lesson_and_back() -> None:
    page = ReviewPage(MISSED_FORK, 4, ReviewView.REFUTATION)
    lesson = TutorialPage(Record(moves=MISSED_FORK.moves[:4]))
    for shown in range(4):
        view = refuted(MISSED_FORK, 4, shown)
        assert control(view, "←") == (replace(page, shown=shown - 1) if shown else None)
        assert control(view, "→") == (replace(page, shown=shown + 1) if shown < 3 else None)
        assert control(view, "How to find it") == lesson
        assert control(view, "Back to the review") == ReviewPage(MISSED_FORK, 4)


@pytest.mark.parametrize(
    ("game", "ply", "threats"),
    [
        (MISSED_FORK, 4, ["A3", "A2 B3", "B3", ""]),
        (Record(MISERE, (0, 3, 6, 5, 1, 2)), 6, ["B3", "B2 C3", ""]),
    ],
    ids=["fork", "misère"],
)
def test_a_refutation_shows_where_the_winner_threatens_to_win(
    game: Record, ply: int, threats: Sequence[str]
) -> None:
    for shown, cells in enumerate(threats):
        board = squares(refuted(game, ply, shown), game.rules)
        drawn = [
            game.rules.coordinate(c) for c, square in board.items() if "⚡" in str(square.emoji)
        ]
        assert " ".join(drawn) == cells, shown


def test_where_a_tree_would_have_no_end_no_lesson_follows_a_refutation() -> None:
    infinite = Record(INFINITE, (1, 3, 0, 7, 4))
    assert control(refuted(infinite, 5, 0), "How to find it") is None


@pytest.mark.parametrize(
    ("side", "level", "heading"),
    [
        (Mark.O, Level.EASY, "Your C1 let me play A3."),
        (Mark.O, None, "Your C1 let ❌ play A3."),
        (None, None, "⭕ C1 let ❌ play A3."),
    ],
    ids=["against the bot", "against a person", "for others"],
)
def test_a_refutation_tells_each_reader_whose_move_it_was(
    side: Mark | None, level: Level | None, heading: str
) -> None:
    view = refuted(MISSED_FORK, 4, 0, side=side, level=level)
    assert text_of(view) == f"**{heading}**"


def test_a_review_with_all_its_buttons_fits_on_the_largest_board() -> None:
    rematch = RematchPage(2**63 - 1)
    game = replace(judged(MISTAKEN), side=Mark.O, rematch=rematch)
    view = review_view(Review(ReviewPage(2**63 - 1, 24), game), EN)
    labels = [button.label for button in controls(view, MISTAKEN.rules)]
    assert labels == ["Try again", "How I saw it", "←", "→", "Play on", "More"]
    check_limits(view)
    check_limits(refuted(MISTAKEN, 24, 0, side=Mark.O))


# Try again


def test_a_mistake_is_tried_on_free_cells_and_leads_on_or_back_to_the_review() -> None:
    page = MistakePage(MistakeStep.TRY, MISSED_FORK, 4, in_review=True)
    mistake = Mistake(page, judged(MISSED_FORK).verdicts[3])
    led: dict[Cell, object] = {cell: replace(page, tries=(cell,)) for cell in range(9)}
    led |= dict.fromkeys((0, 4, 8))
    view = mistake_view(mistake, EN)
    show, back = replace(page, step=MistakeStep.SHOW), ReviewPage(MISSED_FORK, 4)
    assert pages_of_cells(view) == [*led.values()]
    assert targets(controls(view, TIC_TAC_TOE)) == [show, back]

    right = replace(mistake, page=replace(page, tries=(1,)), answer=judge(mistake.verdict.board, 1))
    view = mistake_view(right, EN)
    on = MistakePage(MistakeStep.NEXT, MISSED_FORK, 4, (), 1, 1, in_review=True)
    assert pages_of_cells(view) == [None] * 9
    assert targets(controls(view, TIC_TAC_TOE)) == [on, back]

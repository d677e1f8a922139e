"""The path: which match counts for which stop, what passes it, and what is next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.match_actions import MatchAction
from bot.domain.matches import BOARDS, Match, Player, Setup, Trail
from bot.domain.path import (
    GOALS,
    SECOND_MARKS,
    STOPS,
    Path,
    Progress,
    after_match,
    chosen_setup,
    goal_at,
    next_goal,
    stops_passed,
    trail_at,
    usual_setup,
)
from bot.domain.rematches import following_setup
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Mark
from tests.bot.example_matches import ANA, DRAWN, O_WON, VELHA, X_WON, make_bot_match, make_match

PASSED = Progress(is_passed=True)
EASY, MEDIUM = Setup(TIC_TAC_TOE, Level.EASY), Setup(TIC_TAC_TOE, Level.MEDIUM)
FIRST_OF_HARD = Setup(TIC_TAC_TOE, Level.HARD, Mark.X)
IMPOSSIBLE = Setup(TIC_TAC_TOE, Level.IMPOSSIBLE, Mark.X)
WHOLE_PATH = dict.fromkeys(STOPS, PASSED)
EVERYTHING = dict.fromkeys(GOALS, PASSED)


def walked(*matches: Match, path: Path | None = None) -> tuple[Path, Trail]:
    """Somebody's path after some matches, and where the last of them stands on it."""
    path, trail = path or {}, Trail(None)
    for match in matches:
        path, trail = after_match(path, match)
    return path, trail


def as_o(board: str, level: Level) -> Match:
    """A match in which Ana is O."""
    return make_match(board, x=Player(VELHA, level), o=Player(ANA))


def test_the_path_has_fourteen_stops_over_all_boards_each_with_a_second_mark_on_its_board() -> None:
    assert len(STOPS) == len(SECOND_MARKS) == 14
    assert len(GOALS) == 28, "no two are the same"
    assert {stop.rules for stop in STOPS} == set(BOARDS)
    assert [stop.rules for stop in STOPS] == [second.rules for second in SECOND_MARKS]


@pytest.mark.parametrize(
    ("level", "boards", "progress"),
    [
        (Level.EASY, [X_WON], Progress(is_passed=True)),
        (Level.EASY, [DRAWN, DRAWN, DRAWN], Progress()),
        (Level.EASY, [O_WON, O_WON], Progress(losses=2)),
        (Level.EASY, [O_WON, O_WON, DRAWN, O_WON], Progress(losses=1)),
        (Level.MEDIUM, [DRAWN], Progress(draws=1)),
        (Level.MEDIUM, [DRAWN, O_WON], Progress(draws=1, losses=1)),
        (Level.MEDIUM, [DRAWN, O_WON, DRAWN], Progress(draws=2, is_passed=True)),
        (Level.IMPOSSIBLE, [DRAWN], Progress(draws=1, is_passed=True)),
    ],
)
def test_a_stop_is_passed_by_a_win_or_by_as_many_draws_as_it_says(
    level: Level, boards: list[str], progress: Progress
) -> None:
    path, trail = walked(*[make_bot_match(board, level) for board in boards])
    assert trail.goal is not None
    assert path == {trail.goal: progress}
    assert trail.is_passed is progress.is_passed


def test_a_match_with_hints_or_off_the_path_counts_for_nothing() -> None:
    for match in (
        make_bot_match(X_WON, Level.EASY, hints=1),
        make_bot_match(X_WON, Level.CHILD),
        make_bot_match(X_WON, Level.PERFECT),
    ):
        assert walked(match) == ({}, Trail(None, 0, 0, walked(match)[1].following))


def test_a_side_that_a_stop_names_is_the_person_s() -> None:
    path, trail = walked(as_o("oo. xxx ...", Level.IMPOSSIBLE))
    assert trail.goal == IMPOSSIBLE._replace(mark=Mark.O), "a second mark"
    assert goal_at(path, IMPOSSIBLE) == IMPOSSIBLE
    assert goal_at({}, FIRST_OF_HARD) == FIRST_OF_HARD
    assert goal_at({}, FIRST_OF_HARD._replace(mark=None)) == FIRST_OF_HARD, "the first of the two"


def test_a_chosen_level_has_the_side_of_a_stop_but_not_of_a_second_mark() -> None:
    assert chosen_setup({}, MISERE, Level.HARD) == Setup(MISERE, Level.HARD, Mark.O)
    passed = {Setup(MISERE, Level.HARD, Mark.O): PASSED}
    assert chosen_setup(passed, MISERE, Level.HARD) == Setup(MISERE, Level.HARD)
    assert chosen_setup({}, TIC_TAC_TOE, Level.EXPERT) == Setup(TIC_TAC_TOE, Level.EXPERT)


def test_a_rematch_keeps_the_side_of_a_goal_until_it_is_passed() -> None:
    lost = make_bot_match(O_WON, Level.HARD)
    for trail, mark in (
        (None, Mark.O),
        (Trail(EASY), Mark.O),
        (Trail(FIRST_OF_HARD), Mark.X),
        (Trail(FIRST_OF_HARD, is_passed=True), Mark.O),
    ):
        match = replace(lost, trail=trail)
        setup = Setup(TIC_TAC_TOE, Level.HARD, mark)
        assert following_setup(match, MatchAction.REMATCH) == setup


def test_a_match_counts_for_the_first_goal_that_is_not_passed() -> None:
    infinite = Setup(INFINITE, Level.EASY)
    second = infinite._replace(mark=Mark.O)
    assert goal_at({}, second) == infinite
    assert goal_at({infinite: PASSED}, second) == second
    assert goal_at({infinite: PASSED}, infinite._replace(mark=Mark.X)) is None
    assert goal_at({infinite: PASSED, second: PASSED}, second) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ({}, EASY),
        ({MEDIUM: PASSED}, EASY),
        ({EASY: PASSED}, MEDIUM),
        ({EASY: PASSED, MEDIUM: PASSED}, FIRST_OF_HARD),
        (WHOLE_PATH, EASY._replace(mark=Mark.O)),
        (EVERYTHING, IMPOSSIBLE._replace(mark=Mark.O)),
    ],
)
def test_the_usual_match_on_a_board_is_the_lowest_that_is_not_passed_there(
    path: Path, expected: Setup
) -> None:
    assert usual_setup(path, TIC_TAC_TOE) == expected


def test_after_a_stop_the_path_goes_on_over_boards_and_at_last_to_second_marks() -> None:
    _, trail = walked(make_bot_match(X_WON, Level.EASY))
    assert trail == Trail(EASY, 0, 1, Setup(INFINITE, Level.EASY), is_passed=True)
    last = {stop: PASSED for stop in STOPS if stop != EASY}
    assert next_goal(last) == EASY
    path, trail = walked(make_bot_match(X_WON, Level.EASY), path=last)
    assert (stops_passed(path), trail.following) == (14, EASY._replace(mark=Mark.O))
    _, trail = walked(make_bot_match(X_WON, Level.CHILD), path=EVERYTHING)
    assert trail == Trail(None, 0, 14)


def test_off_the_path_the_next_match_leads_back_unless_a_rematch_does() -> None:
    passed = {goal: PASSED for goal in STOPS if goal != FIRST_OF_HARD}
    hinted = make_bot_match(O_WON, Level.HARD, hints=1)
    assert walked(hinted, path=passed)[1].following == FIRST_OF_HARD, "a rematch swaps sides"
    assert walked(make_bot_match(O_WON, Level.CHILD))[1].following == EASY
    assert walked(make_bot_match(O_WON, Level.EASY, hints=1))[1].following is None


def test_after_four_losses_in_a_row_one_match_against_child_s_play_is_offered() -> None:
    lost = make_bot_match(O_WON, Level.EASY)
    following = [walked(*[lost] * count)[1].following for count in range(1, 10)]
    child = Setup(TIC_TAC_TOE, Level.CHILD)
    assert following == [None, None, None, child, None, None, None, child, None]


def test_a_new_match_says_how_many_draws_count_for_its_goal() -> None:
    path, _ = walked(make_bot_match(DRAWN, Level.MEDIUM), make_bot_match(X_WON, Level.EASY))
    assert trail_at(path, MEDIUM) == Trail(MEDIUM, 1, 1)
    assert trail_at(path, Setup(MISERE, Level.CHILD)) == Trail(None, 0, 1)


@pytest.mark.parametrize(
    "trail",
    [
        Trail(None),
        Trail(EASY, 0, 1, Setup(INFINITE, Level.EASY), is_passed=True),
        Trail(IMPOSSIBLE, 1, None, Setup(TIC_TAC_TOE, Level.CHILD)),
    ],
)
def test_a_trail_survives_being_stored_as_text(trail: Trail) -> None:
    assert Trail.parse(str(trail)) == trail


def test_the_longest_texts_fit_their_columns() -> None:
    longest = max(map(str, GOALS), key=len)
    assert len(longest) <= 32
    assert len(f"{longest}|3|14|{longest}|1") <= 96

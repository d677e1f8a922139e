"""Attempts, streaks, and how many tries the daily puzzles took."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from bot.domain.puzzles import (
    FIRST_DAY,
    Attempt,
    PracticePage,
    PuzzlePage,
    PuzzleStats,
    another_day,
    next_post_at,
    past_days,
    puzzle_page,
    warm_up_day,
)
from bot.domain.refusals import RefusalReason, Refused
from engine import Grade, Value, daily_puzzle
from tests.bot.refusals import Refusal, refusal_of

MONDAY = date(2026, 5, 4)
RIGHT, WRONG, WORSE, WORST = 4, 0, 1, 2
SOLVED, MISSED = Attempt((RIGHT,), RIGHT), Attempt((WRONG, WORSE, WORST), RIGHT)


@pytest.mark.parametrize(
    ("tried", "tries", "over", "points"),
    [
        ((), None, 0, 0),
        ((WRONG,), None, 0, 0),
        ((RIGHT,), 1, 1, 3),
        ((WRONG, RIGHT), 2, 1, 2),
        ((WRONG, WORSE, RIGHT), 3, 1, 1),
        ((WRONG, WORSE, WORST), None, 1, 0),
    ],
)
def test_an_attempt_is_over_when_it_is_solved_or_after_three_tries(
    tried: tuple[int, ...], tries: int | None, over: int, points: int
) -> None:
    attempt = Attempt(tried, RIGHT)
    assert (attempt.tries_needed, attempt.is_over, attempt.points) == (tries, bool(over), points)


def played(days: str) -> PuzzleStats:
    """A tally after some days from a Monday on: x is solved, o is missed, a point not tried."""
    tally = PuzzleStats()
    for number, what in enumerate(days):
        if what != ".":
            day = MONDAY + timedelta(days=number)
            tally = tally.after(day, SOLVED if what == "x" else MISSED)
    return tally


@pytest.mark.parametrize(
    ("days", "now", "best"),
    [
        ("", 0, 0),
        ("x", 1, 1),
        ("xxx", 3, 3),
        ("xx.", 2, 2),
        ("xx.x", 3, 3),
        ("xxox", 3, 3),
        ("xx..", 0, 2),
        ("xx..x", 1, 2),
        ("x.x.x", 1, 2),
        ("x.xxxxx.x", 1, 6),
        ("x.xxxxxx.x", 8, 8),
        ("x.xxxxxx.xx.", 0, 9),
        ("xxxxo", 4, 4),
        ("xxxxoo", 0, 4),
    ],
)
def test_a_streak_forgives_one_day_in_seven(days: str, now: int, best: int) -> None:
    tally = played(days)
    last_day = MONDAY + timedelta(days=len(days) - 1)
    assert tally.streak_on(last_day + timedelta(days=1)) == now
    assert tally.best == best


def test_a_streak_lasts_today_before_and_after_today_s_puzzle_is_solved() -> None:
    tally = played("xx")
    today = MONDAY + timedelta(days=2)
    assert tally.streak_on(today) == 2
    assert tally.after(today, SOLVED).streak_on(today) == 3
    missed = tally.after(today, MISSED)
    assert missed.streak_on(today) == 0
    assert missed.streak_on(today + timedelta(days=1)) == 2, "tomorrow may make it good"


def test_solving_yesterday_s_puzzle_late_does_not_change_the_streak() -> None:
    tally = PuzzleStats().after(MONDAY + timedelta(days=1), SOLVED)
    late = tally.after(MONDAY, SOLVED)
    assert late.solved == (2, 0, 0)
    assert (late.streak, late.last_day) == (tally.streak, tally.last_day)


def test_puzzles_are_counted_by_number_of_tries() -> None:
    tally = PuzzleStats()
    assert tally.is_new
    for tried in ((RIGHT,), (WRONG, RIGHT), (WRONG, RIGHT), MISSED.tries):
        tally = tally.after(MONDAY, Attempt(tried, RIGHT))
    assert (tally.solved, tally.missed) == ((1, 2, 0), 1)
    assert not tally.is_new


TODAY = date(2026, 12, 10)


def test_the_days_to_choose_from_are_over_and_begin_with_the_first_puzzle() -> None:
    last_two_weeks = [TODAY - timedelta(days=n) for n in range(1, 15)]
    assert past_days(TODAY) == last_two_weeks
    assert past_days(FIRST_DAY + timedelta(days=2)) == [
        FIRST_DAY + timedelta(days=1),
        FIRST_DAY,
    ]
    assert past_days(FIRST_DAY) == []
    assert past_days(TODAY, FIRST_DAY) == [*last_two_weeks, FIRST_DAY]
    for typed in (date(2026, 12, 1), TODAY, date(2026, 11, 20)):
        assert past_days(TODAY, typed) == last_two_weeks


@pytest.mark.parametrize(
    ("day", "page"),
    [
        (TODAY, PuzzlePage(TODAY)),
        (date(2026, 12, 9), PracticePage(date(2026, 12, 9))),
        (FIRST_DAY, PracticePage(FIRST_DAY)),
    ],
)
def test_only_today_s_puzzle_counts(day: date, page: PuzzlePage) -> None:
    assert puzzle_page(day, TODAY) == page


@pytest.mark.parametrize(
    ("day", "reason", "until"),
    [
        (date(2026, 11, 20), RefusalReason.NO_PUZZLE_YET, datetime(2026, 11, 21, tzinfo=UTC)),
        (date(2026, 12, 11), RefusalReason.PUZZLE_TO_COME, datetime(2026, 12, 11, tzinfo=UTC)),
    ],
)
def test_other_days_have_no_puzzle(day: date, reason: RefusalReason, until: datetime) -> None:
    with pytest.raises(Refused) as refused:
        puzzle_page(day, TODAY)
    assert refusal_of(refused.value) == Refusal(reason, until=until)


WEEK = [FIRST_DAY + timedelta(days=number) for number in range(7)]


@pytest.mark.parametrize("day", WEEK)
def test_another_puzzle_to_practise_is_never_the_same_and_never_harder(day: date) -> None:
    shown, other = daily_puzzle(day), daily_puzzle(another_day(day))
    assert other.board != shown.board
    assert other.value is shown.value
    assert other.grade <= shown.grade


def test_a_beginner_warms_up_with_an_easy_win_unless_the_day_s_is_easy() -> None:
    for day in WEEK:
        easy_day = warm_up_day(day)
        assert (easy_day is None) is (daily_puzzle(day).grade is Grade.EASY)
        if easy_day is not None:
            puzzle = daily_puzzle(easy_day)
            assert (puzzle.grade, puzzle.value) == (Grade.EASY, Value.WIN)
    assert {warm_up_day(day) is None for day in WEEK} == {True, False}


def test_for_a_month_no_warm_up_is_that_of_another_day_or_a_puzzle_that_was_shown() -> None:
    month = [FIRST_DAY + timedelta(days=number) for number in range(30)]
    easy_days = [easy_day for day in month if (easy_day := warm_up_day(day)) is not None]
    assert len({daily_puzzle(day).board for day in easy_days}) == len(easy_days) > 20
    assert all(easy_day < FIRST_DAY for easy_day in easy_days)


@pytest.mark.parametrize(
    ("hour", "is_posted", "day", "at"),
    [(9, False, 4, 15), (18, False, 4, 18), (9, True, 5, 9), (15, False, 4, 15)],
)
def test_the_next_post_comes_at_its_hour_or_at_once_if_that_is_over(
    hour: int, day: int, at: int, *, is_posted: bool
) -> None:
    now = datetime(2026, 5, 4, 15, tzinfo=UTC)
    assert next_post_at(now, hour, is_posted=is_posted) == datetime(2026, 5, day, at, tzinfo=UTC)

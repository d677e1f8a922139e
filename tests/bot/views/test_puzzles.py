"""The messages of puzzles: where their cells and buttons lead, and that they keep the secret."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from discord import ButtonStyle

from bot.domain.pages import Shortcut, ShortcutPage
from bot.domain.puzzles import (
    AnotherPage,
    DailyPuzzle,
    PracticePage,
    PuzzlePage,
    PuzzlePost,
    PuzzleStats,
    SharePage,
    WarmUpPage,
    is_puzzle_over,
    puzzle_start,
)
from bot.views.puzzles import post_view, puzzle_view, share_view, streak_and_tries
from engine import Cell, Grade, daily_puzzle
from tests.bot.example_matches import UNPOSTED
from tests.bot.views.examples import (
    EN,
    LONG_INFINITE,
    buttons,
    components_of,
    controls,
    solution_of,
    squares,
    targets,
    text_of,
    with_tries,
)

DAY = date(2026, 5, 1)
PUZZLE = daily_puzzle(DAY)
FREE = [cell for cell in PUZZLE.board.rules.cells if PUZZLE.board[cell] is None]
WRONG = [cell for cell in FREE if cell != PUZZLE.solution]


@pytest.mark.parametrize("tried", [(), tuple(WRONG[:2])])
def test_an_open_puzzle_is_tried_on_its_free_cells(tried: tuple[Cell, ...]) -> None:
    view = puzzle_view(with_tries(DailyPuzzle(PuzzlePage(DAY, tried), PUZZLE)), EN)
    for cell, square in squares(view, PUZZLE.board.rules).items():
        is_open = cell in FREE and cell not in tried
        assert targets([square]) == [PuzzlePage(DAY, (*tried, cell)) if is_open else None]


@pytest.mark.parametrize("day", [DAY, LONG_INFINITE])
def test_nothing_in_an_open_puzzle_reveals_the_solution(day: date) -> None:
    """The message would be the same, were any other of the untried cells the one."""
    puzzle = daily_puzzle(day)
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    for tried in (tuple(wrong[:count]) for count in range(3)):
        daily = with_tries(DailyPuzzle(PuzzlePage(day, tried), puzzle))
        view = components_of(puzzle_view(daily, EN))
        replies = {c for v in daily.verdicts.values() if v.allowed for c in v.allowed.cells}
        assert puzzle.solution not in replies
        for cell in puzzle.worths.keys() - {puzzle.solution, *tried, *replies}:
            swapped = {cell: puzzle.worths[puzzle.solution], puzzle.solution: puzzle.worths[cell]}
            worths = puzzle.worths | swapped
            other = replace(puzzle, worths=worths, solution=cell, line=(cell, *puzzle.line[1:]))
            assert components_of(puzzle_view(replace(daily, puzzle=other), EN)) == view


@pytest.mark.parametrize("missed", [0, 2, 3])
def test_a_puzzle_that_is_over_leads_to_its_solution_and_onwards(missed: int) -> None:
    tried = (*WRONG[:missed], PUZZLE.solution)[:3]
    assert is_puzzle_over(tried, PUZZLE)
    view = puzzle_view(with_tries(DailyPuzzle(PuzzlePage(DAY, tried), PUZZLE)), EN)
    assert targets(controls(view, PUZZLE.board.rules)) == [
        SharePage(DAY, PUZZLE.grade, wrong_tries=missed),
        PuzzlePage(DAY, tried, 1),
        ShortcutPage(Shortcut.START),
    ]


def test_the_solution_of_a_finished_puzzle_can_be_stepped_through() -> None:
    """In the infinite game, where a mark that will vanish leads nowhere."""
    puzzle = daily_puzzle(LONG_INFINITE)
    finished = PuzzlePage(LONG_INFINITE, (puzzle.solution,))
    for ply, (board, step) in enumerate(solution_of(puzzle)):
        view = puzzle_view(DailyPuzzle(replace(finished, ply=ply), puzzle, step=step), EN)
        if ply > 0:
            on = replace(finished, ply=ply + 1) if ply < len(puzzle.line) else None
            back = replace(finished, ply=ply - 1)
            another = AnotherPage(LONG_INFINITE)
            assert targets(controls(view, board.rules)) == [back, on, another]
        shown = puzzle.line[: ply or 1]
        made = {cell: replace(finished, ply=to) for to, cell in enumerate(shown, 1)}
        for cell, square in squares(view, board.rules).items():
            leads = cell != board.vanishing and (ply == 0 or board[cell] is not None)
            assert targets([square]) == [made.get(cell) if leads else None]


def test_a_shared_line_leads_everybody_to_the_same_puzzle() -> None:
    view = share_view(SharePage(DAY, Grade.EASY, 1), 111, EN)
    assert targets(buttons(view)) == [PuzzlePage(DAY)]


def test_a_cell_picked_where_the_puzzle_is_posted_is_tried_by_a_press() -> None:
    post = post_view(PuzzlePost(UNPOSTED, DAY), PUZZLE)
    picked = PuzzlePage(DAY, picked=WRONG[0])
    assert targets([squares(post, PUZZLE.board.rules)[WRONG[0]]]) == [picked]
    view = puzzle_view(DailyPuzzle(picked, PUZZLE), EN)
    square = squares(view, PUZZLE.board.rules)[WRONG[0]]
    assert targets([square]) == [PuzzlePage(DAY, (WRONG[0],))]


@pytest.mark.parametrize("tried", [(), (WRONG[0],)])
def test_a_mark_or_a_cell_tried_before_is_not_marked(tried: tuple[Cell, ...]) -> None:
    mark = next(cell for cell in PUZZLE.board.rules.cells if PUZZLE.board[cell])
    page = PuzzlePage(DAY, tried, picked=tried[0] if tried else mark)
    view = puzzle_view(with_tries(DailyPuzzle(page, PUZZLE)), EN)
    assert ButtonStyle.primary not in {button.style for button in buttons(view)}
    assert "Press it again" not in text_of(view)


@pytest.mark.parametrize(("solved", "is_shown"), [(4, False), (5, True)])
def test_the_histogram_comes_with_the_fifth_puzzle(solved: int, *, is_shown: bool) -> None:
    stats = PuzzleStats((solved, 0, 0), streak=1, best=1, last_day=DAY)
    solved_today = DailyPuzzle(PuzzlePage(DAY, (PUZZLE.solution,)), PUZZLE, stats=stats)
    assert ("▰" in text_of(puzzle_view(solved_today, EN))) is is_shown


def test_a_streak_that_is_broken_or_never_was_is_not_told() -> None:
    broken = PuzzleStats((3, 0, 0), 1, streak=3, best=3, last_day=DAY - timedelta(days=4))
    over = DailyPuzzle(PuzzlePage(DAY, (PUZZLE.solution,)), PUZZLE, stats=broken)
    assert "🔥" not in text_of(puzzle_view(over, EN))
    assert streak_and_tries(EN, broken, DAY, "Tries").startswith("Tries")
    assert streak_and_tries(EN, PuzzleStats(), DAY, "Tries").startswith("Tries")


def test_on_the_day_of_a_miss_no_streak_is_told() -> None:
    missed = PuzzleStats((3, 0, 0), 1, 3, 3, last_day=DAY - timedelta(days=1), missed_day=DAY)
    over = with_tries(DailyPuzzle(PuzzlePage(DAY, tuple(WRONG[:3])), PUZZLE, stats=missed))
    assert "🔥" not in text_of(puzzle_view(over, EN))
    assert "🔥" not in streak_and_tries(EN, missed, DAY, "Tries")
    next_day = streak_and_tries(EN, missed, DAY + timedelta(days=1), "Tries")
    assert next_day.startswith("🔥 streak: 3 days\n")


@pytest.mark.parametrize(
    ("streak", "best", "told"),
    [
        (1, 1, "🔥 streak: 1 day"),
        (1, 4, "🔥 streak: 1 day · best: 4"),
        (4, 4, "🔥 streak: 4 days"),
        (4, 9, "🔥 streak: 4 days · best: 9"),
    ],
)
def test_the_best_streak_is_told_if_it_was_longer(streak: int, best: int, told: str) -> None:
    stats = PuzzleStats((9, 0, 0), 0, streak, best, last_day=DAY)
    assert streak_and_tries(EN, stats, DAY, "Tries").splitlines()[0] == told


@pytest.mark.parametrize(
    ("page", "is_shared", "leading"),
    [
        (PuzzlePage(DAY, (PUZZLE.solution,)), False, "Share"),
        (PuzzlePage(DAY, (PUZZLE.solution,)), True, "Show me how"),
        (PuzzlePage(DAY, tuple(WRONG[:3])), False, "Show me how"),
        (PracticePage(DAY, tuple(WRONG[:3])), False, "Show me how"),
        (WarmUpPage(DAY, tuple(WRONG[:3])), False, "Today's puzzle"),
        (WarmUpPage(DAY, (PUZZLE.solution,)), False, "Today's puzzle"),
    ],
)
def test_the_blue_button_is_what_one_wants_next(
    page: PuzzlePage, *, is_shared: bool, leading: str
) -> None:
    over = with_tries(DailyPuzzle(page, PUZZLE, today=DAY, is_shared=is_shared))
    pressable = controls(puzzle_view(over, EN), PUZZLE.board.rules)
    blue = [button.label for button in pressable if button.style is ButtonStyle.primary]
    assert blue == [leading]


@pytest.mark.parametrize("tried", [(), (PUZZLE.solution,), tuple(WRONG[:3])])
def test_how_hard_a_puzzle_is_and_its_rules_are_told_before_and_after(
    tried: tuple[Cell, ...],
) -> None:
    view = puzzle_view(with_tries(DailyPuzzle(PuzzlePage(DAY, tried), PUZZLE)), EN)
    [line] = [line for line in text_of(view).splitlines() if "★" in line]
    assert line.endswith(f" · {EN.rules(PUZZLE.board.rules)}")


@pytest.mark.parametrize(
    ("page", "is_announced"),
    [
        (PuzzlePage(DAY), False),
        (PuzzlePage(DAY, (PUZZLE.solution,)), True),
        (PracticePage(DAY, (PUZZLE.solution,)), False),
    ],
    ids=["being solved", "over", "practice"],
)
def test_the_next_puzzle_is_announced_once_the_daily_one_is_over(
    page: PuzzlePage, *, is_announced: bool
) -> None:
    puzzle = DailyPuzzle(page, PUZZLE, next_at=puzzle_start(DAY + timedelta(1)))
    assert ("Next puzzle: " in text_of(puzzle_view(puzzle, EN))) is is_announced


@pytest.mark.parametrize(("streak", "is_said"), [(6, False), (7, True), (8, False)])
def test_a_smile_comes_with_the_seventh_day_of_a_streak(streak: int, *, is_said: bool) -> None:
    stats = PuzzleStats((streak, 0, 0), streak=streak, best=9, last_day=DAY)
    over = DailyPuzzle(PuzzlePage(DAY, (PUZZLE.solution,)), PUZZLE, stats=stats)
    said = text_of(puzzle_view(over, EN))
    assert f"🔥 streak: {streak} days · best: 9" in said
    assert ("A whole week! Same time tomorrow?" in said) is is_said

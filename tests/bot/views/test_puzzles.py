"""The messages of puzzles: what they show is what the engine proves."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from discord import ButtonStyle

from bot.domain.pages import Shortcut, ShortcutPage
from bot.domain.practice import MistakePage
from bot.domain.puzzles import (
    DailyPuzzle,
    PuzzlePage,
    PuzzlePost,
    PuzzleStats,
    SharePage,
    is_puzzle_over,
    puzzle_start,
)
from bot.views.i18n import Language
from bot.views.puzzles import PuzzleTexts, post_view, puzzle_view, share_view
from engine import (
    TRIES,
    Grade,
    Mark,
    Value,
    best_reply,
    daily_puzzle,
)
from tests.bot.example_matches import UNPOSTED
from tests.bot.views.examples import (
    EN,
    LONG_INFINITE,
    MARKS,
    WEEK,
    attempts,
    buttons,
    components_of,
    controls,
    coordinates,
    languages,
    outlook,
    solution_of,
    squares,
    targets,
    text_of,
    worths_on,
)


@languages
@pytest.mark.parametrize("day", WEEK)
def test_an_open_puzzle_is_solved_on_its_free_cells(day: date, language: Language) -> None:
    puzzle = daily_puzzle(day)
    for tried in (tried for tried in attempts(puzzle) if not is_puzzle_over(tried, puzzle)):
        lesson = DailyPuzzle(PuzzlePage(day, tried), puzzle)
        view = puzzle_view(lesson, language)
        for cell, square in squares(view, puzzle.board.rules).items():
            mark = puzzle.board[cell]
            open_to = not mark and cell not in tried
            page = PuzzlePage(day, (*tried, cell)) if open_to else None
            assert targets([square]) == [page]
            assert square.label == (puzzle.board.rules.coordinate(cell) if open_to else None)
            assert str(square.emoji) == ("💥" if cell in tried else MARKS[mark])
        said = text_of(view)
        assert said.count("💥") == len(tried)
        assert said.splitlines()[-1] == PuzzleTexts(language).tries_left(lesson)
        board = puzzle.board
        taken = [cell for mark in Mark for cell in board.held_by(mark) if board.rules.repeats]
        named = [board.rules.coordinate(cell) for cell in (*taken, *tried)]
        assert coordinates(said) == named
        assert not re.search("🎯|💡|```", said)


@languages
@pytest.mark.parametrize("day", WEEK)
def test_nothing_in_an_open_puzzle_reveals_the_solution(day: date, language: Language) -> None:
    """The message would be the same, were any other of the untried cells the one."""
    puzzle = daily_puzzle(day)
    for tried in (tried for tried in attempts(puzzle) if not is_puzzle_over(tried, puzzle)):
        view = components_of(puzzle_view(DailyPuzzle(PuzzlePage(day, tried), puzzle), language))
        for cell in puzzle.worths.keys() - {puzzle.solution, *tried}:
            swapped = {cell: puzzle.worths[puzzle.solution], puzzle.solution: puzzle.worths[cell]}
            worths = puzzle.worths | swapped
            other = replace(puzzle, worths=worths, solution=cell, line=(cell, *puzzle.line[1:]))
            assert (
                components_of(puzzle_view(DailyPuzzle(PuzzlePage(day, tried), other), language))
                == view
            )


@languages
@pytest.mark.parametrize("day", WEEK)
def test_a_puzzle_that_is_over_shows_its_solution(day: date, language: Language) -> None:
    puzzle = daily_puzzle(day)
    name = puzzle.board.rules.coordinate
    for tried in (tried for tried in attempts(puzzle) if is_puzzle_over(tried, puzzle)):
        next_at = puzzle_start(day + timedelta(days=1))
        lesson = DailyPuzzle(PuzzlePage(day, tried), puzzle, next_at=next_at)
        view = puzzle_view(lesson, language)
        board = squares(view, puzzle.board.rules)
        symbol = "🎯" if puzzle.solution in tried else "💡"
        assert [cell for cell, s in board.items() if str(s.emoji) == symbol] == [puzzle.solution]
        green = [cell for cell, s in board.items() if s.style is ButtonStyle.success]
        assert green == [puzzle.solution]
        missed = {cell for cell, s in board.items() if str(s.emoji) == "💥"}
        assert missed == set(tried) - {puzzle.solution}
        said = text_of(view)
        assert re.search(rf"{symbol}.* \*\*{name(puzzle.solution)}\*\*", said)
        assert said.count("🎯") + said.count("💡") == 1
        tomorrow = said.split("<t:")[1].split(":t>")[0]
        assert int(tomorrow) == (day - date(1970, 1, 1)).days * 86400 + 86400
        share, how, _practice, mistakes, play = controls(view, puzzle.board.rules)
        assert targets([how]) == [PuzzlePage(day, tried, 1)]
        assert targets([mistakes, play]) == [MistakePage(), ShortcutPage(Shortcut.START)]
        shared = SharePage(day, puzzle.grade, wrong_guesses=len(missed))
        assert targets([share]) == [shared]
        assert shared.is_solved == (puzzle.solution in tried)


@pytest.mark.parametrize("day", [*WEEK, LONG_INFINITE])
def test_the_solution_of_a_finished_puzzle_can_be_stepped_through(day: date) -> None:
    puzzle = daily_puzzle(day)
    last, name = len(puzzle.line), puzzle.board.rules.coordinate
    for ply, (board, step) in enumerate(solution_of(puzzle)):
        page = PuzzlePage(day, (puzzle.solution,), ply)
        view = puzzle_view(DailyPuzzle(page, puzzle, step=step), EN)
        labels = [button.label for button in controls(view, board.rules)]
        led = targets(controls(view, board.rules)[:2])
        if ply == 0:
            assert labels == ["Share", "Show me how", "Practice", "Work on my mistakes", "Play"]
        else:
            assert labels == ["←", "→"]
            on = replace(page, ply=ply + 1) if ply < last else None
            assert led == [replace(page, ply=ply - 1), on]
        made = {cell: replace(page, ply=to) for to, cell in enumerate(puzzle.line[: ply or 1], 1)}
        for cell, square in squares(view, board.rules).items():
            leads = cell != board.vanishing and (ply == 0 or board[cell] is not None)
            assert targets([square]) == [made.get(cell) if leads else None]
            assert cell == puzzle.solution or str(square.emoji) == MARKS[board[cell]]
        said = text_of(view)
        for number, cell in enumerate(puzzle.line, 1) if ply else ():
            mark = MARKS[step.mark if step and number == ply else None]
            assert (f"**{mark} {name(cell)}**" in said) == (number == ply)
        assert step is None or f"{MARKS[step.mark]} **{name(puzzle.line[ply - 1])}** " in said


def test_a_shared_line_leads_everybody_to_the_same_puzzle() -> None:
    view = share_view(SharePage(WEEK[0], Grade.EASY, 1), 111, EN)
    assert targets(buttons(view)) == [PuzzlePage(WEEK[0])]


@pytest.mark.parametrize("day", WEEK)
def test_the_task_is_the_one_that_the_solver_proves(day: date) -> None:
    puzzle = daily_puzzle(day)
    worths = worths_on(puzzle.board)
    best = max(worth.value for worth in worths.values())
    assert [cell for cell, worth in worths.items() if worth.value is best] == [puzzle.solution]
    said = text_of(puzzle_view(DailyPuzzle(PuzzlePage(day), puzzle), EN))
    moves = (worths[puzzle.solution].plies_to_end + 1) // 2
    to_win = f" and can win in {moves} moves. What's the first move?"
    task = to_win if best is Value.WIN else ". Only one move holds the draw. Which one?"
    assert f"You are {MARKS[puzzle.board.to_move]}{task}" in said.splitlines()


@pytest.mark.parametrize("day", WEEK)
def test_each_miss_is_answered_with_what_it_would_lead_to(day: date) -> None:
    puzzle = daily_puzzle(day)
    for cell in puzzle.worths.keys() - {puzzle.solution}:
        said = text_of(puzzle_view(DailyPuzzle(PuzzlePage(day, (cell,)), puzzle), EN))
        ends = outlook(puzzle.board.result(cell))
        assert f"💥 **{puzzle.board.rules.coordinate(cell)}** · {ends}" in said


def test_a_miss_that_loses_is_answered_with_the_reply_unless_that_gives_the_answer_away() -> None:
    seen = set[bool]()
    for day in range(1, 8):
        puzzle = daily_puzzle(date(2026, 5, day))
        name = puzzle.board.rules.coordinate
        lost = [cell for cell, worth in puzzle.worths.items() if worth.value is Value.LOSS]
        replies = {cell: best_reply(puzzle.board, cell) for cell in lost}
        for cell, reply in replies.items():
            assert reply is not None
            gives_away = reply.action == puzzle.solution
            seen.add(gives_away)
            answer = f"{MARKS[reply.mark]} can answer: **{name(reply.action)}**"
            others = [other for other in puzzle.worths if other not in (cell, puzzle.solution)]
            for tried in ((cell,), (*others[: TRIES - 1], cell)):
                page = PuzzlePage(date(2026, 5, day), tried)
                said = text_of(puzzle_view(DailyPuzzle(page, puzzle, replies), EN))
                is_answered = len(tried) == TRIES or not gives_away
                assert (f"💥 **{name(cell)}** loses. {answer}" in said) is is_answered
    assert seen == {True, False}


DAY = date(2026, 5, 1)


def result(wrong_guesses: int, **facts: Any) -> list[str]:
    """What a person reads above the board once the puzzle is over."""
    puzzle = daily_puzzle(DAY)
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    guesses = (*wrong[:wrong_guesses], puzzle.solution)[:TRIES]
    return (
        PuzzleTexts(EN).result(DailyPuzzle(PuzzlePage(DAY, guesses), puzzle, **facts)).split("\n")
    )


def test_it_says_on_which_try_a_puzzle_is_solved() -> None:
    assert [result(wrong)[0] for wrong in range(TRIES + 1)] == [
        "## Solved on the first try!",
        "## Solved on the second try!",
        "## Solved on the third try!",
        "## Not this time",
    ]


def test_it_says_the_streak_and_how_many_here_have_solved_it() -> None:
    stats = PuzzleStats((3, 0, 0), streak=3, best=4, last_day=DAY)
    assert result(0, stats=stats, solved_here=5)[1:3] == [
        "🔥 streak: 3 days (best: 4)",
        "5 people here have solved it today.",
    ]
    broken = PuzzleStats((3, 0, 0), 1, streak=3, best=4, last_day=DAY - timedelta(days=4))
    assert not [line for line in result(3, stats=broken) if "🔥" in line]


@pytest.mark.parametrize(("solved", "is_shown"), [(4, False), (5, True)])
def test_the_histogram_comes_with_the_fifth_puzzle(solved: int, *, is_shown: bool) -> None:
    stats = PuzzleStats((solved, 0, 0), streak=1, best=1, last_day=DAY)
    puzzle = daily_puzzle(DAY)
    said = PuzzleTexts(EN).results(DailyPuzzle(PuzzlePage(DAY), puzzle, stats=stats))
    assert ("▰" in said) is is_shown


@pytest.mark.parametrize("day", WEEK)
def test_a_step_says_each_sentence_once(day: date) -> None:
    puzzle = daily_puzzle(day)
    for ply, (_board, step) in enumerate(solution_of(puzzle)):
        page = PuzzlePage(day, (puzzle.solution,), ply)
        said = text_of(puzzle_view(DailyPuzzle(page, puzzle, step=step), EN))
        sentences = re.findall(r"\*\*[A-E][1-5]\*\* [^.]*\.", said)
        assert len(sentences) == len(set(sentences)) == 1


def test_a_cell_picked_where_the_puzzle_is_posted_is_marked_and_tried_by_a_press() -> None:
    puzzle = daily_puzzle(DAY)
    wrong = next(cell for cell in puzzle.worths if cell != puzzle.solution)
    post = post_view(PuzzlePost(UNPOSTED, DAY), puzzle)
    assert targets([squares(post, puzzle.board.rules)[wrong]]) == [PuzzlePage(DAY, picked=wrong)]
    view = puzzle_view(DailyPuzzle(PuzzlePage(DAY, picked=wrong), puzzle), EN)
    square = squares(view, puzzle.board.rules)[wrong]
    assert square.style is ButtonStyle.primary
    assert targets([square]) == [PuzzlePage(DAY, (wrong,))]
    assert f"**{puzzle.board.rules.coordinate(wrong)}**? Press it again" in text_of(view)


def test_a_mark_or_a_cell_tried_before_is_not_marked() -> None:
    puzzle = daily_puzzle(DAY)
    wrong = next(cell for cell in puzzle.worths if cell != puzzle.solution)
    mark = next(cell for cell in puzzle.board.rules.cells if puzzle.board[cell])
    for page in (PuzzlePage(DAY, picked=mark), PuzzlePage(DAY, (wrong,), picked=wrong)):
        view = puzzle_view(DailyPuzzle(page, puzzle), EN)
        assert ButtonStyle.primary not in {button.style for button in buttons(view)}
        assert "Press it again" not in text_of(view)


@pytest.mark.parametrize(
    ("stats", "lines"),
    [
        (PuzzleStats(), ["Tries", "1️⃣  0", "2️⃣  0", "3️⃣  0", "💥  0"]),
        (
            PuzzleStats((20, 10, 1), 4, streak=1, best=3, last_day=DAY),
            [
                "🔥 streak: 1 day (best: 3)",
                "Tries",
                f"1️⃣ {10 * '▰'} 20",
                f"2️⃣ {5 * '▰'} 10",
                "3️⃣  1",
                f"💥 {2 * '▰'} 4",
            ],
        ),
        (
            PuzzleStats((0, 0, 0), 1, streak=2, best=2, last_day=DAY),
            ["🔥 streak: 2 days (best: 2)", "Tries", "1️⃣  0", "2️⃣  0", "3️⃣  0", f"💥 {10 * '▰'} 1"],
        ),
    ],
)
def test_tries_are_a_histogram_below_the_streak(stats: PuzzleStats, lines: list[str]) -> None:
    assert PuzzleTexts(EN).streak_and_tries(stats, DAY, "Tries").splitlines() == lines

"""The puzzle of a day: one answer, neither too plain nor too hard, and the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Hashable
from datetime import date, timedelta
from functools import cache
from itertools import accumulate, pairwise

import pytest

from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    TRIES,
    VARIANTS,
    Board,
    Grade,
    Mark,
    Puzzle,
    Reason,
    Rules,
    Value,
    Worth,
    daily_puzzle,
    solver_of,
)
from engine.puzzles import puzzle_from, puzzle_positions
from tests.engine import make_puzzles
from tests.engine.positions import DISTINCT, TRUTH, named

MONDAY = date(2026, 11, 23)
DAYS = [MONDAY + timedelta(day) for day in range(21)]

LONG_WIN = Board.parse("o2.... ..o1x3 x2..x1", INFINITE)
ENDLESS_HOLD = Board.parse("...... ...... ....x1", INFINITE)
MISERE_WIN = Board.parse("... ..x .xo", MISERE)


def the_puzzle_in(board: Board) -> Puzzle:
    puzzle = puzzle_from(board)
    assert puzzle is not None
    return puzzle


@cache
def puzzles() -> dict[date, Puzzle]:
    """Those of three weeks."""
    return {day: daily_puzzle(day) for day in DAYS}


def puzzle_of(*worths: tuple[int, int]) -> Puzzle:
    """A puzzle by what its moves are worth, the solution first."""
    judged = {cell: Worth(Value(value), plies) for cell, (value, plies) in enumerate(worths)}
    return Puzzle(Board(), judged, solution=0, line=(0,))


@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_every_puzzle_has_one_good_move_and_the_kind_of_its_day(every: int) -> None:
    """Eleven and fourteen have no common factor: every day of two weeks is looked at."""
    for day, board in [*enumerate(puzzle_positions())][::every]:
        puzzle = puzzle_from(board)
        assert puzzle is not None, board
        assert make_puzzles.kind_of(puzzle) == make_puzzles.kind_of_day(day), board
        good = [cell for cell, worth in puzzle.worths.items() if worth.value is puzzle.value]
        assert good == [puzzle.solution], board
        assert puzzle.value is max(worth.value for worth in puzzle.worths.values()), board
        assert set(puzzle.worths) == set(board.actions()), board


def test_no_puzzle_is_small_or_has_an_immediate_win_block_or_losing_line() -> None:
    for board in puzzle_positions():
        assert len(board.actions()) > TRIES
        assert not board.is_terminal
        assert not any(board.winning_cells(mark) for mark in Mark)
        assert not board.forced_cells()
        assert not board.losing_cells()


def image(board: Board) -> tuple[Rules, Hashable]:
    """Alike for mirror images on boards of one game."""
    return board.rules, board.key


def shipped() -> set[tuple[Rules, Hashable]]:
    return set(map(image, puzzle_positions()))


def test_no_two_puzzles_within_two_years_are_symmetric() -> None:
    assert len(shipped()) == len(puzzle_positions()) > 730
    assert daily_puzzle(MONDAY + timedelta(len(puzzle_positions()))) == puzzles()[MONDAY]


def test_the_week_begins_easily_and_ends_hard() -> None:
    week = [Grade.EASY] * 2 + [Grade.MEDIUM] * 3 + [Grade.HARD] * 2
    assert f"{MONDAY:%A}" == "Monday"
    assert [puzzle.grade for puzzle in puzzles().values()] == week * 3


def test_wins_and_draws_alternate_across_the_end_of_the_cycle() -> None:
    values = [puzzle.value for puzzle in puzzles().values()]
    assert {Value.WIN, Value.DRAW} == set(values)
    assert all(value is not following for value, following in pairwise(values))
    assert len(puzzle_positions()) == make_puzzles.DAYS
    assert make_puzzles.DAYS % 14 == 0


def test_all_21_puzzles_of_3x3_come_within_the_cycle() -> None:
    of_3x3 = {image(board) for board in DISTINCT if puzzle_from(board)}
    assert len(of_3x3) == 21
    assert {image(board) for board in puzzle_positions() if board.rules == TIC_TAC_TOE} == of_3x3


def test_the_rebuilt_puzzles_of_variants_equal_the_shipped_ones() -> None:
    assert make_puzzles.with_variants(puzzle_positions()) == [*puzzle_positions()]


def test_a_rebuilt_part_of_the_puzzles_equals_the_shipped_one_except_for_variants() -> None:
    made = list(make_puzzles.puzzles_among(map(make_puzzles.position, range(80, 125))))
    assert len(made) == 7
    assert len({image(puzzle.board) for puzzle in made} & shipped()) == 6
    assert {puzzle.value for puzzle in made} == {Value.WIN, Value.DRAW}


def test_daily_puzzles_are_the_same_in_another_process_and_order() -> None:
    days = DAYS[12:0:-3]
    assert {*VARIANTS.values()} <= {puzzles()[day].board.rules for day in days}
    program = (
        "from datetime import date; from engine import daily_puzzle\n"
        f"for day in {[day.isoformat() for day in days]}:\n"
        "    puzzle = daily_puzzle(date.fromisoformat(day))\n"
        "    print(repr(puzzle.board), puzzle.line, list(puzzle.worths.items()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    here = [puzzles()[day] for day in days]
    assert done.stdout.splitlines() == [
        f"{puzzle.board!r} {puzzle.line} {list(puzzle.worths.items())}" for puzzle in here
    ]


def along(puzzle: Puzzle) -> list[Board]:
    """The positions on the line of a puzzle, from its own on."""
    return list(accumulate(puzzle.line, Board.result, initial=puzzle.board))


def test_the_line_is_best_play_from_the_solution() -> None:
    others = map(the_puzzle_in, (LONG_WIN, ENDLESS_HOLD, MISERE_WIN))
    for puzzle in (*puzzles().values(), *others):
        solver, expected = solver_of(puzzle.board.rules), puzzle.worths[puzzle.solution]
        assert puzzle.line[0] == puzzle.solution, puzzle.board
        for board in along(puzzle)[1:]:
            expected = expected.one_ply_later()
            assert solver.worth(board) == expected, board


def test_the_line_of_a_win_ends_with_it() -> None:
    wins = [puzzle for puzzle in puzzles().values() if puzzle.value is Value.WIN]
    for puzzle in (*wins, *map(the_puzzle_in, (LONG_WIN, MISERE_WIN))):
        assert len(puzzle.line) == puzzle.depth_plies, puzzle.board
        assert along(puzzle)[-1].winner is puzzle.board.to_move, puzzle.board


def test_the_line_of_a_draw_ends_when_no_line_can_be_completed() -> None:
    holds = [puzzle for puzzle in puzzles().values() if puzzle.value is Value.DRAW]
    assert len(holds) > 9
    for puzzle in holds:
        if not puzzle.board.rules.repeats:
            *before, last = map(nobody_can_win, along(puzzle))
            assert last, puzzle.board
            assert not any(before), puzzle.board


def test_the_line_of_an_endless_draw_is_the_solution_alone() -> None:
    puzzle = the_puzzle_in(ENDLESS_HOLD)
    assert puzzle.worths[puzzle.solution] == Worth(Value.DRAW, None)
    assert puzzle.line == (puzzle.solution,)


def nobody_can_win(board: Board) -> bool:
    return all(line & board.x and line & board.o for line in board.rules.line_masks)


def test_a_threat_that_only_delays_the_loss_does_not_raise_the_grade() -> None:
    """D4 threatens first, and X answers; then, as after all other moves, it makes two threats."""
    puzzle = the_puzzle_in(Board.parse("...o. xx... ...oo .xx.. o.x..", Rules(5, 5, 4)))
    assert (puzzle.value, puzzle.depth_plies, puzzle.grade) == (Value.DRAW, 3, Grade.EASY)
    assert max(worth.plies_to_end for worth in puzzle.worths.values()) > 4


@pytest.mark.parametrize(
    ("plies", "grade"),
    [(3, Grade.EASY), (5, Grade.MEDIUM), (7, Grade.HARD), (15, Grade.HARD)],
)
def test_the_longer_the_win_to_find_or_to_prevent_the_harder_the_puzzle(
    plies: int, grade: Grade
) -> None:
    win = puzzle_of((1, plies), (0, 16), (-1, 2))
    draw = puzzle_of((0, 16), (-1, 2), (-1, plies + 1), (-1, 4))
    assert win.depth_plies == draw.depth_plies == plies
    assert win.grade is draw.grade is grade


@pytest.mark.parametrize(
    ("board", "solution", "value", "grade", "reason"),
    [
        (Board.parse("x.. ... oxo"), "B1", Value.WIN, Grade.EASY, Reason.FORK),
        (Board.parse("x.. ... ..."), "B2", Value.DRAW, Grade.MEDIUM, Reason.ONLY_MOVE),
        (Board(MISERE), "B2", Value.DRAW, Grade.HARD, Reason.ONLY_MOVE),
    ],
)
def test_a_puzzle_has_a_grade_and_its_solution_a_reason(
    board: Board, solution: str, value: Value, grade: Grade, reason: Reason
) -> None:
    puzzle = the_puzzle_in(board)
    assert puzzle.solution == named(solution)
    assert (puzzle.value, puzzle.grade, puzzle.reason) == (value, grade, reason)


def test_in_misere_a_win_ends_with_the_opponent_s_line() -> None:
    puzzle = the_puzzle_in(MISERE_WIN)
    assert (puzzle.value, puzzle.depth_plies) == (Value.WIN, 6)
    *_, before, over = along(puzzle)
    assert set(before.actions()) == set(before.losing_cells())
    assert over.to_move is over.winner is Mark.O


def test_on_the_infinite_board_it_matters_which_mark_is_the_oldest() -> None:
    drawings = ("o1o2x3 ...... ..x2x1", "o1o2x2 ...... ..x3x1")
    puzzles = [the_puzzle_in(Board.parse(drawing, INFINITE)) for drawing in drawings]
    assert [INFINITE.coordinate(puzzle.solution) for puzzle in puzzles] == ["A3", "C2"]
    assert [puzzle.depth_plies for puzzle in puzzles] == [5, 5]


def test_the_line_of_a_win_on_the_infinite_board_takes_cells_whose_marks_have_vanished() -> None:
    puzzle = the_puzzle_in(LONG_WIN)
    assert (puzzle.depth_plies, puzzle.reason) == (15, Reason.FORCED_SEQUENCE)
    assert len(set(puzzle.line)) < len(puzzle.line)


@pytest.mark.parametrize(
    ("drawing", "rules"),
    [
        ("xxx oo. ...", TIC_TAC_TOE),  # over
        ("xox xxo oxo", TIC_TAC_TOE),  # full
        ("xx. .o. o..", MISERE),  # a line not to complete
        ("x1x2.. ..o1.. ......", INFINITE),  # a win to stop
        ("x1o1x2 o2x3.. ..o3..", INFINITE),  # as in all that comes later
    ],
)
def test_finished_obvious_or_small_positions_are_no_puzzles(drawing: str, rules: Rules) -> None:
    assert puzzle_from(Board.parse(drawing, rules)) is None


def test_the_puzzles_of_3x3_are_the_positions_with_one_solution_and_no_threat() -> None:
    for board in DISTINCT:
        sign = 1 if board.to_move is Mark.X else -1
        after = {cell: sign * TRUTH[board.result(cell)][0] for cell in board.actions()}
        keeping = [cell for cell, value in after.items() if value == max(after.values())]
        is_quiet = not any(board.winning_cells(mark) for mark in Mark)
        has_one_answer = len(keeping) == 1 and len(after) > TRIES and max(after.values()) >= 0
        puzzle = puzzle_from(board)
        assert (puzzle is not None) == (is_quiet and has_one_answer), board
        assert puzzle is None or [puzzle.solution] == keeping, board

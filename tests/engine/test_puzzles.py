"""The puzzle of a day: one answer, neither too plain nor too hard, and the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date, timedelta
from functools import cache

import pytest

from engine import (
    TIC_TAC_TOE,
    Board,
    Cell,
    Grade,
    Mark,
    Puzzle,
    Reason,
    Rules,
    Solver,
    Value,
    Worth,
    daily_puzzle,
    search,
    winning_cells,
)
from engine.puzzles import _puzzle_in
from tests.engine.positions import TRUTH, UNFINISHED

MONDAYS = (date(2023, 3, 27), date(2024, 1, 8), date(2025, 1, 13))
DAYS = [monday + timedelta(days) for monday in MONDAYS for days in range(7)]

GOLDEN = {
    date(2023, 3, 27): ("..o ..x x.o", 3),
    date(2023, 3, 29): ("..o. xox. ...x xo.o", 9),
    date(2024, 1, 8): ("..... ....x xx.o. .xoo. o....", 6),
    date(2024, 1, 10): (".xo.. .x..x o.o.. ..... xx.o.", 11),
    date(2024, 1, 14): (".o.ox .o.xx x..xo ....o ....x", 0),
}

TEXTBOOK_CELLS = 8
"""As many free cells as the textbook search is asked about."""


@cache
def puzzles() -> dict[date, Puzzle]:
    """Three weeks of them; work done once."""
    return {day: daily_puzzle(day) for day in DAYS}


def puzzle_of(*worths: tuple[int, int]) -> Puzzle:
    """A puzzle by what its moves are worth, the solution first."""
    judged = {cell: Worth(Value(value), plies) for cell, (value, plies) in enumerate(worths)}
    return Puzzle(Board(), judged, solution=0, line=(0,))


def utility(board: Board) -> float:
    """What the textbook search says, told to look at wins and blocks first."""
    return search(board, order=urgent_first, memory=True).value


def urgent_first(board: Board) -> list[Cell]:
    wins, blocks = (winning_cells(board, mark) for mark in (board.to_move, board.to_move.other))
    lines = board.rules.lines
    return sorted(
        board.actions(),
        key=lambda cell: (cell in wins, cell in blocks, sum(cell in line for line in lines)),
        reverse=True,
    )


def test_exactly_one_move_keeps_the_value_as_the_textbook_search_says() -> None:
    checked = set()
    for day, puzzle in puzzles().items():
        board = puzzle.board
        if len(board.actions()) > TEXTBOOK_CELLS:
            continue
        sign = 1 if board.to_move is Mark.X else -1
        after = {cell: sign * utility(board.result(cell)) for cell in board.actions()}
        assert after == {cell: worth.value for cell, worth in puzzle.worths.items()}, day
        assert [cell for cell in after if after[cell] == puzzle.value] == [puzzle.solution], day
        assert max(after.values()) == puzzle.value, day
        checked.add(board.rules)
    assert checked == {TIC_TAC_TOE, Rules(4, 4, 4)}


def test_exactly_one_move_keeps_the_value_as_a_solver_of_its_own_says() -> None:
    for day, puzzle in puzzles().items():
        worths = Solver(puzzle.board.rules).analyse(puzzle.board)
        assert worths == puzzle.worths, day
        best = max(worth.value for worth in worths.values())
        assert [c for c, worth in worths.items() if worth.value is best] == [puzzle.solution], day
        assert puzzle.value is best is not Value.LOSS, day


def test_a_puzzle_is_never_to_take_a_win_or_to_stop_one() -> None:
    for puzzle in puzzles().values():
        assert not puzzle.board.is_terminal
        assert not any(winning_cells(puzzle.board, mark) for mark in Mark)
        assert puzzle.reason not in {Reason.WIN, Reason.BLOCK}


def test_the_week_begins_easily_and_ends_hard() -> None:
    week = [Grade.EASY] * 2 + [Grade.MEDIUM] * 3 + [Grade.HARD] * 2
    assert {monday.strftime("%A") for monday in MONDAYS} == {"Monday"}
    assert [puzzle.grade for puzzle in puzzles().values()] == week * 3


def test_there_are_puzzles_to_win_and_puzzles_to_hold() -> None:
    assert {puzzle.value for puzzle in puzzles().values()} == {Value.WIN, Value.DRAW}


def test_only_easy_puzzles_are_on_3x3_and_hard_ones_are_on_5x5() -> None:
    for puzzle in puzzles().values():
        assert puzzle.board.rules != TIC_TAC_TOE or puzzle.grade is Grade.EASY
        assert puzzle.board.rules == Rules(5, 5, 4) or puzzle.grade is not Grade.HARD


def test_the_same_grade_comes_on_another_board_the_next_day_until_it_is_hard() -> None:
    for monday in MONDAYS:
        rules = [puzzles()[monday + timedelta(day)].board.rules for day in range(5)]
        assert rules[0] != rules[1]
        assert rules[2] != rules[3] != rules[4]


def test_the_days_of_a_week_have_different_puzzles() -> None:
    boards = [puzzle.board for puzzle in puzzles().values()]
    for monday in range(0, len(DAYS), 7):
        assert len(set(boards[monday : monday + 7])) == 7


@pytest.mark.parametrize("day", GOLDEN)
def test_everybody_gets_the_same_puzzle_for_ever(day: date) -> None:
    puzzle = puzzles()[day]
    assert (str(puzzle.board), puzzle.solution) == GOLDEN[day]


@pytest.mark.parametrize("seed", ["0", "1"])
def test_another_process_asked_in_another_order_gets_the_same(seed: str) -> None:
    days = sorted(GOLDEN, reverse=True)
    program = (
        "from datetime import date; from engine import daily_puzzle\n"
        f"for day in {[day.isoformat() for day in days]}:\n"
        "    puzzle = daily_puzzle(date.fromisoformat(day))\n"
        "    print(repr(puzzle.board), puzzle.line, list(puzzle.worths.items()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    here = [puzzles()[day] for day in days]
    assert done.stdout.splitlines() == [
        f"{puzzle.board!r} {puzzle.line} {list(puzzle.worths.items())}" for puzzle in here
    ]


def test_the_line_is_best_play_from_the_solution_to_the_end() -> None:
    for day, puzzle in puzzles().items():
        board, solver = puzzle.board, Solver(puzzle.board.rules)
        expected = puzzle.worths[puzzle.solution]
        assert puzzle.line[0] == puzzle.solution, day
        assert len(puzzle.line) == expected.distance_plies, day
        for cell in puzzle.line:
            board = board.result(cell)
            expected = expected.after_the_move()
            assert solver.worth(board) == expected, day
        assert board.is_terminal, day
        winner = puzzle.board.to_move if puzzle.value is Value.WIN else None
        assert board.winner is winner, day


def test_a_win_is_as_deep_as_it_is_long() -> None:
    assert puzzle_of((1, 7), (0, 9), (-1, 2)).depth_plies == 7


def test_a_draw_is_as_deep_as_the_longest_of_the_losses_it_avoids() -> None:
    assert puzzle_of((0, 9), (-1, 4), (-1, 6), (-1, 2)).depth_plies == 6


@pytest.mark.parametrize(
    ("plies", "grade"),
    [
        (3, Grade.EASY),
        (5, Grade.MEDIUM),
        (7, Grade.HARD),
        (15, Grade.HARD),
    ],
)
def test_the_longer_the_win_the_harder_the_puzzle(plies: int, grade: Grade) -> None:
    assert puzzle_of((1, plies), (0, 16)).grade is grade


@pytest.mark.parametrize(
    ("plies", "grade"), [(2, Grade.EASY), (4, Grade.MEDIUM), (6, Grade.HARD), (14, Grade.HARD)]
)
def test_the_longer_the_loss_to_avoid_the_harder_the_puzzle(plies: int, grade: Grade) -> None:
    assert puzzle_of((0, 16), (-1, plies)).grade is grade


def test_a_fork_that_wins_is_an_easy_puzzle() -> None:
    board = Board.parse("x.. ... oxo")
    puzzle = _puzzle_in(board)
    assert puzzle is not None
    assert (puzzle.board, puzzle.value, puzzle.grade) == (board, Value.WIN, Grade.EASY)
    assert puzzle.reason is Reason.FORK
    assert puzzle.line == (1, 2, 4)


def test_the_one_square_that_holds_against_the_corner_is_a_puzzle() -> None:
    puzzle = _puzzle_in(Board.parse("x.. ... ..."))
    assert puzzle is not None
    assert (puzzle.solution, puzzle.value) == (4, Value.DRAW)
    assert puzzle.reason is Reason.CENTRE


@pytest.mark.parametrize(
    "drawing",
    [
        "xxx oo. ...",  # over
        "xox xxo oxo",  # full
        "xx. oo. ...",  # a win to take
        "xx. .o. ...",  # a win to stop
        "... ... ...",  # nine moves hold
        "xo. ..x .o.",  # several moves win
        "xox xxo o.o",  # only one move is left
    ],
)
def test_what_is_over_obvious_or_has_many_answers_is_no_puzzle(drawing: str) -> None:
    assert _puzzle_in(Board.parse(drawing)) is None


def test_the_puzzles_of_3x3_are_exactly_those_positions_with_one_answer_and_no_threat() -> None:
    for board in UNFINISHED:
        sign = 1 if board.to_move is Mark.X else -1
        after = {cell: sign * TRUTH[board.result(cell)][0] for cell in board.actions()}
        keeping = [cell for cell, value in after.items() if value == max(after.values())]
        is_quiet = not any(winning_cells(board, mark) for mark in Mark)
        has_one_answer = len(keeping) == 1 < len(after) and max(after.values()) >= 0
        puzzle = _puzzle_in(board)
        assert (puzzle is not None) == (is_quiet and has_one_answer), board
        assert puzzle is None or [puzzle.solution] == keeping, board

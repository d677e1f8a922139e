"""The puzzle of a day: one answer, neither too plain nor too hard, and the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from datetime import date, timedelta
from functools import cache
from itertools import pairwise

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
    rules_named,
    search,
)
from engine.openings import canonical
from engine.puzzles import FILE, puzzle_in
from tests.engine import make_puzzles
from tests.engine.positions import TRUTH, UNFINISHED

MONDAY = date(2026, 11, 23)
TWO_YEARS = [MONDAY + timedelta(day) for day in range(730)]
DAYS = TWO_YEARS[:21]

TEXTBOOK_CELLS = 7
"""As many free cells as the textbook search is asked about."""


@cache
def every_puzzle() -> dict[date, Puzzle]:
    """Those of two years; work done once."""
    return {day: daily_puzzle(day) for day in TWO_YEARS}


def puzzles() -> dict[date, Puzzle]:
    """Those of three weeks."""
    return {day: every_puzzle()[day] for day in DAYS}


def puzzle_of(*worths: tuple[int, int]) -> Puzzle:
    """A puzzle by what its moves are worth, the solution first."""
    judged = {cell: Worth(Value(value), plies) for cell, (value, plies) in enumerate(worths)}
    return Puzzle(Board(), judged, solution=0, line=(0,))


def utility(board: Board) -> float:
    """What the textbook search says, told to look at wins and blocks first."""
    return search(board, order=urgent_first, memory=True).value


def urgent_first(board: Board) -> list[Cell]:
    wins, blocks = (board.winning_cells(mark) for mark in (board.to_move, board.to_move.other))
    lines = board.rules.lines
    return sorted(
        board.actions(),
        key=lambda cell: (cell in wins, cell in blocks, sum(cell in line for line in lines)),
        reverse=True,
    )


def test_exactly_one_move_keeps_the_value_as_the_textbook_search_says() -> None:
    checked = set()
    for puzzle in every_puzzle().values():
        board = puzzle.board
        if len(board.actions()) > TEXTBOOK_CELLS:
            continue
        sign = 1 if board.to_move is Mark.X else -1
        after = {cell: sign * utility(board.result(cell)) for cell in board.actions()}
        assert after == {cell: worth.value for cell, worth in puzzle.worths.items()}, board
        assert max(after.values()) == puzzle.value, board
        assert [c for c in after if after[c] == puzzle.value] == [puzzle.solution], board
        checked.add(board.rules)
    assert {TIC_TAC_TOE, Rules(4, 4, 4)} <= checked


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
        assert not any(puzzle.board.winning_cells(mark) for mark in Mark)
        assert puzzle.reason not in {Reason.WIN, Reason.BLOCK}


def test_every_puzzle_of_two_years_has_exactly_one_good_move() -> None:
    for day, puzzle in every_puzzle().items():
        best = max(worth.value for worth in puzzle.worths.values())
        assert best is not Value.LOSS, day
        good = [cell for cell, worth in puzzle.worths.items() if worth.value is best]
        assert good == [puzzle.solution], day
        assert set(puzzle.worths) == set(puzzle.board.actions()) != {puzzle.solution}, day


def test_no_puzzle_comes_again_within_two_years_however_the_board_is_turned() -> None:
    assert len({canonical(puzzle.board) for puzzle in every_puzzle().values()}) == 730
    assert daily_puzzle(MONDAY + timedelta(make_puzzles.DAYS)) == every_puzzle()[MONDAY]


def test_the_week_begins_easily_and_ends_hard() -> None:
    week = [Grade.EASY] * 2 + [Grade.MEDIUM] * 3 + [Grade.HARD] * 2
    assert f"{MONDAY:%A}" == "Monday"
    grades = [puzzle.grade for puzzle in every_puzzle().values()]
    assert grades == (week * 105)[:730]


def test_wins_and_holds_alternate_also_where_the_table_begins_anew() -> None:
    values = [puzzle.value for puzzle in every_puzzle().values()]
    values += [daily_puzzle(TWO_YEARS[-1] + timedelta(day)).value for day in range(1, 22)]
    assert {Value.WIN, Value.DRAW} == set(values)
    assert all(value is not following for value, following in pairwise(values))


def test_all_25_puzzles_of_3x3_come_within_the_cycle() -> None:
    of_3x3 = {canonical(board) for board in UNFINISHED if puzzle_in(board)}
    assert len(of_3x3) == 25
    assert {board for board in shipped() if board.rules == TIC_TAC_TOE} == of_3x3


def test_no_board_has_more_than_half_of_the_wins_that_are_not_hard() -> None:
    puzzles_to_win = [p for p in every_puzzle().values() if p.value is Value.WIN]
    boards = Counter(p.board.rules for p in puzzles_to_win if p.grade is not Grade.HARD)
    assert len(boards) == 5
    assert max(boards.values()) <= boards.total() / 2 + 1


def shipped() -> set[Board]:
    """The positions of the table, one for all their mirror images."""
    lines = [line.split(maxsplit=1) for line in FILE.read_text(encoding="ascii").splitlines()]
    return {canonical(Board.parse(drawing, rules_named(rules))) for rules, drawing in lines}


def test_a_part_made_anew_is_as_it_was_shipped() -> None:
    made = list(make_puzzles.puzzles_among(map(make_puzzles.position, range(200))))
    assert {canonical(puzzle.board) for puzzle in made} <= shipped()
    assert {puzzle.value for puzzle in made} == {Value.WIN, Value.DRAW}


@pytest.mark.parametrize("seed", ["0", "1"])
def test_another_process_asked_in_another_order_gets_the_same(seed: str) -> None:
    days = DAYS[6::-2]
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


def test_the_line_is_best_play_from_the_solution_until_nobody_can_complete_a_line() -> None:
    for day, puzzle in puzzles().items():
        board, solver = puzzle.board, Solver(puzzle.board.rules)
        expected = puzzle.worths[puzzle.solution]
        assert puzzle.line[0] == puzzle.solution, day
        for cell in puzzle.line:
            assert not nobody_can_win(board), day
            board = board.result(cell)
            expected = expected.after_the_move()
            assert solver.worth(board) == expected, day
        winner = puzzle.board.to_move if puzzle.value is Value.WIN else None
        assert board.winner is winner, day
        assert winner or nobody_can_win(board), day


def nobody_can_win(board: Board) -> bool:
    return all(line & board.x and line & board.o for line in board.rules.line_masks)


def test_a_win_is_as_deep_as_it_is_long() -> None:
    assert puzzle_of((1, 7), (0, 9), (-1, 2)).depth_plies == 7


def test_a_hold_is_as_deep_as_the_longest_win_that_it_prevents() -> None:
    assert puzzle_of((0, 9), (-1, 4), (-1, 6), (-1, 2)).depth_plies == 5


def test_a_threat_that_only_puts_the_loss_off_makes_no_hold_harder() -> None:
    """D4 threatens first, and X answers; then, as after all other moves, it makes two threats."""
    puzzle = puzzle_in(Board.parse("...o. xx... ...oo .xx.. o.x..", Rules(5, 5, 4)))
    assert puzzle is not None
    assert (puzzle.value, puzzle.depth_plies, puzzle.grade) == (Value.DRAW, 3, Grade.EASY)
    assert max(worth.plies_to_end for worth in puzzle.worths.values()) > 4


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
    ("plies", "grade"), [(4, Grade.EASY), (6, Grade.MEDIUM), (8, Grade.HARD), (14, Grade.HARD)]
)
def test_the_longer_the_loss_to_avoid_the_harder_the_puzzle(plies: int, grade: Grade) -> None:
    assert puzzle_of((0, 16), (-1, plies)).grade is grade


def test_a_fork_that_wins_is_an_easy_puzzle() -> None:
    board = Board.parse("x.. ... oxo")
    puzzle = puzzle_in(board)
    assert puzzle is not None
    assert (puzzle.board, puzzle.value, puzzle.grade) == (board, Value.WIN, Grade.EASY)
    assert puzzle.reason is Reason.FORK
    assert puzzle.line == (1, 2, 4)


def test_the_one_square_that_holds_against_the_corner_is_a_puzzle() -> None:
    puzzle = puzzle_in(Board.parse("x.. ... ..."))
    assert puzzle is not None
    assert (puzzle.solution, puzzle.value) == (4, Value.DRAW)
    assert puzzle.reason is Reason.ONLY_MOVE


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
    assert puzzle_in(Board.parse(drawing)) is None


def test_the_puzzles_of_3x3_are_exactly_those_positions_with_one_answer_and_no_threat() -> None:
    for board in UNFINISHED:
        sign = 1 if board.to_move is Mark.X else -1
        after = {cell: sign * TRUTH[board.result(cell)][0] for cell in board.actions()}
        keeping = [cell for cell, value in after.items() if value == max(after.values())]
        is_quiet = not any(board.winning_cells(mark) for mark in Mark)
        has_one_answer = len(keeping) == 1 < len(after) and max(after.values()) >= 0
        puzzle = puzzle_in(board)
        assert (puzzle is not None) == (is_quiet and has_one_answer), board
        assert puzzle is None or [puzzle.solution] == keeping, board

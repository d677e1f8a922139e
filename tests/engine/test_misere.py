"""Misère tic-tac-toe: its rules as drawn boards, and what it is worth, by plain minimax."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine import (
    MISERE,
    Board,
    Mark,
    Outcome,
    Value,
    Worth,
    search,
    solver_of,
)
from tests.engine.meaning import LINES_OF_3X3
from tests.engine.positions import DISTINCT, REACHABLE, UNFINISHED

EMPTY = "." * 9


def misere(drawing: str) -> Board:
    return Board.parse(drawing, MISERE)


def written(position: str) -> Board:
    return misere(f"{position[:3]} {position[3:6]} {position[6:]}")


def after(position: str) -> Iterator[str]:
    mark = "xo"[position.count(".") % 2 == 0]
    for cell in range(9):
        if position[cell] == ".":
            yield position[:cell] + mark + position[cell + 1 :]


@cache
def plain_minimax(position: str) -> tuple[int, int]:
    """The value to the player to move, who has won where the other has a line; and the plies."""
    last = "xo"[position.count(".") % 2]
    if any(all(position[int(cell)] == last for cell in line) for line in LINES_OF_3X3):
        return 1, 0
    if "." not in position:
        return 0, 0
    reached = [plain_minimax(new) for new in after(position)]
    value = max(-theirs for theirs, _ in reached)
    plies = [distance for theirs, distance in reached if -theirs == value]
    return value, 1 + (min(plies) if value > 0 else max(plies))


def reachable() -> set[str]:
    found = {EMPTY}
    todo = [EMPTY]
    for position in todo:
        if plain_minimax(position)[1]:
            new = set(after(position)) - found
            found |= new
            todo += new
    return found


def test_whoever_completes_a_line_loses() -> None:
    lost = misere("xx. oo. ...").result(2)
    assert lost.outcome() == Outcome(Mark.O, (0, 1, 2)), "the line is the loser's"
    assert (lost.utility, lost.is_terminal, lost.actions()) == (-1, True, ())
    assert misere("ooo xx. x..").utility == 1
    assert misere("xox xxo oxo").outcome() == Outcome(None)


def test_no_move_wins_and_those_that_complete_a_line_lose() -> None:
    board = misere("xx. oo. ...")
    assert [board.winning_cells(mark) for mark in Mark] == [(), ()]
    assert board.forced_cells() == ()
    assert board.losing_cells() == (2,)
    assert misere("xx. oo. x..").losing_cells() == (5,)


def test_every_position_is_worth_what_plain_minimax_says() -> None:
    """The same positions can arise as in tic-tac-toe."""
    solver, unfinished = solver_of(MISERE), 0
    for position in reachable():
        value, plies = plain_minimax(position)
        assert solver.worth(written(position)) == Worth(Value(value), plies), position
        unfinished += plies > 0
    assert len(reachable()) == len(REACHABLE)
    assert unfinished == len(UNFINISHED)


def test_misere_is_a_draw_if_the_first_player_opens_in_the_centre() -> None:
    worths = solver_of(MISERE).analyse(Board(MISERE))
    assert [cell for cell, worth in worths.items() if worth == Worth(Value.DRAW, 9)] == [4]
    assert all(worth.value is Value.LOSS for cell, worth in worths.items() if cell != 4)
    assert [-plain_minimax(new)[0] for new in after(EMPTY)] == [-1] * 4 + [0] + [-1] * 4


def test_from_five_marks_on_a_generic_search_finds_the_same_values() -> None:
    for board in (misere(str(board)) for board in DISTINCT if board.plies >= 5):
        found, worth = search(board), solver_of(MISERE).worth(board)
        assert found.utility == worth.value.utility(board.to_move), board
        assert found.distance_plies == worth.distance_plies, board

"""The course's eight functions, played by ours."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest

from engine import tictactoe as ttt
from engine.tictactoe import EMPTY, O, X


def play_as_a_runner_does(person: str, rng: random.Random) -> str | None:
    """A game of somebody who moves at random against it, by the eight names alone; the winner."""
    board = ttt.initial_state()
    while not ttt.terminal(board):
        before = deepcopy(board)
        move = (
            rng.choice(sorted(ttt.actions(board)))
            if ttt.player(board) == person
            else ttt.minimax(board)
        )
        assert move in ttt.actions(board)
        after = ttt.result(board, move)
        assert board == before
        board = after
    won = ttt.winner(board)
    assert ttt.utility(board) == {X: 1, O: -1, None: 0}[won]
    assert ttt.minimax(board) is None
    return won


@pytest.mark.parametrize("person", [X, O])
def test_our_minimax_never_loses_in_a_game_run_by_the_eight_functions(person: str) -> None:
    results = [play_as_a_runner_does(person, random.Random(seed)) for seed in range(2)]
    assert person not in results
    assert {X, O} - {person} <= set(results), "and it wins where it can"


def test_a_board_is_rows_of_three() -> None:
    board = ttt.result(ttt.initial_state(), (0, 2))
    assert board == [[EMPTY, EMPTY, X], [EMPTY] * 3, [EMPTY] * 3]
    assert ttt.player(board) == O
    assert len(ttt.actions(board)) == 8


@pytest.mark.parametrize("action", [(0, 2), (3, 0), (0, 3), (-1, 0)])
def test_an_invalid_action_raises(action: tuple[int, int]) -> None:
    board = ttt.result(ttt.initial_state(), (0, 2))
    with pytest.raises(ValueError, match="is no free cell"):
        ttt.result(board, action)


@pytest.mark.parametrize(
    ("drawn", "winner", "utility"),
    [
        ("XOO OX. XOO", None, None),
        ("XOX XOO OXX", None, 0),
        ("XOX OXO O.X", X, 1),
        ("XOX OXO XOX", X, 1),
        ("OXX .OX ..O", O, -1),
        ("XXO XOX O.O", O, -1),
    ],
)
def test_boards_that_programs_often_get_wrong_are_right(
    drawn: str, winner: str | None, utility: int | None
) -> None:
    board = [[None if mark == "." else mark for mark in row] for row in drawn.split()]
    assert ttt.winner(board) == winner
    assert ttt.terminal(board) is (utility is not None)
    if utility is not None:
        assert ttt.utility(board) == utility

"""How strong each level plays."""

import random
from collections import Counter

import pytest

from engine import Board, Level, Mark, choose_move, search, winning_cells
from tests.engine.positions import UNFINISHED


@pytest.mark.parametrize("level", Level)
def test_every_level_plays_legal_moves_everywhere(level: Level) -> None:
    rng = random.Random(7)
    for board in UNFINISHED[::10]:
        assert choose_move(board, level, rng) in board.actions()


@pytest.mark.parametrize("level", Level)
def test_the_same_seed_plays_the_same_game(level: Level) -> None:
    assert play(level, level, seed=3) == play(level, level, seed=3)


def test_the_impossible_level_plays_only_best_moves() -> None:
    rng = random.Random(1)
    for board in UNFINISHED[::10]:
        move = choose_move(board, Level.IMPOSSIBLE, rng)
        assert move in search(board, every_best=True).best_actions, board


@pytest.mark.parametrize(
    ("level", "below", "games"),
    [(Level.MEDIUM, Level.EASY, 15), (Level.IMPOSSIBLE, Level.MEDIUM, 5)],
)
def test_each_level_beats_the_one_below(level: Level, below: Level, games: int) -> None:
    assert score(level, below, games) > 0.6


def test_a_finished_game_has_no_move() -> None:
    with pytest.raises(ValueError, match="over"):
        choose_move(Board.parse("xxx oo. ..."), Level.EASY, random.Random(1))


def test_winning_cells_are_those_that_complete_a_line() -> None:
    board = Board.parse("xx. oo. ...")
    assert winning_cells(board, Mark.X) == (2,)
    assert winning_cells(board, Mark.O) == (5,)
    assert winning_cells(Board(), Mark.X) == ()


def score(level: Level, other: Level, games: int) -> float:
    """The share of points `level` takes, playing both sides."""
    results: Counter[int] = Counter()
    for seed in range(games):
        results[play(level, other, seed).utility] += 1
        results[-play(other, level, seed).utility] += 1
    return (results[1] + results[0] / 2) / results.total()


def play(x: Level, o: Level, seed: int) -> Board:
    rng, board = random.Random(seed), Board()
    while not board.is_terminal:
        level = x if board.to_move is Mark.X else o
        board = board.result(choose_move(board, level, rng))
    return board

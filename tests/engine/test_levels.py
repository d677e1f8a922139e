"""How each level plays; how strong it is on larger boards, by seeded tournaments."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from engine import (
    TIC_TAC_TOE,
    Board,
    Level,
    Mark,
    Rules,
    Value,
    analyse,
    best_moves,
    choose_move,
    move_odds,
)
from tests.engine import strength
from tests.engine.positions import DISTINCT


@pytest.mark.parametrize("level", Level)
def test_every_level_plays_legal_moves_everywhere(level: Level) -> None:
    rng = random.Random(7)
    for board in DISTINCT:
        assert choose_move(board, level, rng) in board.actions()


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("rules", [Rules(4, 4, 4), Rules(5, 5, 5)])
def test_the_same_seed_plays_the_same_game(level: Level, rules: Rules) -> None:
    game = play(level, level, seed=3, rules=rules)
    assert game.is_terminal
    assert game == play(level, level, seed=3, rules=rules)


@pytest.mark.parametrize("level", Level)
def test_move_odds_match_the_moves_that_a_level_chooses(level: Level) -> None:
    board = Board.parse("xx. oo. ...")
    odds = move_odds(board, level)
    assert sum(odds.values()) == pytest.approx(1)
    rng = random.Random(1)
    played = Counter(choose_move(board, level, rng) for _ in range(2000))
    for cell, share in odds.items():
        assert played[cell] / 2000 == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("level", Level)
def test_a_finished_game_has_no_move(level: Level) -> None:
    assert move_odds(Board.parse("xxx oo. ..."), level) == {}


@pytest.mark.parametrize("level", [Level.PERFECT, Level.IMPOSSIBLE])
def test_the_top_two_levels_never_lose(level: Level) -> None:
    """Over every line of play on 3x3, whatever the other does."""
    moves = strength.policy_of(level)
    for side in Mark:
        seen: set[Board] = set()

        def explore(board: Board, side: Mark = side, seen: set[Board] = seen) -> None:
            if board in seen:
                return
            seen.add(board)
            assert board.winner is not side.other, board
            for cell in board.actions():
                if board.to_move is not side or moves(board)[cell] > 0:
                    explore(board.result(cell))

        explore(Board())


def test_traps_are_the_best_moves_that_random_replies_lose_to_most_often() -> None:
    """Wherever neither side has a win to take, looked at to the end."""
    for board in DISTINCT:
        if not any(board.winning_cells(mark) for mark in Mark):
            chances = {
                cell: chance_of_a_win(board.result(cell), board.to_move)
                for cell in best_moves(board)
            }
            odds = move_odds(board, Level.IMPOSSIBLE)
            traps = {cell for cell in odds if odds[cell] > 0}
            assert traps == {c for c in chances if chances[c] > max(chances.values()) - 1e-9}, board


@cache
def chance_of_a_win(board: Board, mark: Mark) -> float:
    """How often `mark` wins who plays best moves against somebody who plays at random."""
    if board.is_terminal:
        return float(board.winner is mark)
    cells = best_moves(board) if board.to_move is mark else board.actions()
    chances = [chance_of_a_win(board.result(cell), mark) for cell in cells]
    return max(chances) if board.to_move is mark else sum(chances) / len(chances)


@pytest.mark.parametrize(
    ("rules", "drawing"),
    [
        (Rules(4, 4, 4), "..o. ..xx .xo. ..o."),
        (Rules(5, 4, 4), "..... ox..x ..oox ...xo"),
        (Rules(5, 5, 4), "x.oxx .o.x. ox.oo .o..x ...x."),
    ],
)
def test_traps_are_set_on_larger_boards_too(rules: Rules, drawing: str) -> None:
    """Of the draws here, those are chosen after which most replies lose."""
    board = Board.parse(drawing, rules)
    traps = [cell for cell, odds in move_odds(board, Level.IMPOSSIBLE).items() if odds > 0]
    losing = {cell: replies_that_lose(board.result(cell)) for cell in best_moves(board)}
    assert {losing[cell] for cell in traps} == {max(losing.values())}
    assert min(losing.values()) < max(losing.values())


def replies_that_lose(board: Board) -> float:
    worths = analyse(board).values()
    return sum(worth.value is Value.LOSS for worth in worths) / len(worths)


@pytest.mark.parametrize("level", list(Level)[3:])
def test_from_the_fourth_level_on_a_win_is_hardly_ever_missed(level: Level) -> None:
    for board in DISTINCT:
        if wins := board.winning_cells(board.to_move):
            odds = move_odds(board, level)
            assert sum(odds[cell] for cell in wins) >= 0.98


@pytest.mark.parametrize("rules", [Rules(4, 4, 3), Rules(4, 4, 4)])
def test_levels_keep_their_order_on_larger_boards(rules: Rules) -> None:
    """Where games are long, chance evens out less: every other level, over seeded games."""
    ladder = [Level.CHILD, Level.MEDIUM, Level.EXPERT]
    for below, level in pairwise(ladder):
        assert tournament(level, below, rules, games=6) > 0.55, level


@pytest.mark.parametrize("rules", [Rules(4, 4, 4), Rules(5, 5, 4)])
def test_the_top_levels_never_lose_to_random_players_on_larger_boards(rules: Rules) -> None:
    for seed, level in enumerate((Level.PERFECT, Level.IMPOSSIBLE) * 2):
        side, rng = (Mark.X, Mark.O)[seed // 2], random.Random(seed)
        board = Board(rules)
        while not board.is_terminal:
            cell = rng.choice(board.actions())
            if board.to_move is side:
                cell = choose_move(board, level, rng)
            board = board.result(cell)
        assert board.winner is not side.other, board


def test_best_moves_win_the_fastest_and_lose_the_slowest() -> None:
    assert best_moves(Board.parse("xx. oo. ...")) == (2,)
    assert best_moves(Board.parse("x.. .o. ..x")) == (1, 3, 5, 7)


def tournament(level: Level, other: Level, rules: Rules, games: int) -> float:
    """The share of points `level` takes, playing both sides."""
    points = 0.0
    for seed in range(games):
        points += (1 + play(level, other, seed, rules).utility) / 2
        points += (1 - play(other, level, seed, rules).utility) / 2
    return points / (2 * games)


def play(x: Level, o: Level, seed: int, rules: Rules = TIC_TAC_TOE) -> Board:
    rng, board = random.Random(seed), Board(rules)
    while not board.is_terminal:
        level = x if board.to_move is Mark.X else o
        board = board.result(choose_move(board, level, rng))
    return board

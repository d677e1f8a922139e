"""Verdicts on moves: proven by the solver, named by the rules."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Cell,
    IllegalMoveError,
    Level,
    Mark,
    Reason,
    Rules,
    Solver,
    Value,
    Worth,
    accuracies,
    accuracy,
    advise,
    best_reply,
    choose_move,
    judge,
    refutation,
    review,
    rules_named,
    turning_point,
)
from tests.engine.meaning import worths
from tests.engine.positions import DISTINCT, named

SOLVER = Solver(TIC_TAC_TOE)


def test_a_game_is_judged_move_by_move() -> None:
    verdicts = review([0, 4, 8, 2, 6, 3, 5])
    assert [verdict.mark for verdict in verdicts] == [Mark.X, Mark.O] * 3 + [Mark.X]
    assert [verdict.worth.value for verdict in verdicts] == [0, 0, 0, -1, 1, -1, 0]
    assert [verdict.is_blunder for verdict in verdicts] == [False] * 3 + [True] + [False] * 2 + [
        True
    ]


def test_a_blunder_has_the_better_moves() -> None:
    blunder = review([0, 4, 8, 2])[-1]
    assert blunder.best_worth == Worth(Value.DRAW, 6)
    assert blunder.best_actions == (1, 3, 5, 7)
    assert not blunder.kept_value


def test_a_slower_win_keeps_the_value_though_it_is_not_the_best_move() -> None:
    slower = judge(Board.parse("... ..x oox"), named("B1"))
    assert slower.worth == Worth(Value.WIN, 5)
    assert slower.best_worth == Worth(Value.WIN, 1)
    assert slower.best_actions == (named("C1"),)
    assert slower.kept_value
    assert not slower.is_blunder


def test_an_only_move_is_one_without_an_alternative() -> None:
    against_the_corner = review([0, 4])[-1]
    assert against_the_corner.is_only_move
    assert not review([4, 0])[-1].is_only_move
    missed_it = review([0, 1])[-1], review([0, 8])[-1]
    assert not any(verdict.is_only_move for verdict in missed_it)
    assert not review([0, 1, 2, 4, 3, 5, 7, 6, 8])[-1].is_only_move, "the last cell is no choice"


def test_a_move_is_safe_if_every_move_has_the_same_value() -> None:
    """All hold on an empty board; in the fork nothing holds any more."""
    game = review([0, 4, 8, 2, 6, 3, 7])
    assert [verdict.is_safe for verdict in game] == [True, False, True, False, False, True, False]
    for board in DISTINCT[::4]:
        values = {worth.value for worth in SOLVER.analyse(board).values()}
        assert {verdict.is_safe for verdict in advise(board)} == {len(values) == 1}


@pytest.mark.parametrize("rules", ["3x3x3", "4x4x3", "infinite", "misere"])
def test_the_accuracy_of_a_game_is_that_of_its_review(rules: str) -> None:
    chance, critical = random.Random(3), 0
    for _ in range(10):
        board, moves = Board(rules_named(rules)), list[Cell]()
        while board.actions() and len(moves) < 12:
            moves.append(chance.choice(board.actions()))
            board = board.result(moves[-1])
        verdicts = review(moves, board.rules)
        found = accuracies(moves, board.rules)
        assert found == {mark: accuracy(verdicts, mark) for mark in Mark}
        critical += sum(one.critical for one in found.values())
    assert critical > 10, "there was something to judge"


@pytest.mark.parametrize("judge_game", [review, accuracies])
@pytest.mark.parametrize("moves", [[0, 0], [0, 3, 1, 4, 2, 5], [0, 9]])
def test_illegal_moves_are_refused(
    judge_game: Callable[[list[Cell]], object], moves: list[Cell]
) -> None:
    with pytest.raises(IllegalMoveError):
        judge_game(moves)


def test_advice_judges_every_move() -> None:
    for board in DISTINCT[::4]:
        advice = advise(board)
        assert {verdict.action for verdict in advice} == set(board.actions())
        assert len(advice) == len(board.actions())
        assert all(verdict == judge(board, verdict.action) for verdict in advice)
    assert advise(Board.parse("xxx oo. ...")) == []


def test_advice_lists_the_best_first_then_the_most_instructive() -> None:
    """The most replies that lose, then the most telling reason, then the most lines."""
    names = list(Reason)
    for board in (*DISTINCT[::4], Board.parse("xo.. .... .x.. ..o.", Rules(4, 4, 4))):
        keys = [
            (
                *rank(verdict.worth),
                -verdict.losing_reply_count,
                names.index(verdict.reason),
                -live_lines(board, verdict.action, verdict.mark.other),
                -live_lines(board, verdict.action, verdict.mark),
            )
            for verdict in advise(board)
        ]
        assert keys == sorted(keys), board


def test_replies_that_lose_are_counted_exactly_on_3x3_where_a_move_holds_a_draw() -> None:
    for board in DISTINCT:
        for verdict in advise(board):
            holds = verdict.worth.value is verdict.best_worth.value is Value.DRAW
            replies = worths(board.result(verdict.action)).values()
            exactly = sum(reply.value is Value.LOSS for reply in replies) if holds else 0
            assert verdict.losing_reply_count == exactly, board


def rank(worth: Worth) -> tuple[int, int]:
    """Wins before draws before losses; of wins the fastest first, of losses the slowest."""
    return -worth.value, worth.value * worth.plies_to_end


def test_on_the_empty_board_a_corner_is_advised() -> None:
    advice = advise(Board())
    assert [verdict.action for verdict in advice] == [0, 2, 6, 8, 4, 1, 3, 5, 7]
    assert [verdict.losing_reply_count for verdict in advice] == [7] * 4 + [4] * 5


def test_advice_prefers_the_win_at_once_to_the_fork_and_puts_blunders_last() -> None:
    advice = advise(Board.parse("xx. .o. o.."))
    assert (advice[0].action, advice[0].reason) == (2, Reason.WIN)
    assert [verdict.is_blunder for verdict in advice] == [False] + [True] * 4


@pytest.mark.parametrize("rules", ["4x4x3", "4x4x4", "5x5x4", "5x5x5"])
def test_on_larger_boards_the_best_move_comes_first_and_reasons_about_lines_are_true(
    rules: str,
) -> None:
    for board in some_positions(rules_named(rules)):
        advice = advise(board)
        assert advice[0].worth.rank == advice[0].best_worth.rank, board
        holding = [v for v in advice if v.worth.value is v.best_worth.value is Value.DRAW]
        own = {v.action: live_lines(board, v.action, v.mark.other) for v in holding}
        others = {v.action: live_lines(board, v.action, v.mark) for v in holding}
        for verdict in advice:
            cell, most = verdict.action, max(own.values(), default=0)
            if verdict.reason is Reason.OPEN_LINES:
                assert own[cell] == most > 0, board
            if verdict.reason is Reason.CLOSED_LINES:
                assert most == 0 < others[cell] == max(others.values()), board
            if verdict.reason is Reason.NOTHING_LEFT:
                lines = board.rules.line_masks
                assert all(line & board.x and line & board.o for line in lines), board


def some_positions(rules: Rules) -> list[Board]:
    """Those of two games, of which one goes on for long: its players see what to block."""
    positions = []
    for seed, level in enumerate((Level.CHILD, Level.HARD)):
        rng, board = random.Random(f"{rules}{seed}"), Board(rules)
        while not board.is_terminal:
            positions.append(board)
            board = board.result(choose_move(board, level, rng))
    return positions


def live_lines(board: Board, cell: Cell, without: Mark) -> int:
    """The lines through a cell on which a player has no mark."""
    lines = (line for line in board.rules.lines if cell in line)
    return sum(all(board[c] is not without for c in line) for line in lines)


def test_the_best_reply_is_the_first_advised_to_the_opponent() -> None:
    board = Board.parse("x.. .o. ..x")
    reply = best_reply(board, named("C1"))
    assert reply == advise(board.result(named("C1")))[0]
    assert reply is not None
    assert (reply.action, reply.reason) == (named("A3"), Reason.FORK)
    assert best_reply(Board.parse("xx. oo. ..."), named("C1")) is None, "the game is over"


def test_the_turning_point_is_the_last_blunder() -> None:
    assert turning_point(review([4, 0, 8, 2, 1, 7, 3, 5, 6])) is None
    assert turning_point(review([0, 4, 8, 2])) == 3
    assert turning_point(review([0, 1])) == 1
    assert turning_point(review([0, 4, 8, 2, 6, 3, 5])) == 6
    assert turning_point(review([0, 1, 2, 4, 7])) == 2


def test_a_refutation_shows_the_fork_the_block_and_the_win() -> None:
    line = refutation(judge(Board.parse("x.. .o. ..x"), named("C1")))
    assert line[0].action == named("A3")
    assert [verdict.reason for verdict in line] == [Reason.FORK, Reason.BLOCK, Reason.WIN]


def test_a_refutation_begins_with_the_reply_that_was_played_if_none_is_better() -> None:
    blunder = judge(Board.parse(".oo. .... x... ...x", Rules(4, 4, 3)), 8 + 4)
    first, last, slower = 0, 3, 5
    assert refutation(blunder, first)[0].action == first
    assert refutation(blunder, last)[0].action == last
    assert refutation(blunder, slower)[0].action in (first, last)


def test_a_move_that_does_not_lose_or_ends_the_game_has_no_refutation() -> None:
    assert refutation(judge(Board.parse("x.. .o. ..x"), named("B1"))) == []
    assert refutation(judge(Board.parse("xx. .o. o..", MISERE), named("C1"))) == []


@pytest.mark.parametrize("rules", ["3x3x3", "4x4x3", "5x5x4", "infinite", "misere"])
def test_a_refutation_is_best_play(rules: str) -> None:
    chance, tried = random.Random(5), 0
    for _ in range(8):
        board = Board(rules_named(rules))
        while not board.is_terminal and board.plies < 12:
            verdict = judge(board, chance.choice(board.actions()))
            board = board.result(verdict.action)
            line = refutation(verdict)
            assert bool(line) == (verdict.worth.value is Value.LOSS and not board.is_terminal)
            for number, move in enumerate(line):
                assert move.board == (
                    line[number - 1].board.result(line[number - 1].action) if number else board
                )
                assert move.worth.rank == move.best_worth.rank
            tried += len(line)
    assert tried > 8, "there was something to refute"


def test_a_move_in_infinite_has_as_many_replies_as_cells_are_free_after_it() -> None:
    """Once six marks stand it frees one cell for the one it takes."""
    for drawing, replies in (("x1.... ...... ......", 7), ("....x2 o2o1x3 x1..o3 18", 3)):
        verdicts = advise(Board.parse(drawing, INFINITE))
        assert {verdict.reply_count for verdict in verdicts} == {replies}


def test_no_move_misses_a_win_beyond_the_ply_limit() -> None:
    """C2 wins in 7 plies, where there are so many; after B2 neither can force an end."""
    for plies, is_blunder in ((11, True), (53, True), (55, False)):
        board = Board.parse(f"x2o2o1 ...... x1x3o3 {plies}", INFINITE)
        assert judge(board, named("B2")).is_blunder is is_blunder
        assert (judge(board, named("C2")).worth == Worth(Value.WIN, 7)) is is_blunder

"""The textbook search: right everywhere on 3x3, and as cheap as it claims."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache

import pytest

from engine import Board, Cell, Mark, Rules, Search, deepen, minimax, search
from tests.engine.positions import DISTINCT, REACHABLE, TRUTH, UNFINISHED, as_taught


@cache
def found(board: Board) -> Search[Cell]:
    return search(board)


@cache
def best_actions(board: Board) -> tuple[int, ...]:
    return search(board, every_best=True).best_actions


def test_the_value_and_the_distance_of_a_decision_are_right_in_every_position() -> None:
    assert len(DISTINCT) == 627
    for board in DISTINCT:
        value, distance = TRUTH[board]
        assert found(board).utility == value, board
        assert not value or found(board).distance_plies == distance, board


def test_every_best_returns_exactly_the_best_moves() -> None:
    for board in DISTINCT:
        value, distance = TRUTH[board]
        equal = tuple(
            cell
            for cell in board.actions()
            if TRUTH[board.result(cell)][0] == value
            and (value == 0 or TRUTH[board.result(cell)][1] == distance - 1)
        )
        assert best_actions(board) == equal, board


def test_the_principal_variation_is_a_game_that_ends_as_valued() -> None:
    for board in DISTINCT:
        end = board
        for action in found(board).principal_variation:
            end = end.result(action)
        assert end.utility == found(board).utility


def test_finding_the_soonest_win_costs_more_than_finding_any_win() -> None:
    """The smaller number is that of a learner's own alpha-beta."""
    value, visits = as_taught(Board())
    plain = search(Board(), soonest=False)
    assert (plain.utility, plain.nodes) == (value, len(visits))
    assert len(visits) == 18_297 < found(Board()).nodes


def test_without_soonest_all_wins_are_worth_the_same() -> None:
    for board in DISTINCT[::3]:
        for memory in (False, True):
            assert search(board, soonest=False, memory=memory).utility == TRUTH[board][0]
    win_that_waits = Board.parse("o.. .x. x.o")
    assert search(win_that_waits).distance_plies == 1
    assert search(win_that_waits, soonest=False).distance_plies == 5


def test_a_position_reached_by_several_moves_counts_several_visits() -> None:
    visits = search(Board(), pruning=False, memory=True).nodes
    moves = sum(len(board.actions()) for board in UNFINISHED)
    assert visits == 1 + moves > len(REACHABLE) == 5_478


def test_a_finished_game_has_a_value_and_no_best_move() -> None:
    assert search(Board.parse("ooo xx. x..")).utility == -1
    assert minimax(Board.parse("xxx oo. ...")) is None
    assert minimax(Board.parse("xox xxo oxo"), random.Random(1)) is None


def test_the_choice_among_equal_moves_is_random_but_repeatable() -> None:
    board, seeds = Board.parse("x.. ... ..o"), range(12)
    first = [minimax(board, random.Random(seed)) for seed in seeds]
    again = [minimax(board, random.Random(seed)) for seed in seeds]
    assert first == again
    assert set(first) == set(best_actions(board))
    assert len(set(first)) > 1


def test_without_rng_the_first_of_equal_moves_is_chosen() -> None:
    assert minimax(Board.parse("x.. .o. ..x")) == 1


def test_minimax_plays_boards_of_other_sizes() -> None:
    assert search(Board(Rules(2, 2, 2))).distance_plies == 3
    assert search(Board.parse("xo.. .... ....", Rules(4, 3, 3))).utility == 1


CENTRE_CORNERS_SIDES = (4, 0, 2, 6, 8, 1, 3, 5, 7)


def centre_first(board: Board) -> list[int]:
    return [cell for cell in CENTRE_CORNERS_SIDES if cell in board.actions()]


def test_order_and_memory_never_change_the_answer() -> None:
    """How much they save is pinned in the tests of lessons."""
    for board in DISTINCT[::2]:
        plain = found(board)
        for every_best in (False, True):
            same = search(board, memory=True, every_best=every_best)
            assert (same.utility, same.distance_plies) == (plain.utility, plain.distance_plies)
            assert not every_best or same.best_actions == best_actions(board), board
        assert search(board, order=centre_first, memory=True).utility == plain.utility


def test_a_depth_limit_sees_no_further_than_that() -> None:
    board = Board.parse("x.. .o. ..x")
    assert search(board).utility == 0
    trap = Board.parse("xo. ... ...")
    assert search(trap).utility == 1
    assert search(trap, depth_limit=2).utility == 0
    assert not search(trap, depth_limit=2).is_complete
    assert search(trap, depth_limit=7).is_complete


def test_the_evaluation_is_used_at_the_depth_limit() -> None:
    def likes_the_centre(board: Board) -> float:
        return 0.5 if board[4] is Mark.X else -0.5 if board[4] is Mark.O else 0

    centre = search(Board(), depth_limit=1, evaluate=likes_the_centre)
    assert centre.best_actions == (4,)
    assert centre.utility == 0.5
    assert (
        search(Board.parse("x.. ... ..."), depth_limit=1, evaluate=likes_the_centre).utility == -0.5
    )


def test_deepening_stops_once_the_answer_is_proven() -> None:
    for board in DISTINCT[::10]:
        value, distance = TRUTH[board]
        *shallower, last = deepen(board)
        assert not any(one.is_complete for one in shallower)
        assert all(one.best_actions[0] in board.actions() for one in shallower)
        assert (last.utility, last.distance_plies) == (value, found(board).distance_plies)
        assert len(shallower) + 1 == (distance if value else len(board.actions()))


def test_deepening_continues_while_a_higher_utility_is_possible() -> None:
    coins = Coins((8, 15, 3, 7))
    assert len(list(deepen(coins, max_utility=math.inf))) == 4
    assert list(deepen(coins, max_utility=math.inf))[-1].utility == search(coins).utility


@dataclass(frozen=True)
class Subtraction:
    """Take one or two, or pass the move at a cost of three: positions recur at other depths."""

    left: int
    to_move: Mark = Mark.X

    def actions(self) -> list[int]:
        return [count for count in (1, 2, 3) if count <= self.left]

    def result(self, action: int) -> Subtraction:
        keeps_the_turn = action == 3
        to_move = self.to_move if keeps_the_turn else self.to_move.other
        return type(self)(self.left - action, to_move)

    @property
    def is_terminal(self) -> bool:
        return self.left == 0

    @property
    def utility(self) -> int:
        return 1 if self.to_move is Mark.O else -1


class Patience(Subtraction):
    """The same, but nobody can win."""

    @property
    def utility(self) -> int:
        return 0


@pytest.mark.parametrize("memory", [False, True])
def test_a_draw_is_worth_the_same_soon_or_late(*, memory: bool) -> None:
    for left in range(3, 8):
        assert search(Patience(left), every_best=True, memory=memory).best_actions == (1, 2, 3)


@dataclass(frozen=True)
class Coins:
    """Take a coin from either end of a row; what counts is by how much X ends up richer."""

    row: tuple[int, ...]
    lead: int = 0
    to_move: Mark = Mark.X

    def actions(self) -> list[int]:
        return [0, -1]

    def result(self, action: int) -> Coins:
        rest = self.row[1:] if action == 0 else self.row[:-1]
        gain = self.row[action] if self.to_move is Mark.X else -self.row[action]
        return Coins(rest, self.lead + gain, self.to_move.other)

    @property
    def is_terminal(self) -> bool:
        return not self.row

    @property
    def utility(self) -> int:
        return self.lead


def test_search_and_minimax_maximize_utilities_beyond_one() -> None:
    assert search(Coins((8, 15, 3, 7))).utility == 22 - 11
    assert minimax(Coins((8, 15, 3, 7))) == -1
    assert search(Coins((1, 9, 1))).utility == 2 - 9
    assert search(Coins((1, 9, 1)), memory=True, every_best=True).best_actions == (0, -1)


def test_memory_is_right_where_positions_recur_at_other_depths() -> None:
    def estimate(game: Subtraction) -> float:
        return ((game.left * 7919) % 11 - 5) / 10

    for left in range(1, 15):
        for limit in (*range(1, 8), None):
            plain = search(Subtraction(left), pruning=False, depth_limit=limit, evaluate=estimate)
            for pruning in (False, True):
                remembered = search(
                    Subtraction(left),
                    pruning=pruning,
                    memory=True,
                    depth_limit=limit,
                    evaluate=estimate,
                )
                assert remembered.utility == plain.utility, (left, limit)
                assert limit is None or len(remembered.principal_variation) <= limit


@pytest.mark.parametrize("estimate", [0.0003, -0.0003, 0.5, 1e-9])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_an_estimate_is_returned_unchanged(estimate: float, depth: int) -> None:
    assert search(Board(), depth_limit=depth, evaluate=lambda _board: estimate).utility == estimate

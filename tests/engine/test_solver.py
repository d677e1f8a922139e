"""The solver: exact everywhere, and as cheap as it claims."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from engine import (
    TIC_TAC_TOE,
    Board,
    Cell,
    Mark,
    Rules,
    Solver,
    Value,
    Worth,
    analyse,
    search,
    solve,
)
from engine.openings import RULES, canonical, opening_worth
from engine.rules import bit_set
from tests.engine.make_openings import canonical_openings
from tests.engine.positions import TRUTH, UNFINISHED

KNOWN = {
    Rules(3, 3, 3): Value.DRAW,
    Rules(4, 3, 3): Value.WIN,
    Rules(4, 4, 3): Value.WIN,
    Rules(5, 3, 3): Value.WIN,
    Rules(5, 4, 3): Value.WIN,
    Rules(5, 5, 3): Value.WIN,
    Rules(4, 3, 4): Value.DRAW,
    Rules(5, 3, 4): Value.DRAW,
    Rules(4, 4, 4): Value.DRAW,
    Rules(5, 4, 4): Value.DRAW,
    Rules(5, 5, 4): Value.DRAW,
    Rules(5, 3, 5): Value.DRAW,
    Rules(5, 4, 5): Value.DRAW,
    Rules(5, 5, 5): Value.DRAW,
}
"""Every shape up to 5x5, and what the first player gets in it."""


def true_worth(board: Board) -> Worth:
    value, distance = TRUTH[board]
    return Worth(Value(value if board.to_move is Mark.X else -value), distance)


def random_position(rules: Rules, rng: random.Random, free_at_most: int) -> Board:
    """A position reached by random moves, unfinished and with few enough free cells."""
    while True:
        board = Board(rules)
        while len(board.actions()) > free_at_most:
            board = board.result(rng.choice(board.actions()))
        if not board.is_terminal:
            return board


def test_every_position_and_every_move_of_3x3_is_judged_right() -> None:
    solver = Solver(TIC_TAC_TOE)
    assert len(UNFINISHED) == 4520
    for board in UNFINISHED:
        assert solver.worth(board) == true_worth(board), board
        for cell, worth in solver.analyse(board).items():
            assert worth == true_worth(board.result(cell)).one_ply_earlier(), board


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, Rules(4, 3, 3), Rules(4, 4, 3), Rules(4, 4, 4)])
def test_the_principal_variation_is_best_play_to_the_end(rules: Rules) -> None:
    rng, solver = random.Random(1), Solver(rules)
    for _ in range(40):
        board = random_position(rules, rng, free_at_most=rng.randrange(4, 10))
        solution = solver.solve(board)
        assert solution.worth == solver.worth(board)
        assert len(solution.principal_variation) == solution.distance_plies
        assert solution.action == solution.principal_variation[0]
        for action in solution.principal_variation:
            worths = solver.analyse(board)
            assert worths[action].rank == max(worth.rank for worth in worths.values()), board
            board = board.result(action)
        assert board.is_terminal


@pytest.mark.parametrize(("rules", "value"), KNOWN.items())
def test_the_known_values_of_every_shape_are_found(rules: Rules, value: Value) -> None:
    assert solve(Board(rules)).value is value
    upright = Rules(rules.rows, rules.columns, rules.in_a_row)
    assert solve(Board(upright)).value is value
    assert rules.first_player_wins is (value is Value.WIN)


@pytest.mark.parametrize("rules", [rules for rules in KNOWN if rules != TIC_TAC_TOE])
def test_random_positions_are_judged_as_minimax_judges_them(rules: Rules) -> None:
    rng = random.Random(f"{rules}")
    solver = Solver(rules)
    for _ in range(6):
        board = random_position(rules, rng, free_at_most=7)
        found = search(board, pruning=False, memory=True)
        sign = 1 if board.to_move is Mark.X else -1
        assert solver.solve(board).worth == Worth(
            Value(int(sign * found.utility)), found.distance_plies
        ), board


@pytest.mark.parametrize("rules", [Rules(3, 3, 3), Rules(4, 4, 3), Rules(4, 4, 4), Rules(5, 4, 4)])
def test_the_replies_that_lose_soon_are_those_that_lose_within_so_many_plies(rules: Rules) -> None:
    rng, solver, found = random.Random(3), Solver(rules), 0
    for free in range(1, min(len(rules.cells), 15)):
        for board in (random_position(rules, rng, free) for _ in range(4)):
            losing = [
                (worth.plies_to_end - 1, cell)
                for cell, worth in solver.analyse(board).items()
                if worth.value is Value.LOSS
            ]
            for plies in (1, 3, 5):
                soon = tuple(cell for plies_to_loss, cell in losing if plies_to_loss <= plies)
                assert Solver(rules).losing_replies(board, plies) == soon, board
                found += len(soon)
    assert found


@pytest.mark.parametrize("rules", [rules for rules in KNOWN if rules.in_a_row == 3])
@pytest.mark.parametrize("side", Mark)
def test_perfect_play_never_gives_away_a_win_or_a_draw(rules: Rules, side: Mark) -> None:
    """From a position it has won or drawn, seeded random opponents never get more."""
    solver = Solver(rules)
    won_by_x = solver.solve(Board(rules)).value is Value.WIN
    for seed in range(8):
        rng, board = random.Random(seed), Board(rules)
        while not board.is_terminal:
            is_ours = board.to_move is side
            worths = solver.analyse(board)
            best = max(worths, key=lambda cell: worths[cell].rank)
            board = board.result(best if is_ours else rng.choice(board.actions()))
        if side is Mark.X and won_by_x:
            assert board.winner is Mark.X
        if not won_by_x:
            assert board.winner is not side.other


def test_the_nodes_of_the_solver_are_pinned() -> None:
    assert solve(Board()).nodes == 99
    assert solve(Board(RULES)).nodes == 18_515


def test_the_nodes_of_a_warm_solver_are_pinned() -> None:
    solver, board = Solver(RULES), Board.parse("xo... ..x.. .o... ..x.. ....o", RULES)
    solver.analyse(board)
    assert [solver.solve(board.result(cell)).nodes for cell in (2, 3, 4, 5)] == [4, 4, 4, 17]


def test_a_proven_position_is_not_searched_again() -> None:
    solver = Solver(TIC_TAC_TOE)
    first = solver.solve(Board())
    assert solver.solve(Board()) is first
    after = Board().result(0)
    assert solver.solve(after).nodes < solve(after).nodes


@pytest.mark.parametrize(
    ("rules", "games"), [(Rules(4, 3, 3), 10), (Rules(4, 4, 4), 4), (Rules(5, 5, 4), 1)]
)
def test_the_proofs_of_a_warm_solver_change_no_result(rules: Rules, games: int) -> None:
    """Along games played at random, shared proofs are those of a solver that knows nothing."""
    warm = Solver(rules)
    for seed in range(games):
        rng, board = random.Random(seed), Board(rules)
        while not board.is_terminal:
            worths = warm.analyse(board)
            if len(worths) < 16:
                assert worths == Solver(rules).analyse(board), board
                assert warm.worth(board) == solve(board).worth, board
            board = board.result(rng.choice(board.actions()))


def test_symmetric_positions_share_their_proofs() -> None:
    solver = Solver(RULES)
    solver.solve(Board(RULES).result(0))
    assert solver.solve(Board(RULES).result(24)).nodes < 500


def test_on_large_boards_easy_positions_are_proven() -> None:
    assert solve(Board(Rules(6, 6, 3))).value is Value.WIN
    nearly = Board(Rules(7, 6, 4), bit_set([38, 39, 40]), bit_set([0, 7]))
    assert solve(nearly).value is Value.LOSS


def test_boards_of_odd_shapes_are_proven() -> None:
    for rules in (Rules(16, 1, 3), Rules(1, 16, 3), Rules(8, 2, 3), Rules(12, 2, 12)):
        assert solve(Board(rules)).value is Value.DRAW


def test_a_finished_game_is_worth_its_result() -> None:
    assert solve(Board.parse("xxx oo. ...")).worth == Worth(Value.LOSS, 0)
    assert solve(Board.parse("xox xxo oxo")).worth == Worth(Value.DRAW, 0)
    assert solve(Board.parse("xxx oo. ...")).action is None
    assert analyse(Board.parse("xxx oo. ...")) == {}


def positions_with_at_most(marks: int) -> list[Board]:
    return [board for count in range(marks + 1) for board in canonical_openings(count)]


@pytest.mark.slow
def test_the_potential_bound_changes_no_result() -> None:
    for board in positions_with_at_most(2):
        with_bound = Solver(RULES).worth(board)
        assert Solver(RULES, potential_bound=False).worth(board) == with_bound, board


@pytest.mark.parametrize("rules", [Rules(3, 3, 3), Rules(4, 3, 3), Rules(4, 4, 3), Rules(4, 4, 4)])
def test_the_potential_bound_changes_no_result_on_smaller_boards(rules: Rules) -> None:
    rng = random.Random(3)
    for free in (5, 7, 9):
        board = random_position(rules, rng, free_at_most=free)
        without = Solver(rules, potential_bound=False)
        assert without.worth(board) == Solver(rules).worth(board), board


@pytest.mark.slow
def test_every_position_with_at_most_four_marks_is_cheap_and_in_the_table() -> None:
    boards = positions_with_at_most(4)
    assert len(boards) == 10_660
    for board in boards:
        solution = solve(board)
        assert solution.nodes <= 140_000, board
        assert solution.worth == opening_worth(board), board


def test_symmetric_positions_have_the_same_canonical_form() -> None:
    rng = random.Random(5)
    for x_cells in list(combinations(RULES.cells, 3))[::200]:
        o_cells = rng.sample([cell for cell in RULES.cells if cell not in x_cells], 2)
        images = {
            canonical(Board(RULES, moved(x_cells, image), moved(o_cells, image)))
            for image in RULES.symmetries
        }
        assert len(images) == 1


def moved(cells: tuple[Cell, ...] | list[Cell], image: tuple[Cell, ...]) -> int:
    return bit_set(image[cell] for cell in cells)

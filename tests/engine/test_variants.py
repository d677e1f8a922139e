"""What holds of every game that is played by other rules: how it is named, kept and solved."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import accumulate, pairwise, product

import pytest

from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    VARIANTS,
    Board,
    Cell,
    IllegalMoveError,
    Level,
    Mark,
    Record,
    Rules,
    Value,
    analyse,
    choose_move,
    minimax,
    rules_named,
    solve,
    solver_of,
)
from engine.retrograde import TableSolver
from engine.solver import new_solver

GAMES = list(VARIANTS.values())
in_every_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


def played(rules: Rules, level: Level, seed: int) -> list[Board]:
    """The positions of a game that a level plays against itself."""
    rng, boards = random.Random(seed), [Board(rules)]
    while not boards[-1].is_terminal:
        boards.append(boards[-1].result(choose_move(boards[-1], level, rng)))
    return boards


def moves_of(boards: list[Board]) -> tuple[Cell, ...]:
    """What was played: the newest mark of each position."""
    return tuple(
        next(cell for cell in board.actions() if board.result(cell) == after)
        for board, after in pairwise(boards)
    )


def some_games(rules: Rules) -> list[list[Board]]:
    """Short ones and long ones; of those that are endless one is as long as can be."""
    games = [played(rules, level, seed) for level in (Level.CHILD, Level.HARD) for seed in range(9)]
    if rules.repeats:
        board, rng = Board(rules).result(4), random.Random(5)
        longest = [Board(rules), board]
        while not longest[-1].is_terminal:
            cell = choose_move(longest[-1], Level.PERFECT, rng)
            longest.append(longest[-1].result(cell))
        assert len(longest) == rules.most_plies + 1
        games.append(longest)
    return games


def test_the_games_have_numbers_names_and_first_players_of_their_own() -> None:
    assert VARIANTS == {1: MISERE, 2: INFINITE}
    assert [rules.name for rules in GAMES] == ["misere", "infinite"]
    assert len({*GAMES, TIC_TAC_TOE}) == 3


@in_every_game
def test_a_game_is_found_by_its_name_and_rebuilt_from_its_repr(rules: Rules) -> None:
    assert rules_named(rules.name) is rules
    assert eval(repr(rules)) is rules  # noqa: S307 - that is what a repr is for


@pytest.mark.parametrize("name", ["", "Misere", "infinite ", "3x3", "3x3x4", "0x3x3", "axbxc"])
def test_unknown_names_of_rules_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        rules_named(name)


@in_every_game
def test_boards_from_other_processes_and_from_codes_share_the_rules(rules: Rules) -> None:
    for board in (Board(rules), Board(rules).result(4), *played(rules, Level.EASY, 1)):
        for received in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board)):  # noqa: S301
            assert received == board
            assert type(received) is type(board)
            assert received.rules is rules
    assert Record.read(Record(rules, (4,)).code).rules is rules


@in_every_game
def test_board_after_equals_playing_the_moves_one_by_one(rules: Rules) -> None:
    for boards in some_games(rules):
        moves = moves_of(boards)
        assert list(accumulate(moves, Board.result, initial=Board(rules))) == boards
        for ply, board in enumerate(boards):
            assert Board.after(moves[:ply], rules) == board
            assert (board.plies, board.to_move) == (ply, list(Mark)[ply % 2])
            assert len(board.free_cells) == rules.free_after(ply)
            assert Board.parse(str(board), rules) == board


@in_every_game
def test_every_symmetry_leaves_the_key_as_it_is(rules: Rules) -> None:
    moves = moves_of(played(rules, Level.HARD, 3))
    for ply, image in product(range(len(moves) + 1), rules.symmetries):
        mirrored = Board.after([image[cell] for cell in moves[:ply]], rules)
        assert mirrored.key == Board.after(moves[:ply], rules).key


@in_every_game
def test_every_game_is_read_from_its_own_code_of_24_symbols_at_most(rules: Rules) -> None:
    for boards in some_games(rules):
        moves = moves_of(boards)
        for record in (Record(rules, moves), Record(rules, moves[: len(moves) // 2])):
            assert Record.read(record.code) == record
            assert len(record.code) <= 24
        assert Record(rules, moves).boards == tuple(boards)


@in_every_game
def test_a_code_with_moves_beyond_the_end_is_refused(rules: Rules) -> None:
    line = Record(rules, (0, 3, 1, 4, 2))
    assert Record.read(line.code) == line
    with pytest.raises(IllegalMoveError, match="the game is over"):
        Record.read(Record(rules, (*line.moves, 8)).code)


def test_the_longest_game_has_the_longest_code() -> None:
    """Each move takes the last free cell, which is the largest number there is."""
    moves: list[Cell] = []
    while len(moves) < INFINITE.most_plies:
        moves.append(Board.after(moves, INFINITE).free_cells[-1])
    assert len(Record(INFINITE, tuple(moves)).code) == 24


@in_every_game
def test_the_principal_variation_is_best_play_to_the_end_or_one_move_if_endless(
    rules: Rules,
) -> None:
    solver = solver_of(rules)
    for board in (board for boards in some_games(rules) for board in boards[::3]):
        solution = solver.solve(board)
        assert solution.worth == solver.worth(board)
        if solution.distance_plies is None:
            assert len(solution.principal_variation) == 1
        else:
            assert len(solution.principal_variation) == solution.distance_plies
        after = board
        for cell in solution.principal_variation:
            ranks = {cell: worth.rank for cell, worth in solver.analyse(after).items()}
            assert ranks[cell] == max(ranks.values()), after
            after = after.result(cell)
        assert after.is_terminal == (solution.distance_plies is not None)


@in_every_game
def test_losing_replies_are_those_after_which_the_opponent_wins_soon(rules: Rules) -> None:
    solver, found = solver_of(rules), 0
    for board in (board for boards in some_games(rules) for board in boards):
        losses = {
            cell: worth.plies_to_end - 1
            for cell, worth in solver.analyse(board).items()
            if worth.value is Value.LOSS
        }
        for within in (1, 3, 5):
            soon = tuple(cell for cell, plies in losses.items() if plies <= within)
            assert solver.losing_replies(board, within) == soon, board
            found += len(soon)
    assert found


@in_every_game
def test_a_finished_game_is_worth_its_result(rules: Rules) -> None:
    for boards in some_games(rules):
        over, solver = boards[-1], solver_of(rules)
        assert solver.worth(over).value.utility(over.to_move) == over.utility
        assert solver.solve(over).action is minimax(over) is None
        assert (solver.analyse(over), solver.losing_replies(over)) == ({}, ())


@in_every_game
def test_a_solver_refuses_boards_with_other_rules(rules: Rules) -> None:
    for other in {*GAMES, TIC_TAC_TOE} - {rules}:
        for ask in (solver_of(rules).solve, solver_of(rules).worth, solver_of(rules).analyse):
            with pytest.raises(ValueError, match=f"a solver of {rules} cannot solve"):
                ask(Board(other))


@in_every_game
def test_solve_works_with_a_new_solver(rules: Rules) -> None:
    board = Board(rules)
    assert isinstance(new_solver(rules), TableSolver)
    assert solve(board) == solver_of(rules).solve(board)
    assert rules.first_player_wins == (solver_of(rules).solve(board).value is Value.WIN)


def test_analyse_works_with_a_new_solver() -> None:
    board = Board(MISERE).result(4)
    assert analyse(board) == solver_of(MISERE).analyse(board)


@pytest.mark.parametrize(("rules", "positions"), [(MISERE, 625), (INFINITE, 8_239)])
def test_a_table_has_the_won_and_lost_positions_once_per_symmetry(
    rules: Rules, positions: int
) -> None:
    solver = solver_of(rules)
    assert isinstance(solver, TableSolver)
    assert len(solver.table) == positions

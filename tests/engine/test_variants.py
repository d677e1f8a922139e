"""What holds of every game that is played by other rules: how it is named, kept and solved."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import accumulate, product

import pytest

from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    VARIANTS,
    Board,
    Cell,
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

GAMES = list(VARIANTS.values())
in_every_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


def played(rules: Rules, level: Level, seed: int, opening: tuple[Cell, ...] = ()) -> Record:
    """A game that a level plays against itself."""
    rng, board, moves = random.Random(seed), Board.after(opening, rules), [*opening]
    while not board.is_terminal:
        moves.append(choose_move(board, level, rng))
        board = board.result(moves[-1])
    return Record(rules, tuple(moves))


def some_games(rules: Rules) -> list[Record]:
    """Short ones and long ones; of those that are endless one is as long as can be."""
    games = [played(rules, level, seed) for level in (Level.CHILD, Level.HARD) for seed in range(9)]
    if rules.repeats:
        games.append(played(rules, Level.PERFECT, seed=5, opening=(4,)))
        assert len(games[-1].moves) == rules.most_plies
    return games


def test_the_games_have_numbers_and_names_of_their_own() -> None:
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


@pytest.mark.parametrize("rules", [rules_named("5x5x4"), TIC_TAC_TOE, *GAMES], ids=str)
def test_boards_from_other_processes_and_from_codes_share_the_rules(rules: Rules) -> None:
    """Each would bring lines of its own otherwise, and keep them while it is remembered."""
    for board in played(rules, Level.CHILD, 1).boards:
        for received in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board)):  # noqa: S301 - ours
            assert received == board
            assert type(received) is type(board)
            assert received.rules is rules
    assert Record.read(Record(rules, (4,)).code).rules is rules


def test_a_board_with_rules_of_its_own_is_received_with_those_that_all_share() -> None:
    received = pickle.loads(pickle.dumps(Board(Rules(5, 5, 4)).result(12)))  # noqa: S301 - ours
    assert received.rules is rules_named("5x5x4")


@in_every_game
def test_board_after_equals_playing_the_moves_one_by_one(rules: Rules) -> None:
    for game in some_games(rules):
        boards = tuple(accumulate(game.moves, Board.result, initial=Board(rules)))
        assert game.boards == boards
        for ply, board in enumerate(boards):
            assert Board.after(game.moves[:ply], rules) == board
            assert (board.plies, board.to_move) == (ply, list(Mark)[ply % 2])
            assert len(board.free_cells) == rules.free_after(ply)
            assert Board.parse(str(board), rules) == board


@in_every_game
def test_every_symmetry_leaves_the_key_as_it_is(rules: Rules) -> None:
    moves = played(rules, Level.HARD, 3).moves
    for ply, image in product(range(len(moves) + 1), rules.symmetries):
        mirrored = Board.after([image[cell] for cell in moves[:ply]], rules)
        assert mirrored.key == Board.after(moves[:ply], rules).key


@in_every_game
def test_every_game_is_read_from_its_own_code_of_24_symbols_at_most(rules: Rules) -> None:
    for game in some_games(rules):
        for record in (game, Record(rules, game.moves[: len(game.moves) // 2])):
            assert Record.read(record.code) == record
            assert len(record.code) <= 24


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
    for board in (board for game in some_games(rules) for board in game.boards[::3]):
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
    for board in (board for game in some_games(rules) for board in game.boards):
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
    for game in some_games(rules):
        over, solver = game.boards[-1], solver_of(rules)
        assert solver.worth(over).value.utility(over.to_move) == over.utility
        assert solver.solve(over).action is minimax(over) is None
        assert (solver.analyse(over), solver.losing_replies(over)) == ({}, ())


@in_every_game
def test_rules_know_whether_the_first_player_wins(rules: Rules) -> None:
    assert rules.first_player_wins == (solver_of(rules).worth(Board(rules)).value is Value.WIN)


def test_solve_and_analyse_work_with_a_new_solver() -> None:
    board = Board(MISERE).result(4)
    assert solve(board) == solver_of(MISERE).solve(board)
    assert analyse(board) == solver_of(MISERE).analyse(board)


@pytest.mark.parametrize(("rules", "positions"), [(MISERE, 625), (INFINITE, 8_239)])
def test_a_table_has_the_won_and_lost_positions_once_per_symmetry(
    rules: Rules, positions: int
) -> None:
    solver = solver_of(rules)
    assert isinstance(solver, TableSolver)
    assert len(solver.table) == positions

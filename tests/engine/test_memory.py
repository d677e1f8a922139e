"""What the engine remembers is bounded, whatever it is asked and for however long."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from inspect import signature

import engine
from engine import TIC_TAC_TOE, Board, Rules, Solver, rules_named, solver_of
from engine.and_or import LimitedDict
from tests.engine.positions import TRUTH, UNFINISHED


def test_a_solver_with_full_tables_clears_them_and_stays_right() -> None:
    solver = Solver(TIC_TAC_TOE, max_positions=100)
    for board in UNFINISHED[::40]:
        assert solver.solve(board).distance_plies == TRUTH[board][1]
        assert max(map(len, solver._proofs.values())) <= 100
        assert len(solver._worths) <= 10
        assert len(solver._solutions) <= 1


def test_a_full_dict_still_updates_existing_keys() -> None:
    known = LimitedDict[int, str](2)
    known[1], known[2] = "one", "two"
    known[2] = "zwei"
    assert known == {1: "one", 2: "zwei"}
    known[3] = "three"
    assert known == {3: "three"}


def test_symmetric_positions_share_one_table_entry() -> None:
    solver = Solver(TIC_TAC_TOE)
    for corner in (0, 2, 6, 8):
        solver.worth(Board().result(corner))
    assert len(solver._worths) == 1


def test_a_game_has_one_shared_solver() -> None:
    assert solver_of(Rules(3, 3, 3)) is solver_of(TIC_TAC_TOE)
    assert solver_of(Rules(4, 3, 3)).rules == Rules(4, 3, 3)


def test_every_function_cache_has_a_maximum_size() -> None:
    modules = [
        import_module(module.name) for module in pkgutil.walk_packages(engine.__path__, "engine.")
    ]
    functions = [value for module in modules for value in vars(module).values()]
    unbounded = [
        function.__name__
        for function in functions
        if hasattr(function, "cache_parameters")
        and signature(function).parameters
        and function.cache_parameters()["maxsize"] is None
    ]
    assert unbounded == []


def test_naming_rules_does_not_compute_their_lines() -> None:
    rules = rules_named("300x300x9")
    assert rules == Rules(300, 300, 9)
    assert "lines" not in vars(rules)

"""The checks of the course's eight functions, board by board.

`check_board` compares a learner's function with the engine on one board; `boards_for` lists the
boards. When the game is over, `player`, `actions` and `result` may return anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from math import factorial

from engine.board import Board
from engine.check.finding import Finding, FindingError, FindingKind, short_repr
from engine.check.learner_module import Action, LearnerModule, to_action
from engine.lessons import reachable_positions
from engine.rules import TIC_TAC_TOE
from engine.solver import solver_of
from engine.worth import Value, Worth

_OUTSIDE: tuple[Action, ...] = ((TIC_TAC_TOE.rows, 0), (0, TIC_TAC_TOE.columns), (-1, 0))
"""Actions just off the board; a negative index would be legal Python."""


def check_board(learner: LearnerModule, name: str, board: Board) -> list[Finding]:
    """The findings about a function on one board."""
    try:
        return _CHECKS[name](learner, board)
    except FindingError as error:
        return [error.finding]
    except BaseException as error:  # noqa: BLE001 - methods of a returned object may do anything
        return [learner.error_finding(error, board)]


@lru_cache(maxsize=8)
def boards_for(name: str) -> list[Board]:
    """The boards on which a function is checked, those with the fewest marks first.

    `minimax` begins with the fullest boards instead, where game trees are small.
    """
    boards = _all_boards()
    if name == "initial_state":
        return boards[:1]
    if name == "minimax":
        return boards[::-1]
    if name == "utility":
        return [board for board in boards if board.is_terminal]
    if name in {"winner", "terminal"}:
        return boards
    return [board for board in boards if not board.is_terminal]


def effort(name: str, board: Board) -> int:
    """Roughly how much work a function has with a board: `minimax` reads all lines of play."""
    return factorial(len(board.actions())) if name == "minimax" else 1


@cache
def _all_boards() -> list[Board]:
    return reachable_positions(Board())


def _check_initial_state(learner: LearnerModule, board: Board) -> list[Finding]:
    try:
        got = learner.module.initial_state()
    except BaseException as error:  # noqa: BLE001 - SystemExit too
        return [learner.error_finding(error, None)]
    expected = learner.state(board)
    if got != expected:
        return [Finding(FindingKind.WRONG, got=short_repr(got), expected=short_repr(expected))]
    different_rows = {id(row) for row in got}
    if len(different_rows) < len(got):
        return [Finding(FindingKind.SHARES_ROWS)]
    return []


def _check_player(learner: LearnerModule, board: Board) -> list[Finding]:
    return _compare(learner, "player", board, learner.symbols[board.to_move])


def _check_actions(learner: LearnerModule, board: Board) -> list[Finding]:
    return _compare(learner, "actions", board, set(map(to_action, board.actions())))


def _check_result(learner: LearnerModule, board: Board) -> list[Finding]:
    return _check_legal_moves(learner, board) + _check_illegal_moves(learner, board)


def _check_legal_moves(learner: LearnerModule, board: Board) -> list[Finding]:
    """The finding on the first move after which `result` returns a wrong board."""
    for cell in board.actions():
        action = to_action(cell)
        got = learner.call("result", board, action)
        expected = learner.state(board.result_unchecked(cell))
        if got != expected:
            finding = Finding(
                FindingKind.WRONG,
                board,
                got=short_repr(got),
                expected=short_repr(expected),
                action=short_repr(action),
            )
            return [finding]
    return []


def _check_illegal_moves(learner: LearnerModule, board: Board) -> list[Finding]:
    """A finding for each illegal move for which `result` raises no exception."""
    taken = [to_action(cell) for cell in board.rules.cells if board[cell]]
    findings = []
    for action in (*_OUTSIDE, *taken):
        _, error = learner.try_call("result", board, action)
        if error is None:
            family = "taken" if action in taken else "outside"
            text = short_repr(action)
            findings.append(Finding(FindingKind.ALLOWS_INVALID, board, family=family, action=text))
        elif not isinstance(error, Exception):
            findings.append(learner.error_finding(error, board, action))
    return findings


def _check_winner(learner: LearnerModule, board: Board) -> list[Finding]:
    expected = None if board.winner is None else learner.symbols[board.winner]
    return _compare(learner, "winner", board, expected)


def _check_terminal(learner: LearnerModule, board: Board) -> list[Finding]:
    return _compare(learner, "terminal", board, board.is_terminal)


def _check_utility(learner: LearnerModule, board: Board) -> list[Finding]:
    return _compare(learner, "utility", board, board.utility)


def _check_minimax(learner: LearnerModule, board: Board) -> list[Finding]:
    if board.is_terminal:
        return _compare(learner, "minimax", board, None)
    cell = learner.choose(board)
    solver = solver_of(board.rules)
    worths = solver.analyse(board)
    worth = worths[cell]
    best = max(worths.values(), key=lambda worth: worth.rank)
    if worth.rank == best.rank:
        return []
    best_actions = [to_action(other) for other in worths if worths[other].rank == best.rank]
    values = (best.value, worth.value)
    finding = Finding(
        _kind_of_bad_move(worth, best),
        board,
        got=short_repr(to_action(cell)),
        expected=", ".join(map(str, best_actions)),
        family=str(values),
        line=solver.solve(board.result(cell)).principal_variation,
        values=values,
    )
    return [finding]


def _kind_of_bad_move(worth: Worth, best: Worth) -> FindingKind:
    if worth.value is not best.value:
        return FindingKind.WORSE_MOVE
    return FindingKind.LATER_WIN if worth.value is Value.WIN else FindingKind.SOONER_LOSS


def _compare(learner: LearnerModule, name: str, board: Board, expected: object) -> list[Finding]:
    """Compare what a function returns with the only right value."""
    got = learner.call(name, board)
    is_right = got is None if expected is None else got == expected
    if is_right:
        return []
    got_text = short_repr(got)
    expected_text = short_repr(expected)
    family = "" if isinstance(expected, set) else f"{expected_text} {got_text}"
    return [Finding(FindingKind.WRONG, board, got=got_text, expected=expected_text, family=family)]


_CHECKS: Mapping[str, Callable[[LearnerModule, Board], list[Finding]]] = {
    "initial_state": _check_initial_state,
    "player": _check_player,
    "actions": _check_actions,
    "result": _check_result,
    "winner": _check_winner,
    "terminal": _check_terminal,
    "utility": _check_utility,
    "minimax": _check_minimax,
}
FUNCTION_NAMES = tuple(_CHECKS)
"""The eight functions, in the order in which a learner writes them."""

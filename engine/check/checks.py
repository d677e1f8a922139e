"""The contract of each of the course's eight functions, and the checks of it, board by board.

The names and contracts are those of the exercise: boards are lists of lists, actions pairs of row
and column. When the game is over, `player`, `actions` and `result` may return anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from engine.board import Board
from engine.check.finding import Finding, FindingKind, FoundError, described, shown
from engine.grid import Mark
from engine.rules import TIC_TAC_TOE, Cell
from engine.solver import solver_of
from engine.tree import reachable_positions
from engine.worth import Value

CONSTANTS = ("X", "O", "EMPTY")
_SYMBOLS: Mapping[Mark | None, object] = {Mark.X: "X", Mark.O: "O", None: None}
_WIDTH = TIC_TAC_TOE.columns
_OUTSIDE = ((_WIDTH, 0), (0, _WIDTH), (-1, 0))

Action = tuple[int, int]
State = list[list[Any]]


class LearnerModule:
    """A learner's module, with the calls that test it."""

    def __init__(self, module: Any) -> None:
        self.module = module
        names = zip(_SYMBOLS.items(), CONSTANTS, strict=True)
        self.symbols = {mark: getattr(module, name, usual) for (mark, usual), name in names}
        self._states: dict[Board, State] = {}

    def judge(self, name: str, board: Board) -> list[Finding]:
        """The findings about a function on one board."""
        try:
            return list(_CHECKS[name](self, board))
        except FoundError as found:
            return [found.finding]
        except BaseException as error:  # noqa: BLE001 - an answer, too, may do anything when asked
            return [self.raised(error, board)]

    def state(self, board: Board) -> State:
        """A board as the course's list of lists; cached, so give learners' functions a copy."""
        if board not in self._states:
            symbols = [self.symbols[board[cell]] for cell in board.rules.cells]
            rows = [symbols[start : start + _WIDTH] for start in board.rules.cells[::_WIDTH]]
            self._states[board] = rows
        return self._states[board]

    def ask(self, name: str, board: Board, *action: Action) -> Any:
        """Call a function and return its answer; FoundError if it raises, or changes the board."""
        answer, error = self.call(name, board, *action)
        if error is not None:
            raise FoundError(self.raised(error, board, *action))
        return answer

    def call(self, name: str, board: Board, *action: Action) -> tuple[Any, BaseException | None]:
        """Call a function: its answer, and its exception; FoundError if it changes the board."""
        given = [row.copy() for row in self.state(board)]
        answer, error = None, None
        try:
            answer = getattr(self.module, name)(given, *action)
        except BaseException as raised:  # noqa: BLE001 - SystemExit too: it may do anything
            error = raised
        if given != self.state(board):
            raise FoundError(Finding(FindingKind.CHANGES, board, action=shown(*action)))
        return answer, error

    def expect(self, name: str, board: Board, expected: object) -> Iterator[Finding]:
        """Compare what a function returns with the only right answer."""
        got = self.ask(name, board)
        if (got is not None) if expected is None else (got != expected):
            family = "" if isinstance(expected, set) else f"{shown(expected)} {shown(got)}"
            yield Finding(FindingKind.WRONG, board, shown(got), shown(expected), family)

    def raised(self, error: BaseException, board: Board | None, *action: Action) -> Finding:
        """The finding that a call raised an error."""
        kind = FindingKind.RAISES if isinstance(error, Exception) else FindingKind.EXITS
        said = described(error, self.module.__file__)
        return Finding(kind, board, said, family=said, action=shown(*action))


def _pair(cell: Cell) -> Action:
    return divmod(cell, _WIDTH)


def _initial_state(course: LearnerModule, board: Board) -> Iterator[Finding]:
    try:
        got = course.module.initial_state()
    except BaseException as error:  # noqa: BLE001 - SystemExit too
        raise FoundError(course.raised(error, None)) from None
    if got != course.state(board):
        yield Finding(FindingKind.WRONG, None, shown(got), shown(course.state(board)))
    elif len({id(row) for row in got}) < len(got):
        yield Finding(FindingKind.SHARES)


def _player(course: LearnerModule, board: Board) -> Iterator[Finding]:
    yield from course.expect("player", board, course.symbols[board.to_move])


def _actions(course: LearnerModule, board: Board) -> Iterator[Finding]:
    yield from course.expect("actions", board, set(map(_pair, board.actions())))


def _result(course: LearnerModule, board: Board) -> Iterator[Finding]:
    for cell in board.actions():
        got = course.ask("result", board, _pair(cell))
        expected = course.state(board.result_unchecked(cell))
        if got != expected:
            given = shown(_pair(cell))
            yield Finding(FindingKind.WRONG, board, shown(got), shown(expected), action=given)
            break
    taken = [_pair(cell) for cell in board.rules.cells if board[cell]]
    for action in (*_OUTSIDE, *taken):
        _, error = course.call("result", board, action)
        if error is None:
            family = "taken" if action in taken else "outside"
            yield Finding(FindingKind.ALLOWS, board, family=family, action=shown(action))
        elif not isinstance(error, Exception):
            yield course.raised(error, board, action)


def _winner(course: LearnerModule, board: Board) -> Iterator[Finding]:
    won = board.winner
    yield from course.expect("winner", board, None if won is None else course.symbols[won])


def _terminal(course: LearnerModule, board: Board) -> Iterator[Finding]:
    yield from course.expect("terminal", board, board.is_terminal)


def _utility(course: LearnerModule, board: Board) -> Iterator[Finding]:
    yield from course.expect("utility", board, board.utility)


def _minimax(course: LearnerModule, board: Board) -> Iterator[Finding]:
    if board.is_terminal:
        yield from course.expect("minimax", board, None)
        return
    got = course.ask("minimax", board)
    cells = {_pair(cell): cell for cell in board.actions()}
    if not isinstance(got, tuple) or got not in cells:
        yield Finding(FindingKind.ILLEGAL, board, shown(got))
        return
    solver, cell = solver_of(board.rules), cells[got]
    worths = solver.analyse(board)
    worth, best = worths[cell], max(worths.values(), key=lambda worth: worth.rank)
    if worth.rank == best.rank:
        return
    better = ", ".join(str(_pair(c)) for c, w in worths.items() if w.rank == best.rank)
    line = solver.solve(board.result(cell)).principal_variation
    values = best.value, worth.value
    kind = FindingKind.WORSE
    if worth.value is best.value:
        kind = FindingKind.LATER_WIN if worth.value is Value.WIN else FindingKind.SOONER_LOSS
    yield Finding(kind, board, shown(got), better, f"{values}", line=line, values=values)


Check = Callable[[LearnerModule, Board], Iterator[Finding]]

_CHECKS: Mapping[str, Check] = {
    "initial_state": _initial_state,
    "player": _player,
    "actions": _actions,
    "result": _result,
    "winner": _winner,
    "terminal": _terminal,
    "utility": _utility,
    "minimax": _minimax,
}
NAMES = tuple(_CHECKS)
"""The eight functions, in the order in which a learner writes them."""


@lru_cache(maxsize=8)
def boards_of(name: str) -> list[Board]:
    """The boards on which a function is judged, those with the fewest marks first.

    For `minimax` they come last: it begins with the fullest boards, where trees are small.
    """
    boards = _boards()
    if name == "initial_state":
        return boards[:1]
    if name == "minimax":
        return boards[::-1]
    if name == "utility":
        return [board for board in boards if board.is_terminal]
    if name in {"winner", "terminal"}:
        return boards
    return [board for board in boards if not board.is_terminal]


@cache
def _boards() -> list[Board]:
    return reachable_positions(Board())

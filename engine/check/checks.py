"""The checks of the course's eight functions, board by board.

`findings_on` compares a learner's answer with the engine's on one board; `boards_for` lists the
boards. When the game is over, `player`, `actions` and `result` may return anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, product
from math import factorial

from engine.board import FREE, Board, Mark
from engine.check.finding import Action, Finding, FindingError, FindingKind, short_repr
from engine.check.process import AS_EXPECTED, Answer, CallResult, Other, Said, drawing_of
from engine.lessons import reachable_positions
from engine.rules import TIC_TAC_TOE, Cell
from engine.solver import solver_of
from engine.worth import Value, Worth, best_actions, value_keeping_actions

CONSTANTS = ("X", "O", "EMPTY")
_WIDTH = TIC_TAC_TOE.columns


def to_action(cell: Cell) -> Action:
    """The row and column of a cell, from 0."""
    return divmod(cell, _WIDTH)


_ON_BOARD = tuple(map(to_action, TIC_TAC_TOE.cells))
_OFF_BOARD: tuple[Action, ...] = ((TIC_TAC_TOE.rows, 0), (0, TIC_TAC_TOE.columns), (-1, 0))
"""Actions just off the board; a negative index would be legal Python."""

State = list[list[object]]


@dataclass(frozen=True)
class Symbols:
    """The learner's X, O and EMPTY."""

    constants: Mapping[str, object]

    def of(self, mark: Mark | None) -> object:
        return self.constants["EMPTY" if mark is None else mark.name]

    def state(self, board: Board) -> State:
        """A board as the course's list of lists."""
        symbols = [self.of(board[cell]) for cell in board.rules.cells]
        return [symbols[start : start + _WIDTH] for start in board.rules.cells[::_WIDTH]]


OUR_SYMBOLS = Symbols({"X": "X", "O": "O", "EMPTY": None})
"""Those of `engine.tictactoe`."""


def actions_for(name: str) -> tuple[Action, ...] | None:
    """The actions that a function is called with, one after the other; `result` alone takes any."""
    return (*_OFF_BOARD, *_ON_BOARD) if name == "result" else None


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


def findings_on(name: str, board: Board, answer: Answer, symbols: Symbols) -> list[Finding]:
    """The findings about a function on one board."""
    said = answer.said
    if said is AS_EXPECTED:
        return []
    try:
        findings = list(_CHECKS[name](board, said, symbols))
    except FindingError as error:
        findings = [error.finding]
    if said.printed:
        findings.append(Finding(FindingKind.PRINTS, board, said.printed))
    return findings


def expected_answer(name: str, symbols: Symbols) -> Callable[[Board], bytes]:
    """What the worker says of a board, letter for letter, if `result` is right there.

    Its answers are long, and no two are the same; of other functions there are few different ones.
    """
    if name != "result":
        return lambda _: b""
    letters = {FREE: _json(symbols.of(None))}
    letters |= {mark.value: _json(symbols.of(mark)) for mark in Mark}
    rows = {
        "".join(row): '{"list":[' + ",".join(letters[letter] for letter in row) + "]}"
        for row in product(letters, repeat=_WIDTH)
    }
    raises = '{"error":"RAISES"}'

    def answer(board: Board) -> bytes:
        drawing = drawing_of(board)
        mark = board.to_move.value
        calls = [raises] * len(_OFF_BOARD)
        for cell, letter in enumerate(drawing):
            if letter != FREE:
                calls.append(raises)
                continue
            after = drawing[:cell] + mark + drawing[cell + 1 :]
            drawn = ",".join([rows[after[:3]], rows[after[3:6]], rows[after[6:]]])
            calls.append(f'{{"value":{{"list":[{drawn}]}}}}')
        return f'{{"calls":[{",".join(calls)}],"printed":""}}'.encode()

    return answer


def _json(value: object) -> str:
    if isinstance(value, Other):
        return f'{{"repr":{json.dumps(value.text)},"constant":{json.dumps(value.constant)}}}'
    return json.dumps(value)


def move_of(board: Board, said: Said, symbols: Symbols) -> Cell:
    """The move that `minimax` chose on an unfinished board.

    Raises:
        FindingError: It raised an error, changed the board, or returned no legal move.
    """
    move = _value(board, said, symbols)
    cells = {to_action(cell): cell for cell in board.actions()}
    for action, cell in cells.items():
        if isinstance(move, tuple) and move == action:
            return cell
    raise FindingError(Finding(FindingKind.ILLEGAL_MOVE, board, got=short_repr(move)))


def _value(board: Board, said: Said, symbols: Symbols) -> object:
    """What the only call returned.

    Raises:
        FindingError: It raised an error, or changed the board.
    """
    (call,) = said.calls
    _refuse_change(board, call, symbols)
    if call.error is not None:
        raise FindingError(_error_finding(call, board))
    return call.value


def _refuse_change(board: Board, call: CallResult, symbols: Symbols, action: str = "") -> None:
    if call.board is None:
        return
    state = symbols.state(board)
    if call.board != state:
        family = "marks" if _only_adds_marks(state, call.board, symbols) else ""
        raise FindingError(Finding(FindingKind.CHANGES_BOARD, board, family=family, action=action))


def _only_adds_marks(state: State, after: object, symbols: Symbols) -> bool:
    rows = after if isinstance(after, list) else []
    if [len(row) for row in rows if isinstance(row, list)] != [len(row) for row in state]:
        return False
    pairs = zip(chain(*state), chain(*rows), strict=True)
    return all(was in (symbols.of(None), now) for was, now in pairs)


def _error_finding(call: CallResult, board: Board | None, action: str = "") -> Finding:
    assert call.error is not None, "it is asked for only where there is one"
    text = call.error_text
    return Finding(call.error, board, got=text, family=text, action=action)


def _check_initial_state(board: Board, said: Said, symbols: Symbols) -> Iterator[Finding]:
    (call,) = said.calls
    expected = symbols.state(board)
    if call.error is not None:
        yield _error_finding(call, None)
    elif call.value != expected:
        yield Finding(FindingKind.WRONG, got=short_repr(call.value), expected=short_repr(expected))
    elif call.shares_rows:
        yield Finding(FindingKind.SHARES_ROWS)


def _check_player(board: Board, said: Said, symbols: Symbols) -> Iterator[Finding]:
    return _compare(board, said, symbols, symbols.of(board.to_move))


def _check_actions(board: Board, said: Said, symbols: Symbols) -> Iterator[Finding]:
    return _compare(board, said, symbols, set(map(to_action, board.actions())))


def _check_result(board: Board, said: Said, symbols: Symbols) -> Iterator[Finding]:
    """The first legal move after which the board is wrong, and each illegal one that is allowed."""
    calls = dict(zip((*_OFF_BOARD, *_ON_BOARD), said.calls, strict=True))
    legal = [to_action(cell) for cell in board.actions()]
    taken = [to_action(cell) for cell in board.rules.cells if board[cell]]
    for action in (*legal, *_OFF_BOARD, *taken):
        _refuse_change(board, calls[action], symbols, str(action))
    yield from _check_legal_moves(board, calls, symbols)
    for action in (*_OFF_BOARD, *taken):
        call, text = calls[action], str(action)
        if call.error is None:
            family = "taken" if action in taken else "outside"
            yield Finding(FindingKind.ALLOWS_INVALID, board, family=family, action=text)
        elif call.error is FindingKind.EXITS:
            yield _error_finding(call, board, text)


def _check_legal_moves(
    board: Board, calls: Mapping[Action, CallResult], symbols: Symbols
) -> Iterator[Finding]:
    for cell in board.actions():
        action = to_action(cell)
        call, text = calls[action], str(action)
        if call.error is not None:
            raise FindingError(_error_finding(call, board, text))
        expected = symbols.state(board.result_unchecked(cell))
        if call.value != expected:
            yield Finding(
                FindingKind.WRONG,
                board,
                got=short_repr(call.value),
                expected=short_repr(expected),
                action=text,
            )
            return


def _check_winner(board: Board, said: Said, symbols: Symbols) -> Iterator[Finding]:
    expected = None if board.winner is None else symbols.of(board.winner)
    return _compare(board, said, symbols, expected)


def _check_terminal(board: Board, said: Said, symbols: Symbols) -> Iterator[Finding]:
    return _compare(board, said, symbols, board.is_terminal)


def _check_utility(board: Board, said: Said, symbols: Symbols) -> Iterator[Finding]:
    return _compare(board, said, symbols, board.utility)


def _check_minimax(board: Board, said: Said, symbols: Symbols) -> Iterator[Finding]:
    if board.is_terminal:
        yield from _compare(board, said, symbols, None)
        return
    cell = move_of(board, said, symbols)
    worths = _worths(board)
    best_cells = best_actions(worths)
    if cell in best_cells:
        return
    worth, best = worths[cell], worths[best_cells[0]]
    values = (best.value, worth.value)
    yield Finding(
        _kind_of_bad_move(worth, best),
        board,
        got=str(to_action(cell)),
        expected=", ".join(str(to_action(each)) for each in best_cells),
        family=str(values),
        line=solver_of(board.rules).solve(board.result(cell)).principal_variation,
        values=values,
    )


def value_keeping_moves(board: Board) -> set[Cell]:
    """The moves on an unfinished board that lead to the best result, sooner or later."""
    return set(value_keeping_actions(_worths(board)))


@lru_cache(maxsize=5_478)
def _worths(board: Board) -> Mapping[Cell, Worth]:
    """What each move is worth; `minimax` is asked about most boards again in games."""
    return solver_of(board.rules).analyse(board)


def _kind_of_bad_move(worth: Worth, best: Worth) -> FindingKind:
    if worth.value is not best.value:
        return FindingKind.WORSE_MOVE
    return FindingKind.LATER_WIN if worth.value is Value.WIN else FindingKind.SOONER_LOSS


def _compare(board: Board, said: Said, symbols: Symbols, expected: object) -> Iterator[Finding]:
    """Compare what a function returned with the only right value."""
    got = _value(board, said, symbols)
    is_right = got is None if expected is None else got == expected
    if not is_right:
        got_text, expected_text = short_repr(got), short_repr(expected)
        family = f"{expected_text} {got_text}"
        if isinstance(expected, set):
            items = got if isinstance(got, list | tuple) else ()
            has_all = len(items) == len(expected) and all(item in items for item in expected)
            family = "items" if has_all else ""
        yield Finding(FindingKind.WRONG, board, got=got_text, expected=expected_text, family=family)


_CHECKS: Mapping[str, Callable[[Board, Said, Symbols], Iterator[Finding]]] = {
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

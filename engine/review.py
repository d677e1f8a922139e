"""What a move was worth, whether it kept the result, and what it was good for.

The verdict is the solver's proof; the reason is a name that people understand. On 3x3 the names
are the eight rules of Newell and Simon's player, as told by Crowley and Siegler, *Flexible
Strategy Use in Young Children's Tic-Tac-Toe* (1993), and one that takes a proof. A reason never
makes a move good: in 48 positions the rules alone would throw away a win.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from engine.board import Board, Mark, winning_cells
from engine.rules import TIC_TAC_TOE, Cell, Rules
from engine.solver import Solver, solver_of
from engine.worth import Value, Worth


class Reason(Enum):
    """What a move is good for, the strongest first."""

    WIN = "completes a line"
    BLOCK = "stops a line of the other's"
    FORK = "opens two lines at once"
    BLOCK_FORK = "stops the other from doing so"
    DOUBLE_THREAT = "threatens to complete two lines at once"
    BLOCK_DOUBLE_THREAT = "stops the other from doing so on a larger board"
    FORCED_SEQUENCE = "a threat on the way to a win that is proven"
    CENTRE = "takes the centre"
    OPPOSITE_CORNER = "takes the corner opposite to one of the other's"
    CORNER = "takes a corner"
    SIDE = "takes a side"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A move of a game, judged.

    `worth` is what it left its player, `best` what the best moves, `best_actions`, would have;
    `reason` names what it was good for, where there is a name for that. It was an only move when
    every other would have thrown the value away, and safe when none would.
    """

    board: Board
    action: Cell
    worth: Worth
    best: Worth
    best_actions: tuple[Cell, ...]
    reason: Reason | None
    is_only_move: bool
    is_safe: bool

    @property
    def mark(self) -> Mark:
        return self.board.to_move

    @property
    def kept_value(self) -> bool:
        return self.worth.value is self.best.value

    @property
    def is_blunder(self) -> bool:
        """Whether it turned a win into less, or a draw into a loss."""
        return not self.kept_value


def review(
    moves: Iterable[Cell], rules: Rules = TIC_TAC_TOE, solver: Solver | None = None
) -> list[Verdict]:
    """Judge every move of a game from the empty board on.

    Raises:
        IllegalMoveError: The moves are not a game by these rules.
    """
    solver = solver or solver_of(rules)
    verdicts, board = [], Board(rules)
    for action in moves:
        after = board.result(action)
        verdicts.append(judge(board, action, solver))
        board = after
    return verdicts


def judge(board: Board, action: Cell, solver: Solver) -> Verdict:
    """Judge one legal move of a position."""
    return _judge(board, action, solver.analyse(board), _names(board))


def _judge(board: Board, action: Cell, worths: dict[Cell, Worth], names: _Names) -> Verdict:
    best = max(worths.values(), key=lambda worth: worth.rank)
    keeping = [cell for cell, worth in worths.items() if worth.value is best.value]
    return Verdict(
        board=board,
        action=action,
        worth=worths[action],
        best=best,
        best_actions=tuple(cell for cell, worth in worths.items() if worth.rank == best.rank),
        reason=_reason(action, worths[action], names),
        is_only_move=keeping == [action] and len(worths) > 1,
        is_safe=len(keeping) == len(worths),
    )


def advise(board: Board, solver: Solver | None = None) -> list[Verdict]:
    """Every move of a position judged, the best first, and of equals the most telling reason."""
    solver = solver or solver_of(board.rules)
    worths, names = solver.analyse(board), _names(board)
    verdicts = [_judge(board, action, worths, names) for action in worths]
    return sorted(verdicts, key=lambda v: (v.worth.rank, -_weakness(v)), reverse=True)


def best_reply(board: Board, action: Cell, solver: Solver | None = None) -> Verdict | None:
    """The best answer to a move, judged; None where the move ends the game."""
    after = board.result(action)
    return None if after.is_terminal else advise(after, solver)[0]


def _weakness(verdict: Verdict) -> int:
    """How far down the list of reasons a move's stands."""
    reasons = list(Reason)
    return reasons.index(verdict.reason) if verdict.reason else len(reasons)


def turning_point(verdicts: Sequence[Verdict]) -> int | None:
    """Which move of a game, 0-based, changed the value for the last time; None if none did."""
    blunders = [number for number, verdict in enumerate(verdicts) if verdict.is_blunder]
    return blunders[-1] if blunders else None


def reason(board: Board, action: Cell, worth: Worth) -> Reason | None:
    """The strongest thing that a move worth so much is good for; None where it has no name."""
    return _reason(action, worth, _names(board))


def _names(board: Board) -> _Names:
    """What the moves of a position look good for, each name with its cells."""
    names = dict(_rules_of_3x3(board) if board.rules == TIC_TAC_TOE else _rules(board))
    names[Reason.FORCED_SEQUENCE] = _threats(board)
    return names


def _reason(action: Cell, worth: Worth, names: _Names) -> Reason | None:
    fitting = (name for name in Reason if action in names.get(name, ()))
    return next((name for name in fitting if worth.value >= _NEEDS.get(name, Value.LOSS)), None)


def rule_moves(board: Board) -> tuple[Reason, tuple[Cell, ...]]:
    """What Newell and Simon's player does on 3x3: the first of its rules that applies.

    Raises:
        ValueError: The board is not 3x3, or the game is over.
    """
    if board.rules != TIC_TAC_TOE or board.is_terminal:
        raise ValueError(f"the rules say nothing about this board: {board!r}")
    return next((name, cells) for name, cells in _rules_of_3x3(board) if cells)


_NEEDS = {
    Reason.FORK: Value.WIN,
    Reason.BLOCK_FORK: Value.DRAW,
    Reason.DOUBLE_THREAT: Value.WIN,
    Reason.BLOCK_DOUBLE_THREAT: Value.DRAW,
    Reason.FORCED_SEQUENCE: Value.WIN,
}
"""What a move has to be worth to have been good for that: the proof goes before the name."""

_Rule = tuple[Reason, tuple[Cell, ...]]
_Names = dict[Reason, tuple[Cell, ...]]
_CENTRE = 4
_CORNERS = (0, 2, 6, 8)
_SIDES = (1, 3, 5, 7)


def _rules_of_3x3(board: Board) -> Iterator[_Rule]:
    own, other = board.to_move, board.to_move.other
    free = board.actions()
    yield Reason.WIN, winning_cells(board, own)
    yield Reason.BLOCK, winning_cells(board, other)
    yield Reason.FORK, _forks(board, own)
    yield Reason.BLOCK_FORK, _blocks_of_forks(board)
    yield Reason.CENTRE, tuple(cell for cell in free if cell == _CENTRE)
    opposite = (cell for cell in free if cell in _CORNERS and board[8 - cell] is other)
    yield Reason.OPPOSITE_CORNER, tuple(opposite)
    yield Reason.CORNER, tuple(cell for cell in free if cell in _CORNERS)
    yield Reason.SIDE, tuple(cell for cell in free if cell in _SIDES)


def _forks(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells in which two lines meet that hold one mark of the player's and no other."""
    own, other = board.marks(mark), board.marks(mark.other)
    begun = [
        line
        for line in board.rules.line_masks
        if (line & own).bit_count() == 1 and not line & other
    ]
    meets = {cell: sum(line >> cell & 1 for line in begun) for cell in board.actions()}
    return tuple(cell for cell, lines in meets.items() if lines >= 2)


def _blocks_of_forks(board: Board) -> tuple[Cell, ...]:
    """A lone fork is taken; of several, none can be, so the other is kept busy elsewhere."""
    forks = _forks(board, board.to_move.other)
    if len(forks) < 2:
        return forks
    busy = (cell for cell in board.actions() if _keeps_busy(board, cell))
    return tuple(busy) or forks


def _keeps_busy(board: Board, cell: Cell) -> bool:
    """Whether a move makes two in a row whose block is not the very fork it is to prevent."""
    after = board.result(cell)
    threats = winning_cells(after, board.to_move)
    return bool(threats) and threats[0] not in _forks(after, after.to_move)


def _rules(board: Board) -> Iterator[_Rule]:
    """What moves are good for on boards of any size."""
    own, other = board.to_move, board.to_move.other
    yield Reason.WIN, winning_cells(board, own)
    yield Reason.BLOCK, winning_cells(board, other)
    yield Reason.DOUBLE_THREAT, _double_threats(board, own)
    if feared := _double_threats(board, other):
        stops = (c for c in board.actions() if not _still_feared(board, c, feared))
        yield Reason.BLOCK_DOUBLE_THREAT, tuple(stops)


def _threats(board: Board) -> tuple[Cell, ...]:
    """The free cells that would give the player to move a line to complete that is new."""
    own = board.to_move
    before = set(winning_cells(board, own))
    new = (c for c in board.actions() if set(winning_cells(board.result(c), own)) - before)
    return tuple(new)


def _double_threats(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells that would give a player two cells to complete a line on."""
    own, other = board.marks(mark), board.marks(mark.other)
    lines = [line & ~own for line in board.rules.line_masks if not line & other]
    pairs = [line for line in lines if line.bit_count() == 2]
    return tuple(
        cell
        for cell in board.actions()
        if len({line & ~(1 << cell) for line in pairs if line >> cell & 1}) >= 2
    )


def _still_feared(board: Board, cell: Cell, feared: tuple[Cell, ...]) -> bool:
    after = board.result(cell)
    return any(threat in feared for threat in _double_threats(after, after.to_move))

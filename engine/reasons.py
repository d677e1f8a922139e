"""Reasons why a move is good or bad, in players' terms, given only where a proof supports them.

Some are rules of Newell and Simon's player for 3x3, as described by Crowley and Siegler, *Flexible
Strategy Use in Young Children's Tic-Tac-Toe* (1993). A reason never makes a move good: in 48
positions those rules alone would throw away a win (40) or a draw (8).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from engine.board import Board, Lines, Mark
from engine.rules import TIC_TAC_TOE, Cell
from engine.wins import Pattern, find_win
from engine.worth import Value, Worth, best_actions


class Reason(Enum):
    """Why a move is good or bad, the most telling reason first."""

    WIN = "completes a line"
    MISSED_WIN = "completes none where it could"
    OWN_LINE = "completes a line, where that loses"
    ALLOWED_WIN = "lets the opponent complete a line"
    MISSED_ZUGZWANG = "could leave the opponent only moves that lose"
    ALLOWED_ZUGZWANG = "lets the opponent leave only moves that lose"
    MISSED_UNBLOCKING = "could win where the opponent's mark vanishes next"
    ALLOWED_UNBLOCKING = "lets the opponent win where its player's mark vanishes next"
    MISSED_FORK = "makes no fork where it could"
    ALLOWED_FORK = "lets the opponent make a fork"
    MISSED_THREATS = "could win with threats alone"
    ALLOWED_THREATS = "lets the opponent win with threats alone"
    MISSED_QUIET_MOVE = "could make a move after which threats win, whatever the reply"
    ALLOWED_QUIET_MOVE = "lets the opponent make a move after which threats win"
    UNBLOCKS = "lets the opponent win where its own mark vanishes"
    FORK = "opens two lines at once"
    DOUBLE_THREAT = "threatens to complete two lines at once, on a larger board"
    BLOCK = "blocks a line of the opponent"
    FORCED_SEQUENCE = "a threat on the way to a win that is proven"
    ZUGZWANG = "leaves the opponent only moves that complete a line, where that loses"
    QUIET_WIN = "wins and leaves the opponent nothing to block"
    THROWN_WIN = "gives away a win"
    BLOCK_FORK = "prevents a fork of the opponent"
    BLOCK_DOUBLE_THREAT = "prevents a double threat of the opponent"
    ONLY_MOVE = "draws where every other move loses"
    THREAT = "threatens to complete a line"
    MOST_REPLIES_LOSE = "most replies lose soon"
    LONGEST_DEFENCE = "loses the slowest"
    LOSES = "loses, whatever its player does next"
    NOTHING_LEFT = "no line can be completed any more"
    CENTRE = "takes the centre"
    OPPOSITE_CORNER = "takes the corner opposite to one of the opponent's"
    CORNER = "takes a corner"
    SIDE = "takes a side"
    SOME_REPLIES_LOSE = "some replies lose soon"
    OPEN_LINES = "lies on the most lines that its player can still complete"
    CLOSED_LINES = "lies on the most lines that the opponent can still complete"
    SOME_MOVES_LOSE = "draws where some other moves lose"
    EVERY_MOVE_DRAWS = "draws as every move does"


_REQUIRED_VALUE: Mapping[Reason, Value] = {
    Reason.FORK: Value.WIN,
    Reason.DOUBLE_THREAT: Value.WIN,
    Reason.BLOCK_FORK: Value.DRAW,
    Reason.BLOCK_DOUBLE_THREAT: Value.DRAW,
    Reason.CENTRE: Value.DRAW,
    Reason.OPPOSITE_CORNER: Value.DRAW,
    Reason.CORNER: Value.DRAW,
    Reason.SIDE: Value.DRAW,
}
"""The proven value that a move needs for the reason to be given."""

_MISSED: Mapping[Pattern, Reason] = {
    Pattern.LINE: Reason.MISSED_WIN,
    Pattern.ZUGZWANG: Reason.MISSED_ZUGZWANG,
    Pattern.UNBLOCKING: Reason.MISSED_UNBLOCKING,
    Pattern.FORK: Reason.MISSED_FORK,
    Pattern.THREATS: Reason.MISSED_THREATS,
    Pattern.QUIET: Reason.MISSED_QUIET_MOVE,
    Pattern.LONG: Reason.THROWN_WIN,
}
_ALLOWED: Mapping[Pattern, Reason] = {
    Pattern.LINE: Reason.ALLOWED_WIN,
    Pattern.ZUGZWANG: Reason.ALLOWED_ZUGZWANG,
    Pattern.UNBLOCKING: Reason.ALLOWED_UNBLOCKING,
    Pattern.FORK: Reason.ALLOWED_FORK,
    Pattern.THREATS: Reason.ALLOWED_THREATS,
    Pattern.QUIET: Reason.ALLOWED_QUIET_MOVE,
    Pattern.LONG: Reason.LOSES,
}


class Cause(NamedTuple):
    """Why a move is bad: the win that was missed or allowed, which takes so many plies.

    `cells` begin it; there are none where only a line of play shows it.
    """

    reason: Reason
    plies: int
    cells: tuple[Cell, ...]


MovesByReason = dict[Reason, Collection[Cell]]
"""Reasons, each with the moves that it applies to."""


class Observations(NamedTuple):
    """What can be seen in a position without a proof.

    `candidates` are the reasons that seem to apply to moves; `threats` are the moves that threaten
    to win next. If `compares_lines`, open lines distinguish equally good moves.
    """

    candidates: Mapping[Reason, Collection[Cell]]
    threats: Collection[Cell]
    compares_lines: bool = False


def observe(board: Board) -> Observations:
    """What can be seen in a position without a proof."""
    if board.rules.board_class is not None:
        return _observe_variant(board)
    if board.rules == TIC_TAC_TOE:
        candidates = dict(_rules_of_3x3(board))
    else:
        candidates = dict(_rules_of_larger_boards(board))
    threats = threatening_cells(board, board.to_move)
    return Observations(candidates, threats, compares_lines=True)


def _observe_variant(board: Board) -> Observations:
    """What can be seen by trying each move, whatever the rules."""
    own = board.to_move
    candidates = {
        Reason.WIN: board.winning_cells(own),
        Reason.OWN_LINE: board.losing_cells(),
        Reason.BLOCK: board.forced_cells(),
        Reason.UNBLOCKS: _unblocking_cells(board),
    }
    threatening = {cell for cell in board.actions() if board.result(cell).winning_cells(own)}
    return Observations(candidates, threatening)


def _unblocking_cells(board: Board) -> list[Cell]:
    """The moves after which the opponent can win on the cell that the vanishing mark frees."""
    opponent = board.to_move.other
    freed = board.vanishing
    return [cell for cell in board.actions() if freed in board.result(cell).winning_cells(opponent)]


def find_reasons(board: Board, worths: Mapping[Cell, Worth]) -> MovesByReason:
    """The reasons that apply to the moves of a position, except those about their replies."""
    observations = observe(board)
    moves_by_reason: MovesByReason = {}
    for reason, candidates in observations.candidates.items():
        supported = _supported_moves(reason, worths)
        moves_by_reason[reason] = [cell for cell in supported if cell in candidates]
    if wins := observations.candidates[Reason.WIN]:
        moves_by_reason[Reason.MISSED_WIN] = [cell for cell in worths if cell not in wins]
    return moves_by_reason | dict(_proven_reasons(board, worths, observations))


def _supported_moves(reason: Reason, worths: Mapping[Cell, Worth]) -> list[Cell]:
    """The moves whose worth supports the reason, if it needs a proof."""
    required = _REQUIRED_VALUE.get(reason)
    if required is None:
        return list(worths)
    return [cell for cell, worth in worths.items() if worth.value is required]


def main_reason(
    action: Cell,
    moves_by_reason: MovesByReason,
    losing_reply_count: int = 0,
    reply_count: int = 0,
) -> Reason | None:
    """The most telling reason that applies to a move; None if none does.

    The opponent has `reply_count` replies, of which `losing_reply_count` lose soon.
    """
    reasons = {reason for reason, cells in moves_by_reason.items() if action in cells}
    if losing_reply_count > reply_count / 2:
        reasons.add(Reason.MOST_REPLIES_LOSE)
    elif losing_reply_count:
        reasons.add(Reason.SOME_REPLIES_LOSE)
    for reason in Reason:  # the most telling first
        if reason in reasons:
            return reason
    return None


def find_missed(board: Board, best_worth: Worth) -> Cause:
    """How the player to move could have won."""
    plies = best_worth.plies_to_end
    pattern, cells = find_win(board, plies)
    return Cause(_MISSED[pattern], plies, cells)


def find_allowed(board: Board, action: Cell, worth: Worth) -> Cause:
    """How a move loses: by its own line, or by the opponent's win."""
    plies = worth.plies_to_end
    if plies == 1:
        return Cause(Reason.OWN_LINE, plies, (action,))
    pattern, cells = find_win(board.result(action), plies - 1)
    return Cause(_ALLOWED[pattern], plies, cells)


def nearest_cause(missed: Cause | None, allowed: Cause | None) -> Cause | None:
    """Why a move is bad: what ends the game sooner, if the lines of the board show it."""
    causes = filter(None, (missed, allowed))
    return min(causes, key=lambda cause: (not cause.cells, cause.plies), default=None)


def rule_moves(board: Board) -> tuple[Reason, tuple[Cell, ...]]:
    """The first of Newell and Simon's rules for 3x3 that applies, and the moves it allows.

    Raises:
        ValueError: The board is not 3x3, or the game is over.
    """
    if board.rules != TIC_TAC_TOE or board.is_terminal:
        raise ValueError(f"the rules are for unfinished games on 3x3: {board!r}")
    return next((reason, cells) for reason, cells in _rules_of_3x3(board) if cells)


_Rule = tuple[Reason, tuple[Cell, ...]]
_CENTRE = 4
_CORNERS = (0, 2, 6, 8)
_SIDES = (1, 3, 5, 7)
_OPPOSITE_CORNERS = {0: 8, 2: 6, 6: 2, 8: 0}


def _rules_of_3x3(board: Board) -> Iterator[_Rule]:
    """Newell and Simon's rules in their order, each with the moves that it allows."""
    own = board.to_move
    other = own.other
    free = board.actions()
    yield Reason.WIN, board.winning_cells(own)
    yield Reason.BLOCK, board.forced_cells()
    yield Reason.FORK, forking_cells(board, own)
    yield Reason.BLOCK_FORK, _blocks_of_forks(board)
    yield Reason.CENTRE, tuple(cell for cell in free if cell == _CENTRE)
    corners = tuple(cell for cell in free if cell in _CORNERS)
    opposite = tuple(cell for cell in corners if board[_OPPOSITE_CORNERS[cell]] is other)
    yield Reason.OPPOSITE_CORNER, opposite
    yield Reason.CORNER, corners
    yield Reason.SIDE, tuple(cell for cell in free if cell in _SIDES)


def _blocks_of_forks(board: Board) -> tuple[Cell, ...]:
    """The moves against forks: take the only one; against several, make a threat if possible."""
    forks = forking_cells(board, board.to_move.other)
    if len(forks) < 2:
        return forks
    safe_threats = tuple(cell for cell in board.actions() if _is_safe_threat(board, cell))
    return safe_threats or forks


def _is_safe_threat(board: Board, cell: Cell) -> bool:
    """Whether a move threatens to win, and blocking that is not itself a fork."""
    child = board.result(cell)
    wins = child.winning_cells(board.to_move)
    return bool(wins) and wins[0] not in forking_cells(child, child.to_move)


def _rules_of_larger_boards(board: Board) -> Iterator[_Rule]:
    """The reasons that seem to apply, with their moves."""
    own = board.to_move
    other = own.other
    yield Reason.WIN, board.winning_cells(own)
    yield Reason.BLOCK, board.forced_cells()
    yield Reason.DOUBLE_THREAT, forking_cells(board, own)
    dangers = set(forking_cells(board, other))
    if not dangers:
        return
    blocks = []
    for cell in board.actions():
        remaining = forking_cells(board.result(cell), other)
        if dangers.isdisjoint(remaining):
            blocks.append(cell)
    yield Reason.BLOCK_DOUBLE_THREAT, tuple(blocks)


def _proven_reasons(
    board: Board, worths: Mapping[Cell, Worth], observations: Observations
) -> Iterator[tuple[Reason, Collection[Cell]]]:
    """The reasons that follow from the proven worths, with their moves."""
    best_moves = best_actions(worths)
    best_value = worths[best_moves[0]].value
    wins = [cell for cell, worth in worths.items() if worth.value is Value.WIN]
    threatening = set(observations.threats)
    yield Reason.FORCED_SEQUENCE, threatening.intersection(wins)
    if board.rules.lines_lose:
        yield Reason.ZUGZWANG, [cell for cell in wins if worths[cell].plies_to_end == 2]
    yield Reason.QUIET_WIN, wins
    if best_value is Value.WIN:
        return
    if not observations.candidates[Reason.BLOCK]:  # a player who has to block cannot threaten
        yield Reason.THREAT, threatening.intersection(best_moves)
    if best_value is Value.LOSS:
        yield Reason.LONGEST_DEFENCE, best_moves
        return
    if len(best_moves) == 1 and len(worths) > 1:
        yield Reason.ONLY_MOVE, best_moves
    if observations.compares_lines:
        yield _line_reason(board, best_moves)
    losing = any(worth.value is Value.LOSS for worth in worths.values())
    yield Reason.SOME_MOVES_LOSE if losing else Reason.EVERY_MOVE_DRAWS, best_moves


def _line_reason(board: Board, cells: Collection[Cell]) -> tuple[Reason, Collection[Cell]]:
    """The moves on the most lines open to the player, or else the opponent, with that reason."""
    if own_lines := _on_most_open_lines(board, board.to_move, cells):
        return Reason.OPEN_LINES, own_lines
    if other_lines := _on_most_open_lines(board, board.to_move.other, cells):
        return Reason.CLOSED_LINES, other_lines
    return Reason.NOTHING_LEFT, cells


def _on_most_open_lines(board: Board, mark: Mark, cells: Collection[Cell]) -> list[Cell]:
    """The cells on the most lines that `mark` can still complete; empty if none is on any."""
    counts = open_line_counts(board, mark)
    highest = max(counts[cell] for cell in cells)
    if highest == 0:
        return []
    return [cell for cell in cells if counts[cell] == highest]


def open_line_counts(board: Board, mark: Mark) -> dict[Cell, int]:
    """For each free cell, how many lines through it `mark` can still complete."""
    lines = board.open_lines(mark)
    return {cell: _count_through(cell, lines) for cell in board.actions()}


def threatening_cells(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells with which `mark` would threaten to complete a line."""
    lines = _lines_with_two_missing(board, mark)
    return tuple(cell for cell in board.actions() if _count_through(cell, lines) >= 1)


def forking_cells(board: Board, mark: Mark) -> tuple[Cell, ...]:
    """The free cells with which `mark` would make at least two threats at once: forks."""
    lines = _lines_with_two_missing(board, mark)
    return tuple(cell for cell in board.actions() if _count_through(cell, lines) >= 2)


def _lines_with_two_missing(board: Board, mark: Mark) -> Lines:
    """The open lines with two missing cells; those that miss the same two cells count once."""
    lines = set(board.open_lines(mark))
    return [line for line in lines if line.bit_count() == 2]


def _count_through(cell: Cell, lines: Lines) -> int:
    return sum(line >> cell & 1 for line in lines)

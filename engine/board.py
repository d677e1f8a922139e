"""The board of an m,n,k-game: an immutable value. The boards of variants are subclasses.

The names follow Russell and Norvig's *Artificial Intelligence: A Modern Approach*:
`to_move`, `actions`, `result`, `is_terminal`, `utility`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Self

from engine.rules import TIC_TAC_TOE, Cell, Rules, bit_set

FREE = "."
"""The text of a free cell."""


class Mark(Enum):
    """One of the two players. X moves first and maximizes the utility; O minimizes it."""

    X = "x"
    O = "o"  # noqa: E741 - the mark is called O everywhere but in a linter

    @property
    def other(self) -> Mark:
        return Mark.O if self is Mark.X else Mark.X


Lines = list[int]
"""Lines, each as the bit set of its missing cells: those its player does not hold yet."""


class IllegalMoveError(ValueError):
    """A move onto an occupied or unknown cell, or after the end of the game."""


class BoardFault(Enum):
    """Why a text is no position that can arise in play."""

    ROWS = "rows"
    SYMBOLS = "symbols"
    TURNS = "turns"
    PLAYED_ON = "played on"
    TWO_WINS = "two wins"


class BoardError(ValueError):
    """A text that is no position."""

    def __init__(self, fault: BoardFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner and the cells that decided it, or neither in a draw.

    `line` holds the cells of the line in reading order, or of several that the last move completed.
    """

    winner: Mark | None
    line: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """A position. `Board(rules)` is the empty board; reach others by `result` or `parse`.

    `x` and `o` are bit sets of the cells each player holds; the constructor trusts them.
    """

    rules: Rules = TIC_TAC_TOE
    x: int = 0
    o: int = 0

    def __new__(cls, rules: Rules = TIC_TAC_TOE, *_args: object, **_kwargs: object) -> Self:
        """Create a board of the variant's own class: `Board(INFINITE)` is an `InfiniteBoard`."""
        board_class: type[Self] = rules.board_class or cls
        return object.__new__(board_class)

    @property
    def to_move(self) -> Mark:
        return Mark.X if self.x.bit_count() == self.o.bit_count() else Mark.O

    def actions(self) -> tuple[Cell, ...]:
        """The free cells in reading order; empty once the game is over."""
        return () if self.winner is not None else self.free_cells

    @property
    def free_cells(self) -> tuple[Cell, ...]:
        taken = self.x | self.o
        return tuple(cell for cell in self.rules.cells if not taken >> cell & 1)

    def result(self, action: Cell) -> Board:
        """The board after the player to move takes a cell.

        Raises:
            IllegalMoveError: The cell is taken or not on the board, or the game is over.
        """
        if action not in self.rules.cells:
            raise IllegalMoveError(f"there is no cell {action!r} on this board: {self}")
        if self[action] is not None:
            raise IllegalMoveError(f"{self.rules.coordinate(action)} is taken: {self}")
        if self.is_terminal:
            raise IllegalMoveError(f"the game is over: {self}")
        return self.result_unchecked(action)

    def result_unchecked(self, action: Cell) -> Board:
        """Like `result`, but without checking the move."""
        if self.to_move is Mark.X:
            return Board(self.rules, self.x | 1 << action, self.o)
        return Board(self.rules, self.x, self.o | 1 << action)

    @property
    def is_terminal(self) -> bool:
        return self._has_no_plies_left or self.winner is not None

    @property
    def _has_no_plies_left(self) -> bool:
        """Whether all plies have been played, even if nobody has won."""
        return self.plies >= self.rules.most_plies

    @property
    def winner(self) -> Mark | None:
        last_mover = self.to_move.other
        mask = self.mask_of(last_mover)
        for line_mask in self.rules.line_masks:
            if mask & line_mask == line_mask:
                return last_mover
        return None

    @property
    def utility(self) -> int:
        """+1 when X has won, -1 when O has, 0 for a draw.

        Raises:
            ValueError: The game is not over.
        """
        winner = self.winner
        if winner is not None:
            return 1 if winner is Mark.X else -1
        if not self._has_no_plies_left:
            raise ValueError(f"an unfinished game has no utility: {self}")
        return 0

    def outcome(self) -> Outcome | None:
        """How the game ended; None if it is not over."""
        winner = self.winner
        if winner is not None:
            return Outcome(winner, self.rules.completed(self.mask_of(self.to_move.other)))
        return Outcome(None) if self._has_no_plies_left else None

    def __getitem__(self, cell: Cell) -> Mark | None:
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def mask_of(self, mark: Mark) -> int:
        """The bit set of the cells that `mark` holds."""
        return self.x if mark is Mark.X else self.o

    def held_by(self, mark: Mark) -> tuple[Cell, ...]:
        """The cells of a player's marks in reading order; where marks vanish, the oldest first."""
        return tuple(cell for cell in self.rules.cells if self[cell] is mark)

    @property
    def plies(self) -> int:
        """How many moves have been made."""
        return (self.x | self.o).bit_count()

    @property
    def plies_left(self) -> int:
        """How many more plies the game lasts unless somebody wins; 0 once it is over."""
        return 0 if self.is_terminal else self.rules.most_plies - self.plies

    def winning_cells(self, mark: Mark) -> tuple[Cell, ...]:
        """The free cells, in reading order, with which `mark` would win if it were to move."""
        lines = self.open_lines(mark)
        return tuple(cell for cell in self.actions() if 1 << cell in lines)

    def forced_cells(self) -> tuple[Cell, ...]:
        """The free cells where the opponent threatens to win with its next move."""
        return self.winning_cells(self.to_move.other)

    def open_lines(self, mark: Mark) -> Lines:
        """The missing cells of every line that `mark` can still complete."""
        own = self.mask_of(mark)
        opponent = self.mask_of(mark.other)
        return [line & ~own for line in self.rules.line_masks if not line & opponent]

    @property
    def key(self) -> Hashable:
        """The canonical form: the same for all symmetric positions, and for no others."""
        return min(self.images())

    def images(self) -> Iterator[tuple[int, int]]:
        """The position's images under all symmetries: the bit sets of X's and of O's cells."""
        x_cells = self.held_by(Mark.X)
        o_cells = self.held_by(Mark.O)
        for image_of in self.rules.symmetries:
            x = bit_set(image_of[cell] for cell in x_cells)
            o = bit_set(image_of[cell] for cell in o_cells)
            yield x, o

    @classmethod
    def after(cls, moves: Sequence[Cell], rules: Rules = TIC_TAC_TOE) -> Board:
        """The position after these moves from the empty board; they are not checked."""
        empty_board = cls(rules)  # of the variant's class, which may override `_with_moves`
        return empty_board._with_moves(moves)

    def _with_moves(self, moves: Sequence[Cell]) -> Board:
        """The position after these moves from the empty board; X and O take turns."""
        x_cells = moves[::2]
        o_cells = moves[1::2]
        return Board(self.rules, bit_set(x_cells), bit_set(o_cells))

    @classmethod
    def parse(cls, text: str, rules: Rules = TIC_TAC_TOE) -> Board:
        """Parse a board such as `"xo. .x. ..o"`: the inverse of `str(board)`.

        Rows are separated by white space or `/`; case does not matter.

        Raises:
            BoardError: The text is malformed, or the position cannot arise in play.
        """
        empty_board = cls(rules)  # of the variant's class, which may override `_parse_rows`
        board = empty_board._parse_rows(re.split(r"[\s/]+", text.strip().lower()))
        _check_is_possible(board)
        return board

    def _parse_rows(self, rows: list[str]) -> Self:
        """The board of the same rules with this text, row by row; the inverse of `str`."""
        rules = self.rules
        if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
            message = f"not {rules.rows} rows of {rules.columns} cells: {' '.join(rows)}"
            raise BoardError(BoardFault.ROWS, message)
        symbols = "".join(rows)
        if unknown := sorted(set(symbols) - {Mark.X.value, Mark.O.value, FREE}):
            message = f"not a mark: {', '.join(unknown)} in {' '.join(rows)}"
            raise BoardError(BoardFault.SYMBOLS, message)
        x = bit_set(cell for cell in rules.cells if symbols[cell] == Mark.X.value)
        o = bit_set(cell for cell in rules.cells if symbols[cell] == Mark.O.value)
        return type(self)(rules, x, o)

    def __str__(self) -> str:
        holders = [self[cell] for cell in self.rules.cells]
        symbols = [FREE if holder is None else holder.value for holder in holders]
        width = self.rules.columns
        rows = ["".join(symbols[start : start + width]) for start in self.rules.cells[::width]]
        return " ".join(rows)

    def __repr__(self) -> str:
        rules = "" if self.rules == TIC_TAC_TOE else f", {self.rules!r}"
        return f"Board.parse({str(self)!r}{rules})"

    # What only variants have; they override these.

    def losing_cells(self) -> tuple[Cell, ...]:
        """The free cells with which the player to move would lose at once."""
        return ()

    @property
    def draw_in_plies(self) -> int | None:
        """How many plies are left before the ply limit makes a draw; None until that is near."""
        return None

    @property
    def vanishing(self) -> Cell | None:
        """The cell whose mark the next move removes; None if it removes none."""
        return None


def _check_is_possible(board: Board) -> None:
    """Raise a BoardError if the position cannot arise in play."""
    lead = board.x.bit_count() - board.o.bit_count()
    if lead not in (0, 1):
        message = f"the players take turns and X begins, so this cannot arise: {board}"
        raise BoardError(BoardFault.TURNS, message)
    if board.rules.completed(board.mask_of(board.to_move)):
        message = f"a move was made after the game was won: {board}"
        raise BoardError(BoardFault.PLAYED_ON, message)
    mask = board.mask_of(board.to_move.other)
    completed = board.rules.completed(mask)
    last_moves = [cell for cell in completed if not board.rules.completed(mask & ~(1 << cell))]
    if completed and not last_moves:
        message = f"no single move completes these lines: {board}"
        raise BoardError(BoardFault.TWO_WINS, message)

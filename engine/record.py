"""A game as its list of moves, and the short code that encodes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from engine.board import Board
from engine.rules import TIC_TAC_TOE, Cell, Rules, shared_rules
from engine.variants import VARIANTS

_SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LOOKALIKES = str.maketrans("ILO", "110", "- `")
_CHECK = 97
_LONGEST = 24
_SMALLEST, _SIZES = 3, 3
_ALL_RULES = _SIZES**3


@dataclass(frozen=True)
class Record:
    """A game from the empty board on, finished or not; the constructor trusts its moves.

    Its code is a number in mixed radix: each move is its index among the cells then free, so that a
    full 3x3 game takes 7 symbols, a full 5x5 game 20, and the longest infinite game 24. It is a
    multiple of 97, which it no longer is after one mistyped symbol or a swap of two. The symbols
    are Douglas Crockford's (*Base 32*, 2002).
    """

    rules: Rules = TIC_TAC_TOE
    moves: tuple[Cell, ...] = ()

    @cached_property
    def code(self) -> str:
        """The code of a game: of a variant, or from 3x3 to 5x5 with three to five in a row.

        Raises:
            ValueError: Games by these rules have no code.
        """
        number = 0
        for digit, radix in reversed(list(self._digits())):
            number = number * radix + digit
        return _to_text(number * _CHECK)

    def _digits(self) -> Iterator[tuple[int, int]]:
        """Each digit of the code with its radix: the rules, the number of moves, the moves."""
        yield _number_of(self.rules), _ALL_RULES
        yield len(self.moves), self.rules.most_plies + 1
        board = Board(self.rules)
        for move in self.moves:
            free = board.free_cells
            yield free.index(move), len(free)
            board = board.result_unchecked(move)

    @classmethod
    def read(cls, code: str) -> Self:
        """Decode a game; case, spaces, hyphens and backticks do not matter.

        Raises:
            ValueError: No game has this code.
        """
        number, its_rules = divmod(_to_number(code) // _CHECK, _ALL_RULES)
        rules = _numbered(its_rules)
        board, moves = Board(rules), list[Cell]()
        number, length = divmod(number, rules.most_plies + 1)
        for _ in range(length):
            free = board.free_cells
            number, choice = divmod(number, len(free))
            moves.append(free[choice])
            board = board.result_unchecked(free[choice])
        record = cls(rules, tuple(moves))
        if record.boards and record.code != _cleaned(code):  # `boards` checks the moves
            raise ValueError(f"no game is written like that: {code!r}")
        return record

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """The positions of the game, the empty board first.

        Raises:
            IllegalMoveError: The moves are not a game by these rules.
        """
        boards = [Board(self.rules)]
        for move in self.moves:
            boards.append(boards[-1].result(move))
        return tuple(boards)


def _to_text(number: int) -> str:
    symbols = []
    while number:
        number, symbol = divmod(number, len(_SYMBOLS))
        symbols.append(_SYMBOLS[symbol])
    return "".join(reversed(symbols)) or _SYMBOLS[0]


def _cleaned(text: str) -> str:
    return text.upper().translate(_LOOKALIKES)


def _to_number(text: str) -> int:
    symbols = _cleaned(text)
    if not 1 <= len(symbols) <= _LONGEST:
        raise ValueError(f"too short or too long: {text!r}")
    number = 0
    for symbol in symbols:
        number = number * len(_SYMBOLS) + _SYMBOLS.index(symbol)
    return number


def _number_of(rules: Rules) -> int:
    for number, variant in VARIANTS.items():
        if rules == variant:
            return number
    sizes = [size - _SMALLEST for size in (rules.columns, rules.rows, rules.in_a_row)]
    if any(size not in range(_SIZES) for size in sizes):
        raise ValueError(f"games by these rules have no code: {rules}")
    columns, rows, in_a_row = sizes
    return (columns * _SIZES + rows) * _SIZES + in_a_row


def _numbered(number: int) -> Rules:
    """The rules that a number stands for.

    Raises:
        ValueError: It stands for none: the line would not fit the board.
    """
    if number in VARIANTS:
        return VARIANTS[number]
    rest, in_a_row = divmod(number, _SIZES)
    columns, rows = divmod(rest, _SIZES)
    return shared_rules(columns + _SMALLEST, rows + _SMALLEST, in_a_row + _SMALLEST)

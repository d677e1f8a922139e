"""A game as its list of moves, and the short code that encodes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Self

from engine.board import Board
from engine.rules import TIC_TAC_TOE, Cell, Rules, shared_rules
from engine.variants import VARIANTS

_SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LOOKALIKES = str.maketrans("ILO", "110", "- `")
_CHECK = 97
_LONGEST = 24
_SHAPES = list(product((3, 4, 5), repeat=3))

GAMES = {
    number: shared_rules(columns, rows, in_a_row)
    for number, (columns, rows, in_a_row) in enumerate(_SHAPES)
    if in_a_row <= max(columns, rows)
} | VARIANTS
"""The games that have codes, by the number that stands for each."""
_NUMBERS = {rules: number for number, rules in GAMES.items()}


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
        if self.rules not in _NUMBERS:
            raise ValueError(f"games by these rules have no code: {self.rules}")
        number = 0
        for digit, radix in reversed(list(self._digits())):
            number = number * radix + digit
        return _to_text(number * _CHECK)

    def _digits(self) -> Iterator[tuple[int, int]]:
        """Each digit of the code with its radix: the rules, the number of moves, the moves."""
        yield _NUMBERS[self.rules], len(_SHAPES)
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
        number, its_rules = divmod(_to_number(code) // _CHECK, len(_SHAPES))
        if its_rules not in GAMES:
            raise ValueError(f"the line does not fit the board of such a game: {code!r}")
        rules = GAMES[its_rules]
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

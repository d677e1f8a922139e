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

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LOOKALIKES = str.maketrans("ILO", "110", "- `")
_CHECK_FACTOR = 97
_MAX_SYMBOLS = 24
_SHAPES = list(product((3, 4, 5), repeat=3))

GAMES = {
    number: shared_rules(columns, rows, in_a_row)
    for number, (columns, rows, in_a_row) in enumerate(_SHAPES)
    if in_a_row <= max(columns, rows)
} | VARIANTS
"""The games that have codes, by their numbers."""
_NUMBER_BY_RULES = {rules: number for number, rules in GAMES.items()}


@dataclass(frozen=True)
class Record:
    """A game from the empty board on, finished or not; the constructor trusts its moves.

    Its code is a number in mixed radix: each move is its index among the cells then free, so that a
    full 3x3 game takes 7 symbols, a full 5x5 game 20, and the longest infinite game 24. It is a
    multiple of 97, and with one mistyped symbol or two swapped ones it no longer is. The symbols
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
        if self.rules not in _NUMBER_BY_RULES:
            raise ValueError(f"games by these rules have no code: {self.rules}")
        number = 0
        for digit, radix in reversed(list(self._digits())):
            number = number * radix + digit
        return _to_text(number * _CHECK_FACTOR)

    def _digits(self) -> Iterator[tuple[int, int]]:
        """Each digit of the code with its radix: the rules, the number of moves, the moves."""
        yield _NUMBER_BY_RULES[self.rules], len(_SHAPES)
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
        number, game_number = divmod(_to_number(code) // _CHECK_FACTOR, len(_SHAPES))
        if game_number not in GAMES:
            raise ValueError(f"unknown game number {game_number} in {code!r}")
        rules = GAMES[game_number]
        record = cls(rules, _decode_moves(number, rules))
        record.check_moves()
        if record.code != _normalize(code):
            raise ValueError(f"no game has this code: {code!r}")
        return record

    def check_moves(self) -> None:
        """Check each move, which the constructor does not.

        Raises:
            IllegalMoveError: The moves are not a game by these rules.
        """
        _ = self.boards  # each of them checks a move

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


def _decode_moves(number: int, rules: Rules) -> tuple[Cell, ...]:
    """The moves that are the digits of a number: first how many, then each of them."""
    number, move_count = divmod(number, rules.most_plies + 1)
    board = Board(rules)
    moves: list[Cell] = []
    for _ in range(move_count):
        free = board.free_cells
        number, index = divmod(number, len(free))
        move = free[index]
        moves.append(move)
        board = board.result_unchecked(move)
    return tuple(moves)


def _to_text(number: int) -> str:
    symbols: list[str] = []
    while number:
        number, digit = divmod(number, len(_ALPHABET))
        symbols.append(_ALPHABET[digit])
    return "".join(reversed(symbols)) or _ALPHABET[0]


def _normalize(text: str) -> str:
    return text.upper().translate(_LOOKALIKES)


def _to_number(text: str) -> int:
    symbols = _normalize(text)
    if not 1 <= len(symbols) <= _MAX_SYMBOLS:
        raise ValueError(f"too short or too long: {text!r}")
    number = 0
    for symbol in symbols:
        number = number * len(_ALPHABET) + _ALPHABET.index(symbol)
    return number

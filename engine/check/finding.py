"""The findings about a learner's functions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from reprlib import Repr

from engine.board import Board
from engine.rules import TIC_TAC_TOE, Cell
from engine.worth import Value

Action = tuple[int, int]
"""A row and a column, from 0."""

_SHORT_REPR = Repr()
_SHORT_REPR.maxset = len(TIC_TAC_TOE.cells)
_SHORT_REPR.maxlist = len(TIC_TAC_TOE.cells)


class FindingKind(Enum):
    """What a finding is about."""

    MISSING = "it is missing"
    MISNAMED = "it is missing, and another name is close to its own"
    NOTHING_DEFINED = "none of the functions is defined"
    NOTEBOOK = "it is a notebook"
    NOT_UTF8 = "the file is not UTF-8"
    MISSING_IMPORT = "it imports a module that is not installed"
    ENGINE_IMPORT = "it imports the engine, which is out of reach"
    NOT_OWN = "its code is not the learner's own"
    READS_INPUT = "it reads standard input"
    SAME_CONSTANTS = "two of the constants are equal"
    RAISES = "it raises an error"
    EXITS = "it ends the program"
    HANGS = "it does not return in time"
    CHANGES_BOARD = "it changes the board it is given"
    WRONG = "it returns a wrong value"
    SHARES_ROWS = "its rows are the same list"
    ALLOWS_INVALID = "it accepts an invalid action"
    ILLEGAL_MOVE = "it returns no legal move"
    WORSE_MOVE = "its move leads to a worse result than another"
    LOSES_GAME = "it loses a game from the empty board"
    NOT_CUT = "it reads a branch that alpha-beta would cut off"
    INCONSISTENT = "it is wrong only after other calls, or not each time"
    LATER_WIN = "it wins later than it could"
    SOONER_LOSS = "it loses sooner than it must"
    PRINTS = "it prints"
    REACHES_OUT = "it can take code from elsewhere"

    @property
    def is_fault(self) -> bool:
        """Whether it is a mistake rather than a remark."""
        return self not in {
            FindingKind.LATER_WIN,
            FindingKind.SOONER_LOSS,
            FindingKind.PRINTS,
            FindingKind.REACHES_OUT,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding on a board; `got` and `expected` are text, such as the repr of a value.

    Findings of the same kind and `family` are counted together. After a bad move, `line` is best
    play, and `values` are those of the best move and of this one, to the player who made it. Of a
    lost game, `line` has all moves.
    """

    kind: FindingKind
    board: Board | None = None
    got: str = ""
    expected: str = ""
    family: str = ""
    action: str = ""
    line: tuple[Cell, ...] = ()
    values: tuple[Value, Value] | None = None

    @property
    def is_game(self) -> bool:
        return self.kind is FindingKind.LOSES_GAME


class FindingError(Exception):
    """A finding that ends the checks of a function on this board."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


def short_repr(value: object) -> str:
    """The repr of a value, abbreviated if it is long."""
    return _SHORT_REPR.repr(value)

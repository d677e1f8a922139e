"""The findings about a learner's functions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
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

    MISSING = auto()
    MISNAMED = auto()
    NOTHING_DEFINED = auto()
    NOTEBOOK = auto()
    NOT_UTF8 = auto()
    MISSING_IMPORT = auto()
    ENGINE_IMPORT = auto()
    NOT_OWN = auto()
    READS_INPUT = auto()
    SAME_CONSTANTS = auto()
    RAISES = auto()
    EXITS = auto()
    HANGS = auto()
    CHANGES_BOARD = auto()
    WRONG = auto()
    SHARES_ROWS = auto()
    ALLOWS_INVALID = auto()
    ILLEGAL_MOVE = auto()
    WORSE_MOVE = auto()
    LOSES_GAME = auto()
    NOT_CUT = auto()
    NOT_ALPHA_BETA = auto()
    INCONSISTENT = auto()
    LATER_WIN = auto()
    SOONER_LOSS = auto()
    PRINTS = auto()
    REACHES_OUT = auto()

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

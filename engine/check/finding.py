"""The findings about a learner's functions."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from reprlib import Repr

from engine.board import Board
from engine.rules import TIC_TAC_TOE, Cell
from engine.worth import Value

_MAX_ERROR_CHARACTERS = 200
_SHORT_REPR = Repr()
_SHORT_REPR.maxset = len(TIC_TAC_TOE.cells)
_SHORT_REPR.maxlist = len(TIC_TAC_TOE.cells)


class FindingKind(Enum):
    """What a finding is about."""

    MISSING = "it is missing"
    MISNAMED = "it is missing, and another name is close to its own"
    NOTHING_DEFINED = "none of the functions is defined"
    NOT_UTF8 = "the file is not UTF-8"
    MISSING_IMPORT = "it imports a module that is not installed"
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
    LATER_WIN = "it wins later than it could"
    SOONER_LOSS = "it loses sooner than it must"
    PRINTS = "it prints"

    @property
    def is_fault(self) -> bool:
        """Whether it is a mistake rather than a remark."""
        return self not in {
            FindingKind.LATER_WIN,
            FindingKind.SOONER_LOSS,
            FindingKind.PRINTS,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding on a board; `got` and `expected` are text, such as the repr of a value.

    Findings of the same kind and `family` are counted together. After a bad move, `line` is best
    play, and `values` are those of the best move and of this one, to the player who made it.
    """

    kind: FindingKind
    board: Board | None = None
    got: str = ""
    expected: str = ""
    family: str = ""
    action: str = ""
    line: tuple[Cell, ...] = ()
    values: tuple[Value, Value] | None = None


class FindingError(Exception):
    """A finding that ends the checks of a function on this board."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


def short_repr(value: object) -> str:
    """The repr of a value, abbreviated if it is long."""
    return _SHORT_REPR.repr(value)


def kind_of_error(error: BaseException) -> FindingKind:
    """What a finding on a raised error is about."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return FindingKind.MISSING_IMPORT
    if isinstance(error, EOFError):
        return FindingKind.READS_INPUT
    return FindingKind.RAISES if isinstance(error, Exception) else FindingKind.EXITS


def describe_error(error: BaseException, path: str) -> str:
    """An error in one line, with the last line number of the learner's file in its traceback."""
    try:
        message = traceback.format_exception_only(error)[-1].strip()[:_MAX_ERROR_CHARACTERS]
    except BaseException:  # noqa: BLE001 - its own __str__ may fail
        message = type(error).__name__
    if kind_of_error(error) is FindingKind.MISSING_IMPORT:
        message = str(getattr(error, "name", message))
    line_number = _last_line_number(path, error)
    return message if line_number is None else f"{message} ({Path(path).name}:{line_number})"


def _last_line_number(path: str, error: BaseException) -> int | None:
    """The last line number of a file in an error's traceback; None if the file is not in it."""
    if isinstance(error, SyntaxError) and error.filename == path and error.lineno:
        return error.lineno
    frames = traceback.walk_tb(error.__traceback__)
    numbers = [number for frame, number in frames if frame.f_code.co_filename == path]
    return numbers[-1] if numbers else None

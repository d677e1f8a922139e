"""What can be found out about a learner's function."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from reprlib import Repr

from engine.board import Board
from engine.rules import TIC_TAC_TOE, Cell
from engine.worth import Value

_MOST_SAID = 200  # characters of an error
_SHORT = Repr()
_SHORT.maxset = _SHORT.maxlist = len(TIC_TAC_TOE.cells)


class FindingKind(Enum):
    """The kinds of findings about a function."""

    MISSING = "it is not there"
    SAME = "two of the constants are equal"
    RAISES = "it raises an error"
    EXITS = "it ends the program"
    HANGS = "it does not answer in time"
    CHANGES = "it changes the board it is given"
    WRONG = "it answers something else than it should"
    SHARES = "its rows are one and the same list"
    ALLOWS = "it lets an invalid action pass"
    ILLEGAL = "what it answers is no move"
    WORSE = "its move leads to a worse end than another"
    LATER_WIN = "it wins later than it could"
    SOONER_LOSS = "it loses sooner than it must"
    PRINTS = "it prints"
    SLOW = "a large board takes it too long"

    @property
    def is_fault(self) -> bool:
        """Whether it is a mistake, and not a mere remark."""
        return self not in {
            FindingKind.LATER_WIN,
            FindingKind.SOONER_LOSS,
            FindingKind.PRINTS,
            FindingKind.SLOW,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found on a board; `got` and `expected` are text, such as the repr of a value.

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


class FoundError(Exception):
    """A finding after which nothing more can be judged on this board."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


def shown(*value: object) -> str:
    """A value as Python writes it, abbreviated if long; empty without a value."""
    return _SHORT.repr(value[0]) if value else ""


def described(error: BaseException, path: str) -> str:
    """An error in one line, with the last line number of the learner's file in its traceback."""
    try:
        said = traceback.format_exception_only(error)[-1].strip()[:_MOST_SAID]
    except BaseException:  # noqa: BLE001 - its text may be what fails
        said = type(error).__name__
    walked = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in walked if frame.f_code.co_filename == path]
    if isinstance(error, SyntaxError) and error.filename == path and error.lineno:
        lines.append(error.lineno)
    return f"{said} ({Path(path).name}:{lines[-1]})" if lines else said

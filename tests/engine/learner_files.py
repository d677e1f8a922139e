"""Checks learners' files with a clock that counts boards, so that no machine is too slow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine.check.checks import FUNCTION_NAMES
from engine.check.finding import FindingKind
from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport
from engine.check.runner import check_file
from engine.terminal.check_texts import CheckTexts
from engine.terminal.language import language_named

TICTACTOE = Path("tictactoe.py")

HASTY = partial(TimeLimits, clock=lambda seconds: 10 * seconds)
"""Limits whose seconds pass ten times as fast, for programs that loop forever."""

HANG = "import pathlib, time; pathlib.Path(__file__).with_name('hangs').touch(); time.sleep(3600)"
"""Code that creates a file, and then hangs."""

MAX_READINGS = 10
"""The judge reads the clock more often for one board only while it waits for a result."""


@dataclass
class BoardClock:
    """A clock that advances by a second for each board, and past any limit if the code hangs.

    It does so only when the judge waits: the code may hang while the judge still receives the
    results of earlier boards.
    """

    hang_file: Path
    seconds: int = 0
    last_board: tuple[str, float] = ("", 0)
    readings: int = 0

    def now(self, _cpu_seconds: float) -> float:
        self.readings += 1
        if self.readings > MAX_READINGS and self.hang_file.exists():
            self.seconds += 10**10
        return self.seconds

    def advance(self, name: str, fraction: float, _seconds: float) -> None:
        """Called by the judge with the name of a function and the fraction of its boards done."""
        if (name, fraction) != self.last_board:
            self.last_board = name, fraction
            self.readings = 0
            self.seconds += 1


def texts_in(code: str, file: Path = TICTACTOE) -> CheckTexts:
    """What can be said of a file, in a language of the terminal."""
    language = language_named(code)
    assert language is not None
    return CheckTexts(file, TimeLimits(), language)


def check(  # noqa: PLR0913 - an argument for each limit
    folder: Path,
    code: str,
    *,
    max_boards: int = 10**9,
    max_boards_if_wrong: int = 10**9,
    free_cells: int = 9,
    only: str | Sequence[str] = FUNCTION_NAMES,
    finds_causes: bool = False,
) -> dict[str, FunctionReport]:
    """Check a file with this code; return the report on each function.

    A function is checked on `max_boards` boards at most, and on `max_boards_if_wrong` if it fails;
    without `max_boards`, games are played. Unless it `finds_causes`, they are found when they are
    asked for.
    """
    file = folder / "tictactoe.py"
    file.write_text(code, encoding="utf-8")
    clock = BoardClock(folder / "hangs")
    limits = TimeLimits(
        function=max_boards,
        wrong_function=max_boards_if_wrong,
        games=10**9 if max_boards == 10**9 else -1,
        clock=clock.now,
        free_cells=free_cells,
    )
    reports: dict[str, FunctionReport] = {}
    names = (only,) if isinstance(only, str) else only
    judged = check_file(file, limits, clock.advance, only=names, finds_causes=finds_causes)
    for report in judged:
        reports[report.name] = report
        if any(kind is FindingKind.HANGS for kind, _ in report.findings):
            clock.hang_file.unlink()  # not before: the next function may hang already
    return reports

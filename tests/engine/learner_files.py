"""Checks of learners' files by a clock that counts boards, whatever the machine's speed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.check.report import FunctionReport
from engine.check.runner import TimeLimits, check_file

HANG = "import pathlib, time; pathlib.Path(__file__).with_name('hangs').touch(); time.sleep(3600)"
"""Code that hangs, and says so by creating a file."""


MANY_LOOKS = 10
"""More often than this the judge looks at the clock only while it waits for a result."""


@dataclass
class BoardClock:
    """A clock that advances by a second for each board, and by far more if the code hangs.

    The code may hang while the judge still receives the results of earlier boards: the clock
    advances once the judge waits.
    """

    hang_file: Path
    seconds: int = 0
    last_board: tuple[str, float] = ("", 0)
    looks: int = 0

    def now(self) -> float:
        self.looks += 1
        if self.looks > MANY_LOOKS and self.hang_file.exists():
            self.seconds += 10**10
        return self.seconds

    def advance(self, name: str, fraction: float, _seconds: float) -> None:
        if (name, fraction) != self.last_board:
            self.last_board = name, fraction
            self.looks = 0
            self.seconds += 1


def check(
    folder: Path,
    code: str,
    *,
    max_boards: int = 10**9,
    max_boards_if_wrong: int = 10**9,
    only: str | None = None,
) -> dict[str, FunctionReport]:
    """The reports on a file with this code, by function, on `max_boards` boards of each at most."""
    file = folder / "tictactoe.py"
    file.write_text(code, encoding="utf-8")
    clock = BoardClock(folder / "hangs")
    limits = TimeLimits(function=max_boards, wrong_function=max_boards_if_wrong, clock=clock.now)
    reports: dict[str, FunctionReport] = {}
    for report in check_file(file, limits, clock.advance, only=only):
        reports[report.name] = report
        clock.hang_file.unlink(missing_ok=True)
    return reports

"""Checks of learners' files by a clock that counts boards, whatever the machine's speed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.check.finding import FindingKind
from engine.check.runner import FunctionReport, TimeLimits, check_file

HANG = "import pathlib, time; pathlib.Path(__file__).with_name('hangs').touch(); time.sleep(3600)"
"""Code that hangs, and says so by creating a file."""


@dataclass
class BoardClock:
    """A clock that advances by a second for each board, and by a minute if the code hangs."""

    hang_file: Path
    seconds: int = 0

    def now(self) -> float:
        if self.hang_file.exists():
            self.seconds += 60
        return self.seconds

    def advance(self, _name: str, _checked: int, _total: int) -> None:
        self.seconds += 1


def check(folder: Path, code: str, *, max_boards: int = 10**9) -> dict[str, FunctionReport]:
    """The reports on a file with this code, by function, on `max_boards` boards of each at most."""
    file = folder / "tictactoe.py"
    file.write_text(code, encoding="utf-8")
    clock = BoardClock(folder / "hangs")
    limits = TimeLimits(function=max_boards, clock=clock.now)
    reports: dict[str, FunctionReport] = {}
    for report in check_file(file, limits, clock.advance):
        reports[report.name] = report
        if {kind for kind, _ in report.findings} & {FindingKind.HANGS, FindingKind.SLOW}:
            clock.hang_file.unlink()
    return reports

"""A line on stderr that says what is being computed; it is overwritten, and erased at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_BAR_CHARACTERS = 30


@contextmanager
def status_line(task: str) -> Iterator[None]:
    """Show the name of a task while it runs, if stderr is a terminal."""
    show_status(f"{task} ...")
    try:
        yield
    finally:
        show_status("")


def show_progress(task: str, fraction: float, seconds: float) -> None:
    """Show a progress bar, if stderr is a terminal; `fraction` is what is done, from 0 to 1."""
    bar = "#" * round(_BAR_CHARACTERS * fraction)
    show_status(f"{task:<14} [{bar:<{_BAR_CHARACTERS}}] {fraction:4.0%} {seconds:4.0f} s")


def show_status(line: str) -> None:
    """Replace the status line, if stderr is a terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

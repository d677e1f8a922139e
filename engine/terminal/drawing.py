"""What is drawn in a terminal: boards, a status line, and columns of any letters."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from unicodedata import category, east_asian_width

from engine.board import FREE, Board, Mark
from engine.rules import Cell
from engine.worth import Value, Worth

SYMBOLS = {Mark.X: "X", Mark.O: "O"}
SIGNS = {Value.WIN: "+", Value.DRAW: "=", Value.LOSS: "-"}
RED = 31
GREEN = 32
YELLOW = 33
MAGENTA = 35
CYAN = 36
GREY = 90
MARK_COLOURS = {Mark.X: CYAN, Mark.O: MAGENTA}
VALUE_COLOURS = {Value.WIN: GREEN, Value.DRAW: YELLOW, Value.LOSS: RED}

_BAR_CHARACTERS = 30


def draw(
    board: Board, *, last: Cell | None = None, worths: Mapping[Cell, Worth] | None = None
) -> str:
    """The board with its coordinates; free cells show their worths, if there are any.

    `(X)` is the last move, `*X*` a line that ended the game.
    """
    rules = board.rules
    letters = "".join(f" {rules.coordinate(cell)[0]}  " for cell in range(rules.columns))
    bar = "\n   " + "+".join(["---"] * rules.columns) + "\n"
    rows = (_row(board, row, last, worths or {}) for row in range(rules.rows))
    return f"   {letters.rstrip()}\n" + bar.join(rows)


def _row(board: Board, row: int, last: Cell | None, worths: Mapping[Cell, Worth]) -> str:
    start = row * board.rules.columns
    cells = range(start, start + board.rules.columns)
    texts = [_cell(board, cell, last, worths.get(cell)) for cell in cells]
    return f"{row + 1:>2} {'|'.join(texts)}"


def _cell(board: Board, cell: Cell, last: Cell | None, worth: Worth | None) -> str:
    mark = board[cell]
    if mark is None:
        if worth is None:
            return coloured(f" {FREE} ", GREY)
        return coloured(f" {SIGNS[worth.value]} ", VALUE_COLOURS[worth.value])
    colour = GREY if cell == board.vanishing else MARK_COLOURS[mark]
    outcome = board.outcome()
    if outcome and cell in outcome.line:
        return coloured(f"*{SYMBOLS[mark]}*", colour)
    if cell == last:
        return coloured(f"({SYMBOLS[mark]})", colour)
    return coloured(f" {SYMBOLS[mark]} ", colour)


def coloured(text: str, colour: int) -> str:
    """The text in an ANSI colour, unless stdout is no terminal or `NO_COLOR` is set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


def columns(text: str) -> int:
    """How many columns a text takes: wide letters two, accents that stand apart none."""
    return sum(map(_columns_of, text))


def _columns_of(letter: str) -> int:
    if category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(letter) in {"W", "F"} else 1


def ljust(text: str, width: int) -> str:
    """The text, followed by spaces up to `width` columns."""
    return text + " " * (width - columns(text))


def rjust(text: str, width: int) -> str:
    """The text, after spaces that make it `width` columns wide."""
    return " " * (width - columns(text)) + text


def table_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Cells side by side; a negative width aligns to the left, as in printf."""
    return "".join(
        rjust(cell, width) if width > 0 else ljust(cell, -width)
        for cell, width in zip(cells, widths, strict=True)
    ).rstrip()


@contextmanager
def status_line(task: str) -> Iterator[None]:
    """Show the name of a task on stderr while it runs, if that is a terminal."""
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

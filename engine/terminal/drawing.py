"""Boards as text, and the colours of a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

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

Worths = Mapping[Cell, Worth]


def draw(board: Board, *, last: Cell | None = None, worths: Worths | None = None) -> str:
    """The board with its coordinates; free cells show their worths, if there are any.

    `(X)` is the last move, `*X*` a line that ended the game.
    """
    rules = board.rules
    letters = "".join(f" {rules.coordinate(cell)[0]}  " for cell in range(rules.columns))
    bar = "\n   " + "+".join(["---"] * rules.columns) + "\n"
    rows = (_row(board, row, last, worths or {}) for row in range(rules.rows))
    return f"   {letters.rstrip()}\n" + bar.join(rows)


def _row(board: Board, row: int, last: Cell | None, worths: Worths) -> str:
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

"""What is drawn in a terminal: boards, game trees, a status line, and columns of any letters."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from unicodedata import category, east_asian_width

from engine.board import FREE, Board, Mark
from engine.lessons import Node
from engine.rules import Cell
from engine.terminal.language import N_, Language
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

MAX_DRAWN_NODES = 400
"""The largest tree whose drawing is readable."""


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


# Translators, from here on: beside or below the drawing of a tree in a terminal: short. Alpha and
# beta are letters of a formula.
def tree_lines(root: Node, language: Language) -> Iterator[str]:
    """The tree, one line per position: its value, who is to move, and whether it is cut off."""
    say = language.say
    yield draw(root.board)
    yield ""
    yield say(
        N_("+1 where X wins, -1 where O wins, 0 for a draw. X takes the largest, O the smallest.")
    )
    yield ""
    yield f"{_utility(root):>2}  {_turn(root, language)}"
    yield from _branches(root, "", language)
    yield ""
    is_visited = [not node.is_cut for node in root.walk()]
    if len(is_visited) == 1:
        yield say(N_("Minimax reads 1 position, and so does alpha-beta."))
        return
    yield language.ngettext(
        "Minimax reads {n} position, alpha-beta {read}: it stops where alpha >= beta.",
        "Minimax reads {n} positions, alpha-beta {read}: it stops where alpha >= beta.",
        len(is_visited),
        read=language.number(sum(is_visited)),
    )


def _branches(node: Node, indent: str, language: Language) -> Iterator[str]:
    for child in node.children:
        is_last = child is node.children[-1]
        yield indent + ("└─ " if is_last else "├─ ") + _line(child, node, language)
        if not child.is_cut:
            yield from _branches(child, indent + ("   " if is_last else "│  "), language)


def _line(child: Node, parent: Node, language: Language) -> str:
    """The line of a move: its value, and whether it is chosen, or why it is cut off."""
    assert child.action is not None
    move = f"{SYMBOLS[parent.board.to_move]} {child.board.rules.coordinate(child.action)}"
    if child.is_cut:
        # Translators: a branch of the tree that alpha-beta does not read. Leave >= as it is.
        reason = N_("not read: alpha {alpha} >= beta {beta}")
        bounds = {"alpha": _number(parent.alpha), "beta": _number(parent.beta)}
        return coloured(f"{move}   {language.say(reason, **bounds)}", GREY)
    line = f"{move} {_utility(child):>3}  {_turn(child, language)}"
    if child is not _best_read(parent):
        return line
    is_max = parent.board.to_move is Mark.X
    why = language.say(N_("the largest") if is_max else N_("the smallest"))
    return coloured(f"{line}  <- {why}", GREEN)


def _turn(node: Node, language: Language) -> str:
    """Who chooses at a position, or how it ended."""
    if not node.board.is_terminal:
        return language.say(N_("{symbol} chooses"), symbol=SYMBOLS[node.board.to_move])
    winner = node.board.winner
    if winner is None:
        return language.say(N_("draw"))
    return language.say(N_("{symbol} wins"), symbol=SYMBOLS[winner])


def _best_read(node: Node) -> Node:
    """The first child from which the value of a node, as far as alpha-beta knows it, comes."""
    read = [child for child in node.children if not child.is_cut]
    if node.board.to_move is Mark.X:
        return max(read, key=lambda child: child.proven)
    return min(read, key=lambda child: child.proven[::-1])


def _utility(node: Node) -> str:
    """What alpha-beta knows of a value: a number or, where it did not read everything, a bound."""
    least, greatest = node.proven
    if least == greatest:
        return _number(least)
    return f"≤{_number(greatest)}" if greatest < math.inf else f"≥{_number(least)}"


def _number(value: float) -> str:
    return f"{value:+.0f}" if value else "0"

"""Draws the pictures of the pages for learners, as SVG: a tree of boards, and programs that run.

python -m tests.engine.drawings
"""

from __future__ import annotations

from functools import partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.views.i18n import language_for
from engine import Board, search
from engine.__main__ import main
from tests.engine.road import LANGUAGES, page_number, steps
from tests.transcripts.terminal import shown

PICTURES = Path(__file__).parents[2] / ".github" / "pictures"
ROOT_BOARD = Board.parse("xxo oox ...")
CELL, GAP = 18, 22
BOARD = 3 * CELL
MARGIN = 90
INK, PAPER, GOOD, BAD, EVEN = "#1f2328", "#ffffff", "#1a7f37", "#cf222e", "#57606a"
COLOURS = {1: GOOD, 0: EVEN, -1: BAD}


def text_at(x: float, y: float, text: str, colour: str = INK, size: int = 13) -> str:
    style = f'font-size="{size}" fill="{colour}" text-anchor="middle"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(text)}</text>'


def board_at(x: float, y: float, board: Board, *, blank: bool) -> list[str]:
    """A board, and below it what it is worth, or a blank."""
    drawn = [f'<rect x="{x:g}" y="{y:g}" width="{BOARD}" height="{BOARD}" fill="{PAPER}"/>']
    for i in range(4):
        drawn.append(line_from(x, y + i * CELL, x + BOARD, y + i * CELL))
        drawn.append(line_from(x + i * CELL, y, x + i * CELL, y + BOARD))
    for cell in range(9):
        mark = board[cell]
        if mark is not None:
            row, column = divmod(cell, 3)
            middle = x + (column + 0.5) * CELL
            drawn.append(text_at(middle, y + (row + 0.75) * CELL, mark.value.upper()))
    if blank:
        drawn.append(line_from(x + CELL, y + BOARD + 20, x + 2 * CELL, y + BOARD + 20))
    else:
        value = search(board).utility
        drawn.append(text_at(x + BOARD / 2, y + BOARD + 17, f"{value}", COLOURS[int(value)], 15))
    return drawn


def line_from(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{EVEN}"/>'


def recursion(*, blank: bool) -> str:
    """A call, its three calls, their own two each, and what they return, or blanks for it."""
    step, level = BOARD + GAP, BOARD + 62
    drawn: list[str] = []
    width = MARGIN + 6 * step
    top = (MARGIN + 2.5 * step, 14.0)
    for first, cell in enumerate(ROOT_BOARD.actions()):
        after = ROOT_BOARD.result(cell)
        x, y = MARGIN + (2 * first + 0.5) * step, top[1] + level
        drawn.append(line_from(top[0] + BOARD / 2, top[1] + BOARD + 24, x + BOARD / 2, y - 4))
        replies = [] if after.is_terminal else list(after.actions())
        for second, reply in enumerate(replies):
            below = MARGIN + (2 * first + second) * step
            drawn.append(line_from(x + BOARD / 2, y + BOARD + 24, below + BOARD / 2, y + level - 4))
            drawn += board_at(below, y + level, after.result(reply), blank=blank)
        drawn += board_at(x, y, after, blank=blank)
    drawn += board_at(*top, ROOT_BOARD, blank=blank)
    drawn.append(text_at(MARGIN / 2, top[1] + BOARD / 2 + 5, "X: max", size=15))
    drawn.append(text_at(MARGIN / 2, top[1] + level + BOARD / 2 + 5, "O: min", size=15))
    return svg(width, 14 + 3 * level - 20, drawn, PAPER)


def svg(width: float, height: float, drawn: list[str], paper: str) -> str:
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    font = 'font-family="ui-monospace, Menlo, Consolas, monospace"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>']
    lines.append(f'<rect width="100%" height="100%" rx="8" fill="{paper}"/>')
    return "\n".join([*lines, *drawn, "</svg>", ""])


def terminal(lines: list[str]) -> str:
    """A window in which these lines stand."""
    drawn = [
        f'<text x="16" y="{28 + 18 * i}" font-size="14" fill="#e6edf3" xml:space="preserve">'
        f"{escape(line)}</text>"
        for i, line in enumerate(lines)
    ]
    return svg(32 + 8.5 * max(map(len, lines)), 30 + 18 * len(lines), drawn, "#0d1117")


PLAYED = {
    "played": (1, "tictactoe.py", "--first me", "b2 b1 b3 q"),
    "unbeaten": (4, "finished.py", "--first me", "b2 b1 a3 a2 c3 q"),
}
"""By the name of a picture: the page, the file on it, options, what is typed."""

FROM_THE_END = slice(-20, -1)
"""The last reply, the last two boards and the result; not what is asked then."""


def drawings() -> dict[str, str]:
    """The pictures, by the names of their files."""
    drawn = {"recursion.svg": recursion(blank=False), "blank.svg": recursion(blank=True)}
    for folder, language in LANGUAGES.items():
        for name, (number, file, options, typed) in PLAYED.items():
            read = [step for step in steps(folder) if page_number(step.page) <= number]
            command = f"play {file} {options}"
            with TemporaryDirectory() as temporary:
                path = Path(temporary) / file
                path.write_text(read[-1].files[file], encoding="utf-8")
                given = ["play", str(path), *options.split(), "--language", language]
                lines = shown(partial(main, given), *typed.split(), language=language_for("en"))
            lines = [f"$ python3 -m engine {command}", "...", *lines[FROM_THE_END]]
            drawn[f"{name}.{folder}.svg"] = terminal(lines)
    return drawn


if __name__ == "__main__":
    for name, drawing in drawings().items():
        (PICTURES / name).write_text(drawing, encoding="utf-8")

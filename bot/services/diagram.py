"""Draws sketches of game trees: little boards on a dark card that is readable on any theme.

The pictures are the same in every language. They are drawn in the process for lessons, so this
module imports neither Discord nor the database.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from bot.domain.tutorial import DiagramNode, NodeStyle
from engine import Board, Cell, Mark

_FINE = 2  # supersampling: drawn larger and scaled down, for smooth lines

_CELL, _GAP, _MARGIN, _LEFT = 32, 18, 18, 74

_BOARD = 3 * _CELL

_LINE = 38  # the height of a caption

_BRANCH = 44  # the least height of a branch

_CARD, _GRID, _DIM, _INK = "#1b1e26", "#5d6470", "#565c68", "#f2f4f8"

_TAKEN, _RING, _MADE = "#7ee2a0", "#c9a6ff", "#3a4254"

_COLOURS = {Mark.X: "#ffd43b", Mark.O: "#4dd4ff"}  # as the bot's own emojis

_FEWEST_COLUMNS = 4

_MOST_IN_A_ROW = 6  # boards; a phone would show more too small


@dataclass(frozen=True, slots=True)
class _Placed:
    """A sketch with the middle of its board's top edge, in pixels of the final picture."""

    diagram: DiagramNode
    x: float
    y: int
    children: tuple[_Placed, ...]

    def walk(self) -> Iterator[_Placed]:
        yield self
        for child in self.children:
            yield from child.walk()


def draw(diagram: DiagramNode) -> bytes:
    """The PNG of a sketch."""
    heights = _heights(diagram)
    columns = max(_columns(diagram), _FEWEST_COLUMNS)
    first = _LEFT + (columns - _columns(diagram)) * (_BOARD + _GAP) / 2
    tops = [_MARGIN + sum(heights[:level]) for level in range(len(heights) + 1)]
    size = (_LEFT + columns * (_BOARD + _GAP) + _GAP / 2, tops[-1] - _BRANCH + _MARGIN)
    image = Image.new("RGB", (round(size[0] * _FINE), size[1] * _FINE), _CARD)
    pen = _Pen(ImageDraw.Draw(image))
    placed = _place(diagram, first, tops)
    for one in placed.walk():
        pen.branches(one)
    for one in placed.walk():
        pen.board(one)
    is_numbered = any(one.captions for one in diagram.walk())
    for level, mark in enumerate(_to_move(diagram)):
        pen.level(tops[level], mark, is_numbered=is_numbered)
    drawn = io.BytesIO()
    image.reduce(_FINE).quantize(64, Image.Quantize.FASTOCTREE).save(drawn, "PNG")
    return drawn.getvalue()


def _is_staggered(diagram: DiagramNode) -> bool:
    """Whether the children stand in two rows, each board below the gap between two others."""
    is_deep = any(child.children for child in diagram.children)
    return len(diagram.children) > _MOST_IN_A_ROW and not is_deep


def _columns(diagram: DiagramNode) -> float:
    if _is_staggered(diagram):
        return (len(diagram.children) + 1) / 2
    return sum(map(_columns, diagram.children)) or 1


def _heights(diagram: DiagramNode) -> list[int]:
    """The height of each level: its boards, their captions, and the branches below."""
    heights, level, rows = [], [diagram], 1
    while level:
        heights.append(rows * _row(level) + _BRANCH)
        rows = 1 + any(map(_is_staggered, level))
        level = [child for one in level for child in one.children]
    return heights


def _row(level: Sequence[DiagramNode]) -> int:
    """The height of a row of boards with their captions."""
    return _BOARD + max(len(one.captions) for one in level) * _LINE + _GAP // 2


def _to_move(diagram: DiagramNode) -> Iterator[Mark]:
    level = [diagram]
    while going_on := [one for one in level if not one.board.is_terminal]:
        yield going_on[0].board.to_move
        level = [child for one in level for child in one.children]


def _place(diagram: DiagramNode, left: float, tops: Sequence[int]) -> _Placed:
    children, x = list[_Placed](), left
    is_staggered = _is_staggered(diagram)
    for number, child in enumerate(diagram.children):
        placed = _place(child, x, tops[1:])
        down = number % 2 * _row(diagram.children) if is_staggered else 0
        children.append(replace(placed, y=placed.y + down))
        x += _columns(child) * (_BOARD + _GAP) / (1 + is_staggered)
    middle = (children[0].x + children[-1].x) / 2 if children else left + (_BOARD + _GAP) / 2
    return _Placed(diagram, middle, tops[0], tuple(children))


class _Pen:
    """Takes coordinates in pixels of the final picture, and draws `_FINE` times as large."""

    def __init__(self, on: ImageDraw.ImageDraw) -> None:
        self._on = on
        self._font = ImageFont.load_default(36 * _FINE)
        self._small = ImageFont.load_default(27 * _FINE)

    def branches(self, one: _Placed) -> None:
        below = one.y + _BOARD + len(one.diagram.captions) * _LINE + 4
        for child in one.children:
            is_cut = child.diagram.style is NodeStyle.CUT
            colour = _DIM if is_cut else _TAKEN if child.diagram.is_chosen else _GRID
            width, bend = 6 if child.diagram.is_chosen else 3, one.children[0].y - 6
            self._line((one.x, below), (child.x, bend), colour, width)
            self._line((child.x, bend), (child.x, child.y - 6), colour, width)
            if is_cut and one.diagram.style is not NodeStyle.CUT:
                self._scissors((one.x + child.x) / 2, (below + child.y - 6) / 2)

    def _scissors(self, x: float, y: float) -> None:
        """Two strokes across a branch, as textbooks mark a cut."""
        for shift in (-5, 5):
            self._line((x - 12, y + shift + 4), (x + 12, y + shift - 4), _INK, 3)

    def board(self, one: _Placed) -> None:
        diagram, left, top = one.diagram, one.x - _BOARD / 2, one.y
        is_cut = diagram.style is NodeStyle.CUT
        if diagram.style is NodeStyle.HERE:
            self._box(left - 9, top - 9, _BOARD + 18, outline=_RING)
        if diagram.action is not None and not is_cut:
            row, column = divmod(diagram.action, 3)
            self._box(left + column * _CELL, top + row * _CELL, _CELL, fill=_MADE)
        for step in (_CELL, 2 * _CELL):
            self._line((left + step, top), (left + step, top + _BOARD), _GRID, 2)
            self._line((left, top + step), (left + _BOARD, top + step), _GRID, 2)
        self._marks(diagram.board, left, top, dim=is_cut)
        for line, caption in enumerate(diagram.captions):
            y = top + _BOARD + line * _LINE + _LINE / 2 + 4
            font = self._font if len(caption) < 3 else self._small
            colour = _INK if caption[-1].isdigit() else _RING
            self._write(one.x, y, caption, colour, font)

    def _marks(self, board: Board, left: float, top: float, *, dim: bool) -> None:
        def middle(cell: Cell) -> tuple[float, float]:
            row, column = divmod(cell, 3)
            return left + (column + 0.5) * _CELL, top + (row + 0.5) * _CELL

        for cell in board.rules.cells:
            if mark := board[cell]:
                self._mark(mark, *middle(cell), _DIM if dim else _COLOURS[mark])
        outcome = board.outcome()
        if outcome and outcome.line and not dim:
            self._line(middle(outcome.line[0]), middle(outcome.line[-1]), _INK, 4)

    def _mark(self, mark: Mark, x: float, y: float, colour: str) -> None:
        half = _CELL * 0.27
        if mark is Mark.X:
            self._line((x - half, y - half), (x + half, y + half), colour, 5)
            self._line((x - half, y + half), (x + half, y - half), colour, 5)
        else:
            centre, radius = (x * _FINE, y * _FINE), (half + 2) * _FINE
            self._on.circle(centre, radius, outline=colour, width=5 * _FINE)

    def level(self, top: int, mark: Mark, *, is_numbered: bool) -> None:
        """Draw beside a level which mark is to move there, and whether it is max or min."""
        middle = top + _BOARD / 2
        self._mark(mark, _LEFT / 2, middle - 16 * is_numbered, _COLOURS[mark])
        if is_numbered:
            name = "max" if mark is Mark.X else "min"
            self._write(_LEFT / 2, middle + 16, name, _INK, self._small)

    def _line(
        self, start: tuple[float, float], end: tuple[float, float], colour: str, width: int
    ) -> None:
        points = [coordinate * _FINE for coordinate in (*start, *end)]
        self._on.line(points, fill=colour, width=width * _FINE)

    def _box(self, left: float, top: float, size: float, **style: Any) -> None:
        corners = [corner * _FINE for corner in (left, top, left + size, top + size)]
        self._on.rounded_rectangle(corners, 6 * _FINE, width=5 * _FINE, **style)

    def _write(self, x: float, y: float, text: str, colour: str, font: Any) -> None:
        self._on.text((x * _FINE, y * _FINE), text, fill=colour, font=font, anchor="mm")

"""Draws diagrams of game trees: little boards on a dark card that is readable on any theme.

The pictures are the same in every language. They are drawn in the process for lessons, so this
module imports neither Discord nor the database.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from bot.domain.tree_diagram import DiagramNode, NodeStyle
from engine import Board, Cell, Mark

_SCALE = 2  # drawn larger by this factor, then scaled down, for smooth lines
_PALETTE_SIZE = 64
_MIN_COLUMNS = 5
_MAX_BOARDS_IN_ROW = 6  # a phone would show more too small
_CELLS_A_SIDE = 3
_MAX_LARGE_CAPTION = 2  # letters: longer captions have the small font

# Lengths in pixels of the final picture
_CELL_SIZE = 35
_BOARD_SIZE = _CELLS_A_SIDE * _CELL_SIZE
_BOARD_GAP = 14
_COLUMN_WIDTH = _BOARD_SIZE + _BOARD_GAP
_MARGIN = 18
_LEGEND_WIDTH = 64  # the left edge, which says who is to move on each level
_LEGEND_OFFSET = 16  # of the mark, and of max or min, from the middle
_CAPTION_HEIGHT = 38
_CAPTION_OFFSET = 4  # below the board
_BRANCH_HEIGHT = 44  # at least
_BRANCH_GAP = 6  # between a branch and the board below it
_RING_GAP = 6
_CUT_SIGN_GAP = 10  # between its two strokes
_CUT_SIGN_RADIUS = 12  # to either side of the branch
_CUT_SIGN_RISE = 4  # from its middle to the end of a stroke
_CORNER_RADIUS = 6
_X_RADIUS = _CELL_SIZE * 0.37
_O_RADIUS = _X_RADIUS + 2
_FONT_SIZE = 36
_SMALL_FONT_SIZE = 27

# Widths of lines, in the same pixels
_GRID_WIDTH = 2
_BRANCH_WIDTH = 3
_CHOSEN_BRANCH_WIDTH = 6
_CUT_SIGN_WIDTH = 3
_WIN_WIDTH = 4
_MARK_WIDTH = 5
_BOX_WIDTH = 4

_BACKGROUND = "#1b1e26"
_TEXT_COLOUR = "#f2f4f8"
_GRID_COLOUR = "#5d6470"
_CUT_COLOUR = "#565c68"
_CHOSEN_COLOUR = "#7ee2a0"
_CURRENT_COLOUR = "#c9a6ff"
_LAST_MOVE_COLOUR = "#3a4254"
_MARK_COLOURS = {Mark.X: "#ffd43b", Mark.O: "#4dd4ff"}  # as the bot's own emojis


def draw(root: DiagramNode) -> bytes:
    """The PNG of a diagram."""
    tree_columns = _columns(root)
    columns = max(tree_columns, _MIN_COLUMNS)
    left = _LEGEND_WIDTH + (columns - tree_columns) * _COLUMN_WIDTH / 2
    tops = list(accumulate(_level_heights(root), initial=_MARGIN))
    width = _LEGEND_WIDTH + columns * _COLUMN_WIDTH + _BOARD_GAP / 2
    height = tops[-1] - _BRANCH_HEIGHT + _MARGIN

    image = Image.new("RGB", (round(width * _SCALE), height * _SCALE), _BACKGROUND)
    pen = _Pen(ImageDraw.Draw(image))
    nodes = list(_place(root, left, tops).walk())
    for node in nodes:
        pen.draw_branches(node)
    for node in nodes:
        pen.draw_board(node)

    has_values = any(node.captions for node in root.walk())
    for top, mark in zip(tops, _marks_to_move(root), strict=False):
        pen.draw_legend(top, mark, has_values=has_values)
    return _encode_png(image)


def _encode_png(image: Image.Image) -> bytes:
    """Scale an image down to its final size, and encode it with a small palette."""
    final = image.reduce(_SCALE).quantize(_PALETTE_SIZE, Image.Quantize.FASTOCTREE)
    png = io.BytesIO()
    final.save(png, "PNG")
    return png.getvalue()


def _is_staggered(node: DiagramNode) -> bool:
    """Whether the children are in two rows, each board below the gap between two others."""
    is_deep = any(child.children for child in node.children)
    return len(node.children) > _MAX_BOARDS_IN_ROW and not is_deep


def _columns(node: DiagramNode) -> float:
    """The width of a tree, in columns of one board each."""
    if _is_staggered(node):
        return (len(node.children) + 1) / 2
    return sum(map(_columns, node.children)) or 1


def _level_heights(root: DiagramNode) -> list[int]:
    """The height of each level: its boards, their captions, and the branches below."""
    heights = []
    level = [root]
    rows = 1
    while level:
        heights.append(rows * _row_height(level) + _BRANCH_HEIGHT)
        rows = 2 if any(map(_is_staggered, level)) else 1
        level = _level_below(level)
    return heights


def _row_height(level: Sequence[DiagramNode]) -> int:
    """The height of a row of boards with their captions."""
    most_captions = max(len(node.captions) for node in level)
    return _BOARD_SIZE + most_captions * _CAPTION_HEIGHT + _BOARD_GAP // 2


def _level_below(level: Sequence[DiagramNode]) -> list[DiagramNode]:
    return [child for node in level for child in node.children]


def _marks_to_move(root: DiagramNode) -> Iterator[Mark]:
    """The mark to move on each level, down to the last one where a game is unfinished."""
    level = [root]
    while unfinished := [node for node in level if not node.board.is_terminal]:
        yield unfinished[0].board.to_move
        level = _level_below(level)


@dataclass(frozen=True, slots=True)
class _PlacedNode:
    """A node, and the middle of its board's top edge."""

    node: DiagramNode
    x: float
    y: int
    children: tuple[_PlacedNode, ...]

    def walk(self) -> Iterator[_PlacedNode]:
        yield self
        for child in self.children:
            yield from child.walk()


def _place(node: DiagramNode, left: float, tops: Sequence[int]) -> _PlacedNode:
    """Place a tree from `left` on; `tops` are the upper edges of its levels."""
    if not node.children:
        return _PlacedNode(node, left + _COLUMN_WIDTH / 2, tops[0], ())

    is_staggered = _is_staggered(node)
    children: list[_PlacedNode] = []
    for index, child in enumerate(node.children):
        placed = _place(child, left, tops[1:])
        width = _columns(child) * _COLUMN_WIDTH
        if is_staggered:
            width /= 2
            row = index % 2
            placed = replace(placed, y=placed.y + row * _row_height(node.children))
        children.append(placed)
        left += width

    middle = (children[0].x + children[-1].x) / 2
    return _PlacedNode(node, middle, tops[0], tuple(children))


class _Pen:
    """Draws `_SCALE` times as large as its coordinates say."""

    def __init__(self, canvas: ImageDraw.ImageDraw) -> None:
        self._canvas = canvas
        self._font = ImageFont.load_default(_FONT_SIZE * _SCALE)
        self._small_font = ImageFont.load_default(_SMALL_FONT_SIZE * _SCALE)

    def draw_branches(self, parent: _PlacedNode) -> None:
        captions_height = len(parent.node.captions) * _CAPTION_HEIGHT
        start_y = parent.y + _BOARD_SIZE + captions_height + _CAPTION_OFFSET
        for child in parent.children:
            is_cut = child.node.style is NodeStyle.CUT
            colour = _GRID_COLOUR
            width = _BRANCH_WIDTH
            if is_cut:
                colour = _CUT_COLOUR
            elif child.node.is_chosen:
                colour = _CHOSEN_COLOUR
                width = _CHOSEN_BRANCH_WIDTH

            bend_y = parent.children[0].y - _BRANCH_GAP
            end_y = child.y - _BRANCH_GAP
            self._line((parent.x, start_y), (child.x, bend_y), colour, width)
            self._line((child.x, bend_y), (child.x, end_y), colour, width)
            if is_cut and parent.node.style is not NodeStyle.CUT:
                self._cut_sign((parent.x + child.x) / 2, (start_y + end_y) / 2)

    def _cut_sign(self, x: float, y: float) -> None:
        """Two strokes across a branch, as textbooks mark a cut."""
        left = x - _CUT_SIGN_RADIUS
        right = x + _CUT_SIGN_RADIUS
        for middle in (y - _CUT_SIGN_GAP / 2, y + _CUT_SIGN_GAP / 2):
            start = (left, middle + _CUT_SIGN_RISE)
            end = (right, middle - _CUT_SIGN_RISE)
            self._line(start, end, _TEXT_COLOUR, _CUT_SIGN_WIDTH)

    def draw_board(self, placed: _PlacedNode) -> None:
        node = placed.node
        left = placed.x - _BOARD_SIZE / 2
        top = placed.y
        is_cut = node.style is NodeStyle.CUT

        if node.style is NodeStyle.CURRENT:
            ring_size = _BOARD_SIZE + 2 * _RING_GAP
            self._box(left - _RING_GAP, top - _RING_GAP, ring_size, outline=_CURRENT_COLOUR)
        if node.action is not None and not is_cut:
            row, column = divmod(node.action, _CELLS_A_SIDE)
            self._box(
                left + column * _CELL_SIZE,
                top + row * _CELL_SIZE,
                _CELL_SIZE,
                fill=_LAST_MOVE_COLOUR,
            )
        self._grid(left, top)
        self._marks(node.board, left, top, is_cut=is_cut)

        for index, caption in enumerate(node.captions):
            middle = (index + 0.5) * _CAPTION_HEIGHT
            self._caption(caption, placed.x, top + _BOARD_SIZE + middle + _CAPTION_OFFSET)

    def _grid(self, left: float, top: float) -> None:
        right = left + _BOARD_SIZE
        bottom = top + _BOARD_SIZE
        for offset in (_CELL_SIZE, 2 * _CELL_SIZE):
            x = left + offset
            y = top + offset
            self._line((x, top), (x, bottom), _GRID_COLOUR, _GRID_WIDTH)
            self._line((left, y), (right, y), _GRID_COLOUR, _GRID_WIDTH)

    def _marks(self, board: Board, left: float, top: float, *, is_cut: bool) -> None:
        def middle(cell: Cell) -> tuple[float, float]:
            row, column = divmod(cell, _CELLS_A_SIDE)
            x = left + (column + 0.5) * _CELL_SIZE
            y = top + (row + 0.5) * _CELL_SIZE
            return x, y

        for cell in board.rules.cells:
            mark = board[cell]
            if mark is not None:
                colour = _CUT_COLOUR if is_cut else _MARK_COLOURS[mark]
                self._mark(mark, *middle(cell), colour)

        outcome = board.outcome()
        if outcome and outcome.line and not is_cut:
            first, last = outcome.line[0], outcome.line[-1]
            self._line(middle(first), middle(last), _TEXT_COLOUR, _WIN_WIDTH)

    def _mark(self, mark: Mark, x: float, y: float, colour: str) -> None:
        if mark is Mark.X:
            left = x - _X_RADIUS
            right = x + _X_RADIUS
            top = y - _X_RADIUS
            bottom = y + _X_RADIUS
            self._line((left, top), (right, bottom), colour, _MARK_WIDTH)
            self._line((left, bottom), (right, top), colour, _MARK_WIDTH)
        else:
            centre = (x * _SCALE, y * _SCALE)
            self._canvas.circle(
                centre, _O_RADIUS * _SCALE, outline=colour, width=_MARK_WIDTH * _SCALE
            )

    def _caption(self, caption: str, x: float, y: float) -> None:
        """Values stand out by their colour from names, and short captions are larger."""
        font = self._font if len(caption) <= _MAX_LARGE_CAPTION else self._small_font
        colour = _TEXT_COLOUR if caption[-1].isdigit() else _CURRENT_COLOUR
        self._text(caption, x, y, colour, font)

    def draw_legend(self, top: int, mark: Mark, *, has_values: bool) -> None:
        """Draw beside a level which mark is to move and, with values, whether it is max or min."""
        x = _LEGEND_WIDTH / 2
        middle = top + _BOARD_SIZE / 2
        if not has_values:
            self._mark(mark, x, middle, _MARK_COLOURS[mark])
            return
        self._mark(mark, x, middle - _LEGEND_OFFSET, _MARK_COLOURS[mark])
        name = "max" if mark is Mark.X else "min"
        self._text(name, x, middle + _LEGEND_OFFSET, _TEXT_COLOUR, self._small_font)

    def _line(
        self, start: tuple[float, float], end: tuple[float, float], colour: str, width: int
    ) -> None:
        points = [coordinate * _SCALE for coordinate in (*start, *end)]
        self._canvas.line(points, fill=colour, width=width * _SCALE)

    def _box(self, left: float, top: float, size: float, **style: Any) -> None:
        corners = [corner * _SCALE for corner in (left, top, left + size, top + size)]
        self._canvas.rounded_rectangle(
            corners, _CORNER_RADIUS * _SCALE, width=_BOX_WIDTH * _SCALE, **style
        )

    def _text(self, text: str, x: float, y: float, colour: str, font: Any) -> None:
        self._canvas.text((x * _SCALE, y * _SCALE), text, fill=colour, font=font, anchor="mm")

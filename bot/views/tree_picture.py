"""Draws diagrams of game trees as PNGs, on a dark card that is readable on any theme.

The pictures are the same in every language. They are drawn in the process for lessons, so this
module imports neither Discord nor the database.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from PIL import Image, ImageDraw, ImageFont

from bot.domain.tree_diagram import DiagramNode, NodeStyle
from engine import Board, Cell, Mark

_SCALE = 2  # drawn larger by this factor, then scaled down, for smooth lines
_PALETTE_SIZE = 64
_MIN_COLUMNS = 5
_MAX_BOARDS_IN_ROW = 6  # a phone would show more too small
_CELLS_A_SIDE = 3
_MAX_LARGE_CAPTION = 2  # letters: longer captions have the small font

# Lengths in pixels of the large picture
_CELL_SIZE = 35 * _SCALE
_BOARD_SIZE = _CELLS_A_SIDE * _CELL_SIZE
_BOARD_GAP = 14 * _SCALE
_COLUMN_WIDTH = _BOARD_SIZE + _BOARD_GAP
_MARGIN = 18 * _SCALE
_LEGEND_WIDTH = 64 * _SCALE  # the left edge, which says who is to move on each level
_LEGEND_OFFSET = 16 * _SCALE  # of the mark, and of max or min, from the middle
_CAPTION_HEIGHT = 38 * _SCALE
_CAPTION_OFFSET = 4 * _SCALE  # below the board
_BRANCH_HEIGHT = 44 * _SCALE  # at least
_BRANCH_GAP = 6 * _SCALE  # between a branch and the board below it
_RING_GAP = 6 * _SCALE
_CUT_SIGN_GAP = 10 * _SCALE  # between its two strokes
_CUT_SIGN_RADIUS = 12 * _SCALE  # to either side of the branch
_CUT_SIGN_RISE = 4 * _SCALE  # from its middle to the end of a stroke
_CORNER_RADIUS = 6 * _SCALE
_X_RADIUS = _CELL_SIZE * 0.37
_O_RADIUS = _X_RADIUS + 2 * _SCALE
_FONT_SIZE = 36 * _SCALE
_SMALL_FONT_SIZE = 27 * _SCALE

# Widths of lines, in the same pixels
_GRID_WIDTH = 2 * _SCALE
_BRANCH_WIDTH = 3 * _SCALE
_CHOSEN_BRANCH_WIDTH = 6 * _SCALE
_CUT_SIGN_WIDTH = 3 * _SCALE
_WIN_WIDTH = 4 * _SCALE
_MARK_WIDTH = 5 * _SCALE
_RING_WIDTH = 4 * _SCALE

_BACKGROUND = "#1b1e26"
_TEXT_COLOUR = "#f2f4f8"
_GRID_COLOUR = "#5d6470"
_CUT_COLOUR = "#565c68"
_CHOSEN_COLOUR = "#7ee2a0"
_CURRENT_COLOUR = "#c9a6ff"
_LAST_MOVE_COLOUR = "#3a4254"
_MARK_COLOURS = {Mark.X: "#ffd43b", Mark.O: "#4dd4ff"}  # as the bot's own emojis

Point = tuple[float, float]


def draw(root: DiagramNode) -> bytes:
    """The PNG of a diagram."""
    levels = list(_levels(root))
    tree_columns = _columns(root)
    columns = max(tree_columns, _MIN_COLUMNS)
    left = _LEGEND_WIDTH + (columns - tree_columns) * _COLUMN_WIDTH / 2
    tops = list(accumulate(_level_heights(levels), initial=_MARGIN))
    width = _LEGEND_WIDTH + columns * _COLUMN_WIDTH + _BOARD_GAP / 2
    height = tops[-1] - _BRANCH_HEIGHT + _MARGIN

    image = Image.new("RGB", (round(width), height), _BACKGROUND)
    pen = _Pen(ImageDraw.Draw(image))
    nodes = list(_place(root, left, tops).walk())
    for node in nodes:
        pen.draw_branches(node)
    for node in nodes:
        pen.draw_board(node)
    has_values = any(node.captions for node in root.walk())
    for top, level in zip(tops, levels, strict=False):
        pen.draw_legend(top, level, has_values=has_values)
    return _encode_png(image)


def _encode_png(image: Image.Image) -> bytes:
    """Scale an image down to its final size, and encode it with a small palette."""
    final = image.reduce(_SCALE).quantize(_PALETTE_SIZE, Image.Quantize.FASTOCTREE)
    png = io.BytesIO()
    final.save(png, "PNG")
    return png.getvalue()


def _levels(root: DiagramNode) -> Iterator[Sequence[DiagramNode]]:
    level = [root]
    while level:
        yield level
        level = [child for node in level for child in node.children]


def _is_staggered(node: DiagramNode) -> bool:
    """Whether the children are in two rows, each board below the gap between two others."""
    is_deep = any(child.children for child in node.children)
    return len(node.children) > _MAX_BOARDS_IN_ROW and not is_deep


def _columns(node: DiagramNode) -> float:
    """The width of a tree, in columns of one board each."""
    if _is_staggered(node):
        return (len(node.children) + 1) / 2
    return sum(map(_columns, node.children)) or 1


def _level_heights(levels: Sequence[Sequence[DiagramNode]]) -> Iterator[int]:
    """The height of each level: its boards, their captions, and the branches below."""
    for above, level in pairwise([[], *levels]):
        rows = 2 if any(map(_is_staggered, above)) else 1
        yield rows * _row_height(level) + _BRANCH_HEIGHT


def _row_height(level: Sequence[DiagramNode]) -> int:
    """The height of a row of boards with their captions."""
    most_captions = max(len(node.captions) for node in level)
    return _BOARD_SIZE + most_captions * _CAPTION_HEIGHT + _BOARD_GAP // 2


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
    rows = 2 if _is_staggered(node) else 1
    children: list[_PlacedNode] = []
    for index, child in enumerate(node.children):
        placed = _place(child, left, tops[1:])
        offset = index % rows * _row_height(node.children)
        children.append(replace(placed, y=placed.y + offset))
        left += _columns(child) * _COLUMN_WIDTH / rows
    middle = (children[0].x + children[-1].x) / 2
    return _PlacedNode(node, middle, tops[0], tuple(children))


class _Pen:
    """Draws the parts of a tree."""

    def __init__(self, canvas: ImageDraw.ImageDraw) -> None:
        self._canvas = canvas
        self._font = ImageFont.load_default(_FONT_SIZE)
        self._small_font = ImageFont.load_default(_SMALL_FONT_SIZE)

    def draw_branches(self, parent: _PlacedNode) -> None:
        captions_height = len(parent.node.captions) * _CAPTION_HEIGHT
        start = (parent.x, parent.y + _BOARD_SIZE + captions_height + _CAPTION_OFFSET)
        for child in parent.children:
            is_cut = child.node.style is NodeStyle.CUT
            colour, width = _GRID_COLOUR, _BRANCH_WIDTH
            if is_cut:
                colour = _CUT_COLOUR
            elif child.node.is_chosen:
                colour, width = _CHOSEN_COLOUR, _CHOSEN_BRANCH_WIDTH
            bend = (child.x, parent.children[0].y - _BRANCH_GAP)
            end = (child.x, child.y - _BRANCH_GAP)
            self._line(start, bend, colour, width)
            self._line(bend, end, colour, width)
            if is_cut and parent.node.style is not NodeStyle.CUT:
                self._cut_sign((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)

    def _cut_sign(self, x: float, y: float) -> None:
        """Two strokes across a branch, as textbooks mark a cut."""
        for middle in (y - _CUT_SIGN_GAP / 2, y + _CUT_SIGN_GAP / 2):
            start = (x - _CUT_SIGN_RADIUS, middle + _CUT_SIGN_RISE)
            end = (x + _CUT_SIGN_RADIUS, middle - _CUT_SIGN_RISE)
            self._line(start, end, _TEXT_COLOUR, _CUT_SIGN_WIDTH)

    def draw_board(self, placed: _PlacedNode) -> None:
        node = placed.node
        left, top = placed.x - _BOARD_SIZE / 2, placed.y
        is_cut = node.style is NodeStyle.CUT
        if node.style is NodeStyle.CURRENT:
            ring = _square(left - _RING_GAP, top - _RING_GAP, _BOARD_SIZE + 2 * _RING_GAP)
            self._canvas.rounded_rectangle(
                ring, _CORNER_RADIUS, outline=_CURRENT_COLOUR, width=_RING_WIDTH
            )
        if node.action is not None and not is_cut:
            row, column = divmod(node.action, _CELLS_A_SIDE)
            cell = _square(left + column * _CELL_SIZE, top + row * _CELL_SIZE, _CELL_SIZE)
            self._canvas.rounded_rectangle(cell, _CORNER_RADIUS, fill=_LAST_MOVE_COLOUR)
        self._grid(left, top)
        self._marks(node.board, left, top, is_cut=is_cut)
        for index, caption in enumerate(node.captions):
            middle = (index + 0.5) * _CAPTION_HEIGHT
            self._caption(caption, placed.x, top + _BOARD_SIZE + middle + _CAPTION_OFFSET)

    def _grid(self, left: float, top: float) -> None:
        right, bottom = left + _BOARD_SIZE, top + _BOARD_SIZE
        for offset in (_CELL_SIZE, 2 * _CELL_SIZE):
            x, y = left + offset, top + offset
            self._line((x, top), (x, bottom), _GRID_COLOUR, _GRID_WIDTH)
            self._line((left, y), (right, y), _GRID_COLOUR, _GRID_WIDTH)

    def _marks(self, board: Board, left: float, top: float, *, is_cut: bool) -> None:
        def middle(cell: Cell) -> Point:
            row, column = divmod(cell, _CELLS_A_SIDE)
            return left + (column + 0.5) * _CELL_SIZE, top + (row + 0.5) * _CELL_SIZE

        for mark in Mark:
            for cell in board.held_by(mark):
                self._mark(mark, *middle(cell), _CUT_COLOUR if is_cut else _MARK_COLOURS[mark])
        outcome = board.outcome()
        if outcome and outcome.line and not is_cut:
            first, *_, last = outcome.line
            self._line(middle(first), middle(last), _TEXT_COLOUR, _WIN_WIDTH)

    def _mark(self, mark: Mark, x: float, y: float, colour: str) -> None:
        if mark is Mark.O:
            self._canvas.circle((x, y), _O_RADIUS, outline=colour, width=_MARK_WIDTH)
            return
        left, right = x - _X_RADIUS, x + _X_RADIUS
        top, bottom = y - _X_RADIUS, y + _X_RADIUS
        self._line((left, top), (right, bottom), colour, _MARK_WIDTH)
        self._line((left, bottom), (right, top), colour, _MARK_WIDTH)

    def _caption(self, caption: str, x: float, y: float) -> None:
        """Values stand out by their colour from names, and short captions are larger."""
        font = self._font if len(caption) <= _MAX_LARGE_CAPTION else self._small_font
        colour = _TEXT_COLOUR if caption[-1].isdigit() else _CURRENT_COLOUR
        self._canvas.text((x, y), caption, fill=colour, font=font, anchor="mm")

    def draw_legend(self, top: int, level: Sequence[DiagramNode], *, has_values: bool) -> None:
        """Draw beside a level which mark is to move and, with values, whether it is max or min."""
        unfinished = [node.board for node in level if not node.board.is_terminal]
        if not unfinished:
            return
        mark = unfinished[0].to_move
        x, middle = _LEGEND_WIDTH / 2, top + _BOARD_SIZE / 2
        if has_values:
            at = (x, middle + _LEGEND_OFFSET)
            name = "max" if mark is Mark.X else "min"
            self._canvas.text(at, name, fill=_TEXT_COLOUR, font=self._small_font, anchor="mm")
            middle -= _LEGEND_OFFSET
        self._mark(mark, x, middle, _MARK_COLOURS[mark])

    def _line(self, start: Point, end: Point, colour: str, width: int) -> None:
        self._canvas.line((start, end), fill=colour, width=width)


def _square(left: float, top: float, size: float) -> tuple[Point, Point]:
    """The corners of a square."""
    return (left, top), (left + size, top + size)

"""Draws diagrams of searches as PNGs, on a dark card that is readable on any theme.

The pictures are the same in every language. They are drawn in the process for lessons, so this
module imports neither Discord nor the database.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from bot.domain.tree_diagram import CUT_SIGN, Diagram, DiagramNode, LabelledBoard, NodeStyle
from engine import Board, Cell, Mark

_SCALE = 2  # drawn larger by this factor, then scaled down, for smooth lines
_PALETTE_SIZE = 64

# Lengths in pixels of the large picture
_MIN_WIDTH = 720 * _SCALE
_MAX_ASPECT = 0.58  # of height to width: with the question and its answers it fits a screen
_MARGIN = 12 * _SCALE
_LEGEND_WIDTH = 64 * _SCALE  # the left edge, which says who chooses on each level
_LEGEND_OFFSET = 16 * _SCALE  # of the mark, and of max or min, from the middle
_CAPTION_HEIGHT = 31 * _SCALE
_BRANCH_HEIGHT = 22 * _SCALE
_BRANCH_GAP = 6 * _SCALE  # between a branch and the node below it
_CELL_SIZE = 31 * _SCALE
_LARGE_BOARD_SIZE = 300 * _SCALE
_COLUMNS_WITH_LARGE_TEXTS = 4
_LARGE_BOARD_GAP = 44 * _SCALE
_RING_GAP = 6 * _SCALE
_CUT_SIGN_GAP = 10 * _SCALE  # between its two strokes
_CUT_SIGN_RADIUS = 12 * _SCALE  # to either side of the branch
_CUT_SIGN_RISE = 4 * _SCALE  # from its middle to the end of a stroke
_CORNER_RADIUS = 6 * _SCALE
_FONT_SIZE = 34 * _SCALE
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

_BAR_DROP = 0.35
"""How far the bar of ≤ is below the middle of the text, in heights of the font."""

_DIM = (NodeStyle.CUT, NodeStyle.UNREAD)

Point = tuple[float, float]


class _Shape(NamedTuple):
    """The size of a node, and of the room for it; `branch` is the last part of the level."""

    width: int
    height: int
    column: int
    level: int
    branch: int


_NUMBERS = _Shape(60 * _SCALE, 46 * _SCALE, 72 * _SCALE, 90 * _SCALE, 44 * _SCALE)


def _board_shape(*, has_captions: bool) -> _Shape:
    size = 3 * _CELL_SIZE
    caption = _CAPTION_HEIGHT if has_captions else 0
    return _Shape(size, size, size + 14 * _SCALE, size + caption + _BRANCH_HEIGHT, _BRANCH_HEIGHT)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A node, and the middle of its top edge."""

    node: DiagramNode
    x: float
    y: float
    children: tuple[_Placed, ...] = ()

    def walk(self) -> Iterator[_Placed]:
        yield self
        for child in self.children:
            yield from child.walk()


def draw(diagram: Diagram) -> bytes:
    """The PNG of a diagram."""
    image = _draw_tree(diagram) if isinstance(diagram, DiagramNode) else _draw_boards(diagram)
    final = image.reduce(_SCALE).quantize(_PALETTE_SIZE, Image.Quantize.FASTOCTREE)
    png = io.BytesIO()
    final.save(png, "PNG")
    return png.getvalue()


def _draw_tree(tree: DiagramNode) -> Image.Image:
    has_captions = any(node.caption for node in tree.walk())
    shape = _NUMBERS if tree.board is None else _board_shape(has_captions=has_captions)
    columns_width = _columns(tree) * shape.column
    height = 2 * _MARGIN + _depth(tree) * shape.level - shape.branch
    width = max(_LEGEND_WIDTH + columns_width + _MARGIN, _MIN_WIDTH, round(height / _MAX_ASPECT))
    image = Image.new("RGB", (width, height), _BACKGROUND)
    left = _LEGEND_WIDTH + (width - _LEGEND_WIDTH - columns_width) / 2
    placed = _place(tree, left, _MARGIN, shape)
    _Pen(ImageDraw.Draw(image)).draw_tree(placed, shape, has_captions=has_captions)
    return image


def _columns(node: DiagramNode) -> int:
    """The width of a tree, in nodes side by side."""
    return max(sum(map(_columns, node.children)), 1)


def _depth(node: DiagramNode) -> int:
    return 1 + max(map(_depth, node.children), default=0)


def _place(node: DiagramNode, left: float, top: float, shape: _Shape) -> _Placed:
    """Place a tree from `left` on."""
    children: list[_Placed] = []
    below = left
    for child in node.children:
        children.append(_place(child, below, top + shape.level, shape))
        below += _columns(child) * shape.column
    middle = (children[0].x + children[-1].x) / 2 if children else left + shape.column / 2
    return _Placed(node, middle, top, tuple(children))


def _draw_boards(boards: Sequence[LabelledBoard]) -> Image.Image:
    """Draw large boards, one beside the other."""
    step = _LARGE_BOARD_SIZE + _LARGE_BOARD_GAP
    caption = _CAPTION_HEIGHT if any(board.caption for board in boards) else 0
    heights = [_large_cell(board.board) * board.board.rules.rows for board in boards]
    height = max(heights) + caption + 2 * _MARGIN
    image = Image.new("RGB", (_MIN_WIDTH, round(height)), _BACKGROUND)
    pen = _Pen(ImageDraw.Draw(image))
    left = (_MIN_WIDTH - len(boards) * step + _LARGE_BOARD_GAP) / 2
    for board in boards:
        pen.draw_labelled_board(board, left, _MARGIN)
        left += step
    return image


def _large_cell(board: Board) -> float:
    return _LARGE_BOARD_SIZE / board.rules.columns


class _Pen:
    """Draws the parts of a diagram."""

    def __init__(self, canvas: ImageDraw.ImageDraw) -> None:
        self._canvas = canvas
        self._font = ImageFont.load_default(_FONT_SIZE)
        self._small_font = ImageFont.load_default(_SMALL_FONT_SIZE)

    def draw_tree(self, root: _Placed, shape: _Shape, *, has_captions: bool) -> None:
        nodes = list(root.walk())
        for node in nodes:
            self._draw_branches(node, shape)
        for node in nodes:
            self._draw_node(node, shape)
        for y in sorted({node.y for node in nodes}):
            marks = [node.node.to_move for node in nodes if node.y == y and node.node.to_move]
            if marks:
                self._draw_legend(y + shape.height / 2, marks[0], has_values=has_captions)

    def _draw_branches(self, parent: _Placed, shape: _Shape) -> None:
        start = (parent.x, parent.y + shape.level - shape.branch)
        for child in parent.children:
            is_cut = child.node.style is NodeStyle.CUT
            colour, width = _GRID_COLOUR, _BRANCH_WIDTH
            if child.node.style in _DIM:
                colour = _CUT_COLOUR
            elif child.node.is_chosen:
                colour, width = _CHOSEN_COLOUR, _CHOSEN_BRANCH_WIDTH
            end = (child.x, child.y - _BRANCH_GAP)
            self._line(start, end, colour, width)
            if is_cut and parent.node.style is not NodeStyle.CUT:
                self._cut_sign((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)

    def _cut_sign(self, x: float, y: float) -> None:
        """Two strokes across a branch, as textbooks mark a cut."""
        for middle in (y - _CUT_SIGN_GAP / 2, y + _CUT_SIGN_GAP / 2):
            start = (x - _CUT_SIGN_RADIUS, middle + _CUT_SIGN_RISE)
            end = (x + _CUT_SIGN_RADIUS, middle - _CUT_SIGN_RISE)
            self._line(start, end, _TEXT_COLOUR, _CUT_SIGN_WIDTH)

    def _draw_node(self, placed: _Placed, shape: _Shape) -> None:
        node = placed.node
        left, top = placed.x - shape.width / 2, placed.y
        is_dim = node.style in _DIM
        if node.style is NodeStyle.CURRENT:
            self._ring(left, top, shape.width, shape.height)
        if node.board is None:
            box = ((left, top), (left + shape.width, top + shape.height))
            colour = _CUT_COLOUR if is_dim else _GRID_COLOUR
            self._canvas.rounded_rectangle(box, _CORNER_RADIUS, outline=colour, width=_GRID_WIDTH)
            self._text(node.caption, placed.x, top + shape.height / 2)
            return
        if node.action is not None and not is_dim:
            self._highlight(node.board, node.action, left, top, _CELL_SIZE)
        self._draw_board(node.board, left, top, _CELL_SIZE, is_dim=is_dim)
        self._text(node.caption, placed.x, top + shape.height + _CAPTION_HEIGHT / 2)

    def draw_labelled_board(self, labelled: LabelledBoard, left: float, top: float) -> None:
        board, size = labelled.board, _large_cell(labelled.board)
        if labelled.current is not None:
            self._highlight(board, labelled.current, left, top, size)
        self._draw_board(board, left, top, size, is_dim=False)
        for cell, text in labelled.texts:
            x, y = _middle(board, cell, left, top, size)
            self._text(text, x, y, is_small=board.rules.columns > _COLUMNS_WITH_LARGE_TEXTS)
        if labelled.current is not None:
            row, column = divmod(labelled.current, board.rules.columns)
            inner = size - 2 * _RING_GAP
            at = (left + column * size + _RING_GAP, top + row * size + _RING_GAP)
            self._ring(*at, inner, inner)
        middle = left + _LARGE_BOARD_SIZE / 2
        below = top + size * board.rules.rows + _CAPTION_HEIGHT / 2 + _RING_GAP
        self._text(labelled.caption, middle, below, is_small=True)

    def _ring(self, left: float, top: float, width: float, height: float) -> None:
        ring = (
            (left - _RING_GAP, top - _RING_GAP),
            (left + width + _RING_GAP, top + height + _RING_GAP),
        )
        self._canvas.rounded_rectangle(
            ring, _CORNER_RADIUS, outline=_CURRENT_COLOUR, width=_RING_WIDTH
        )

    def _highlight(self, board: Board, cell: Cell, left: float, top: float, size: float) -> None:
        row, column = divmod(cell, board.rules.columns)
        x, y = left + column * size, top + row * size
        self._canvas.rounded_rectangle(
            ((x, y), (x + size, y + size)), _CORNER_RADIUS, fill=_LAST_MOVE_COLOUR
        )

    def _draw_board(
        self, board: Board, left: float, top: float, size: float, *, is_dim: bool
    ) -> None:
        rules = board.rules
        right, bottom = left + rules.columns * size, top + rules.rows * size
        for column in range(1, rules.columns):
            x = left + column * size
            self._line((x, top), (x, bottom), _GRID_COLOUR, _GRID_WIDTH)
        for row in range(1, rules.rows):
            y = top + row * size
            self._line((left, y), (right, y), _GRID_COLOUR, _GRID_WIDTH)
        for mark in Mark:
            colour = _CUT_COLOUR if is_dim else _MARK_COLOURS[mark]
            for cell in board.held_by(mark):
                self._mark(mark, *_middle(board, cell, left, top, size), size, colour)
        outcome = board.outcome()
        if outcome and outcome.line and not is_dim:
            first, *_, last = (_middle(board, cell, left, top, size) for cell in outcome.line)
            self._line(first, last, _TEXT_COLOUR, _WIN_WIDTH)

    def _mark(self, mark: Mark, x: float, y: float, size: float, colour: str) -> None:
        radius = size * 0.37
        if mark is Mark.O:
            self._canvas.circle((x, y), radius + 2 * _SCALE, outline=colour, width=_MARK_WIDTH)
            return
        left, right, top, bottom = x - radius, x + radius, y - radius, y + radius
        self._line((left, top), (right, bottom), colour, _MARK_WIDTH)
        self._line((left, bottom), (right, top), colour, _MARK_WIDTH)

    def _text(self, text: str, x: float, y: float, *, is_small: bool = False) -> None:
        """Values stand out by their colour from names."""
        if not text:
            return
        colour = _CURRENT_COLOUR if text.isalpha() else _TEXT_COLOUR
        if text == CUT_SIGN:
            colour = _GRID_COLOUR
        font = self._small_font if is_small else self._font
        size = _SMALL_FONT_SIZE if is_small else _FONT_SIZE
        bare = text.replace("≤", "<").replace("≥", ">")
        self._canvas.text((x, y), bare, fill=colour, font=font, anchor="mm")
        if bare != text:  # the font has no sign with a bar
            index = next(index for index, sign in enumerate(text) if sign in "≤≥")
            start = x - font.getlength(bare) / 2 + font.getlength(bare[:index])
            below = y + size * _BAR_DROP
            end = (start + font.getlength(bare[index]), below)
            self._line((start, below), end, colour, _GRID_WIDTH)

    def _draw_legend(self, middle: float, mark: Mark, *, has_values: bool) -> None:
        """Draw beside a level whose turn it is and, with values, whether that is max or min."""
        x = _LEGEND_WIDTH / 2
        if has_values:
            name = "max" if mark is Mark.X else "min"
            at = (x, middle + _LEGEND_OFFSET)
            self._canvas.text(at, name, fill=_TEXT_COLOUR, font=self._small_font, anchor="mm")
            middle -= _LEGEND_OFFSET
        self._mark(mark, x, middle, _CELL_SIZE, _MARK_COLOURS[mark])

    def _line(self, start: Point, end: Point, colour: str, width: int) -> None:
        self._canvas.line((start, end), fill=colour, width=width)


def _middle(board: Board, cell: Cell, left: float, top: float, size: float) -> Point:
    row, column = divmod(cell, board.rules.columns)
    return left + (column + 0.5) * size, top + (row + 0.5) * size

"""Draws the images of the bot's own emojis, coordinates and marks, and its avatar.

Emojis have a transparent background, and an outline, so that they can be read on any. Existing
images are never drawn again: bots have uploaded them under their names, so a new image needs a new
name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import simcord.preview
from playwright.async_api import Page

from bot.messaging.emojis import IMAGES
from bot.playground import AVATAR
from bot.views.symbols import CellState, mark_emoji
from engine import Mark

SIZE = 128
"""The size in pixels at which Discord keeps emojis; on a button they are about twenty wide."""
FONT = Path(simcord.preview.__file__).parent / "static" / "fonts" / "noto-sans-latin-v2.015.ttf"
OUTLINE = 16
"""How much wider the outline is than the stroke."""
DARK = "#101218"
COLOURS = {Mark.X: "#ffd43b", Mark.O: "#4dd4ff"}
SHAPES = {
    Mark.X: '<path d="M32 32 96 96M96 32 32 96"/>',
    Mark.O: '<circle cx="64" cy="64" r="38"/>',
}
MARK_WIDTH = 24
UNDERLINE = '<path d="M20 114H108"/>'
UNDERLINE_WIDTH = 12
FRAME = '<rect x="13" y="13" width="102" height="102" rx="20"/>'
FRAME_WIDTH = 9
DASHES = {Mark.X: "1 44.2", Mark.O: "1 38.8"}
"""The length of a dash and of a gap: a cross is drawn with five dots, a circle with six."""
DOT_WIDTH = 28
COORDINATE = ("#c9cbd5", "#3f414a")
"""Fill and outline, fainter than those of a mark."""
THIN_OUTLINE = 11
AVATAR_SIZE = 512
AVATAR_BACKGROUND = "#35337a"
AVATAR_GRID = "#c9cbd5"
GRID_LINES = (47, 81)
GRID_ENDS = (17, 111)
CELL_MIDDLES = (31, 64, 97)


def stroked(shape: str, colour: str, width: int, more: str = "") -> str:
    """Draw a shape in a colour, above the same shape as its dark outline."""
    attributes = f'fill="none" stroke-linecap="round" {more}'
    outline = f'<g {attributes} stroke="{DARK}" stroke-width="{width + OUTLINE}">{shape}</g>'
    return f'{outline}<g {attributes} stroke="{colour}" stroke-width="{width}">{shape}</g>'


def scaled(drawing: str, scale: float, y: int) -> str:
    """Scale a drawing, and centre it at a height."""
    return f'<g transform="translate(64 {y}) scale({scale}) translate(-64 -64)">{drawing}</g>'


def mark_drawing(mark: Mark, state: CellState) -> str:
    """Draw a mark; its state changes the shape, not the colour."""
    shape, colour = SHAPES[mark], COLOURS[mark]
    drawing = stroked(shape, colour, MARK_WIDTH)
    match state:
        case CellState.PLAIN:
            return drawing
        case CellState.LAST:
            return scaled(drawing, 0.8, 50) + stroked(UNDERLINE, colour, UNDERLINE_WIDTH)
        case CellState.LINE:
            return stroked(FRAME, colour, FRAME_WIDTH) + scaled(drawing, 0.7, 64)
        case CellState.VANISHING:
            return stroked(shape, colour, DOT_WIDTH, f'stroke-dasharray="{DASHES[mark]}"')


def coordinate_drawing(name: str) -> str:
    fill, outline = COORDINATE
    font = 'font-family="Drawn" font-size="78" font-weight="700" letter-spacing="6"'
    stroke = f'stroke="{outline}" stroke-width="{THIN_OUTLINE}" stroke-linejoin="round"'
    return (
        f'<text x="67" y="91" text-anchor="middle" {font} fill="{fill}" {stroke} '
        f'paint-order="stroke">{name}</text>'
    )


def avatar_drawing() -> str:
    """Draw a board in the circle that Discord cuts out, with the same marks."""
    cells = {(0, 0): Mark.X, (1, 1): Mark.O, (2, 0): Mark.O, (2, 2): Mark.X}
    grid = "".join(
        f'<path d="M{at} {GRID_ENDS[0]}V{GRID_ENDS[1]}M{GRID_ENDS[0]} {at}H{GRID_ENDS[1]}"/>'
        for at in GRID_LINES
    )
    marks = "".join(
        f'<g transform="translate({CELL_MIDDLES[column]} {CELL_MIDDLES[row]}) scale(.25) '
        f'translate(-64 -64)" fill="none" stroke-linecap="round" stroke="{COLOURS[mark]}" '
        f'stroke-width="{MARK_WIDTH}">{SHAPES[mark]}</g>'
        for (column, row), mark in cells.items()
    )
    return (
        f'<rect width="128" height="128" fill="{AVATAR_BACKGROUND}"/>'
        f'<g stroke="{AVATAR_GRID}" stroke-width="4" stroke-linecap="round">{grid}</g>{marks}'
    )


def drawings() -> Iterator[tuple[Path, int, str]]:
    """Yield the file of each image, its size, and its drawing as SVG without the root element."""
    marks = {
        mark_emoji(mark, state): mark_drawing(mark, state) for mark in Mark for state in CellState
    }
    for name, path in IMAGES.items():
        yield path, SIZE, marks.get(name) or coordinate_drawing(name)
    yield AVATAR, AVATAR_SIZE, avatar_drawing()


async def draw_missing(page: Page) -> None:
    """Render the images that are not there yet."""
    for path, size, drawing in drawings():
        if path.exists():
            continue
        await page.set_viewport_size({"width": size, "height": size})
        root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        # Only a page from the file system may load the font.
        source = path.with_suffix(".html")
        font = f'@font-face {{ font-family: Drawn; src: url("{FONT.as_uri()}") }}'
        style = f"{font} * {{ margin: 0 }} svg {{ display: block }}"
        source.write_text(f"<style>{style}</style>{root}{drawing}</svg>", encoding="utf-8")
        await page.goto(source.as_uri())
        await page.evaluate("document.fonts.ready")
        await page.screenshot(path=path, omit_background=True)
        source.unlink()

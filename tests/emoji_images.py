"""Draws the images of the bot's own emojis: coordinates and marks, with a transparent background.

They have an outline, so that they can be read on any background. Existing images are never drawn
again: bots have uploaded them under their names, so a new image needs a new name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import simcord.preview
from playwright.async_api import Page

from bot.messaging.emojis import IMAGES
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


def drawings() -> Iterator[tuple[str, str]]:
    """Yield the name of each emoji, and its drawing as SVG without the root element."""
    marks = {
        mark_emoji(mark, state): mark_drawing(mark, state) for mark in Mark for state in CellState
    }
    for name in IMAGES:
        yield name, marks.get(name) or coordinate_drawing(name)


async def draw_missing(page: Page) -> None:
    """Render the emojis that have no image yet."""
    await page.set_viewport_size({"width": SIZE, "height": SIZE})
    for name, drawing in drawings():
        if IMAGES[name].exists():
            continue
        root = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">'
        # Only a page from the file system may load the font.
        source = IMAGES[name].with_suffix(".html")
        font = f'@font-face {{ font-family: Drawn; src: url("{FONT.as_uri()}") }}'
        style = f"{font} * {{ margin: 0 }}"
        source.write_text(f"<style>{style}</style>{root}{drawing}</svg>", encoding="utf-8")
        await page.goto(source.as_uri())
        await page.evaluate("document.fonts.ready")
        await page.screenshot(path=IMAGES[name], omit_background=True)
        source.unlink()

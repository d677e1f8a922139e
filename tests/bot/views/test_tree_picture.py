"""Diagrams: small, alike for the same tree, and readable on any theme."""

from __future__ import annotations

import asyncio
import io
import random
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from PIL import Image, ImageChops

from bot.domain.tree_diagram import DiagramNode, NodeStyle
from bot.domain.tutorial import EXAMPLE_GAME, Chapter, TutorialPage
from bot.features.tutorial import page_content, picture_of
from bot.views.tree_picture import draw
from engine import MOST_LEAVES, Board
from tests.bot.tutorial_contents import content_of, tutorial_contents
from tests.bot.workers import kept_engine


@cache
def pictures() -> dict[DiagramNode, bytes]:
    """The pictures of all pages, by what they show."""
    diagrams = {lesson.diagram for lesson in tutorial_contents()}
    return {diagram: draw(diagram) for diagram in diagrams if diagram is not None}


Colour = tuple[int, int, int]
INKS: list[Colour] = [(255, 212, 59), (77, 212, 255)]
"""The colours of ❌ and ⭕, as in the bot's own emojis."""
PHONE_WIDTH = 390
LEAF = DiagramNode(Board.parse("x.. ... ..."))
WIDEST = DiagramNode(Board(), children=(DiagramNode(Board(), children=(LEAF,) * MOST_LEAVES),))

STYLES = DiagramNode(
    Board.parse("xx. oo. ..."),
    captions=("1",),
    style=NodeStyle.CURRENT,
    children=(
        DiagramNode(Board.parse("xxx oo. ..."), 2, ("1", "alpha"), is_chosen=True),
        DiagramNode(
            Board.parse("xx. oo. x.."),
            6,
            ("-1",),
            children=(DiagramNode(Board.parse("xx. ooo x.."), 5, ("-1",), is_chosen=True),),
        ),
        DiagramNode(
            Board.parse("xx. oox ..."),
            5,
            style=NodeStyle.CUT,
            children=(DiagramNode(Board.parse("xxo oox ..."), 2, style=NodeStyle.CUT),) * 2,
        ),
    ),
)
STAGGERED = DiagramNode(
    Board(),
    children=(
        DiagramNode(Board.parse("x.. ... ..."), 0, ("max",), children=(LEAF,) * 8),
        DiagramNode(Board.parse("... .x. ..."), 4, children=(LEAF,) * 6),
    ),
)
WIDE = DiagramNode(Board(), children=(*[LEAF] * 6, DiagramNode(Board(), children=(LEAF,))))
REFERENCES = Path(__file__).with_name("diagrams")


def distance(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png), formats=["PNG"])


def counted(image: Image.Image) -> dict[Colour, int]:
    """How many pixels there are of each colour."""
    found: dict[Colour, int] = {}
    for count, colour in image.convert("RGB").getcolors() or []:
        assert isinstance(colour, tuple)
        red, green, blue = colour
        found[red, green, blue] = count
    return found


def luminance(colour: Colour) -> float:
    """Relative luminance, as WCAG 2 has it."""
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Colour, other: Colour) -> float:
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_diagram_is_small_and_fits_the_height_of_a_phone() -> None:
    for png in pictures().values():
        image = opened(png)
        assert len(png) < 40_000
        assert 400 <= image.width <= 800, "a board takes an eighth of it"
        assert image.height <= image.width * 1.2


def test_marks_are_readable_on_a_phone() -> None:
    image = opened(draw(WIDEST)).convert("RGB")
    pixels = [(x, y) for x in range(image.width) for y in range(image.height)]
    cross = [x for x, y in pixels if distance(cast("Colour", image.getpixel((x, y))), INKS[0]) < 9]
    leftmost = [x for x in cross if x - min(cross) < image.width // 12]
    assert (max(leftmost) - min(leftmost)) * PHONE_WIDTH / image.width >= 14


def test_a_diagram_has_its_own_background_and_contrasting_marks() -> None:
    for diagram, png in pictures().items():
        image = opened(png)
        assert "transparency" not in image.info, "so that it looks alike on light and dark"
        colours = counted(image)
        ground = max(colours, key=lambda colour: colours[colour])
        for ink in INKS:
            assert contrast(ink, ground) > 4.5
            drawn = any(distance(ink, colour) < 12 for colour in colours)
            assert drawn or not diagram.board.plies


def test_nothing_in_a_diagram_reaches_its_edge() -> None:
    for png in pictures().values():
        image = opened(png).convert("RGB")
        width, height = image.size
        edges = [(0, 0, 4, height), (width - 4, 0, width, height)]
        edges += [(0, 0, width, 4), (0, height - 4, width, height)]
        assert [len(counted(image.crop(edge))) for edge in edges] == [1] * 4


@pytest.mark.parametrize(
    ("name", "root"), [("styles", STYLES), ("staggered", STAGGERED), ("wide", WIDE)]
)
def test_a_diagram_looks_like_its_reference(name: str, root: DiagramNode, tmp_path: Path) -> None:
    """After a change that is meant, look at the new picture and put it in place of the old one."""
    drawn_file = tmp_path / f"{name}.png"
    drawn_file.write_bytes(draw(root))
    drawn, reference = (
        Image.open(folder / drawn_file.name).convert("RGB") for folder in (tmp_path, REFERENCES)
    )
    assert drawn.size == reference.size, drawn_file
    difference = ImageChops.difference(drawn, reference).tobytes()
    assert max(difference) < 24, drawn_file  # edges may be smoothed otherwise elsewhere


def test_different_diagrams_are_different_images() -> None:
    assert len(pictures()) == len(set(pictures().values())) > 30


def test_the_same_diagram_is_drawn_once_and_cached() -> None:
    async def twice() -> list[bytes | None]:
        engine = kept_engine(random.Random(1))
        try:
            content = await page_content(TutorialPage(EXAMPLE_GAME, Chapter.TREE), engine)
            return [await picture_of(content, engine) for _ in range(2)]
        finally:
            engine.close()

    first, second = asyncio.run(twice())
    assert first is second
    diagram = content_of(EXAMPLE_GAME, Chapter.TREE).diagram
    assert diagram is not None
    assert draw(diagram) == first

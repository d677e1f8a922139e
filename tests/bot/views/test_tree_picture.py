"""Diagrams: small, alike for the same tree, and readable on any theme."""

from __future__ import annotations

import asyncio
import io
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.domain.tree_diagram import (
    CUT_SIGN,
    Diagram,
    DiagramNode,
    LabelledBoard,
    NodeStyle,
)
from bot.domain.tutorial import EXAMPLE_GAME, Chapter, TutorialPage
from bot.features.tutorial import page_content, picture_of
from bot.views.tree_picture import draw
from engine import Board, Mark, Rules
from tests.bot.tutorial_contents import content_of, tutorial_contents
from tests.bot.workers import kept_engine


@cache
def pictures() -> dict[Diagram, bytes]:
    """The pictures of one page of each chapter about each game, by what they show."""
    diagrams = {(each.page.chapter, each.page.record): each.diagram for each in tutorial_contents()}
    return {diagram: draw(diagram) for diagram in diagrams.values() if diagram}


YELLOW = "#ffd43b"
"""The colour of ❌, as in the bot's own emojis."""
PHONE_WIDTH = 390
X, O = Mark.X, Mark.O  # noqa: E741 - the mark is called O


def board(drawing: str, **look: Any) -> DiagramNode:
    position = Board.parse(drawing)
    mover = None if position.is_terminal else position.to_move
    return DiagramNode(position, mover, **look)


LEAF = board("x.. ... ...")
WIDEST: Diagram = board("... ... ...", children=(board("x.. ... ...", children=(LEAF,) * 6),))

STYLES: Diagram = board(
    "xx. oo. ...",
    caption="≥0",
    style=NodeStyle.CURRENT,
    children=(
        board("xxx oo. ...", action=2, caption="+1", is_chosen=True),
        board(
            "xx. oo. x..",
            action=6,
            caption="≤-1",
            children=(board("xx. ooo x..", action=5, caption="-1", is_chosen=True),),
        ),
        board(
            "xx. oox ...",
            action=5,
            style=NodeStyle.CUT,
            children=(board("xxo oox ...", action=2, style=NodeStyle.CUT),) * 2,
        ),
        board("xx. oo. .x.", action=7, style=NodeStyle.UNREAD, caption="a"),
    ),
)
NUMBERS: Diagram = DiagramNode(
    None,
    X,
    caption="≥3",
    children=(
        DiagramNode(None, O, caption="3", children=(DiagramNode(None, None, caption="-19"),)),
        DiagramNode(
            None,
            O,
            caption="≤2",
            style=NodeStyle.CURRENT,
            children=(
                DiagramNode(None, None, caption="2"),
                DiagramNode(None, None, style=NodeStyle.CUT),
            ),
        ),
    ),
)
LARGE_BOARD = Board.parse("xo... ..... ..x.. ..... .....", Rules(5, 5, 4))
LARGE: Diagram = (
    LabelledBoard(LARGE_BOARD, ((2, "≤+1"), (3, "-14"), (24, "0")), 2, "min ≤0"),
    LabelledBoard(Board.parse("xo. .x. ..o"), ((2, "+1"), (3, CUT_SIGN)), caption="max ?"),
)
REFERENCES = Path(__file__).with_name("diagrams")


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png), formats=["PNG"])


def test_every_diagram_is_small_and_fits_the_height_of_a_phone() -> None:
    for png in pictures().values():
        image = opened(png)
        assert len(png) < 40_000
        assert 700 <= image.width <= 1020, "a board takes a tenth of it"
        assert image.height <= image.width * 0.58 + 1, "with a question and its answers"
        assert "transparency" not in image.info, "so that it looks alike on light and dark"


def test_marks_are_readable_on_a_phone() -> None:
    image = opened(draw(WIDEST)).convert("RGB")
    distance = ImageChops.difference(image, Image.new("RGB", image.size, YELLOW)).convert("L")
    crosses = distance.point([255] * 9 + [0] * 247)
    left, top, *_ = crosses.getbbox() or (0, 0)
    leftmost = crosses.crop((left, top, left + image.width // 12, image.height)).getbbox()
    assert leftmost is not None
    assert leftmost[2] * PHONE_WIDTH / image.width >= 10


def test_nothing_in_a_diagram_reaches_its_edge() -> None:
    for png in pictures().values():
        image = opened(png).convert("RGB")
        width, height = image.size
        edges = [(0, 0, 4, height), (width - 4, 0, width, height)]
        edges += [(0, 0, width, 4), (0, height - 4, width, height)]
        assert [len(image.crop(edge).getcolors() or ()) for edge in edges] == [1] * 4


@pytest.mark.parametrize(
    ("name", "diagram"),
    [("styles", STYLES), ("numbers", NUMBERS), ("large", LARGE)],
)
def test_a_diagram_looks_like_its_reference(name: str, diagram: Diagram, tmp_path: Path) -> None:
    """After a change that is meant, look at the new picture and put it in place of the old one."""
    drawn_file = tmp_path / f"{name}.png"
    drawn_file.write_bytes(draw(diagram))
    drawn, reference = (
        Image.open(folder / drawn_file.name).convert("RGB") for folder in (tmp_path, REFERENCES)
    )
    assert drawn.size == reference.size, drawn_file
    difference = ImageChops.difference(drawn, reference).tobytes()
    assert max(difference) < 24, drawn_file  # edges may be smoothed otherwise elsewhere


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
    assert draw(diagram) == first

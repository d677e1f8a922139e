"""How a press comes from its button to its answer."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from tests.bot.house import House

ROOT = Path(__file__).parents[2]
DOOR = r"^\| \[.*?\]\(\.\./(\S+)\)"
MODULE = r"\(\.\./(bot/\S+\.py)\)"
ELSEWHERE = ("bot/game/", "bot/playground/", "bot/commands/counting.py")
"""Values; the world of the simulation; and what is done behind the answer."""

MOST_DOORS = 9


class Trace:
    """The modules of the bot that are entered while `is_on`."""

    def __init__(self) -> None:
        self.is_on = False
        self.modules: set[str] = set()

    def __call__(self, frame: FrameType, event: str, _value: object) -> None:
        if self.is_on and event == "call":
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(ROOT / "bot"):
                self.modules.add(path.relative_to(ROOT).as_posix())


@pytest.fixture
def trace() -> Iterator[Trace]:
    """To be asked for before the house, whose threads are traced from their start."""
    trace = Trace()
    threading.setprofile(trace)
    sys.setprofile(trace)
    yield trace
    sys.setprofile(None)
    threading.setprofile(None)


def section(heading: str) -> str:
    text = (ROOT / "docs/BUILT.md").read_text(encoding="utf-8")
    return text.split(f"## {heading}\n")[1].split("\n## ")[0]


async def test_a_press_passes_the_doors_that_the_docs_list_and_enters_no_other_module(
    trace: Trace, house: House
) -> None:
    described = section("The path of a press")
    doors = re.findall(DOOR, described, re.MULTILINE)
    await house.start(house.ana)

    trace.is_on = True
    await house.press(house.ana, "B2")
    trace.is_on = False

    assert house.seen().board.count("o") == 1
    assert len(doors) == MOST_DOORS
    assert set(doors) <= trace.modules
    entered = {name for name in trace.modules if not name.startswith(ELSEWHERE)}
    assert entered <= set(re.findall(MODULE, described))

"""`/velha learn`, as people see it."""

from __future__ import annotations

import pytest

from bot.domain.ids import custom_id
from bot.domain.tutorial import EXAMPLE_GAME, Chapter, TutorialPage
from engine import (
    INFINITE,
    Record,
)
from tests.bot.house import Seen, SimulatedGuild, told


def shown_picture(house: SimulatedGuild, seen: Seen) -> str:
    """The address of the one picture that a message shows, which is attached to it."""
    [gallery] = [item for item in seen.payload["components"][0]["components"] if item["type"] == 12]
    [item] = gallery["items"]
    [attached] = seen.payload["attachments"]
    assert item["media"]["url"] == attached["url"]
    assert item["description"].startswith("Game tree. ")
    png = house.env.backend.cdn.get(attached["url"])
    assert png is not None
    assert png.startswith(b"\x89PNG")
    return str(attached["url"])


async def press_all(house: SimulatedGuild, *labels: str) -> list[str]:
    """What the lesson said after each press."""
    said = []
    for label in labels:
        await house.press(house.ben, label, house.lesson())
        said.append(house.lesson().text)
    return said


async def test_each_step_down_the_tree_and_up_again_has_a_diagram(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha learn")
    first = house.lesson()
    assert first.text.startswith("## 1/9 · The game tree\n")
    assert first.board == ".o. .ox xxo"
    pictures = {shown_picture(house, first)}
    boards = []
    for label in ("A1", "C1", "A2", "Up", "Up", "Up"):
        await house.press(house.ben, label, house.lesson())
        pictures.add(shown_picture(house, house.lesson()))
        boards.append(house.lesson().board)
    down = ["xo. .ox xxo", "xoo .ox xxo", "xoo xox xxo"]
    assert boards == [*down, *down[1::-1], first.board]
    assert len(pictures) == 7, "each edit brings its own"
    assert house.lesson().id == first.id, "all in one message"
    assert "Up" not in house.lesson().labels


async def test_a_leaf_says_who_has_won_and_a_mark_leads_back_to_where_it_was_made(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha learn")
    *_, leaf = await press_all(house, "A1", "C1", "A2")
    assert "❌ has won. This is a **leaf**" in leaf
    await house.press(house.ben, "C1", house.lesson())  # its mark
    assert house.lesson().board == "xo. .ox xxo"


async def test_wrong_and_right_answers_are_explained_along_the_whole_path(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha learn")
    asked, wrong, right = await press_all(house, "Next", "+1", "0")
    assert "Which number goes here?" in asked
    assert "Not quite. ⭕ takes the **smallest** (min): **0**, with **A2**." in wrong
    assert "Right! ⭕ takes the **smallest**" in right
    top, told = await press_all(house, "Up", "0")
    assert "Which number goes here?" in top
    assert "Right! ❌ takes the **largest** (max): **0**, with **A1**." in told
    asked, wrong, right = await press_all(house, "Next", "b", "a")
    assert "What can you skip: **a**, **b**, or both?" in asked
    assert "Not quite: **b** might have been better." in wrong
    assert "Right! ❌ is sure of 0 (**alpha**)" in right
    asked, wrong, right = await press_all(house, "Next", "10", "4")
    assert "How many visits does alpha-beta save?" in asked
    assert wrong.split("Count")[1] == right.split("Count")[1]
    assert "Count the grey boards: **4**. Alpha-beta makes **10** visits" in right


async def test_the_later_chapters_can_be_stepped_through(house: SimulatedGuild) -> None:
    await house.ben.slash(house.channel, "velha learn")
    sooner = TutorialPage(EXAMPLE_GAME, Chapter.FASTEST_WIN)
    await house.press_forged(house.ben, custom_id(sooner, 0), house.lesson())
    assert house.lesson().payload["attachments"] != []
    wrong, right = await press_all(house, "A2", "C3")
    assert "Not quite. **C3** wins now, A2 only later." in wrong
    assert "Right! **C3** wins now" in right
    one, three = await press_all(house, "Next", "Depth 3")
    assert house.lesson().payload["attachments"] == [], "no picture is left behind"
    assert "At depth **1**, it picks **B2**" in one
    assert "At depth **3**, it picks **B2**" in three
    one, three = await press_all(house, "Next", "Depth 3")
    assert "takes **C3**" in one
    assert "can force a win" in one
    assert "finds **D1**: a sure win" in three
    [mind] = await press_all(house, "Next")
    assert "How I think" in mind
    assert "Next" not in house.lesson().labels


async def test_a_tutorial_on_a_match_against_the_bot_counts_as_a_hint(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    await house.ana.slash(house.channel, "velha learn")
    asked = house.lesson()
    assert (
        asked.text == "Você está jogando contra mim: uma lição sobre a sua partida conta como dica."
    )
    await house.press(house.ana, "Minha partida (dica)", asked)
    assert house.lesson().board == house.board()
    assert "para quem joga, conta como dica" in house.lesson().text
    await house.resign(house.ana)
    assert "with 1 hint" in house.text()


async def test_a_player_who_wants_no_hint_gets_an_example(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "B2")
    await house.ben.slash(house.channel, "velha learn")
    assert house.lesson().labels == ["An example", "My match (a hint)"]
    await house.press(house.ben, "An example", house.lesson())
    assert house.lesson().board == ".o. .ox xxo"
    await house.resign(house.ben)
    assert "hint" not in house.text()


async def test_an_older_release_s_buttons_lead_to_the_chapters_of_this_one(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "B2")
    await house.ben.slash(house.channel, "velha learn")
    for chapter, title in enumerate(("The game tree", "What the numbers mean"), 1):
        old = f"velha:learn:{Record(moves=(4, 0)).code}:{chapter}:1"
        await house.press_forged(house.ben, old, house.lesson())
        assert house.lesson().text.startswith(f"## {chapter}/9 · {title}")


async def test_a_tutorial_for_others_is_not_a_hint(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    await house.ben.slash(house.channel, "velha learn")
    assert house.lesson().board == house.board()
    await house.resign(house.ana)
    assert "hint" not in house.text()


async def test_a_tutorial_is_not_about_a_match_between_people(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.press(house.ana, "B2")
    await house.ben.slash(house.channel, "velha learn")
    assert house.lesson().board == ".o. .ox xxo"


async def test_a_large_board_has_no_diagram(house: SimulatedGuild) -> None:
    await house.start(house.ben, board="5x5x4")
    await house.press(house.ben, "B2")
    await house.ben.slash(house.channel, "velha learn")
    await house.press(house.ben, "My match (a hint)", house.lesson())
    assert house.lesson().board == house.board()
    assert house.lesson().payload["attachments"] == []
    await house.press(house.ben, "Next", house.lesson())
    assert "A1⁰" in house.lesson().buttons
    await house.press(house.ben, "A1⁰", house.lesson())
    await house.press(house.ben, "0", house.lesson())
    assert "Right!" in house.lesson().text


@pytest.mark.parametrize("board", ["3x3x3", "4x4x4"])
async def test_a_tutorial_is_not_about_an_empty_board_and_is_no_hint(
    house: SimulatedGuild, board: str
) -> None:
    await house.start(house.ana, board=board)
    await house.ana.slash(house.channel, "velha learn")
    assert house.lesson().board == ".o. .ox xxo", "so there is an example"
    await house.press(house.ana, "B2")
    await house.resign(house.ana)
    assert "hint" not in house.text()


async def test_too_many_lessons_are_refused_without_a_hint(
    house: SimulatedGuild,
) -> None:
    for _ in range(4):
        await house.ana.slash(house.channel, "velha puzzle")
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    assert "Calma!" in told(await house.ana.slash(house.channel, "velha learn"))
    await house.resign(house.ana)
    assert "hint" not in house.text()


async def test_a_board_to_look_at_is_not_dimmed_and_explains_itself_when_pressed(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha learn")
    limit = TutorialPage(EXAMPLE_GAME, Chapter.LIMIT)
    await house.press_forged(house.ben, custom_id(limit, 0), house.lesson())
    lesson = house.lesson()
    assert {"A1", "B2", "D4", "Next"} <= {*lesson.labels}
    for cell in ("A1", "D4"):
        pressed = await house.press(house.ben, cell, lesson)
        assert told(pressed) == "That one is just for show."


@pytest.mark.parametrize(("board", "is_taught"), [("infinite", False), ("misere", True)])
async def test_a_tutorial_is_about_a_misere_board_but_not_an_infinite_one(
    house: SimulatedGuild,
    board: str,
    is_taught: bool,  # noqa: FBT001
) -> None:
    await house.start(house.ana, board=board, level="IMPOSSIBLE")
    await house.press(house.ana, "A1")
    await house.ben.slash(house.channel, "velha learn")
    shown = house.lesson()
    assert (shown.board == house.board()) is is_taught
    assert is_taught or shown.board == ".o. .ox xxo"
    await house.press(house.ben, "Next", shown)
    assert house.lesson().text.startswith("## 2/9")


async def test_a_forged_tutorial_on_an_endless_tree_is_refused(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    forged = custom_id(TutorialPage(Record(INFINITE, (0,))), 0)
    assert "no longer works" in told(await house.press_forged(house.ben, forged))

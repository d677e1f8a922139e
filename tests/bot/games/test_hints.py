"""Hints in matches, as people see them."""

from __future__ import annotations

import pytest

from tests.bot.simulated_guild import SimulatedGuild


async def test_the_advice_is_played_by_one_press_in_two_requests(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben, level="IMPOSSIBLE")
    board = guild.newest()
    await guild.press(guild.ben, "Hint")
    hint, before = guild.page(), len(guild.requests())
    await guild.press(guild.ben, "A1", hint)
    assert len(guild.requests()) == before + 2
    assert guild.page().id == hint.id, "what has been done takes the place of the hint"
    assert guild.page().text == f"You played **A1**. [Go to the board]({board.link})"
    assert guild.page().buttons == {}
    assert guild.newest().id == board.id
    assert guild.board() == "x.. .o. ..."
    await guild.press(guild.ben, "C3")
    assert guild.board().count("x") == 2, "the board goes on as ever"


async def test_the_first_hint_alone_says_that_the_match_is_just_for_fun(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "Hint")
    first = guild.page()
    assert "-# You've had a hint, so this match is just for fun." in first.text
    await guild.press(guild.ben, "Why?", first)
    assert "just for fun" not in guild.page().text
    await guild.press(guild.ben, "A1", guild.page())
    await guild.press(guild.ben, "Hint")
    second = guild.page()
    assert second.text.endswith("\n-# Press the blue square to play it.")
    assert "just for fun" not in second.text
    assert "just for fun" in guild.text(), "the board has said so since"


async def test_a_board_that_may_not_be_edited_is_reposted(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben, level="IMPOSSIBLE")
    old = guild.newest()
    await guild.press(guild.ben, "Hint")
    guild.fail("/channels/*", (403, 50001))
    await guild.press(guild.ben, "A1", guild.page())
    assert "You played **A1**" in guild.page().text
    assert guild.newest().id > old.id
    assert guild.board() == "x.. .o. ..."
    await guild.press(guild.ben, "C3", old)
    assert guild.newest().link in guild.messages()[0].text, "the old one points to it"
    await guild.press(guild.ben, "C3")
    assert guild.board().count("x") == 2


@pytest.mark.parametrize("label", ["A1", "Why?"])
async def test_an_old_hint_says_that_it_is_old(guild: SimulatedGuild, label: str) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "Hint")
    hint = guild.page()
    await guild.press(guild.ben, "B2")
    stands = guild.board()
    await guild.press(guild.ben, label, hint)
    assert guild.page().id == hint.id
    assert guild.page().text == (
        f"This hint is old. The match has moved on. [Go to the board]({guild.newest().link})"
    )
    assert guild.page().buttons == {}
    assert guild.board() == stands
    await guild.resign(guild.ben)
    assert "with 1 hint" in guild.text()

"""Hints in matches, as people see them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from discord import ButtonStyle

from bot.domain.match_actions import MatchAction, Press
from tests.bot.simulated_guild import SimulatedGuild, private_text


async def test_a_hint_says_one_move_and_why_to_one_person(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    guild.sql("UPDATE matches SET moves = 'A1B1A3A2'")
    before = guild.board()
    await guild.press(guild.ben, "Hint")
    hint = guild.page()
    assert hint.text.splitlines() == [
        "**C3** makes a fork, with two ways to win at the same time.",
        "With best play from here, ❌ wins on its next move.",
        "-# With a hint, this match is just for fun. Press the blue square to play it.",
    ]
    assert hint.board == "xo. o.. x.."
    assert hint.cells_in(ButtonStyle.primary) == ["C3"]
    assert guild.board() == before


async def test_why_shows_what_every_cell_is_worth_in_one_request(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    guild.sql("UPDATE matches SET moves = 'A1B1A3A2'")
    await guild.press(guild.ben, "Hint")
    hint, before = guild.page(), len(guild.requests())
    await guild.press(guild.ben, "Why?", hint)
    assert len(guild.requests()) == before + 1
    why = guild.page()
    assert why.id == hint.id, "it takes the place of the hint"
    assert why.cells_in(ButtonStyle.primary) == ["C3"]
    assert why.cells_in(ButtonStyle.success) == ["B2"]
    assert why.cells_in(ButtonStyle.danger) == ["C1"]
    best, *rest = why.text.splitlines()[1:]
    assert best == (
        "🟦 **C3** makes a fork, with two ways to win at the same time. "
        "With best play from here, ❌ wins on its next move."
    )
    assert rest[:3] == ["🟩 win: B2, C3", "⬜ draw: C2, B3", "🟥 loss: C1"]
    assert rest[3] == (
        "-# With a hint, this match is just for fun. "
        "Press the blue square to play it, another to learn more."
    )
    await guild.resign(guild.ben)
    assert "with 1 hint" in guild.text(), "and is not a second hint"


async def test_pressing_a_cell_of_a_hint_explains_it_and_is_not_a_second_hint(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "Hint")
    hint = guild.page()
    before = len(guild.requests())
    await guild.press(guild.ben, "A2", hint)
    assert len(guild.requests()) == before + 1
    assert guild.page().id == hint.id, "it takes the place of the hint"
    assert "🔎 **A2** takes an edge, where two lines meet. ⭕ can answer: **" in guild.page().text
    await guild.resign(guild.ben)
    assert "with 1 hint" in guild.text()


async def test_a_finished_match_says_how_many_hints_there_were(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    await guild.press(guild.ana, "Hint")
    await guild.press(guild.ana, "B2")
    assert "with a hint: just for fun" in guild.text()
    await guild.press(guild.ana, "Hint")
    await guild.resign(guild.ana)
    assert "with 2 hints" in guild.text()
    await guild.press(guild.ana, "Rematch")
    await guild.resign(guild.ana)
    assert "hint" not in guild.text(), "the rematch was played without"


async def test_a_stranger_gets_no_hint_and_no_reasons(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    hint = Press.parse(guild.newest().buttons["Hint"]["custom_id"])
    assert hint is not None
    for action in (MatchAction.HINT, MatchAction.WHY):
        forged = str(replace(hint, action=action))
        assert "isn't your match" in private_text(await guild.press_forged(guild.ben, forged))
    await guild.resign(guild.ana)
    assert "hint" not in guild.text()


async def test_a_match_that_has_changed_is_shown_instead(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    old = guild.newest()
    await guild.press(guild.ben, "B2")
    assert "out of date" in private_text(await guild.press(guild.ben, "Hint", old))
    await guild.resign(guild.ben)
    assert "hint" not in guild.text(), "it was not given, so it does not count"


async def test_a_hint_is_given_after_a_restart(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, board="4x4x3")
    await guild.restart()
    await guild.press(guild.ana, "Hint")
    await guild.press(guild.ana, "Por quê?", guild.page())
    assert len(guild.page().cells_in(ButtonStyle.success)) == 15
    assert len(guild.page().cells_in(ButtonStyle.primary)) == 1
    assert "🟩" not in guild.page().text, "the sentence about the best cell says it all"


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


async def test_a_hint_is_played_after_a_restart_on_the_board_s_current_message(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben, board="5x5x4")
    await guild.press(guild.ben, "Hint")
    hint = guild.page()
    await guild.ben.slash(guild.channel, "velha board")
    await guild.restart()
    (best,) = hint.cells_in(ButtonStyle.primary)
    await guild.press(guild.ben, best, hint)
    assert sorted(guild.board().replace(" ", ""))[-2:] == ["o", "x"]
    assert f"]({guild.newest().link})" in guild.page().text


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


async def test_a_deleted_board_comes_back_with_the_move(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben, level="IMPOSSIBLE")
    await guild.press(guild.ben, "Hint")
    guild.env.backend.delete_message(guild.channel.id, guild.newest().id)
    await guild.press(guild.ben, "A1", guild.page())
    assert guild.board() == "x.. .o. ..."


@pytest.mark.parametrize("label", ["A1", "C1", "Why?"])
async def test_an_old_hint_says_that_it_is_old(guild: SimulatedGuild, label: str) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "Hint")
    hint = guild.page()
    await guild.press(guild.ben, "B2")
    stands = guild.board()
    await guild.press(guild.ben, label, hint)
    assert guild.page().id == hint.id
    assert guild.page().text == (
        f"This hint is old: the match has moved on. [Go to the board]({guild.newest().link})"
    )
    assert guild.page().buttons == {}
    assert guild.board() == stands
    await guild.resign(guild.ben)
    assert "with 1 hint" in guild.text()


async def test_an_older_hint_says_that_it_is_old(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "Hint")
    old = guild.page()
    await guild.press(guild.ben, "B2")
    await guild.press(guild.ben, "Hint")
    await guild.press(guild.ben, "C1", old)
    assert "This hint is old" in guild.messages(ephemeral=True)[0].text

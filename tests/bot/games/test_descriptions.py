"""A board in words, which one press gives to one person."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.match_actions import MatchAction, Press
from tests.bot.simulated_guild import SimulatedGuild, private_text


async def test_one_press_tells_the_position_in_the_reader_s_language_in_one_request(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    await guild.press(guild.ana, "B2")
    before, board = len(guild.requests()), guild.newest().payload
    said = private_text(await guild.press(guild.ben, "As text"))
    assert len(guild.requests()) == before + 1
    assert said == "X: B2. Your turn, as O. Last move: X, B2."
    said = private_text(await guild.press(guild.rui, "As text"))
    assert said == f"X: B2. Vez de O: <@{guild.ben.id}>. Última jogada: X, B2."
    assert guild.newest().payload == board


async def test_an_old_board_tells_how_the_match_stands_now(guild: SimulatedGuild) -> None:
    await guild.challenge()
    old = guild.newest()
    await guild.press(guild.ana, "B2")
    assert private_text(await guild.press(guild.ben, "As text", old)).startswith("X: B2.")
    await guild.resign(guild.ana)
    assert "O wins" in private_text(await guild.press(guild.ben, "As text", old))
    assert "O wins" in private_text(await guild.press(guild.ben, "As text"))


async def test_a_made_up_match_or_one_of_another_channel_is_not_told(
    guild: SimulatedGuild,
) -> None:
    other = guild.handle.create_text_channel("outro")
    await guild.start(guild.ana)
    await guild.start(guild.ana, channel=other)
    elsewhere = Press.parse(guild.newest(other).buttons["A1"]["custom_id"])
    assert elsewhere is not None
    press = Press(elsewhere.match_id, elsewhere.version, MatchAction.DESCRIBE)
    for forged in (press, replace(press, match_id=7)):
        said = private_text(await guild.press_forged(guild.ben, str(forged)))
        assert said.startswith("I don't know this match.")


async def test_a_cell_cannot_be_asked_about(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    describe = guild.newest().buttons["As text"]["custom_id"]
    said = private_text(await guild.press_forged(guild.ben, f"{describe}:4"))
    assert said.startswith("This button no longer works.")

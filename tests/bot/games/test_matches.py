"""Matches in servers and direct messages, and the commands and menus that start them."""

from __future__ import annotations

import random

import pytest

from tests.bot.simulated_guild import SimulatedGuild, private_text


async def test_threads_and_voice_channels_are_channels_too(guild: SimulatedGuild) -> None:
    for channel in (guild.create_thread(), guild.handle.create_voice_channel("voz")):
        await guild.start(guild.ana, channel=channel)
        await guild.press(guild.ana, "A1", guild.newest(channel))
        assert guild.newest(channel).board.count("x") == 1


async def test_the_bot_can_be_played_in_direct_messages(guild: SimulatedGuild) -> None:
    user = guild.ana.user
    await user.slash("velha start")
    seen = guild.newest(user.dm_channel)
    assert "Vez de" in seen.text, "alone with somebody, the bot speaks their language"
    await guild.press(user, "B2", seen)
    assert guild.newest(user.dm_channel).board.count("o") == 1


async def test_a_double_click_on_a_large_board_is_one_move(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, board="5x5x4")
    await guild.press_at_once((guild.ana, "C3"), (guild.ana, "C3"), (guild.ana, "D4"))
    assert guild.board().count("x") == 1
    assert guild.board().count("o") == 1


async def test_while_the_bot_thinks_others_are_answered(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, board="5x5x4")
    guild.sql("UPDATE matches SET moves = 'A1A3C1A5'")
    there = guild.handle.create_text_channel("outro")
    await guild.start(guild.ben, channel=there)
    slow = guild.send_press(guild.ana, "D5")
    await guild.press(guild.ben, "B2", guild.newest(there))
    assert guild.newest(there).board.count("o") == 1
    await guild.env.settle()
    assert guild.board().replace("o", "", 1).count("o") == 2, "and so is the one who waited"
    answers = [path for _, path in guild.requests() if path.endswith("/callback")]
    assert str(slow.id) in answers[-1], "but last"


async def test_tictactoe_starts_a_match_as_velha_start_does(guild: SimulatedGuild) -> None:
    await guild.ana.slash(guild.channel, "tictactoe")
    assert "(easy)" in guild.text(), "the level that she has to beat"
    await guild.press(guild.ana, "B2")
    assert guild.board().count("o") == 1
    await guild.resign(guild.ana)
    await guild.ana.slash(guild.channel, "tictactoe", board="4x4x3", level="HARD", first="opponent")
    assert "(hard)" in guild.text()
    assert "**4x4 (3 in a row)**" in guild.text()
    assert guild.board().count("x") == 1, "the bot has begun"
    await guild.resign(guild.ana)
    await guild.ana.slash(guild.channel, "tictactoe", opponent=guild.ben)
    assert f"{guild.ben.mention}, {guild.ana.mention} challenges you" in guild.text()


async def test_one_s_own_match_makes_way_for_the_one_that_was_asked_for(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    before = guild.newest()
    await guild.start(guild.ben, board="4x4x3", level="HARD", first="opponent")
    offered = ["Play in private", "Go to the board", "End mine, play here"]
    assert list(guild.page().buttons) == offered
    await guild.press(guild.ben, "End mine, play here", guild.page())
    ended = next(seen for seen in guild.messages() if seen.id == before.id)
    assert f"{guild.ben.mention} resigned." in ended.text
    assert "(hard)" in guild.text()
    assert "**4x4 (3 in a row)**" in guild.text()
    assert guild.board().count("x") == 1, "the bot has begun"
    await guild.press(guild.ben, guild.newest().free[0])
    assert guild.board().count("o") == 1
    await guild.ben.slash(guild.channel, "velha stats")
    assert "**3x3**, easy: 1 loss" in guild.page().text, "it is counted at once"


async def test_the_user_menu_on_the_bot_begins_a_match_against_it(guild: SimulatedGuild) -> None:
    await guild.ana.context_menu(guild.channel, "Challenge to tic-tac-toe", guild.bot_member())
    assert guild.newest().labels == ["Hint", "Resign"]


@pytest.mark.parametrize(("board", "name"), [("infinite", "infinite"), ("misere", "reverse")])
async def test_a_match_against_the_bot_can_be_played_to_its_end(
    guild: SimulatedGuild, board: str, name: str
) -> None:
    await guild.start(guild.ben, board=board, level="IMPOSSIBLE", first="opponent")
    rng = random.Random(board)
    while not any(word in guild.newest().text for word in ("I win", "draw!")):
        await guild.press(guild.ben, rng.choice(guild.newest().free))
    await guild.press(guild.ben, "Review")
    assert f"-# {name}: " in guild.page().text
    await guild.press(guild.ben, "Rematch")
    assert "'s turn" in guild.newest().text


async def test_an_old_board_tells_in_words_how_the_match_stands_now(guild: SimulatedGuild) -> None:
    await guild.challenge()
    old = guild.newest()
    await guild.press(guild.ana, "B2")
    before, board = len(guild.requests()), guild.newest().payload
    assert private_text(await guild.press(guild.ben, "As text", old)).startswith("X: B2.")
    assert len(guild.requests()) == before + 1
    assert guild.newest().payload == board
    await guild.resign(guild.ana)
    assert "O wins" in private_text(await guild.press(guild.ben, "As text", old))

"""Larger boards and the levels, as members choose them and servers settle them."""

from __future__ import annotations

import discord
import pytest

from bot.client.options import BOARDS, LEVELS
from engine import TIC_TAC_TOE, Level, rules_named
from tests.bot.house import SimulatedGuild

NAMES = {
    "4x4x3": "4x4, 3 in a row wins",
    "4x4x4": "4x4, 4 in a row wins",
    "5x5x4": "5x5, 4 in a row wins",
    "5x5x5": "5x5, 5 in a row wins",
    "infinite": "infinite: your fourth mark makes your oldest vanish",
    "misere": "misère: three in a row loses",
}
"""What stands under a board; the usual one needs no name."""


@pytest.mark.parametrize("board", [choice.value for choice in BOARDS])
async def test_every_board_is_played_in_one_message_with_its_controls(
    house: SimulatedGuild, board: str
) -> None:
    await house.start(house.ana, board=board)
    rules = rules_named(board)
    assert house.board() == " ".join(["." * rules.columns] * rules.rows)
    assert house.seen().labels == ["Join", "Hint", "Resign"]
    assert (f"-# {NAMES.get(board, board)}" in house.text()) is (rules != TIC_TAC_TOE)
    before = len(house.requests())
    await house.press(house.ana, "B2")
    assert len(house.requests()) == before + 1, "one request to Discord a move"
    assert sorted(house.board().replace(" ", "").replace(".", "")) == ["o", "x"]


async def test_the_bot_wins_on_a_large_board_when_it_is_let(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="5x5x4", first="opponent")
    while "to move" in house.text():
        await house.press(house.ana, house.seen().free[0])
    assert house.text().splitlines()[0] == f"## 🏆 {house.bot_member().mention} wins!"
    assert len(house.seen().cells_in(discord.ButtonStyle.success)) >= 4


async def test_people_play_each_other_on_a_large_board(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben, board="4x4x3")
    assert "-# 4x4, 3 in a row wins" in house.text()
    await house.press(house.ben, "Accept")
    assert house.seen().labels == ["Resign"], "hints are for matches against the bot"
    for who, cell in ((house.ana, "B2"), (house.ben, "A1"), (house.ana, "C3"), (house.ben, "A2")):
        await house.press(who, cell)
    await house.press(house.ana, "D4")
    assert house.board() == "o... ox.. ..x. ...x"
    assert f"## 🏆 {house.ana.mention} wins!" in house.text()


async def test_a_rematch_is_on_the_same_board(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="4x4x4")
    await house.play((house.ana, "B2"), (house.ana, "Resign"), (house.ana, "Rematch"))
    assert house.board().count("x") == 1
    assert "4x4, 4 in a row wins" in house.text()


async def test_a_large_match_goes_on_after_a_restart(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="5x5x5")
    await house.press(house.ana, "C3")
    await house.restart()
    await house.press(house.ana, "A1")
    assert house.board().count("o") == 2


async def test_a_double_click_on_a_large_board_is_one_move(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="5x5x4")
    await house.press_at_once((house.ana, "C3"), (house.ana, "C3"), (house.ana, "D4"))
    assert house.board().count("x") == 1
    assert house.board().count("o") == 1


async def test_while_the_bot_thinks_others_are_answered(house: SimulatedGuild) -> None:
    await house.start(house.ana, board="5x5x4")
    house.sql("UPDATE matches SET moves = 'A1A3C1A5'")
    there = house.guild.create_text_channel("outro")
    await house.start(house.ben, channel=there)
    slow = house.send_press(house.ana, "D5")
    await house.press(house.ben, "B2", house.seen(there))
    assert house.seen(there).board.count("o") == 1
    await house.env.settle()
    assert house.board().replace("o", "", 1).count("o") == 2, "and so is the one who waited"
    answers = [path for _, path in house.requests() if path.endswith("/callback")]
    assert str(slow.id) in answers[-1], "but last"


@pytest.mark.parametrize("level", [choice.value for choice in LEVELS])
async def test_every_level_plays(house: SimulatedGuild, level: str) -> None:
    await house.start(house.ana, level=level, first="opponent")
    assert house.board().count("x") == 1
    name = Level[level].name.lower().replace("child", "child's play")
    assert f"({name})" in house.text()

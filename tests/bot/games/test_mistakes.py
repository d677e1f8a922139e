"""A match is lost, and its mistakes are tried again."""

from __future__ import annotations

import discord

from tests.bot.simulated_guild import SimulatedGuild

MOVES = ("A1", "B1", "C1", "B2", "A3", "C2", "A2")
"""Ana is X and wins; Ben could have held a draw with his first move, and have won with his last."""


async def lose(guild: SimulatedGuild) -> None:
    await guild.challenge()
    for number, cell in enumerate(MOVES):
        await guild.press(guild.ben if number % 2 else guild.ana, cell)


async def test_mistakes_are_tried_again_from_the_last_matches_to_the_score(
    guild: SimulatedGuild,
) -> None:
    await lose(guild)
    await guild.ben.slash(guild.channel, "velha stats")
    opened = guild.page()
    await guild.press(guild.ben, "My latest matches", opened)
    await guild.press(guild.ben, "My mistakes", guild.page())
    first = guild.page()
    assert first.text.splitlines()[0] == "## Mistake 1"
    assert first.text.splitlines()[1].startswith(f"-# {guild.ana.mention} · you lost · <t:")
    assert first.text.endswith("⭕ could have saved a draw here. How?")
    assert first.board == "x.. ... ..."
    assert "B1" in first.labels, "the mistake is not given away"

    await guild.press(guild.ben, "A3", first)
    assert "💥 **A3** lets ❌ win by threats, starting at B1." in guild.page().text
    before = len(guild.requests())
    await guild.press(guild.ben, "B2", guild.page())
    assert len(guild.requests()) == before + 1
    assert "Move 2, ⭕ B1, turned a draw into a loss.\n🎯 **B2** " in guild.page().text
    assert guild.page().cells_in(discord.ButtonStyle.success) == ["B2"]
    await guild.press(guild.ben, "Next", guild.page())

    assert guild.page().text.startswith("## Mistake 2\n")
    assert guild.page().board == "xox .o. x.."
    await guild.press(guild.ben, "B3", guild.page())
    assert "🎯 **B3** completes a line and wins." in guild.page().text
    await guild.press(guild.ben, "Next", guild.page())
    end = guild.page()
    assert end.text == "## That's all of them\n1 of 2 right first time."
    assert end.id == opened.id
    await guild.press(guild.ben, "Play", end)
    assert guild.newest().free

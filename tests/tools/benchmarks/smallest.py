"""The limit: the smallest bot that does on the screen what Velha does, and nothing else.

It sends the same message: a text, nine cells with emojis, three buttons. Each custom_id holds the
position, to which a press adds a mark and a random reply. It has no rules, languages or database.
"""

from __future__ import annotations

import os
import random
import sys
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from tests.bot.discord_address import use_discord_at

_EMPTY = "." * 9
_MARKS = {"x": "X_", "o": "O_"}
_TEXT = (
    "**❌ <@1>  vs  ⭕ <@2> (impossible)**\n❌ <@1>'s turn. Deadline: <t:1:R>.\n-# last move: ⭕ B1"
)

_emojis: dict[str, str] = {}


def draw(cells: str) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    rows = [
        ui.ActionRow[Any](*(cell_button(cells, cell) for cell in range(start, start + 3)))
        for start in (0, 3, 6)
    ]
    labels = ("Hint", "Resign", "Rematch")
    controls = (ui.Button[Any](custom_id=f"{cells}:{name}", label=name) for name in labels)
    blue = discord.Colour.blurple()
    view.add_item(
        ui.Container(ui.TextDisplay(_TEXT), *rows, ui.ActionRow(*controls), accent_colour=blue)
    )
    view.stop()
    return view


def cell_button(cells: str, cell: int) -> ui.Button[Any]:
    name = _MARKS.get(cells[cell], f"{'ABC'[cell % 3]}{cell // 3 + 1}")
    return ui.Button(custom_id=f"{cells}:{cell}", emoji=_emojis[name])


@app_commands.command()
async def start(interaction: discord.Interaction, level: str | None = None) -> None:
    del level
    await interaction.response.send_message(view=draw(_EMPTY))


class SmallestBot(commands.AutoShardedBot):
    def __init__(self) -> None:
        super().__init__(
            command_prefix="$",
            intents=discord.Intents.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
        )

    async def setup_hook(self) -> None:
        velha = app_commands.Group(name="velha", description="the smallest bot")
        velha.add_command(start)
        self.tree.add_command(velha)
        for emoji in await self.fetch_application_emojis():
            _emojis[emoji.name] = str(emoji)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if interaction.type is not discord.InteractionType.component:
            return
        data: Any = interaction.data
        cells, action = data["custom_id"].split(":")
        if action == "Rematch":
            await interaction.response.send_message(view=draw(_EMPTY))
            return
        played = list(cells)
        played[int(action)] = "x"
        if free := [cell for cell, mark in enumerate(played) if mark == "."]:
            played[random.choice(free)] = "o"
        await interaction.response.edit_message(view=draw("".join(played)))


if __name__ == "__main__":
    use_discord_at(sys.argv[1])
    SmallestBot().run(os.environ["DISCORD_TOKEN"])

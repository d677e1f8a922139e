"""The least a bot can do for a press: send a layout of the same size again. No game, no memory."""

from __future__ import annotations

import os
import re
import sys
from typing import Any, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from tests.bot.address import speak_to


class FloorButton(ui.DynamicItem[ui.Button[Any]], template=r"floor:[0-9]+:[0-9]+:play:[0-9]+"):
    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, ui.Button)
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.edit_message(view=layout())


def layout() -> ui.LayoutView:
    """As many texts, rows and buttons as a 3x3 board in mid-game has."""
    view = ui.LayoutView(timeout=None)
    rows: list[ui.Item[Any]] = [
        ui.ActionRow(*(_button(3 * row + n) for n in range(3))) for row in range(3)
    ]
    controls: ui.Item[Any] = ui.ActionRow(_button(9), _button(10))
    text: ui.Item[Any] = ui.TextDisplay(
        "**❌ <@1000>  vs  ⭕ <@1> (impossible)**\n"
        "❌ <@1000> to move; time runs out <t:1795234567:R>."
    )
    view.add_item(ui.Container(text, *rows, controls, accent_colour=discord.Colour.blurple()))
    return view


def _button(number: int) -> FloorButton:
    """In mid-game every other cell holds a mark."""
    is_taken = number % 2 == 0 and number < 9
    return FloorButton(
        ui.Button(
            label=None if is_taken else f"{'ABC'[number % 3]}{number // 3 + 1}",
            emoji="❌" if is_taken else None,
            disabled=is_taken,
            custom_id=f"floor:1234567890123456789:4:play:{number}",
        )
    )


class FloorBot(commands.AutoShardedBot):
    def __init__(self) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
        )

    async def setup_hook(self) -> None:
        self.add_dynamic_items(FloorButton)
        self.tree.add_command(velha)


@app_commands.command()
async def start(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=layout())


velha = app_commands.Group(name="velha", description="the floor")
velha.add_command(start)

if __name__ == "__main__":
    speak_to(sys.argv[1])
    FloorBot().run(os.environ["DISCORD_TOKEN"])

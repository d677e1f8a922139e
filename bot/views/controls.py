"""Buttons and selects.

Every one, disabled ones too, is a `Control`: discord.py 2.7.1 forgets a dynamic item for the
whole process once a view that mixes it with ordinary items is re-sent or stopped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Self

import discord
from discord import ButtonStyle, ui

from engine import Cell, Mark, Rules


class Control(ui.DynamicItem[Any], template=r"(?s:.*)"):
    """Any button or select of ours; it matches every custom_id, so even unknown ones are answered.

    The values chosen in a select are in its interaction.
    """

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: ui.Item[Any], _match: re.Match[str], /
    ) -> Self:
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.get_cog("Velha").press(interaction, self.custom_id)


def button(
    custom_id: str,
    *,
    label: str | None = None,
    emoji: str | None = None,
    style: ButtonStyle = ButtonStyle.secondary,
    disabled: bool = False,
) -> Control:
    return Control(
        ui.Button(custom_id=custom_id, label=label, emoji=emoji, style=style, disabled=disabled)
    )


def grid(rules: Rules, square: Callable[[Cell], Control]) -> list[ui.Item[Any]]:
    """A board as rows of buttons, one for each cell."""
    cells, width = rules.cells, rules.columns
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    return [ui.ActionRow(*map(square, row)) for row in rows]


def line_style(mark: Mark | None, winner: Mark | None) -> ButtonStyle:
    """Green for a completed line that wins; red for one that loses, as in misère."""
    return ButtonStyle.success if mark is winner else ButtonStyle.danger


def one_block(text: str, *items: ui.Item[Any], colour: discord.Colour) -> ui.LayoutView:
    """A message of one container: a text, and what is below it. Its buttons never expire.

    The view is stopped before it is sent: otherwise discord.py stores it, and for an ephemeral
    message keeps a task for 15 minutes. `Control` handles presses without a view.
    """
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(ui.TextDisplay(text), *items, accent_colour=colour))
    view.stop()
    return view

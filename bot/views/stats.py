"""Somebody's results."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.game.outcome import Stats
from bot.game.page import custom_id
from bot.game.people import StatsPage
from bot.texts import StatsTexts
from bot.views.controls import button, one_block

_COLOUR = discord.Colour.gold()


def stats_view(stats: Stats, texts: StatsTexts, *, is_public: bool) -> ui.LayoutView:
    """The results, one text per section; in private, with a button to show them to everybody."""
    head, *sections = texts.sections(stats)
    items = list[ui.Item[Any]]()
    for section in sections:
        items += [ui.Separator(), ui.TextDisplay(section)]
    if not (is_public or stats.is_empty):
        post = button(custom_id(StatsPage(stats.user_id), 0), label=texts.post_button())
        items += [ui.Separator(), ui.ActionRow(post)]
    return one_block(head, *items, colour=_COLOUR)

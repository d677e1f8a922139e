"""The ranking of a server."""

from __future__ import annotations

import discord
from discord import ui

from bot.game.outcome import Ranked
from bot.game.page import custom_id
from bot.game.ranking import Chart, RankingPage
from bot.texts import RankingTexts
from bot.views.controls import button, one_block

_COLOUR = discord.Colour.gold()


def ranking_view(ranked: Ranked, texts: RankingTexts) -> ui.LayoutView:
    """A chart, with tabs for the others."""
    tabs = [
        button(
            custom_id(RankingPage(chart), 0),
            label=texts.tab(chart),
            disabled=chart is ranked.chart,
        )
        for chart in Chart
    ]
    return one_block(texts.ranking(ranked), ui.ActionRow(*tabs), colour=_COLOUR)

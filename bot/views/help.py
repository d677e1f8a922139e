"""The help, with a button that starts a match."""

from __future__ import annotations

import discord
from discord import ButtonStyle, ui

from bot.game.outcome import Help
from bot.game.page import custom_id
from bot.game.shortcut import Shortcut
from bot.texts import BoardTexts, HelpTexts, language_for
from bot.views.controls import button, one_block


def help_view(asked: Help, texts: HelpTexts) -> ui.LayoutView:
    text = texts.help(asked, on_board=BoardTexts(language_for(asked.locale)))
    play = button(
        custom_id(Shortcut.START, 0), label=texts.play_button(), style=ButtonStyle.success
    )
    return one_block(text, ui.ActionRow(play), colour=discord.Colour.blurple())

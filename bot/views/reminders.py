"""The message that reminds a person of their turn, and the answer to its switch."""

from __future__ import annotations

import discord
from discord import ui

from bot.domain.reminders import Reminder
from bot.views.components import container_view
from bot.views.i18n import N_, Language, language_for
from bot.views.symbols import PLAIN_SYMBOLS, Symbols


# Translators, from here on: reminders of whose turn it is, in a match between two people.
def toggle_confirmation(language: Language, *, is_on: bool) -> str:
    """The answer for whoever pressed the button."""
    if is_on:
        return language.say(
            N_("From now on, I'll ping you in any match if you take over a minute to move.")
        )
    return language.say(N_("All right, no more reminders in any match."))


def _text(language: Language, reminder: Reminder) -> str:
    return language.say(
        # Translators: {player} is a mention, which pings that person. [text]({link}) is a link to
        # the board; translate the text.
        N_("{player}, it's your turn. [Go to the board]({link})"),
        player=language.mention(reminder.user_id),
        link=reminder.match.place.link,
    )


def reminder_view(reminder: Reminder, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """A mention of the player to move, with a link to the board, in the match's language."""
    language = language_for(reminder.match.place.locale, symbols)
    text = _text(language, reminder)
    return container_view(text, symbols=symbols, colour=discord.Colour.blurple())

"""The help, with a button that starts a match."""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord import ButtonStyle, ui

from bot.domain.match_actions import MatchAction
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.views.components import button, container_view
from bot.views.i18n import LEVELS, N_, NC_, PLAY, Language, language_for
from bot.views.match_texts import BUTTONS, REVIEW
from bot.views.privacy import link_to_policy
from engine import Level

COMMANDS = ("start", "board", "stop", "puzzle", "learn", "stats", "ranking", "privacy")

# Translators, from here on: the help, which only the person sees who asked for it.
# Translators: what stands in braces is filled in: commands, buttons and levels. `opponent`, `level`
# and `board` are options, by the names that you gave them.
HELP = N_(
    "## Velha\n"
    "Tic-tac-toe, from *{child}* to *{impossible}*. Type {start} and press a square.\n"
    "- **With a friend**: put their name in `opponent`.\n"
    "- **Against me**: win to move up, or pick a `level`.\n"
    "- **Other games**: pick a `board`, up to 5x5, *infinite* or *reverse*.\n"
    "- **Stuck?** Press **{hint}**. **Lost?** Press **{review}**.\n"
    "- {puzzle}: a new one every day. {learn}: how I think.\n"
    "- {stats}: how you're doing. {ranking}: who's best here.\n"
    "\n"
    "-# What I keep about you: {privacy}. Lost the board? {board}. Had enough? {stop}."
)

# Translators: a link below the help.
TERMS_OF_USE = NC_("page", "Terms of use")


@dataclass(frozen=True, slots=True)
class Help:
    """What the help depends on.

    `locale` is the language of boards here, `command_id` Discord's id of `/velha` where it is
    known; the URLs are those that the host has given Discord.
    """

    locale: str
    command_id: int | None = None
    privacy_url: str | None = None
    terms_url: str | None = None


def _text(language: Language, help_: Help) -> str:
    """The commands in short; buttons are named in the language of the boards here."""
    say, of_boards = language.say, language_for(help_.locale)
    buttons = {"hint": BUTTONS[MatchAction.HINT], "review": REVIEW}
    levels = {"child": LEVELS[Level.CHILD], "impossible": LEVELS[Level.IMPOSSIBLE]}
    text = say(
        HELP,
        **{name: _mention(name, help_.command_id) for name in COMMANDS},
        **{name: of_boards.say(label) for name, label in buttons.items()},
        **{name: say(level) for name, level in levels.items()},
    )
    links = " · ".join(_links(language, help_))
    return f"{text}\n-# {links}" if links else text


def _links(language: Language, help_: Help) -> list[str]:
    links = []
    if help_.privacy_url:
        links.append(link_to_policy(language, help_.privacy_url))
    if help_.terms_url:
        links.append(f"[{language.say(TERMS_OF_USE)}]({help_.terms_url})")
    return links


def _mention(name: str, command_id: int | None) -> str:
    """A command's name; if its id is known, as a mention, which can be clicked."""
    return f"</velha {name}:{command_id}>" if command_id else f"`/velha {name}`"


def help_view(help_: Help, language: Language) -> ui.LayoutView:
    """The help, with a button that starts a match."""
    play = button(
        custom_id(ShortcutPage(Shortcut.START), 0),
        label=language.say(PLAY),
        style=ButtonStyle.success,
    )
    return container_view(
        _text(language, help_),
        ui.ActionRow(play),
        symbols=language.symbols,
        colour=discord.Colour.blurple(),
    )

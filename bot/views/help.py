"""The help, with a button that starts a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import discord
from discord import ButtonStyle, ui

from bot.domain.match_actions import MatchAction
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.views.components import button, container_view
from bot.views.i18n import LEVELS, N_, NC_, PLAY, Language, language_for
from bot.views.matches import BUTTONS
from engine import Level

COMMANDS = (
    "start",
    "board",
    "stop",
    "review",
    "replay",
    "puzzle",
    "learn",
    "settings",
    "stats",
    "ranking",
    "privacy",
)


CASUAL_WINS: Mapping[Level, int] = {
    Level.CHILD: 70,
    Level.EASY: 53,
    Level.MEDIUM: 31,
    Level.HARD: 14,
    Level.EXPERT: 3,
    Level.PERFECT: 0,
    Level.IMPOSSIBLE: 0,
}
"""Of 100 matches on 3x3, how many a casual player wins."""

# Translators, from here on: the help, which only the person sees who asked for it.
# Translators: what stands in braces is filled in: commands, buttons, and the menu on a person.
# `opponent` is an option, by the name that you gave it; "Apps" is what Discord calls that menu.
HELP = N_(
    "## Velha\n"
    "{start} puts a tic-tac-toe board here. Play me, or, if you didn't choose a level, let someone "
    "press **{join}** before your first move. To pick your opponent, put their name in "
    "`opponent`, or choose *{menu}* in their Apps menu.\n"
    "- You start at *{easy}* and move up as you pass levels. To choose: `level` (*{impossible}* "
    "never loses on 3x3).\n"
    "- **{hint}** says what to play, and why. **{rematch}** swaps sides.\n"
    "- {board} brings the board down here. {stop} resigns, or cancels a challenge.\n"
    "- {puzzle}: a new puzzle every day, and past ones. {learn}: how I think.\n"
    "- {review}: the last match here, move by move. {replay}: any finished match, by "
    "code.\n"
    "- {stats}: your results and latest matches. {ranking}: who does best here.\n"
    "- {settings}: this server's settings. {privacy}: what I keep about you."
)

# Translators: `board` is an option, by the name that you gave it.
BOARDS_NOTE = N_("- For other games, choose `board`: up to 5x5, *infinite* or *reverse*.")

# Translators: {odds} is a list such as "easy 53 · medium 31". A casual player plays for fun: say
# nothing that hurts one.
ODDS_NOTE = N_("-# Out of 100 matches on 3x3, a casual player wins: {odds}.")

# Translators: links below the help.
PRIVACY_POLICY = NC_("page", "Privacy policy")

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
    say = language.say
    actions = (MatchAction.JOIN, MatchAction.HINT, MatchAction.REMATCH)
    of_boards = language_for(help_.locale)
    buttons = {action.value: of_boards.say(BUTTONS[action]) for action in actions}
    commands = {name: _mention(name, help_.command_id) for name in COMMANDS}
    menu = say(N_("Challenge to tic-tac-toe"))
    levels = {"easy": say(LEVELS[Level.EASY]), "impossible": say(LEVELS[Level.IMPOSSIBLE])}
    text = say(HELP, menu=menu, **levels, **buttons, **commands)
    odds = " · ".join(f"{say(LEVELS[level])} {wins}" for level, wins in CASUAL_WINS.items())
    lines = [text, say(BOARDS_NOTE), "", say(ODDS_NOTE, odds=odds)]
    if links := _links(language, help_):
        lines.append(" · ".join(links))
    return "\n".join(lines)


def _links(language: Language, help_: Help) -> list[str]:
    links = []
    if help_.privacy_url:
        links.append(f"[{language.say(PRIVACY_POLICY)}]({help_.privacy_url})")
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

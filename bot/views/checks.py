"""The checks of a channel: what keeps people from playing there, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord import ui

from bot.domain.checks import Check, CheckPage, Report
from bot.domain.pages import custom_id
from bot.domain.settings import Setting, Tab
from bot.views.components import container_view
from bot.views.i18n import N_, NC_, Language, Sentence, relative_timestamp
from bot.views.settings import CHANNEL_TYPES, COLOUR, TAB_NAMES, tab_row

_OK, _PROBLEM = "✅", "⚠️"

# Translators, from here on: a list for those who run a server, which says what keeps people from
# playing in a channel, and what to do about it. {channel} is a channel, {member} a person.
# Permissions have the names that Discord shows in your language.
_HOLDS: Mapping[Check, Sentence] = {
    Check.APPS_MAY_POST: N_("I'm not a member of this server, but people here can use me."),
    Check.BOT_NOT_TIMED_OUT: N_("I'm not timed out."),
    Check.BOT_SEES: N_("I can see {channel}."),
    Check.BOT_WRITES: N_("I can write there."),
    Check.BOT_WRITES_IN_THREADS: N_("I can write in threads there."),
    Check.BOARDS_ALLOWED: N_("Boards are allowed there."),
    Check.LAST_POST_TAKEN: N_("My last daily puzzle got through."),
    Check.MEMBER_NOT_TIMED_OUT: N_("{member} isn't timed out."),
    Check.MEMBER_USES_COMMANDS: N_("{member} can use commands there."),
    Check.MEMBER_TAKES_CHALLENGES: N_("{member} takes challenges."),
}

_FAILS: Mapping[Check, Sentence] = {
    Check.APPS_MAY_POST: N_(
        "I'm not a member of this server. Add me, or let people **Use External Apps**."
    ),
    # Translators: {when} is written by Discord, such as "in 5 minutes".
    Check.BOT_NOT_TIMED_OUT: N_(
        "I'm timed out, and can write again {when}. To end it now, open my profile and press "
        "**Remove Timeout**."
    ),
    Check.BOT_SEES: N_("I can't see {channel}. In its permissions, give me **View Channel**."),
    Check.BOT_WRITES: N_("I can't write there. In its permissions, give me **Send Messages**."),
    Check.BOT_WRITES_IN_THREADS: N_(
        "I can't write in threads there. In its permissions, give me **Send Messages in Threads**."
    ),
    # Translators: {channels} is a list of channels; {tab} is a button on this page.
    Check.BOARDS_ALLOWED: N_("Boards are only allowed in {channels}. Add another under **{tab}**."),
    # Translators: {tab} is a button on this page.
    Check.LAST_POST_TAKEN: N_(
        "Discord refused my last daily puzzle there. Once I can write there, pick the channel "
        "again under **{tab}**."
    ),
    # Translators: {when} is written by Discord, such as "in 5 minutes".
    Check.MEMBER_NOT_TIMED_OUT: N_("{member} is timed out, and can play again {when}."),
    Check.MEMBER_USES_COMMANDS: N_(
        "{member} can't use commands there. In its permissions, give them **Use Application "
        "Commands**."
    ),
    Check.MEMBER_TAKES_CHALLENGES: N_(
        "{member} isn't taking challenges. Only they can change that, with `/velha privacy`."
    ),
}


def checks_view(report: Report, language: Language) -> ui.LayoutView:
    """The checks of a channel and of a member, and selects for others."""
    heading = language.say(N_("## Why can't someone play?"))
    items = [heading, "\n".join(_lines(report, language))]
    return container_view(
        *items,
        ui.ActionRow(_channel_select(report, language)),
        ui.ActionRow(_member_select(report, language)),
        ui.Separator(),
        tab_row(None, language),
        symbols=language.symbols,
        colour=COLOUR,
    )


def _lines(report: Report, language: Language) -> list[str]:
    member_id, until = report.member_id, report.bot_until
    lines = []
    for check, holds in report.results.items():
        if check is Check.MEMBER_NOT_TIMED_OUT:
            until = report.member_until
        is_post = check is Check.LAST_POST_TAKEN
        sentence = language.say(
            (_HOLDS if holds else _FAILS)[check],
            channel=language.channels([report.channel_id]),
            channels=language.any_channel(report.channels),
            member=language.mention(member_id) if member_id else "",
            tab=language.say(TAB_NAMES[Tab.DAILY if is_post else Tab.BOARDS]),
            when=relative_timestamp(until) if until else "",
        )
        lines.append(f"{_OK if holds else _PROBLEM} {sentence}")
    return lines


def _channel_select(report: Report, language: Language) -> ui.ChannelSelect[Any]:
    chosen = report.page.channel_id
    return ui.ChannelSelect(
        custom_id=custom_id(CheckPage(), 1),
        channel_types=list(CHANNEL_TYPES[Setting.CHANNELS]),
        default_values=[discord.Object(chosen)] if chosen else [],
        # Translators: shown in a list of channels, of which none is chosen.
        placeholder=language.say(NC_("channel", "this channel")),
        min_values=0,
    )


def _member_select(report: Report, language: Language) -> ui.UserSelect[Any]:
    chosen = report.member_id
    return ui.UserSelect(
        custom_id=custom_id(report.page, 2),
        default_values=[discord.Object(chosen)] if chosen else [],
        # Translators: shown in a list of members, of whom none is chosen: the check of one.
        placeholder=language.say(N_("Check a member too")),
        min_values=0,
    )

"""What is kept about a person, and what they can do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.domain.pages import custom_id
from bot.domain.privacy import PrivacyAction, PrivacyChoices, PrivacyPage, PrivacySummary
from bot.views.components import button, container_view
from bot.views.i18n import N_, NC_, Language

# Translators, from here on: a page about what is kept, which one person reads; in a server's case,
# somebody who runs it.
SUMMARY = N_(
    "## What I keep about you\n"
    "- Your matches: who played, where, every move and hint, and how they ended.\n"
    "- Your results: how often you won, drew and lost, your runs without a loss, how well you "
    "played, and your places in the rankings.\n"
    "- Your tries at the daily puzzles, your streak and your points.\n"
    "- Whether you found the best move when I asked the whole channel.\n"
    "- Your choices below.\n"
    "\n"
    "It's all in the download."
)

# Translators: {block} and {hide} are buttons, which the person may have pressed.
DELETE_QUESTION = N_(
    "## Delete what I keep about you?\n"
    'Your matches stay, with "somebody" in your place. Matches in progress end without a '
    "result. **{block}** and **{hide}** are lifted, too. I can't delete what's already in the "
    "channels."
)

DELETE_SERVER_QUESTION = N_(
    "## Delete this server's data?\n"
    "Its settings are deleted, and its matches no longer say where they were played. "
    "Matches in progress here end without a result. I can't delete what's already in the "
    "channels."
)

# Translators, from here on: what is kept about a person, which only that person sees. Buttons have
# about 20 letters.
BLOCK = NC_("button", "Block challenges")

HIDE = NC_("button", "Hide me")


def _summary_text(language: Language, choices: PrivacyChoices) -> str:
    say = language.say
    if choices.takes_challenges:
        challenges = say(N_("Anyone can challenge you."))
    else:
        challenges = say(N_("Nobody can challenge you."))
    if choices.is_hidden:
        results = say(N_("Only you see your results."))
    else:
        results = say(N_("Anyone can see your results."))
    if choices.wants_reminders:
        reminders = say(N_("I mention you when somebody is waiting for your move."))
    else:
        reminders = say(N_("I don't mention you when somebody is waiting for your move."))
    return "\n".join([say(SUMMARY), challenges, results, reminders])


def _question(language: Language, *, of_server: bool) -> str:
    if of_server:
        return language.say(DELETE_SERVER_QUESTION)
    return language.say(DELETE_QUESTION, block=language.say(BLOCK), hide=language.say(HIDE))


def deletion_confirmation(language: Language) -> str:
    return language.say(N_("Done. If there's a lot, the rest takes a few minutes."))


_COLOUR = discord.Colour.blurple()


def privacy_view(summary: PrivacySummary, language: Language) -> ui.LayoutView:
    """What is kept about a person, with buttons to download, hide or delete it."""
    say, danger = language.say, ButtonStyle.danger
    data_buttons = [
        _button(PrivacyAction.DOWNLOAD, say(NC_("button", "Download"))),
        _button(PrivacyAction.ASK_TO_DELETE, say(NC_("button", "Delete…")), danger),
    ]
    if summary.runs_server:
        label = say(NC_("button", "Delete server's data…"))
        data_buttons.append(_button(PrivacyAction.ASK_TO_DELETE_SERVER, label, danger))
    return container_view(
        _summary_text(language, summary.choices),
        ui.ActionRow(*_choice_buttons(summary.choices, language)),
        ui.ActionRow(*data_buttons),
        symbols=language.symbols,
        colour=_COLOUR,
    )


def delete_question_view(language: Language, *, of_server: bool) -> ui.LayoutView:
    """The message that asks to confirm that a person's or a server's data is to be deleted."""
    delete = PrivacyAction.DELETE_SERVER if of_server else PrivacyAction.DELETE
    buttons = (
        _button(PrivacyAction.SHOW, language.say(NC_("button", "Keep"))),
        _button(delete, language.say(NC_("button", "Delete")), ButtonStyle.danger),
    )
    question = _question(language, of_server=of_server)
    return container_view(
        question, ui.ActionRow(*buttons), symbols=language.symbols, colour=_COLOUR
    )


def _choice_buttons(choices: PrivacyChoices, language: Language) -> Iterator[ui.Button[Any]]:
    """A button for each choice, which changes it to the opposite."""
    if choices.takes_challenges:
        yield _button(PrivacyAction.REFUSE_CHALLENGES, language.say(BLOCK))
    else:
        label = language.say(NC_("button", "Allow challenges"))
        yield _button(PrivacyAction.TAKE_CHALLENGES, label)
    if choices.is_hidden:
        yield _button(PrivacyAction.UNHIDE, language.say(NC_("button", "Unhide me")))
    else:
        yield _button(PrivacyAction.HIDE, language.say(HIDE))
    if choices.wants_reminders:
        yield _button(PrivacyAction.REMIND_NO_MORE, language.say(NC_("button", "No reminders")))
    else:
        yield _button(PrivacyAction.REMIND, language.say(NC_("button", "Remind me")))


def _button(
    action: PrivacyAction, label: str, style: ButtonStyle = ButtonStyle.secondary
) -> ui.Button[Any]:
    return button(custom_id(PrivacyPage(action), 0), label=label, style=style)

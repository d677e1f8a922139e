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
# someone who runs it.
# Translators: {time} is a length of time, such as "365 days"; "moves I ask everyone about" are
# positions of a match whose right move the whole channel may look for.
SUMMARY = N_(
    "## What I keep about you\n"
    "- **For {time}**: your matches, who played, where, every move and hint, your tries at "
    "puzzles and at moves I ask everyone about.\n"
    "- **Until you delete them**: results, points, streaks and choices.\n"
    "It's all in the download."
)

# Translators: {block} and {hide} are buttons, which the person may have pressed.
DELETE_QUESTION = N_(
    "## Delete what I keep about you?\n"
    "Your matches stay, but with ‘someone’ in your place. Matches in progress end, and don't "
    "count. **{block}** and **{hide}** are switched off too. I can't delete what's already in the "
    "channels."
)

DELETE_SERVER_QUESTION = N_(
    "## Delete this server's data?\n"
    "This deletes its settings, and where its matches were played. Matches in progress here end, "
    "and don't count. I can't delete what's already in the channels."
)

# Translators, from here on: what is kept about a person, which only that person sees. Buttons have
# about 20 letters.
BLOCK = NC_("button", "No challenges")

HIDE = NC_("button", "Hide me")


# Translators: a link to the page on which the host says what the bot keeps.
PRIVACY_POLICY = NC_("page", "Privacy policy")


def _summary_text(language: Language, summary: PrivacySummary) -> str:
    say, choices = language.say, summary.choices
    if choices.takes_challenges:
        challenges = say(N_("Anyone can challenge you."))
    else:
        challenges = say(N_("Nobody can challenge you."))
    if choices.is_hidden:
        results = say(N_("Only you see your results."))
    else:
        results = say(N_("Anyone can see your results."))
    if choices.wants_reminders:
        reminders = say(N_("I ping you when someone is waiting for your move."))
    else:
        reminders = say(N_("I don't ping you when someone is waiting for your move."))
    lines = [say(SUMMARY, time=language.days(summary.keep_days)), challenges, results, reminders]
    if summary.policy_url:
        lines.append(f"-# {link_to_policy(language, summary.policy_url)}")
    return "\n".join(lines)


def link_to_policy(language: Language, url: str) -> str:
    return f"[{language.say(PRIVACY_POLICY)}]({url})"


def _question(language: Language, *, of_server: bool) -> str:
    if of_server:
        return language.say(DELETE_SERVER_QUESTION)
    return language.say(DELETE_QUESTION, block=language.say(BLOCK), hide=language.say(HIDE))


def deletion_confirmation(language: Language) -> str:
    return language.say(
        N_("Done. It's as if we'd never met. If there was a lot, it can take a few minutes.")
    )


_COLOUR = discord.Colour.blurple()


def privacy_view(summary: PrivacySummary, language: Language) -> ui.LayoutView:
    """What is kept about a person, with buttons to download, hide or delete it."""
    say, danger = language.say, ButtonStyle.danger
    data_buttons = [
        _button(PrivacyAction.DOWNLOAD, say(NC_("button", "Download"))),
        _button(PrivacyAction.ASK_TO_DELETE, say(NC_("button", "Delete…")), danger),
    ]
    if summary.runs_server:
        label = say(NC_("button", "Delete server data…"))
        data_buttons.append(_button(PrivacyAction.ASK_TO_DELETE_SERVER, label, danger))
    return container_view(
        _summary_text(language, summary),
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
        yield _button(PrivacyAction.UNHIDE, language.say(NC_("button", "Unhide")))
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

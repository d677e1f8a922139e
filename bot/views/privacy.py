"""What is kept about a person, and what they can do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.domain.pages import custom_id
from bot.domain.privacy import PrivacyAction, PrivacyChoices, PrivacyPage, PrivacySummary
from bot.views.components import button, container_view
from bot.views.i18n import N_, NC_, Language, Texts

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


class PrivacyTexts(Texts):
    """What is kept about people, in one language."""

    def summary(self, choices: PrivacyChoices) -> str:
        if choices.takes_challenges:
            challenges = self._("Anyone can challenge you.")
        else:
            challenges = self._("Nobody can challenge you.")
        if choices.is_hidden:
            results = self._("Only you see your results.")
        else:
            results = self._("Anyone can see your results.")
        if choices.wants_reminders:
            reminders = self._("I mention you when somebody is waiting for your move.")
        else:
            reminders = self._("I don't mention you when somebody is waiting for your move.")
        return "\n".join([self._(SUMMARY), challenges, results, reminders])

    def question(self, *, of_server: bool) -> str:
        if of_server:
            return self._(DELETE_SERVER_QUESTION)
        return self._(DELETE_QUESTION, block=self._(BLOCK), hide=self._(HIDE))

    def deletion_confirmation(self) -> str:
        return self._("Done. If there's a lot, the rest takes a few minutes.")

    def download_button(self) -> str:
        return self._(NC_("button", "Download"))

    def challenges_button(self, choices: PrivacyChoices) -> str:
        if choices.takes_challenges:
            return self._(BLOCK)
        return self._(NC_("button", "Allow challenges"))

    def hide_button(self, choices: PrivacyChoices) -> str:
        if choices.is_hidden:
            return self._(NC_("button", "Unhide me"))
        return self._(HIDE)

    def reminders_button(self, choices: PrivacyChoices) -> str:
        if choices.wants_reminders:
            return self._(NC_("button", "No reminders"))
        return self._(NC_("button", "Remind me"))

    def delete_button(self) -> str:
        return self._(NC_("button", "Delete…"))

    def delete_server_button(self) -> str:
        return self._(NC_("button", "Delete server's data…"))

    def confirm_button(self) -> str:
        return self._(NC_("button", "Delete"))

    def keep_button(self) -> str:
        return self._(NC_("button", "Keep"))


_COLOUR = discord.Colour.blurple()


def privacy_view(summary: PrivacySummary, language: Language) -> ui.LayoutView:
    """What is kept about a person, with buttons to download, hide or delete it."""
    texts = PrivacyTexts(language)
    data_buttons = [
        _button(PrivacyAction.DOWNLOAD, texts.download_button()),
        _button(PrivacyAction.ASK_TO_DELETE, texts.delete_button(), ButtonStyle.danger),
    ]
    if summary.runs_server:
        label = texts.delete_server_button()
        data_buttons.append(_button(PrivacyAction.ASK_TO_DELETE_SERVER, label, ButtonStyle.danger))
    return container_view(
        texts.summary(summary.choices),
        ui.ActionRow(*_choice_buttons(summary.choices, texts)),
        ui.ActionRow(*data_buttons),
        symbols=language.symbols,
        colour=_COLOUR,
    )


def delete_question_view(language: Language, *, of_server: bool) -> ui.LayoutView:
    """The message that asks to confirm that a person's or a server's data is to be deleted."""
    texts = PrivacyTexts(language)
    delete = PrivacyAction.DELETE_SERVER if of_server else PrivacyAction.DELETE
    buttons = (
        _button(PrivacyAction.SHOW, texts.keep_button()),
        _button(delete, texts.confirm_button(), ButtonStyle.danger),
    )
    question = texts.question(of_server=of_server)
    return container_view(
        question, ui.ActionRow(*buttons), symbols=language.symbols, colour=_COLOUR
    )


def _choice_buttons(choices: PrivacyChoices, texts: PrivacyTexts) -> Iterator[ui.Button[Any]]:
    """A button for each choice, which changes it to the opposite."""
    if choices.takes_challenges:
        challenges = PrivacyAction.REFUSE_CHALLENGES
    else:
        challenges = PrivacyAction.TAKE_CHALLENGES
    yield _button(challenges, texts.challenges_button(choices))
    visibility = PrivacyAction.UNHIDE if choices.is_hidden else PrivacyAction.HIDE
    yield _button(visibility, texts.hide_button(choices))
    is_on = choices.wants_reminders
    reminders = PrivacyAction.REMIND_NO_MORE if is_on else PrivacyAction.REMIND
    yield _button(reminders, texts.reminders_button(choices))


def _button(
    action: PrivacyAction, label: str, style: ButtonStyle = ButtonStyle.secondary
) -> ui.Button[Any]:
    return button(custom_id(PrivacyPage(action), 0), label=label, style=style)

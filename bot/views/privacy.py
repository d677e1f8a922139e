"""What is kept about somebody, and what they can do about it."""

from __future__ import annotations

import discord
from discord import ButtonStyle, ui

from bot.domain.ids import custom_id
from bot.domain.privacy import PrivacyAction, PrivacyChoices, PrivacyPage, PrivacySummary
from bot.views.components import Control, button, container_view
from bot.views.i18n import N_, NC_, Language, Texts

KEPT = N_(
    "## What I keep about you\n"
    "- Your matches: who played, where, every move, and how they ended.\n"
    "- Your results: how often you won, drew and lost.\n"
    "- Your tries at the daily puzzles, your streak and your points.\n"
    "- What you choose below.\n"
    "\n"
    "That's all."
)

ASKED = N_(
    "## Delete what I keep about you?\n"
    'Your matches stay, with "somebody" in your place. Matches in progress end without a '
    "result. I can't delete what's already in the channels."
)

ASKED_FOR_SERVER = N_(
    "## Forget this server?\n"
    "Its settings are deleted, and its matches no longer say where they were played. "
    "Matches in progress here end without a result. I can't delete what's already in the "
    "channels."
)


class PrivacyTexts(Texts):
    """What is kept about people, in one language."""

    def kept(self, choices: PrivacyChoices) -> str:
        takes, hides = choices.takes_challenges, choices.is_hidden
        said = [
            KEPT,
            N_("Anyone can challenge you.") if takes else N_("Nobody can challenge you."),
            N_("Only you see your results.") if hides else N_("Anyone can see your results."),
        ]
        return "\n".join(map(self._, said))

    def question(self, *, of_server: bool) -> str:
        return self._(ASKED_FOR_SERVER if of_server else ASKED)

    def forgotten(self) -> str:
        return self._("Done. If there was a lot, the rest will be gone within minutes.")

    def download_button(self) -> str:
        return self._(NC_("button", "Download"))

    def challenges_button(self, choices: PrivacyChoices) -> str:
        if choices.takes_challenges:
            return self._(NC_("button", "Block challenges"))
        return self._(NC_("button", "Allow challenges"))

    def hide_button(self, choices: PrivacyChoices) -> str:
        return self._(NC_("button", "Unhide me") if choices.is_hidden else NC_("button", "Hide me"))

    def ask_button(self) -> str:
        return self._(NC_("button", "Delete…"))

    def ask_for_server_button(self) -> str:
        return self._(NC_("button", "Forget server…"))

    def delete_button(self, *, of_server: bool) -> str:
        return self._(NC_("button", "Forget") if of_server else NC_("button", "Delete"))

    def back_button(self) -> str:
        return self._(NC_("button", "Keep"))


_COLOUR = discord.Colour.blurple()


def privacy_view(kept: PrivacySummary, language: Language) -> ui.LayoutView:
    texts = PrivacyTexts(language)
    choices = kept.choices
    takes = choices.takes_challenges
    other = PrivacyAction.REFUSE_CHALLENGES if takes else PrivacyAction.TAKE_CHALLENGES
    hide = PrivacyAction.SHOW_ME if choices.is_hidden else PrivacyAction.HIDE
    buttons = [
        _button(PrivacyAction.DOWNLOAD, texts.download_button()),
        _button(other, texts.challenges_button(choices)),
        _button(hide, texts.hide_button(choices)),
        _button(PrivacyAction.ASK, texts.ask_button(), ButtonStyle.danger),
    ]
    if kept.runs_server:
        server = texts.ask_for_server_button()
        buttons.append(_button(PrivacyAction.ASK_FOR_SERVER, server, ButtonStyle.danger))
    text = texts.kept(choices)
    return container_view(text, ui.ActionRow(*buttons), symbols=language.symbols, colour=_COLOUR)


def delete_question(language: Language, *, of_server: bool) -> ui.LayoutView:
    texts = PrivacyTexts(language)
    sure = PrivacyAction.DELETE_SERVER if of_server else PrivacyAction.DELETE
    buttons = (
        _button(PrivacyAction.SHOW, texts.back_button()),
        _button(sure, texts.delete_button(of_server=of_server), ButtonStyle.danger),
    )
    question = texts.question(of_server=of_server)
    return container_view(
        question, ui.ActionRow(*buttons), symbols=language.symbols, colour=_COLOUR
    )


def _button(step: PrivacyAction, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Control:
    return button(custom_id(PrivacyPage(step), 0), label=label, style=style)

"""What is kept about somebody, and what they can do about it."""

from __future__ import annotations

import discord
from discord import ButtonStyle, ui

from bot.game.outcome import Kept
from bot.game.page import custom_id
from bot.game.people import PrivacyPage, PrivacyStep
from bot.texts import PrivacyTexts
from bot.views.controls import Control, button, one_block

_COLOUR = discord.Colour.blurple()


def privacy_view(kept: Kept, texts: PrivacyTexts) -> ui.LayoutView:
    choices = kept.choices
    takes = choices.takes_challenges
    other = PrivacyStep.REFUSE_CHALLENGES if takes else PrivacyStep.TAKE_CHALLENGES
    hide = PrivacyStep.SHOW_ME if choices.is_hidden else PrivacyStep.HIDE
    buttons = [
        _button(PrivacyStep.DOWNLOAD, texts.download_button()),
        _button(other, texts.challenges_button(choices)),
        _button(hide, texts.hide_button(choices)),
        _button(PrivacyStep.ASK, texts.ask_button(), ButtonStyle.danger),
    ]
    if kept.runs_server:
        server = texts.ask_for_server_button()
        buttons.append(_button(PrivacyStep.ASK_FOR_SERVER, server, ButtonStyle.danger))
    return one_block(texts.kept(choices), ui.ActionRow(*buttons), colour=_COLOUR)


def delete_question(texts: PrivacyTexts, *, of_server: bool) -> ui.LayoutView:
    sure = PrivacyStep.DELETE_SERVER if of_server else PrivacyStep.DELETE
    buttons = (
        _button(PrivacyStep.SHOW, texts.back_button()),
        _button(sure, texts.delete_button(of_server=of_server), ButtonStyle.danger),
    )
    question = texts.question(of_server=of_server)
    return one_block(question, ui.ActionRow(*buttons), colour=_COLOUR)


def _button(step: PrivacyStep, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Control:
    return button(custom_id(PrivacyPage(step), 0), label=label, style=style)

"""The view of any lesson."""

from __future__ import annotations

import discord
from discord import ui

from bot.domain.analysis import Hint, Retry, Review
from bot.domain.ids import CommandButton, custom_id
from bot.domain.pages import Lesson
from bot.domain.puzzles import DailyPuzzle
from bot.domain.tutorial import EXAMPLE_GAME, TutorialPage
from bot.views.analysis import hint_view, retry_view, review_view
from bot.views.components import button, container_view
from bot.views.i18n import Language
from bot.views.matches import AnswerTexts
from bot.views.puzzles import puzzle_view
from bot.views.tutorial import minimax_view


def lesson_view(lesson: Lesson, language: Language) -> ui.LayoutView:
    """The message of a lesson's page."""
    match lesson:
        case Hint():
            return hint_view(lesson, language)
        case Review():
            return review_view(lesson, language)
        case Retry():
            return retry_view(lesson, language)
        case DailyPuzzle():
            return puzzle_view(lesson, language)
        case _:
            return minimax_view(lesson, language)


def lesson_question(language: Language) -> ui.LayoutView:
    """The question whether to learn from an example or from one's own match with the bot."""
    texts = AnswerTexts(language)
    buttons = (
        button(custom_id(TutorialPage(EXAMPLE_GAME), 0), label=texts.example_button()),
        button(custom_id(CommandButton.MY_MATCH, 1), label=texts.my_match_button()),
    )
    return container_view(
        texts.lesson_question(),
        ui.ActionRow(*buttons),
        symbols=language.symbols,
        colour=discord.Colour.blurple(),
    )

"""The message that shows a lesson's page: pure functions."""

from __future__ import annotations

import discord
from discord import ui

from bot.game.learn import EXAMPLE, LearnPage
from bot.game.lesson import DailyPuzzle, Hint, Lesson, Retry, Review
from bot.game.page import custom_id
from bot.game.shortcut import Shortcut
from bot.texts import AnswerTexts
from bot.texts.words import Language
from bot.views.controls import button, one_block
from bot.views.hint import hint_view
from bot.views.minimax import minimax_view
from bot.views.puzzle import puzzle_view
from bot.views.review import retry_view, review_view


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


def lesson_question(texts: AnswerTexts) -> ui.LayoutView:
    """The question whether to learn from an example or from one's own match with the bot."""
    buttons = (
        button(custom_id(LearnPage(EXAMPLE), 0), label=texts.example_button()),
        button(custom_id(Shortcut.MY_MATCH, 1), label=texts.my_match_button()),
    )
    colour = discord.Colour.blurple()
    return one_block(texts.lesson_question(), ui.ActionRow(*buttons), colour=colour)

"""The view of any lesson."""

from __future__ import annotations

from discord import ui

from bot.domain.analysis import Hint, Retry, Review
from bot.domain.pages import Lesson
from bot.domain.puzzles import DailyPuzzle
from bot.views.analysis import hint_view, retry_view, review_view
from bot.views.i18n import Language
from bot.views.puzzles import puzzle_view
from bot.views.tutorial import tutorial_view


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
            return tutorial_view(lesson, language)

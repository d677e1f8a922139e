"""From what the engine says to the message that teaches it: pure functions."""

from __future__ import annotations

from discord import ui

from bot.game.lesson import DailyPuzzle, Hint, Lesson, Retry, Review
from bot.texts import LessonTexts
from bot.views.hint import hint_view
from bot.views.minimax import minimax_view
from bot.views.puzzle import puzzle_view
from bot.views.review import retry_view, review_view


def lesson_view(lesson: Lesson, texts: LessonTexts) -> ui.LayoutView:
    """The message of a lesson's page."""
    match lesson:
        case Hint(page, verdicts, reply):
            view = hint_view(page, verdicts, texts, reply)
        case Review(page, verdicts, reply):
            view = review_view(page, verdicts, texts, reply)
        case Retry(page, verdicts, tried, reply):
            view = retry_view(page, verdicts, texts, tried, reply)
        case DailyPuzzle():
            view = puzzle_view(lesson, texts)
        case _:
            view = minimax_view(lesson, texts)
    return view

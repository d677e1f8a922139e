"""Lessons: what the bot computes for a page, and the view that shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from discord import ui

from bot.domain.analysis import Hint, Retry, RetryPage, Review, ReviewPage
from bot.domain.practice import Exercise, MistakePage
from bot.domain.puzzles import DailyPuzzle
from bot.domain.tutorial import TutorialContent, TutorialPage
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.i18n import Language
from bot.views.mistakes import retry_view
from bot.views.practice import exercise_view
from bot.views.puzzles import puzzle_view
from bot.views.tutorial import tutorial_view
from engine import Cell, Rules

LessonPage = ReviewPage | RetryPage | MistakePage | TutorialPage
Lesson = Hint | Review | Retry | Exercise | DailyPuzzle | TutorialContent

Teach = Callable[..., Awaitable[Lesson]]
"""Computes the lesson of a page, given facts about its game: see the fixture `teach`."""


def cells_at(rules: Rules, names: str) -> tuple[Cell, ...]:
    """The cells with these names, such as "A1 B2"."""
    cells = {rules.coordinate(cell): cell for cell in rules.cells}
    return tuple(cells[name] for name in names.split())


def drawn(lesson: Lesson, language: Language) -> ui.LayoutView:
    """The view of a lesson."""
    match lesson:
        case Hint():
            return hint_view(lesson, language)
        case Review():
            return review_view(lesson, language)
        case Retry():
            return retry_view(lesson, language)
        case Exercise():
            return exercise_view(lesson, language)
        case DailyPuzzle():
            return puzzle_view(lesson, language)
        case _:
            return tutorial_view(lesson, language)

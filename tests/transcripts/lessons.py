"""Lessons: what the bot computes for a page, and the view that shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from discord import ui

from bot.domain.analysis import Hint, Review, ReviewPage
from bot.domain.mistakes import Mistake, MistakePage
from bot.domain.puzzles import DailyPuzzle
from bot.domain.tutorial import TutorialContent, TutorialPage
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.i18n import Language
from bot.views.mistakes import mistake_view
from bot.views.puzzles import puzzle_view
from bot.views.tutorial import tutorial_view
from engine import Cell, Rules

LessonPage = ReviewPage | MistakePage | TutorialPage
Lesson = Hint | Review | Mistake | DailyPuzzle | TutorialContent

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
        case Mistake():
            return mistake_view(lesson, language)
        case DailyPuzzle():
            return puzzle_view(lesson, language)
        case _:
            return tutorial_view(lesson, language)

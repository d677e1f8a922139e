"""Lessons: what the bot computes for a page, and the view that shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from discord import ui

from bot.domain.analysis import Hint, HintPage, Retry, RetryPage, Review, ReviewPage
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

LessonPage = HintPage | ReviewPage | RetryPage | MistakePage | TutorialPage
Lesson = Hint | Review | Retry | Exercise | DailyPuzzle | TutorialContent

Teach = Callable[..., Awaitable[Lesson]]
"""Computes the lesson of a page, given facts about its game: see the fixture `teach`."""


def cells_at(rules: Rules, names: str) -> tuple[Cell, ...]:
    """The cells with these names, such as "A1 B2"."""
    cells = {rules.coordinate(cell): cell for cell in rules.cells}
    return tuple(cells[name] for name in names.split())


def drawn(lesson: Lesson) -> Callable[[Language], ui.LayoutView]:
    """Return a function that makes the view of a lesson in a language."""
    match lesson:
        case Hint():
            return partial(hint_view, lesson)
        case Review():
            return partial(review_view, lesson)
        case Retry():
            return partial(retry_view, lesson)
        case Exercise():
            return partial(exercise_view, lesson)
        case DailyPuzzle():
            return partial(puzzle_view, lesson)
        case _:
            return partial(tutorial_view, lesson)

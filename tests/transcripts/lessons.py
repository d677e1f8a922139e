"""Lessons as the bot computes and draws them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from discord import ui

from bot.domain.pages import Lesson, LessonPage
from bot.views.i18n import Language
from bot.views.lessons import lesson_view
from engine import Cell, Rules

Teach = Callable[[LessonPage], Awaitable[Lesson]]
"""What the fixture `teach` does: compute the lesson of a page."""


def cells_at(rules: Rules, names: str) -> tuple[Cell, ...]:
    """The cells with these names, such as "A1 B2"."""
    named = {rules.coordinate(cell): cell for cell in rules.cells}
    return tuple(named[name] for name in names.split())


def drawn(lesson: Lesson) -> Callable[[Language], ui.LayoutView]:
    return partial(lesson_view, lesson)

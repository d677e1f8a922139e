"""Lessons as the bot computes and draws them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from discord import ui

from bot.game.lesson import Lesson
from bot.game.page import LessonPage
from bot.texts.words import Language
from bot.views.lesson import lesson_view
from engine import Cell, Rules

Teach = Callable[[LessonPage], Awaitable[Lesson]]
"""What the fixture `teach` does: compute the lesson of a page."""


def cells_at(rules: Rules, names: str) -> tuple[Cell, ...]:
    """The cells with these names, such as "A1 B2"."""
    named = {rules.coordinate(cell): cell for cell in rules.cells}
    return tuple(named[name] for name in names.split())


def drawn(lesson: Lesson) -> Callable[[Language], ui.LayoutView]:
    return partial(lesson_view, lesson)

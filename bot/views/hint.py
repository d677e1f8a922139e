"""A hint."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle, ui

from bot.game.page import HintPage, custom_id
from bot.texts import LessonTexts
from bot.views.still import board_of, lesson_block, worths
from engine import Verdict


def hint_view(
    page: HintPage, verdicts: Sequence[Verdict], texts: LessonTexts, reply: Verdict | None = None
) -> ui.LayoutView:
    """What every move of a position is worth, and which to play; press one to know more.

    `reply` is the best answer to the one that was pressed.
    """
    faces, advised = worths(verdicts), verdicts[0].action
    faces[advised] = (faces[advised][0], ButtonStyle.primary)
    pages = {cell: custom_id(HintPage(page.record, cell), 0) for cell in faces}
    text = texts.hints.hint(verdicts, page.cell, reply)
    return lesson_block(text, *board_of(page.record.boards[-1], faces, pages))

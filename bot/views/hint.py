"""A hint."""

from __future__ import annotations

from discord import ButtonStyle, ui

from bot.game.lesson import Hint
from bot.game.page import HintPage, custom_id
from bot.game.press import Press, Verb
from bot.texts import LessonTexts
from bot.views.controls import button
from bot.views.still import board_of, lesson_block, worths
from engine import Cell


def hint_view(hint: Hint, texts: LessonTexts) -> ui.LayoutView:
    """What every move of a position is worth, and which to play; press one to know more.

    The one that was pressed can then be played as well.
    """
    page, faces, advised = hint.page, worths(hint.verdicts), hint.verdicts[0].action
    faces[advised] = (faces[advised][0], ButtonStyle.primary)
    text = texts.judgements.hint(hint.verdicts, page.cell, hint.reply)
    pages = {cell: _leads_to(page, cell) for cell in faces}
    board = board_of(page.record.boards[-1], faces, pages)
    if page.match is None:
        return lesson_block(text, *board)
    plays = [
        button(
            str(Press(page.match.id, page.match.version, Verb.PLAY, cell)),
            label=texts.judgements.play_button(page.record.rules, cell),
            style=faces[cell][1],
        )
        for cell in dict.fromkeys((advised, advised if page.cell is None else page.cell))
    ]
    return lesson_block(text, *board, ui.ActionRow(*plays))


def _leads_to(page: HintPage, cell: Cell) -> str:
    """To more about a cell, if the match has not moved on: so it is the address of a match."""
    if page.match is None:
        return custom_id(HintPage(page.record, cell), 0)
    return str(Press(page.match.id, page.match.version, Verb.HINT, cell))

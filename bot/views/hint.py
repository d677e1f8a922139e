"""A hint."""

from __future__ import annotations

from discord import ButtonStyle, ui

from bot.game.lesson import Hint
from bot.game.page import HintPage, custom_id
from bot.game.press import Press, Verb
from bot.texts.judgements import Judgements
from bot.texts.words import Language
from bot.views.controls import button
from bot.views.lesson_board import board_of, lesson_block, verdict_faces
from engine import Cell


def hint_view(hint: Hint, language: Language) -> ui.LayoutView:
    """The value of every move, and the best one in blue; pressing a cell tells more about it.

    In a match, buttons play the best move and the one that was pressed.
    """
    texts = Judgements(language)
    page, faces, advised = hint.page, verdict_faces(hint.verdicts), hint.verdicts[0].action
    faces[advised] = (faces[advised][0], ButtonStyle.primary)
    text = texts.hint(hint.verdicts, page.cell, hint.reply)
    pages = {cell: _leads_to(page, cell) for cell in faces}
    board = board_of(page.record.boards[-1], faces, pages)
    if page.match is None:
        return lesson_block(text, *board)
    plays = [
        button(
            str(Press(page.match.id, page.match.version, Verb.PLAY, cell)),
            label=texts.play_button(page.record.rules, cell),
            style=faces[cell][1],
        )
        for cell in dict.fromkeys((advised, advised if page.cell is None else page.cell))
    ]
    return lesson_block(text, *board, ui.ActionRow(*plays))


def _leads_to(page: HintPage, cell: Cell) -> str:
    """The custom_id for more about a cell; in a match a `Press`, as that checks the version."""
    if page.match is None:
        return custom_id(HintPage(page.record, cell), 0)
    return str(Press(page.match.id, page.match.version, Verb.HINT, cell))

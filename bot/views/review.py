"""A finished game, walked through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from discord import ButtonStyle, ui

from bot.game.lesson import decided_after, shown_ply
from bot.game.page import ReviewPage, custom_id
from bot.texts import LessonTexts
from bot.texts.judgements import BETTER
from bot.texts.words import SYMBOLS
from bot.views.still import Face, board_of, lesson_block, turn
from engine import Board, Cell, Verdict


def review_view(
    page: ReviewPage, verdicts: Sequence[Verdict], texts: LessonTexts, reply: Verdict | None = None
) -> ui.LayoutView:
    """A game judged, with the board after so many plies; its marks lead to where they were made.

    `reply` is the best answer to the last of them.
    """
    ply = shown_ply(page, verdicts)
    board = page.record.boards[ply]
    faces = _step_faces(board, verdicts[ply - 1]) if ply else {}
    last = len(page.record.moves)
    decided = decided_after(verdicts)
    targets = [0, max(ply - 1, 0), min(ply + 1, last), last, ply if decided is None else decided]
    labels = texts.reviews.step_buttons()
    buttons = [
        turn(replace(page, ply=target), number, label, disabled=target == ply)
        for number, (target, label) in enumerate(zip(targets, labels, strict=True))
    ]
    pages = {
        cell: custom_id(replace(page, ply=number), len(buttons))
        for number, cell in enumerate(page.record.moves[:ply], start=1)
    }
    text = texts.reviews.review(page, verdicts, reply)
    return lesson_block(text, *board_of(board, faces, pages), ui.ActionRow(*buttons))


def _step_faces(board: Board, made: Verdict) -> dict[Cell, Face]:
    """The move just made, a line it wins, and what was better."""
    faces = {made.action: (SYMBOLS[made.mark], ButtonStyle.primary)}
    outcome = board.outcome()
    for cell in outcome.line if outcome else ():
        faces[cell] = (SYMBOLS[made.mark], ButtonStyle.success)
    for cell in made.best_actions if made.is_blunder else ():
        faces[cell] = (BETTER, ButtonStyle.secondary)
    return faces

"""A finished game to step through, and its mistakes to try again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import ButtonStyle, ui

from bot.game.lesson import Retry, Review, another_mistake, decided_after, shown_ply
from bot.game.page import RetryPage, custom_id
from bot.texts.judgements import BETTER
from bot.texts.mistakes import MistakeTexts
from bot.texts.reviews import ReviewTexts
from bot.texts.words import Language
from bot.views.controls import button
from bot.views.lesson_board import RIGHT, WRONG, board_of, lesson_block, made_faces, steps


def review_view(review: Review, language: Language) -> ui.LayoutView:
    """A game judged, with the board at one ply; each mark leads to the ply that made it."""
    texts, mistakes = ReviewTexts(language), MistakeTexts(language)
    page, verdicts = review.page, review.verdicts
    ply = shown_ply(page, verdicts)
    made = verdicts[ply - 1] if ply else None
    board = page.record.boards[ply]
    faces = made_faces(board, made.action) if made else {}
    decided = decided_after(verdicts)
    turning_point = ply if decided is None else decided
    labels = texts.step_buttons()
    buttons = steps(page, ply, len(page.record.moves), labels, turning_point)
    rows: list[ui.Item[Any]] = [ui.ActionRow(*buttons)]
    pages = {
        cell: custom_id(replace(page, ply=number), len(buttons))
        for number, cell in enumerate(page.record.moves[:ply], start=1)
        if board[cell]
    }
    if made:
        is_mistake = made.is_blunder or made.lost_at_once
        better = made.best_actions if is_mistake else made.missed_wins
        faces |= dict.fromkeys(better, (BETTER, ButtonStyle.secondary))
    if made and made.is_blunder:
        again = RetryPage(page.record, ply, headers=page.headers)
        pages |= {cell: custom_id(replace(again, cell=cell), 0) for cell in better}
        label, style = mistakes.retry_button(), ButtonStyle.primary
        rows.append(ui.ActionRow(button(custom_id(again, 0), label=label, style=style)))
    text = texts.review(review)
    return lesson_block(text, *board_of(board, faces, pages), *rows)


def retry_view(retry: Retry, language: Language) -> ui.LayoutView:
    """A mistake to try again: pressing a free cell tries it; marks lead back to the review."""
    texts = MistakeTexts(language)
    page, tried = retry.page, retry.tried
    faces = {page.made: WRONG}
    if tried is not None:
        faces[tried.action] = RIGHT if tried.kept_value else WRONG
    pages = {cell: custom_id(replace(page, cell=cell), 0) for cell in page.board.actions()}
    for number, cell in enumerate(page.record.moves[: page.ply], start=1):
        if page.board[cell] or number == page.ply:
            pages[cell] = custom_id(replace(page.review, ply=number), 1)
    back, on = texts.retry_buttons()
    buttons = [button(custom_id(page.review, 0), label=back)]
    if another := another_mistake(page, retry.verdicts):
        buttons.append(button(custom_id(replace(page, ply=another, cell=None), 0), label=on))
    text = texts.retry(retry)
    return lesson_block(text, *board_of(page.board, faces, pages), ui.ActionRow(*buttons))

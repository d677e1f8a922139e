"""The lesson on minimax."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.game.learn import DEPTHS, WALKED, Chapter, LearnPage
from bot.game.minimax import Minimax, Pruned, Question, Sight, Sooner, Walk
from bot.game.page import custom_id
from bot.game.shortcut import Shortcut
from bot.game.sketch import Picture
from bot.texts.judgements import with_minus
from bot.texts.minimax import MinimaxTexts
from bot.texts.words import SYMBOLS, Language
from bot.views.controls import Control, button
from bot.views.lesson_board import board_of, lesson_block, verdict_faces

PICTURE_NAME = "velha.png"
BACK, NEXT, UP, ANSWERS, CELLS = 0, 1, 2, 10, 20
"""The first number of each kind of button on a page: no two custom_ids may be equal."""


def picture_of(lesson: object) -> Picture | None:
    """The picture that goes with a lesson's page, if any."""
    return lesson.picture if isinstance(lesson, Walk | Pruned | Sooner) else None


def minimax_view(lesson: Minimax, language: Language) -> ui.LayoutView:
    """A page: its picture, text, choices, a board to walk on, and navigation buttons."""
    texts = MinimaxTexts(language)
    items: list[ui.Item[Any]] = []
    if picture := picture_of(lesson):
        shown = discord.MediaGalleryItem(
            f"attachment://{PICTURE_NAME}", description=texts.alternative(picture.sketch)
        )
        items.append(ui.MediaGallery(shown))
    question = lesson.question if isinstance(lesson, Walk | Pruned | Sooner) else None
    if question is not None:
        items.append(_choices(lesson.page, question))
    if isinstance(lesson, Walk):
        items += _board_to_walk(lesson)
    elif isinstance(lesson, Sight):
        items += _board_in_sight(lesson, texts)
    is_asking = question is not None and lesson.page.answer is None
    items.append(ui.ActionRow(*_navigation(lesson.page, texts, is_asking=is_asking)))
    return lesson_block(texts.screen(lesson), *items)


def _choices(page: LearnPage, question: Question) -> ui.ActionRow[Any]:
    """A question's choices; once it is answered, the right one is green and a wrong one red."""
    styles = dict.fromkeys(range(len(question.choices)), ButtonStyle.primary)
    if page.answer is not None:
        styles = dict.fromkeys(styles, ButtonStyle.secondary)
        styles[page.answer] = ButtonStyle.danger
        styles[question.right] = ButtonStyle.success
    buttons = (
        button(
            custom_id(replace(page, answer=number), ANSWERS + number),
            label=with_minus(choice),
            style=styles[number],
        )
        for number, choice in enumerate(question.choices)
    )
    return ui.ActionRow(*buttons)


def _board_to_walk(walk: Walk) -> list[ui.Item[Any]]:
    """Free cells lead down the tree; marks lead back up, to before their move or to the start."""
    page, board = walk.page, walk.page.board
    is_numbered = page.chapter is Chapter.NUMBERS and not walk.shows_more_than_a_move
    faces = verdict_faces(walk.verdicts, numbered=True) if is_numbered else {}
    begun = replace(page, path=(), answer=None)
    targets = dict.fromkeys(board.rules.cells, begun)
    targets |= {cell: replace(begun, path=page.path[:ply]) for ply, cell in enumerate(page.path)}
    targets |= {cell: replace(begun, path=(*page.path, cell)) for cell in board.actions()}
    pages = {cell: custom_id(target, CELLS + cell) for cell, target in targets.items()}
    return board_of(board, faces, pages)


def _board_in_sight(sight: Sight, texts: MinimaxTexts) -> list[ui.Item[Any]]:
    page, board, glimpse = sight.page, sight.board, sight.glimpse
    is_bad = glimpse.proven_worth.value > 0
    style = ButtonStyle.danger if is_bad else ButtonStyle.success
    faces = {glimpse.action: (SYMBOLS[board.to_move], style)}
    depths = [
        button(
            custom_id(replace(page, answer=number), ANSWERS + number),
            label=texts.depth_button(depth),
            style=ButtonStyle.primary if depth == glimpse.depth else ButtonStyle.secondary,
        )
        for number, depth in enumerate(DEPTHS)
    ]
    return [*board_of(board, faces, {}), ui.ActionRow(*depths)]


def _navigation(page: LearnPage, texts: MinimaxTexts, *, is_asking: bool) -> Iterator[Control]:
    """The buttons Back, Next and Up; the one to press next is highlighted.

    On the last page, a button starts a match, unless the lesson is on a match already.
    """
    is_below = page.chapter in WALKED and bool(page.path)
    goes_up = page.chapter is Chapter.NUMBERS and is_below and not is_asking
    goes_on = ButtonStyle.secondary if is_asking or goes_up else ButtonStyle.primary
    before, after = _neighbour(page, -1), _neighbour(page, 1)
    back, on = texts.navigation_buttons()
    yield button(custom_id(before or page, BACK), label=back, disabled=before is None)
    if after is not None:
        yield button(custom_id(after, NEXT), label=on, style=goes_on)
    elif not page.is_on_match:
        yield button(custom_id(Shortcut.START, NEXT), label=texts.play_button(), style=goes_on)
    if is_below:
        yield button(
            custom_id(replace(page, path=page.path[:-1], answer=None), UP),
            label=texts.up_button(),
            style=ButtonStyle.primary if goes_up else ButtonStyle.secondary,
        )


def _neighbour(page: LearnPage, step: int) -> LearnPage | None:
    """The first page of the chapter before (-1) or after (+1); None if there is none."""
    if page.chapter + step not in list(Chapter):
        return None
    chapter = Chapter(page.chapter + step)
    plain = LearnPage(page.record, chapter)
    return plain.first_question if chapter is Chapter.NUMBERS else plain

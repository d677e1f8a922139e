"""The lesson on minimax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from discord import ButtonStyle, ui

from bot.game.page import Chapter, LearnPage
from bot.texts import LessonTexts
from bot.texts.judgements import CUT
from bot.texts.words import SYMBOLS
from bot.views.still import Face, board_of, lesson_block, turn, worths
from engine import Cell, Cutoff, Search, Verdict, Way


def tree_view(page: LearnPage, texts: LessonTexts) -> ui.LayoutView:
    board = page.record.boards[-1]
    return _learn_view(page, texts.minimax.tree(board), {}, texts)


def numbers_view(page: LearnPage, verdicts: Sequence[Verdict], texts: LessonTexts) -> ui.LayoutView:
    faces = worths(verdicts, numbered=True)
    return _learn_view(page, texts.minimax.numbers(verdicts), faces, texts)


def pruning_view(page: LearnPage, cutoff: Cutoff | None, texts: LessonTexts) -> ui.LayoutView:
    """What is cut off, on the board once the move to which it is a reply was made."""
    board = page.record.boards[-1]
    faces: dict[Cell, Face] = {}
    if cutoff is not None:
        faces = dict.fromkeys(cutoff.skipped, (CUT, ButtonStyle.secondary))
        faces[cutoff.other] = (SYMBOLS[board.to_move], ButtonStyle.primary)
        faces[cutoff.reply] = (SYMBOLS[board.to_move.other], ButtonStyle.success)
    return _learn_view(page, texts.minimax.pruning(board, cutoff), faces, texts)


def costs_view(
    page: LearnPage, found: Mapping[Way, Search[Cell]], texts: LessonTexts
) -> ui.LayoutView:
    return _learn_view(page, texts.minimax.costs(page.record.boards[-1], found), {}, texts)


def _learn_view(
    page: LearnPage, text: str, faces: Mapping[Cell, Face], texts: LessonTexts
) -> ui.LayoutView:
    now, last = page.chapter, max(Chapter)
    targets = [Chapter(max(now - 1, min(Chapter))), Chapter(min(now + 1, last))]
    labels = texts.minimax.turn_buttons()
    buttons = [
        turn(LearnPage(page.record, target), number, label, disabled=target is now)
        for number, (target, label) in enumerate(zip(targets, labels, strict=True))
    ]
    lines = [texts.minimax.learn_title(now, last), text]
    if page.record.moves:
        lines.append(texts.minimax.lesson_on_match())
    board = board_of(page.record.boards[-1], faces, {})
    return lesson_block("\n".join(lines), *board, ui.ActionRow(*buttons))

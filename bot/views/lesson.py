"""From what the engine says to the message that teaches it: pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.game.lesson import (
    Costs,
    DailyPuzzle,
    Hint,
    Lesson,
    Numbers,
    Pruning,
    Review,
    Tree,
    decided_after,
    shown_ply,
)
from bot.game.page import Chapter, HintPage, LearnPage, Page, PuzzlePage, ReviewPage, custom_id
from bot.texts import LessonTexts
from bot.texts.judgements import BETTER, CUT, HIT, MISS, VALUE_SYMBOLS
from bot.texts.lessons import NO_REPLIES, Replies
from bot.texts.words import SYMBOLS
from bot.views.buttons import PressButton, button, grid, one_block
from engine import (
    TRIES,
    Board,
    Cell,
    Cutoff,
    Puzzle,
    Search,
    Value,
    Verdict,
    Way,
)

_COLOUR = discord.Colour.gold()
_VALUE_STYLES = {
    Value.WIN: ButtonStyle.success,
    Value.DRAW: ButtonStyle.secondary,
    Value.LOSS: ButtonStyle.danger,
}
Face = tuple[str, ButtonStyle]
"""How a cell is to look: an emoji and a style."""


def lesson_view(lesson: Lesson, texts: LessonTexts) -> ui.LayoutView:
    """The message of a lesson's page."""
    match lesson:
        case Hint(page, verdicts, reply):
            view = hint_view(page, verdicts, texts, reply)
        case Review(page, verdicts, reply):
            view = review_view(page, verdicts, texts, reply)
        case DailyPuzzle(page, puzzle, replies):
            view = puzzle_view(page, puzzle, texts, replies)
        case Tree(page):
            view = tree_view(page, texts)
        case Numbers(page, verdicts):
            view = numbers_view(page, verdicts, texts)
        case Pruning(page, cutoff):
            view = pruning_view(page, cutoff, texts)
        case Costs(page, found):
            view = costs_view(page, found, texts)
    return view


def hint_view(
    page: HintPage, verdicts: Sequence[Verdict], texts: LessonTexts, reply: Verdict | None = None
) -> ui.LayoutView:
    """What every move of a position is worth, the best of them first; press one to know more.

    `reply` is the best answer to the one that was pressed.
    """
    best = verdicts[0]
    faces = _worths(verdicts)
    if len(best.best_actions) < len(verdicts):
        faces[best.action] = (faces[best.action][0], ButtonStyle.primary)
    pages = {cell: custom_id(HintPage(page.record, cell), 0) for cell in faces}
    text = texts.hint(verdicts, page.cell, reply)
    return _view(text, *_board(page.record.boards[-1], faces, pages))


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
    buttons = [
        _turn(ReviewPage(page.record, target), number, label, disabled=target == ply)
        for number, (target, label) in enumerate(zip(targets, texts.step_buttons(), strict=True))
    ]
    pages = {
        cell: custom_id(ReviewPage(page.record, number), len(buttons))
        for number, cell in enumerate(page.record.moves[:ply], start=1)
    }
    text = texts.review(page.record, verdicts, ply, reply)
    return _view(text, *_board(board, faces, pages), ui.ActionRow(*buttons))


def _step_faces(board: Board, made: Verdict) -> dict[Cell, Face]:
    """The move just made, a line it wins, and what was better."""
    faces = {made.action: (SYMBOLS[made.mark], ButtonStyle.primary)}
    outcome = board.outcome()
    for cell in outcome.line if outcome else ():
        faces[cell] = (SYMBOLS[made.mark], ButtonStyle.success)
    for cell in made.best_actions if made.is_blunder else ():
        faces[cell] = (BETTER, ButtonStyle.secondary)
    return faces


def puzzle_view(
    page: PuzzlePage, puzzle: Puzzle, texts: LessonTexts, replies: Replies = NO_REPLIES
) -> ui.LayoutView:
    """A puzzle: its free cells are pressed to solve it.

    `replies` are the best answers to cells that were tried and lose.
    """
    is_solved = puzzle.solution in page.tried
    over = is_solved or len(page.tried) == TRIES
    answer = HIT if is_solved else BETTER

    def square(cell: Cell) -> PressButton:
        mark = puzzle.board[cell]
        name = puzzle.board.rules.coordinate(cell)
        was_tried = cell in page.tried
        shown = answer if over and cell == puzzle.solution else MISS if was_tried else None
        style = ButtonStyle.success if shown == answer else ButtonStyle.secondary
        target = PuzzlePage(page.day, (*page.tried, cell))
        return button(
            _still_id(cell) if over or was_tried or mark else custom_id(target, 0),
            label=None if mark or shown else name,
            emoji=SYMBOLS[mark] if mark else shown,
            style=style,
            disabled=bool(mark or shown or over),
        )

    text = texts.puzzle(puzzle, page.day, page.tried, replies)
    if over:
        below = texts.puzzle_over(puzzle, page.day, page.tried)
    else:
        below = texts.tries_left(TRIES - len(page.tried))
    return _view(text, *grid(puzzle.board.rules, square), ui.TextDisplay(below))


def tree_view(page: LearnPage, texts: LessonTexts) -> ui.LayoutView:
    board = page.record.boards[-1]
    return _learn_view(page, texts.tree(board), {}, texts)


def numbers_view(page: LearnPage, verdicts: Sequence[Verdict], texts: LessonTexts) -> ui.LayoutView:
    return _learn_view(page, texts.numbers(verdicts), _worths(verdicts), texts)


def pruning_view(page: LearnPage, cutoff: Cutoff | None, texts: LessonTexts) -> ui.LayoutView:
    """What is cut off, on the board once the move to which it is a reply was made."""
    board = page.record.boards[-1]
    faces: dict[Cell, Face] = {}
    if cutoff is not None:
        faces = dict.fromkeys(cutoff.skipped, (CUT, ButtonStyle.secondary))
        faces[cutoff.other] = (SYMBOLS[board.to_move], ButtonStyle.primary)
        faces[cutoff.reply] = (SYMBOLS[board.to_move.other], ButtonStyle.success)
    return _learn_view(page, texts.pruning(board, cutoff), faces, texts)


def costs_view(
    page: LearnPage, found: Mapping[Way, Search[Cell]], texts: LessonTexts
) -> ui.LayoutView:
    return _learn_view(page, texts.costs(page.record.boards[-1], found), {}, texts)


def _learn_view(
    page: LearnPage, text: str, faces: Mapping[Cell, Face], texts: LessonTexts
) -> ui.LayoutView:
    now, last = page.chapter, max(Chapter)
    targets = [Chapter(max(now - 1, min(Chapter))), Chapter(min(now + 1, last))]
    buttons = [
        _turn(LearnPage(page.record, target), number, label, disabled=target is now)
        for number, (target, label) in enumerate(zip(targets, texts.turn_buttons(), strict=True))
    ]
    lines = [texts.learn_title(now, last), text]
    if page.record.moves:
        lines.append(texts.lesson_on_match())
    board = _board(page.record.boards[-1], faces, {})
    return _view("\n".join(lines), *board, ui.ActionRow(*buttons))


def _view(text: str, *items: ui.Item[Any]) -> ui.LayoutView:
    return one_block(ui.TextDisplay(text), *items, colour=_COLOUR)


def _worths(verdicts: Sequence[Verdict]) -> dict[Cell, Face]:
    """Each free cell as what it is worth."""
    return {
        verdict.action: (VALUE_SYMBOLS[verdict.worth.value], _VALUE_STYLES[verdict.worth.value])
        for verdict in verdicts
    }


def _board(
    board: Board, faces: Mapping[Cell, Face], pages: Mapping[Cell, str]
) -> list[ui.Item[Any]]:
    """A board to look at: cells show what they hold, or the face they are given.

    Those that lead to a page, by its custom_id, can be pressed.
    """

    def square(cell: Cell) -> PressButton:
        mark = board[cell]
        emoji, style = faces.get(cell, (SYMBOLS[mark] if mark else None, ButtonStyle.secondary))
        label = None if emoji else board.rules.coordinate(cell)  # both would be too wide
        leads_to = pages.get(cell)
        return button(
            leads_to or _still_id(cell),
            label=label,
            emoji=emoji,
            style=style,
            disabled=leads_to is None,
        )

    return grid(board.rules, square)


def _still_id(cell: Cell) -> str:
    return f"velha:still:{cell}"


def _turn(page: Page, number: int, label: str, *, disabled: bool) -> PressButton:
    return button(custom_id(page, number), label=label, disabled=disabled)

"""A puzzle, its solution, and what is told everybody of it."""

from __future__ import annotations

from dataclasses import replace

from discord import ButtonStyle, ui

from bot.game.lesson import is_over, solved_up_to
from bot.game.page import PuzzlePage, SharePage, custom_id
from bot.texts import LessonTexts
from bot.texts.judgements import BETTER
from bot.texts.puzzles import NO_REPLIES, Replies
from bot.views.buttons import button
from bot.views.still import RIGHT, WRONG, Face, board_of, lesson_block, made_faces, steps
from engine import TRIES, Cell, Puzzle, Verdict


def puzzle_view(
    page: PuzzlePage,
    puzzle: Puzzle,
    texts: LessonTexts,
    replies: Replies = NO_REPLIES,
    step: Verdict | None = None,
) -> ui.LayoutView:
    """A puzzle: its free cells are pressed to solve it; then its solution is walked through.

    `replies` are the best answers to cells that were tried and lose; `step` is the move of the
    solution that was made last.
    """
    text = texts.puzzles.puzzle(puzzle, page.day, page.tried, replies)
    if is_over(page.tried, puzzle):
        return _over_view(page, puzzle, texts, text, step)
    faces = dict.fromkeys(page.tried, WRONG)
    pages = {
        cell: custom_id(replace(page, tried=(*page.tried, cell)), 0)
        for cell in puzzle.worths
        if cell not in page.tried
    }
    below = texts.puzzles.tries_left(TRIES - len(page.tried))
    return lesson_block(text, *board_of(puzzle.board, faces, pages), ui.TextDisplay(below))


def _over_view(
    page: PuzzlePage, puzzle: Puzzle, texts: LessonTexts, text: str, step: Verdict | None
) -> ui.LayoutView:
    board = solved_up_to(puzzle, page.ply)
    *labels, _turning_point = texts.reviews.step_buttons()
    buttons = steps(page, page.ply, len(puzzle.line), labels)
    faces = made_faces(board, puzzle.line[page.ply - 1]) if page.ply else _result(page, puzzle)
    pages = {
        cell: custom_id(replace(page, ply=number), len(buttons))
        for number, cell in enumerate(puzzle.line[: max(page.ply, 1)], start=1)
        if board[cell] or page.ply == 0
    }
    shared = SharePage(page.day, puzzle.grade, len(set(page.tried) - {puzzle.solution}))
    share = button(
        custom_id(shared, 0), label=texts.puzzles.share_button(), style=ButtonStyle.primary
    )
    below = ui.TextDisplay[ui.LayoutView](texts.puzzles.puzzle_over(puzzle, page, step))
    return lesson_block(text, *board_of(board, faces, pages), below, ui.ActionRow(*buttons, share))


def _result(page: PuzzlePage, puzzle: Puzzle) -> dict[Cell, Face]:
    """What was tried, and what was to be found."""
    found = RIGHT if puzzle.solution in page.tried else (BETTER, ButtonStyle.success)
    return dict.fromkeys(page.tried, WRONG) | {puzzle.solution: found}


def share_view(page: SharePage, user_id: int, texts: LessonTexts) -> ui.LayoutView:
    """How somebody did, told to everybody; whoever likes to solves the same puzzle."""
    solve = button(custom_id(PuzzlePage(page.day), 0), label=texts.puzzles.solve_button())
    return lesson_block(texts.puzzles.shared(page, user_id), ui.ActionRow(solve))

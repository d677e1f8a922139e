"""A puzzle."""

from __future__ import annotations

from discord import ButtonStyle, ui

from bot.game.page import PuzzlePage, custom_id
from bot.texts import LessonTexts
from bot.texts.judgements import BETTER, HIT, MISS
from bot.texts.puzzles import NO_REPLIES, Replies
from bot.texts.words import SYMBOLS
from bot.views.buttons import PressButton, button, grid
from bot.views.still import lesson_block, still_id
from engine import TRIES, Cell, Puzzle


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
            still_id(cell) if over or was_tried or mark else custom_id(target, 0),
            label=None if mark or shown else name,
            emoji=SYMBOLS[mark] if mark else shown,
            style=style,
            disabled=bool(mark or shown or over),
        )

    text = texts.puzzles.puzzle(puzzle, page.day, page.tried, replies)
    if over:
        below = texts.puzzles.puzzle_over(puzzle, page.day, page.tried)
    else:
        below = texts.puzzles.tries_left(TRIES - len(page.tried))
    return lesson_block(text, *grid(puzzle.board.rules, square), ui.TextDisplay(below))

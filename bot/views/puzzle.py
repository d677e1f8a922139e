"""A puzzle, its solution, and the messages about it that everybody sees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discord import ButtonStyle, ui

from bot.game.lesson import DailyPuzzle, is_over, solved_up_to
from bot.game.page import PuzzlePage, SharePage, custom_id
from bot.game.puzzle_posts import PuzzlePost
from bot.game.puzzles import Attempt
from bot.texts.judgements import BETTER
from bot.texts.puzzles import PuzzleTexts
from bot.texts.reviews import ReviewTexts
from bot.texts.words import Language
from bot.views.controls import Control, button
from bot.views.lesson_board import RIGHT, WRONG, Face, board_of, lesson_block, made_faces, steps
from engine import TRIES, Cell, Puzzle


def puzzle_view(lesson: DailyPuzzle, language: Language) -> ui.LayoutView:
    """A puzzle: pressing a free cell tries it; afterwards, one can step through the solution."""
    texts = PuzzleTexts(language)
    page, puzzle = lesson.page, lesson.puzzle
    text = texts.puzzle(lesson)
    if is_over(page.tried, puzzle):
        return _over_view(lesson, language, text)
    faces = dict.fromkeys(page.tried, WRONG)
    pages = {
        cell: custom_id(replace(page, tried=(*page.tried, cell)), 0)
        for cell in puzzle.worths
        if cell not in page.tried
    }
    below = texts.tries_left(TRIES - len(page.tried))
    return lesson_block(text, *board_of(puzzle.board, faces, pages), ui.TextDisplay(below))


def _over_view(lesson: DailyPuzzle, language: Language, text: str) -> ui.LayoutView:
    page, puzzle = lesson.page, lesson.puzzle
    texts, board = PuzzleTexts(language), solved_up_to(puzzle, page.ply)
    *labels, _turning_point = ReviewTexts(language).step_buttons()
    _start, *buttons = steps(page, page.ply, len(puzzle.line), labels)
    faces = made_faces(board, puzzle.line[page.ply - 1]) if page.ply else _result(page, puzzle)
    pages = {
        cell: custom_id(replace(page, ply=number), len(labels))
        for number, cell in enumerate(puzzle.line[: max(page.ply, 1)], start=1)
        if board[cell] or page.ply == 0
    }
    said = texts.puzzle_over(lesson)
    row = ui.ActionRow[Any](*buttons, *_after(page, puzzle, texts))
    return lesson_block(text, *board_of(board, faces, pages), ui.TextDisplay(said), row)


def _after(page: PuzzlePage, puzzle: Puzzle, texts: PuzzleTexts) -> list[Control]:
    """The buttons after a puzzle: share it, if the attempt counted, and practise it again."""
    again = replace(page, tried=(), ply=0, is_practice=True)
    practice = button(custom_id(again, 0), label=texts.practice_button())
    if page.is_practice:
        return [practice]
    shared = SharePage(page.day, puzzle.grade, Attempt(page.tried, puzzle.solution).misses)
    label = texts.share_button()
    return [button(custom_id(shared, 0), label=label, style=ButtonStyle.primary), practice]


def _result(page: PuzzlePage, puzzle: Puzzle) -> dict[Cell, Face]:
    """The faces of the cells that were tried, and of the solution."""
    found = RIGHT if puzzle.solution in page.tried else (BETTER, ButtonStyle.success)
    return dict.fromkeys(page.tried, WRONG) | {puzzle.solution: found}


def post_view(post: PuzzlePost, lesson: DailyPuzzle, language: Language) -> ui.LayoutView:
    """The daily puzzle, posted for a whole server; each person solves it in private."""
    texts = PuzzleTexts(language)
    page, puzzle = lesson.page, lesson.puzzle
    text = texts.puzzle(lesson)
    solve = button(custom_id(page, 0), label=texts.solve_it_button(), style=ButtonStyle.primary)
    items: list[ui.Item[Any]] = [*board_of(puzzle.board, {}, {}), ui.ActionRow[Any](solve)]
    if post.yesterday:
        items += [ui.Separator(), ui.TextDisplay(texts.yesterday(post.yesterday))]
    return lesson_block(text, *items)


def share_view(page: SharePage, user_id: int, language: Language) -> ui.LayoutView:
    """How somebody did, for everybody to see, with a button to solve the same puzzle."""
    texts = PuzzleTexts(language)
    solve = button(custom_id(PuzzlePage(page.day), 0), label=texts.solve_button())
    return lesson_block(texts.shared(page, user_id), ui.ActionRow(solve))

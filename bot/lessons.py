"""Lessons: each page is thought about where that delays nobody, and shown to one person only."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import date
from functools import partial
from typing import Any

from discord import ui

from bot import lesson_view as views
from bot.circumstances import Interaction
from bot.match import Refusal
from bot.mind import Mind
from bot.page import Chapter, HintPage, LearnPage, Page, PuzzlePage, ReviewPage
from bot.screen import answer_with, patiently
from bot.texts import LessonTexts, lesson_texts_for
from engine import (
    Cell,
    Puzzle,
    Value,
    advise,
    best_reply,
    costs,
    daily_puzzle,
    first_cutoff,
    review,
)


class Lessons:
    """Between the engine and those who want to learn from it."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._under_way: dict[int, asyncio.Task[ui.LayoutView | Refusal]] = {}

    async def show(self, interaction: Interaction, page: Page) -> Refusal | None:
        """Show a page, or say why it is none."""
        in_place = _is_page(interaction)
        thought = self._in_place_of_the_last(interaction.user.id, self._view(interaction, page))
        await patiently(interaction, thought, in_place=in_place)
        if thought.cancelled():
            return await _give_way(interaction, in_place=in_place)
        view = thought.result()
        if isinstance(view, Refusal):
            return view
        await answer_with(interaction, view, in_place=in_place)
        return None

    def _in_place_of_the_last(
        self, user_id: int, lesson: Coroutine[Any, Any, ui.LayoutView | Refusal]
    ) -> asyncio.Task[ui.LayoutView | Refusal]:
        """Begin a lesson; one that the same person still waits for is given up."""
        if last := self._under_way.pop(user_id, None):
            last.cancel()
        thought = self._under_way[user_id] = asyncio.create_task(lesson)
        thought.add_done_callback(partial(self._forget, user_id))
        return thought

    def _forget(self, user_id: int, thought: asyncio.Task[ui.LayoutView | Refusal]) -> None:
        if self._under_way.get(user_id) is thought:
            del self._under_way[user_id]

    async def _view(self, interaction: Interaction, page: Page) -> ui.LayoutView | Refusal:
        texts = _reader(interaction)
        match page:
            case HintPage():
                return await self._hint(page, texts)
            case ReviewPage():
                return await self._review(page, texts)
            case PuzzlePage():
                return await self._puzzle(page, interaction.created_at.date(), texts)
            case LearnPage():
                return await self._learn(page, texts)

    async def _hint(self, page: HintPage, texts: LessonTexts) -> ui.LayoutView:
        rules, board, reply = page.record.rules, page.record.boards[-1], None
        verdicts = await self._mind.judge(rules, advise, board)
        asked = next((verdict for verdict in verdicts if verdict.action == page.cell), None)
        if asked is not None and asked.worth.value is Value.LOSS:
            reply = await self._mind.judge(rules, best_reply, board, asked.action)
        return views.hint_view(page, verdicts, texts, reply)

    async def _review(self, page: ReviewPage, texts: LessonTexts) -> ui.LayoutView:
        record, reply = page.record, None
        verdicts = await self._mind.judge(record.rules, review, record.moves, record.rules)
        ply = views.shown_ply(page, verdicts)
        made = verdicts[ply - 1] if ply else None
        if made is not None and made.is_blunder and made.worth.value is Value.LOSS:
            reply = await self._mind.judge(record.rules, best_reply, made.board, made.action)
        return views.review_view(page, verdicts, texts, reply)

    async def _puzzle(
        self, page: PuzzlePage, today: date, texts: LessonTexts
    ) -> ui.LayoutView | Refusal:
        if page.day > today:
            return Refusal.UNKNOWN_BUTTON
        puzzle = await self._mind.think(daily_puzzle, page.day)
        if not _can_be_tried(page.tried, puzzle):
            return Refusal.UNKNOWN_BUTTON
        board = puzzle.board
        lost = [cell for cell in page.tried if puzzle.worths[cell].value is Value.LOSS]
        replies = {
            cell: await self._mind.judge(board.rules, best_reply, board, cell) for cell in lost
        }
        return views.puzzle_view(page, puzzle, texts, replies)

    async def _learn(self, page: LearnPage, texts: LessonTexts) -> ui.LayoutView:
        rules, board = page.record.rules, page.record.boards[-1]
        match page.chapter:
            case Chapter.TREE:
                return views.tree_view(page, texts)
            case Chapter.NUMBERS:
                verdicts = await self._mind.judge(rules, advise, board)
                return views.numbers_view(page, verdicts, texts)
            case Chapter.PRUNING:
                cutoff = await self._mind.judge(rules, first_cutoff, board)
                return views.pruning_view(page, cutoff, texts)
            case Chapter.COSTS:
                return views.costs_view(page, await self._mind.think(costs, board), texts)


async def _give_way(interaction: Interaction, *, in_place: bool) -> Refusal | None:
    """Leave the page to a later press of the same person: then Discord just has to know."""
    if not in_place:
        return Refusal.SUPERSEDED
    if not interaction.response.is_done():
        await interaction.response.defer()
    return None


def _is_page(interaction: Interaction) -> bool:
    """Whether a lesson's own message was pressed, which one person sees, and not a board's."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _can_be_tried(tried: Sequence[Cell], puzzle: Puzzle) -> bool:
    return set(tried) <= set(puzzle.worths) and puzzle.solution not in tried[:-1]


def _reader(interaction: Interaction) -> LessonTexts:
    return lesson_texts_for(str(interaction.locale))

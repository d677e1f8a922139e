"""The reply to an interaction: one answer, in time, or a sentence that says why there is none.

`Replies.to` is the one place that handles errors.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, TypeVar

from bot.game.lesson import Hint, Lesson
from bot.game.outcome import (
    BroughtDown,
    Followed,
    Forgotten,
    LessonQuestioned,
    Opened,
    Questioned,
    Refused,
    Showable,
    Shown,
    Stats,
    Stopped,
)
from bot.game.page import SharePage
from bot.game.refusal import NoAnswerInTimeError, OutageError, Refusal
from bot.replies.answer import Answer, Patience
from bot.replies.boards import Boards
from bot.replies.context import Interaction, is_on_page, may_make_thread
from bot.replies.emojis import Emojis
from bot.replies.failures import DISCORD_ERRORS, cause_of, was_answered_elsewhere
from bot.replies.hints import LastHints
from bot.replies.personal import show_personal
from bot.replies.posts import Posts
from bot.texts import AnswerTexts, StatsTexts, language_for
from bot.texts.words import Language
from bot.views.board import match_view, moved_view, resign_question
from bot.views.lesson import lesson_question, lesson_view
from bot.views.minimax import PICTURE_NAME, picture_of
from bot.views.puzzle import share_view
from bot.views.stats import stats_view

Result = TypeVar("Result")

_ENDS_A_PAGE = (Refusal.HINT_OLD, Refusal.MATCH_OVER, Refusal.TIME_IS_UP)
"""These make a hint, or the question whether to resign, useless: they replace that page."""
_HOLDS_A_CHANNEL = (Refusal.CHANNEL_BUSY, Refusal.CHALLENGE_HERE)

_log = logging.getLogger(__name__)


class Reply:
    """The reply to one interaction; made on its arrival, from which time is counted."""

    def __init__(self, answer: Answer, boards: Boards, posts: Posts, hints: LastHints) -> None:
        self.answer = answer
        self._interaction = answer.interaction
        self._boards = boards
        self._posts = posts
        self._hints = hints
        self._arrived_at = asyncio.get_running_loop().time()
        self.refusal: Refusal | None = None

    @property
    def seconds(self) -> float:
        """How long ago the interaction arrived."""
        return asyncio.get_running_loop().time() - self._arrived_at

    @property
    def language(self) -> Language:
        """The language of the person who reads the reply."""
        return language_for(str(self._interaction.locale))

    @property
    def texts(self) -> AnswerTexts:
        """The sentences in the reader's language."""
        return AnswerTexts(self.language)

    async def wait(self, work: Awaitable[Result], *, in_place: bool) -> Result:
        """Wait for some work, and defer the response if it takes long.

        `in_place` says whether the answer will replace the message that was pressed, or be a new
        one that only the person sees.
        """
        task = asyncio.ensure_future(work)
        defer_after_seconds = self.answer.patience.defer_after_seconds
        await asyncio.wait({task}, timeout=max(0, defer_after_seconds - self.seconds))
        if not task.done():
            await self.answer.defer(in_place=in_place)
        return await task

    async def give(self, outcome: Showable) -> None:
        """Show an outcome, and redraw the other matches that changed with it."""
        try:
            match outcome:
                case Refused():
                    await self.refuse(outcome)
                case Shown():
                    await self._show(outcome)
                case Opened():
                    await self._posts.open(self.answer, outcome)
                case BroughtDown(match):
                    await self._posts.bring_down(self.answer, match)
                case Stopped():
                    await self._posts.stop(self.answer, outcome, self.texts)
                case Followed():
                    await self._posts.follow(self.answer, outcome, self.texts)
                case Questioned(match):
                    await self.answer.show(resign_question(match, self.texts), in_place=False)
                case LessonQuestioned():
                    await self.answer.show(lesson_question(self.texts), in_place=False)
                case _:
                    await show_personal(self.answer, outcome, self.language)
        finally:  # the changes are stored, even if the answer failed
            if isinstance(outcome, Refused | Opened | Forgotten):
                await self._boards.redraw_all(outcome.also)

    async def refuse(self, refused: Refused) -> None:
        self.refusal = refused.refusal
        say = self.answer.say_done if refused.refusal in _ENDS_A_PAGE else self.answer.say
        sentences = [self.texts.refusal(refused)]
        if refused.refusal in _HOLDS_A_CHANNEL and may_make_thread(self._interaction):
            sentences.append(self.texts.play_in_a_thread())
        await say("\n".join(sentences))

    async def apologize(self, refusal: Refusal) -> None:
        with suppress(*DISCORD_ERRORS):
            await self.refuse(Refused(refusal))

    async def teach(self, lesson: Lesson | Refused) -> None:
        """Show a lesson's page, or why there is none; a superseded press on a page is ignored."""
        if not isinstance(lesson, Refused):
            picture = picture_of(lesson)
            files = [(PICTURE_NAME, picture.png)] if picture else []
            await self.answer.show_alone(lesson_view(lesson, self.language), files)
            if isinstance(lesson, Hint):
                await self._hints.replace(self._interaction)
        elif lesson.refusal is not Refusal.SUPERSEDED or not is_on_page(self._interaction):
            await self.refuse(lesson)
        else:
            await self.answer.change_nothing()

    async def share(self, page: SharePage, language: str) -> None:
        """Tell everybody how the person did with a puzzle, in that place's language."""
        view = share_view(page, self._interaction.user.id, language_for(language))
        await self.answer.post(view)

    async def post_stats(self, stats: Stats, language: str) -> None:
        """Show everybody somebody's results, in that place's language."""
        texts = StatsTexts(language_for(language))
        await self.answer.post(stats_view(stats, texts, is_public=True))

    async def _show(self, shown: Shown) -> None:
        """Redraw the message that was pressed, in answer or, if that fails, by its id.

        If another process has answered, it shows the current state.
        """
        match = shown.match
        is_elsewhere = shown.refusal is Refusal.BOARD_MOVED
        view = moved_view(match) if is_elsewhere else match_view(match)
        try:
            await self.answer.show(view, in_place=True)
        except DISCORD_ERRORS as error:
            if was_answered_elsewhere(error):
                raise
            _log.warning("Match %d could not be shown in answer: %s", match.id, cause_of(error))
            if not await self._boards.redraw(match) and shown.refusal is None:
                await self.apologize(Refusal.BOARD_GONE)
        else:
            if self.answer.is_deferred:
                await self._boards.redraw_if_changed(match)
        if shown.refusal:
            await self.refuse(Refused(shown.refusal, match))


Listener = Callable[[Interaction, Reply], None]
"""Called after each interaction has been handled, with its reply."""


class Replies:
    """Makes a reply for each interaction, and keeps the tasks that are still under way."""

    def __init__(
        self,
        boards: Boards,
        posts: Posts,
        emojis: Emojis,
        observe: Callable[[datetime], None],
        patience: Patience,
    ) -> None:
        self.boards = boards
        self.posts = posts
        self._hints = LastHints(patience.discord_seconds)
        self._emojis = emojis
        self._patience = patience
        self.under_way: set[asyncio.Task[Any]] = set()
        self._observe = observe
        self.listeners: list[Listener] = []

    @asynccontextmanager
    async def to(self, interaction: Interaction) -> AsyncIterator[Reply]:
        """Make a reply; any error inside is logged once and told to the person, not raised."""
        task = asyncio.current_task()
        assert task is not None
        self.under_way.add(task)
        self._observe(interaction.created_at)
        answer = Answer(interaction, self._emojis, self._patience)
        reply = Reply(answer, self.boards, self.posts, self._hints)
        try:
            yield reply
        except OutageError as error:
            level = logging.ERROR if isinstance(error, NoAnswerInTimeError) else logging.DEBUG
            _log.log(level, "There is no answer: %s", error)
            await reply.apologize(error.refusal)
        except DISCORD_ERRORS as error:
            if was_answered_elsewhere(error):
                _log.info("Interaction %d was answered by another process.", interaction.id)
            else:
                _log.warning("Discord did not take an answer: %s", cause_of(error))
                await reply.apologize(Refusal.BROKEN)
        except Exception:  # noqa: BLE001 - the one place that catches what nobody foresaw
            _log.exception("An interaction could not be answered.")
            await reply.apologize(Refusal.BROKEN)
        finally:
            self.under_way.discard(task)
            for listen in self.listeners:
                listen(interaction, reply)

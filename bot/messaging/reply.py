"""The reply to an interaction: one answer, in time, or a sentence that says why there is none.

`Replies.to` is the one place that handles errors.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

import discord
from discord.utils import utcnow

from bot.domain.analysis import Hint
from bot.domain.match_actions import BoardChanged, HintPlayed, ResignConfirmation
from bot.domain.matches import Match, MatchOpened, MatchReposted, MatchStopped
from bot.domain.pages import Help, Lesson, Personal, Showable
from bot.domain.privacy import DataDeleted, DataExport, DeletionConfirmation, PrivacySummary
from bot.domain.puzzles import DailyPuzzle, PuzzlePost, SharePage
from bot.domain.refusals import DatabaseTimeoutError, Refusal, Refused, UnavailableError
from bot.domain.settings import SettingsForm
from bot.domain.stats import Standings, Stats
from bot.domain.tutorial import HintConfirmation
from bot.messaging.answer import Answer, ReplyTimeouts
from bot.messaging.emojis import Emojis
from bot.messaging.errors import DISCORD_ERRORS, error_summary, is_already_answered
from bot.messaging.interactions import Interaction, channel_of, is_ephemeral, may_make_thread
from bot.messaging.messages import BoardMessages
from bot.views.help import help_view
from bot.views.i18n import Language, language_for
from bot.views.lessons import lesson_view
from bot.views.matches import MatchTexts, match_view, moved_view, resign_question
from bot.views.privacy import PrivacyTexts, delete_question, privacy_view
from bot.views.puzzles import post_view, share_view
from bot.views.refusals import RefusalTexts
from bot.views.settings import settings_view
from bot.views.stats import ranking_view, stats_view
from bot.views.tutorial import PICTURE_NAME, lesson_question, picture_of

_REMEMBERED = 200
"""Interactions; one on 5x5 takes 17 KB, so 4 MB at most."""


class HintMessages:
    """The last hint that each person got in a channel, to be removed once there is a newer one.

    Discord allows that for 15 minutes. Later, or after a restart, an old hint stays, and answers
    a press by saying that it is old.
    """

    def __init__(self, discord_seconds: float) -> None:
        self._discord_seconds = discord_seconds
        self._answered: OrderedDict[tuple[int, int], Interaction] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    async def replace(self, interaction: Interaction) -> None:
        """Remove a person's last hint, unless the new one is shown in the same message."""
        key = interaction.user.id, channel_of(interaction)
        before = self._answered.pop(key, None)
        self._answered[key] = interaction
        if len(self._answered) > _REMEMBERED:
            self._answered.popitem(last=False)
        if self._timer is None:
            self._forget_expired()
        if (
            before is None
            or is_ephemeral(interaction)
            or interaction.created_at > before.expires_at
        ):
            return
        with suppress(*DISCORD_ERRORS):
            async with asyncio.timeout(self._discord_seconds):
                await before.delete_original_response()

    def _forget_expired(self) -> None:
        """Forget hints too old to be removed; the oldest expires first, so one timer will do."""
        self._timer = None
        while self._answered:
            oldest = next(iter(self._answered.values()))
            left_seconds = (oldest.expires_at - utcnow()).total_seconds()
            if left_seconds > 0:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(left_seconds, self._forget_expired)
                return
            self._answered.popitem(last=False)


async def show_personal(answer: Answer, outcome: Personal, language: Language) -> None:
    """Show an outcome to the person who asked, and nobody else."""
    match outcome:
        case PrivacySummary():
            await answer.show_ephemeral(privacy_view(outcome, language))
        case Stats():
            await answer.show_ephemeral(stats_view(outcome, language, is_public=False))
        case Standings():
            await answer.show_ephemeral(ranking_view(outcome, language))
        case SettingsForm():
            await answer.show_ephemeral(settings_view(outcome, language))
        case DeletionConfirmation(of_server):
            await answer.show_ephemeral(delete_question(language, of_server=of_server))
        case DataExport(content, is_packed):
            await answer.send_file("velha.json.gz" if is_packed else "velha.json", content)
        case DataDeleted():
            await answer.replace_with_text(PrivacyTexts(language).forgotten())
        case Help():
            await answer.show(help_view(outcome, language), in_place=False)


_ANSWER_SECONDS = 3
"""Discord accepts no initial response later than that."""

_log = logging.getLogger(__name__)


class Ledger(Protocol):
    """Records which message shows a match, or that the match could not be shown."""

    async def record_shown(self, match: Match, message_id: int, /) -> None: ...
    async def abandon(self, match: Match, before: Match | None, /) -> None: ...


class Posts:
    """Posts matches and puzzles, and has the ledger record which message shows a match."""

    def __init__(self, boards: BoardMessages, ledger: Ledger) -> None:
        self._boards = boards
        self._ledger = ledger

    async def open(self, answer: Answer, opened: MatchOpened) -> None:
        """Post a new match; if nobody gets to see it, abandon it to free its channel."""
        match = opened.match
        try:
            message_id = await answer.post(match_view(match), pings=opened.pings)
        except Exception as error:
            is_answered = is_already_answered(error)
            shown_in = await self._posted_elsewhere(answer, match) if is_answered else None
            if shown_in is None:
                await self._take_back(opened)
            else:
                await self._ledger.record_shown(match, shown_in)
            raise
        await self._ledger.record_shown(match, message_id)

    async def _posted_elsewhere(self, answer: Answer, match: Match) -> int | None:
        """The id of the message with which another process answered, if it shows the match."""
        original = await answer.original()
        if original is None:
            return None
        components = str([component.to_dict() for component in original.components])
        return original.id if f"velha:{match.id}:" in components else None

    async def _take_back(self, opened: MatchOpened) -> None:
        followed = (match for match in opened.also if match.next_id == opened.match.id)
        await self._ledger.abandon(opened.match, next(followed, None))

    async def puzzle(self, post: PuzzlePost, puzzle: DailyPuzzle) -> int | None:
        """Post the puzzle of a day; return the message's id, or None if none is possible there.

        Raises one of `DISCORD_ERRORS` on any other failure, after which it may have been posted.
        """
        view = post_view(post, puzzle)
        try:
            return await self._boards.send(view, post.place, post.nonce)
        except (discord.Forbidden, discord.NotFound) as error:
            _log.info("No puzzle for channel %d: %s", post.place.channel_id, error_summary(error))
            return None

    async def repost(self, answer: Answer, match: Match) -> None:
        message_id = await answer.post(match_view(match))
        await self._ledger.record_shown(match, message_id)
        posted = replace(match, place=replace(match.place, message_id=message_id))
        await self._boards.replace_with_link(match.place, posted)

    async def stop(self, answer: Answer, stopped: MatchStopped, texts: MatchTexts) -> None:
        match = stopped.match
        await self._say_and_redraw(answer, texts.stopped(match), match)
        if stopped.meanwhile:  # the answer to that move may still be under way, and cover this
            await asyncio.sleep(_ANSWER_SECONDS)
            await self._boards.redraw(match)

    async def follow(self, answer: Answer, followed: HintPlayed, texts: MatchTexts) -> None:
        match = followed.match
        cell = match.rules.coordinate(followed.cell)
        await self._say_and_redraw(answer, texts.played(cell, match.place.link), match)

    async def _say_and_redraw(self, answer: Answer, sentence: str, match: Match) -> None:
        """Say a sentence and redraw a match; post it again if its message cannot be edited."""
        try:
            await answer.replace_with_text(sentence)
        finally:  # the change is stored, so it is shown even if the sentence failed
            is_shown = await self._boards.redraw(match)
        if not is_shown:
            message_id = await answer.post(match_view(match))
            await self._ledger.record_shown(match, message_id)

    async def show_late(self, late: Awaitable[Any]) -> None:
        """Show what was done too late for an answer; a match that was opened is taken back."""
        try:
            match await late:
                case MatchOpened() as opened:
                    await self._take_back(opened)
                    await self._boards.redraw_all(opened.also)
                case BoardChanged(match) | MatchStopped(match, _) | HintPlayed(match):
                    await self._boards.redraw(match)
                case Refused(also=ended) | DataDeleted(ended) | ([Match(), *_] as ended):
                    await self._boards.redraw_all(ended)
                case _:  # only one person would have seen it, or nobody
                    pass
        except UnavailableError as error:
            _log.info("What was late has failed: %s", error)
        except Exception:  # noqa: BLE001 - nobody else would hear of it
            _log.exception("What was late could not be shown.")


Result = TypeVar("Result")

_ENDS_A_PAGE = (Refusal.HINT_OLD, Refusal.MATCH_OVER, Refusal.TIME_IS_UP)
"""These make a hint, or the question whether to resign, useless: they replace that page."""

_HOLDS_A_CHANNEL = (Refusal.CHANNEL_BUSY, Refusal.CHALLENGE_HERE)


class Reply:
    """The reply to one interaction; made on its arrival, from which time is counted."""

    def __init__(
        self, answer: Answer, boards: BoardMessages, posts: Posts, hints: HintMessages
    ) -> None:
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
    def texts(self) -> MatchTexts:
        """The sentences about matches in the reader's language."""
        return MatchTexts(self.language)

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
                case BoardChanged():
                    await self._show(outcome)
                case MatchOpened():
                    await self._posts.open(self.answer, outcome)
                case MatchReposted(match):
                    await self._posts.repost(self.answer, match)
                case MatchStopped():
                    await self._posts.stop(self.answer, outcome, self.texts)
                case HintPlayed():
                    await self._posts.follow(self.answer, outcome, self.texts)
                case ResignConfirmation(match):
                    await self.answer.show(resign_question(match, self.language), in_place=False)
                case HintConfirmation():
                    await self.answer.show(lesson_question(self.language), in_place=False)
                case _:
                    await show_personal(self.answer, outcome, self.language)
        finally:  # the changes are stored, even if the answer failed
            if isinstance(outcome, Refused | MatchOpened | DataDeleted):
                await self._boards.redraw_all(outcome.also)

    async def refuse(self, refused: Refused) -> None:
        self.refusal = refused.refusal
        say = self.answer.replace_with_text if refused.refusal in _ENDS_A_PAGE else self.answer.say
        texts = RefusalTexts(self.language)
        sentences = [texts.refusal(refused)]
        if refused.refusal in _HOLDS_A_CHANNEL and may_make_thread(self._interaction):
            sentences.append(texts.play_in_a_thread())
        await say("\n".join(sentences))

    async def apologize(self, refusal: Refusal) -> None:
        with suppress(*DISCORD_ERRORS):
            await self.refuse(Refused(refusal))

    async def teach(self, lesson: Lesson | Refused) -> None:
        """Show a lesson's page, or why there is none; a superseded press on a page is ignored."""
        if not isinstance(lesson, Refused):
            picture = picture_of(lesson)
            files = [(PICTURE_NAME, picture.png)] if picture else []
            await self.answer.show_ephemeral(lesson_view(lesson, self.language), files)
            if isinstance(lesson, Hint):
                await self._hints.replace(self._interaction)
        elif lesson.refusal is not Refusal.SUPERSEDED or not is_ephemeral(self._interaction):
            await self.refuse(lesson)
        else:
            await self.answer.acknowledge()

    async def share(self, page: SharePage, language: str) -> None:
        """Tell everybody how the person did with a puzzle, in that place's language."""
        view = share_view(page, self._interaction.user.id, language_for(language))
        await self.answer.post(view)

    async def post_stats(self, stats: Stats, language: str) -> None:
        """Show everybody somebody's results, in that place's language."""
        view = stats_view(stats, language_for(language), is_public=True)
        await self.answer.post(view)

    async def _show(self, shown: BoardChanged) -> None:
        """Redraw the message that was pressed, in answer or, if that fails, by its id.

        If another process has answered, it shows the current state.
        """
        match = shown.match
        is_elsewhere = shown.refusal is Refusal.BOARD_MOVED
        view = moved_view(match) if is_elsewhere else match_view(match)
        try:
            await self.answer.show(view, in_place=True)
        except DISCORD_ERRORS as error:
            if is_already_answered(error):
                raise
            _log.warning(
                "Match %d could not be shown in answer: %s", match.id, error_summary(error)
            )
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
        boards: BoardMessages,
        posts: Posts,
        emojis: Emojis,
        observe: Callable[[datetime], None],
        patience: ReplyTimeouts,
    ) -> None:
        self.boards = boards
        self.posts = posts
        self._hints = HintMessages(patience.discord_seconds)
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
        except UnavailableError as error:
            level = logging.ERROR if isinstance(error, DatabaseTimeoutError) else logging.DEBUG
            _log.log(level, "There is no answer: %s", error)
            await reply.apologize(error.refusal)
        except DISCORD_ERRORS as error:
            if is_already_answered(error):
                _log.info("Interaction %d was answered by another process.", interaction.id)
            else:
                _log.warning("Discord did not take an answer: %s", error_summary(error))
                await reply.apologize(Refusal.BROKEN)
        except Exception:  # noqa: BLE001 - the one place that catches what nobody foresaw
            _log.exception("An interaction could not be answered.")
            await reply.apologize(Refusal.BROKEN)
        finally:
            self.under_way.discard(task)
            for listen in self.listeners:
                listen(interaction, reply)

"""Outcomes with a message of their own: a match opened or brought down, the daily puzzle."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any, Protocol

import discord

from bot.game.lesson import DailyPuzzle
from bot.game.match import Match
from bot.game.outcome import Followed, Forgotten, Opened, Refused, Shown, Stopped
from bot.game.puzzle_posts import PuzzlePost
from bot.game.refusal import OutageError
from bot.replies.answer import Answer
from bot.replies.boards import Boards
from bot.replies.failures import cause_of, was_answered_elsewhere
from bot.texts import AnswerTexts, language_for
from bot.views.board import match_view
from bot.views.puzzle import post_view

_ANSWER_SECONDS = 3
"""Discord accepts no initial response later than that."""

_log = logging.getLogger(__name__)


class Ledger(Protocol):
    """Records which message shows a match, or that the match could not be shown."""

    async def note_shown(self, match: Match, message_id: int, /) -> None: ...
    async def abandon(self, match: Match, before: Match | None, /) -> None: ...


class Posts:
    """Posts matches and puzzles, and has the ledger record which message shows a match."""

    def __init__(self, boards: Boards, ledger: Ledger) -> None:
        self._boards = boards
        self._ledger = ledger

    async def open(self, answer: Answer, opened: Opened) -> None:
        """Post a new match; if nobody gets to see it, abandon it to free its channel."""
        match = opened.match
        try:
            message_id = await answer.post(match_view(match), pings=opened.pings)
        except Exception as error:
            is_answered = was_answered_elsewhere(error)
            shown_in = await self._posted_elsewhere(answer, match) if is_answered else None
            if shown_in is None:
                await self._take_back(opened)
            else:
                await self._ledger.note_shown(match, shown_in)
            raise
        await self._ledger.note_shown(match, message_id)

    async def _posted_elsewhere(self, answer: Answer, match: Match) -> int | None:
        """The id of the message with which another process answered, if it shows the match."""
        original = await answer.original()
        if original is None:
            return None
        components = str([component.to_dict() for component in original.components])
        return original.id if f"velha:{match.id}:" in components else None

    async def _take_back(self, opened: Opened) -> None:
        followed = (match for match in opened.also if match.next_id == opened.match.id)
        await self._ledger.abandon(opened.match, next(followed, None))

    async def puzzle(self, post: PuzzlePost, puzzle: DailyPuzzle) -> int | None:
        """Post the puzzle of a day; return the message's id, or None if none is possible there.

        Raises one of `DISCORD_ERRORS` on any other failure, after which it may have been posted.
        """
        view = post_view(post, puzzle, language_for(post.place.locale))
        try:
            return await self._boards.send(view, post.place, post.nonce)
        except (discord.Forbidden, discord.NotFound) as error:
            _log.info("No puzzle for channel %d: %s", post.place.channel_id, cause_of(error))
            return None

    async def bring_down(self, answer: Answer, match: Match) -> None:
        message_id = await answer.post(match_view(match))
        await self._ledger.note_shown(match, message_id)
        posted = replace(match, place=replace(match.place, message_id=message_id))
        await self._boards.replace_with_link(match.place, posted)

    async def stop(self, answer: Answer, stopped: Stopped, texts: AnswerTexts) -> None:
        match = stopped.match
        await self._say_and_redraw(answer, texts.stopped(match), match)
        if stopped.meanwhile:  # the answer to that move may still be under way, and cover this
            await asyncio.sleep(_ANSWER_SECONDS)
            await self._boards.redraw(match)

    async def follow(self, answer: Answer, followed: Followed, texts: AnswerTexts) -> None:
        match = followed.match
        cell = match.rules.coordinate(followed.cell)
        await self._say_and_redraw(answer, texts.played(cell, match.place.link), match)

    async def _say_and_redraw(self, answer: Answer, sentence: str, match: Match) -> None:
        """Say a sentence and redraw a match; post it again if its message cannot be edited."""
        try:
            await answer.say_done(sentence)
        finally:  # the change is stored, so it is shown even if the sentence failed
            is_shown = await self._boards.redraw(match)
        if not is_shown:
            message_id = await answer.post(match_view(match))
            await self._ledger.note_shown(match, message_id)

    async def show_late(self, late: Awaitable[Any]) -> None:
        """Show what was done too late for an answer; a match that was opened is taken back."""
        try:
            match await late:
                case Opened() as opened:
                    await self._take_back(opened)
                    await self._boards.redraw_all(opened.also)
                case Shown(match) | Stopped(match, _) | Followed(match):
                    await self._boards.redraw(match)
                case Refused(also=ended) | Forgotten(ended) | ([Match(), *_] as ended):
                    await self._boards.redraw_all(ended)
                case _:  # only one person would have seen it, or nobody
                    pass
        except OutageError as error:
            _log.info("What was late has failed: %s", error)
        except Exception:  # noqa: BLE001 - nobody else would hear of it
            _log.exception("What was late could not be shown.")

"""Where interactions are answered: in time, or in a sentence that says why not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, ParamSpec, TypeVar

from bot.arena import Answer, Arena, Opened
from bot.circumstances import Interaction
from bot.clock import Clock
from bot.match import Match, Refusal
from bot.pool import TooBusyError
from bot.screen import (
    ARRIVED_AT,
    DISCORD_FAILED,
    Screen,
    answer_with,
    apologize,
    drawn,
    moved,
    was_announced,
    was_answered_elsewhere,
)
from bot.store import StoreError, cause_of
from bot.threads import NoAnswerInTimeError, Threads

Given = ParamSpec("Given")
Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class Desk:
    """Has the arena do what is asked, and sees to what comes too late or goes wrong."""

    def __init__(self, arena: Arena, screen: Screen, clock: Clock, keep: timedelta | None) -> None:
        self._arena = arena
        self._clock = clock
        self._screen = screen
        self._keep = keep
        self._threads = Threads(self._show_late, arena.break_off)
        self._at_work: set[asyncio.Task[Any]] = set()

    async def do_in_time(
        self, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs
    ) -> Result:
        """Have the arena do something that an answer depends on.

        Raises:
            StoreError: The database failed.
            NoAnswerInTimeError: It would come too late to be said in answer.
        """
        return await self._threads.do_in_time(work, *given, **options)

    @asynccontextmanager
    async def answering(self, interaction: Interaction) -> AsyncIterator[None]:
        """Whatever goes wrong inside is logged once, and the person is told in a sentence."""
        task = asyncio.current_task()
        assert task is not None
        self._at_work.add(task)
        self._clock.observe(interaction.created_at)
        interaction.extras[ARRIVED_AT] = asyncio.get_running_loop().time()
        try:
            yield
            await self._show_ended_by_time()
        except (StoreError, NoAnswerInTimeError) as error:
            _log.error("The store did not answer: %s", cause_of(error))
            await apologize(interaction, Refusal.STORE_UNAVAILABLE)
        except TooBusyError as error:
            _log.debug("There was no time to think: %s", error)
            await apologize(interaction, Refusal.TOO_BUSY)
        except DISCORD_FAILED as error:
            if was_answered_elsewhere(error):
                _log.info("Interaction %d was answered by another process.", interaction.id)
            else:
                _log.warning("Discord did not take an answer: %s", cause_of(error))
                await apologize(interaction, Refusal.BROKEN)
        except Exception:  # noqa: BLE001 - the one place that catches what nobody foresaw
            _log.exception("An interaction could not be answered.")
            await apologize(interaction, Refusal.BROKEN)
        finally:
            self._at_work.discard(task)

    async def post_new(self, interaction: Interaction, opened: Opened) -> None:
        """Post a match for the first time, and draw anew the one that it took the place of."""
        try:
            await self.post(interaction, opened.match, pings=opened.pings)
        except Exception as error:
            await self._keep_if_shown(interaction, opened.match, error)
            raise
        if opened.before is not None:
            await self.redraw(opened.before)

    async def _keep_if_shown(
        self, interaction: Interaction, match: Match, error: Exception
    ) -> None:
        """Give the channel back, unless another process has shown the match to the person."""
        message_id = None
        if was_answered_elsewhere(error):
            message_id = await self._screen.posted_elsewhere(interaction, match)
        if message_id is None:
            await self._threads.do(self._arena.abandon, match)
        else:
            await self._threads.do(self._arena.shown, match, message_id)

    async def post(
        self, interaction: Interaction, match: Match, *, pings: int | None = None
    ) -> Match:
        """Answer with a new message for a match, and note that it shows it now."""
        message_id = await self._screen.post(interaction, match, pings=pings)
        await self._threads.do(self._arena.shown, match, message_id)
        return replace(match, place=replace(match.place, message_id=message_id))

    async def show(self, interaction: Interaction, answer: Answer) -> None:
        """Redraw the message that was pressed, by its interaction or else by its id.

        Where another process answered, that one shows what stands.
        """
        assert answer.match is not None
        view = moved(answer.match) if answer.refusal is Refusal.BOARD_MOVED else drawn(answer.match)
        try:
            await answer_with(interaction, view, in_place=True)
        except DISCORD_FAILED as error:
            if was_answered_elsewhere(error):
                raise
            cause = cause_of(error)
            _log.warning("Match %d could not be shown in answer: %s", answer.match.id, cause)
            if not await self.redraw(answer.match):
                await apologize(interaction, Refusal.BOARD_GONE)
        else:
            if was_announced(interaction):
                await self._redraw_if_changed(answer.match)

    async def redraw(self, match: Match) -> bool:
        """Draw a match on its message, outside any interaction; whether it was possible."""
        is_shown = await self._screen.redraw(match)
        if is_shown:
            await self._redraw_if_changed(match)
        return is_shown

    async def _redraw_if_changed(self, drawn_last: Match) -> None:
        """Discord may hold an edit up for long: what changed meanwhile is not to be covered."""
        with suppress(StoreError, NoAnswerInTimeError):
            stands = await self._threads.do(self._arena.load, drawn_last.id)
            if stands is not None and stands.version > drawn_last.version:
                await self.redraw(stands)

    async def sweep(self) -> None:
        """End what time has ended, show that, and forget what need not be kept any longer."""
        try:
            await self._threads.do(self._arena.sweep)
            await self._show_ended_by_time()
            await self._threads.do(self._arena.prune, self._keep)
        except (StoreError, NoAnswerInTimeError) as error:
            _log.error("The store failed a sweep: %s", cause_of(error))
        except Exception:  # noqa: BLE001 - whatever it was, the next sweep may well succeed
            _log.exception("A sweep for matches whose time is up failed.")

    async def finish(self, timeout_seconds: float) -> None:
        """Wait for the answers under way, and begin no more."""
        await self._threads.finish(self._at_work, timeout_seconds)

    async def _show_late(self, late: Awaitable[object]) -> None:
        """What was done too late to be said in answer is shown all the same, or taken back."""
        try:
            answer = await late
            if isinstance(answer, Opened):
                await self._threads.do(self._arena.abandon, answer.match)
            elif isinstance(answer, Answer) and answer.match and not answer.refusal:
                await self.redraw(answer.match)
        except (StoreError, NoAnswerInTimeError) as error:
            _log.info("What was late has failed: %s", cause_of(error))
        except Exception:  # noqa: BLE001 - nobody else would hear of it
            _log.exception("What was late could not be shown.")

    async def _show_ended_by_time(self) -> None:
        if ended := self._arena.take_ended_by_time():
            await asyncio.gather(*map(self.redraw, ended))

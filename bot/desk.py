"""Where interactions are answered: in time, or in a sentence that says why not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, ParamSpec, TypeVar

from bot.arena import Answer, Arena
from bot.circumstances import Interaction
from bot.clock import Clock
from bot.match import Match, Refusal
from bot.pool import TooBusyError
from bot.screen import ARRIVED_AT, DISCORD_FAILED, Screen, apologize, was_answered_elsewhere
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

    async def post_new(self, interaction: Interaction, match: Match) -> None:
        """Post a match for the first time: a challenge pings the one challenged, and only then."""
        try:
            await self.post(interaction, match, pings=not match.accepted)
        except Exception as error:
            if not was_answered_elsewhere(error):
                await self._threads.do(self._arena.abandon, match)
            raise

    async def post(self, interaction: Interaction, match: Match, *, pings: bool = False) -> Match:
        """Answer with a new message for a match, and note that it shows it now."""
        posted = await self._screen.post(interaction, match, pings=pings)
        assert posted.place.message_id is not None, "it has just been posted"
        await self._threads.do(self._arena.shown, match, posted.place.message_id)
        return posted

    async def sweep(self) -> None:
        """End what time has ended, show that, and forget what need not be kept any longer."""
        try:
            await self._threads.do(self._arena.sweep)
            await self._show_ended_by_time()
            if self._keep is not None:
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
            match = answer.match if isinstance(answer, Answer) and not answer.refusal else None
            if match is None:
                return
            if match.place.message_id is not None:
                await self._screen.redraw(match)
            elif match.is_live:
                await self._threads.do(self._arena.abandon, match)
        except (StoreError, NoAnswerInTimeError) as error:
            _log.info("What was late has failed: %s", cause_of(error))
        except Exception:  # noqa: BLE001 - nobody else would hear of it
            _log.exception("What was late could not be shown.")

    async def _show_ended_by_time(self) -> None:
        if ended := self._arena.take_ended_by_time():
            await asyncio.gather(*map(self._screen.redraw, ended))

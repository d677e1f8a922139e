"""The bot's services on a database, without Discord."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import URL, event

from bot.client.bot import VelhaBot
from bot.config import Config
from bot.domain.match_actions import (
    MatchAction,
    MatchOutcome,
    OpponentCheck,
    Press,
    PressContext,
)
from bot.domain.matches import Match, MatchOpened, MatchRequest, MatchStopped, Place
from bot.domain.refusals import Refusal
from bot.features import forgetting, stats
from bot.features.privacy import export, export_file
from bot.messaging.emojis import Emojis
from bot.messaging.members import Members
from bot.messaging.messages import Messages
from bot.runtime.clock import Clock
from bot.runtime.deadlines import TimeLimits
from bot.runtime.executor import Executor, ExecutorLimits
from bot.runtime.runtime import Runtime
from bot.services.services import Services
from bot.store.store import Store
from engine import Cell
from tests.bot.example_matches import ANA, BOARD_MESSAGE, CHANNEL, NEXT_MATCH, NOON, VELHA
from tests.bot.unconnected import unconnected_client
from tests.bot.workers import kept_engine

YEAR = timedelta(days=365)
TURN = timedelta(minutes=30)
CHALLENGE = timedelta(minutes=5)
PATIENT_EXECUTOR = ExecutorLimits(answer_seconds=300, silent_seconds=300)


class Backend:
    """All services on one store, as in a process of the bot."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rng: random.Random | None = None,
        keep: timedelta = YEAR,
        limits: ExecutorLimits = PATIENT_EXECUTOR,
    ) -> None:
        rng = rng or random.Random(1)
        self.store = store
        self.executor = Executor(limits, store.abort_stuck)
        self.engine = kept_engine(rng)
        self.runtime = Runtime(
            store=store,
            executor=self.executor,
            engine=self.engine,
            clock=clock,
            rng=rng,
            time_limits=TimeLimits(TURN, CHALLENGE, keep),
            bot_id=VELHA,
            messages=Messages(unconnected_client(), Emojis()),
            members=Members(unconnected_client()),
        )
        self.services = Services.build(self.runtime)

    async def close(self) -> None:
        self.engine.close()
        await self.executor.finish((), 5)
        self.store.close()

    async def open(self, request: MatchRequest, message_id: int = 100) -> Match:
        """Open a match, and record the message that shows it."""
        opened = await self.services.matches.open(request)
        assert isinstance(opened, MatchOpened)
        await self.services.matches.record_shown(opened.match, message_id)
        return await self.load(opened.match)

    async def load(self, match: Match) -> Match:
        loaded = await self.services.matches.load(match.id)
        assert loaded is not None
        return loaded

    async def press(
        self, press: Press, user_id: int, match: Match, interaction_id: int = 0
    ) -> MatchOutcome:
        """Press a button of a match, or the one that confirms that somebody resigns."""
        context = PressContext(
            user_id,
            match.place.channel_id,
            match.place.message_id or 100,
            interaction_id or match.id + 1,
            is_ephemeral=press.action is MatchAction.CONCEDE,
        )
        outcome = await self.services.match_actions.press(press, context)
        assert not isinstance(outcome, OpponentCheck)
        return outcome


def match_request(
    number: int, opener_id: int, channel_id: int = 10, **changes: object
) -> MatchRequest:
    """A request for a match on 3x3 against the bot, with some attributes changed."""
    place = Place(channel_id, 20, "pt-BR")
    return MatchRequest(id=number, place=place, opener_id=opener_id, **changes)  # type: ignore[arg-type]


class App:
    """The services of the bot on a database with tables, and a clock that tests set.

    The clock starts ten minutes before the deadline of matches made by `make_match`. `other_store`
    is the store of another process on the same database.
    """

    def __init__(self, url: URL, keep: timedelta = YEAR) -> None:
        self.now = NOON - timedelta(minutes=10)
        self.host_clock_offset = timedelta()
        self._clock_errors: list[Exception] = []
        self.clock = Clock(self._host_time, self._seconds)
        self.clock.observe(self.now)
        self.store = Store.at(url)
        self.other_store = Store.at(url)
        self.backend = Backend(self.store, self.clock, keep=keep)
        self.services = self.backend.services

    def break_clock(self, error: Exception) -> None:
        """Have the host's clock raise an error, once."""
        self._clock_errors.append(error)

    def _host_time(self) -> datetime:
        if self._clock_errors:
            raise self._clock_errors.pop()
        return self.now + self.host_clock_offset

    def _seconds(self) -> float:
        return self.now.timestamp()

    def add(self, match: Match) -> Match:
        """Store a match as it is."""
        assert self.store.matches.add(match)
        return match

    def load(self, match: Match) -> Match:
        loaded = self.store.matches.load(match.id)
        assert loaded is not None
        return loaded

    async def press(
        self, match: Match, action: MatchAction, who: int = ANA, cell: Cell | None = None, **by: Any
    ) -> MatchOutcome:
        """Press a button on the board of a match; `by` changes attributes of the context."""
        press = Press(match.id, match.version, action, cell)
        context = PressContext(who, CHANNEL, BOARD_MESSAGE, interaction_id=NEXT_MATCH)
        outcome = await self.services.match_actions.press(press, replace(context, **by))
        assert not isinstance(outcome, OpponentCheck)
        return outcome

    async def play(self, match: Match, cell: Cell, who: int = ANA, **by: Any) -> MatchOutcome:
        return await self.press(match, MatchAction.PLAY, who, cell, **by)

    async def stop(
        self, who: int = ANA, *, is_moderator: bool = False, interaction_id: int = NEXT_MATCH
    ) -> MatchStopped | Refusal:
        """Use `/velha stop`."""
        outcome = await self.services.matches.stop(
            channel_id=CHANNEL,
            user_id=who,
            is_moderator=is_moderator,
            interaction_id=interaction_id,
        )
        assert not isinstance(outcome, OpponentCheck)
        return outcome

    def before_sql(self, prefix: str, callback: Callable[[], object]) -> None:
        """Call `callback` once, before the store executes a statement with this prefix."""
        self._on_sql("before_cursor_execute", prefix, callback)

    def after_sql(self, prefix: str, callback: Callable[[], object]) -> None:
        """Call `callback` once, after the store has executed a statement with this prefix."""
        self._on_sql("after_cursor_execute", prefix, callback)

    def _on_sql(self, when: str, prefix: str, callback: Callable[[], object]) -> None:
        callbacks = [callback]

        @event.listens_for(self.store.database.engine, when)
        def call_back(_connection: object, _cursor: object, sql: str, *_args: object) -> None:
            if sql.startswith(prefix) and callbacks:
                callbacks.pop()()

    async def forget_all(self) -> list[Match]:
        """Run all batches of the deletion of people's data; return the matches that were live."""
        ended: list[Match] = []
        while (batch := await forgetting.forget_next(self.backend.runtime)) is not None:
            ended += batch
        return ended

    async def export(self, user_id: int) -> dict[str, Any]:
        """What a person downloads."""
        _name, content = export_file(await export(self.backend.runtime, user_id))
        read: dict[str, Any] = json.loads(content)
        return read

    async def count_all(self) -> list[Match]:
        """Count all ended matches in batches; return those that were somebody's first."""
        firsts: list[Match] = []
        while (batch := await stats.count(self.backend.runtime)) is not None:
            firsts += batch
        return firsts

    @asynccontextmanager
    async def unconnected_bot(self, url: URL) -> AsyncIterator[VelhaBot]:
        """Yield a bot on the same database and clock that is not connected to Discord."""
        address = url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False)
        bot = VelhaBot(Config.from_env({"DISCORD_TOKEN": "t", "DATABASE_URL": address}))
        bot.clock = self.clock
        async with bot:
            bot.build(VELHA)
            yield bot

    async def close(self) -> None:
        await self.backend.close()
        self.other_store.close()

"""The bot's features on a database, without Discord."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Callable, Iterable
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
    PressOrigin,
    ResignConfirmation,
    StopRequest,
)
from bot.domain.matches import Match, MatchOpened, MatchRequest, MatchStopped, Place
from bot.domain.refusals import Refusal, RefusalReason
from bot.features import counting, forgetting
from bot.features.match_actions import carry_out, find_for_hint, stop_match
from bot.features.match_messages import abandon
from bot.features.matches import expire_overdue
from bot.features.openings import live_match, open_match, restart
from bot.features.privacy import export, export_file
from bot.features.pruning import prune
from bot.messaging.emojis import Emojis
from bot.messaging.members import Members
from bot.messaging.messages import Messages
from bot.runtime.clock import Clock
from bot.runtime.database_jobs import DatabaseJobs
from bot.runtime.deadlines import Deadlines, TimeLimits
from bot.runtime.executor import Executor, ExecutorLimits
from bot.runtime.runtime import Runtime
from bot.store.matches import add, compare_and_set, load_match, record_message
from bot.store.store import Store
from engine import Cell
from tests.bot.databases import call
from tests.bot.example_matches import ANA, BOARD_MESSAGE, CHANNEL, NEXT_MATCH, NOON, VELHA
from tests.bot.unconnected import unconnected_client
from tests.bot.workers import kept_engine

YEAR = timedelta(days=365)
TURN = timedelta(minutes=30)
CHALLENGE = timedelta(minutes=5)
PATIENT_EXECUTOR = ExecutorLimits(answer_seconds=300, silent_seconds=300)


class Matches:
    """What the features do with matches."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def open(self, request: MatchRequest) -> MatchOpened | Refusal:
        return await open_match(self._runtime, request)

    async def restart(self, match_id: int, request: MatchRequest) -> MatchOpened | Refusal:
        outcome = await restart(self._runtime, match_id, request, has_opponent_left=False)
        assert not isinstance(outcome, OpponentCheck)
        return outcome

    async def repost(self, channel_id: int) -> Match | Refusal:
        match, ended = await self._runtime.database.transact(live_match, self._runtime, channel_id)
        return match or Refusal(RefusalReason.NO_MATCH_HERE, also_changed=ended)

    async def stop(self, **request: Any) -> MatchStopped | ResignConfirmation | Refusal:
        stop = StopRequest(**request)
        return await self._runtime.database.transact(stop_match, self._runtime, stop)

    async def press(self, press: Press, context: PressOrigin) -> MatchOutcome | OpponentCheck:
        return await carry_out(self._runtime, press, context)

    async def find_for_hint(self, press: Press, context: PressOrigin) -> Match | MatchOutcome:
        return await find_for_hint(self._runtime, press, context)

    async def load(self, match_id: int) -> Match | None:
        return await self._runtime.database.read(load_match, match_id)

    async def record_shown(self, match: Match, message_id: int) -> bool:
        """Store which message shows a match; return whether it shows the match as stored."""
        version = await self._runtime.database.write(record_message, match.id, message_id)
        return version == match.version

    async def abandon(self, match: Match, *previous: Match) -> None:
        opened = MatchOpened(match, also_changed=previous)
        await self._runtime.database.transact(abandon, opened)

    async def expire(self) -> list[Match]:
        return await expire_overdue(self._runtime) or []

    async def prune(self) -> int:
        return await prune(self._runtime)


class Backend:
    """The parts of a process of the bot, and what its features do with matches."""

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
            database=DatabaseJobs(store.database, self.executor, limits.answer_seconds),
            background=DatabaseJobs(store.database, self.executor, limits.silent_seconds),
            executor=self.executor,
            engine=self.engine,
            clock=clock,
            rng=rng,
            deadlines=Deadlines(clock, TimeLimits(TURN, CHALLENGE, keep)),
            bot_id=VELHA,
            messages=Messages(unconnected_client(), Emojis()),
            members=Members(unconnected_client()),
        )
        self.matches = Matches(self.runtime)

    async def close(self) -> None:
        self.engine.close()
        await self.executor.finish((), 5)
        self.store.close()

    async def open(self, request: MatchRequest, message_id: int = 100) -> Match:
        """Open a match, and record the message that shows it."""
        match = match_opened(await self.matches.open(request)).match
        await self.matches.record_shown(match, message_id)
        return await self.load(match)

    async def load(self, match: Match) -> Match:
        loaded = await self.matches.load(match.id)
        assert loaded is not None
        return loaded

    async def press(
        self, press: Press, user_id: int, match: Match, interaction_id: int = 0
    ) -> MatchOutcome:
        """Press a button of a match, or the one that confirms that somebody resigns."""
        context = PressOrigin(
            user_id,
            match.place.channel_id,
            match.place.message_id or 100,
            interaction_id or match.id + 1,
            is_ephemeral=press.action is MatchAction.CONCEDE,
        )
        outcome = await self.matches.press(press, context)
        assert not isinstance(outcome, OpponentCheck)
        return outcome


def match_request(
    number: int, opener_id: int, channel_id: int = 10, **changes: object
) -> MatchRequest:
    """A request for a match on 3x3 against the bot, with some attributes changed."""
    place = Place(channel_id, 20, "pt-BR")
    return MatchRequest(id=number, place=place, opener_id=opener_id, **changes)  # type: ignore[arg-type]


def match_opened(outcome: object) -> MatchOpened:
    """What became of a request or a press that has opened a match."""
    assert isinstance(outcome, MatchOpened)
    return outcome


class App:
    """The bot's features on a database with tables, and a clock that tests set.

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
        self.matches = self.backend.matches

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
        assert call(self.store, add, match)
        return match

    def add_all(self, matches: Iterable[Match]) -> None:
        """Store many matches at once."""
        with self.store.database.transaction() as connection:
            assert all(add(connection, match) for match in matches)

    def load(self, match: Match) -> Match:
        loaded = call(self.store, load_match, match.id)
        assert loaded is not None
        return loaded

    async def open(self, request: MatchRequest) -> MatchOpened:
        return match_opened(await self.matches.open(request))

    async def press(
        self, match: Match, action: MatchAction, who: int = ANA, cell: Cell | None = None, **by: Any
    ) -> MatchOutcome:
        """Press a button on the board of a match; `by` changes attributes of the context."""
        press = Press(match.id, match.version, action, cell)
        context = PressOrigin(who, CHANNEL, BOARD_MESSAGE, interaction_id=NEXT_MATCH)
        outcome = await self.matches.press(press, replace(context, **by))
        assert not isinstance(outcome, OpponentCheck)
        return outcome

    async def play(self, match: Match, cell: Cell, who: int = ANA, **by: Any) -> MatchOutcome:
        return await self.press(match, MatchAction.PLAY, who, cell, **by)

    async def stop(
        self, who: int = ANA, *, is_moderator: bool = False, interaction_id: int = NEXT_MATCH
    ) -> MatchStopped | ResignConfirmation | Refusal:
        """Use `/velha stop`."""
        return await self.matches.stop(
            channel_id=CHANNEL,
            user_id=who,
            is_moderator=is_moderator,
            interaction_id=interaction_id,
        )

    def before_sql(self, prefix: str, callback: Callable[[], object]) -> None:
        """Call `callback` once, before the store executes a statement with this prefix."""
        callbacks = [callback]

        @event.listens_for(self.store.database.engine, "before_cursor_execute")
        def call_back(_connection: object, _cursor: object, sql: str, *_args: object) -> None:
            if sql.startswith(prefix) and callbacks:
                callbacks.pop()()

    def save_elsewhere(self, match: Match, before: str = "UPDATE", **how: bool) -> None:
        """Have another process store a changed match right before a statement is executed here."""
        self.before_sql(before, lambda: call(self.other_store, compare_and_set, match, **how))

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
        while (batch := await counting.count(self.backend.runtime)) is not None:
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

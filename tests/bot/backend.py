"""The bot's features on a database, without Discord."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import URL, event

from bot.client.bot import VelhaBot
from bot.config import Config
from bot.domain.match_actions import (
    ConcedePage,
    HintMovePage,
    HintPage,
    MatchAction,
    Press,
    RematchPage,
)
from bot.domain.matches import Match, MatchOpened, MatchRequest, Place
from bot.features import forgetting, match_actions
from bot.features.counting import save_match
from bot.features.match_messages import abandon
from bot.features.matches import expire_overdue, find_live_match, stop_match
from bot.features.openings import Restart, open_match
from bot.features.privacy import export, export_file
from bot.features.pruning import prune
from bot.messaging.emojis import Emojis
from bot.messaging.members import Members
from bot.messaging.messages import Messages
from bot.runtime.clock import Clock
from bot.runtime.context import Context
from bot.runtime.database_jobs import DatabaseJobs, DatabaseLimits
from bot.runtime.deadlines import Deadlines, TimeLimits
from bot.runtime.runtime import Runtime
from bot.store.matches import add, compare_and_set, load_match, record_message
from bot.store.store import Store
from engine import Cell
from tests.bot.contexts import presser
from tests.bot.databases import call
from tests.bot.example_matches import ANA, NOON, before_the_end
from tests.bot.refusals import Refusal, outcome_of
from tests.bot.unconnected import unconnected_client
from tests.bot.workers import kept_engine

YEAR = timedelta(days=365)
TURN = timedelta(minutes=30)
CHALLENGE = timedelta(minutes=5)
PATIENT_DATABASE = DatabaseLimits(answer_seconds=300, silent_seconds=300)


def _nothing() -> None:
    pass


Button = Press | HintPage | HintMovePage | ConcedePage | RematchPage


class Matches:
    """What the features do with matches; a refusal is returned."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def open(
        self, request: MatchRequest, restart: Restart | None = None
    ) -> MatchOpened | Refusal:
        asker = presser(self._runtime, request.opener_id, interaction_id=request.id)
        return await outcome_of(open_match(asker, request, restart))

    async def restart(
        self, match_id: int, request: MatchRequest, *, has_opponent_left: bool = False
    ) -> MatchOpened | Refusal:
        return await self.open(request, Restart(match_id, has_opponent_left))

    async def repost(self, channel_id: int) -> Match | Refusal:
        change = self._runtime.database.change
        return await outcome_of(change(find_live_match, self._runtime, channel_id))

    async def stop(self, user_id: int, **by: Any) -> Match | Refusal:
        """The match as it ended; as it is, if the player is to be asked first."""
        context = presser(self._runtime, user_id, **by)
        return await outcome_of(context.change(stop_match, context))

    async def press(self, button: Button, user_id: int, **by: Any) -> Match | MatchOpened | Refusal:
        """What a press stores; `by` are the arguments of `presser`."""
        context = presser(self._runtime, user_id, **by)
        return await outcome_of(_carry_out(context, button))

    async def load(self, match_id: int) -> Match | None:
        return await self._runtime.database.read(load_match, match_id)

    async def record_shown(self, match: Match, message_id: int) -> bool:
        """Store which message shows a match; return whether it shows the match as stored."""
        version = await self._runtime.database.change(record_message, match.id, message_id)
        return version == match.version

    async def abandon(self, match: Match, *previous: Match) -> None:
        opened = MatchOpened(match, also_changed=previous)
        await self._runtime.database.change(abandon, opened)

    async def expire(self) -> list[Match]:
        return await expire_overdue(self._runtime) or []

    async def prune(self) -> int:
        return await prune(self._runtime)


async def _carry_out(context: Context, button: Button) -> Match | MatchOpened:
    match button:
        case HintPage():
            work = context.change(match_actions.load_hinted, context, button)
        case HintMovePage():
            work = match_actions.play_from_hint(context, button)
        case ConcedePage():
            work = match_actions.concede(context, button)
        case Press(action=MatchAction.HINT):
            work = context.change(match_actions.load_for_hint, context, button)
        case Press(action=MatchAction.RESIGN):
            work = context.change(match_actions.load_resignable, context, button)
        case RematchPage():
            return await match_actions.rematch_from_review(context, button)
        case Press(action=MatchAction.REMATCH | MatchAction.EASIER | MatchAction.NEXT):
            return await match_actions.rematch(context, button)
        case Press():
            work = match_actions.press(context, button)
    return await work


class Backend:
    """The parts of a process of the bot, and what its features do with matches."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rng: random.Random | None = None,
        keep: timedelta = YEAR,
        limits: DatabaseLimits = PATIENT_DATABASE,
    ) -> None:
        rng = rng or random.Random(1)
        emojis = Emojis()
        self.store = store
        self.database = DatabaseJobs(store.database, limits)
        self.engine = kept_engine(rng)
        self.runtime = Runtime(
            database=self.database,
            engine=self.engine,
            clock=clock,
            rng=rng,
            deadlines=Deadlines(clock, TimeLimits(TURN, CHALLENGE, keep)),
            emojis=emojis,
            messages=Messages(unconnected_client(), emojis),
            members=Members(unconnected_client()),
        )
        self.matches = Matches(self.runtime)

    async def close(self) -> None:
        self.engine.close()
        await self.database.finish((), 5)
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
        self, button: Button, user_id: int, match: Match, interaction_id: int = 0
    ) -> Match | MatchOpened | Refusal:
        """Press a button of a match."""
        return await self.matches.press(
            button,
            user_id,
            channel_id=match.place.channel_id,
            message_id=match.place.message_id or 100,
            interaction_id=interaction_id or match.id + 1,
        )

    async def concede(self, match: Match, user_id: int) -> Match:
        conceded = await self.press(ConcedePage(match.id, match.version), user_id, match)
        assert isinstance(conceded, Match)
        return conceded


def match_request(
    number: int, opener_id: int, channel_id: int = 10, **changes: Any
) -> MatchRequest:
    """A request for a match on 3x3 against the bot, with some attributes changed."""
    place = Place(channel_id, 20, "pt-BR")
    return MatchRequest(id=number, place=place, opener_id=opener_id, **changes)


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

    def end(self, match: Match) -> Match:
        """Have a match end as it does here; return it as stored."""
        live = self.add(before_the_end(match))
        return call(self.store, save_match, live, match)

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
    ) -> Match | MatchOpened | Refusal:
        """Press a button on the board of a match; `by` are the arguments of `presser`."""
        press = Press(match.id, match.version, action, cell)
        return await self.matches.press(press, who, **by)

    async def play(
        self, match: Match, cell: Cell, who: int = ANA, **by: Any
    ) -> Match | MatchOpened | Refusal:
        return await self.press(match, MatchAction.PLAY, who, cell, **by)

    async def concede(self, match: Match, who: int = ANA, **by: Any) -> object:
        return await self.matches.press(ConcedePage(match.id, match.version), who, **by)

    async def stop(self, who: int = ANA, **by: Any) -> Match | Refusal:
        """Use `/velha stop`."""
        return await self.matches.stop(who, **by)

    def before_sql(self, prefix: str, callback: Callable[[], object], skipped: int = 0) -> None:
        """Call `callback` once, before the store executes a statement with this prefix.

        `skipped` is how many such statements come before.
        """
        callbacks = [callback, *(_nothing for _ in range(skipped))]

        @event.listens_for(self.store.database.engine, "before_cursor_execute")
        def call_back(_connection: object, _cursor: object, sql: str, *_args: object) -> None:
            if sql.startswith(prefix) and callbacks:
                callbacks.pop()()

    def save_elsewhere(self, match: Match, before: str = "BEGIN", **how: bool) -> None:
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

    @asynccontextmanager
    async def unconnected_bot(self, url: URL) -> AsyncIterator[VelhaBot]:
        """Yield a bot on the same database and clock that is not connected to Discord."""
        address = url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False)
        config = Config.from_env({"DISCORD_TOKEN": "t", "DATABASE_URL": address})
        async with VelhaBot(config, clock=self.clock) as bot:
            yield bot

    async def close(self) -> None:
        await self.backend.close()
        self.other_store.close()

"""The services on a database, without Discord."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import URL, event

from bot.domain.match_actions import MatchAction, Press, PressContext
from bot.domain.matches import Match, MatchOpened, MatchRequest, Place
from bot.domain.pages import Outcome
from bot.services.analysis import Lessons
from bot.services.clock import Clock
from bot.services.engine import EnginePool
from bot.services.executor import Executor, ExecutorLimits
from bot.services.match_actions import Presses
from bot.services.matches import Matches, Starts, Umpire
from bot.services.privacy import People, Sweeps
from bot.services.puzzles import PuzzlePosting, Puzzles
from bot.services.settings import SettingsService
from bot.services.stats import Tallies
from bot.store.store import Store
from bot.views.i18n import LANGUAGES
from engine import Cell
from tests.bot.drawn import ANA, BOARD, CHANNEL, NEXT, NOON, VELHA

YEAR = timedelta(days=365)
TURN, CHALLENGE = timedelta(minutes=30), timedelta(minutes=5)


async def forget(late: Awaitable[object]) -> None:
    """Whatever comes late is shown to nobody."""
    await asyncio.wait([asyncio.ensure_future(late)])


@dataclass
class Served:
    """All services on one store, as a process has them."""

    store: Store
    executor: Executor
    engine: EnginePool
    starts: Starts
    matches: Matches
    lessons: Lessons
    presses: Presses
    puzzles: Puzzles
    puzzle_posting: PuzzlePosting
    people: People
    tallies: Tallies
    servers: SettingsService
    sweeps: Sweeps

    @classmethod
    def on(
        cls,
        store: Store,
        clock: Clock,
        rng: random.Random | None = None,
        keep: timedelta = YEAR,
    ) -> Served:
        rng = rng or random.Random(1)
        executor = Executor(ExecutorLimits(), forget, store.abort_stuck)
        umpire = Umpire(store, clock, rng, turn_limit=TURN, challenge_limit=CHALLENGE)
        engine = EnginePool(rng)
        matches = Matches(store, executor, umpire)
        return cls(
            store=store,
            executor=executor,
            engine=engine,
            starts=Starts(store, executor, umpire, rng, VELHA),
            matches=matches,
            lessons=Lessons(engine, matches.count_hint),
            presses=Presses(store, executor, umpire, engine),
            puzzles=Puzzles(store, executor, engine),
            puzzle_posting=PuzzlePosting(store, executor, engine, clock),
            people=People(store, executor),
            tallies=Tallies(store, executor, engine, clock),
            servers=SettingsService(store, executor, LANGUAGES, TURN),
            sweeps=Sweeps(store, executor, clock, keep),
        )

    async def close(self) -> None:
        self.engine.close()
        await self.executor.finish((), 5)
        self.store.close()

    async def open(self, request: MatchRequest, message_id: int = 100) -> Match:
        """Open a match and have a message show it."""
        opened = await self.starts.open(request)
        assert isinstance(opened, MatchOpened)
        await self.matches.record_shown(opened.match, message_id)
        return await self.stands(opened.match)

    async def stands(self, match: Match) -> Match:
        loaded = await self.matches.load(match.id)
        assert loaded is not None
        return loaded

    async def press(self, press: Press, who: int, match: Match, new_id: int = 0) -> Outcome:
        """Press a button on a match's own message; or that of the question who wants to resign."""
        place, is_ephemeral = match.place, press.action is MatchAction.CONCEDE
        message_id, new_id = place.message_id or 100, new_id or match.id + 1
        by = PressContext(who, place.channel_id, message_id, new_id, is_ephemeral=is_ephemeral)
        return await self.presses.press(press, by)


def asked(number: int, opener: int, channel_id: int = 10, **changes: object) -> MatchRequest:
    """A request for a match on 3x3 against the bot, but for the changes."""
    place = Place(channel_id, 20, "pt-BR")
    return MatchRequest(id=number, place=place, opener=opener, **changes)  # type: ignore[arg-type]


class Room:
    """The services on a database, a clock set by hand, and a rival: another process's store.

    It is ten minutes to noon, when the time of a match that stands as drawn is up.
    """

    def __init__(self, url: URL, keep: timedelta = YEAR) -> None:
        self.now = NOON - timedelta(minutes=10)
        self.host_is_fast_by = timedelta()
        self.clock = Clock(self._host_time, self._seconds)
        self.clock.observe(self.now)
        self.store, self.rival = Store.open(url), Store.at(url)
        self.served = Served.on(self.store, self.clock, keep=keep)
        self.starts, self.matches = self.served.starts, self.served.matches
        self.servers, self.sweeps = self.served.servers, self.served.sweeps

    def _host_time(self) -> datetime:
        return self.now + self.host_is_fast_by

    def _seconds(self) -> float:
        return self.now.timestamp()

    def put(self, match: Match) -> Match:
        """Have a match stand as drawn."""
        assert self.store.matches.add(match)
        return match

    def stands(self, match: Match) -> Match:
        loaded = self.store.matches.load(match.id)
        assert loaded is not None
        return loaded

    async def press(
        self, match: Match, action: MatchAction, who: int = ANA, cell: Cell | None = None, **by: Any
    ) -> Outcome:
        """Somebody presses a button of a match as it was drawn then, on its board but for `by`."""
        presser = replace(PressContext(who, CHANNEL, BOARD, new_id=NEXT), **by)
        return await self.served.presses.press(
            Press(match.id, match.version, action, cell), presser
        )

    async def play(self, match: Match, cell: Cell, who: int = ANA, **by: Any) -> Outcome:
        return await self.press(match, MatchAction.PLAY, who, cell, **by)

    def before_next(self, statement: str, happens: Callable[[], object]) -> None:
        """Once, right before the store says a kind of statement, something happens elsewhere."""
        left = [happens]

        @event.listens_for(self.store._database.engine, "before_cursor_execute")
        def come_between(_c: object, _cursor: object, said: str, *_more: object) -> None:
            if said.startswith(statement) and left:
                left.pop()()

    async def forget(self) -> list[Match]:
        """Sweep until nothing is left to be forgotten; the matches that went on."""
        ended: list[Match] = []
        while (more := await self.sweeps.forget()) is not None:
            ended += more
        return ended

    async def count(self) -> list[Match]:
        """Count all that is over; those that were a first a moment ago."""
        firsts: list[Match] = []
        while (more := await self.served.tallies.count()) is not None:
            firsts += more
        return firsts

    async def close(self) -> None:
        await self.served.close()
        self.rival.close()

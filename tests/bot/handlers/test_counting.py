"""When what has ended is counted."""

from __future__ import annotations

import asyncio

from sqlalchemy import event

from bot.handlers.boards import BoardMessages
from bot.handlers.stats import MatchCounter
from bot.messaging.emojis import Emojis
from bot.messaging.messages import Messages
from tests.bot.house import SimulatedGuild
from tests.bot.store.test_stats import over


async def test_what_ends_in_the_same_moment_is_counted_together(house: SimulatedGuild) -> None:
    """Each time costs more than all that is counted in it."""
    house.stop_sweeping()
    store, counts = house.bots[-1].store, 0
    services = house.bots[-1].services
    boards = BoardMessages(Messages(house.bots[-1], Emojis()), services.matches)
    counting = MatchCounter(services.stats, boards, 0.2)

    @event.listens_for(store.engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, sql: str, *_more: object) -> None:
        nonlocal counts
        counts += "SET is_first" in sql or "SET counted" in sql

    async def end(number: int) -> None:
        match = over(number)
        assert store.matches.add(match)
        counting.note(match)
        await counting.count_if_due()

    await asyncio.gather(*map(end, range(1, 6)))
    assert store.stats.uncounted() == ([], [])
    assert counts == 1
    await end(6)
    assert store.stats.uncounted() == ([], []), "and so is what ends later"
    assert counts == 2

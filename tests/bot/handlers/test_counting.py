"""When what has ended is counted."""

from __future__ import annotations

import asyncio

from sqlalchemy import event

from bot.domain.match_actions import BoardChanged
from bot.handlers.stats import MatchCounter
from tests.bot.house import SimulatedGuild
from tests.bot.store.test_stats import over


async def test_what_ends_in_the_same_moment_is_counted_together(house: SimulatedGuild) -> None:
    """Each time costs more than all that is counted in it."""
    house.stop_sweeping()
    running, counts = house.bots[-1].running, 0
    counting = MatchCounter(house.cog.services.tallies, house.bots[-1].replies.boards, 0.2)

    @event.listens_for(running.store.engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, sql: str, *_more: object) -> None:
        nonlocal counts
        counts += "SET is_first" in sql or "SET counted" in sql

    async def end(number: int) -> None:
        match = over(number)
        assert running.store.matches.add(match)
        counting.note(BoardChanged(match))
        await counting.count_if_due()

    await asyncio.gather(*map(end, range(1, 6)))
    assert running.store.stats.uncounted() == ([], [])
    assert counts == 1
    await end(6)
    assert running.store.stats.uncounted() == ([], []), "and so is what ends later"
    assert counts == 2

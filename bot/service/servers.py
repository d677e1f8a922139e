"""What a server has chosen, and that it is forgotten when it asks, or when the bot has left it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from bot.game.outcome import Forgotten, Ranked
from bot.game.ranking import Chart
from bot.service.clock import LONG_AGO, Clock, first_id_at
from bot.service.executor import Executor, in_thread, in_time
from bot.store import ServerTable, Store
from engine import Level

_REMEMBERED_AFTER_LEAVING = timedelta(days=30)


class Servers:
    """Where the bot plays: how strongly, unless somebody asks for another level, and how long."""

    def __init__(self, store: Store, executor: Executor, clock: Clock) -> None:
        self.executor = executor
        self._clock = clock
        self._table = store.servers
        self._matches = store.matches
        self._memberships = store.memberships
        self._ranks = store.ranks

    @in_time
    def level(self, guild_id: int) -> Level:
        return level_in(self._table, guild_id)

    @in_time
    def set_level(self, guild_id: int, level: Level) -> None:
        self._table.set_level(guild_id, level)

    @in_time
    def ranking(self, guild_id: int, chart: Chart, asks: int, today: date) -> Ranked:
        """Who did best in a server."""
        ranks = self._ranks.top(guild_id, chart.on(today), asks)
        return Ranked(chart, tuple(ranks), asks)

    @in_time
    def forget(self, guild_id: int, asked_id: int) -> Forgotten:
        """Begin to forget a server: what goes on at once, the rest behind the answer.

        `asked_id` is the id of the interaction: what is played later is the server's again.
        """
        self._memberships.begin_to_forget(guild_id, asked_id)
        _is_more, ended = self._matches.forget_guild(guild_id, asked_id)
        return Forgotten(tuple(ended))

    @in_thread
    def look(self, guild_ids: Collection[int]) -> None:
        """Note of which servers the bot is a member; those it left a month ago are forgotten."""
        now = self._clock.passed()
        if now <= LONG_AGO:
            return
        self._memberships.note(guild_ids, now)
        for guild_id in self._memberships.absent_before(now - _REMEMBERED_AFTER_LEAVING):
            self._memberships.begin_to_forget(guild_id, first_id_at(now))


def level_in(servers: ServerTable, guild_id: int | None) -> Level:
    """The level that a server has chosen, or else the highest: direct messages choose none."""
    chosen = None if guild_id is None else servers.level(guild_id)
    return chosen or Level.IMPOSSIBLE

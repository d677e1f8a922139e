"""All services."""

from __future__ import annotations

from dataclasses import dataclass

from bot.runtime.runtime import Runtime
from bot.services.match_actions import MatchActionService
from bot.services.matches import MatchOperations, MatchService


@dataclass(frozen=True, slots=True)
class Services:
    """The services of a process, by feature."""

    matches: MatchService
    match_actions: MatchActionService

    @classmethod
    def build(cls, runtime: Runtime) -> Services:
        store = runtime.store
        executor = runtime.executor
        deadlines = runtime.deadlines
        operations = MatchOperations(store, deadlines, runtime.rng)
        return cls(
            matches=MatchService(store, executor, operations, deadlines, bot_id=runtime.bot_id),
            match_actions=MatchActionService(
                store, executor, operations, deadlines, runtime.engine
            ),
        )

"""All handlers, by feature, and how they are made."""

from __future__ import annotations

from dataclasses import dataclass

from bot.handlers.analysis import AnalysisHandler
from bot.handlers.base import HandlerDependencies
from bot.handlers.match_counter import MatchCounter
from bot.handlers.match_messages import MatchMessages
from bot.handlers.matches import MatchHandler
from bot.messaging.replies import Replies
from bot.runtime.cooldown import PersonCooldown
from bot.runtime.runtime import Runtime
from bot.services.services import Services


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers, by feature, and the counter of the matches that they end."""

    matches: MatchHandler
    analysis: AnalysisHandler
    match_counter: MatchCounter

    @classmethod
    def build(
        cls,
        runtime: Runtime,
        services: Services,
        replies: Replies,
        cooldown: PersonCooldown,
        counting_batch_seconds: float,
    ) -> Handlers:
        """Create all handlers, on the same services and replies."""
        match_messages = MatchMessages(runtime.messages, services.matches)
        counter = MatchCounter(runtime, match_messages, counting_batch_seconds)
        dependencies = HandlerDependencies(runtime, services, replies, match_messages, cooldown)
        matches = MatchHandler(dependencies, counter)
        return cls(
            matches=matches,
            analysis=AnalysisHandler(dependencies, matches),
            match_counter=counter,
        )

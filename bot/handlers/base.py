"""The base class of handlers."""

from __future__ import annotations

from dataclasses import dataclass

from bot.handlers.match_messages import MatchMessages
from bot.messaging.replies import Replies
from bot.runtime.cooldown import PersonCooldown
from bot.runtime.runtime import Runtime
from bot.services.services import Services


@dataclass(frozen=True, slots=True)
class HandlerDependencies:
    """What handlers are made of; all handlers share them."""

    runtime: Runtime
    services: Services
    replies: Replies
    match_messages: MatchMessages
    cooldown: PersonCooldown


class Handler:
    """The base class: methods read the interaction, call a service, and reply with its result."""

    def __init__(self, dependencies: HandlerDependencies) -> None:
        self._runtime = dependencies.runtime
        self._services = dependencies.services
        self._replies = dependencies.replies
        self._match_messages = dependencies.match_messages
        self._cooldown = dependencies.cooldown

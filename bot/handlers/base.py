"""The base class of handlers, and the cooldown for each person."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta

from discord.ext.commands import Cooldown

from bot.domain.refusals import Refusal, RefusalReason
from bot.handlers.match_messages import MatchMessages
from bot.messaging.interactions import Interaction
from bot.messaging.members import Members
from bot.messaging.messages import Messages
from bot.messaging.replies import Replies
from bot.runtime.runtime import Runtime
from bot.services.services import Services

_USES_PER_PERIOD = 5

_PERIOD_SECONDS = 60


@dataclass(frozen=True, slots=True)
class HandlerDependencies:
    """What handlers are made of; all handlers share them."""

    runtime: Runtime
    services: Services
    replies: Replies
    messages: Messages
    members: Members
    match_messages: MatchMessages
    cooldown: PersonCooldown


class Handler:
    """The base class: methods read the interaction, call a service, and reply with its result."""

    def __init__(self, dependencies: HandlerDependencies) -> None:
        self._runtime = dependencies.runtime
        self._services = dependencies.services
        self._replies = dependencies.replies
        self._messages = dependencies.messages
        self._members = dependencies.members
        self._match_messages = dependencies.match_messages
        self._cooldown = dependencies.cooldown


class PersonCooldown:
    """Limits how often a person may use what posts a message or takes long.

    discord.py's `CooldownMapping` walks all of its cooldowns at each use. Here, cooldowns that were
    not used for a whole period are dropped together.
    """

    def __init__(self) -> None:
        self._cooldowns: dict[int, Cooldown] = {}
        self._previous_cooldowns: dict[int, Cooldown] = {}
        self._period_start = 0.0

    def use(self, interaction: Interaction) -> Refusal | None:
        """Count one use; the refusal if there were too many, else None."""
        user_id = interaction.user.id
        now = interaction.created_at.timestamp()
        if now - self._period_start >= _PERIOD_SECONDS:
            self._previous_cooldowns = self._cooldowns
            self._cooldowns = {}
            self._period_start = now
        cooldown = self._cooldowns.get(user_id) or self._previous_cooldowns.get(user_id)
        if cooldown is None:
            cooldown = Cooldown(_USES_PER_PERIOD, _PERIOD_SECONDS)
        self._cooldowns[user_id] = cooldown
        wait_seconds = cooldown.update_rate_limit(now)
        if wait_seconds is None:
            return None
        wait = timedelta(seconds=math.ceil(wait_seconds))
        return Refusal(RefusalReason.TOO_FAST, until=interaction.created_at + wait)

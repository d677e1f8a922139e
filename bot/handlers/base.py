"""What all handlers share: the services, the replies, and a cooldown for each person."""

from __future__ import annotations

import math
from datetime import timedelta

from discord.ext.commands import Cooldown, CooldownMapping

from bot.domain.refusals import Refusal, Refused
from bot.messaging.interactions import Interaction
from bot.messaging.reply import Replies
from bot.services.services import Services

_USES = 5

_PER_SECONDS = 60


class PersonCooldown:
    """How often a person may open a board or a lesson."""

    def __init__(self) -> None:
        cooldown = Cooldown(_USES, _PER_SECONDS)
        self._cooldowns = CooldownMapping[Interaction](cooldown, _user_id)

    def refusal(self, interaction: Interaction) -> Refused | None:
        """Count one use; the refusal if there were too many, else None."""
        used_at = interaction.created_at
        wait_seconds = self._cooldowns.update_rate_limit(interaction, used_at.timestamp())
        if wait_seconds is None:
            return None
        return Refused(Refusal.TOO_FAST, until=used_at + timedelta(seconds=math.ceil(wait_seconds)))


def _user_id(interaction: Interaction) -> int:
    return interaction.user.id


class Handler:
    """The base class: methods read the interaction, call a service, and reply with its result."""

    def __init__(self, services: Services, replies: Replies, cooldown: PersonCooldown) -> None:
        self._services = services
        self._replies = replies
        self._cooldown = cooldown

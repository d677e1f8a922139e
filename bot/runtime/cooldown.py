"""How often a person may use what posts a message or takes long."""

from __future__ import annotations

from discord.ext.commands import Cooldown

from bot.domain.refusals import RefusalReason, Refused
from bot.messaging.interactions import Interaction

_USES_PER_PERIOD = 5

_PERIOD_SECONDS = 60


class PersonCooldown:
    """Limits how often a person may use what posts a message or takes long.

    discord.py's `CooldownMapping` walks all of its cooldowns at each use. Here, cooldowns that were
    not used for a whole period are dropped together.
    """

    def __init__(self) -> None:
        self._cooldowns: dict[int, Cooldown] = {}
        self._previous_cooldowns: dict[int, Cooldown] = {}
        self._period_start = 0.0

    def use(self, interaction: Interaction) -> None:
        """Count one use; raise Refused if there were too many."""
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
        if cooldown.update_rate_limit(now) is not None:
            raise Refused(RefusalReason.TOO_FAST)

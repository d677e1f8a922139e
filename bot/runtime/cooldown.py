"""How often a person may use what posts a message or takes long, or is told the same."""

from __future__ import annotations

from datetime import datetime, timedelta

from discord.ext.commands import Cooldown

from bot.domain.refusals import RefusalReason, Refused
from bot.messaging.interactions import Interaction

_USES_PER_PERIOD = 5

_PERIOD_SECONDS = 60

_TOLD_FOR = timedelta(seconds=10)


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


class FirstRefusals:
    """Tells the first of a person's refused presses on a message from those soon after it."""

    def __init__(self) -> None:
        self._told: dict[tuple[int, int], datetime] = {}

    def is_first(self, interaction: Interaction) -> bool:
        """Whether there was none on this message in the ten seconds before."""
        now = interaction.created_at
        self._told = {key: at for key, at in self._told.items() if now - at < _TOLD_FOR}
        key = (interaction.user.id, interaction.message.id if interaction.message else 0)
        is_first = key not in self._told
        self._told.setdefault(key, now)
        return is_first

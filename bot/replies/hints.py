"""Removing a person's last hint once there is a newer one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress

from discord.utils import utcnow

from bot.replies.context import Interaction, channel_of, is_on_page
from bot.replies.failures import DISCORD_ERRORS

_REMEMBERED = 200
"""Interactions; one on 5x5 takes 17 KB, so 4 MB at most."""


class LastHints:
    """The last hint that each person got in a channel, to be removed once there is a newer one.

    Discord allows that for 15 minutes. Later, or after a restart, an old hint stays, and answers
    a press by saying that it is old.
    """

    def __init__(self, discord_seconds: float) -> None:
        self._discord_seconds = discord_seconds
        self._answered: OrderedDict[tuple[int, int], Interaction] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    async def replace(self, interaction: Interaction) -> None:
        """Remove a person's last hint, unless the new one is shown in the same message."""
        key = interaction.user.id, channel_of(interaction)
        before = self._answered.pop(key, None)
        self._answered[key] = interaction
        if len(self._answered) > _REMEMBERED:
            self._answered.popitem(last=False)
        if self._timer is None:
            self._forget_expired()
        if before is None or is_on_page(interaction) or interaction.created_at > before.expires_at:
            return
        with suppress(*DISCORD_ERRORS):
            async with asyncio.timeout(self._discord_seconds):
                await before.delete_original_response()

    def _forget_expired(self) -> None:
        """Forget hints too old to be removed; the oldest expires first, so one timer will do."""
        self._timer = None
        while self._answered:
            oldest = next(iter(self._answered.values()))
            left_seconds = (oldest.expires_at - utcnow()).total_seconds()
            if left_seconds > 0:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(left_seconds, self._forget_expired)
                return
            self._answered.popitem(last=False)

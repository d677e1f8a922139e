"""What every family of commands works with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta

from discord.ext import commands
from discord.ext.commands import Cooldown, CooldownMapping

from bot.commands.counting import Counting
from bot.game.outcome import Refused
from bot.game.page import Page
from bot.game.refusal import Refusal
from bot.replies.context import Interaction, is_on_page
from bot.replies.replies import Replies
from bot.replies.reply import Reply
from bot.service.lessons import Lessons
from bot.service.matches import Matches
from bot.service.people import People
from bot.service.presses import Presses
from bot.service.servers import Servers
from bot.service.sweeps import Sweeps
from bot.service.tallies import Tallies

_ASKED_IN_SECONDS = (5, 60)  # so many boards and lessons, within so long


@dataclass(frozen=True, slots=True)
class Services:
    """What happens, by what it happens to."""

    matches: Matches
    presses: Presses
    lessons: Lessons
    people: People
    tallies: Tallies
    servers: Servers
    sweeps: Sweeps


class Family(commands.Cog):
    """A method reads the interaction, asks a service, and hands what that came to to the reply."""

    def __init__(self, bot: commands.AutoShardedBot, services: Services, replies: Replies) -> None:
        self._bot = bot
        self.services = services
        self._replies = replies
        self._counting = Counting(services.tallies, replies.boards)
        self._pace = CooldownMapping[Interaction](Cooldown(*_ASKED_IN_SECONDS), _user_id)

    def _too_fast(self, interaction: Interaction) -> Refused | None:
        """What somebody is told who asks for one board or lesson after the other."""
        asked_at = interaction.created_at
        wait_seconds = self._pace.update_rate_limit(interaction, asked_at.timestamp())
        if wait_seconds is None:
            return None
        until = asked_at + timedelta(seconds=math.ceil(wait_seconds))
        return Refused(Refusal.TOO_FAST, until=until)

    async def _teach(self, reply: Reply, interaction: Interaction, page: Page) -> None:
        lesson = self.services.lessons.lesson(
            interaction.user.id,
            page,
            asked_id=interaction.id,
            today=interaction.created_at.date(),
        )
        await reply.teach(await reply.wait(lesson, in_place=is_on_page(interaction)))


def _user_id(interaction: Interaction) -> int:
    return interaction.user.id

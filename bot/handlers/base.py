"""The common base class of the commands, and the services that they call."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date, timedelta

from discord.ext import commands
from discord.ext.commands import Cooldown, CooldownMapping

from bot.domain.pages import LessonPage
from bot.domain.puzzles import DailyPuzzle, PuzzlePage
from bot.domain.refusals import Refusal, Refused
from bot.handlers.stats import MatchCounter
from bot.messaging.interactions import Interaction, is_ephemeral
from bot.messaging.reply import Replies, Reply
from bot.services.analysis import Lessons
from bot.services.match_actions import Presses
from bot.services.matches import Matches, Starts
from bot.services.privacy import People, Sweeps
from bot.services.puzzles import PuzzlePosting, Puzzles
from bot.services.settings import SettingsService
from bot.services.stats import Tallies

_COOLDOWN = (5, 60)  # boards and lessons per person, within so many seconds

_CHANNELS_ASKED_FOR = (250, 60)
"""Channels in all servers, within so many seconds: for ten forms with as many as can be chosen.

Discord blocks an address that gets more than 10,000 responses with status 401, 403 or 429 in ten
minutes, and each channel hidden from the bot is one of them.
"""


@dataclass(frozen=True, slots=True)
class Services:
    """The services, each named after what it deals with."""

    starts: Starts
    matches: Matches
    presses: Presses
    lessons: Lessons
    puzzles: Puzzles
    puzzle_posting: PuzzlePosting
    people: People
    tallies: Tallies
    servers: SettingsService
    sweeps: Sweeps


class Handler(commands.Cog):
    """The base class: methods read the interaction, call a service, and reply with its outcome."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        services: Services,
        replies: Replies,
        counted_together_seconds: float,
    ) -> None:
        self._bot = bot
        self.services = services
        self._replies = replies
        self._counting = MatchCounter(services.tallies, replies.boards, counted_together_seconds)
        self.command_id: int | None = None  # set once the commands are synced
        self._cooldown = CooldownMapping[Interaction](Cooldown(*_COOLDOWN), _user_id)
        self._channels_asked_for = Cooldown(*_CHANNELS_ASKED_FOR)

    def _check_cooldown(self, interaction: Interaction) -> Refused | None:
        """Apply the cooldown on boards and lessons; the refusal if it is exceeded, else None."""
        asked_at = interaction.created_at
        wait_seconds = self._cooldown.update_rate_limit(interaction, asked_at.timestamp())
        if wait_seconds is None:
            return None
        until = asked_at + timedelta(seconds=math.ceil(wait_seconds))
        return Refused(Refusal.TOO_FAST, until=until)

    async def _teach(self, reply: Reply, interaction: Interaction, page: LessonPage) -> None:
        who, today = interaction.user.id, interaction.created_at.date()
        in_place = is_ephemeral(interaction)
        tally = None
        if isinstance(page, PuzzlePage):
            days = {today, *_yesterday_if_begun_then(interaction)}
            attempt = self.services.puzzles.attempt(who, interaction.guild_id, page, days)
            tried = await reply.wait(attempt, in_place=in_place)
            page, tally = tried.page, tried.tally
        lesson = self.services.lessons.lesson(who, page, interaction_id=interaction.id, today=today)
        taught = await reply.wait(lesson, in_place=in_place)
        if isinstance(taught, DailyPuzzle):
            taught = replace(taught, tally=tally)
        await reply.teach(taught)


def _yesterday_if_begun_then(interaction: Interaction) -> list[date]:
    """Yesterday, if the page was opened then, so that an attempt may go on after midnight UTC."""
    today = interaction.created_at.date()
    if interaction.message is None or not is_ephemeral(interaction):
        return []
    begun = interaction.message.created_at.date()
    return [begun] if today - begun == timedelta(days=1) else []


def _user_id(interaction: Interaction) -> int:
    return interaction.user.id

"""What every family of commands works with."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date, timedelta

from discord.ext import commands
from discord.ext.commands import Cooldown, CooldownMapping

from bot.commands.counting import Counting
from bot.game.lesson import DailyPuzzle
from bot.game.outcome import Refused
from bot.game.page import LessonPage, PuzzlePage
from bot.game.refusal import Refusal
from bot.replies.context import Interaction, is_on_page
from bot.replies.replies import Replies
from bot.replies.reply import Reply
from bot.service.lessons import Lessons
from bot.service.matches import Matches
from bot.service.people import People
from bot.service.presses import Presses
from bot.service.puzzle_posting import PuzzlePosting
from bot.service.puzzles import Puzzles
from bot.service.servers import Servers
from bot.service.starts import Starts
from bot.service.sweeps import Sweeps
from bot.service.tallies import Tallies

_ASKED_IN_SECONDS = (5, 60)  # so many boards and lessons, within so long


@dataclass(frozen=True, slots=True)
class Services:
    """What happens, by what it happens to."""

    starts: Starts
    matches: Matches
    presses: Presses
    lessons: Lessons
    puzzles: Puzzles
    puzzle_posting: PuzzlePosting
    people: People
    tallies: Tallies
    servers: Servers
    sweeps: Sweeps


class Family(commands.Cog):
    """A method reads the interaction, asks a service, and hands what that came to to the reply."""

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
        self._counting = Counting(services.tallies, replies.boards, counted_together_seconds)
        self.command_id: int | None = None  # once Discord has named it
        self._pace = CooldownMapping[Interaction](Cooldown(*_ASKED_IN_SECONDS), _user_id)

    def _refuse_haste(self, interaction: Interaction) -> Refused | None:
        """Count a board or lesson that somebody asks for; or what to say if it is too many."""
        asked_at = interaction.created_at
        wait_seconds = self._pace.update_rate_limit(interaction, asked_at.timestamp())
        if wait_seconds is None:
            return None
        until = asked_at + timedelta(seconds=math.ceil(wait_seconds))
        return Refused(Refusal.TOO_FAST, until=until)

    async def _teach(self, reply: Reply, interaction: Interaction, page: LessonPage) -> None:
        who, today = interaction.user.id, interaction.created_at.date()
        in_place = is_on_page(interaction)
        tally = None
        if isinstance(page, PuzzlePage):
            days = {today, *_yesterday_if_begun_then(interaction)}
            attempt = self.services.puzzles.attempt(who, interaction.guild_id, page, days)
            tried = await reply.wait(attempt, in_place=in_place)
            page, tally = tried.page, tried.tally
        lesson = self.services.lessons.lesson(who, page, asked_id=interaction.id, today=today)
        taught = await reply.wait(lesson, in_place=in_place)
        if isinstance(taught, DailyPuzzle):
            taught = replace(taught, tally=tally)
        await reply.teach(taught)


def _yesterday_if_begun_then(interaction: Interaction) -> list[date]:
    """The day before, where the page that is pressed was opened on it: midnight cuts nobody off."""
    today = interaction.created_at.date()
    if interaction.message is None or not is_on_page(interaction):
        return []
    begun = interaction.message.created_at.date()
    return [begun] if today - begun == timedelta(days=1) else []


def _user_id(interaction: Interaction) -> int:
    return interaction.user.id

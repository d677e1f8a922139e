"""The context of an interaction: who and where, the bot's parts, and the reply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date
from typing import TypeVar, TypeVarTuple

from sqlalchemy import Connection

from bot.domain.matches import Place
from bot.messaging.interactions import Interaction, can_manage_guild, place_of
from bot.messaging.reply import NamedFile, Reply
from bot.runtime.runtime import Runtime
from bot.views.i18n import Language, language_for
from bot.views.symbols import Symbols

Arguments = TypeVarTuple("Arguments")

Result = TypeVar("Result")


class Context:
    """One interaction. Its time is Discord's.

    `files` are sent with the page that is shown, which refers to them by their names.
    `follow_ups` are called, in order, once the answer is sent or has failed.
    """

    def __init__(self, runtime: Runtime, interaction: Interaction, reply: Reply) -> None:
        self.runtime = runtime
        self.interaction = interaction
        self.reply = reply
        self.files: list[NamedFile] = []
        self.follow_ups: list[Callable[[], Awaitable[object]]] = []

    async def read(
        self, work: Callable[[Connection, *Arguments], Result], *args: *Arguments
    ) -> Result:
        """Run a function that reads from the database; see `DatabaseJobs.read`."""
        database = self.runtime.database
        return await database.read(work, *args, seconds=database.limits.answer_seconds)

    async def change(
        self, work: Callable[[Connection, *Arguments], Result], *args: *Arguments
    ) -> Result:
        """Run a function as one transaction; see `DatabaseJobs.change`.

        No newer interaction of the same person takes the place of this one any longer.
        """
        self.runtime.latest_jobs.keep(self.user_id)
        database = self.runtime.database
        return await database.change(work, *args, seconds=database.limits.answer_seconds)

    @property
    def user_id(self) -> int:
        return self.interaction.user.id

    @property
    def bot_id(self) -> int:
        """The bot's own user id."""
        user = self.interaction.client.user
        assert user is not None, "known since login"
        return user.id

    @property
    def guild_id(self) -> int | None:
        """The server; None in direct messages."""
        return self.interaction.guild_id

    @property
    def place(self) -> Place:
        """The channel, server and language for a message that everybody there sees."""
        return place_of(self.interaction)

    @property
    def language(self) -> Language:
        """The language of the person."""
        return self.reply.language

    @property
    def symbols(self) -> Symbols:
        """The symbols with which boards are drawn."""
        return self.runtime.emojis.symbols

    def language_of(self, locale: str) -> Language:
        """The language of a message for everybody, with the symbols of its boards."""
        return language_for(locale, self.symbols)

    @property
    def today(self) -> date:
        """The day in UTC."""
        return self.interaction.created_at.date()

    @property
    def can_manage_guild(self) -> bool:
        """Whether the person has the Manage Server permission here; False outside servers."""
        return can_manage_guild(self.interaction)

    async def run_newest(self, job: Callable[[], Awaitable[Result]]) -> Result:
        """Run a job whose place a newer one of the same person takes; see `LatestJobs.run`."""
        return await self.runtime.latest_jobs.run(
            job, user_id=self.user_id, interaction_id=self.interaction.id
        )

"""The context of an interaction: who and where, the bot's parts, and the reply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import TypeVar

from bot.domain.matches import Place
from bot.messaging.interactions import Interaction, can_manage_guild, place_of
from bot.messaging.reply import NamedFile, Reply
from bot.runtime.database_jobs import DatabaseJobs
from bot.runtime.runtime import Runtime
from bot.views.i18n import Language

Result = TypeVar("Result")


class Context:
    """One interaction. Its time is Discord's.

    Once `database` has been asked to write, no newer interaction of the same person takes the place
    of this one. `files` are sent with the page that is shown, which refers to them by their names.
    `follow_ups` are called, in order, once the answer is sent or has failed.
    """

    def __init__(self, runtime: Runtime, interaction: Interaction, reply: Reply) -> None:
        self.runtime = runtime
        self.interaction = interaction
        self.reply = reply
        self.files: list[NamedFile] = []
        self.follow_ups: list[Callable[[], Awaitable[object]]] = []

    @property
    def database(self) -> DatabaseJobs:
        """The database, for what the answer waits for."""
        keep = partial(self.runtime.latest_jobs.keep, self.user_id)
        return replace(self.runtime.database, before_write=keep)

    @property
    def user_id(self) -> int:
        return self.interaction.user.id

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

"""The cog: all commands in one group, and the background tasks."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands, tasks

from bot.client.buttons import ButtonRouter
from bot.domain.puzzles import PuzzlePost
from bot.domain.refusals import Refusal, Refused
from bot.messaging.errors import logged
from bot.messaging.interactions import Interaction

_SWEEP_SECONDS = 15

_FORGOTTEN_A_SWEEP = 100  # batches

_COUNTING_PAUSE_SECONDS = 0.5  # between batches: there may be a long history

_LOOK_AFTER_SECONDS = 10 * 60  # so that a bot in a restart loop does not look each time

_OUTDATED_COMMAND_ERRORS = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Velha(
    ButtonRouter,
    commands.GroupCog,
    group_name="velha",
    group_description=locale_str("Tic-tac-toe with buttons"),
):
    """Connects Discord with the services; it decides nothing itself."""

    async def cog_load(self) -> None:
        self._bot.tree.error(self._on_tree_error)
        self._sweep.start()
        self._refresh_memberships.start()
        self._count.start()
        self._post.start()

    async def cog_unload(self) -> None:
        self._sweep.cancel()
        self._refresh_memberships.cancel()
        self._count.cancel()
        self._post.cancel()

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a press on any button or select; commands go their own way."""
        if interaction.type is discord.InteractionType.component:
            assert interaction.data is not None, "a press has data"
            await self.press(interaction, str(interaction.data.get("custom_id")))

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _sweep(self) -> None:
        """End and redraw matches whose time is up, and delete what need not be kept any longer."""
        with logged("A sweep failed"):
            await self._replies.boards.redraw_all(await self.services.sweeps.expire())
            await self._forget()
            await self.services.sweeps.prune()
            self.services.sweeps.record_completed()

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _count(self) -> None:
        """Count the matches that a crash or an older release left uncounted."""
        while await self._counting.count():  # noqa: ASYNC110 - a pause between, not a wait
            await asyncio.sleep(_COUNTING_PAUSE_SECONDS)

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _post(self) -> None:
        """Post the puzzle of the day wherever its hour has come."""
        with logged("The puzzle of the day could not be posted"):
            while claimed := await self.services.puzzle_posting.claim():
                await asyncio.gather(*map(self._post_puzzle, claimed))

    async def _post_puzzle(self, post: PuzzlePost) -> None:
        """Post one puzzle; unless the result gets recorded, any process soon tries again."""
        posting = self.services.puzzle_posting
        with logged("A puzzle of the day could not be posted"):
            message_id = await self._replies.posts.puzzle(post, await posting.puzzle(post))
            await posting.record_posted(post, message_id)

    async def _forget(self) -> None:
        """Delete some of what is to be forgotten; the next sweep continues."""
        for _ in range(_FORGOTTEN_A_SWEEP):
            ended = await self.services.sweeps.forget()
            if ended is None:
                break
            await self._replies.boards.redraw_all(ended)

    @tasks.loop(hours=24)
    async def _refresh_memberships(self) -> None:
        """Record which servers the bot is in: without intents, no event tells it."""
        with logged("I could not look of which servers I am a member"):
            guilds = {guild.id async for guild in self._bot.fetch_guilds(limit=None)}
            await self.services.sweeps.record_memberships(guilds)

    @_refresh_memberships.before_loop
    async def _after_some_minutes(self) -> None:
        await asyncio.sleep(_LOOK_AFTER_SECONDS)

    @_sweep.before_loop
    @_count.before_loop
    @_post.before_loop
    async def _until_ready(self) -> None:
        await self._bot.wait_until_ready()

    async def _on_tree_error(
        self, interaction: Interaction, error: app_commands.AppCommandError
    ) -> None:
        """Refuse a command of another release, or an option of the wrong type."""
        async with self._replies.to(interaction) as reply:
            if not isinstance(error, _OUTDATED_COMMAND_ERRORS):
                raise error
            await reply.give(Refused(Refusal.UNKNOWN_OPTION))

"""Syncing the commands with Discord: only when they have changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from functools import cache
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation
from discord.ext import commands, tasks

from bot.messaging.errors import DISCORD_ERRORS, error_summary, log_errors
from bot.messaging.waiting import wait_for_discord
from bot.runtime.database_jobs import DatabaseJobs
from bot.store.facts import load_fact, save_fact
from bot.views.catalogues import LANGUAGES, catalogue_file, language_of, load_catalogue

_NAME_LOCATIONS = (TranslationContextLocation.command_name, TranslationContextLocation.group_name)

_SYNC_SECONDS = 60

_log = logging.getLogger(__name__)


class CommandSync(commands.Cog):
    """Syncs the commands, of one server or globally, if they differ from those last synced.

    Nothing waits for it: boards need no commands, and those of an earlier start go on working. So a
    problem is logged once, and an hour later it tries again.
    """

    def __init__(
        self, bot: commands.AutoShardedBot, database: DatabaseJobs, guild_id: int | None
    ) -> None:
        self._bot = bot
        self._tree: app_commands.CommandTree[Any] = bot.tree
        self._database = database
        self._guild = discord.Object(guild_id) if guild_id else None
        if self._guild:
            self._tree.copy_global_to(guild=self._guild)
        self._key = f"commands of {bot.application_id} in {guild_id or 'every server'}"
        self._last_problem = ""

    async def cog_load(self) -> None:
        self._sync.start()

    async def cog_unload(self) -> None:
        self._sync.cancel()

    @tasks.loop(hours=1)
    async def _sync(self) -> None:
        with log_errors("The commands could not be synced"):
            digest = await asyncio.to_thread(_digest, self._tree, self._guild)
            is_synced = await self._database.read(load_fact, self._key) == digest
            if is_synced or await self._send(digest):
                self._sync.stop()

    @_sync.before_loop
    async def _wait_until_ready(self) -> None:
        await self._bot.wait_until_ready()

    async def _send(self, digest: str) -> bool:
        """Send the commands to Discord; return whether it has taken them."""

        async def store_digest(_commands: object) -> None:
            await self._database.change(save_fact, self._key, digest)
            _log.info("Synced the %s.", self._key)

        await self._tree.set_translator(_Translator())
        try:
            request = self._tree.sync(guild=self._guild)
            synced = await wait_for_discord(request, _SYNC_SECONDS, store_digest)
        except DISCORD_ERRORS as error:
            self._log_problem(error)
            return False
        finally:
            await self._tree.set_translator(None)  # frees the memory of all catalogues
        await store_digest(synced)
        return True

    def _log_problem(self, error: Exception) -> None:
        problem = error_summary(error)
        if problem == self._last_problem:
            return
        self._last_problem = problem
        if self._guild and isinstance(error, (discord.Forbidden, discord.NotFound)):
            sentence = "DEV_GUILD_ID: I am not in server %s, so it gets no commands."
            _log.error(sentence, self._guild.id)
        else:
            sentence = "The commands could not be synced, so Discord has the old ones, if any: %s"
            _log.warning(sentence, problem)


def _digest(tree: app_commands.CommandTree[Any], guild: discord.Object | None) -> str:
    """A digest of the English commands and of the catalogue files, which are not parsed."""
    payloads = [command.to_dict(tree) for command in tree.get_commands(guild=guild)]
    languages = {str(locale): language_of(str(locale)) for locale in discord.Locale}
    digest = hashlib.sha256(json.dumps([payloads, languages], sort_keys=True).encode())
    for language in LANGUAGES:
        if file := catalogue_file(language):
            digest.update(file.read_bytes())
    return digest.hexdigest()


class _Translator(app_commands.Translator):
    """Translates all but the names of slash commands: `/velha start` is the same everywhere."""

    def __init__(self) -> None:
        self._catalogue_of = cache(load_catalogue)

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        is_slash_command = not isinstance(context.data, app_commands.ContextMenu)
        if is_slash_command and context.location in _NAME_LOCATIONS:
            return None
        translated = self._catalogue_of(language_of(str(locale))).gettext(string.message, {})
        return None if translated == string.message else translated

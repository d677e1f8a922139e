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

from bot.store.store import KeyValueTable
from bot.views.catalogues import LANGUAGES, catalogue_file, language_of, load_catalogue

_NAME_LOCATIONS = (TranslationContextLocation.command_name, TranslationContextLocation.group_name)

_log = logging.getLogger(__name__)


async def sync_commands(
    tree: app_commands.CommandTree[Any],
    key_values: KeyValueTable,
    application_id: int | None,
    guild_id: int | None,
) -> None:
    """Sync the commands, of one server or globally, if they differ from those last synced."""
    guild = discord.Object(guild_id) if guild_id else None
    if guild:
        tree.copy_global_to(guild=guild)
    key = f"commands of {application_id} in {guild_id or 'every server'}"
    digest = await asyncio.to_thread(_digest, tree, guild)
    if await asyncio.to_thread(key_values.get, key) == digest:
        return
    await tree.set_translator(_Translator())
    try:
        await tree.sync(guild=guild)
    except (discord.Forbidden, discord.NotFound):
        _log.error("DEV_GUILD_ID: I am not in server %s, so it gets no commands.", guild_id)
        return
    finally:
        await tree.set_translator(None)  # frees the memory of all catalogues
    await asyncio.to_thread(key_values.put, key, digest)
    _log.info("Synced the %s.", key)


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

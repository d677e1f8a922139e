"""Syncing the commands with Discord: only when they have changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from contextlib import suppress
from functools import cache
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation
from discord.app_commands.commands import validate_context_menu_name, validate_name

from bot.store.store import KeyValueTable
from bot.views.catalogues import LANGUAGES, catalogue_file, language_of, load_catalogue

_NAME_LOCATIONS = (TranslationContextLocation.command_name, TranslationContextLocation.group_name)

_MAX_DESCRIPTION = 100
"""The most letters of a description, and of the name of a choice."""

_log = logging.getLogger(__name__)


async def sync_commands(
    tree: app_commands.CommandTree[Any],
    key_values: KeyValueTable,
    application_id: int | None,
    guild_id: int | None,
) -> None:
    """Sync the commands, of one server or globally, if they differ from those last synced.

    Commands synced earlier to another server alone are removed: it would show each twice.
    """
    prefix = f"commands of {application_id} in "
    await _remove_stale(tree, key_values, prefix, guild_id)
    guild = discord.Object(guild_id) if guild_id else None
    if guild:
        tree.copy_global_to(guild=guild)
    key = f"{prefix}{guild_id or 'every server'}"
    digest = await asyncio.to_thread(_digest, tree, guild)
    stored = await asyncio.to_thread(key_values.get, key) or ""
    if stored.split(" ")[0] == digest:  # release 1.1.0 stored an id behind it
        return
    try:
        await _sync_translated(tree, guild)
    except (discord.Forbidden, discord.NotFound):
        _log.error("DEV_GUILD_ID: I am not in server %s, so it gets no commands.", guild_id)
        return
    await asyncio.to_thread(key_values.put, key, digest)
    _log.info("Synced the %s.", key)


async def _sync_translated(
    tree: app_commands.CommandTree[Any], guild: discord.Object | None
) -> None:
    """Sync the commands in all languages."""
    await tree.set_translator(_Translator())
    try:
        await tree.sync(guild=guild)
    finally:
        await tree.set_translator(None)  # frees the memory of all catalogues


async def _remove_stale(
    tree: app_commands.CommandTree[Any],
    key_values: KeyValueTable,
    prefix: str,
    guild_id: int | None,
) -> None:
    """Remove the commands of servers other than `guild_id`, for which the tree has none."""
    stored = await asyncio.to_thread(key_values.with_prefix, prefix)
    for key, digest in stored.items():
        scope = key.removeprefix(prefix)
        if digest and scope.isdigit() and int(scope) != guild_id:
            with suppress(discord.Forbidden, discord.NotFound):  # the bot is no longer in it
                await tree.sync(guild=discord.Object(int(scope)))
            await asyncio.to_thread(key_values.put, key, "")
            _log.info("Removed the %s.", key)


def _digest(tree: app_commands.CommandTree[Any], guild: discord.Object | None) -> str:
    """A digest of the English commands and of the catalogue files, which are not parsed."""
    payloads = [command.to_dict(tree) for command in tree.get_commands(guild=guild)]
    languages = {str(locale): language_of(str(locale)) for locale in discord.Locale}
    digest = hashlib.sha256(json.dumps([payloads, languages], sort_keys=True).encode())
    for language in LANGUAGES:
        if file := catalogue_file(language):
            with suppress(OSError):  # English shows instead
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
        if translated == string.message:
            return None
        try:
            check_fits(translated, context)
        except ValueError as error:
            _log.warning("%s: English shows instead, as Discord would refuse: %s", locale, error)
            return None
        return translated


def check_fits(text: str, context: app_commands.TranslationContextTypes) -> None:
    """Raise ValueError if Discord would refuse a name or a description, and so all commands."""
    if isinstance(context.data, app_commands.ContextMenu):
        validate_context_menu_name(text)
    elif context.location is TranslationContextLocation.parameter_name:
        validate_name(text)
    elif not 1 <= len(text) <= _MAX_DESCRIPTION:
        raise ValueError(f"{text!r} must be between 1-{_MAX_DESCRIPTION} characters")

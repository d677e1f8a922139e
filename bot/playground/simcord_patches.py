"""Patches for SimCord: locales, user installs, timers, pictures, and pages."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import discord
from simcord import _settlement, interactions
from simcord.backend.ops.commands import CommandsMixin
from simcord.preview import Preview, _markdown, _media

from bot.client.bot import VelhaBot

# Discord's numbers for interaction contexts, and for the ways to install an application.
_BOT_DM = 1
_PRIVATE_CHANNEL = 2
_GUILD_INSTALL = "0"
_USER_INSTALL = "1"


@contextmanager
def limit_waits_for_timers(seconds: float) -> Iterator[None]:
    """Patch SimCord within the block, so that nobody waits for timers that are due later than that.

    After a command or a press it waits for all that the bot has begun, and also for each of its
    timers that is due within `settle_timeout`.
    """
    due_at = _settlement._callback_fire_time  # noqa: SLF001 - there is no public name

    def due_soon_at(state: Any, timer: Any) -> float:
        at = due_at(state, timer)
        return at if at <= state.loop.time() + seconds else math.inf

    with patch.object(_settlement, "_callback_fire_time", due_soon_at):
        yield


@contextmanager
def decode_pictures_in_threads() -> Iterator[None]:
    """Patch SimCord within the block, so that its preview decodes no picture in a process.

    It starts one for each emoji of a page, one after the other, as a picture may be anybody's. Ours
    are our own: a thread takes a millisecond for one.
    """
    decode = _media._process_media  # noqa: SLF001 - there is no public name

    async def decode_in_thread(
        _worker: _media.MediaWorker, _key: str, blob: bytes, seconds: float | None
    ) -> _media.MediaInfo:
        return await asyncio.to_thread(decode, blob, seconds)

    with patch.object(_media.MediaWorker, "_decode", decode_in_thread):
        yield


@contextmanager
def reuse_markdown_parsers() -> Iterator[None]:
    """Patch SimCord within the block, so that its preview makes one Markdown parser of each kind.

    It makes one for each text of a page whenever the page changes, which takes longer than all else
    that it does then. If SimCord's rules read what `parse` gets as `env`, rather than a closure,
    `functools.cache` would do.
    """
    make_parser = _markdown._markdown_parser  # noqa: SLF001 - there is no public name
    made: dict[tuple[bool | str, ...], tuple[Any, dict[str, Any]]] = {}

    def reuse_parser(policy: Mapping[str, bool | str], context: Mapping[str, Any]) -> Any:
        kind = tuple(policy.values())
        if kind not in made:
            known: dict[str, Any] = {}
            made[kind] = make_parser(policy, known), known
        parser, known = made[kind]
        known.clear()
        known |= context
        return parser

    with patch.object(_markdown, "_markdown_parser", reuse_parser):
        yield


def forget_page_of_python(preview: Preview) -> None:
    """Keep a preview from drawing its page for Python, which nobody looks at here.

    It would be drawn with each page of a browser, so each press would take twice as long. SimCord
    could draw it only when it is asked for.
    """
    own = preview._python  # noqa: SLF001 - there is no public name
    assert own is not None, "the preview has started"
    del preview._pages[own.id]  # noqa: SLF001 - as above


@dataclass
class World:
    """Users' locales, and the places where the bot is a user install.

    `locales` has locales by user id; the default is en-US. The bot is no member of
    `user_install_guilds`, nor of `private_channels`, which are direct messages between people.
    """

    locales: dict[int, str] = field(default_factory=dict)
    user_install_guilds: set[int] = field(default_factory=set)
    private_channels: set[int] = field(default_factory=set)

    @contextmanager
    def patch_simcord(self) -> Iterator[None]:
        """Patch SimCord within the block, so that payloads and commands depend on these."""
        base_payload = interactions.base_payload
        visible_commands = CommandsMixin.visible_commands

        def complete_payload(
            backend: Any, *, user_id: int, **options: Any
        ) -> tuple[Any, dict[str, Any]]:
            record, payload = base_payload(backend, user_id=user_id, **options)
            self._complete(backend, payload, user_id)
            return record, payload

        def translate_commands(
            backend: Any, *, user_id: int, **options: Any
        ) -> list[dict[str, Any]]:
            locale = self._locale(user_id)
            commands = visible_commands(backend, user_id=user_id, **options)
            return [_in_locale(command, locale) for command in commands]

        with (
            patch.object(interactions, "base_payload", complete_payload),
            patch.object(CommandsMixin, "visible_commands", translate_commands),
        ):
            yield

    def _locale(self, user_id: int) -> str:
        return self.locales.get(user_id, "en-US")

    def _complete(self, backend: Any, payload: dict[str, Any], user_id: int) -> None:
        """Add locales, install types and permissions to the payload of an interaction."""
        payload["locale"] = self._locale(user_id)
        owners = payload["authorizing_integration_owners"]
        channel_id = int(payload["channel_id"])
        if "guild_id" not in payload:
            if channel_id in self.private_channels:
                payload["context"] = _PRIVATE_CHANNEL
                owners[_USER_INSTALL] = str(user_id)
            else:
                payload["context"] = _BOT_DM
                owners[_GUILD_INSTALL] = "0"
            return
        guild_id = int(payload["guild_id"])
        payload["guild_locale"] = backend.get_guild(guild_id).preferred_locale
        if guild_id in self.user_install_guilds:
            owners[_USER_INSTALL] = str(user_id)
        else:
            owners[_GUILD_INSTALL] = str(guild_id)
        members = payload["data"].get("resolved", {}).get("members", {})
        for member_id, member in members.items():
            permissions = backend.compute_permissions(guild_id, int(member_id), channel_id)
            member["permissions"] = str(permissions)


def set_clock_at_start(bot: VelhaBot) -> None:
    """Have a bot's clock set once it is connected: SimCord's responses have no Date."""

    async def observe() -> None:
        bot.clock.observe(discord.utils.utcnow())

    bot.add_listener(observe, "on_ready")


def _in_locale(command: dict[str, Any], locale: str) -> dict[str, Any]:
    """Translate the descriptions of a command or an option, and the names of its choices.

    The names of options are not translated: interactions contain them.
    """
    descriptions = command.get("description_localizations") or {}
    localized = command | {"description": descriptions.get(locale, command["description"])}
    if "options" in command:
        localized["options"] = [_in_locale(option, locale) for option in command["options"]]
    if "choices" in command:
        localized["choices"] = [
            choice | {"name": (choice.get("name_localizations") or {}).get(locale, choice["name"])}
            for choice in command["choices"]
        ]
    return localized

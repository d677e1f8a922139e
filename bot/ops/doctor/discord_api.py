"""Discord, as the doctor finds it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot.client.bot import VelhaBot, invite_link
from bot.config import Config
from bot.exits import CANNOT_START, ENDING_ERRORS
from bot.messaging.emojis import IMAGES
from bot.messaging.errors import DISCORD_ERRORS, error_summary
from bot.ops.doctor.findings import Finding, because_of, length_of, look, wrong

_MAX_REQUESTS = 8
_SECONDS = 40
_GREETING_SECONDS = 10


class _Visitor(VelhaBot):
    """The bot, which logs in and asks, but never connects; its database is not opened.

    It sends `_MAX_REQUESTS` at most: discord.py repeats those that fail.
    """

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.config = config
        self._requests = 0
        trace = self.http.http_trace
        assert trace is not None, "the bot has one"
        trace.on_request_start.append(self._count)

    async def _count(self, *_: object) -> None:
        self._requests += 1
        if self._requests > _MAX_REQUESTS:
            raise aiohttp.ClientError("it fails too often to be asked again")

    async def login(self, token: str) -> None:
        await commands.AutoShardedBot.login(self, token)

    async def setup_hook(self) -> None:
        await self.add_commands()


async def check_discord(config: Config) -> list[Finding]:
    """Log in and ask Discord for all that a start needs; stop where it no longer answers."""
    findings = []
    try:
        async with asyncio.timeout(_SECONDS), _Visitor(config) as bot:
            await bot.login(config.discord_token)
            async for finding in _ask(bot):
                findings.append(finding)  # noqa: PERF401 - stays if the next raises an error
    except ENDING_ERRORS as error:
        findings.append(because_of("discord", error, config.database_url))
    return findings


async def _ask(bot: _Visitor) -> AsyncIterator[Finding]:
    """Ask Discord one thing after the other.

    Raises:
        One of ENDING_ERRORS: It cannot be asked any more.
    """
    yield _application(bot)
    warning = bot.clock.skew_warning()
    yield look("clock", warning) if warning else Finding("clock", "It is right.")
    shards, gateway, sessions = await bot.fetch_gateway()
    yield _starts(bot, shards, sessions)
    yield await _network(bot, gateway)
    checks = {"commands": _commands, "emojis": _emojis}
    if bot.config.owner_webhook_url is not None:
        checks["owner"] = _owner
    for check, ask in checks.items():
        try:
            yield await ask(bot)
        except DISCORD_ERRORS as error:
            yield look(check, f"Discord does not say: {error_summary(error)}")


def _application(bot: _Visitor) -> Finding:
    application = bot.application
    assert application is not None, "known since login"
    if application.interactions_endpoint_url:
        sentence = (
            "Discord sends what people press to the application's interactions endpoint URL, not to"
            " the bot: empty it in the developer portal, under General Information."
        )
        return look("token", sentence)
    servers = application.approximate_guild_count
    sentence = f"It is {bot.user}'s, of application {application.id}, in some {servers:,} servers."
    return Finding("token", f"{sentence} Invite me: {invite_link(application.id)}")


def _starts(bot: _Visitor, advised: int, sessions: Mapping[str, Any]) -> Finding:
    remaining = sessions["remaining"]
    sentence = f"{remaining:,} sessions may be started today. Shards advised: {advised}."
    if remaining > (bot.config.shard_count or advised):
        return Finding("starts", sentence)
    more = length_of(timedelta(milliseconds=sessions["reset_after"]))
    return look("starts", f"{sentence} Let it run: it waits until there are more, in {more}.")


async def _network(bot: _Visitor, gateway: str) -> Finding:
    """Connect to the gateway, as far as its greeting: that starts no session."""
    try:
        socket = await bot.http.ws_connect(f"{gateway}?v=10&encoding=json")
        async with asyncio.timeout(_GREETING_SECONDS):
            greeting = await socket.receive()
        await socket.close()
    except (aiohttp.ClientError, OSError) as error:
        sentence = f"The gateway takes no connection; a proxy may forbid it: {error_summary(error)}"
        return wrong("network", sentence, CANNOT_START)
    if greeting.type is not aiohttp.WSMsgType.TEXT:
        raise discord.ConnectionClosed(socket, shard_id=None)
    way = "through HTTPS_PROXY" if bot.http.proxy else "directly"
    trusted = os.environ.get("SSL_CERT_FILE")
    hint = f" by {trusted}" if trusted else ""
    return Finding("network", f"Discord is reached {way}; its certificate is trusted{hint}.")


async def _commands(bot: _Visitor) -> Finding:
    """Whether Discord offers our commands."""
    ours = {command.name for command in bot.tree.get_commands()}
    everywhere = {command.name for command in await bot.tree.fetch_commands()}
    guild_id = bot.config.dev_guild_id
    found, where = everywhere, "everywhere"
    if guild_id is not None:
        try:
            registered = await bot.tree.fetch_commands(guild=discord.Object(guild_id))
        except (discord.Forbidden, discord.NotFound):
            return look("commands", f"DEV_GUILD_ID: I am not in server {guild_id}.")
        found, where = {command.name for command in registered}, f"in server {guild_id}"
        if ours & everywhere:
            sentence = f"Server {guild_id} is offered each twice: everybody has them, too."
            return look("commands", f"{sentence} Empty DEV_GUILD_ID, and start anew.")
    if missing := sorted(ours - found):
        sentence = f"Discord does not offer {', '.join(missing)} {where}: a start registers them."
        return look("commands", sentence)
    return Finding("commands", f"Discord offers {', '.join(sorted(ours))} {where}.")


async def _emojis(bot: _Visitor) -> Finding:
    """Whether Discord has the emojis of our boards."""
    names = {emoji.name for emoji in await bot.fetch_application_emojis()}
    missing = len(IMAGES.keys() - names)
    if not missing:
        return Finding("emojis", f"Discord has all {len(IMAGES)}.")
    sentence = f"Discord lacks {missing} of {len(IMAGES)}: boards have labels until it has them."
    return look("emojis", f"{sentence} A running bot uploads them within some minutes.")


async def _owner(bot: _Visitor) -> Finding:
    """Whether Discord knows the webhook to which a word to the owner is posted."""
    webhook = discord.Webhook.from_url(str(bot.config.owner_webhook_url), client=bot)
    webhook.proxy = bot.http.proxy
    try:
        await webhook.fetch(prefer_auth=False)
    except discord.NotFound:
        return look("owner", "OWNER_WEBHOOK_URL: its webhook was deleted. Make another.")
    return Finding("owner", "A word to you goes to the webhook of OWNER_WEBHOOK_URL.")

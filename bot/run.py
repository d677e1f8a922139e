"""Running the bot: start-up, signals and exit codes."""

from __future__ import annotations

import asyncio
import logging
import signal
from contextlib import suppress
from pathlib import Path

import aiohttp
import discord

from bot import logs
from bot.client.bot import VelhaBot
from bot.config import Config
from bot.environment import ENV_FILE, exposed_files, read_environment, remove_secrets
from bot.ops.health import monitored
from bot.store.database import StoreError, error_summary

_CANNOT_START = 1
_TOKEN_REFUSED_CODE = 4004
_CANCEL_AGAIN_SECONDS = 0.5

_log = logging.getLogger(__name__)


def main() -> int:
    """Run until SIGTERM, Ctrl-C or an error that no retry can fix; return the exit code.

    Raises:
        SettingsError: A setting is missing or malformed.
    """
    settings = Config.from_env(read_environment())
    remove_secrets()
    secrets = [settings.discord_token, settings.database_url.password or ""]
    logs.set_up(settings.log_level, settings.log_format, secrets)
    _warn_of_exposed_files(settings)
    return asyncio.run(_run(settings))


async def _run(settings: Config) -> int:
    shutdown = asyncio.Event()
    stop_on_signals(shutdown)
    try:
        async with VelhaBot(settings) as bot:
            try:
                await bot.login(settings.discord_token)
                async with monitored(bot, settings):
                    await bot.connect()
            finally:
                shutdown.set()
    except asyncio.CancelledError:
        return 0
    except (discord.DiscordException, StoreError, aiohttp.ClientError, OSError) as error:
        _log.critical("%s", _explain(error, settings))
        return _CANNOT_START
    return 0


def _warn_of_exposed_files(settings: Config) -> None:
    """Warn if other users can open `.env` or the SQLite database."""
    paths = [ENV_FILE]
    url = settings.database_url
    if url.get_backend_name() == "sqlite" and url.database:
        paths.append(Path(url.database))
    for path in exposed_files(paths):
        _log.warning("Other users of this machine can open %s: chmod 600 %s", path, path)


def _explain(error: Exception, settings: Config) -> str:
    """A sentence that tells the host why the bot cannot run."""
    if isinstance(error, StoreError):
        backend = settings.database_url.get_backend_name()
        return f"DATABASE_URL: this {backend} database cannot be used: {error_summary(error)}"
    close_code = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or close_code == _TOKEN_REFUSED_CODE:
        return "Discord refused DISCORD_TOKEN: reset it in the developer portal."
    return f"Discord cannot be reached: {error}"


def stop_on_signals(shutdown: asyncio.Event) -> None:
    """Cancel the current task on SIGTERM or SIGINT, repeatedly until `shutdown` is set.

    Client.run would ignore SIGTERM, which hosts send to redeploy. Once may not be enough: before
    Python 3.12, `asyncio.wait_for`, with which discord.py connects, can swallow a cancellation:
    https://github.com/python/cpython/issues/86296
    """
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def stop() -> None:
        if not shutdown.is_set():
            task.cancel()
            loop.call_later(_CANCEL_AGAIN_SECONDS, stop)

    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows, where Ctrl-C still cancels the task
            loop.add_signal_handler(number, stop)

"""Running the bot: start-up, signals and exit codes."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import time
from collections.abc import Mapping
from contextlib import suppress

from bot import __version__, logs
from bot.client.bot import VelhaBot
from bot.config import Config, parse_webhook
from bot.environment import (
    SETTINGS_HINT,
    ConfigError,
    read_environment,
    remove_secrets,
    unknown_settings,
)
from bot.exits import ENDING_ERRORS, WRONG_SETTING, exit_because_of
from bot.ops.health import monitored
from bot.ops.owner import Owner

_CANCEL_AGAIN_SECONDS = 0.5
_HOLD_SECONDS = 60 * 60
_WAITS = "It has ended, and waits for you."

_log = logging.getLogger(__name__)


def main(*, hold: bool = False) -> int:
    """Run until SIGTERM, Ctrl-C or an error that no retry can fix; return the exit code.

    With `hold`, a wrong setting ends the process only after an hour, or on a signal: for
    supervisors that restart it at once.
    """
    environment: Mapping[str, str | None] = os.environ
    try:
        environment = read_environment()
        config = Config.from_env(environment)
    except ConfigError as error:
        return _report_wrong_settings(str(error), environment, hold=hold)
    remove_secrets()
    logs.set_up(config.log_level, config.log_format, config.secrets())
    _log.info("Velha %s starts.", __version__)
    for sentence in config.warnings(environment):
        _log.warning("%s", sentence)
    gc.freeze()  # a full collection would take 60 ms longer to scan what was imported
    exit_code, delay_seconds = asyncio.run(_run(config))
    if exit_code == WRONG_SETTING and hold:
        delay_seconds = _HOLD_SECONDS
    _delay_exit(delay_seconds)
    return exit_code


def _report_wrong_settings(
    problems: str, environment: Mapping[str, str | None], *, hold: bool
) -> int:
    """Log which settings cannot be used, in the format that LOG_FORMAT names, if it is known."""
    logs.set_up(logging.INFO, (environment.get("LOG_FORMAT") or "").lower(), [])
    with suppress(ConfigError):
        problems = "\n".join([problems, *unknown_settings(Config.names())])
    _log.critical("%s\n%s", SETTINGS_HINT, problems)
    with suppress(ValueError):
        url = parse_webhook(environment.get("OWNER_WEBHOOK_URL") or "")
        asyncio.run(Owner(url).tell_last(f"{problems}\n{_WAITS}"))
    _delay_exit(_HOLD_SECONDS if hold else 0)
    return WRONG_SETTING


def _delay_exit(seconds: int) -> None:
    """Wait for a time or a signal, so that a supervisor does not restart the bot at once."""
    if not seconds:
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        minutes = seconds // 60
        _log.info("That ends the bot in %d minutes, or once it is told to stop.", minutes)
        time.sleep(seconds)


async def _run(config: Config) -> tuple[int, int]:
    """Run until told to stop; return the exit code, and for how many seconds to delay the exit."""
    shutdown = asyncio.Event()
    stop_on_signals(shutdown)
    try:
        async with VelhaBot(config) as bot:
            try:
                await bot.login(config.discord_token)
                async with monitored(bot, config):
                    await bot.connect()
            finally:
                shutdown.set()
    except asyncio.CancelledError:
        pass
    except ENDING_ERRORS as error:
        ending = exit_because_of(error, config.database_url)
        _log.critical("%s", ending.sentence)
        if ending.code == WRONG_SETTING:
            await Owner.of(config).tell_last(f"{ending.sentence}\n{_WAITS}")
        return ending.code, ending.delay_seconds
    _log.info("Stopped.")
    return 0, 0


def stop_on_signals(shutdown: asyncio.Event) -> None:
    """Cancel the current task on SIGTERM or SIGINT, repeatedly until `shutdown` is set.

    `Client.run` would ignore SIGTERM, which hosts send to redeploy. discord.py swallows a
    cancellation while it connects a shard again.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None, "a coroutine calls it"

    def stop() -> None:
        if not shutdown.is_set():
            task.cancel()
            loop.call_later(_CANCEL_AGAIN_SECONDS, stop)

    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows, where Ctrl-C still cancels the task
            loop.add_signal_handler(number, stop)

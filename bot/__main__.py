"""python -m bot: run Velha on Discord; `python -m bot playground`: in a local browser."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress

_BAD_SETTINGS = 2

try:
    import aiohttp
    import discord

    from bot import logs
    from bot.client import VelhaBot
    from bot.settings import Settings, SettingsError, forget_secrets, read_environment
    from bot.store import StoreError, cause_of
except ModuleNotFoundError as missing:
    if str(missing.name).startswith(("bot.", "engine")):
        raise
    python = r".venv\Scripts\python" if sys.platform == "win32" else ".venv/bin/python"
    print(
        f"This Python has no module {missing.name!r}: type `make play` for the playground, "
        f"or `{python} -m bot` for the bot; README.md says how .venv is made.",
        file=sys.stderr,
    )
    raise SystemExit(_BAD_SETTINGS) from None

_CANNOT_START = 1
_TOKEN_REFUSED_CODE = 4004


def main(arguments: list[str]) -> int:
    try:
        return _do(arguments)
    except SettingsError as problems:
        help_text = "Set these in the environment or in a file named .env (see .env.example):"
        return _fail(f"{help_text}\n{problems}", _BAD_SETTINGS)


def _do(arguments: list[str]) -> int:
    if arguments == ["playground"]:
        from bot.playground import main as playground  # noqa: PLC0415 - a development dependency

        return playground()
    if arguments:
        return _fail(f"Unknown: {' '.join(arguments)}\n{__doc__}", _BAD_SETTINGS)
    settings = Settings.from_env(read_environment())
    forget_secrets()
    logs.set_up(settings.log_level, [settings.discord_token, settings.database_url.password or ""])
    return asyncio.run(run(settings))


async def run(settings: Settings) -> int:
    """Run until told to stop, by SIGTERM, Ctrl-C or an error that no retry can mend."""
    _stop_on_signals()
    try:
        async with VelhaBot(settings) as bot:
            await bot.start(settings.discord_token)
    except asyncio.CancelledError:
        return 0
    except (discord.DiscordException, StoreError, aiohttp.ClientError, OSError) as error:
        return _fail(_explain(error, settings))
    return 0


def _explain(error: Exception, settings: Settings) -> str:
    """What a host can do about an error that ended it, in a sentence."""
    if isinstance(error, StoreError):
        backend = settings.database_url.get_backend_name()
        return f"DATABASE_URL: this {backend} database cannot be used: {cause_of(error)}"
    closed_with = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or closed_with == _TOKEN_REFUSED_CODE:
        return "Discord refused DISCORD_TOKEN: reset it in the developer portal."
    return f"Discord cannot be reached: {error}"


def _stop_on_signals() -> None:
    """Client.run would ignore SIGTERM, which is how hosts say that they are redeploying."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows, where Ctrl-C still cancels the task
            loop.add_signal_handler(number, task.cancel)


def _fail(sentence: str, code: int = _CANNOT_START) -> int:
    print(sentence, file=sys.stderr)
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Runs the bot as a process of its own, connected to a fake Discord server."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import ParamSpec, Self

from bot.config import Config
from tests.bot.run_bot import run

ROOT = Path(__file__).parents[2]
Params = ParamSpec("Params")
_log_numbers = itertools.count(1)
_forkserver = get_context("forkserver")
_forkserver.set_forkserver_preload(
    [__name__, "bot.run", "psycopg"]
)  # imported once, not in each process


def start_process(
    target: Callable[Params, object], *args: Params.args, **kwargs: Params.kwargs
) -> BaseProcess:
    """Call a function in a new process, forked from one that has imported the bot."""
    process = _forkserver.Process(target=target, args=args, kwargs=kwargs)
    process.start()
    return process


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of the tests, with these settings of the bot and no others."""
    names = Config.names()
    variables = {name: value for name, value in os.environ.items() if name not in names}
    return {**variables, "PYTHONPATH": str(ROOT), **settings}


@dataclass
class BotProcess:
    """A running bot, which logs to a file in its folder."""

    pid: int
    _exit_code: Callable[[], int | None]
    _log: Path

    @classmethod
    def fork(cls, url: str, folder: Path, arguments: Sequence[str] = (), **settings: str) -> Self:
        """Start a bot in a folder, against the Discord at `url`.

        It is forked from a process that has imported the bot, as importing takes nine tenths of a
        start.
        """
        log = folder / f"{next(_log_numbers)}.log"
        log.touch()
        process = start_process(_run_forked, (url, *arguments), folder, log, _with_token(settings))
        assert process.pid is not None
        return cls(process.pid, lambda: process.exitcode, log)

    @classmethod
    def spawn(
        cls, url: str, folder: Path, module: str = "tests.bot.run_bot", **settings: str
    ) -> Self:
        """Start a bot with a new Python interpreter, as hosts do."""
        log = folder / f"{next(_log_numbers)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", module, url],
                cwd=folder,
                env=_with_token(settings),
                stdout=output,
                stderr=output,
            )
        return cls(process.pid, process.poll, log)

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    async def wait(self) -> int:
        """Wait until the process has ended; return its exit code."""
        async with asyncio.timeout(60):
            while (code := self._exit_code()) is None:  # noqa: ASYNC110 - it comes from outside
                await asyncio.sleep(0.01)
        return code

    async def kill(self) -> None:
        """Send SIGKILL, and wait until the process has ended."""
        await self.terminate(signal.SIGKILL)

    async def terminate(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and wait until the process has ended; return its exit code."""
        if self._exit_code() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)
        return await self.wait()


Spawn = Callable[..., Awaitable[BotProcess]]
"""Starts a bot with some settings, and waits until it is connected."""


def _with_token(settings: Mapping[str, str]) -> dict[str, str]:
    return environment({"DISCORD_TOKEN": "the-token"} | dict(settings))


def _run_forked(
    arguments: Sequence[str], folder: Path, log: Path, settings: dict[str, str]
) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(settings)
    with log.open("wb") as output:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(output.fileno(), stream.fileno())
    sys.exit(run(*arguments))

"""The bot as a process of its own, connected to a fake Discord server."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import ParamSpec, Self

from bot.config import Config
from tests.bot.run_bot import run

ROOT = Path(__file__).parents[2]
Given = ParamSpec("Given")
_numbers = itertools.count(1)
_forkserver = get_context("forkserver")
_forkserver.set_forkserver_preload([__name__, "psycopg"])  # which else each bot imports anew


def forked(
    work: Callable[Given, object], *given: Given.args, **options: Given.kwargs
) -> BaseProcess:
    """A process that does this, and has imported the bot already."""
    process = _forkserver.Process(target=work, args=given, kwargs=options)
    process.start()
    return process


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Our own environment, with these settings of the bot and no others."""
    ours = {setting.name.upper() for setting in fields(Config)}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "PYTHONPATH": str(ROOT), **settings}


def _with_token(settings: Mapping[str, str]) -> dict[str, str]:
    return environment({"DISCORD_TOKEN": "the-token"} | dict(settings))


@dataclass
class BotProcess:
    """A running bot; what it logs goes to a file in its folder."""

    pid: int
    _exit_code: Callable[[], int | None]
    _log: Path

    @classmethod
    def fork(cls, url: str, folder: Path, **settings: str) -> Self:
        """Start a bot in a folder, against the Discord at `url`.

        A process that has imported everything becomes the bot: importing is nine tenths of a
        start.
        """
        log = folder / f"{next(_numbers)}.log"
        log.touch()
        process = forked(_become_a_bot, url, folder, log, _with_token(settings))
        assert process.pid is not None
        return cls(process.pid, lambda: process.exitcode, log)

    @classmethod
    def spawn(
        cls,
        url: str,
        folder: Path,
        module: str = "tests.bot.run_bot",
        arguments: Sequence[str] = (),
        **settings: str,
    ) -> Self:
        """Start a bot with a Python of its own, as hosts do."""
        log = folder / f"{next(_numbers)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", module, url, *arguments],
                cwd=folder,
                env=_with_token(settings),
                stdout=output,
                stderr=output,
            )
        return cls(process.pid, process.poll, log)

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    async def ended(self) -> int:
        """Wait until it has ended by itself; returns its exit code."""
        async with asyncio.timeout(60):
            while (code := self._exit_code()) is None:  # noqa: ASYNC110 - it comes from outside
                await asyncio.sleep(0.01)
        return code

    async def kill(self) -> None:
        """Send SIGKILL and wait for the end."""
        await self._end(signal.SIGKILL)

    async def terminate(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to leave, as hosts do; returns its exit code."""
        return await self._end(number)

    async def _end(self, number: signal.Signals) -> int:
        if self._exit_code() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)
        return await self.ended()


def _become_a_bot(url: str, folder: Path, log: Path, settings: dict[str, str]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(settings)
    with log.open("wb") as output:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(output.fileno(), stream.fileno())
    sys.exit(run(url))

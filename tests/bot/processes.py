"""The bot as a process of its own, connected to a small Discord."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Self

from bot.settings import Settings

ROOT = Path(__file__).parents[2]
_numbers = itertools.count(1)


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Our own environment, with these settings of the bot and no others."""
    ours = {setting.name.upper() for setting in fields(Settings)}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "PYTHONPATH": str(ROOT), **settings}


class BotProcess:
    """A running bot; what it logs goes to a file in its folder."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self.process = process
        self._log = log

    @classmethod
    async def spawn(
        cls, url: str, folder: Path, module: str = "tests.bot.run_bot", **settings: str
    ) -> Self:
        """Start a bot in a folder, against the Discord at `url`."""
        log = folder / f"{next(_numbers)}.log"
        with log.open("wb") as output:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", module, url),
                cwd=folder,
                env=environment({"DISCORD_TOKEN": "the-token"} | settings),
                stdout=output,
                stderr=output,
            )
        return cls(process, log)

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    async def ended(self) -> int:
        """Wait until it has ended by itself; returns its exit code."""
        async with asyncio.timeout(60):
            return await self.process.wait()

    async def kill(self) -> None:
        """SIGKILL: no warning, no farewell."""
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()

    async def terminate(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to leave, as hosts do; returns its exit code."""
        self.process.send_signal(number)
        return await self.ended()

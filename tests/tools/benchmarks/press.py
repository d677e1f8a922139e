"""A press on a cell of 3x3: which functions of the bot it enters, and how often.

    python -m tests.tools.benchmarks.press [--list]

The bot runs on SQLite, in this process, and answers over real sockets. `--list` names the
functions, by the file that they are in.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType

import bot
from bot.client.bot import VelhaBot
from bot.config import Config
from tests.bot.discord_address import use_discord_at
from tests.bot.fake_discord import FakeDiscord, Message

_BOT = Path(bot.__file__).parent
_ANA, _CHANNEL = 11, 1_000
_WARM_UP_GAMES = 2
_PAUSE_SECONDS = 1


class Profile:
    """Counts how often each function of `bot` is entered while it is `on`, in all threads."""

    def __init__(self) -> None:
        self.on = False
        self.entered = Counter[CodeType]()
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        if self.on and event == "call" and frame.f_code.co_filename.startswith(str(_BOT)):
            self.entered[frame.f_code] += 1


async def press(discord: FakeDiscord, message: Message) -> None:
    """Press the first cell of a board, and wait until nothing is under way."""
    await discord.press(_ANA, message.labels[0], message)
    await discord.wait_until_idle()
    await asyncio.sleep(_PAUSE_SECONDS)


async def measure(url: str) -> Counter[CodeType]:
    """The functions that the first press on a board enters, once everything is warm."""
    profile = Profile()
    async with FakeDiscord(has_emojis=True) as discord:
        use_discord_at(discord.url)
        velha = VelhaBot(Config.from_env({"DISCORD_TOKEN": "t", "DATABASE_URL": url}))
        running = asyncio.create_task(velha.start("t"))
        await discord.wait_for_sessions()
        for _ in range(_WARM_UP_GAMES):
            message = await discord.start(_ANA, _CHANNEL, level="CHILD")
            await press(discord, message)
            await discord.resign(_ANA, message)
        message = await discord.start(_ANA, _CHANNEL, level="CHILD")
        await asyncio.sleep(_PAUSE_SECONDS)
        velha.background_tasks.stop()
        profile.on = True
        await press(discord, message)
        profile.on = False
        await velha.close()
        await running
    return profile.entered


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the functions")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        entered = asyncio.run(measure(f"sqlite:///{Path(folder, 'velha.db').as_posix()}"))
    files = {code.co_filename for code in entered}
    print(f"{len(entered)} functions in {len(files)} files, {entered.total()} calls")
    if options.list:
        for code, calls in sorted(entered.items(), key=lambda item: item[0].co_filename):
            place = Path(code.co_filename).relative_to(_BOT)
            print(f"{calls:5} {place}:{code.co_firstlineno} {code.co_name}")


if __name__ == "__main__":
    main()

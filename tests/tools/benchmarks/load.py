"""Load: the real bot in its own process, over real sockets, with many matches at once.

    python -m tests.tools.benchmarks.load [--rounds N] [--matches N] [--lessons N] [--memory]

prints side by side, from one run of alternated rounds: the smallest bot that sends what Velha does,
which the others are compared with; discord.py's own example of tic-tac-toe; Velha on SQLite and,
where TEST_DATABASE_URL names one, Velha on PostgreSQL. Random players against
the strongest level make short matches: each is followed by one rematch, then by somebody else's.
Each bot has a core to itself where there are two; a neighbour then keeps that core busy for a
while. `--lessons` mixes pages of lessons in; `--memory` adds as many presses as 100 a second make
in half an hour, as fast as the answers come, and shows the memory of the bot's own process.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count, pairwise
from pathlib import Path
from statistics import median, quantiles

from bot.domain.pages import custom_id
from engine import Level
from tests.bot.databases import empty_database, has_server
from tests.bot.fake_discord import COORDINATE, FakeDiscord, Interaction, Message
from tests.bot.processes import BotProcess
from tests.tools.benchmarks.pages import some_page

LEVEL = Level.IMPOSSIBLE.name
RATES = (100, 200)
WARM_UP_PRESSES = 1_000
MEMORY_MINUTES = (2, 10, 20, 30)
PRESSES_A_MINUTE = 60 * RATES[0]

_TICKS = os.sysconf("SC_CLK_TCK")
_FIRST_CHANNEL, _FIRST_PERSON = 1_000, 100_000
_ANSWER_SECONDS = 3
_CONCURRENT_PRESSES = 50

Action = Callable[[], Awaitable[None]]


async def repeat_at_rate(action: Action, per_second: float, seconds: float) -> None:
    """Start an action so many times a second, whether or not the earlier ones are done."""
    started_at = time.perf_counter()
    tasks = []
    for number in range(int(per_second * seconds)):
        await asyncio.sleep(started_at + number / per_second - time.perf_counter())
        tasks.append(asyncio.ensure_future(action()))
    await asyncio.gather(*tasks)


async def repeat(action: Action, times: int, concurrency: int) -> None:
    """Run an action as often and as fast as possible, a few at a time."""
    remaining = iter(range(times))

    async def work() -> None:
        for _ in remaining:
            await action()

    await asyncio.gather(*(work() for _ in range(concurrency)))


@dataclass
class Game:
    """A person's match in progress, or the end of it, as its newest message shows it."""

    user_id: int
    message: Message
    is_rematch: bool = False


@dataclass
class Load:
    """Matches in play, each of one person against the bot, and what pressing them took."""

    discord: FakeDiscord
    rng: random.Random
    lessons: int
    """Of a hundred presses, so many turn a page of a lesson; the time of the others is kept."""
    idle: asyncio.Queue[Game] = field(default_factory=asyncio.Queue)
    people: Iterator[int] = field(default_factory=lambda: count(_FIRST_PERSON))
    seconds: list[float] = field(default_factory=list)
    refused: int = 0
    unanswered: int = 0
    late_lessons: int = 0

    async def open(self, matches: int) -> None:
        for channel_id in range(_FIRST_CHANNEL, _FIRST_CHANNEL + matches):
            user_id = next(self.people)
            message = await self.discord.start(user_id, channel_id, level=LEVEL)
            self.idle.put_nowait(Game(user_id, message))

    async def flat_out(self, presses: int) -> None:
        """Press as fast as the answers come."""
        await repeat(self.press, presses, _CONCURRENT_PRESSES)

    async def press(self) -> None:
        """Have somebody who is not waiting press a button."""
        game = await self.idle.get()
        user_id, message = game.user_id, game.message
        cells = [label for label in message.labels if COORDINATE.fullmatch(label)]
        if self.rng.randrange(100) < self.lessons:
            page = custom_id(some_page(self.rng), 0)
            await self._wait(self.discord.send_custom_id(user_id, page, message), is_timed=False)
        elif cells:
            await self._wait(self.discord.send_press(user_id, self.rng.choice(cells), message))
        elif "Rematch" in message.labels and not game.is_rematch:
            await self._wait(self.discord.send_press(user_id, "Rematch", message))
            game = Game(user_id, self.discord.newest(message.channel_id), is_rematch=True)
        else:  # somebody new begins: one person may not begin so many
            game = await self._begin(message.channel_id)
        self.idle.put_nowait(game)

    async def _begin(self, channel_id: int) -> Game:
        """Have somebody begin a match; if that is refused, the old board stays the newest."""
        user_id = next(self.people)
        await self._wait(self.discord.send_start(user_id, channel_id, level=LEVEL))
        newest = self.discord.newest(channel_id)
        for message in list(self.discord.messages.values()):
            if message.channel_id == channel_id and message is not newest:
                del self.discord.messages[message.id]
        return Game(user_id, newest)

    async def _wait(self, interaction: Interaction, *, is_timed: bool = True) -> None:
        seconds: float = _ANSWER_SECONDS
        try:
            await self.discord.answer(interaction, _ANSWER_SECONDS)
            seconds = interaction.seconds
        except TimeoutError:
            self.unanswered += is_timed
            self.late_lessons += not is_timed
        if is_timed:
            self.seconds.append(seconds)
            self.refused += bool(interaction.private_text)
        await interaction.finished.wait()  # the match goes on once it has come
        self.discord.forget(interaction)


@dataclass(frozen=True)
class Process:
    """What the kernel counts of a process."""

    pid: int

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def megabytes(self) -> float:
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def workers(self) -> list[Process]:
        """The processes that it thinks in, the first started first."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        named = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children}
        return [Process(int(pid)) for pid, name in named.items() if b"spawn_main" in name]

    def on_core(self, core: int) -> None:
        for thread in Path(f"/proc/{self.pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), {core})


@dataclass
class Contender:
    """One of the bots to compare, and what was measured of it, round by round."""

    name: str
    module: str
    database: str | None = None
    settings: dict[str, str] = field(default_factory=dict)
    measured: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def record(self, quantity: str, value: float) -> None:
        self.measured[quantity].append(value)

    async def run(self, options: argparse.Namespace) -> None:
        with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
            folder, settings = Path(name), dict(self.settings)
            if self.database:
                url = stack.enter_context(empty_database(self.database, folder))
                settings["DATABASE_URL"] = url
            async with FakeDiscord(has_emojis=True) as discord:
                bot = BotProcess.spawn(discord.url, folder, self.module, **settings)
                try:
                    await discord.wait_for_sessions()
                    await self._measure(discord, Process(bot.pid), options)
                finally:
                    await bot.kill()
                if "ERROR" in bot.log:
                    print(bot.log)

    async def _measure(
        self, discord: FakeDiscord, process: Process, options: argparse.Namespace
    ) -> None:
        if len(options.cores) > 1:
            process.on_core(options.cores[0])
            os.sched_setaffinity(0, {options.cores[1]})
        load = Load(discord, random.Random(1), options.lessons if self.database else 0)
        await load.open(options.matches)
        await load.flat_out(WARM_UP_PRESSES)
        self.record("MB after warming up", process.megabytes())
        for rate in RATES:
            await self._measure_rate(load, process, rate, options.seconds, f"at {rate}/s")
        with neighbour(options.cores[0]):
            await self._measure_rate(
                load, process, RATES[-1], options.seconds, f"at {RATES[-1]}/s beside a neighbour"
            )
        self.record("MB", process.megabytes())
        if options.memory:
            for before, minutes in pairwise((0, *MEMORY_MINUTES)):
                await load.flat_out((minutes - before) * PRESSES_A_MINUTE)
                self.record(f"MB after {minutes} minutes' worth", process.megabytes())
        self.record("refused", load.refused)
        self.record("unanswered", load.unanswered)
        self.record("lessons later than 3 s", load.late_lessons)

    async def _measure_rate(
        self, load: Load, process: Process, rate: int, seconds: float, condition: str
    ) -> None:
        load.seconds.clear()
        before = process.cpu_seconds()
        with no_garbage_collection():
            await repeat_at_rate(load.press, rate, seconds)
        cpu_seconds = process.cpu_seconds() - before
        percentiles = quantiles(load.seconds, n=100)
        self.record(f"CPU ms a press {condition}", 1000 * cpu_seconds / int(rate * seconds))
        self.record(f"p50 ms {condition}", 1000 * percentiles[49])
        self.record(f"p99 ms {condition}", 1000 * percentiles[98])


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Collect this process's garbage first: a pause of ours would be taken for one of the bot."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def neighbour(core: int) -> Iterator[None]:
    """Another process that computes all the time on the same core."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    os.sched_setaffinity(busy.pid, {core})
    try:
        yield
    finally:
        busy.kill()
        busy.wait()


def contenders() -> list[Contender]:
    bots = [
        Contender("smallest", "tests.tools.benchmarks.smallest"),
        Contender("example", "tests.tools.benchmarks.example"),
        Contender("SQLite", "tests.bot.run_bot", "sqlite"),
    ]
    if has_server():
        bots.append(Contender("PostgreSQL", "tests.bot.run_bot", "postgresql"))
    return bots


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of which the median is shown")
    parser.add_argument("--seconds", type=float, default=10, help="at each rate")
    parser.add_argument("--matches", type=int, default=400, help="going on at once")
    parser.add_argument("--lessons", type=int, default=0, help="of a hundred presses")
    parser.add_argument("--memory", action="store_true", help="watch memory, for some minutes")
    options = parser.parse_args()
    options.cores = sorted(os.sched_getaffinity(0))
    bots = contenders()
    for _ in range(options.rounds):
        for bot in bots:
            await bot.run(options)
    smallest = bots[0].measured
    print(f"{'':45}" + "".join(f"{bot.name:>20}" for bot in bots))
    for quantity in smallest:
        baseline = median(smallest[quantity])
        cells = []
        for bot in bots:
            value = median(bot.measured[quantity])
            ratio = f"({value / baseline:4.2f})" if baseline and bot is not bots[0] else ""
            cells.append(f"{value:12.2f} {ratio:7}")
        print(f"{quantity:45}" + "".join(cells))


if __name__ == "__main__":
    asyncio.run(main())

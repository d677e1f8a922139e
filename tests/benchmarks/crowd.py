"""A crowd: whether moves wait for those who ask for lessons, and whether memory grows.

    python -m tests.benchmarks.crowd [--rounds N] [--seconds S] [--memory]

prints, from one run, how long moves on 5x5 take until the reply is on the board: alone, beside
one account that steps through a replay 120 times a second, and beside 60 readers who each turn a
page a second, no two of them in the same game. `--memory` instead plays and teaches as much as a
busy hour does, as fast as it goes, and shows what the bot and its processes hold.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from statistics import quantiles

from bot.domain.analysis import ReviewPage
from bot.domain.ids import custom_id
from engine import Record, Rules
from tests.benchmarks.load import Process
from tests.benchmarks.pages import LessonPage, some_game, some_page
from tests.bot.fake_discord import COORDINATE, FakeDiscord, Message
from tests.bot.processes import BotProcess

PLAYERS, MOVES_A_SECOND = 20, 4
WARM_UP_MOVES = 300
STEPS_A_SECOND = 120
READERS = 60
HOUR_MOVES, HOUR_LESSONS = 162_000, 18_000
"""Of a busy hour: 45 moves and 5 lessons a second."""
BOARDS = ["3x3x3", "4x4x3", "4x4x4", "5x5x4", "5x5x5"]

_FIRST_PLAYER, _FIRST_READER, _FIRST_PERSON = 1_000, 5_000, 100_000
_ANSWER_SECONDS = 60
_EPHEMERAL = 64

Act = Callable[[], Awaitable[None]]


@dataclass
class Crowd:
    """People on one bot, each in a channel of their own, and how long the players waited."""

    discord: FakeDiscord
    rng: random.Random
    idle: asyncio.Queue[tuple[int, Message]] = field(default_factory=asyncio.Queue)
    boards: dict[int, str] = field(default_factory=dict)
    people: Iterator[int] = field(default_factory=lambda: count(_FIRST_PERSON))
    readers: list[Message] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    unanswered: int = 0

    async def take_seats(self, boards: list[str], readers: int) -> None:
        for channel_id, board in enumerate(boards, _FIRST_PLAYER):
            self.boards[channel_id] = board
            await self._sit_down(channel_id)
        for channel_id in range(_FIRST_READER, _FIRST_READER + readers):
            page = await self.discord.start(channel_id, channel_id)
            page.payload["flags"] |= _EPHEMERAL  # as a lesson is
            self.readers.append(page)

    async def _sit_down(self, channel_id: int) -> None:
        """Somebody new begins a match in a channel: one person may not begin so many."""
        who = next(self.people)
        board = await self.discord.start(who, channel_id, board=self.boards[channel_id])
        self.idle.put_nowait((who, board))

    async def move(self) -> None:
        """Have somebody who is not waiting move anywhere, or another begin where it is over."""
        who, board = await self.idle.get()
        cells = [label for label in board.labels if COORDINATE.fullmatch(label)]
        if not cells:
            del self.discord.messages[board.id]
            return await self._sit_down(board.channel_id)
        await self._press_cell(who, board, self.rng.choice(cells))
        self.idle.put_nowait((who, board))

    async def _press_cell(self, who: int, board: Message, cell: str) -> None:
        pressed = self.discord.send_press(who, cell, board)
        began_at = time.perf_counter()
        if await self._comes(pressed.finished):
            self.seconds.append(time.perf_counter() - began_at)
        self.discord.forget(pressed)

    async def turn(self, reader: Message, page: LessonPage) -> None:
        """Have a reader turn to a page, and not wait for more than a sign."""
        target = custom_id(page, 0)
        pressed = self.discord.send_custom_id(reader.channel_id, target, reader)
        await self._comes(pressed.answered)

    async def read(self, page: LessonPage) -> None:
        """Have somebody who is not waiting turn to a page, and wait until it is there."""
        reader = self.readers.pop()
        target = custom_id(page, 0)
        pressed = self.discord.send_custom_id(reader.channel_id, target, reader)
        await self._comes(pressed.finished)
        self.discord.forget(pressed)
        self.readers.append(reader)

    async def _comes(self, event: asyncio.Event) -> bool:
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                await event.wait()
        except TimeoutError:
            self.unanswered += 1
        return event.is_set()


@asynccontextmanager
async def a_crowd(boards: list[str], readers: int) -> AsyncIterator[tuple[Crowd, Process]]:
    with tempfile.TemporaryDirectory() as folder:
        async with FakeDiscord() as discord:
            bot = BotProcess.spawn(discord.url, Path(folder))
            try:
                await discord.wait_for_sessions()
                crowd = Crowd(discord, random.Random(1))
                await crowd.take_seats(boards, readers)
                yield crowd, Process(bot.pid)
            finally:
                await bot.kill()
            if "ERROR" in bot.log or "Traceback" in bot.log:
                print(bot.log[-2_000:])


async def at_rate(rate: float, seconds: float, act: Act) -> None:
    """Begin something so many times a second, whether it is done in time or not."""
    began_at, tasks = time.perf_counter(), []
    for number in range(int(rate * seconds)):
        await asyncio.sleep(began_at + number / rate - time.perf_counter())
        tasks.append(asyncio.ensure_future(act()))
    await asyncio.gather(*tasks)


async def flat_out(times: int, act: Act, at_once: int = 10) -> None:
    left = iter(range(times))

    async def one() -> None:
        for _ in left:
            await act()

    await asyncio.gather(*(one() for _ in range(at_once)))


def a_full_game(rng: random.Random) -> Record:
    games = (some_game(Rules(5, 5, 5), rng) for _ in range(10_000))
    return next(game for game in games if len(game.moves) == len(game.rules.cells))


async def bothered(by: str, given: argparse.Namespace) -> tuple[list[float], int]:
    """How long moves took beside somebody, and how many presses were never answered."""
    async with a_crowd(["5x5x4"] * PLAYERS, READERS) as (crowd, _process):
        await flat_out(WARM_UP_MOVES, crowd.move, at_once=2)
        crowd.seconds.clear()
        acts = [at_rate(MOVES_A_SECOND, given.seconds, crowd.move)]
        game, readers = a_full_game(crowd.rng), cycle(crowd.readers)
        steps = cycle(ReviewPage(game, ply) for ply in range(len(game.moves) + 1))
        if by == "a flood":
            one = crowd.readers[0]
            flood = at_rate(STEPS_A_SECOND, given.seconds, lambda: crowd.turn(one, next(steps)))
            acts.append(flood)
        elif by == "readers":
            turning = at_rate(
                READERS, given.seconds, lambda: crowd.turn(next(readers), some_page(crowd.rng))
            )
            acts.append(turning)
        await asyncio.gather(*acts)
        return crowd.seconds, crowd.unanswered


async def compare(given: argparse.Namespace) -> None:
    seconds, unanswered = defaultdict[str, list[float]](list), defaultdict[str, int](int)
    for _ in range(given.rounds):
        for by in ("nobody", "a flood", "readers"):
            took, lost = await bothered(by, given)
            seconds[by] += took
            unanswered[by] += lost
    print(f"{'5x5 moves beside':18}{'p50 ms':>10}{'p99 ms':>10}{'most ms':>10}{'unanswered':>12}")
    p99_alone = quantiles(seconds["nobody"], n=100)[98]
    for by, took in seconds.items():
        percentiles = quantiles(took, n=100)
        p50, p99 = percentiles[49], percentiles[98]
        print(
            f"{by:18}{1000 * p50:10.1f}{1000 * p99:10.1f}{1000 * max(took):10.1f}"
            f"{unanswered[by]:12}   p99 {p99 / p99_alone:.2f} of that beside nobody"
        )


async def remember(given: argparse.Namespace) -> None:
    boards = ["3x3x3"] * PLAYERS + BOARDS * 4
    async with a_crowd(boards, READERS) as (crowd, process):
        print(f"{'part of an hour':18}{'bot MB':>10}{'moves MB':>10}{'lessons MB':>12}")
        for part in range(given.parts + 1):
            held = [process, *process.workers()]
            print(
                f"{part / given.parts:18.2f}" + "".join(f"{one.megabytes():10.1f}" for one in held),
                flush=True,
            )
            await asyncio.gather(
                flat_out(HOUR_MOVES // given.parts, crowd.move),
                flat_out(
                    HOUR_LESSONS // given.parts,
                    lambda: crowd.read(some_page(crowd.rng)),
                ),
            )
        print(f"unanswered: {crowd.unanswered}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="all of which are counted")
    parser.add_argument("--seconds", type=float, default=30, help="for each way to be bothered")
    parser.add_argument("--memory", action="store_true", help="an hour's worth, and what is held")
    parser.add_argument("--parts", type=int, default=6, help="of the hour, with figures after each")
    options = parser.parse_args()
    asyncio.run(remember(options) if options.memory else compare(options))

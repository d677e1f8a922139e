"""Load from many people: whether moves wait for lessons, and whether memory grows.

    python -m tests.tools.benchmarks.crowd [--rounds N] [--seconds S] [--memory]

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
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count, cycle
from pathlib import Path
from statistics import quantiles

from bot.domain.analysis import ReviewPage
from bot.domain.pages import custom_id
from engine import Record, Rules
from tests.bot.fake_discord import COORDINATE, FakeDiscord, Interaction, Message
from tests.bot.processes import BotProcess
from tests.tools.benchmarks.load import Process, repeat, repeat_at_rate
from tests.tools.benchmarks.pages import SHAPES, LessonPage, some_game, some_page

PLAYERS = 20
MOVES_PER_SECOND = 4
WARM_UP_MOVES = 300
STEPS_PER_SECOND = 120
READERS = 60
MOVES_PER_HOUR = 162_000
LESSONS_PER_HOUR = 18_000
"""A busy hour has 45 moves and 5 lessons a second."""
NEIGHBOURS = ("nobody", "a flood", "readers")
"""What else the bot does while the moves are timed."""

_FIRST_CHANNEL = 1_000
_FIRST_READER = 5_000
_FIRST_PLAYER = 100_000
_ANSWER_SECONDS = 60
_EPHEMERAL = 64
_CONCURRENCY = 10


class Crowd:
    """Players and readers on one bot, each in a channel of their own."""

    def __init__(self, discord: FakeDiscord) -> None:
        self.discord = discord
        self.rng = random.Random(1)
        self.readers: list[Message] = []
        """The lesson that each reader has open."""
        self.seconds: list[float] = []
        """How long each move took."""
        self.unanswered = 0
        self._idle_players: asyncio.Queue[tuple[int, Message]] = asyncio.Queue()
        self._boards: dict[int, str] = {}
        self._new_players = count(_FIRST_PLAYER)

    async def join(self, boards: list[str], readers: int) -> None:
        """Begin a match on each of the boards, and open a lesson for each reader."""
        for channel_id, board in enumerate(boards, _FIRST_CHANNEL):
            self._boards[channel_id] = board
            await self._begin_match(channel_id)
        for channel_id in range(_FIRST_READER, _FIRST_READER + readers):
            lesson = await self.discord.start(channel_id, channel_id)
            lesson.payload["flags"] |= _EPHEMERAL
            self.readers.append(lesson)

    async def move(self) -> None:
        """Have a player who is not waiting move at random, or begin a match if theirs is over."""
        user_id, message = await self._idle_players.get()
        cells = [label for label in message.labels if COORDINATE.fullmatch(label)]
        if not cells:
            del self.discord.messages[message.id]
            await self._begin_match(message.channel_id)
            return
        await self._press_cell(user_id, message, self.rng.choice(cells))
        self._idle_players.put_nowait((user_id, message))

    async def turn_page(self, lesson: Message, page: LessonPage) -> None:
        """Have a reader turn to a page, and wait only until Discord has an answer."""
        await self._wait_for(self._turn(lesson, page).answered)

    async def read(self, page: LessonPage) -> None:
        """Have a reader who is not waiting turn to a page, and wait until it is shown."""
        lesson = self.readers.pop()
        interaction = self._turn(lesson, page)
        await self._wait_for(interaction.finished)
        self.discord.forget(interaction)
        self.readers.append(lesson)

    def _turn(self, lesson: Message, page: LessonPage) -> Interaction:
        return self.discord.send_custom_id(lesson.channel_id, custom_id(page, 0), lesson)

    async def _begin_match(self, channel_id: int) -> None:
        """Begin a match with a new player: the bot limits how many one person may begin."""
        user_id = next(self._new_players)
        message = await self.discord.start(user_id, channel_id, board=self._boards[channel_id])
        self._idle_players.put_nowait((user_id, message))

    async def _press_cell(self, user_id: int, message: Message, cell: str) -> None:
        interaction = self.discord.send_press(user_id, cell, message)
        started_at = time.perf_counter()
        if await self._wait_for(interaction.finished):
            self.seconds.append(time.perf_counter() - started_at)
        self.discord.forget(interaction)

    async def _wait_for(self, event: asyncio.Event) -> bool:
        """Wait for an answer of the bot; False if there is none in a minute."""
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                await event.wait()
        except TimeoutError:
            self.unanswered += 1
        return event.is_set()


@asynccontextmanager
async def running_crowd(boards: list[str], readers: int) -> AsyncIterator[tuple[Crowd, Process]]:
    """Start a bot, and yield a crowd that has joined it, and the bot's process."""
    with tempfile.TemporaryDirectory() as folder:
        async with FakeDiscord() as discord:
            bot = BotProcess.spawn(discord.url, Path(folder))
            try:
                await discord.wait_for_sessions()
                crowd = Crowd(discord)
                await crowd.join(boards, readers)
                yield crowd, Process(bot.pid)
            finally:
                await bot.kill()
            if "ERROR" in bot.log or "Traceback" in bot.log:
                print(bot.log[-2_000:])


def full_game(rng: random.Random) -> Record:
    """A game on 5x5 in which every cell is played."""
    games = (some_game(Rules(5, 5, 5), rng) for _ in range(10_000))
    return next(game for game in games if len(game.moves) == len(game.rules.cells))


async def compare(rounds: int, seconds: float) -> None:
    """Print how long moves take beside each kind of neighbour."""
    move_seconds = defaultdict[str, list[float]](list)
    unanswered = defaultdict[str, int](int)
    for _ in range(rounds):
        for neighbour in NEIGHBOURS:
            crowd = await time_moves(neighbour, seconds)
            move_seconds[neighbour] += crowd.seconds
            unanswered[neighbour] += crowd.unanswered
    print(f"{'5x5 moves beside':18}{'p50 ms':>10}{'p99 ms':>10}{'most ms':>10}{'unanswered':>12}")
    p99_alone = quantiles(move_seconds["nobody"], n=100)[98]
    for neighbour, samples in move_seconds.items():
        percentiles = quantiles(samples, n=100)
        p50, p99 = percentiles[49], percentiles[98]
        print(
            f"{neighbour:18}{1000 * p50:10.1f}{1000 * p99:10.1f}{1000 * max(samples):10.1f}"
            f"{unanswered[neighbour]:12}   p99 {p99 / p99_alone:.2f} of that beside nobody"
        )


async def time_moves(neighbour: str, seconds: float) -> Crowd:
    """Have players move beside a neighbour; the crowd has the times."""
    async with running_crowd(["5x5x4"] * PLAYERS, READERS) as (crowd, _process):
        await repeat(crowd.move, WARM_UP_MOVES, concurrency=2)
        crowd.seconds.clear()
        game = full_game(crowd.rng)
        reviews = cycle(ReviewPage(game, ply) for ply in range(len(game.moves) + 1))
        readers = cycle(crowd.readers)

        async def step_through_review() -> None:
            await crowd.turn_page(crowd.readers[0], next(reviews))

        async def turn_page() -> None:
            await crowd.turn_page(next(readers), some_page(crowd.rng))

        work = [repeat_at_rate(crowd.move, MOVES_PER_SECOND, seconds)]
        if neighbour == "a flood":
            work.append(repeat_at_rate(step_through_review, STEPS_PER_SECOND, seconds))
        elif neighbour == "readers":
            work.append(repeat_at_rate(turn_page, READERS, seconds))
        await asyncio.gather(*work)
    return crowd


async def watch_memory(parts: int) -> None:
    """Print the memory of the bot and its processes, in parts of a busy hour."""
    boards = ["3x3x3"] * PLAYERS + [rules.name for rules in SHAPES] * 4
    async with running_crowd(boards, READERS) as (crowd, process):

        async def read_page() -> None:
            await crowd.read(some_page(crowd.rng))

        print(f"{'part of an hour':18}{'bot MB':>10}{'moves MB':>10}{'lessons MB':>12}")
        for part in range(parts + 1):
            processes = [process, *process.workers()]
            megabytes = "".join(f"{each.megabytes():10.1f}" for each in processes)
            print(f"{part / parts:18.2f}{megabytes}", flush=True)
            await asyncio.gather(
                repeat(crowd.move, MOVES_PER_HOUR // parts, _CONCURRENCY),
                repeat(read_page, LESSONS_PER_HOUR // parts, _CONCURRENCY),
            )
        print(f"unanswered: {crowd.unanswered}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="all of which are counted")
    parser.add_argument("--seconds", type=float, default=30, help="for each way to be bothered")
    parser.add_argument("--memory", action="store_true", help="an hour's worth, and what is held")
    parser.add_argument("--parts", type=int, default=6, help="of the hour, with figures after each")
    options = parser.parse_args()
    if options.memory:
        asyncio.run(watch_memory(options.parts))
    else:
        asyncio.run(compare(options.rounds, options.seconds))


if __name__ == "__main__":
    main()

"""The container image, tried: built, started as hosts do, played in, and told to stop.

    python -m tests.image

builds it with Docker or Podman, where one of them answers. Elsewhere it goes through the Dockerfile
itself: its steps in their order, in a clean folder, with this machine's Python for the image's; and
what comes of it is started as a user who may write to the volume alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.bot.fake_discord import FakeDiscord

ROOT = Path(__file__).parents[1]
NOBODY = 10001
PLACES = ("/velha", "/data")
"""What the Dockerfile writes to: by hand, folders of these names in the clean one."""

_NAME = "velha-tried"
_START = """
import runpy, sys
sys.path.insert(0, {folder!r})
from discord_address import use_discord_at
use_discord_at({url!r})
sys.argv = ["bot"]
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""
_WRITE = "import pathlib; pathlib.Path({path!r}).write_text('x')"

_OF_RUNNING = {"FROM", "LABEL", "USER", "WORKDIR", "VOLUME", "ENTRYPOINT", "CMD"}

Command = list[str]
Run = Callable[[str], Awaitable[bool]]
"""Whether a command of the bot's succeeds beside the stopped bot, with its data."""


@dataclass(frozen=True)
class Tree:
    """The image by hand: a folder, and what its Dockerfile says of how it is run."""

    root: Path
    environment: dict[str, str]
    health: Command

    @property
    def python(self) -> str:
        return f"{self.root}/velha/.venv/bin/python"

    async def start(self, *arguments: str, quiet: bool = False) -> Process:
        """Have its Python do something, in its data, as its user."""
        user = NOBODY if os.geteuid() == 0 else None
        return await asyncio.create_subprocess_exec(
            self.python,
            *arguments,
            cwd=self.root / "data",
            env=self.environment | {"DISCORD_TOKEN": "the-token"},
            user=user,
            group=user,
            extra_groups=None if user is None else [],
            stderr=DEVNULL if quiet else None,
        )

    async def does(self, *arguments: str) -> bool:
        """Whether that succeeds."""
        return await (await self.start(*arguments, quiet=True)).wait() == 0


def instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def python() -> str:
    """A Python that whoever the bot runs as may run: one of root's own may be in root's home."""
    system = "/usr/bin/python3"
    return system if os.geteuid() == 0 and Path(system).exists() else sys.executable


def build_by_hand(root: Path) -> Tree:
    """Do what the Dockerfile says, with its places within a folder."""
    environment, health = dict[str, str](), Command()

    def placed(text: str) -> str:
        for place in PLACES:
            text = text.replace(place, f"{root}{place}")
        return text

    for instruction, given in instructions():
        print(f"  {instruction} {given}", flush=True)
        if instruction == "COPY":
            source, target = placed(given).split()
            copy(ROOT / source, Path(target))
        elif instruction == "RUN":
            command = placed(given).replace("python -m venv", f"{python()} -m venv")
            if os.geteuid() != 0:
                command = command.replace(f"-o {NOBODY} -g {NOBODY}", "")
            subprocess.run(["/bin/sh", "-euc", command], check=True)
        elif instruction == "ENV":
            environment = dict(each.split("=", 1) for each in shlex.split(placed(given)))
        elif instruction == "HEALTHCHECK":
            health = json.loads(given.partition("CMD ")[2])
        else:
            assert instruction in _OF_RUNNING, instruction
    environment["PATH"] = environment["PATH"].replace("$PATH", os.environ["PATH"])
    return Tree(root, environment, health[1:])


def copy(source: Path, target: Path) -> None:
    """As the builder does: without what .dockerignore leaves out."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target.mkdir(exist_ok=True)
        shutil.copy(source, target)


async def play(discord: FakeDiscord) -> None:
    """A move on 3x3, and one that a process of its own thinks about."""
    for channel, board, cell in ((1000, None, "B2"), (1001, "5x5x4", "C3")):
        message = await discord.start(11, channel, board=board)
        await discord.press(11, cell, message)
        assert cell not in discord.newest(channel).labels
        print(f"  played {cell} on {board or '3x3'}")


async def go_back(run: Run, change: Callable[[bytes], object]) -> None:
    """Back to a copy of a broken database, and to an older release and forward again."""
    for _ in range(2):
        assert await run("backup"), "it works every time"
    change(b"no database " * 1000)
    assert not await run("backup"), "of a broken database there is no copy"
    assert await run("restore NEWEST"), "the copy takes its place"
    assert await run("downgrade 1.0.0")
    assert await run("restore NEWEST")
    assert await run("copy sqlite:///velha.db sqlite:///moved.db")
    print("  backed up, broken, restored, taken back to 1.0.0, restored, copied")


def newest(data: Path) -> str:
    return f"backups/{max(path.name for path in (data / 'backups').iterdir())}"


def engine() -> str | None:
    """A container engine that answers."""
    for name in ("docker", "podman"):
        if shutil.which(name):
            done = subprocess.run([name, "info"], capture_output=True, check=False)
            if done.returncode == 0:
                return name
    return None


async def until(is_well: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await is_well():
            await asyncio.sleep(0.5)
    print("  python -m bot health: well")


async def try_by_hand(discord: FakeDiscord) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        tree = build_by_hand(root)
        for place in ("velha/bot/x", "velha/.venv/x"):
            may_write = await tree.does("-c", _WRITE.format(path=f"{root}/{place}"))
            assert not may_write or os.geteuid() != 0, f"{place} could be written"
        shutil.copy(ROOT / "tests" / "bot" / "discord_address.py", root)
        bot = await tree.start("-c", _START.format(folder=name, url=discord.url))
        try:
            await discord.wait_for_sessions()
            await play(discord)
            await until(lambda: tree.does(*tree.health))
            bot.terminate()
            async with asyncio.timeout(5):
                assert await bot.wait() == 0
        finally:
            with suppress(ProcessLookupError):
                bot.kill()
        data = root / "data"
        kept = sorted(path.name for path in data.iterdir())
        assert kept == ["velha.db"], kept
        print("  stopped by SIGTERM within five seconds, with nothing but its database left")

        async def run(command: str) -> bool:
            arguments = command.replace("NEWEST", newest(data) if "NEWEST" in command else "")
            return await tree.does("-m", "bot", *arguments.split())

        await go_back(run, (data / "velha.db").write_bytes)


async def try_with(engine: str, discord: FakeDiscord) -> None:
    form = ["--format", "docker"] if engine == "podman" else []  # Podman's own has no health check
    subprocess.run([engine, "build", *form, "--tag", _NAME, str(ROOT)], check=True)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copy(ROOT / "tests" / "bot" / "discord_address.py", folder)
        start = _START.format(folder="/given", url=discord.url)
        command = [engine, "run", "--rm", "--name", _NAME, "--network", "host", "--read-only"]
        data = Path(folder) / "data"
        data.mkdir()
        os.chown(data, NOBODY, NOBODY)
        command += ["--tmpfs", "/tmp", "--cap-drop", "ALL", "--volume", f"{folder}:/given:ro"]
        command += ["--volume", f"{data}:/data", "--env", "DISCORD_TOKEN=the-token"]
        play_there = [*command, "--entrypoint", "python", _NAME, "-c", start]
        bot = await asyncio.create_subprocess_exec(*play_there)
        try:
            await discord.wait_for_sessions()
            await play(discord)
            await until(lambda: does(engine, "exec", _NAME, "python", "-m", "bot", "health"))
            assert await does(engine, "stop", "-t", "5", _NAME)
            assert await bot.wait() == 0

            async def run(given: str) -> bool:
                arguments = given.replace("NEWEST", newest(data) if "NEWEST" in given else "")
                return await does(*command, _NAME, *arguments.split())

            await go_back(run, (data / "velha.db").write_bytes)
        finally:
            await does(engine, "rm", "--force", _NAME)


async def does(*command: str) -> bool:
    return await (await asyncio.create_subprocess_exec(*command)).wait() == 0


async def main() -> None:
    async with FakeDiscord() as discord:
        found = engine()
        print(f"With {found}:" if found else "No container engine answers, so by hand:")
        await (try_with(found, discord) if found else try_by_hand(discord))


if __name__ == "__main__":
    asyncio.run(main())

"""Test the container image: build it, start it as hosts do, play in it, and stop it.

    python -m tests.tools.image

builds the image with Docker or Podman. Where neither answers and has the base image, or can pull
it, it carries out the Dockerfile's steps itself, in a temporary folder and with this machine's
Python, and runs the result as a user who may write to the volume alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
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

ROOT = Path(__file__).parents[2]
USER_ID = 10001
"""The user that the Dockerfile creates."""
FOLDERS = ("/velha", "/data")
"""The folders that the Dockerfile writes to; without a container, they are in a temporary one."""

_IMAGE = "velha-tried"
_RUN_BOT = """
import runpy, sys
sys.path.insert(0, {folder!r})
from discord_address import use_discord_at
use_discord_at({url!r})
sys.argv = ["bot"]
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""
_WRITE_FILE = "import pathlib; pathlib.Path({path!r}).write_text('x')"
_DISCORD_ADDRESS = ROOT / "tests" / "bot" / "discord_address.py"

_IGNORED_INSTRUCTIONS = {"FROM", "LABEL", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
"""Those that a build without a container does not need."""

_OF_THE_BASE = re.compile(r"--from=|pip uninstall")
"""What is done to the base image, in whose place is this machine."""

RunCommand = Callable[[str], Awaitable[bool]]
"""Runs a command of the bot, such as "backup", on the data of the stopped bot.

Returns whether it succeeded. NEWEST in the command stands for the newest backup.
"""


async def main() -> None:
    async with FakeDiscord() as discord:
        engine = find_container_engine()
        if engine:
            print(f"With {engine}:")
            await check_with_engine(engine, discord)
        else:
            print("No container engine has the base image, so by hand:")
            await check_without_engine(discord)


def find_container_engine() -> str | None:
    """The first engine that answers and can pull the base image; None if there is none."""
    bases = re.findall(r"^FROM (\S+@\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    commands = [["info"], *(["pull", base] for base in bases)]
    for name in ("docker", "podman"):
        if shutil.which(name) and all(_succeeds(name, *command) for command in commands):
            return name
    return None


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


async def check_with_engine(engine: str, discord: FakeDiscord) -> None:
    # Podman's own image format has no health check.
    image_format = ["--format", "docker"] if engine == "podman" else []
    subprocess.run([engine, "build", *image_format, "--tag", _IMAGE, str(ROOT)], check=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copy(_DISCORD_ADDRESS, folder)
        data = folder / "data"
        data.mkdir()
        os.chown(data, USER_ID, USER_ID)
        container = [engine, "run", "--rm", "--name", _IMAGE, "--network", "host", "--read-only"]
        container += ["--tmpfs", "/tmp", "--cap-drop", "ALL", "--volume", f"{folder}:/tests:ro"]
        container += ["--volume", f"{data}:/data", "--env", "DISCORD_TOKEN=the-token"]
        code = _RUN_BOT.format(folder="/tests", url=discord.url)

        async def run_command(command: str) -> bool:
            return await succeeds(*container, _IMAGE, *arguments_of(command, data))

        try:
            bot = await asyncio.create_subprocess_exec(
                *container, "--entrypoint", "python", _IMAGE, "-c", code
            )
            await discord.wait_for_sessions()
            await play(discord)
            await wait_until_healthy(
                lambda: succeeds(engine, "exec", _IMAGE, "python", "-m", "bot", "health")
            )
            assert await succeeds(engine, "stop", "-t", "5", _IMAGE)
            assert await bot.wait() == 0
            await check_recovery(run_command, data / "velha.db")
        finally:
            await succeeds(engine, "rm", "--force", _IMAGE)


async def check_without_engine(discord: FakeDiscord) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        build = build_without_engine(root)
        await check_read_only(build)
        shutil.copy(_DISCORD_ADDRESS, root)
        bot = await build.start("-c", _RUN_BOT.format(folder=name, url=discord.url))
        try:
            await discord.wait_for_sessions()
            await play(discord)
            await wait_until_healthy(lambda: build.succeeds(*build.health_check))
            bot.terminate()
            async with asyncio.timeout(5):
                assert await bot.wait() == 0
        finally:
            with suppress(ProcessLookupError):
                bot.kill()
        files = sorted(path.name for path in build.data.iterdir())
        assert files == ["velha.db"], files
        print("  stopped by SIGTERM within five seconds, with nothing but its database left")

        async def run_command(command: str) -> bool:
            return await build.succeeds("-m", "bot", *arguments_of(command, build.data))

        await check_recovery(run_command, build.data / "velha.db")


async def check_read_only(build: Build) -> None:
    """Check that the bot cannot change its own code."""
    if os.geteuid() != 0:  # then everything is the current user's
        return
    for path in ("velha/bot/x", "velha/.venv/x"):
        code = _WRITE_FILE.format(path=f"{build.root}/{path}")
        assert not await build.succeeds("-c", code), f"{path} could be written"


async def play(discord: FakeDiscord) -> None:
    """Play a move on 3x3, and one on 5x5, which the bot answers from a worker process."""
    for channel_id, board, cell in ((1000, None, "B2"), (1001, "5x5x4", "C3")):
        message = await discord.start(11, channel_id, board=board)
        await discord.press(11, cell, message)
        assert cell not in discord.newest(channel_id).labels
        print(f"  played {cell} on {board or '3x3'}")


async def wait_until_healthy(is_healthy: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await is_healthy():
            await asyncio.sleep(0.5)
    print("  python -m bot health: well")


async def check_recovery(run_command: RunCommand, database: Path) -> None:
    """Restore a damaged database, and copy it."""
    for _ in range(2):
        assert await run_command("backup"), "it works every time"
    database.write_bytes(b"no database " * 1000)
    assert not await run_command("backup"), "of a broken database there is no copy"
    assert await run_command("restore NEWEST"), "the copy takes its place"
    assert await run_command("copy sqlite:///velha.db sqlite:///moved.db")
    print("  backed up, broken, restored, copied")


def arguments_of(command: str, data: Path) -> list[str]:
    if "NEWEST" in command:
        newest = max(path.name for path in (data / "backups").iterdir())
        command = command.replace("NEWEST", f"backups/{newest}")
    return command.split()


async def succeeds(*command: str) -> bool:
    process = await asyncio.create_subprocess_exec(*command)
    return await process.wait() == 0


@dataclass(frozen=True)
class Build:
    """What a build without a container engine leaves in a folder."""

    root: Path
    environment: dict[str, str]
    health_check: list[str]
    """Arguments for the image's Python."""

    @property
    def data(self) -> Path:
        return self.root / "data"

    async def start(self, *arguments: str, is_quiet: bool = False) -> Process:
        """Start the image's Python in its data folder, as its user."""
        user_id = USER_ID if os.geteuid() == 0 else None
        return await asyncio.create_subprocess_exec(
            f"{self.root}/velha/.venv/bin/python",
            *arguments,
            cwd=self.data,
            env=self.environment | {"DISCORD_TOKEN": "the-token"},
            user=user_id,
            group=user_id,
            extra_groups=None if user_id is None else [],
            stderr=DEVNULL if is_quiet else None,
        )

    async def succeeds(self, *arguments: str) -> bool:
        process = await self.start(*arguments, is_quiet=True)
        return await process.wait() == 0


def build_without_engine(root: Path) -> Build:
    """Carry out the Dockerfile, with its folders within `root`."""
    environment: dict[str, str] = {}
    health_check: list[str] = []

    def relocate(text: str) -> str:
        for folder in FOLDERS:
            text = text.replace(folder, f"{root}{folder}")
        return text

    for instruction, argument in dockerfile_instructions():
        if _OF_THE_BASE.search(argument):
            continue
        print(f"  {instruction} {argument}", flush=True)
        if instruction == "COPY":
            source, target = relocate(argument).split()
            copy(ROOT / source, Path(target))
        elif instruction == "RUN":
            run_step(relocate(argument))
        elif instruction == "ENV":
            environment = dict(pair.split("=", 1) for pair in shlex.split(relocate(argument)))
        elif instruction == "HEALTHCHECK":
            _python, *health_check = json.loads(argument.partition("CMD ")[2])
        else:
            assert instruction in _IGNORED_INSTRUCTIONS, instruction
    environment["PATH"] = environment["PATH"].replace("$PATH", os.environ["PATH"])
    return Build(root, environment, health_check)


def dockerfile_instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each with its argument."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def run_step(command: str) -> None:
    command = command.replace("python -m venv", f"{system_python()} -m venv")
    command = command.replace("python -m pip", f"{sys.executable} -m pip")
    if os.geteuid() != 0:
        command = command.replace(f"-o {USER_ID} -g {USER_ID}", "")
    subprocess.run(["/bin/sh", "-euc", command], check=True)


def system_python() -> str:
    """A Python that the image's user may run: root's own may be in root's home folder."""
    system = "/usr/bin/python3"
    return system if os.geteuid() == 0 and Path(system).exists() else sys.executable


def copy(source: Path, target: Path) -> None:
    """Copy a file into a folder, or a folder, without the caches that .dockerignore excludes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target.mkdir(exist_ok=True)
        shutil.copy(source, target)


if __name__ == "__main__":
    asyncio.run(main())

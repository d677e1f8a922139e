"""Write what this release leaves behind: its databases, its messages, and a copy.

    make released

plays an evening in a simulated server, and writes a folder in tests/bot/released, named by the
release. `tests.bot.test_released` has every release to come read it. It needs `pg_dump`, and a
PostgreSQL named by TEST_DATABASE_URL.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

import discord
import simcord
from simcord.actors import MemberActor
from simcord.results import ResponseMessage
from sqlalchemy import URL, func, select

from bot import __version__
from bot.client.bot import VelhaBot
from bot.client.routes import PAGES, parse_page
from bot.config import Config, parse_url
from bot.domain.match_actions import MatchAction, Press
from bot.domain.mistakes import MistakeStep
from bot.domain.pages import INERT_PREFIX, Shortcut
from bot.domain.privacy import PrivacyAction
from bot.domain.settings import Tab
from bot.messaging.emojis import IMAGES
from bot.ops.backups import copy_to_file
from bot.ops.database_copy import copy
from bot.playground.simcord_patches import World, set_clock_at_start
from bot.store.database import create_engine
from bot.store.processes import record_seen
from bot.store.schema import metadata
from bot.store.store import Store
from engine import Board, advise
from tests.bot.databases import SERVER_VARIABLE, call, empty_database
from tests.bot.simulated_guild import PATIENT_LIMITS, SeenMessage, SimulatedGuild
from tests.bot.workers import KeptWorker

FOLDER = Path(__file__).parents[1] / "bot" / "released"
SQLITE, POSTGRESQL, MESSAGES, COPY = "sqlite.sql", "postgresql.sql", "messages.json", "copy.gz"

_BEGINS_AT = datetime(2026, 1, 2, 23, 20, tzinfo=UTC)
"""Shortly before a puzzle is posted, on a day whose puzzle is on 3x3."""

_OF_SESSION = re.compile(r"--|SET |SELECT pg_catalog|CREATE SCHEMA|\\|$")
"""How lines of a PostgreSQL dump begin that say nothing of tables and rows."""

_BUTTON = 2

Component = dict[str, Any]


def release() -> str:
    """The release that this becomes."""
    return __version__.partition(".dev")[0]


def components_of(message: Any) -> Iterator[Component]:
    """All components within a message or another component that have a custom_id."""
    for component in message.get("components", []):
        yield from components_of(component)
        if "custom_id" in component:
            yield component


def kind_of(custom_id: str) -> str:
    """What a custom_id stands for, without the match, the cell or the day."""
    if custom_id.startswith(INERT_PREFIX):
        return "still"
    if press := Press.parse(custom_id):
        return f"press {press.action.value}"
    page = parse_page(custom_id)
    assert page is not None, custom_id
    choice = next(iter(str(page).split(":")[1:]), "") if _is_choice(page) else ""
    return f"{page.kind} {choice}".strip()


def _is_choice(page: Any) -> bool:
    """Whether the first field says what the page does."""
    return isinstance(getattr(page, next(iter(page.__slots__), "kind")), Enum)


def all_kinds() -> set[str]:
    """What a message of each kind has to have."""
    choices: Sequence[tuple[str, type[Enum]]] = (
        ("press", MatchAction),
        ("privacy", PrivacyAction),
        ("mistake", MistakeStep),
        ("settings", Tab),
        ("shortcut", Shortcut),
    )
    chosen = {f"{kind} {each.value}" for kind, members in choices for each in members}
    with_choice = {kind for kind, _members in choices} | {"ranking"}
    return chosen | {page.kind for page in PAGES if page.kind not in with_choice} | {"still"}


@dataclass
class Evening:
    """What people do in a server, and a message of each kind that they see."""

    guild: SimulatedGuild
    seen: list[dict[str, Any]] = field(default_factory=list)

    async def do(self, who: MemberActor, action: Awaitable[object]) -> None:
        """Have somebody do something, and keep each message with what no other had."""
        await action
        known = {kind for message in self.seen for kind in message["kinds"]}
        for is_private in (True, False):
            for message in self.guild.messages(ephemeral=is_private)[-3:]:
                kinds = {kind_of(each["custom_id"]) for each in components_of(message.payload)}
                if kinds - known:
                    self.seen.append(
                        {
                            "id": str(message.id),
                            "seen_by": who.name if is_private else None,
                            "kinds": sorted(kinds),
                            "presses": list(map(_press, components_of(message.payload))),
                        }
                    )
                    known |= kinds

    async def types(self, who: MemberActor, command: str, **options: Any) -> None:
        await self.do(who, who.slash(self.guild.channel, f"velha {command}", **options))

    async def presses(self, who: MemberActor, *labels: str) -> None:
        """Press buttons in the channel, each on the newest message that has it."""
        for label in labels:
            message = _with_button(label, self.guild.messages())
            await self.do(who, self.guild.press(who, label, message))

    async def presses_alone(self, who: MemberActor, *labels: str) -> None:
        """Press buttons on the pages of one's own."""
        for label in labels:
            message = _with_button(label, self.guild.messages(ephemeral=True))
            await self.do(who, self.guild.press(who, label, message))

    async def chooses(self, who: MemberActor, custom_id: str, value: Any) -> None:
        """Choose from the select of one's newest page whose custom_id has a text in it."""
        page = self.guild.page()
        [menu] = [
            each["custom_id"]
            for each in components_of(page.payload)
            if custom_id in each["custom_id"]
        ]
        backend = self.guild.env.backend
        stored = ResponseMessage(self.guild.env, backend.get_message(page.channel_id, page.id))
        await self.do(who, who.select(stored, [value], custom_id=menu))

    async def later(self, minutes: float = 2) -> None:
        """Let time pass; people may open five boards or lessons a minute."""
        await self.guild.env.advance_time(minutes * 60)


def _press(component: Component) -> Component:
    """The data of a press on a component, which chooses the last option of a select."""
    pressed = {"custom_id": component["custom_id"], "component_type": component["type"]}
    if "options" in component:
        pressed["values"] = [component["options"][-1]["value"]]
    elif component["type"] != _BUTTON:
        pressed["values"] = []  # such as of channels, of which one may choose none
    return pressed


def _with_button(label: str, messages: Sequence[SeenMessage]) -> SeenMessage:
    found = [message for message in messages if label in message.buttons]
    assert found, f"no message has {label!r}; the newest has {messages[-1].labels}"
    return found[-1]


async def play(evening: Evening) -> None:
    """Have people see each kind of message, and leave rows in each table."""
    guild = evening.guild
    ana, ben, rui = guild.ana, guild.ben, guild.rui
    guild.world.locales.clear()
    owners = guild.handle.create_role("Owners", permissions=discord.Permissions(manage_guild=True))
    guild.env.backend.get_guild(guild.handle.id).members[rui.id].role_ids.append(owners.id)

    await play_the_bot(evening, ana)
    await play_each_other(evening, ana, ben, rui)
    await choose(evening, ana, rui)
    await wait_for_midnight(evening, ben, rui)


async def play_the_bot(evening: Evening, ana: MemberActor) -> None:
    await evening.types(ana, "help")
    await evening.presses_alone(ana, "Play")
    await evening.presses(ana, "B2", "As text", "Hint")
    await evening.presses_alone(ana, "Why?")
    await evening.types(ana, "start")
    await evening.presses(ana, "Resign")
    await evening.presses_alone(ana, "Resign")
    await evening.later()
    await evening.types(ana, "start", level="CHILD")
    await win(evening, ana)
    await evening.presses(ana, "Review")
    await evening.later()
    await evening.types(ana, "start")
    await evening.presses(ana, "B2", "Resign")
    await evening.presses_alone(ana, "Resign")


async def play_each_other(
    evening: Evening, ana: MemberActor, ben: MemberActor, rui: MemberActor
) -> None:
    guild = evening.guild
    await evening.later()
    await evening.types(ben, "start", opponent=ana)
    await evening.types(ben, "start", opponent=ana)
    await evening.presses(ana, "Decline")
    await evening.types(ben, "start", opponent=ana)
    await evening.presses(ana, "Accept")
    await guild.play((ben, "A1"), (ana, "C3"), (ben, "C1"), (ana, "B1"), (ben, "A3"))
    await guild.play((ana, "B2"), (ben, "A2"))
    await evening.presses(ana, "Review")
    await evening.presses_alone(ana, "More", "Back to the review")
    await evening.presses_alone(ana, "Try again", "Back to the review")
    await evening.later()
    await evening.presses_alone(ana, "More", "Ask everyone")
    await evening.presses(rui, "B2")
    await evening.types(ana, "stats")
    await evening.presses_alone(ana, "Show everyone", "My latest matches", "My mistakes")
    await evening.presses_alone(ana, "Show me")
    await evening.types(ana, "ranking")
    await evening.types(ana, "learn")
    await evening.later()

    await evening.types(ana, "puzzle")
    await evening.presses_alone(ana, "Today's puzzle", "A2", "B3", "Show me how", "Practice")


async def choose(evening: Evening, ana: MemberActor, rui: MemberActor) -> None:
    await evening.types(ana, "privacy")
    await evening.presses_alone(ana, "Hide me", "No challenges", "Remind me", "Delete…")
    await evening.types(rui, "privacy")
    await evening.presses_alone(rui, "Delete server data…")
    await evening.types(rui, "settings")
    await evening.presses_alone(rui, "Puzzle and ranking")
    await evening.chooses(rui, "puzzle_hour", "0")
    await evening.chooses(rui, "puzzle_channel", evening.guild.channel)


async def wait_for_midnight(evening: Evening, ben: MemberActor, rui: MemberActor) -> None:
    guild = evening.guild
    await evening.later(20)
    await evening.presses(ben, "Solve")

    await evening.types(ben, "start", opponent=rui)
    await evening.presses(rui, "Accept")
    await guild.play((ben, "B2"), (rui, "A1"))
    await evening.presses(ben, "Remind me")
    other = guild.handle.create_text_channel("outro")
    await evening.do(ben, ben.slash(other, "velha start"))
    await evening.later(1.5)


async def win(evening: Evening, who: MemberActor) -> None:
    """Win the match against the bot's weakest level, which begins with the person's move."""
    while evening.guild.is_live():
        best, *_ = advise(Board.parse(evening.guild.board()))
        await evening.presses(who, best.board.rules.coordinate(best.action))


async def simulate(folder: Path) -> dict[str, Any]:
    """Play the evening on a SQLite file in a folder; return the messages."""
    settings = Config.from_env({"DISCORD_TOKEN": "t", "TURN_MINUTES": "30"})
    settings = replace(settings, database_url=sqlite_in(folder))
    Store.open(settings.database_url).close()
    world = World()
    with world.patch_simcord():
        bot = VelhaBot(settings, random.Random(1), PATIENT_LIMITS, KeptWorker)
        env = simcord.Env(bot, shard_count=1, settle_timeout=300)
        env.backend.advance_clock((_BEGINS_AT - env.now()).total_seconds())
        for name in IMAGES:
            env.backend.create_application_emoji(name)
        set_clock_at_start(bot)
        await env.start()
        evening = Evening(SimulatedGuild(env, world, settings, bot))
        await play(evening)
        guild = evening.guild
        people = (guild.ana, guild.ben, guild.rui)
        ids = {who.name: who.id for who in people} | {
            "guild": guild.handle.id,
            "channel": guild.channel.id,
            "bot": env.backend.bot_user.id,
        }
        found = {
            "at": env.now().isoformat(),
            "ids": {name: str(number) for name, number in ids.items()},
            "messages": evening.seen,
        }
        store = Store.at(settings.database_url)
        call(store, record_seen, "host:1")
        store.close()
        await guild.close()
    kinds = {kind for message in evening.seen for kind in message["kinds"]}
    assert kinds >= all_kinds(), f"nobody saw these: {all_kinds() - kinds}"
    return found


def sqlite_in(folder: Path) -> URL:
    return parse_url(f"sqlite:///{(folder / 'velha.db').as_posix()}")


def check_every_table_has_rows(database: URL) -> None:
    engine = create_engine(database)
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            count = connection.execute(select(func.count()).select_from(table)).scalar_one()
            assert count, f"nothing is in {table.name}"
    engine.dispose()


def dump_sqlite(file: Path) -> str:
    with closing(sqlite3.connect(file)) as database:
        return "\n".join(database.iterdump()) + "\n"


def dump_postgresql(sqlite: URL) -> str:
    """The same rows in PostgreSQL, dumped without the name of a schema."""
    with empty_database("postgresql", Path()) as text:
        copy(sqlite, parse_url(text))
        store = Store.at(parse_url(text))
        call(store, record_seen, "host:1")
        store.close()
        [schema] = re.findall(r"search_path%?3?D?=?(velha_\w+)", text)
        options = ["--no-owner", "--no-privileges", "--column-inserts", f"--schema={schema}"]
        server = os.environ[SERVER_VARIABLE]
        dumped = subprocess.run(
            [pg_dump(), *options, server], capture_output=True, check=True, text=True
        ).stdout
    lines = [line for line in dumped.splitlines() if not _OF_SESSION.match(line)]
    return "\n".join(lines).replace(f"{schema}.", "") + "\n"


def pg_dump() -> str:
    """The path of pg_dump; empty if there is none."""
    return shutil.which("pg_dump") or ""


def main() -> int:
    if not os.environ.get(SERVER_VARIABLE) or not pg_dump():
        print(f"This needs a PostgreSQL, named by {SERVER_VARIABLE}, and pg_dump.")
        return 2
    target = FOLDER / release()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        messages = asyncio.run(simulate(folder))
        sqlite = sqlite_in(folder)
        check_every_table_has_rows(sqlite)
        copy_to_file(sqlite, folder / "copy.db")
        target.mkdir(parents=True, exist_ok=True)
        (target / SQLITE).write_text(dump_sqlite(folder / "velha.db"), encoding="utf-8")
        (target / POSTGRESQL).write_text(dump_postgresql(sqlite), encoding="utf-8")
        packed = gzip.compress((folder / "copy.db").read_bytes(), mtime=0)
        (target / COPY).write_bytes(packed)
    (target / MESSAGES).write_text(f"{json.dumps(messages, indent=1)}\n", encoding="utf-8")
    print(f"{target} is written anew: read its diff before you commit it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

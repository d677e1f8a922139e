"""What any release has left behind works with this one: its databases, its messages, its copies."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor
from sqlalchemy import URL, MetaData, create_engine, select

from bot.__main__ import main
from bot.config import parse_url
from bot.ops.database_copy import replace_rows, snapshot_of, transaction_on
from bot.store.store import Store
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild
from tests.tools.released import COPY, FOLDER, MESSAGES, POSTGRESQL, SQLITE

RELEASES = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
ON_EACH_RELEASE = pytest.mark.parametrize("release", RELEASES)

_TEXT = 10
_COMPONENTS_V2 = 1 << 15
_BY_OTHERS = {"alembic_version", "processes"}
"""Tables that are not copied."""

Rows = dict[str, list[dict[str, object]]]


def text_of(release: str, name: str) -> str:
    return (FOLDER / release / name).read_text(encoding="utf-8")


def write_database(url: URL, release: str) -> None:
    """Make a database as a release left it."""
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(url.database))) as database:
            database.executescript(text_of(release, SQLITE))
        return
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in text_of(release, POSTGRESQL).split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()


def rows_of(url: URL) -> Rows:
    """The rows of all tables that there are, whichever these are."""
    engine, tables = create_engine(url), MetaData()
    with engine.connect() as connection:
        tables.reflect(connection)
        rows = {
            table.name: sorted(map(dict, connection.execute(select(table)).mappings()), key=str)
            for table in tables.sorted_tables
        }
    engine.dispose()
    return rows


def check_nothing_is_lost(before: Rows, after: Rows) -> None:
    """Check that every row is there; columns that are new are empty."""
    assert all(before.values()), "a table without rows would show nothing"
    for table in before.keys() - _BY_OTHERS:
        for row, now in zip(before[table], after[table], strict=True):
            assert {name: now[name] for name in row} == row
            assert {value for name, value in now.items() if name not in row} <= {None}


@ON_EACH_RELEASE
def test_its_database_is_brought_up_to_date_and_loses_nothing(empty_url: URL, release: str) -> None:
    write_database(empty_url, release)
    before = rows_of(empty_url)
    Store.open(empty_url).close()
    check_nothing_is_lost(before, rows_of(empty_url))


@ON_EACH_RELEASE
def test_its_copies_can_be_restored(
    database_url: str, here: Path, monkeypatch: pytest.MonkeyPatch, release: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    (here / "copy.db").write_bytes(gzip.decompress((FOLDER / release / COPY).read_bytes()))
    written = parse_url(f"sqlite:///{(here / 'written.db').as_posix()}")
    write_database(written, release)
    assert main(["restore", "copy.db", "--without-copy"]) == 0
    check_nothing_is_lost(rows_of(written), rows_of(parse_url(database_url)))


# Its messages


@pytest.fixture
def evening(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The messages of a release, when they were seen, and the ids in them."""
    found: dict[str, Any] = json.loads(text_of(request.node.callspec.params["release"], MESSAGES))
    return found


@pytest.fixture
def starts_at(evening: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(evening["at"])


@ON_EACH_RELEASE
async def test_every_button_and_select_of_its_messages_is_answered(
    guild: SimulatedGuild, evening: dict[str, Any], release: str, tmp_path: Path
) -> None:
    """Each message is pressed on the database as the release left it, in its people's place."""
    guild.stop_background_tasks()
    guild.world.locales.clear()  # what is refused is told apart by its English sentence
    people = {who.name: who for who in (guild.ana, guild.ben, guild.rui)}
    ids = {who.name: who.id for who in people.values()}
    ids |= {"guild": guild.handle.id, "channel": guild.channel.id}
    new_ids = {evening["ids"][name]: str(number) for name, number in ids.items()}
    await guild.ana.slash(guild.channel, "velha help")
    page = guild.page()
    refused = []
    for number, message in enumerate(evening["messages"]):
        shown = page if message["seen_by"] else post(guild)
        renamed = new_ids | {message["id"]: str(shown.id)}
        put_rows(guild, rename(text_of(release, SQLITE), renamed), tmp_path / f"{number}.db")
        who = people[message["seen_by"] or "ana"]
        for press in json.loads(rename(json.dumps(message["presses"]), renamed)):
            said = [text async for text in press_and_read(guild, who, press, shown)]
            if any("This button no longer works" in text for text in said):
                refused.append(press["custom_id"])
    assert refused == []


def rename(text: str, ids: dict[str, str]) -> str:
    """A text with other ids."""
    for old, new in ids.items():
        text = text.replace(old, new)
    return text


def post(guild: SimulatedGuild) -> SeenMessage:
    """A message of the bot's in the channel, to be pressed."""
    backend = guild.env.backend
    components = [{"type": _TEXT, "content": "-"}]
    backend.create_message(
        guild.channel.id, backend.bot_user.id, components=components, flags=_COMPONENTS_V2
    )
    return guild.messages()[-1]


def put_rows(guild: SimulatedGuild, dump: str, file: Path) -> None:
    """Have the running bot's database hold what a dump has, brought up to date."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(dump)
    url = parse_url(f"sqlite:///{file.as_posix()}")
    Store.open(url).close()
    with snapshot_of(url) as source, transaction_on(guild.settings.database_url) as target:
        replace_rows(source, target)


async def press_and_read(
    guild: SimulatedGuild, who: MemberActor, press: dict[str, Any], shown: SeenMessage
) -> Any:
    result = await guild.send_component(who, press, shown)
    assert result.acknowledged, press
    for answer in (result.response, *result.followups):
        if answer is not None:
            yield f"{answer.content} {json.dumps(answer.components)}"

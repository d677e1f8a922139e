"""The bot itself: how it leaves."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import discord
import pytest
from sqlalchemy import Engine, event

from tests.bot.simulated_guild import SimulatedGuild


async def test_the_log_has_a_link_that_invites_the_bot_with_what_it_needs(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await guild.restart()
    (link,) = re.findall(r"Invite me: (\S+)", caplog.text)
    permissions = discord.Permissions(
        view_channel=True, send_messages=True, send_messages_in_threads=True
    )
    assert parse_qs(urlsplit(link).query) == {
        "client_id": [str(guild.bots[-1].application_id)],
        "scope": ["bot applications.commands"],
        "permissions": [str(permissions.value)],
    }


@pytest.fixture
def go_on() -> Iterator[threading.Event]:
    """Changes are stored only once this is set."""
    go_on = threading.Event()

    def hold(_connection: object, _cursor: object, sql: str, *_more: object) -> None:
        if sql.startswith("UPDATE matches SET version"):
            go_on.wait()

    event.listen(Engine, "before_cursor_execute", hold)
    yield go_on
    event.remove(Engine, "before_cursor_execute", hold)


async def test_closing_waits_for_answers_under_way_and_answers_no_other_press(
    guild: SimulatedGuild, go_on: threading.Event
) -> None:
    """Its button can be pressed again when the next process is there: the gateway keeps it."""
    go_on.set()
    await guild.challenge()
    go_on.clear()
    guild.send_press(guild.ana, "C3")
    while not guild.bots[-1].frame.tasks:  # noqa: ASYNC110 - the loop turns until it has begun
        await asyncio.sleep(0)
    closing = asyncio.create_task(guild.bots[-1].close())
    await asyncio.sleep(0.2)
    assert not closing.done()
    late = guild.send_press(guild.rui, "A1")  # a refusal, which takes no time
    go_on.set()
    await closing
    assert not late.responded
    assert guild.board() == "... ... ..x"

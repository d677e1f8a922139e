"""Abuse: odd names, forged buttons, modified clients."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from engine import Record
from tests.bot.simulated_guild import TURN_MINUTES, SeenMessage, SimulatedGuild, private_text

NAMES = [
    "@everyone **bold** ||secret|| `code` <@1> {x} [link](https://a.b)\n# title",
    "\u202eevil\u200f\u2066",
    "😀" * 32,
]
RUBBISH = ["", "x" * 100, "\u202e😀\n\0" * 25, "velha:" + "9" * 94, "velha:ID:0:play:4" + " " * 64]
OTHER_RELEASES = [
    "velha:ID",
    "velha:ID:0:play",
    "velha:ID:0:undo",
    "velha:ID:0:play:4:x",
    "v:ID:0",
    "ttt:cell:3",
]
NEARLY_OURS = [" velha:ID:0:play:4", "velha:ID:0:PLAY:4", "velha:ID:0:play:٤", "velha:-ID:0:play:4"]
TOO_LARGE = ["velha:ID:0:play:100", "velha:ID:1234567890:play:4", f"velha:{2**63}:0:resign"]
SENTENCE = "I don't know one of those options"


Sent = list[tuple[str, dict[str, Any]]]
"""Messages, each with the method by which it was sent: POST answers, PATCH edits."""


async def play_whole_match(guild: SimulatedGuild) -> Sent:
    """What the bot sends when a match, its rematch and all that can go wrong with them happen."""
    await guild.start(guild.ana, opponent=guild.ben)
    await guild.rui.slash(guild.channel, "velha board")
    await guild.press(guild.ben, "Accept")
    await guild.play((guild.rui, "A1"), (guild.ana, "A1"), (guild.ana, "B2"), (guild.ben, "B2"))
    await guild.resign(guild.ana)
    await guild.play((guild.ana, "Rematch"), (guild.ben, "Rematch"), (guild.ben, "C3"))
    await guild.start(guild.rui)
    await guild.stop(guild.rui)
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    await guild.advance_time(minutes=TURN_MINUTES)
    await guild.start(guild.ben, opponent=guild.ana)
    await guild.advance_time(minutes=5)
    bodies = [(request.method, request.json or {}) for request in guild.env.http_requests]
    shown = [(method, body.get("data", body)) for method, body in bodies if isinstance(body, dict)]
    return [(method, body) for method, body in shown if {"content", "components"} & body.keys()]


def call(guild: SimulatedGuild, who: MemberActor, name: str) -> None:
    user = guild.env.backend.users[who.id]
    user.name = user.global_name = name
    guild.env.backend.get_guild(guild.handle.id).members[who.id].nick = name


async def test_the_cooldown_is_shared_by_commands_and_buttons(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    await guild.play((guild.ana, "B2"), (guild.ana, "Resign"))
    limited: dict[str, dict[str, str]] = {
        "start": {},
        "board": {},
        "review": {},
        "replay": {"code": Record(moves=(4, 0)).code},
        "puzzle": {},
        "learn": {},
    }
    for _ in range(4):
        await guild.ana.slash(guild.channel, "velha board")
    for name, options in limited.items():
        refused = private_text(await guild.ana.slash(guild.channel, f"velha {name}", **options))
        assert "muita coisa de uma vez" in refused, name
    assert "muita coisa de uma vez" in private_text(await guild.press(guild.ana, "Rematch"))
    assert not guild.is_live()
    for name in ("stop", "settings", "help"):
        said = private_text(await guild.ana.slash(guild.channel, f"velha {name}"))
        assert "muita coisa de uma vez" not in said, name


async def test_messages_hold_no_names_and_ping_only_who_is_challenged(
    guild: SimulatedGuild,
) -> None:
    for who, name in zip((guild.ana, guild.ben, guild.rui), NAMES, strict=True):
        call(guild, who, name)
    sent = await play_whole_match(guild)
    assert len(sent) > 20
    assert not any(word in str(sent) for word in ("secret", "evil", "😀"))
    asked = [body["allowed_mentions"] for method, body in sent if method == "POST"]
    assert all(mentions["parse"] == [] for mentions in asked)
    assert not any(mentions.get("roles") or mentions.get("replied_user") for mentions in asked)
    pinged = [user_id for mentions in asked for user_id in mentions.get("users", [])]
    assert pinged == [guild.ben.id, guild.ben.id, guild.ana.id], "three challenges, three pings"
    edits = [body for method, body in sent if method == "PATCH"]
    assert len(edits) >= 4
    assert all(edit.get("allowed_mentions") == {"parse": []} for edit in edits)


def everything(guild: SimulatedGuild) -> tuple[list[tuple[Any, ...]], list[SeenMessage]]:
    """What is stored, and what everybody sees in every channel."""
    with closing(sqlite3.connect(guild.settings.database_url.database or "")) as database:
        stored = database.execute("SELECT * FROM matches ORDER BY id").fetchall()
    return stored, [seen for one in guild.handle.channels.values() for seen in guild.messages(one)]


async def test_a_forged_button_is_refused_and_changes_nothing(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    match_id = guild.newest().buttons["B2"]["custom_id"].split(":")[1]
    before = everything(guild)
    for custom_id in (*RUBBISH, *OTHER_RELEASES, *NEARLY_OURS, *TOO_LARGE):
        result = await guild.press_forged(guild.ana, custom_id.replace("ID", match_id))
        assert private_text(result).startswith("Este botão não funciona mais.")
    assert everything(guild) == before


# Modified clients


NOT_OFFERED: list[dict[str, Any]] = [
    *({"board": name} for name in ("6x6x5", "26x2x3", "300x300x9", "3x3", "axbxc", "", 5)),
    *({"level": name} for name in ("X", "child")),
    {"first": "zzz"},
    {"opponent": "me"},
]


async def test_an_option_that_is_not_offered_is_refused_and_opens_nothing(
    guild: SimulatedGuild,
) -> None:
    for number, options in enumerate(NOT_OFFERED):
        who = guild.handle.add_member(guild.env.create_user(f"m{number}"))
        record = guild.send_command(who, "start", **options)
        await guild.env.settle()
        assert SENTENCE in private_text(InteractionResult(guild.env, record)), options
    assert not guild.is_live()
    record = guild.send_command(guild.ben, "start", board="3x3x3", no_such_option="x")
    await guild.env.settle()
    assert InteractionResult(guild.env, record).acknowledged


async def test_a_level_that_is_not_offered_is_not_stored(guild: SimulatedGuild) -> None:
    owner = guild.handle.add_member(guild.env.create_user("owner"))
    guild.env.backend.get_guild(guild.handle.id).owner_id = owner.id
    record = guild.send_command(owner, "settings", level="impossible")
    await guild.env.settle()
    assert SENTENCE in private_text(InteractionResult(guild.env, record))


async def test_a_command_that_no_longer_exists_is_answered(guild: SimulatedGuild) -> None:
    record = guild.send_command(guild.ben, "dance")
    await guild.env.settle()
    assert SENTENCE in private_text(InteractionResult(guild.env, record))


async def fail(_interaction: discord.Interaction[Any]) -> None:
    raise ValueError("what nobody foresaw")


@pytest.mark.logs_errors
async def test_a_command_that_fails_before_it_has_a_reply_is_answered_and_logged(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    group = guild.bots[-1].tree.get_command("velha")
    assert isinstance(group, app_commands.Group)
    group.add_command(app_commands.Command(name="dance", description="...", callback=fail))
    record = guild.send_command(guild.ben, "dance")
    await guild.env.settle()
    assert "Something went wrong" in private_text(InteractionResult(guild.env, record))
    assert "what nobody foresaw" in caplog.text


@pytest.mark.logs_errors
async def test_a_stored_board_that_no_message_can_show_harms_nothing_else(
    guild: SimulatedGuild,
) -> None:
    """A newer release may have stored it: whoever comes by frees the channel."""
    other = guild.handle.create_text_channel("outro")
    await guild.start(guild.ana, channel=other)
    await guild.start(guild.ben)
    guild.sql("UPDATE matches SET rules = '300x300x9' WHERE channel_id = :id", id=str(other.id))
    await guild.press(guild.ben, "B2")
    assert guild.board().count("o") == 1
    await guild.advance_time(minutes=TURN_MINUTES)
    assert "doesn't count" in guild.text()
    assert not guild.is_live(other)
    await guild.start(guild.ana, channel=other)
    assert guild.is_live(other)

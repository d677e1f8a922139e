"""Abuse: odd names, forged buttons, modified clients."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.domain.match_actions import MatchAction, Press
from engine import Record
from tests.bot.simulated_guild import TURN_MINUTES, SeenMessage, SimulatedGuild, private_text

NAMES = [
    "@everyone **bold** ||spoiler|| `code` <@1> {x} [link](https://a.b)\n# title",
    "\u202eevil\u200f\u2066",
    "😀" * 32,
]
RUBBISH = ["", "x" * 100, "\u202e😀\n\0" * 25, "velha:" + "9" * 94, "velha:ID:0:play:4" + " " * 64]
OTHER_RELEASES = ["velha:ID", "velha:ID:0:play", "velha:ID:0:undo", "velha:ID:0:play:4:x", "v:ID:0"]
NEARLY_OURS = [" velha:ID:0:play:4", "velha:ID:0:PLAY:4", "velha:ID:0:play:٤", "velha:-ID:0:play:4"]
TOO_LARGE = ["velha:ID:0:play:100", "velha:ID:1234567890:play:4", f"velha:{2**63}:0:resign"]
SENTENCE = "I don't recognise one of those options"


async def play_whole_match(guild: SimulatedGuild) -> list[dict[str, Any]]:
    """What the bot sends when a match, its rematch and all that can go wrong with them happen."""
    before = len(guild.requests())
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
    return [body for _, body in messages_sent(guild, before)]


def messages_sent(guild: SimulatedGuild, before: int = 0) -> list[tuple[str, dict[str, Any]]]:
    """The messages the bot had Discord show, each with the method: POST answers, PATCH edits."""
    bodies = [(request.method, request.json or {}) for request in guild.env.http_requests[before:]]
    shown = [(method, body.get("data", body)) for method, body in bodies if isinstance(body, dict)]
    return [(method, body) for method, body in shown if {"content", "components"} & body.keys()]


def call(guild: SimulatedGuild, who: MemberActor, name: str) -> None:
    user = guild.env.backend.users[who.id]
    user.name = user.global_name = name
    guild.env.backend.get_guild(guild.handle.id).members[who.id].nick = name


async def test_messages_hold_no_names(guild: SimulatedGuild) -> None:
    await play_whole_match(guild)  # from then on the board says how the two stand
    plain = await play_whole_match(guild)
    for who, name in zip((guild.ana, guild.ben, guild.rui), NAMES, strict=True):
        call(guild, who, name)
    strange = await play_whole_match(guild)
    assert mask_numbers(strange) == mask_numbers(plain)
    assert len(plain) > 20
    assert not any(name in text for text in strings_in(strange) for name in NAMES)


def mask_numbers(sent: list[dict[str, Any]]) -> str:
    """Without what differs from match to match: ids, times and scores, people's ids apart."""
    return re.sub(
        r"(?<!@)\d{10,}|\d+(?=–)|(?<=–)\d+", "#", json.dumps(sent, indent=1, ensure_ascii=False)
    )


def strings_in(value: Any) -> list[str]:
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return [text for part in parts for text in strings_in(part)]
    return [value] if isinstance(value, str) else []


async def test_only_the_challenged_player_is_pinged_once_and_by_no_edit(
    guild: SimulatedGuild,
) -> None:
    await play_whole_match(guild)
    allowed = [
        body["allowed_mentions"] for method, body in messages_sent(guild) if method == "POST"
    ]
    assert all(mentions["parse"] == [] for mentions in allowed)
    assert not any(mentions.get("roles") or mentions.get("replied_user") for mentions in allowed)
    pinged = [user_id for mentions in allowed for user_id in mentions.get("users", [])]
    assert pinged == [guild.ben.id, guild.ben.id, guild.ana.id], "three challenges, three pings"
    edits = [body for method, body in messages_sent(guild) if method == "PATCH"]
    assert len(edits) >= 4
    assert all(edit.get("allowed_mentions") == {"parse": []} for edit in edits)


def pings(guild: SimulatedGuild, before: int = 0) -> list[int]:
    sent = [body for method, body in messages_sent(guild, before) if method == "POST"]
    return [user_id for body in sent for user_id in body["allowed_mentions"].get("users", [])]


async def test_a_player_who_accepted_meanwhile_is_pinged_again(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, opponent=guild.ben)
    await guild.press(guild.ana, "Cancel")
    await guild.start(guild.ben, opponent=guild.ana)
    await guild.press(guild.ana, "Accept")
    await guild.resign(guild.ana)
    await guild.challenge()
    assert pings(guild) == [guild.ben.id, guild.ana.id, guild.ben.id]


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
        assert "Calma!" in refused, name
    assert "Calma!" in private_text(await guild.press(guild.ana, "Rematch"))
    assert not guild.is_live()
    for name in ("stop", "settings", "help"):
        said = private_text(await guild.ana.slash(guild.channel, f"velha {name}"))
        assert "Calma!" not in said, name


async def test_many_starts_cause_a_cooldown_of_a_minute(guild: SimulatedGuild) -> None:
    for _ in range(5):
        await guild.start(guild.ana, opponent=guild.ben)
        await guild.press(guild.ana, "Cancel")
    sixth = await guild.start(guild.ana, opponent=guild.ben)
    assert private_text(sixth) == "Calma! Tente de novo daqui a um minuto."
    assert "Calma!" in private_text(await guild.ana.slash(guild.channel, "velha board"))
    await guild.start(guild.ben)
    assert guild.board() == "... ... ...", "nobody else is slowed down"
    await guild.resign(guild.ben)
    await guild.env.advance_time(61)
    await guild.start(guild.ana)
    assert guild.board() == "... ... ..."


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


async def test_a_version_from_the_future_is_out_of_date(guild: SimulatedGuild) -> None:
    await guild.challenge()
    match_id = int(guild.newest().buttons["B2"]["custom_id"].split(":")[1])
    before = everything(guild)
    for action in set(MatchAction) - {MatchAction.DESCRIBE, MatchAction.REMIND}:
        cell = 4 if action is MatchAction.PLAY else None
        press = Press(match_id, guild.version() + 1, action, cell)
        refused = await guild.press_forged(guild.ana, str(press))
        assert "desatualizado" in private_text(refused), action
    assert everything(guild) == before


@pytest.mark.parametrize("is_newer", [True, False])
async def test_a_match_of_another_channel_is_unknown_here(
    guild: SimulatedGuild, *, is_newer: bool
) -> None:
    """The message pressed may be newer than that match's own, or older."""
    other = guild.handle.create_text_channel("outro")
    for channel in (other, guild.channel) if is_newer else (guild.channel, other):
        await guild.start(guild.ana, channel=channel)
    before = everything(guild)
    for label in ("B2", "Hint"):
        custom_id = guild.newest(other).buttons[label]["custom_id"]
        refused = await guild.press_forged(guild.ana, custom_id)
        assert "Não conheço esta partida" in private_text(refused)
    assert everything(guild) == before


async def test_a_press_in_another_channel_does_not_end_an_overdue_match(
    guild: SimulatedGuild,
) -> None:
    other = guild.handle.create_text_channel("outro")
    await guild.start(guild.ana, channel=other)
    guild.stop_background_tasks()
    guild.env.backend.advance_clock(TURN_MINUTES * 60)
    await guild.start(guild.ana)
    before = everything(guild)
    custom_id = guild.newest(other).buttons["B2"]["custom_id"]
    assert "Não conheço esta partida" in private_text(
        await guild.press_forged(guild.ana, custom_id)
    )
    assert everything(guild) == before


async def test_a_forged_newer_message_does_not_bring_back_a_finished_match(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana)
    first = guild.newest().buttons["B2"]["custom_id"]
    await guild.play((guild.ana, "B2"), (guild.ana, "Resign"))
    cell, rematch = (guild.newest().buttons[name]["custom_id"] for name in ("A3", "Rematch"))
    await guild.start(guild.ana)
    before = everything(guild)
    for custom_id, sentence in (
        (cell, "já acabou"),
        (rematch, "já tem uma partida"),
        (first, "já acabou"),
    ):
        assert sentence in private_text(await guild.press_forged(guild.ana, custom_id))
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
    for level in ("GODLIKE", "", "impossible"):
        record = guild.send_command(owner, "settings", level=level)
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
@pytest.mark.parametrize("rules", ["6x6x5", "300x300x9"])
async def test_a_stored_board_that_no_message_can_show_harms_nothing_else(
    guild: SimulatedGuild, rules: str
) -> None:
    """An older release stored them: whoever comes by frees the channel."""
    other = guild.handle.create_text_channel("outro")
    await guild.start(guild.ana, channel=other)
    await guild.start(guild.ben)
    guild.sql(
        f"UPDATE matches SET rules = '{rules}' WHERE channel_id = {other.id}"  # noqa: S608 - ours
    )
    await guild.press(guild.ben, "B2")
    assert guild.board().count("o") == 1
    await guild.advance_time(minutes=TURN_MINUTES)
    assert "doesn't count" in guild.text()
    assert not guild.is_live(other)
    await guild.start(guild.ana, channel=other)
    assert guild.is_live(other)

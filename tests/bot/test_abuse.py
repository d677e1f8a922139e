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
from tests.bot.house import TURN_MINUTES, Seen, SimulatedGuild, told

NAMES = [
    "@everyone **bold** ||spoiler|| `code` <@1> {x} [link](https://a.b)\n# title",
    "\u202eevil\u200f\u2066",
    "😀" * 32,
]
RUBBISH = ["", "x" * 100, "\u202e😀\n\0" * 25, "velha:" + "9" * 94, "velha:ID:0:play:4" + " " * 64]
OTHER_RELEASES = ["velha:ID", "velha:ID:0:play", "velha:ID:0:undo", "velha:ID:0:play:4:x", "v:ID:0"]
NEARLY_OURS = [" velha:ID:0:play:4", "velha:ID:0:PLAY:4", "velha:ID:0:play:٤", "velha:-ID:0:play:4"]
TOO_LARGE = ["velha:ID:0:play:100", "velha:ID:1234567890:play:4", f"velha:{2**63}:0:resign"]
SENTENCE = "I don't know one of those options"


async def a_whole_match(house: SimulatedGuild) -> list[dict[str, Any]]:
    """What the bot sends when a match, its rematch and all that can go wrong with them happen."""
    before = len(house.requests())
    await house.start(house.ana, opponent=house.ben)
    await house.rui.slash(house.channel, "velha board")
    await house.press(house.ben, "Accept")
    await house.play((house.rui, "A1"), (house.ana, "A1"), (house.ana, "B2"), (house.ben, "B2"))
    await house.resign(house.ana)
    await house.play((house.ana, "Rematch"), (house.ben, "Rematch"), (house.ben, "C3"))
    await house.start(house.rui)
    await house.rui.slash(house.channel, "velha stop")
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "B2"))
    await house.let_pass(minutes=TURN_MINUTES)
    await house.start(house.ben, opponent=house.ana)
    await house.let_pass(minutes=5)
    return [body for _, body in messages_sent(house, before)]


def messages_sent(house: SimulatedGuild, before: int = 0) -> list[tuple[str, dict[str, Any]]]:
    """The messages the bot had Discord show, each with the method: POST answers, PATCH edits."""
    bodies = [(request.method, request.json or {}) for request in house.env.http_requests[before:]]
    shown = [(method, body.get("data", body)) for method, body in bodies if isinstance(body, dict)]
    return [(method, body) for method, body in shown if {"content", "components"} & body.keys()]


def call(house: SimulatedGuild, who: MemberActor, name: str) -> None:
    user = house.env.backend.users[who.id]
    user.name = user.global_name = name
    house.env.backend.get_guild(house.guild.id).members[who.id].nick = name


async def test_messages_hold_no_names(house: SimulatedGuild) -> None:
    await a_whole_match(house)  # from then on the board says how the two stand
    plain = await a_whole_match(house)
    for who, name in zip((house.ana, house.ben, house.rui), NAMES, strict=True):
        call(house, who, name)
    strange = await a_whole_match(house)
    assert but_for_numbers(strange) == but_for_numbers(plain)
    assert len(plain) > 20
    assert not any(name in text for text in strings_in(strange) for name in NAMES)


def but_for_numbers(sent: list[dict[str, Any]]) -> str:
    """Without what differs from match to match: ids, times and scores, people's ids apart."""
    return re.sub(
        r"(?<!@)\d{10,}|\d+ (?=×)|(?<=×) \d+", "#", json.dumps(sent, indent=1, ensure_ascii=False)
    )


def strings_in(value: Any) -> list[str]:
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return [text for part in parts for text in strings_in(part)]
    return [value] if isinstance(value, str) else []


async def test_only_the_challenged_player_is_pinged_once_and_by_no_edit(
    house: SimulatedGuild,
) -> None:
    await a_whole_match(house)
    allowed = [
        body["allowed_mentions"] for method, body in messages_sent(house) if method == "POST"
    ]
    assert all(mentions["parse"] == [] for mentions in allowed)
    assert not any(mentions.get("roles") or mentions.get("replied_user") for mentions in allowed)
    pinged = [user_id for mentions in allowed for user_id in mentions.get("users", [])]
    assert pinged == [house.ben.id, house.ben.id, house.ana.id], "three challenges, three pings"
    edits = [body for method, body in messages_sent(house) if method == "PATCH"]
    assert len(edits) >= 4
    assert all(edit.get("allowed_mentions") == {"parse": []} for edit in edits)


def pings(house: SimulatedGuild, before: int = 0) -> list[int]:
    sent = [body for method, body in messages_sent(house, before) if method == "POST"]
    return [user_id for body in sent for user_id in body["allowed_mentions"].get("users", [])]


async def test_a_player_who_accepted_meanwhile_is_pinged_again(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.press(house.ana, "Cancel")
    await house.start(house.ben, opponent=house.ana)
    await house.press(house.ana, "Accept")
    await house.resign(house.ana)
    await house.challenge()
    assert pings(house) == [house.ben.id, house.ana.id, house.ben.id]


async def test_the_cooldown_is_shared_by_commands_and_buttons(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    await house.play((house.ana, "B2"), (house.ana, "Resign"))
    limited: dict[str, dict[str, str]] = {
        "start": {},
        "board": {},
        "review": {},
        "replay": {"code": Record(moves=(4, 0)).code},
        "puzzle": {},
        "learn": {},
    }
    for _ in range(4):
        await house.ana.slash(house.channel, "velha board")
    for name, options in limited.items():
        refused = told(await house.ana.slash(house.channel, f"velha {name}", **options))
        assert "Calma!" in refused, name
    assert "Calma!" in told(await house.press(house.ana, "Rematch"))
    assert not house.is_live()
    for name in ("stop", "settings", "help"):
        said = told(await house.ana.slash(house.channel, f"velha {name}"))
        assert "Calma!" not in said, name


async def test_many_starts_cause_a_cooldown_that_says_for_how_long(
    house: SimulatedGuild,
) -> None:
    until = int(house.env.now().timestamp()) + 60
    for _ in range(5):
        await house.start(house.ana, opponent=house.ben)
        await house.press(house.ana, "Cancel")
    sixth = await house.start(house.ana, opponent=house.ben)
    assert told(sixth) == f"Calma! Você pode fazer isso de novo <t:{until}:R>."
    assert "Calma!" in told(await house.ana.slash(house.channel, "velha board"))
    await house.start(house.ben)
    assert house.board() == "... ... ...", "nobody else is slowed down"
    await house.resign(house.ben)
    await house.env.advance_time(61)
    await house.start(house.ana)
    assert house.board() == "... ... ..."


def everything(house: SimulatedGuild) -> tuple[list[tuple[Any, ...]], list[Seen]]:
    """What is stored, and what everybody sees in every channel."""
    with closing(sqlite3.connect(house.settings.database_url.database or "")) as database:
        stored = database.execute("SELECT * FROM matches ORDER BY id").fetchall()
    return stored, [
        seen for one in house.guild.channels.values() for seen in house.everything_seen(one)
    ]


@pytest.mark.parametrize("forged", [RUBBISH, OTHER_RELEASES, NEARLY_OURS, TOO_LARGE])
async def test_a_forged_button_is_refused_and_changes_nothing(
    house: SimulatedGuild, forged: list[str]
) -> None:
    await house.start(house.ana)
    match_id = house.seen().buttons["B2"]["custom_id"].split(":")[1]
    before = everything(house)
    for custom_id in forged:
        result = await house.press_forged(house.ana, custom_id.replace("ID", match_id))
        assert told(result).startswith("Este botão não funciona mais.")
    assert everything(house) == before


@pytest.mark.parametrize("action", MatchAction)
async def test_a_version_from_the_future_is_out_of_date(
    house: SimulatedGuild, action: MatchAction
) -> None:
    await house.challenge()
    match_id = int(house.seen().buttons["B2"]["custom_id"].split(":")[1])
    before = everything(house)
    press = Press(match_id, house.version() + 1, action, 4 if action is MatchAction.PLAY else None)
    assert "desatualizado" in told(await house.press_forged(house.ana, str(press)))
    assert everything(house) == before


@pytest.mark.parametrize("is_newer", [True, False])
@pytest.mark.parametrize("label", ["B2", "Resign"])
async def test_a_match_of_another_channel_is_unknown_here(
    house: SimulatedGuild, label: str, *, is_newer: bool
) -> None:
    """The message pressed may be newer than that match's own, or older."""
    other = house.guild.create_text_channel("outro")
    for channel in (other, house.channel) if is_newer else (house.channel, other):
        await house.start(house.ana, channel=channel)
    before = everything(house)
    custom_id = house.seen(other).buttons[label]["custom_id"]
    assert "Não conheço esta partida" in told(await house.press_forged(house.ana, custom_id))
    assert everything(house) == before


async def test_a_press_in_another_channel_does_not_end_an_overdue_match(
    house: SimulatedGuild,
) -> None:
    other = house.guild.create_text_channel("outro")
    await house.start(house.ana, channel=other)
    house.stop_sweeping()
    house.env.backend.advance_clock(TURN_MINUTES * 60)
    await house.start(house.ana)
    before = everything(house)
    custom_id = house.seen(other).buttons["B2"]["custom_id"]
    assert "Não conheço esta partida" in told(await house.press_forged(house.ana, custom_id))
    assert everything(house) == before


@pytest.mark.parametrize(
    ("label", "sentence"), [("A3", "já acabou"), ("Rematch", "já tem uma partida")]
)
async def test_a_forged_newer_message_does_not_bring_back_a_finished_match(
    house: SimulatedGuild, label: str, sentence: str
) -> None:
    await house.start(house.ana)
    first = house.seen().buttons["B2"]["custom_id"]
    await house.play((house.ana, "B2"), (house.ana, "Resign"))
    custom_id = house.seen().buttons[label]["custom_id"]
    await house.start(house.ana)
    before = everything(house)
    assert sentence in told(await house.press_forged(house.ana, custom_id))
    assert "já acabou" in told(await house.press_forged(house.ana, first))
    assert everything(house) == before


# Modified clients


@pytest.mark.parametrize(
    "options",
    [
        {"board": "6x6x5"},
        {"board": "26x2x3"},
        {"board": "99x99x9"},
        {"board": "300x300x9"},
        {"board": "3x3"},
        {"board": "axbxc"},
        {"board": ""},
        {"board": 5},
        {"level": "X"},
        {"level": "child"},
        {"first": "zzz"},
        {"opponent": "me"},
        {"board": "3x3x3", "no_such_option": "x"},
    ],
)
async def test_an_option_that_is_not_offered_is_refused_and_opens_nothing(
    house: SimulatedGuild, options: dict[str, Any]
) -> None:
    record = house.send_command(house.ben, "start", **options)
    await house.env.settle()
    if "no_such_option" not in options:
        assert SENTENCE in told(InteractionResult(house.env, record))
        assert not house.is_live()
    assert InteractionResult(house.env, record).acknowledged


async def test_a_level_that_is_not_offered_is_not_stored(house: SimulatedGuild) -> None:
    owner = house.guild.add_member(house.env.create_user("owner"))
    house.env.backend.get_guild(house.guild.id).owner_id = owner.id
    for level in ("GODLIKE", "", "impossible"):
        record = house.send_command(owner, "settings", level=level)
        await house.env.settle()
        assert SENTENCE in told(InteractionResult(house.env, record))


async def test_a_command_that_no_longer_exists_is_answered(house: SimulatedGuild) -> None:
    record = house.send_command(house.ben, "dance")
    await house.env.settle()
    assert SENTENCE in told(InteractionResult(house.env, record))


async def fail(_interaction: discord.Interaction[Any]) -> None:
    raise ValueError("what nobody foresaw")


@pytest.mark.logs_errors
async def test_a_command_that_fails_before_it_has_a_reply_is_answered_and_logged(
    house: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    group = house.bots[-1].tree.get_command("velha")
    assert isinstance(group, app_commands.Group)
    group.add_command(app_commands.Command(name="dance", description="...", callback=fail))
    record = house.send_command(house.ben, "dance")
    await house.env.settle()
    assert "Something went wrong" in told(InteractionResult(house.env, record))
    assert "what nobody foresaw" in caplog.text


@pytest.mark.logs_errors
@pytest.mark.parametrize("rules", ["6x6x5", "26x2x3", "99x99x9", "300x300x9"])
async def test_a_stored_board_that_no_message_can_show_harms_nothing_else(
    house: SimulatedGuild, rules: str
) -> None:
    """An older release stored them: whoever comes by frees the channel."""
    other = house.guild.create_text_channel("outro")
    await house.start(house.ana, channel=other)
    await house.start(house.ben)
    house.sql(
        f"UPDATE matches SET rules = '{rules}' WHERE channel_id = {other.id}"  # noqa: S608 - ours
    )
    await house.press(house.ben, "B2")
    assert house.board().count("o") == 1
    await house.let_pass(minutes=TURN_MINUTES)
    assert "called off" in house.text()
    assert not house.is_live(other)
    await house.start(house.ana, channel=other)
    assert house.is_live(other)

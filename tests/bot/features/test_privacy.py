"""Privacy: what is kept about people, their choices, and what they download."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
from sqlalchemy import text

from bot.domain.matches import Match, Place, Player
from bot.domain.privacy import PrivacyAction, PrivacyPage
from bot.domain.refusals import RefusalReason, Refused
from bot.features import privacy
from bot.features.privacy import export_file
from bot.store.matches import MATCH_BATCH_SIZE
from engine import INFINITE, Level
from tests.bot.backend import App, match_request
from tests.bot.contexts import context
from tests.bot.databases import both_databases, save_choices, sqlite_with_tables, stored_text
from tests.bot.example_matches import ANA, BEN, RUI, SERVER, VELHA, make_bot_match, make_match, over
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.simulated_guild import SimulatedGuild
from tests.bot.views.examples import text_of

EVE = 777_777_777


async def ask(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha privacy")


async def test_a_deleted_person_is_named_on_no_board_and_in_no_table(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    await ask(guild)
    before = stored_text(guild.settings.database_url)
    await guild.press(guild.ben, "Delete…", guild.page())
    assert stored_text(guild.settings.database_url) == before, "it takes two presses"
    await guild.press(guild.ben, "Delete", guild.page())
    await guild.advance_time(minutes=1)
    board = guild.newest()
    assert "A player left the game, so this match doesn't count." in board.text
    assert f"❌ {guild.ana.mention}  vs  ⭕ someone" in board.text
    assert board.labels == ["Review"]
    assert str(guild.ben.id) not in stored_text(guild.settings.database_url)
    await guild.start(guild.ben)
    assert guild.ben.mention in guild.text(), "and may play again"


# Servers


async def test_a_manager_can_delete_the_server_s_data(guild: SimulatedGuild) -> None:
    everyone = guild.env.backend.get_guild(guild.handle.id).everyone_role
    everyone.permissions |= discord.Permissions(manage_guild=True).value
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    await ask(guild)
    await guild.press(guild.ben, "Delete server data…", guild.page())
    assert "Delete this server's data?" in guild.page().text
    await guild.press(guild.ben, "Delete", guild.page())
    assert guild.page().text.startswith("Done. ")
    assert "A moderator ended the match" in guild.text()
    await guild.advance_time(minutes=1)
    kept = stored_text(guild.settings.database_url)
    assert not any(str(its) in kept for its in (guild.handle.id, guild.channel.id))
    assert str(guild.ana.id) in kept, "whose match it was stays"


# What the page says of the host


async def test_it_says_for_how_long_the_host_keeps_matches(tmp_path: Path) -> None:
    app = App(sqlite_with_tables(tmp_path), keep=timedelta(days=30))
    assert "- **For 30 days**: your matches" in await press(app, PrivacyAction.SHOW)
    await app.close()


async def test_it_links_to_the_host_s_policy(guild: SimulatedGuild) -> None:
    about = guild.bots[-1].application
    assert about is not None
    await ask(guild)
    assert "Privacy policy" not in guild.page().text
    about.privacy_policy_url = "https://a.example"
    await ask(guild)
    assert guild.page().text.endswith("\n-# [Privacy policy](https://a.example)")


# Choices, and whose they are


async def press(app: App, action: PrivacyAction, **who: Any) -> str:
    """Press a button of the page; the page that it leads to."""
    view = await privacy.press(context(app.backend.runtime, **who), PrivacyPage(action))
    assert view is not None
    return text_of(view)


@pytest.mark.parametrize(
    ("action", "says", "undo"),
    [
        (PrivacyAction.REFUSE_CHALLENGES, "Nobody can challenge", PrivacyAction.TAKE_CHALLENGES),
        (PrivacyAction.HIDE, "Only you see your results", PrivacyAction.UNHIDE),
        (PrivacyAction.REMIND, "I ping you when", PrivacyAction.REMIND_NO_MORE),
    ],
)
async def test_a_button_changes_a_choice_of_whoever_presses_it(
    app: App, action: PrivacyAction, says: str, undo: PrivacyAction
) -> None:
    before = await press(app, PrivacyAction.SHOW)
    assert says not in before
    assert says in await press(app, action)
    assert says in await press(app, PrivacyAction.SHOW)
    assert await press(app, PrivacyAction.SHOW, user_id=BEN) == before, "as it was for Ana"
    assert await press(app, undo) == before


async def test_nobody_else_can_delete_a_server_s_data(app: App) -> None:
    going = app.add(make_match("x.. .o. ..."))
    for where in (SERVER, None):
        with pytest.raises(Refused) as refused:
            await press(app, PrivacyAction.DELETE_SERVER, guild_id=where)
        assert refusal_of(refused.value) == Refusal(RefusalReason.NOT_YOURS_TO_SET)
    assert app.load(going) == going


async def test_challenges_are_refused_until_a_person_takes_them_again(app: App) -> None:
    save_choices(app.store, BEN, takes_challenges=False)
    refused = await app.matches.open(match_request(1, ANA, opponent_id=BEN))
    assert refused == Refusal(RefusalReason.NO_CHALLENGES, person_id=BEN)
    await app.open(match_request(2, BEN, opponent_id=ANA))  # they may challenge
    await app.open(match_request(3, ANA, 11))  # the bot is always there
    await app.open(match_request(4, ANA, 12, opponent_id=VELHA))
    save_choices(app.store, BEN, takes_challenges=True)
    await app.open(match_request(5, ANA, 13, opponent_id=BEN))


# The download


def finished(number: int, **changes: Any) -> Match:
    """One of many matches, each in a channel of its own, that Ana, as X, won."""
    return over(number, ended_at=None, **changes)


@both_databases
async def test_an_export_holds_all_about_one_person_and_no_other_s_id(
    app: App,
) -> None:
    app.add(finished(1, hints=2))
    app.add(make_bot_match("x.. .o. ...", Level.HARD, id=2, place=Place(10, None, "en")))
    app.add(finished(3, x=replace(finished(3).x, user_id=RUI)))
    app.add(finished(4, rules=INFINITE, moves=(4,), opened_by=BEN))
    save_choices(app.store, ANA, takes_challenges=False)
    data = await app.export(ANA)
    choices = {"takes_challenges": False, "is_hidden": False, "wants_reminders": False}
    assert data["about"] == {"user_id": ANA, **choices}
    assert [match["match"] for match in data["matches"]] == [4, 2, 1]
    assert data["matches"][2] == {
        "match": 1,
        "server": 20,
        "channel": 1_001,
        "message": 501,
        "language": "pt-BR",
        "board": "3x3x3",
        "you": "x",
        "against": "a person",
        "opened_by_you": True,
        "moves": ["A1", "A2", "B1", "B2", "C1"],
        "hints": 2,
        "trail": None,
        "turn_minutes": None,
        "ended_at": None,
        "ended": "won",
        "winner": "x",
    }
    assert data["matches"][1]["against"] == "hard"
    assert data["matches"][0]["board"] == "infinite"
    assert not data["matches"][0]["opened_by_you"]
    nobody = await app.export(RUI + 7)
    assert nobody["matches"] == []


async def test_a_long_history_is_exported_whole(app: App) -> None:
    players = {"x": Player(EVE), "o": Player(BEN)}
    app.add_all(finished(number, **players) for number in range(1, MATCH_BATCH_SIZE + 3))
    exported = await app.export(EVE)
    assert len(exported["matches"]) == MATCH_BATCH_SIZE + 2


def test_a_large_export_is_compressed() -> None:
    name, content = export_file({"matches": ["A1"] * 10})
    assert (name, json.loads(content)) == ("velha.json", {"matches": ["A1"] * 10})
    large = {"matches": ["A1"] * 200_000}
    name, content = export_file(large)
    assert (name, json.loads(gzip.decompress(content))) == ("velha.json.gz", large)
    assert len(content) < 100_000


@pytest.mark.logs_errors
async def test_finished_matches_that_cannot_be_read_are_logged_once_and_stay(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    readable = app.add(finished(1))
    app.add_all(finished(number) for number in range(2, MATCH_BATCH_SIZE + 3))
    with app.store.database.connection() as connection:
        connection.execute(text("UPDATE matches SET rules = '3x3' WHERE id > 2"))
        connection.execute(text("UPDATE matches SET moves = 'nonsense' WHERE id = 2"))
    data = await app.export(ANA)
    assert [match["match"] for match in data["matches"]] == [readable.id]
    with app.store.database.connection() as connection:
        reasons = connection.execute(text("SELECT DISTINCT ended_how FROM matches"))
        assert reasons.scalars().all() == ["won"], "a newer release may well read them"
    assert [record.getMessage().split(",")[0] for record in caplog.records] == [
        f"{MATCH_BATCH_SIZE} matches cannot be read",
        "1 matches cannot be read",
    ], "once a batch"

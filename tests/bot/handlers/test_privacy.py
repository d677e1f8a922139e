"""Privacy, as people see it: what is stored about them, their choices, their export, deletion."""

from __future__ import annotations

import json

import discord
import pytest
from sqlalchemy import create_engine

from bot.domain.privacy import PrivacyAction, PrivacyPage
from bot.store.schema import metadata
from tests.bot.simulated_guild import SimulatedGuild, private_text


async def ask(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha privacy")


def everything(guild: SimulatedGuild) -> str:
    """All that the tables hold, as text."""
    engine = create_engine(guild.settings.database_url)
    with engine.connect() as connection:
        rows = [connection.execute(table.select()).all() for table in metadata.sorted_tables]
    engine.dispose()
    return str(rows)


async def test_the_privacy_page_is_in_the_reader_s_language(guild: SimulatedGuild) -> None:
    await ask(guild)
    assert guild.page().text.startswith("## What I keep about you\n- Your matches: ")
    toggles, about_data = ["Block challenges", "Hide me", "Remind me"], ["Download", "Delete…"]
    assert guild.page().labels == [*toggles, *about_data]
    await guild.ana.slash(guild.channel, "velha privacy")
    assert guild.page().text.startswith("## O que guardo sobre você")
    toggles, about_data = ["Bloquear desafios", "Me esconder", "Me avise"], ["Baixar", "Apagar…"]
    assert guild.page().labels == [*toggles, *about_data]


async def test_an_export_is_a_file_that_nobody_else_sees(guild: SimulatedGuild) -> None:
    await guild.start(guild.ben)
    await guild.press(guild.ben, "A1")
    await ask(guild)
    result = await guild.press(guild.ben, "Download", guild.page())
    assert result.response is not None
    assert result.response.ephemeral
    (file,) = result.response.attachments
    assert file.filename == "velha.json"
    kept = json.loads(await file.read())
    assert kept["about"]["user_id"] == guild.ben.id
    assert kept["matches"][0]["moves"][0] == "A1"


async def test_a_person_who_takes_no_challenges_gets_none(
    guild: SimulatedGuild,
) -> None:
    await ask(guild)
    await guild.press(guild.ben, "Block challenges", guild.page())
    page = guild.page()
    assert "Nobody can challenge you." in page.text
    refused = await guild.start(guild.ana, opponent=guild.ben)
    assert (
        private_text(refused)
        == f"{guild.ben.mention} não aceita desafios. Jogue contra mim: `/velha start`"
    )
    await guild.press(guild.ben, "Allow challenges", page)
    await guild.challenge()
    assert "'s turn" in guild.text()


async def test_deleting_everything_takes_two_presses_and_the_first_changes_nothing(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    await ask(guild)
    before = everything(guild)
    await guild.press(guild.ben, "Delete…", guild.page())
    assert "Delete what I keep about you?" in guild.page().text
    await guild.press(guild.ben, "Keep", guild.page())
    assert guild.page().text.startswith("## What I keep about you")
    assert everything(guild) == before
    await guild.press(guild.ben, "Delete…", guild.page())
    await guild.press(guild.ben, "Delete", guild.page())
    assert guild.page().text.startswith("Done. ")
    assert guild.page().labels == []


async def test_a_deleted_person_is_named_on_no_board_and_in_no_table(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    await ask(guild)
    await guild.press(guild.ben, "Delete…", guild.page())
    await guild.press(guild.ben, "Delete", guild.page())
    await guild.advance_time(minutes=1)
    board = guild.newest()
    assert "A player left the game, so the match ended without a result." in board.text
    assert f"❌ {guild.ana.mention}  vs  ⭕ somebody" in board.text
    assert board.labels == ["Review"]
    assert str(guild.ben.id) not in everything(guild)
    await guild.press(guild.ana, "Review")
    assert "alguém" in guild.page().text
    await guild.start(guild.ben)
    assert guild.ben.mention in guild.text(), "and may play again"


async def test_a_privacy_button_is_about_the_person_who_presses_it(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    forged = f"velha:{PrivacyPage(PrivacyAction.DELETE)}:0"
    await guild.press_forged(guild.rui, forged)
    assert guild.ana.mention in guild.text()
    assert "'s turn" in guild.text()


@pytest.mark.parametrize("address", ["velha:privacy:burn:0", "velha:privacy::0"])
async def test_an_unknown_privacy_action_is_refused(guild: SimulatedGuild, address: str) -> None:
    await guild.start(guild.ana)
    assert "no longer works" in private_text(await guild.press_forged(guild.ben, address))


# Servers


def let_manage(guild: SimulatedGuild) -> None:
    """Have everybody be one who runs the server."""
    everyone = guild.env.backend.get_guild(guild.handle.id).everyone_role
    everyone.permissions |= discord.Permissions(manage_guild=True).value


async def test_a_manager_can_delete_the_server_s_data(guild: SimulatedGuild) -> None:
    let_manage(guild)
    await guild.ben.slash(guild.channel, "velha settings", level="HARD")
    await guild.challenge()
    await guild.play((guild.ana, "A1"), (guild.ben, "B2"))
    await ask(guild)
    await guild.press(guild.ben, "Forget server…", guild.page())
    assert "Forget this server?" in guild.page().text
    await guild.press(guild.ben, "Forget", guild.page())
    assert guild.page().text.startswith("Done. ")
    assert "A moderator ended the match" in guild.text()
    await guild.advance_time(minutes=1)
    kept = everything(guild)
    assert not any(str(its) in kept for its in (guild.handle.id, guild.channel.id))
    assert str(guild.ana.id) in kept, "whose match it was stays"
    await guild.start(guild.ana)
    assert "(easy)" in guild.text()


async def test_nobody_else_can_delete_the_server_s_data(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    await ask(guild)
    assert "Forget server…" not in guild.page().labels
    forged = f"velha:{PrivacyPage(PrivacyAction.DELETE_SERVER)}:0"
    said = private_text(await guild.press_forged(guild.ben, forged))
    assert "Manage Server" in said
    assert "'s turn" in guild.text()

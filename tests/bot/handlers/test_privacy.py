"""Privacy, as people see it: what is stored about them, their choices, their export, deletion."""

from __future__ import annotations

import json

import discord
import pytest
from sqlalchemy import create_engine

from bot.domain.privacy import PrivacyAction, PrivacyPage
from bot.store.schema import metadata
from tests.bot.house import SimulatedGuild, told


async def ask(house: SimulatedGuild) -> None:
    await house.ben.slash(house.channel, "velha privacy")


def everything(house: SimulatedGuild) -> str:
    """All that the tables hold, as text."""
    engine = create_engine(house.settings.database_url)
    with engine.connect() as connection:
        rows = [connection.execute(table.select()).all() for table in metadata.sorted_tables]
    engine.dispose()
    return str(rows)


async def test_the_privacy_page_is_in_the_reader_s_language(house: SimulatedGuild) -> None:
    await ask(house)
    assert house.lesson().text.startswith("## What I keep about you\n- Your matches: ")
    assert house.lesson().labels == ["Download", "Block challenges", "Hide me", "Delete…"]
    await house.ana.slash(house.channel, "velha privacy")
    assert house.lesson().text.startswith("## O que guardo sobre você")
    assert house.lesson().labels == ["Baixar", "Bloquear desafios", "Me esconder", "Apagar…"]


async def test_an_export_is_a_file_that_nobody_else_sees(house: SimulatedGuild) -> None:
    await house.start(house.ben)
    await house.press(house.ben, "A1")
    await ask(house)
    result = await house.press(house.ben, "Download", house.lesson())
    assert result.response is not None
    assert result.response.ephemeral
    (file,) = result.response.attachments
    assert file.filename == "velha.json"
    kept = json.loads(await file.read())
    assert kept["about"]["user_id"] == house.ben.id
    assert kept["matches"][0]["moves"][0] == "A1"


async def test_a_person_who_takes_no_challenges_gets_none(
    house: SimulatedGuild,
) -> None:
    await ask(house)
    await house.press(house.ben, "Block challenges", house.lesson())
    page = house.lesson()
    assert "Nobody can challenge you." in page.text
    refused = await house.start(house.ana, opponent=house.ben)
    assert told(refused) == f"{house.ben.mention} não aceita desafios."
    await house.press(house.ben, "Allow challenges", page)
    await house.challenge()
    assert "to move" in house.text()


async def test_deleting_everything_takes_two_presses_and_the_first_changes_nothing(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "B2"))
    await ask(house)
    before = everything(house)
    await house.press(house.ben, "Delete…", house.lesson())
    assert "Delete what I keep about you?" in house.lesson().text
    await house.press(house.ben, "Keep", house.lesson())
    assert house.lesson().text.startswith("## What I keep about you")
    assert everything(house) == before
    await house.press(house.ben, "Delete…", house.lesson())
    await house.press(house.ben, "Delete", house.lesson())
    assert house.lesson().text.startswith("Done. ")
    assert house.lesson().labels == []


async def test_a_deleted_person_is_named_on_no_board_and_in_no_table(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "B2"))
    await ask(house)
    await house.press(house.ben, "Delete…", house.lesson())
    await house.press(house.ben, "Delete", house.lesson())
    await house.let_pass(minutes=1)
    board = house.seen()
    assert "A player left the game, so the match ended without a result." in board.text
    assert f"❌ {house.ana.mention}  vs  ⭕ somebody" in board.text
    assert board.labels == ["Review"]
    assert str(house.ben.id) not in everything(house)
    await house.press(house.ana, "Review")
    assert "alguém" in house.lesson().text
    await house.start(house.ben)
    assert house.ben.mention in house.text(), "and may play again"


async def test_a_privacy_button_is_about_the_person_who_presses_it(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    forged = f"velha:{PrivacyPage(PrivacyAction.DELETE)}:0"
    await house.press_forged(house.rui, forged)
    assert house.ana.mention in house.text()
    assert "to move" in house.text()


@pytest.mark.parametrize("address", ["velha:privacy:burn:0", "velha:privacy::0"])
async def test_an_unknown_privacy_action_is_refused(house: SimulatedGuild, address: str) -> None:
    await house.start(house.ana)
    assert "no longer works" in told(await house.press_forged(house.ben, address))


# Servers


def let_manage(house: SimulatedGuild) -> None:
    """Have everybody be one who runs the server."""
    everyone = house.env.backend.get_guild(house.guild.id).everyone_role
    everyone.permissions |= discord.Permissions(manage_guild=True).value


async def test_a_manager_can_delete_the_server_s_data(house: SimulatedGuild) -> None:
    let_manage(house)
    await house.ben.slash(house.channel, "velha settings", level="EASY")
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "B2"))
    await ask(house)
    await house.press(house.ben, "Forget server…", house.lesson())
    assert "Forget this server?" in house.lesson().text
    await house.press(house.ben, "Forget", house.lesson())
    assert house.lesson().text.startswith("Done. ")
    assert "A moderator ended the match" in house.text()
    await house.let_pass(minutes=1)
    kept = everything(house)
    assert not any(str(its) in kept for its in (house.guild.id, house.channel.id))
    assert str(house.ana.id) in kept, "whose match it was stays"
    await house.start(house.ana)
    assert "(impossible)" in house.text()


async def test_nobody_else_can_delete_the_server_s_data(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await ask(house)
    assert "Forget server…" not in house.lesson().labels
    forged = f"velha:{PrivacyPage(PrivacyAction.DELETE_SERVER)}:0"
    said = told(await house.press_forged(house.ben, forged))
    assert "Manage Server" in said
    assert "to move" in house.text()

"""`/velha help`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from simcord.actors import MemberActor

from tests.bot.house import Seen, SimulatedGuild, told


async def help_of(house: SimulatedGuild, who: MemberActor) -> Seen:
    await who.slash(house.channel, "velha help")
    return house.lesson()


async def test_help_is_in_the_reader_s_language_with_the_labels_of_boards_here(
    house: SimulatedGuild,
) -> None:
    ben = (await help_of(house, house.ben)).text
    assert "puts a tic-tac-toe board here" in ben
    assert "**Rematch** swaps sides" in ben
    house.env.backend.get_guild(house.guild.id).preferred_locale = "pt-BR"
    ben, ana = [(await help_of(house, who)).text for who in (house.ben, house.ana)]
    assert "**Revanche** swaps sides" in ben
    assert "**Revanche** troca os lados" in ana
    await house.start(house.ben)
    board = house.seen().labels
    assert f"press **{board[0]}**" in ben
    assert f"**{board[1]}** says what to play" in ben
    await house.press(house.ben, "B2")
    await house.ben.slash(house.channel, "velha stop")
    assert "Revanche" in house.seen().labels


async def test_the_commands_in_the_help_are_links_also_after_a_restart(
    house: SimulatedGuild,
) -> None:
    command = house.env.backend.find_command("velha", house.guild.id)
    assert command is not None
    for _ in range(2):
        said = (await help_of(house, house.ben)).text
        for subcommand in command["options"]:
            is_named = f"</velha {subcommand['name']}:{command['id']}>" in said
            assert is_named is (subcommand["name"] != "help")
        await house.restart()


@pytest.mark.logs_errors
async def test_help_names_the_commands_as_text_if_they_have_no_ids(house: SimulatedGuild) -> None:
    house.settings = replace(house.settings, dev_guild_id=77)
    house.env.inject_error("PUT", "/applications/*/guilds/77/commands", status=403, code=50001)
    await house.restart()
    assert "`/velha start` puts" in (await help_of(house, house.ben)).text


async def test_a_button_in_the_help_begins_a_match(house: SimulatedGuild) -> None:
    seen = await help_of(house, house.ana)
    assert seen.labels == ["Jogar"]
    await house.press(house.ana, "Jogar", seen)
    assert house.seen().labels == ["Join", "Hint", "Resign"]
    assert f"❌ {house.ana.mention} to move" in house.text()
    said = told(await house.press(house.ana, "Jogar", seen))
    assert "já tem uma partida" in said
    for _ in range(3):
        await house.press(house.ana, "Jogar", seen)
    assert "Calma!" in told(await house.press(house.ana, "Jogar", seen))


async def test_help_links_to_the_host_s_privacy_policy_and_terms(
    house: SimulatedGuild,
) -> None:
    about = house.bots[-1].application
    assert about is not None
    assert "Privacy policy" not in (await help_of(house, house.ben)).text
    about.privacy_policy_url, about.terms_of_service_url = "https://a.example", "https://b.example"
    links = "[Privacy policy](https://a.example) · [Terms of use](https://b.example)"
    assert (await help_of(house, house.ben)).text.endswith(f"\n{links}")
    about.privacy_policy_url = None
    assert (await help_of(house, house.ana)).text.endswith(".\n[Termos de uso](https://b.example)")

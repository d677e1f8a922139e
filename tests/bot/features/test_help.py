"""`/velha help`."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from tests.bot.simulated_guild import SeenMessage, SimulatedGuild


async def help_of(guild: SimulatedGuild, who: MemberActor) -> SeenMessage:
    await who.slash(guild.channel, "velha help")
    return guild.page()


async def test_help_is_in_the_reader_s_language_with_the_labels_of_boards_here(
    guild: SimulatedGuild,
) -> None:
    ben = (await help_of(guild, guild.ben)).text
    assert "puts a tic-tac-toe board here" in ben
    assert "**Rematch** swaps sides" in ben
    guild.env.backend.get_guild(guild.handle.id).preferred_locale = "pt-BR"
    ben, ana = [(await help_of(guild, who)).text for who in (guild.ben, guild.ana)]
    assert "**Revanche** swaps sides" in ben
    assert "**Revanche** troca os lados" in ana
    await guild.start(guild.ben)
    board = guild.newest().labels
    assert f"press **{board[1]}**" in ben
    assert f"**{board[0]}** says what to play" in ben
    await guild.press(guild.ben, "B2")
    await guild.stop(guild.ben)
    assert "Revanche" in guild.newest().labels


async def test_the_commands_in_the_help_are_links(guild: SimulatedGuild) -> None:
    command = guild.env.backend.find_command("velha", guild.handle.id)
    assert command is not None
    said = (await help_of(guild, guild.ben)).text
    for subcommand in command["options"]:
        is_named = f"</velha {subcommand['name']}:{command['id']}>" in said
        assert is_named is (subcommand["name"] != "help")


async def test_a_button_in_the_help_begins_a_match(guild: SimulatedGuild) -> None:
    await guild.press(guild.ana, "Jogar", await help_of(guild, guild.ana))
    assert guild.newest().labels == ["Hint", "Join"]
    assert f"❌ {guild.ana.mention}'s turn" in guild.text()


async def test_help_links_to_the_host_s_privacy_policy_and_terms(
    guild: SimulatedGuild,
) -> None:
    about = guild.bots[-1].application
    assert about is not None
    assert "Privacy policy" not in (await help_of(guild, guild.ben)).text
    about.privacy_policy_url, about.terms_of_service_url = "https://a.example", "https://b.example"
    links = "[Privacy policy](https://a.example) · [Terms of use](https://b.example)"
    assert (await help_of(guild, guild.ben)).text.endswith(f"\n{links}")
    about.privacy_policy_url = None
    assert (await help_of(guild, guild.ana)).text.endswith(".\n[Termos de uso](https://b.example)")


@pytest.mark.logs_errors
async def test_help_is_there_while_the_database_is_away(guild: SimulatedGuild) -> None:
    guild.env.backend.get_guild(guild.handle.id).preferred_locale = "pt-BR"
    before = (await help_of(guild, guild.ben)).text
    guild.break_database("servers")
    assert (await help_of(guild, guild.ben)).text == before

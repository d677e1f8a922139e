"""`/velha help`."""

from __future__ import annotations

import re

import pytest
from simcord.actors import MemberActor

from bot.views.help import COMMANDS
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild


async def help_of(guild: SimulatedGuild, who: MemberActor) -> SeenMessage:
    await who.slash(guild.channel, "velha help")
    return guild.page()


async def test_help_is_in_the_reader_s_language_with_the_labels_of_boards_here(
    guild: SimulatedGuild,
) -> None:
    ben = (await help_of(guild, guild.ben)).text
    assert "press a square" in ben
    assert "Press **Hint**" in ben
    guild.env.backend.get_guild(guild.handle.id).preferred_locale = "pt-BR"
    ben, ana = [(await help_of(guild, who)).text for who in (guild.ben, guild.ana)]
    assert "Press **Dica**" in ben
    assert "Aperte **Dica**" in ana
    await guild.start(guild.ben)
    assert "Dica" in guild.newest().labels
    await guild.press(guild.ben, "B2")
    await guild.stop(guild.ben)
    assert "Análise" in guild.newest().labels
    assert "Press **Análise**" in ben


async def test_the_commands_in_the_help_are_links(guild: SimulatedGuild) -> None:
    command = guild.env.backend.find_command("velha", guild.handle.id)
    assert command is not None
    said = (await help_of(guild, guild.ben)).text
    for subcommand in command["options"]:
        is_named = f"</velha {subcommand['name']}:{command['id']}>" in said
        assert is_named is (subcommand["name"] in COMMANDS)
    assert len(COMMANDS) == len({*re.findall("</velha ([a-z]+):", said)})


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
    links = "-# [Privacy policy](https://a.example) · [Terms of use](https://b.example)"
    assert (await help_of(guild, guild.ben)).text.endswith(f"\n{links}")
    about.privacy_policy_url = None
    assert (await help_of(guild, guild.ana)).text.endswith(
        ".\n-# [Termos de uso](https://b.example)"
    )


@pytest.mark.logs_errors
async def test_help_is_there_while_the_database_is_away(guild: SimulatedGuild) -> None:
    guild.env.backend.get_guild(guild.handle.id).preferred_locale = "pt-BR"
    before = (await help_of(guild, guild.ben)).text
    guild.break_database("servers")
    assert (await help_of(guild, guild.ben)).text == before

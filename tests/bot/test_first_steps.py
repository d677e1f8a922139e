"""The first minutes of somebody new: how they find a game, an opponent, and help."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.bot.house import Seen, SimulatedGuild, told

# Join


async def test_whoever_presses_join_plays_the_opener_in_the_bot_s_place(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    assert house.seen().labels == ["Join", "Hint", "Resign"]
    await house.press(house.ben, "Join")
    assert house.text().splitlines()[0] == f"**❌ {house.ana.mention}  vs  ⭕ {house.ben.mention}**"
    assert house.seen().labels == ["Resign"]
    request = house.env.http_requests[-1].json or {}
    assert request["data"]["allowed_mentions"] == {"parse": []}, "nobody is pinged"
    await house.play((house.ana, "B2"), (house.ben, "A1"))
    assert house.board() == "o.. .x. ..."


async def test_the_opener_may_play_on_alone_and_cannot_join_themselves(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    assert told(await house.press(house.ana, "Join")) == (
        "Esse botão é para os outros: quem apertar joga contra você."
    )
    early = house.seen()
    await house.press(house.ana, "B2")
    assert house.seen().labels == ["Hint", "Resign"]
    assert told(await house.press(house.ben, "Join", early)) == (
        "It's too late to join this match."
    )
    assert house.board().count("o") == 1, "the bot goes on"


async def test_a_seat_the_bot_has_moved_for_is_taken_with_its_move(house: SimulatedGuild) -> None:
    await house.start(house.ana, first="opponent")
    begun = house.board()
    await house.press(house.ben, "Join")
    assert house.text().splitlines()[0] == f"**❌ {house.ben.mention}  vs  ⭕ {house.ana.mention}**"
    assert house.board() == begun, "a board never goes back"
    assert f"⭕ {house.ana.mention} to move" in house.text()


async def test_of_two_who_join_at_once_one_plays_and_the_other_is_told(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    results = await house.press_at_once((house.ben, "Join"), (house.rui_in_english(), "Join"))
    late = [result for result in results if result.followups]
    assert [told(result) for result in late] == ["It's too late to join this match."]
    names = [who.mention for who in (house.ben, house.rui) if who.mention in house.text()]
    assert len(names) == 1


async def test_a_level_a_direct_message_or_a_rematch_has_nobody_join(house: SimulatedGuild) -> None:
    await house.start(house.ana, level="EASY")
    assert house.seen().labels == ["Hint", "Resign"]
    assert told(await forge_join(house)) == "It's too late to join this match."
    await house.play((house.ana, "B2"), (house.ana, "Resign"), (house.ana, "Rematch"))
    assert house.seen().labels == ["Hint", "Resign"]
    await house.ana.user.slash("velha start")
    assert house.seen(house.ana.user.dm_channel).labels == ["Dica", "Desistir"]


async def forge_join(house: SimulatedGuild) -> InteractionResult:
    match_id = house.seen().buttons["Hint"]["custom_id"].split(":")[1]
    return await house.press_forged(house.ben, f"velha:{match_id}:0:join")


async def test_a_board_brought_down_can_still_be_joined(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.rui.slash(house.channel, "velha board")
    await house.press(house.ben, "Join")
    assert house.ben.mention in house.text()


async def test_after_a_joined_match_both_ask_for_a_rematch_and_see_how_they_stand(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana)
    await house.press(house.ben, "Join")
    await house.play((house.ana, "B2"), (house.ben, "Resign"), (house.ana, "Rematch"))
    assert f"{house.ana.mention} wants a rematch." in house.text()
    await house.press(house.ben, "Rematch")
    assert house.text().startswith(f"**❌ {house.ben.mention}  vs  ⭕ {house.ana.mention}**")
    assert f"{house.ben.mention} 0 × 1 {house.ana.mention}" in house.text()
    await house.play((house.ben, "B2"), (house.ben, "Resign"))
    await house.start(house.ben)
    await house.press(house.ana, "Join")
    assert f"{house.ben.mention} 0 × 2 {house.ana.mention}" in house.text()


# The menu on a person


async def test_the_menu_on_a_person_challenges_as_the_command_does(house: SimulatedGuild) -> None:
    await house.ana.context_menu(house.channel, "Challenge to velha", house.ben)
    assert f"{house.ben.mention}, {house.ana.mention} has challenged you" in house.text()
    request = house.env.http_requests[-1].json or {}
    assert request["data"]["allowed_mentions"] == {"parse": [], "users": [house.ben.id]}
    await house.press(house.ben, "Accept")
    assert house.board() == "... ... ..."


async def test_the_menu_refuses_what_the_command_does(house: SimulatedGuild) -> None:
    robot = house.guild.add_member(house.env.create_user("robot", bot=True))
    menu = "Challenge to velha"
    said = told(await house.ana.context_menu(house.channel, menu, house.ana))
    assert said == "Não dá para desafiar a própria conta."
    assert "Other bots" in told(await house.ben.context_menu(house.channel, menu, robot))
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = house.guild.create_text_channel("segredo", overwrites={house.ben: hidden})
    said = told(await house.ana.context_menu(secret, menu, house.ben))
    assert said == f"{house.ben.mention} não consegue ver este canal."
    await house.start(house.ana)
    assert "already" in told(await house.ben.context_menu(house.channel, menu, house.ana))


async def test_on_the_bot_itself_the_menu_begins_a_match_against_it(house: SimulatedGuild) -> None:
    await house.ana.context_menu(house.channel, "Challenge to velha", house.bot_member())
    assert house.seen().labels == ["Hint", "Resign"]


# Help


async def help_of(house: SimulatedGuild, who: MemberActor) -> Seen:
    await who.slash(house.channel, "velha help")
    return house.lesson()


async def test_help_speaks_the_reader_s_language_and_quotes_buttons_as_boards_here_have_them(
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


async def test_the_commands_in_the_help_can_be_pressed_also_after_a_restart(
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
async def test_where_discord_takes_no_commands_the_help_names_them(house: SimulatedGuild) -> None:
    house.settings = replace(house.settings, dev_guild_id=77)
    house.env.inject_error("PUT", "/applications/*/guilds/77/commands", status=403, code=50001)
    await house.restart()
    assert "`/velha start` puts" in (await help_of(house, house.ben)).text


async def test_help_begins_a_match_for_everybody_by_a_button(house: SimulatedGuild) -> None:
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


async def test_help_links_to_the_pages_that_the_host_has_named_at_discord(
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

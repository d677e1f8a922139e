"""Refusals: one sentence, in the reader's language, and the match stays as it was."""

from __future__ import annotations

import discord
import pytest

from bot.domain.match_actions import RestartPage
from bot.domain.moments import MomentPage
from bot.domain.pages import Page, custom_id
from bot.domain.puzzles import SharePage
from bot.domain.stats import StatsPage
from engine import Grade, Record
from tests.bot.example_matches import NOON
from tests.bot.simulated_guild import SimulatedGuild, private_text


async def test_a_thread_is_suggested_only_where_the_person_can_create_one(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, opponent=guild.ben)
    assert "conta, digite `/velha start` em um tópico" in private_text(await guild.start(guild.rui))
    no_threads = discord.PermissionOverwrite(create_public_threads=False)
    closed = guild.handle.create_text_channel(
        "fechado", overwrites={guild.handle.default_role: no_threads}
    )
    for channel in (closed, guild.create_thread(), guild.handle.create_voice_channel("voz")):
        await guild.start(guild.ana, channel=channel)
        said = private_text(await guild.start(guild.ben, channel=channel))
        assert "already" in said
        assert "thread" not in said


async def test_who_does_not_play_here_cannot_be_challenged(guild: SimulatedGuild) -> None:
    robot = guild.handle.add_member(guild.env.create_user("robot", bot=True))
    outsider = guild.env.create_user("zoe")
    for who, opponent, said in (
        (guild.ana, guild.ana, "Contra você? Você venceria sempre. Escolha outra pessoa."),
        (guild.ben, robot, "Other bots don't play"),
        (guild.ben, outsider, "can't see this channel"),
    ):
        assert said in private_text(await guild.start(who, opponent=opponent))
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = guild.handle.create_text_channel("segredo", overwrites={guild.ben: hidden})
    told_ana = private_text(await guild.start(guild.ana, channel=secret, opponent=guild.ben))
    assert told_ana == f"{guild.ben.mention} não consegue ver este canal. Faça o desafio em outro."
    alone = await guild.ana.user.slash("velha start", opponent=guild.ben.user)
    assert "não consegue ver este canal" in private_text(alone)
    await guild.start(guild.ana)  # and the channel stayed free
    assert guild.is_live()


@pytest.mark.parametrize(
    ("flag", "sentence"),
    [
        (
            "view_channel",
            "Não consigo ver este canal. Peça a quem cuida do servidor a permissão **Ver canal**.",
        ),
        (
            "send_messages",
            (
                "Não consigo escrever aqui. Peça a quem cuida do servidor a permissão **Enviar "
                "mensagens**."
            ),
        ),
    ],
)
async def test_a_missing_permission_is_named(
    guild: SimulatedGuild, flag: str, sentence: str
) -> None:
    denied = discord.PermissionOverwrite(**{flag: False})
    channel = guild.handle.create_text_channel("calado", overwrites={guild.bot_member(): denied})
    assert private_text(await guild.start(guild.ana, channel=channel)) == sentence


@pytest.mark.parametrize(
    "page",
    [
        SharePage(NOON.date(), Grade.EASY, 0),
        StatsPage(1),
        MomentPage(Record(moves=(0, 4, 1, 3, 2))),
        RestartPage(1),
    ],
)
async def test_no_button_posts_where_the_bot_may_not_write(
    guild: SimulatedGuild, page: Page
) -> None:
    await guild.ben.slash(guild.channel, "velha help")
    guild.deny_bot("send_messages")
    refused = await guild.press_forged(guild.ben, custom_id(page, 0), guild.page())
    assert private_text(refused) == (
        "I can't write here. Ask an admin to give me **Send Messages**."
    )
    assert guild.messages() == []


async def test_threads_need_another_permission(guild: SimulatedGuild) -> None:
    denied = discord.PermissionOverwrite(send_messages_in_threads=False)
    quiet = guild.handle.create_text_channel("calado", overwrites={guild.bot_member(): denied})
    result = await guild.start(guild.ben, channel=guild.create_thread(quiet))
    assert private_text(result) == (
        "I can't write in threads. Ask an admin to give me **Send Messages in Threads**."
    )


async def test_in_a_private_group_anybody_can_be_challenged(guild: SimulatedGuild) -> None:
    guild.world.private_channels.add(guild.ana.user.dm_channel.id)
    await guild.ana.user.slash("velha start", opponent=guild.ben.user)
    assert "desafia você" in guild.newest(guild.ana.user.dm_channel).text


async def test_a_user_install_needs_the_permission_for_external_apps(
    guild: SimulatedGuild,
) -> None:
    guild.make_user_install()
    await guild.start(guild.ana)
    assert guild.board() == "... ... ..."
    no_apps = discord.PermissionOverwrite(use_external_apps=False)
    channel = guild.handle.create_text_channel(
        "fechado", overwrites={guild.handle.default_role: no_apps}
    )
    result = await guild.start(guild.ben, channel=channel)
    assert "Use External Apps" in private_text(result)


async def test_a_user_install_without_permission_opens_no_rematch(
    guild: SimulatedGuild,
) -> None:
    guild.make_user_install()
    await guild.start(guild.ben)
    await guild.press(guild.ben, "B2")
    await guild.stop(guild.ben)
    everyone = guild.env.backend.get_guild(guild.handle.id).everyone_role
    everyone.permissions &= ~discord.Permissions(use_external_apps=True).value
    over = guild.newest()
    for label in ("Rematch", "▼ child's play"):
        assert "Use External Apps" in private_text(await guild.press(guild.ben, label, over))
    assert guild.newest() == over


async def test_a_user_install_answers_by_interactions_alone(
    guild: SimulatedGuild,
) -> None:
    guild.make_user_install()
    guild.env.inject_error("PATCH", "/channels/*", status=403, code=50001, times=None)
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    assert guild.board().count("o") == 1
    await guild.stop(guild.ana)
    assert "Você desistiu" in guild.page().text
    assert f"{guild.ana.mention} resigned" in guild.messages()[-1].text


@pytest.mark.parametrize("label", ["A1", "Hint"])
async def test_a_button_is_named_as_it_stands_on_the_board(
    guild: SimulatedGuild, label: str
) -> None:
    """The answer is in the reader's language, the board in the server's."""
    await guild.start(guild.ben)
    assert "Join" in guild.newest().labels
    assert private_text(await guild.press(guild.ana, label)) == (
        "Esta partida ainda não é sua. Aperte **Join** e jogue no meu lugar."
    )


async def test_of_presses_out_of_turn_in_ten_seconds_only_the_first_is_told(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, opponent=guild.ben)
    await guild.press(guild.ben, "Accept")
    assert private_text(await guild.press(guild.ben, "A1")) == "It's not your turn."
    for cell in ("A1", "B2"):
        again = await guild.press(guild.ben, cell)
        assert again.deferred
        assert not again.ephemeral
        assert not again.followups
    await guild.press(guild.ana, "A1")
    assert private_text(await guild.press(guild.ana, "B2")) == "Não é a sua vez."
    await guild.env.advance_time(11)
    assert private_text(await guild.press(guild.ana, "B2")) == "Não é a sua vez."


async def test_a_challenge_that_was_declined_can_be_repeated_by_its_two_people(
    guild: SimulatedGuild,
) -> None:
    await guild.start(guild.ana, opponent=guild.ben, first="opponent")
    await guild.press(guild.ben, "Decline")
    declined = guild.newest()
    refused = private_text(await guild.press(guild.rui, "Challenge again", declined))
    assert refused.startswith("Esta partida não é sua.")
    await guild.press(guild.ben, "Challenge again", declined)
    assert f"{guild.ana.mention}, {guild.ben.mention} challenges you" in guild.newest().text
    busy = private_text(await guild.press(guild.ana, "Challenge again", declined))
    assert "desafio aberto aqui" in busy
    await guild.press(guild.ana, "Accept")
    await guild.press(guild.ben, "A1")
    assert f"⭕ {guild.ana.mention}'s turn" in guild.newest().text, "the sides stay"

"""Refusals: one sentence, in the reader's language, and the match stays as it was."""

from __future__ import annotations

import discord
import pytest

from tests.bot.house import TURN_MINUTES, SimulatedGuild, told


async def test_a_stranger_cannot_play(house: SimulatedGuild) -> None:
    await house.challenge()
    assert "isn't your match" in told(await house.press(house.rui_in_english(), "A1"))
    assert house.board() == "... ... ..."


async def test_a_stranger_is_refused_in_their_language(house: SimulatedGuild) -> None:
    await house.challenge()
    assert "não é sua" in told(await house.press(house.rui, "A1"))


async def test_a_player_cannot_move_out_of_turn(house: SimulatedGuild) -> None:
    await house.challenge()
    assert told(await house.press(house.ben, "A1")) == "It's not your turn."
    await house.press(house.ana, "A1")
    assert told(await house.press(house.ana, "B2")) == "Não é a sua vez."
    assert house.board() == "x.. ... ..."


async def test_an_old_board_is_redrawn_and_the_press_does_nothing(house: SimulatedGuild) -> None:
    await house.challenge()
    old = house.seen()
    await house.play((house.ana, "A1"), (house.ben, "B2"))
    assert "desatualizado" in told(await house.press(house.ana, "C3", old))
    assert house.board() == "x.. .o. ..."
    assert "out of date" in told(await house.press(house.ben, "C3", old))


async def test_only_the_challenged_can_accept_or_decline(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    for who, label in ((house.ana, "Accept"), (house.rui, "Accept"), (house.rui, "Decline")):
        assert told(await house.press(who, label)) == "Só quem recebeu o desafio pode responder."
    assert "has challenged you" in house.text()


async def test_a_rematch_waits_while_the_channel_has_another_match(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ana, "Resign"))
    finished = house.seen()
    await house.press(house.ana, "Rematch", finished)
    finished = house.seen()
    await house.start(house.rui)
    result = await house.press(house.ben, "Rematch", finished)
    assert f"/{house.seen().id}" in told(result)
    assert "already" in told(result)


async def test_a_busy_channel_links_to_its_board(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    result = await house.start(house.ben)
    address = f"https://discord.com/channels/{house.guild.id}/{house.channel.id}/{house.seen().id}"
    assert told(result) == (
        f"This channel already has a match: {address}\n`/velha board` brings it down here.\n"
        "Or play in a thread: make one, and type `/velha start` there."
    )


async def test_a_thread_is_suggested_only_where_the_person_can_create_one(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana, opponent=house.ben)
    assert "Ou jogue em um tópico" in told(await house.start(house.rui))
    no_threads = discord.PermissionOverwrite(create_public_threads=False)
    closed = house.guild.create_text_channel(
        "fechado", overwrites={house.guild.default_role: no_threads}
    )
    for channel in (closed, house.create_thread(), house.guild.create_voice_channel("voz")):
        await house.start(house.ana, channel=channel)
        said = told(await house.start(house.ben, channel=channel))
        assert "already" in said
        assert "thread" not in said


async def test_an_open_challenge_holds_the_channel_too(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    deadline = int(house.env.now().timestamp()) + 5 * 60
    said = told(await house.start(house.rui))
    assert house.ana.mention in said
    assert house.ben.mention in said
    assert f"<t:{deadline}:R>" in said
    assert f"/{house.seen().id}" in said


async def test_a_challenger_can_replace_their_open_challenge(
    house: SimulatedGuild,
) -> None:
    await house.start(house.ana, opponent=house.ben)
    await house.start(house.ana, opponent=house.rui, board="4x4x4")
    first, second = house.everything_seen()
    assert f"{house.ana.mention} cancelled the challenge" in first.text
    assert first.labels == []
    assert "4x4" in second.text
    await house.press(house.rui, "Accept")
    assert "to move" in house.text()
    assert "already" in told(await house.start(house.ben)), "a match that goes on is not given up"


async def test_a_player_cannot_challenge_themselves(house: SimulatedGuild) -> None:
    assert told(await house.start(house.ana, opponent=house.ana)) == (
        "Não dá para desafiar a própria conta."
    )
    await house.start(house.ana)  # and the channel stayed free


async def test_other_bots_cannot_be_challenged(house: SimulatedGuild) -> None:
    robot = house.guild.add_member(house.env.create_user("robot", bot=True))
    assert "Other bots don't play" in told(await house.start(house.ben, opponent=robot))


async def test_a_person_who_cannot_see_the_channel_cannot_be_challenged(
    house: SimulatedGuild,
) -> None:
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = house.guild.create_text_channel("segredo", overwrites={house.ben: hidden})
    told_ana = told(await house.start(house.ana, channel=secret, opponent=house.ben))
    assert told_ana == f"{house.ben.mention} não consegue ver este canal."


async def test_a_person_outside_the_server_cannot_be_challenged(house: SimulatedGuild) -> None:
    outsider = house.env.create_user("zoe")
    assert "can't see this channel" in told(await house.start(house.ben, opponent=outsider))


async def test_nobody_else_can_be_challenged_in_direct_messages(house: SimulatedGuild) -> None:
    result = await house.ana.user.slash("velha start", opponent=house.ben.user)
    assert "não consegue ver este canal" in told(result)


async def test_stop_and_board_need_a_match(house: SimulatedGuild) -> None:
    for command in ("velha stop", "velha board"):
        result = await house.ben.slash(house.channel, command)
        assert told(result) == "There's no match in this channel. Start one: `/velha start`"


async def test_a_stranger_cannot_stop_a_match(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    result = await house.ben.slash(house.channel, "velha stop")
    assert "Manage Messages" in told(result)
    assert "to move" in house.text()


async def test_a_button_of_an_older_release_is_refused_politely(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    for custom_id in ("velha:1", "ttt:cell:3", "velha:1:0:dance", "velha:1:0:resign:4", "?"):
        result = await house.press_forged(house.ben, custom_id)
        assert "no longer works" in told(result)


async def test_the_old_message_of_a_board_points_to_the_new_one(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    old = house.seen()
    await house.ana.slash(house.channel, "velha board")
    result = await house.press(house.ana, "B2", old)
    assert f"/{house.seen().id}" in told(result)
    assert house.board() == "... ... ..."


async def test_a_press_after_the_deadline_ends_the_match_before_any_sweep(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    house.stop_sweeping()
    house.env.backend.advance_clock(TURN_MINUTES * 60)
    assert told(await house.press(house.ana, "A1")) == "Tarde demais: o tempo tinha acabado."
    assert "called off" in house.text()


async def test_an_overdue_match_does_not_hold_the_channel(house: SimulatedGuild) -> None:
    await house.challenge()
    finished = house.seen()
    house.stop_sweeping()
    house.env.backend.advance_clock(TURN_MINUTES * 60)
    await house.start(house.rui)
    assert f"❌ {house.rui.mention} to move" in house.text()
    shown = next(seen for seen in house.everything_seen() if seen.id == finished.id)
    assert "called off" in shown.text


@pytest.mark.parametrize(
    ("flag", "sentence"),
    [
        ("view_channel", "Aqui eu preciso da permissão Ver canal."),
        ("send_messages", "Aqui eu preciso da permissão Enviar mensagens."),
    ],
)
async def test_a_missing_permission_is_named(
    house: SimulatedGuild, flag: str, sentence: str
) -> None:
    denied = discord.PermissionOverwrite(**{flag: False})
    channel = house.guild.create_text_channel("calado", overwrites={house.bot_member(): denied})
    assert told(await house.start(house.ana, channel=channel)) == sentence


async def test_threads_need_another_permission(house: SimulatedGuild) -> None:
    denied = discord.PermissionOverwrite(send_messages_in_threads=False)
    quiet = house.guild.create_text_channel("calado", overwrites={house.bot_member(): denied})
    result = await house.start(house.ben, channel=house.create_thread(quiet))
    assert told(result) == "I need the Send Messages in Threads permission here."


async def test_in_a_private_group_anybody_can_be_challenged(house: SimulatedGuild) -> None:
    house.world.private_channels.add(house.ana.user.dm_channel.id)
    await house.ana.user.slash("velha start", opponent=house.ben.user)
    assert "desafiou você" in house.seen(house.ana.user.dm_channel).text


async def test_a_user_install_needs_the_permission_for_external_apps(
    house: SimulatedGuild,
) -> None:
    house.visit_as_a_strange_bot()
    await house.start(house.ana)
    assert house.board() == "... ... ..."
    no_apps = discord.PermissionOverwrite(use_external_apps=False)
    channel = house.guild.create_text_channel(
        "fechado", overwrites={house.guild.default_role: no_apps}
    )
    result = await house.start(house.ben, channel=channel)
    assert "Use External Apps" in told(result)


async def test_a_user_install_without_permission_opens_no_rematch(
    house: SimulatedGuild,
) -> None:
    house.visit_as_a_strange_bot()
    await house.start(house.ben)
    await house.press(house.ben, "B2")
    await house.ben.slash(house.channel, "velha stop")
    everyone = house.env.backend.get_guild(house.guild.id).everyone_role
    everyone.permissions &= ~discord.Permissions(use_external_apps=True).value
    over = house.seen()
    for label in ("Rematch", "Down to hard"):
        assert "Use External Apps" in told(await house.press(house.ben, label, over))
    assert house.seen() == over


async def test_a_user_install_answers_by_interactions_alone(
    house: SimulatedGuild,
) -> None:
    house.visit_as_a_strange_bot()
    house.env.inject_error("PATCH", "/channels/*", status=403, code=50001, times=None)
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    assert house.board().count("o") == 1
    result = await house.ana.slash(house.channel, "velha stop")
    assert "Você desistiu" in told(result)
    assert f"{house.ana.mention} resigned" in house.everything_seen()[-1].text

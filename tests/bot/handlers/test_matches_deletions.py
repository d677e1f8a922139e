"""What is deleted in mid-game: no channel stays held, and nothing is tried for ever."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.bot.house import TURN_MINUTES, SimulatedGuild, told

Blow = Callable[[SimulatedGuild], None]


def delete_board(house: SimulatedGuild) -> None:
    house.env.backend.delete_message(house.channel.id, house.seen().id)


def delete_all_messages(house: SimulatedGuild) -> None:
    ids = [seen.id for seen in house.everything_seen()]
    house.env.backend.bulk_delete_messages(house.channel.id, ids)


def delete_channel(house: SimulatedGuild) -> None:
    house.env.backend.delete_channel(house.channel.id)


def delete_server(house: SimulatedGuild) -> None:
    house.env.backend.remove_guild(house.guild.id)


def hide_channel(house: SimulatedGuild) -> None:
    house.take_from_bot("view_channel")


every_deletion = pytest.mark.parametrize("delete", [delete_board, delete_all_messages])
every_blow = pytest.mark.parametrize(
    "blow",
    [
        delete_board,
        delete_all_messages,
        delete_channel,
        delete_server,
        SimulatedGuild.kick_bot,
        hide_channel,
    ],
)


async def is_free(house: SimulatedGuild) -> bool:
    """Whether a new match can be started at once."""
    await house.start(house.rui)
    return f"❌ {house.rui.mention} to move" in house.text()


def requests_about_boards(house: SimulatedGuild) -> int:
    return sum("/messages/" in path for _method, path in house.requests())


@every_deletion
async def test_a_deleted_board_is_brought_back_and_played_on(
    house: SimulatedGuild, delete: Blow
) -> None:
    await house.challenge()
    await house.press(house.ana, "A1")
    delete(house)
    await house.ben.slash(house.channel, "velha board")
    assert house.board() == "x.. ... ..."
    await house.play((house.ben, "B2"), (house.ana, "C3"))
    assert house.board() == "x.. .o. ..x"


async def test_a_move_on_a_just_deleted_board_is_on_the_next_one(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    seen = house.seen()
    delete_board(house)
    await house.press(house.ana, "A1", seen)
    assert requests_about_boards(house) == 1
    await house.ana.slash(house.channel, "velha board")
    assert house.board() == "x.. ... ..."


@every_deletion
async def test_a_match_whose_board_is_deleted_can_be_resigned(
    house: SimulatedGuild, delete: Blow
) -> None:
    await house.challenge()
    delete(house)
    assert "Você desistiu" in told(await house.ana.slash(house.channel, "velha stop"))
    assert f"{house.ana.mention} resigned" in house.text(), "everybody sees how it ended"
    assert await is_free(house)


@every_deletion
async def test_a_match_whose_board_is_deleted_can_be_stopped_by_a_moderator(
    house: SimulatedGuild, delete: Blow
) -> None:
    await house.challenge()
    delete(house)
    assert "em nome da moderação" in told(await house.rui.slash(house.channel, "velha stop"))
    assert "A moderator ended the match" in house.text()
    assert await is_free(house)


async def test_a_challenge_that_is_deleted_can_be_cancelled(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    delete_board(house)
    await house.ana.slash(house.channel, "velha stop")
    assert "cancelled the challenge" in house.text()
    assert await is_free(house)


@every_blow
async def test_a_match_that_nobody_can_see_times_out_after_one_try_to_show_it(
    house: SimulatedGuild, blow: Blow
) -> None:
    await house.challenge()
    blow(house)
    await house.let_pass(minutes=TURN_MINUTES + 2)
    assert not house.is_live()
    assert requests_about_boards(house) == 1


async def test_a_match_in_a_deleted_thread_times_out(house: SimulatedGuild) -> None:
    house.channel = house.create_thread()
    await house.challenge()
    delete_channel(house)
    await house.let_pass(minutes=TURN_MINUTES + 2)
    assert not house.is_live()
    assert requests_about_boards(house) == 1


async def test_a_deleted_channel_does_not_affect_other_matches(house: SimulatedGuild) -> None:
    other = house.guild.create_text_channel("outro")
    await house.challenge()
    await house.start(house.ana, channel=other)
    delete_channel(house)
    await house.press(house.ana, "A1", house.seen(other))
    assert house.seen(other).board.count("x") == 1
    await house.let_pass(minutes=TURN_MINUTES)
    assert "called off" in house.seen(other).text


async def test_a_bot_that_is_kicked_and_invited_again_plays_on(house: SimulatedGuild) -> None:
    await house.challenge()
    house.kick_bot()
    await house.let_pass(minutes=1)
    house.invite_bot_again()
    await house.press(house.ana, "A1")
    assert house.board() == "x.. ... ..."
    await house.let_pass(minutes=TURN_MINUTES)
    assert "called off" in house.text()


async def test_a_bot_that_was_kicked_for_long_starts_afresh(house: SimulatedGuild) -> None:
    await house.challenge()
    house.kick_bot()
    await house.let_pass(minutes=TURN_MINUTES)
    house.invite_bot_again()
    old = house.seen()
    assert await is_free(house)
    await house.press(house.ana, "A1", old)
    assert "called off" in house.everything_seen()[0].text


async def test_a_player_who_leaves_the_server_runs_out_of_time(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "B2"))
    house.guild.remove_member(house.ben)
    await house.press(house.ana, "C3")
    assert house.board() == "x.. .o. ..x"
    await house.let_pass(minutes=TURN_MINUTES)
    heading, why, *_ = house.text().splitlines()
    assert heading == f"## 🏆 {house.ana.mention} wins!"
    assert why == f"{house.ben.mention} ran out of time."


async def test_the_opponent_of_a_player_who_left_can_resign(house: SimulatedGuild) -> None:
    await house.challenge()
    await house.press(house.ana, "A1")
    house.guild.remove_member(house.ben)
    await house.ana.slash(house.channel, "velha stop")
    assert await is_free(house)


async def test_a_match_of_people_who_left_is_stopped_by_a_moderator(house: SimulatedGuild) -> None:
    await house.challenge()
    house.guild.remove_member(house.ana)
    house.guild.remove_member(house.ben)
    await house.rui.slash(house.channel, "velha stop")
    assert "A moderator ended the match" in house.text()
    assert await is_free(house)


async def test_a_challenge_to_somebody_who_left_can_be_cancelled(house: SimulatedGuild) -> None:
    await house.start(house.ana, opponent=house.ben)
    house.guild.remove_member(house.ben)
    await house.press(house.ana, "Cancel")
    assert await is_free(house)


async def test_a_rematch_asked_of_somebody_who_left_does_not_hold_the_channel(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    await house.play((house.ana, "A1"), (house.ben, "Resign"), (house.ana, "Rematch"))
    house.guild.remove_member(house.ben)
    assert await is_free(house)


@pytest.mark.parametrize("flag", ["view_channel", "send_messages"])
async def test_a_permission_removed_in_mid_game_matters_only_at_the_next_start(
    house: SimulatedGuild, flag: str
) -> None:
    await house.challenge()
    house.take_from_bot(flag)
    await house.play((house.ana, "A1"), (house.ben, "B2"))
    assert house.board() == "x.. .o. ..."
    await house.ben.slash(house.channel, "velha stop")
    assert f"{house.ben.mention} resigned" in house.everything_seen()[-1].text
    assert told(await house.start(house.ben)).startswith("I need the ")
    house.give_back_to_bot()
    assert await is_free(house)


async def test_a_channel_where_the_bot_may_not_send_still_shows_the_end(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    house.take_from_bot("send_messages")
    await house.let_pass(minutes=TURN_MINUTES)
    assert "called off" in house.text()

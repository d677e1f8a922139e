"""Reminders of whose turn it is, as people see them."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text

ON = "If you take more than a minute for a move, I'll mention you here."


def pings(guild: SimulatedGuild) -> list[tuple[str, list[int]]]:
    """The messages of the channel that ping people, and whom."""
    get_message = guild.env.backend.get_message
    found = [(seen, get_message(seen.channel_id, seen.id)) for seen in guild.messages()]
    return [(seen.text, [*sent.ping_user_ids]) for seen, sent in found if sent.ping_user_ids]


async def begin(guild: SimulatedGuild, *asking: MemberActor) -> SeenMessage:
    """Ana and Ben play, it is Ben's turn, and those who ask for it want reminders."""
    await guild.challenge()
    for member in asking:
        await guild.press(member, "Remind me")
    await guild.press(guild.ana, "B2")
    return guild.newest()


def reminders(guild: SimulatedGuild) -> list[str]:
    return [text for text, _pinged in pings(guild) if "your turn" in text]


async def test_who_asked_is_mentioned_after_a_minute_until_they_move(guild: SimulatedGuild) -> None:
    board = await begin(guild, guild.ben)
    await guild.env.advance_time(50)
    assert reminders(guild) == []
    await guild.env.advance_time(30)
    said = f"<@{guild.ben.id}>, it's your turn. [Go to the board]({board.link})"
    assert (said, [guild.ben.id]) in pings(guild)
    before = guild.requests()
    await guild.press(guild.ben, "A1", board)
    assert len(guild.requests()) == len(before) + 1, "whoever moves pays nothing for it"
    await guild.env.advance_time(20)
    assert reminders(guild) == []
    await guild.env.advance_time(60)
    assert reminders(guild) == [], "Ana did not ask"
    assert guild.newest().board == "o.. .x. ..."


async def test_one_reminder_stands_at_a_time_and_a_restart_repeats_none(
    guild: SimulatedGuild,
) -> None:
    await begin(guild, guild.ana, guild.ben)
    await guild.env.advance_time(80)
    assert len(reminders(guild)) == 1
    await guild.restart()
    await guild.env.advance_time(20)
    assert len(reminders(guild)) == 1


async def test_privacy_switches_reminders_on_for_all_matches(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha privacy")
    assert "I don't mention you when somebody waits for your move." in guild.page().text
    await guild.press(guild.ben, "Remind me", guild.page())
    assert "I mention you when somebody waits for your move." in guild.page().text
    await begin(guild)
    await guild.env.advance_time(80)
    assert len(reminders(guild)) == 1


async def test_who_takes_no_challenges_hears_why_there_are_no_reminders(
    guild: SimulatedGuild,
) -> None:
    await begin(guild, guild.ben)
    await guild.ben.slash(guild.channel, "velha privacy")
    await guild.press(guild.ben, "Block challenges", guild.page())
    assert "Remind me" not in guild.page().labels
    assert private_text(await guild.press(guild.ben, "Remind me")) == (
        "You've blocked challenges, so I don't mention you. To change that: `/velha privacy`"
    )
    await guild.env.advance_time(90)
    assert reminders(guild) == []


async def test_nothing_is_posted_where_the_bot_may_not_write(guild: SimulatedGuild) -> None:
    await begin(guild, guild.ben)
    guild.deny_bot("send_messages")
    await guild.env.advance_time(80)
    guild.restore_bot_permissions()
    await guild.env.advance_time(40)
    assert reminders(guild) == [], "once refused, that turn has none"


@pytest.mark.parametrize("error", [(400, 50083), (403, 50013), (404, 10008)])
async def test_a_message_that_discord_will_not_delete_is_let_be(
    guild: SimulatedGuild, error: tuple[int, int]
) -> None:
    await begin(guild, guild.ben)
    await guild.env.advance_time(80)
    guild.fail("/channels/*/messages/*", error, method="DELETE")
    await guild.press(guild.ben, "A1")
    await guild.env.advance_time(90)
    assert [method for method, _path in guild.requests()].count("DELETE") == 1


async def test_a_message_is_deleted_once_discord_answers_again(guild: SimulatedGuild) -> None:
    await begin(guild, guild.ben)
    await guild.env.advance_time(80)
    guild.fail("/channels/*/messages/*", (500, 0), method="DELETE")
    await guild.press(guild.ben, "A1")
    await guild.env.advance_time(20)
    assert len(reminders(guild)) == 1
    guild.recover()
    await guild.env.advance_time(20)
    assert reminders(guild) == []


async def test_a_thread_that_is_archived_gets_no_second_try(guild: SimulatedGuild) -> None:
    await begin(guild, guild.ben)
    path = f"/channels/{guild.channel.id}/messages"
    guild.fail(path, (400, 50083), method="POST")
    await guild.env.advance_time(140)
    assert guild.requests().count(("POST", path)) == 1


@pytest.mark.logs_errors
async def test_a_failure_of_discords_is_made_up_for(guild: SimulatedGuild) -> None:
    await begin(guild, guild.ben)
    guild.fail(f"/channels/{guild.channel.id}/messages", (500, 0), method="POST")
    await guild.env.advance_time(70)
    assert reminders(guild) == []
    guild.recover()
    await guild.env.advance_time(40)
    assert len(reminders(guild)) == 1


async def test_a_stranger_and_an_old_board_get_their_sentence(guild: SimulatedGuild) -> None:
    await guild.challenge()
    early = guild.newest()
    refused = await guild.press(guild.rui_in_english(), "Remind me")
    assert private_text(refused) == (
        "This isn't your match. Start one in another channel: `/velha start`"
    )
    await guild.press(guild.ana, "B2")
    assert private_text(await guild.press(guild.ben, "Remind me", early)) == ON, "any board will do"

"""Moments, as people see them: asking everybody, and trying."""

from __future__ import annotations

from simcord.actors import MemberActor

from bot.domain.moments import MomentGuess, MomentPage
from bot.domain.pages import custom_id
from engine import Record
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text

ASK = "Perguntar aqui"


async def win(guild: SimulatedGuild) -> None:
    """Ana beats Ben, who does not block at C1."""
    await guild.challenge()
    await guild.play(
        *((guild.ana, "A1"), (guild.ben, "B2"), (guild.ana, "B1"), (guild.ben, "A2")),
        (guild.ana, "C1"),
    )


async def ask(guild: SimulatedGuild) -> SeenMessage:
    """Ana beats Ben, and asks everybody what he should have played."""
    await win(guild)
    await guild.ana.slash(guild.channel, "velha review")
    await guild.press(guild.ana, ASK, guild.page())
    return guild.messages()[-1]


def edit_of(seen: SeenMessage) -> tuple[str, str]:
    return "PATCH", f"/channels/{seen.channel_id}/messages/{seen.id}"


def add_eve(guild: SimulatedGuild) -> MemberActor:
    return guild.handle.add_member(guild.env.create_user("eve"))


async def test_everybody_may_find_the_move_and_the_message_counts(guild: SimulatedGuild) -> None:
    asked = await ask(guild)
    assert asked.board == "xx. .o. ..."
    assert asked.text.splitlines() == [
        "## ⭕ to move. Can you find the best move?",
        "-# 3x3, 3 in a row wins · ❌ A1 and B1 · ⭕ B2",
        "-# Press a cell: only you see the answer.",
    ]
    edits = guild.requests().count(edit_of(asked))
    tries = await guild.press_at_once((add_eve(guild), "C1"), (guild.rui, "A3"), (guild.ben, "C1"))
    right, wrong, player = map(private_text, tries)
    assert right.startswith("🎯 **C1** blocks a line.")
    assert wrong.startswith("💥 **A3** perde.")
    assert wrong.endswith("**C1** completa uma linha e vence.")
    assert right == player
    message = guild.messages()[-1]
    assert message.id == asked.id
    assert "Found on the first try: 1 of 2." in message.text, "the player knew"
    assert guild.requests().count(edit_of(asked)) == edits + 1
    assert "🎯" in private_text(await guild.press(guild.rui, "C1", asked)), "too late to count"
    assert guild.messages()[-1] == message


async def test_only_players_are_offered_to_ask(guild: SimulatedGuild) -> None:
    await win(guild)
    await guild.rui_in_english().slash(guild.channel, "velha review")
    assert "Ask everyone" not in guild.page().labels
    await guild.ben.slash(guild.channel, "velha review")
    turned = guild.page()
    assert "Ask everyone" in turned.labels
    await guild.press(guild.ben, "Next", turned)
    assert "Ask everyone" not in guild.page().labels, "only where the match turned"
    assert "Turning point" in guild.page().labels
    refused = await guild.press(guild.rui, "Ask everyone", turned)
    assert private_text(refused) == (
        "Ask in the channel where you played this, about one of your last ten matches."
    )


async def test_nothing_is_asked_where_the_bot_may_not_write(guild: SimulatedGuild) -> None:
    await win(guild)
    await guild.ben.slash(guild.channel, "velha review")
    page, before = guild.page(), guild.messages()
    guild.deny_bot("send_messages")
    refused = await guild.press(guild.ben, "Ask everyone", page)
    assert private_text(refused) == (
        "I can't write here. Whoever runs this server can allow it: Send Messages."
    )
    assert guild.messages() == before
    guild.restore_bot_permissions()
    await guild.press(guild.ben, "Ask everyone", page)
    assert len(guild.messages()) == len(before) + 1, "nor is it spent"


async def test_a_question_that_discord_does_not_take_can_be_asked_again(
    guild: SimulatedGuild,
) -> None:
    await win(guild)
    await guild.ben.slash(guild.channel, "velha review")
    page, before = guild.page(), guild.messages()
    guild.fail("*/callback*", (500, 0), times=1)
    await guild.press(guild.ben, "Ask everyone", page)
    assert guild.messages() == before
    await guild.press(guild.ben, "Ask everyone", page)
    assert len(guild.messages()) == len(before) + 1


async def test_a_question_that_may_still_come_can_be_asked_again_after_a_while(
    guild: SimulatedGuild,
) -> None:
    await win(guild)
    await guild.ben.slash(guild.channel, "velha review")
    page, before = guild.page(), guild.messages()
    guild.fail("*/callback*", TimeoutError, times=1)
    for _ in range(2):
        await guild.press(guild.ben, "Ask everyone", page)
    assert guild.messages() == before
    await guild.env.advance_time(20)
    await guild.press(guild.ben, "Ask everyone", page)
    assert len(guild.messages()) == len(before) + 1
    await guild.env.advance_time(20)
    await guild.press(guild.ben, "Ask everyone", page)
    assert len(guild.messages()) == len(before) + 1


async def test_tries_are_answered_after_a_restart(guild: SimulatedGuild) -> None:
    asked = await ask(guild)
    await guild.restart()
    assert "🎯" in private_text(await guild.press(add_eve(guild), "C1", asked))
    assert "Found on the first try: 1 of 1." in guild.messages()[-1].text


async def test_forged_tries_change_no_message(guild: SimulatedGuild) -> None:
    await win(guild)
    board, record = guild.newest(), Record(moves=(0, 4, 1, 3, 2))
    match_id = int(board.buttons["Rematch"]["custom_id"].split(":")[1])
    before = guild.messages()
    eve = add_eve(guild)
    for page in (MomentGuess(match_id, 2), MomentGuess(match_id, 0), MomentPage(record)):
        forged = await guild.press_forged(eve, custom_id(page, 0), board)
        assert private_text(forged)
    assert guild.messages() == before

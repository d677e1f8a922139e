"""Requests to Discord that take longer than the bot waits for them, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from discord.utils import utcnow

from bot.client.bot import BotLimits, VelhaBot
from bot.config import Config
from bot.domain.match_actions import HintMovePage, Press
from bot.domain.pages import custom_id
from bot.features import puzzles
from bot.messaging.messages import DISCORD_SECONDS
from bot.runtime.database_jobs import DatabaseLimits
from bot.store.matches import live_in
from bot.store.store import Store
from tests.bot.databases import call
from tests.bot.fake_discord import FakeDiscord, Fault, Handler, Message, limited
from tests.bot.loop_clock import LoopClock
from tests.bot.messaging.test_reply import hold_next, once, shared, solve
from tests.bot.workers import KeptWorker

ANA, BEN = 11, 12

PATIENT_LIMITS = BotLimits(database=DatabaseLimits(answer_seconds=300, silent_seconds=300))
"""Only Discord is late: the clock that the tests turn is the database's, too."""

CHANNEL = 1000

RATE_LIMIT_SECONDS = 2 * DISCORD_SECONDS


@pytest.fixture
def fault_at_start() -> Fault | None:
    return None


@pytest.fixture(autouse=True)
async def bot(
    discord: FakeDiscord, settings: Config, fault_at_start: Fault | None
) -> AsyncIterator[VelhaBot]:
    discord.fault = fault_at_start
    bot = VelhaBot(settings, limits=PATIENT_LIMITS, worker_class=KeptWorker)
    async with discord.connected(bot):
        if fault_at_start is None:
            await discord.wait_for_sessions()
        yield bot


async def limit_edits_of_old_messages(
    _request: web.Request, _handler: Handler
) -> web.StreamResponse:
    return limited(1800, 30046)


async def limit_globally(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    """Refuse all requests for a while, also those of other routes."""
    return limited(RATE_LIMIT_SECONDS, is_global=True)


async def let_time_out(discord: FakeDiscord, clock: LoopClock, endpoint: str, nth: int = 1) -> None:
    """Wait until a request has arrived, and then longer than the bot does."""
    await discord.wait_until(lambda: discord.requests[endpoint] >= nth)
    await clock.turn(DISCORD_SECONDS + 1)
    await discord.wait_until_idle()


async def wait_until_recorded(discord: FakeDiscord, bot: VelhaBot, message: Message) -> None:
    """Wait until the bot has stored which message shows the match."""

    def is_recorded() -> bool:
        match = call(bot.store, live_in, CHANNEL)
        return match is not None and match.place.message_id == message.id

    await discord.wait_until(is_recorded)


async def test_edits_go_on_after_a_global_rate_limit_that_outlasts_a_time_out(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock
) -> None:
    oldest = await discord.start(ANA, CHANNEL)
    await wait_until_recorded(discord, bot, oldest)
    discord.fault = once(limit_globally, to="take_edit")
    newer = await discord.repost(ANA, CHANNEL)
    await wait_until_recorded(discord, bot, newer)
    await let_time_out(discord, clock, "take_edit")
    await discord.repost(BEN, CHANNEL)
    await clock.turn_until(lambda: "The board has moved" in newer.text)
    await clock.turn_until(lambda: "The board has moved" in oldest.text)


@pytest.mark.parametrize("fault_at_start", [once(limit_globally, to="list_emojis")])
async def test_edits_go_on_after_a_global_rate_limit_at_the_start(
    bot: VelhaBot, discord: FakeDiscord, clock: LoopClock
) -> None:
    await let_time_out(discord, clock, "list_emojis")
    await clock.turn_until(lambda: any(discord.sockets.values()))
    await discord.wait_for_sessions()
    message = await discord.start(ANA, CHANNEL)
    await wait_until_recorded(discord, bot, message)
    await discord.repost(ANA, CHANNEL)
    await clock.turn_until(lambda: "The board has moved" in message.text)


async def test_a_move_that_is_shown_late_does_not_hide_the_next_one(
    discord: FakeDiscord, clock: LoopClock
) -> None:
    message = await discord.challenge(ANA, BEN, CHANNEL)
    happened = hold_next(discord, "take_answer")
    discord.send_press(ANA, "A1", message)
    await let_time_out(discord, clock, "take_answer", nth=3)
    await discord.wait_until(lambda: message.board == "x.. ... ...")
    await discord.press(BEN, "B2", message)
    assert message.board == "x.. .o. ..."
    edits = discord.requests["take_edit"]
    happened.set()
    await discord.wait_until(lambda: discord.requests["take_edit"] > edits)
    await discord.wait_until_idle()
    assert message.board == "x.. .o. ..."


def from_hint(message: Message, label: str) -> str:
    """The custom_id with which a hint plays a move."""
    press = Press.parse(message.custom_id(label))
    assert press is not None
    assert press.cell is not None
    return custom_id(HintMovePage(press.match_id, press.version, press.cell), 0)


async def test_an_old_message_that_discord_lets_nobody_edit_is_replaced_at_once(
    discord: FakeDiscord,
) -> None:
    message = await discord.challenge(ANA, BEN, CHANNEL)
    page = await discord.ask_to_resign(ANA, message)
    discord.fault = once(limit_edits_of_old_messages, to="take_edit")
    async with asyncio.timeout(DISCORD_SECONDS / 2):
        discord.send_custom_id(ANA, from_hint(message, "B2"), page)
        await discord.wait_until(lambda: discord.newest(CHANNEL).board == "... .x. ...")
    assert discord.newest(CHANNEL) is not message


async def test_a_slow_edit_is_not_followed_by_others_while_people_play_on(
    discord: FakeDiscord,
) -> None:
    """They would be slow, too, and each would set back what was played meanwhile."""
    message = await discord.challenge(ANA, BEN, CHANNEL)
    page = await discord.ask_to_resign(ANA, message)

    async def be_slow(request: web.Request, handler: Handler) -> web.StreamResponse:
        if "take_edit" in handler.__name__:
            await asyncio.sleep(1)
        return await handler(request)

    discord.fault = be_slow
    played_on_page = discord.send_custom_id(ANA, from_hint(message, "B2"), page)
    await discord.answer(played_on_page)
    assert "out of date" in await discord.press_refused(BEN, "A1", message)
    moves = ((BEN, "A1"), (ANA, "B1"), (BEN, "B3"), (ANA, "C1"), (BEN, "A3"), (ANA, "A2"))
    for who, cell in moves:
        while cell in message.labels:  # once more where the edit has set the board back
            await discord.press(who, cell, message)
        await asyncio.sleep(0.2)
    await discord.wait_until_idle(2)
    assert discord.requests["take_edit"] == 1
    assert message.board == "oxx xx. oo."


async def test_a_board_that_is_edited_after_it_was_posted_again_links_to_the_new_one(
    discord: FakeDiscord, clock: LoopClock
) -> None:
    message = await discord.start(ANA, CHANNEL)
    question = await discord.ask_to_resign(ANA, message)
    happened = hold_next(discord, "take_edit")
    discord.send_press(ANA, "Resign", question)
    await let_time_out(discord, clock, "take_edit")
    assert "resigned" in discord.newest(CHANNEL).text
    happened.set()
    await discord.wait_until(lambda: "resigned" not in message.text and message.buttons == [])
    assert str(discord.newest(CHANNEL).id) in message.text


async def test_a_board_that_is_reposted_late_takes_the_place_of_the_old_one(
    discord: FakeDiscord, clock: LoopClock
) -> None:
    message = await discord.challenge(ANA, BEN, CHANNEL)
    happened = hold_next(discord, "take_answer")
    asked = discord.send_command(ANA, CHANNEL, "board")
    await let_time_out(discord, clock, "take_answer", nth=3)
    await discord.press(ANA, "B2", message)
    happened.set()
    await discord.answer(asked)
    newer = discord.newest(CHANNEL)
    await discord.wait_until(lambda: newer.board == "... .x. ...")
    await discord.wait_until(lambda: f"/{newer.id}" in message.text)


async def test_a_board_that_is_posted_too_late_shows_that_its_match_is_over(
    discord: FakeDiscord, clock: LoopClock
) -> None:
    happened = hold_next(discord, "take_answer")
    start = discord.send_start(ANA, CHANNEL)
    await let_time_out(discord, clock, "take_answer")
    await discord.wait_until(lambda: "Something went wrong" in start.private_text)
    happened.set()
    await discord.answer(start)
    await discord.wait_until(lambda: discord.requests["take_edit"])
    await discord.wait_until_idle()
    assert "doesn't count" in discord.newest(CHANNEL).text
    assert (await discord.start(BEN, CHANNEL)).board == "... ... ..."


async def test_a_share_that_is_posted_late_is_recorded(
    discord: FakeDiscord, clock: LoopClock, settings: Config
) -> None:
    today, message = utcnow().date(), await discord.start(ANA, CHANNEL)
    page = await discord.ask_to_resign(ANA, message)
    await solve(discord, message, today)
    answers = discord.requests["take_answer"]
    happened = hold_next(discord, "take_answer")
    sharing = discord.send_custom_id(ANA, shared(today), page)
    await let_time_out(discord, clock, "take_answer", nth=answers + 1)
    assert "Something went wrong" in sharing.private_text
    assert share_of_ana(settings) == (True, True), "it may still come"
    happened.set()
    await discord.wait_until(lambda: f"Velha {today}" in discord.newest(CHANNEL).text)
    await discord.wait_until(lambda: share_of_ana(settings) == (True, False))


async def test_while_discord_takes_a_board_the_response_is_not_deferred_as_well(
    discord: FakeDiscord, clock: LoopClock
) -> None:
    message = await discord.challenge(ANA, BEN, CHANNEL)
    answers = discord.requests["take_answer"]
    happened = hold_next(discord, "take_answer")
    discord.send_press(ANA, "A1", message)
    await discord.wait_until(lambda: discord.requests["take_answer"] > answers)
    await clock.turn(1)
    happened.set()
    await discord.wait_until_idle()
    assert message.board == "x.. ... ..."
    assert discord.requests["take_answer"] == answers + 1


def share_of_ana(settings: Config) -> tuple[bool, bool]:
    """Whether Ana's attempt is marked as shared, and whether that is only a claim."""
    store = Store.at(settings.database_url)
    (attempt,) = call(store, puzzles.load_attempts, ANA)
    store.close()
    return attempt["is_shared"], attempt["share_claimed_at"] is not None

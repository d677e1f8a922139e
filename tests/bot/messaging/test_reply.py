"""Requests that fail or take long, over real sockets, with discord.py's own retries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import pytest
from aiohttp import web
from discord import InteractionType
from discord.utils import time_snowflake, utcnow

from bot.client.bot import BotLimits, VelhaBot
from bot.config import Config
from bot.domain.pages import custom_id
from bot.domain.puzzles import Attempt, PuzzlePage, SharePage
from bot.domain.refusals import ShuttingDownError
from bot.features.puzzles import AttemptKey
from bot.messaging.reply import ReplyTimeouts
from bot.runtime.database_jobs import DatabaseLimits
from bot.store.store import Store
from engine import Board, Level, Rules, daily_puzzle
from tests.bot.databases import locked_by_another_program, save_attempt, save_settings
from tests.bot.fake_discord import FakeDiscord, Fault, Handler, Message, Payload, error, limited
from tests.bot.limits import PATIENT_QUEUE
from tests.bot.loop_clock import LoopClock
from tests.bot.workers import KeptWorker

ANA, BEN = 11, 12


LONG_THOUGHT = Board.parse("..... ..... ..x.. ..... .....", Rules(5, 5, 4))


@pytest.fixture
def limits() -> BotLimits:
    return BotLimits()


def with_limits(limits: BotLimits) -> pytest.MarkDecorator:
    """A test in which the bot has other limits."""
    return pytest.mark.parametrize("limits", [limits])


always_deferring = with_limits(BotLimits(reply=ReplyTimeouts(defer_after_seconds=0)))
"""Every response is deferred."""

with_short_database_timeout = with_limits(BotLimits(database=DatabaseLimits(answer_seconds=1)))
"""The database times out after a second."""


@pytest.fixture(autouse=True)
async def bot(discord: FakeDiscord, settings: Config, limits: BotLimits) -> AsyncIterator[VelhaBot]:
    patient = replace(limits, moves=PATIENT_QUEUE, lessons=PATIENT_QUEUE)
    bot = VelhaBot(settings, limits=patient, worker_class=KeptWorker)
    async with discord.connected(bot):
        await discord.wait_for_sessions()
        yield bot


def hold_until(happened: asyncio.Event, to: str) -> Fault:
    """A fault that holds requests to an endpoint until an event."""

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        if to in handler.__name__:
            await happened.wait()
        return await handler(request)

    return respond


def once(fault: Fault, to: str = "") -> Fault:
    """A fault of a single request, to one endpoint or to any."""
    left = [fault]

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        is_meant = left and to in handler.__name__
        return await (left.pop()(request, handler) if is_meant else handler(request))

    return respond


def hold_next(discord: FakeDiscord, endpoint: str) -> asyncio.Event:
    """Hold the next request to an endpoint until the event that is returned."""
    happened = asyncio.Event()
    discord.fault = once(hold_until(happened, to=endpoint), to=endpoint)
    return happened


async def limit_rate(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return limited(0.1)


async def refuse_with(
    status: int, code: int, _request: web.Request, _handler: Handler
) -> web.StreamResponse:
    return error(status, code)


async def fail(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return error(500, 0)


async def fail_when_done(request: web.Request, handler: Handler) -> web.StreamResponse:
    await handler(request)
    return error(502, 0)


async def never_reply(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    await asyncio.sleep(60)
    raise AssertionError


async def refuse_token(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return error(401, 50027)


async def discord_py_repeats_itself(discord: FakeDiscord, clock: LoopClock) -> None:
    """It does so a second after a request has failed."""
    await clock.turn(2)
    await discord.wait_until_idle()


@pytest.mark.parametrize("said", ["the day before", None])
async def test_responses_without_a_date_are_accepted(
    discord: FakeDiscord, said: str | None
) -> None:
    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        response = await handler(request)
        response.headers["Date"] = said or ""
        return response

    discord.fault = respond
    message = await discord.start(ANA, 1000, opponent=BEN)
    assert not (await discord.press(BEN, "Accept", message)).private_text


def sent_long_ago(payload: Payload) -> None:
    payload["id"] = str(time_snowflake(utcnow() - timedelta(minutes=3)))


async def test_presses_that_arrive_late_do_not_turn_the_clock_back(
    discord: FakeDiscord, bot: VelhaBot
) -> None:
    message = await discord.challenge(ANA, BEN, 1000)
    discord.damage = sent_long_ago
    for _ in range(25):
        await discord.answer(discord.send_press(BEN, "As text", message))
    assert bot.clock.trusted_now() is not None
    assert abs(bot.clock.skew_seconds()) < 30


@with_limits(BotLimits(reply=ReplyTimeouts(discord_seconds=1.5)))
@pytest.mark.parametrize("fault", [limit_rate, fail, fail_when_done, never_reply, refuse_token])
async def test_a_move_is_shown_once_whatever_happens_to_its_response(
    discord: FakeDiscord, clock: LoopClock, fault: Fault
) -> None:
    message = await discord.challenge(ANA, BEN, 1000)
    discord.fault = once(fault)
    pressed = discord.send_press(ANA, "A1", message)
    await discord.wait_until(lambda: message.board == "x.. ... ...")
    await discord_py_repeats_itself(discord, clock)
    assert not pressed.private_text
    assert len(discord.messages) == 1
    assert not (await discord.press(BEN, "B2", message)).private_text
    assert message.board == "x.. .o. ..."


@pytest.mark.parametrize("fault", [limit_rate, fail, fail_when_done])
async def test_a_match_is_opened_once_whatever_happens_to_its_response(
    discord: FakeDiscord, clock: LoopClock, fault: Fault
) -> None:
    discord.fault = once(fault)
    message = await discord.start(ANA, 1000, opponent=BEN)
    await discord_py_repeats_itself(discord, clock)
    assert not (await discord.press(BEN, "Accept", message)).private_text
    assert message.board == "... ... ..."
    assert len(discord.messages) == 1


@with_limits(BotLimits(reply=ReplyTimeouts(discord_seconds=1)))
async def test_a_match_whose_response_is_lost_leaves_the_channel_free(discord: FakeDiscord) -> None:
    discord.fault = once(never_reply)
    told = discord.send_start(ANA, 1000)
    await discord.wait_until(lambda: "Something went wrong" in told.private_text)
    assert (await discord.start(BEN, 1000)).board == "... ... ..."


@with_short_database_timeout
@pytest.mark.logs_errors
async def test_a_move_that_could_not_be_stored_in_time_is_not_made_and_can_be_repeated(
    discord: FakeDiscord, settings: Config
) -> None:
    message = await discord.challenge(ANA, BEN, 1000)
    with locked_by_another_program(settings.database_url):
        assert "can't reach my memory" in await discord.press_refused(ANA, "A1", message)
        assert message.board == "... ... ..."
    await discord.wait_until_idle(0.3)
    assert "not your turn" in await discord.press_refused(BEN, "B2", message)
    await discord.press(ANA, "A1", message)
    assert message.board == "x.. ... ..."


# Another process on the same shard


def answered_before(answer: Payload | None, discord: FakeDiscord) -> Fault:
    """Another process answers first: with this, or with what this one was about to say."""

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        if "take_answer" in handler.__name__:
            first = answer or await request.json()
            discord.answer_as_another_process(request.match_info["token"], first)
        return await handler(request)

    return respond


REFUSED = {"type": 4, "data": {"content": "Not so fast", "flags": 64}}


async def test_a_start_that_another_process_refused_leaves_the_channel_free(
    discord: FakeDiscord,
) -> None:
    discord.fault = answered_before(REFUSED, discord)
    start = discord.send_start(ANA, 1000)
    await discord.answer(start)
    await discord.wait_until_idle()
    discord.fault = None
    assert start.private_text == "Not so fast"
    message = await discord.start(BEN, 1000)
    await discord.press(BEN, "B2", message)
    assert message.board.count("o") == 1


async def test_a_start_that_another_process_showed_keeps_its_message(discord: FakeDiscord) -> None:
    discord.fault = answered_before(None, discord)
    message = await discord.start(ANA, 1000)
    await discord.wait_until_idle()
    discord.fault = None
    assert "already has a match" in (await discord.ask_start(BEN, 1000)).private_text
    assert f"/{message.id}" in (await discord.ask_start(BEN, 1000)).private_text
    await discord.press(ANA, "B2", message)
    assert message.board.count("o") == 1


async def test_a_rematch_that_another_process_showed_is_posted_once(discord: FakeDiscord) -> None:
    message = await discord.start(ANA, 1000)
    await discord.press(ANA, "B2", message)
    await discord.resign(ANA, message)
    discord.fault = answered_before(None, discord)
    await discord.press(ANA, "Rematch", message)
    discord.fault = None
    assert len(discord.messages) == 2
    rematch = discord.newest(1000)
    await discord.press(ANA, rematch.labels[0], rematch)
    assert rematch.board.count("o") == 1


async def test_a_delayed_edit_does_not_bring_an_old_board_back(discord: FakeDiscord) -> None:
    message = await discord.challenge(ANA, BEN, 1000)
    held_up = asyncio.Event()
    too_late = once(partial(refuse_with, 404, 10062), to="take_answer")

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        if "take_edit" in handler.__name__ and not held_up.is_set():
            await held_up.wait()
        return await too_late(request, handler)

    discord.fault = respond
    discord.send_press(ANA, "A1", message)
    await discord.wait_until(lambda: discord.requests["take_edit"])
    assert "out of date" in await discord.press_refused(BEN, "B2", message)
    await discord.press(BEN, "B2", message)
    assert message.board == "x.. .o. ..."
    held_up.set()
    await discord.wait_until(lambda: discord.requests["take_edit"] == 2)
    await discord.wait_until_idle()
    assert message.board == "x.. .o. ..."


async def test_a_delayed_move_does_not_hide_a_resignation(discord: FakeDiscord) -> None:
    message = await discord.challenge(ANA, BEN, 1000)
    question = await discord.ask_to_resign(BEN, message)
    held_up = asyncio.Event()

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        if discord.requests["take_answer"] == answers_before + 1:
            await held_up.wait()
        return await handler(request)

    answers_before = discord.requests["take_answer"]
    discord.fault = respond
    pressed = discord.send_press(ANA, "A1", message)
    await discord.wait_until(lambda: discord.requests["take_answer"] > answers_before)
    discord.send_press(BEN, "Resign", question)
    await discord.wait_until(lambda: discord.requests["take_edit"])
    held_up.set()
    await discord.answer(pressed)
    await discord.wait_until(lambda: discord.requests["take_edit"] == 2)
    await discord.wait_until_idle()
    assert message.board == "x.. ... ..."
    assert "resigned" in message.text


async def test_a_sentence_can_be_replaced_by_a_page_that_another_process_draws(
    discord: FakeDiscord,
) -> None:
    """Discord refuses a view beside `content`."""
    message = await discord.challenge(ANA, BEN, 1000)
    told = discord.send_press(BEN, "A1", message)
    await discord.wait_until(lambda: told.private_text)
    (sentence,) = told.answers
    assert not sentence.get("content")


# Channels that Discord cannot show as chosen


async def fail_on_chosen_channels(request: web.Request, handler: Handler) -> web.StreamResponse:
    if "default_values" not in await request.text():
        return await handler(request)
    return error(404, 10062) if "take_answer" in handler.__name__ else error(500, 0)


@pytest.mark.parametrize(
    "limits", [BotLimits(), BotLimits(reply=ReplyTimeouts(defer_after_seconds=0))]
)
async def test_the_settings_can_be_opened_although_discord_fails_on_the_channels_chosen(
    discord: FakeDiscord, settings: Config
) -> None:
    store = Store.at(settings.database_url)
    save_settings(store, 1000, channels=(77,))
    store.close()
    discord.fault = fail_on_chosen_channels
    asked = discord.send_command(ANA, 1000, "settings")
    await discord.wait_until(lambda: "## Server settings" in str(asked.answers))
    assert "<#77>" in str(asked.answers)
    assert "Something went wrong" not in str(asked.answers)


# Thoughts that take long


@always_deferring
async def test_a_slow_move_is_deferred_and_the_board_follows(discord: FakeDiscord) -> None:
    message = await discord.start(ANA, 1000, board="5x5x4")
    pressed = discord.send_press(ANA, "C3", message)
    await discord.wait_until(lambda: len(pressed.answers) == 2)
    assert pressed.answers[0] == {}, "that the board is to change, and no more"
    assert discord.requests["take_original"] == 1
    assert sum(button.get("emoji") is not None for row in message.rows for button in row) == 2
    assert pressed.private_text == ""


@always_deferring
async def test_a_delayed_deferred_board_does_not_hide_a_newer_one(discord: FakeDiscord) -> None:
    message = await discord.start(ANA, 1000, board="5x5x4")
    held_up = hold_next(discord, "take_original")
    discord.send_press(ANA, "C3", message)
    await discord.wait_until(lambda: discord.requests["take_original"])
    assert "out of date" in await discord.press_refused(ANA, "Hint", message)
    await discord.resign(ANA, message)
    await discord.wait_until(lambda: "resigned" in message.text)
    held_up.set()
    await discord.wait_until(lambda: discord.requests["take_edit"] == 3)
    await discord.wait_until_idle()
    assert "resigned" in message.text


@always_deferring
async def test_a_board_reposted_while_the_bot_thinks_is_shown_once(discord: FakeDiscord) -> None:
    message = await discord.start(ANA, 1000, board="5x5x4")
    held_up = asyncio.Event()
    discord.fault = hold_until(held_up, to="take_original")
    discord.send_press(ANA, "C3", message)
    await discord.wait_until(lambda: discord.requests["take_original"])
    reposted = await discord.repost(ANA, 1000)
    held_up.set()
    await discord.wait_until(lambda: discord.requests["take_edit"] == 3)
    await discord.wait_until_idle()
    assert reposted.board.count("x") == 1
    assert "The board has moved" in message.text


@always_deferring
async def test_a_slow_lesson_is_deferred_for_the_person_who_asked(discord: FakeDiscord) -> None:
    message = await discord.start(ANA, 1000, board="4x4x4")
    board = str(message.payload)
    pressed = discord.send_press(ANA, "Hint", message)
    await discord.wait_until(lambda: len(pressed.answers) == 2)
    announced, hint = pressed.answers
    assert announced["flags"] & 64, "for the one who asked"
    assert "Why?" in str(hint["components"])
    assert str(message.payload) == board


def shared(today: date) -> str:
    return custom_id(SharePage(today, daily_puzzle(today).grade, wrong_tries=0), 0)


async def solve(discord: FakeDiscord, message: Message, today: date) -> None:
    page = PuzzlePage(today, (daily_puzzle(today).solution,))
    solved = discord.send_custom_id(ANA, custom_id(page, 0), message)
    await discord.wait_until(lambda: "Got it in one!" in str(solved.answers))


@always_deferring
async def test_a_puzzle_that_is_slow_to_share_is_shared(discord: FakeDiscord) -> None:
    message, today = await discord.start(ANA, 1000), utcnow().date()
    await solve(discord, message, today)
    sharing = discord.send_custom_id(ANA, shared(today), message)
    await discord.wait_until(lambda: f"Velha {today}" in discord.newest(1000).text)
    assert sharing.private_text == ""


@always_deferring
@pytest.mark.parametrize("fault", [fail, fail_when_done])
@pytest.mark.parametrize("to", ["take_answer", "take_original"])
async def test_a_lesson_is_shown_once_whichever_of_its_requests_fails(
    discord: FakeDiscord, clock: LoopClock, fault: Fault, to: str
) -> None:
    message = await discord.start(ANA, 1000, board="4x4x4")
    discord.fault = once(fault, to)
    pressed = discord.send_press(ANA, "Hint", message)
    await discord.wait_until(lambda: "Why?" in str(pressed.answers))
    await discord_py_repeats_itself(discord, clock)
    assert discord.requests["take_followup"] == 0, "which would be a second message"


@always_deferring
async def test_a_board_comes_after_a_lost_deferral_also_for_a_user_install(
    discord: FakeDiscord,
) -> None:
    message = await discord.start(ANA, 1000, board="5x5x4")
    lost = once(fail_when_done, to="take_answer")

    async def respond(request: web.Request, handler: Handler) -> web.StreamResponse:
        is_edit = "take_edit" in handler.__name__
        return error(403, 50001) if is_edit else await lost(request, handler)

    discord.fault = respond
    discord.send_press(ANA, "C3", message)
    await discord.wait_until(
        lambda: any(button.get("emoji") for row in message.rows for button in row)
    )


@with_limits(BotLimits(reply=ReplyTimeouts(defer_after_seconds=0, defer_seconds=0.2)))
async def test_a_deferral_that_hangs_does_not_delay_the_board(discord: FakeDiscord) -> None:
    message = await discord.start(ANA, 1000, board="5x5x4")
    discord.fault = once(never_reply)
    discord.send_press(ANA, "C3", message)
    await discord.wait_until(
        lambda: any(button.get("emoji") for row in message.rows for button in row)
    )


@pytest.mark.logs_errors
@with_limits(BotLimits(reply=ReplyTimeouts(defer_after_seconds=0), shutdown_grace_seconds=0.2))
@pytest.mark.parametrize("fault", [None, fail_when_done])
async def test_a_lesson_under_way_at_shutdown_is_answered(
    discord: FakeDiscord, bot: VelhaBot, clock: LoopClock, fault: Fault | None
) -> None:
    message = await discord.start(ANA, 1000, board="5x5x4")
    await discord.press(ANA, "C3", message)
    busy = asyncio.create_task(bot.engine.run(time.sleep, 60))
    discord.fault = fault and once(fault, to="take_answer")
    pressed = discord.send_press(ANA, "Hint", message)
    await discord.answer(pressed)
    await discord_py_repeats_itself(discord, clock)
    await bot.close()
    assert "Try again" in pressed.private_text
    with pytest.raises(ShuttingDownError):
        await busy


@always_deferring
async def test_a_match_that_ends_while_the_bot_thinks_is_shown_as_it_ended(
    discord: FakeDiscord, bot: VelhaBot
) -> None:
    message = await discord.start(ANA, 1000, board="5x5x4")
    question = await discord.ask_to_resign(ANA, message)
    others = [asyncio.create_task(bot.engine.choose(LONG_THOUGHT, Level.PERFECT)) for _ in range(9)]
    moved = discord.send_press(ANA, "C3", message)
    resigned = discord.send_press(ANA, "Resign", question)
    await discord.answer(resigned)
    await discord.wait_until(lambda: "out of date" in moved.private_text)
    assert "resigned" in message.text
    assert not any(button.get("emoji") for row in message.rows for button in row)
    await asyncio.gather(*others)


async def test_who_resigns_waits_a_second_for_what_discord_knows_and_cancels_no_request(
    discord: FakeDiscord,
) -> None:
    message = await discord.challenge(ANA, BEN, 1000)
    question = await discord.ask_to_resign(BEN, message)
    released, connected = asyncio.Event(), []

    async def hold(request: web.Request, handler: Handler) -> web.StreamResponse:
        if "describe_member" in handler.__name__:
            await released.wait()
            connected.append(request.transport is not None)
        return await handler(request)

    discord.fault = hold
    pressed = discord.send_press(BEN, "Resign", question)
    await discord.wait_until(lambda: "resigned" in message.text)
    assert pressed.answers[0] == {}, "it was deferred"
    await discord.wait_until(lambda: "You resigned" in question.text)
    released.set()
    await discord.wait_until(lambda: connected)
    assert connected == [True]


# Who has left a server


def a_leader(settings: Config) -> None:
    """Ben has solved a puzzle in the server 1000, and has left it since."""
    solution = daily_puzzle(date(2026, 12, 1)).solution
    store = Store.open(settings.database_url)
    attempt = Attempt((solution,), solution)
    today = utcnow().date()
    assert save_attempt(store, AttemptKey(BEN, today), attempt, guild_id=1000)
    store.close()


async def ranking(discord: FakeDiscord) -> str:
    """What `/velha ranking` shows Ana."""
    command = {"id": "9", "name": "velha", "type": 1}
    command |= {"options": [{"type": 1, "name": "ranking", "options": []}]}
    asked = discord.send(InteractionType.application_command, command, ANA, 1000)
    await discord.answer(asked)
    await discord.wait_until(lambda: not asked.is_deferred)
    return str(asked.answers[-1])


async def test_a_ranking_does_not_wait_long_for_who_has_left(
    discord: FakeDiscord, settings: Config
) -> None:
    a_leader(settings)
    discord.absent_members = {BEN}
    answered = asyncio.Event()
    discord.fault = hold_until(answered, to="describe_member")
    assert f"<@{BEN}>" in await ranking(discord)
    answered.set()
    await discord.wait_until_idle()
    assert "someone who left" in await ranking(discord), "the answer that came late is remembered"
    assert discord.requests["describe_member"] == 1

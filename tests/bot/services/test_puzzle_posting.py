"""The puzzle of the day in a server's channel: once a day, over any number of processes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.domain.matches import Place
from bot.domain.puzzles import MAX_FAILURES, PuzzlePage, PuzzlePost, PuzzleResult
from bot.domain.settings import Setting
from engine import daily_puzzle
from tests.bot.backend import Room
from tests.bot.drawn import ANA, BEN, NOON, RUI, SERVER

CHANNEL, TODAY = 77, NOON.date()
DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
POST = PuzzlePost(Place(CHANNEL, SERVER, "pt-BR"), TODAY)


@pytest.fixture
async def room(room: Room) -> Room:
    """At noon, when a server wants its puzzle."""
    room.now = NOON
    room.clock.observe(NOON)
    await room.services.settings.choose(SERVER, Setting.PUZZLE_CHANNEL, [str(CHANNEL)], "pt-BR")
    return room


async def due(room: Room) -> list[PuzzlePost]:
    return await room.services.puzzle_posts.claim()


async def note(room: Room, message_id: int | None = 500) -> None:
    (post,) = await due(room)
    await room.services.puzzle_posts.record_posted(post, message_id)


async def test_it_is_due_at_its_hour_once_a_day(room: Room) -> None:
    room.now = NOON - SECOND
    assert await due(room) == []
    room.now = NOON
    assert await due(room) == [POST]
    await room.services.puzzle_posts.record_posted(POST, 500)
    for hours in range(12):
        room.now = NOON + hours * HOUR
        assert await due(room) == []
    room.now = NOON + DAY
    assert await due(room) == [replace(POST, day=TODAY + DAY)]


async def test_an_hour_that_was_missed_is_made_up_for_and_a_day_is_not(room: Room) -> None:
    room.now = NOON + 5 * HOUR
    assert await due(room) == [POST]
    await room.services.puzzle_posts.record_posted(POST, 500)
    room.now = NOON + 3 * DAY - HOUR
    assert await due(room) == []
    room.now += HOUR
    assert [post.day for post in await due(room)] == [TODAY + 3 * DAY]


async def test_of_two_processes_one_posts(room: Room) -> None:
    assert await due(room) == [POST]
    assert room.rival.puzzles.claim_posts(room.now) == []
    room.now += DAY
    room.before_next(
        "UPDATE puzzle_posts", lambda: room.rival.puzzles.claim_posts(room.now + SECOND)
    )
    assert await due(room) == []


async def test_what_a_process_left_unmade_is_made_by_another_while_that_is_safe(
    room: Room,
) -> None:
    """Discord drops a second message with the same nonce, but not for ever."""
    assert await due(room) == [POST]
    assert POST.nonce == replace(POST, yesterday=(PuzzleResult(1, 1, 1),)).nonce
    assert len(replace(POST, place=Place(1, 2**63 - 1, "")).nonce) <= 25
    room.now += 19 * SECOND
    assert await due(room) == []
    for _ in range(2):
        room.now += 20 * SECOND
        assert await due(room) == [POST]
    room.now += 20 * SECOND
    assert await due(room) == [], "three times is enough"


async def test_a_post_that_is_noted_late_is_not_taken_for_the_next_days(room: Room) -> None:
    assert await due(room) == [POST]
    room.now += DAY
    (next_one,) = await due(room)
    await room.services.puzzle_posts.record_posted(POST, 500)
    room.now += 20 * SECOND
    assert await due(room) == [next_one]


async def test_what_was_left_unmade_for_long_is_let_be(room: Room) -> None:
    assert await due(room) == [POST]
    room.now += 61 * SECOND
    assert await due(room) == []


async def test_after_three_failures_in_a_row_it_stops_until_a_channel_is_chosen_again(
    room: Room,
) -> None:
    for _ in range(MAX_FAILURES):
        await note(room, None)
        assert await due(room) == [], "that day it is not tried again"
        room.now += DAY
    assert await due(room) == []
    settings = await room.services.settings.settings(SERVER)
    assert settings.has_given_up_posting
    await room.services.settings.choose(SERVER, Setting.PUZZLE_CHANNEL, ["78"], "en")
    assert not (await room.services.settings.settings(SERVER)).has_given_up_posting
    assert [post.place.channel_id for post in await due(room)] == [78]


async def test_a_post_that_succeeds_makes_up_for_failures(room: Room) -> None:
    for message_id in (None, None, 500, None, None):
        await note(room, message_id)
        room.now += DAY
    assert len(await due(room)) == 1


async def test_who_moves_the_channel_on_the_same_day_gets_no_second_post(room: Room) -> None:
    await note(room)
    await room.services.settings.choose(SERVER, Setting.PUZZLE_CHANNEL, ["78"], "en")
    assert await due(room) == []


async def test_servers_without_a_channel_and_forgotten_ones_find_nothing(room: Room) -> None:
    await room.services.settings.choose(SERVER + 1, Setting.PUZZLE_HOUR, ["3"])
    await room.services.privacy.forget_guild(SERVER, 10_000)
    assert await due(room) == []


async def test_it_speaks_the_language_that_the_server_has_chosen(room: Room) -> None:
    await room.services.settings.choose(SERVER, Setting.LANGUAGE, ["en"])
    assert [post.place.locale for post in await due(room)] == ["en"]


async def test_yesterday_s_table_is_of_attempts_made_there_by_those_who_do_not_hide(
    room: Room,
) -> None:
    yesterday = date(2026, 4, 30)
    puzzle = daily_puzzle(yesterday)
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    for who, tried, guild_id in (
        (ANA, (*wrong[:1], puzzle.solution), SERVER),
        (BEN, (puzzle.solution,), SERVER),
        (RUI, tuple(wrong[:3]), SERVER),
        (4, tuple(wrong[:2]), SERVER),
        (5, (puzzle.solution,), SERVER + 1),
        (6, (puzzle.solution,), SERVER),
    ):
        page = PuzzlePage(yesterday, tried)
        await room.services.puzzles.record_tries(who, guild_id, page, puzzle.solution)
    await room.services.privacy.choose(6, {"is_hidden": True})
    (post,) = await due(room)
    assert post.yesterday == (
        PuzzleResult(BEN, 1, 1),
        PuzzleResult(ANA, 2, 1),
        PuzzleResult(RUI, None, 0),
    )

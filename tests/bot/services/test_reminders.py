"""Reminders: who gets one and when, one at a time, also over crashes and several processes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.matches import Match
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.reminders import OutdatedReminder, Reminder
from tests.bot.backend import App
from tests.bot.databases import both_databases, forget_person, save_choices
from tests.bot.example_matches import (
    ANA,
    BEN,
    CHANNEL,
    RUI,
    make_bot_match,
    make_match,
)

MINUTE = timedelta(minutes=1)
TURN = timedelta(minutes=30)
MESSAGE = 500


async def toggle(app: App, user_id: int, channel_id: int = CHANNEL) -> bool | Refusal:
    return await app.services.reminders.toggle(
        make_match().id, user_id=user_id, channel_id=channel_id
    )


def add_match(app: App, board: str = "x.. ... ...", **changes: Any) -> Match:
    """A match whose turn has just begun: Ben's, but for the changes."""
    return app.add(make_match(board, **({"deadline_at": app.now + TURN} | changes)))


async def wait(app: App, time: timedelta = MINUTE) -> list[Reminder]:
    app.now += time
    return await app.services.reminders.claim()


async def post(app: App, reminder: Reminder, message_id: int | None = MESSAGE) -> None:
    assert await app.services.reminders.record_posted(reminder, message_id)


def move(app: App, match: Match, cell: int) -> Match:
    moved = replace(match, moves=(*match.moves, cell), deadline_at=app.now + TURN)
    saved = app.store.matches.save(moved)
    assert saved is not None
    return saved


async def test_who_asked_is_reminded_after_a_minute_and_once(app: App) -> None:
    match = add_match(app)
    assert await toggle(app, BEN) is True
    assert await wait(app, MINUTE - timedelta(seconds=1)) == []
    [reminder] = await wait(app, timedelta(seconds=1))
    assert (reminder.match, reminder.user_id) == (match, BEN)
    await post(app, reminder)
    for _ in range(3):
        assert await wait(app) == []
    assert await app.services.reminders.outdated() == []


async def test_nobody_is_reminded_who_did_not_ask(app: App) -> None:
    add_match(app)
    assert await wait(app) == []
    assert await toggle(app, ANA) is True
    assert await wait(app) == [], "it is Ben's turn"


async def test_what_was_switched_on_can_be_switched_off(app: App) -> None:
    add_match(app)
    assert [await toggle(app, BEN) for _ in range(3)] == [True, False, True]
    await toggle(app, BEN)
    assert await wait(app) == []


@both_databases
async def test_after_a_move_the_message_goes_and_the_next_turn_has_its_own(app: App) -> None:
    match = add_match(app)
    await toggle(app, ANA)
    await toggle(app, BEN)
    [first] = await wait(app)
    await post(app, first)
    match = move(app, match, 4)
    [old] = await app.services.reminders.outdated()
    assert old == OutdatedReminder(match.id, match.version - 1, CHANNEL, MESSAGE)
    assert await wait(app) == [], "one message stands at most"
    await app.services.reminders.remove(old)
    [second] = await wait(app, timedelta())
    assert (second.user_id, second.nonce == first.nonce) == (ANA, False)


@both_databases
async def test_the_message_goes_when_the_match_ends(app: App) -> None:
    match = add_match(app)
    await toggle(app, BEN)
    [reminder] = await wait(app)
    await post(app, reminder)
    app.now = match.deadline_at
    await app.services.matches.expire()
    [old] = await app.services.reminders.outdated()
    assert old.message_id == MESSAGE
    assert app.store.reminders.choices_of(BEN) == {}, "what was chosen goes with the match"


@both_databases
async def test_a_wish_for_all_matches_holds_unless_switched_off_on_the_board(app: App) -> None:
    add_match(app)
    save_choices(app.store, BEN, wants_reminders=True)
    [reminder] = await wait(app)
    assert reminder.user_id == BEN
    app.store.reminders.remove(reminder.match.id, reminder.match.version)
    assert await toggle(app, BEN) is False
    assert await wait(app) == []


async def test_who_takes_no_challenges_is_never_reminded(app: App) -> None:
    add_match(app)
    await toggle(app, BEN)
    save_choices(app.store, BEN, takes_challenges=False, wants_reminders=True)
    assert await wait(app) == []
    assert await toggle(app, BEN) == Refusal(RefusalReason.NO_REMINDERS)


@pytest.mark.parametrize(
    ("match", "user_id", "reason"),
    [
        (make_match(), RUI, RefusalReason.NOT_A_PLAYER),
        (make_match(accepted=False), BEN, RefusalReason.OPEN_CHALLENGE),
        (make_match("xxx oo. ..."), BEN, RefusalReason.MATCH_OVER),
        (make_bot_match(), ANA, RefusalReason.UNKNOWN_BUTTON),
    ],
)
async def test_only_players_of_a_match_between_people_can_ask(
    app: App, match: Match, user_id: int, reason: RefusalReason
) -> None:
    app.add(match)
    assert await toggle(app, user_id) == Refusal(reason)
    assert await toggle(app, user_id, CHANNEL + 1) == Refusal(RefusalReason.UNKNOWN_MATCH)


@pytest.mark.parametrize(
    "match", [make_match(accepted=False), make_match("xxx oo. ..."), make_bot_match("x.. ... ...")]
)
async def test_only_a_turn_between_people_is_reminded_of(app: App, match: Match) -> None:
    app.add(match)
    for player in (ANA, BEN):
        save_choices(app.store, player, wants_reminders=True)
    assert await wait(app) == []


@pytest.mark.parametrize(("moves", "to_move"), [((), ANA), ((4,), BEN), ((4, 0), ANA)])
async def test_it_is_the_player_to_move_who_is_reminded(
    app: App, moves: tuple[int, ...], to_move: int
) -> None:
    add_match(app, moves=moves)
    for player in (ANA, BEN):
        await toggle(app, player)
    assert [reminder.user_id for reminder in await wait(app)] == [to_move]


async def test_turns_may_have_their_own_length(app: App) -> None:
    add_match(app, turn_minutes=5, deadline_at=app.now + timedelta(minutes=5))
    await toggle(app, BEN)
    assert await wait(app, timedelta(seconds=59)) == []
    assert len(await wait(app, timedelta(seconds=1))) == 1


async def test_a_turn_whose_time_is_up_is_not_reminded_of(app: App) -> None:
    add_match(app)
    await toggle(app, BEN)
    assert await wait(app, TURN) == []


@both_databases
async def test_two_processes_post_one_reminder(app: App) -> None:
    add_match(app)
    await toggle(app, BEN)
    app.now += MINUTE
    claimed = [store.reminders.claim(app.now, TURN) for store in (app.store, app.other_store)]
    assert [len(batch) for batch in claimed] == [1, 0]


@both_databases
async def test_a_crash_before_posting_is_made_up_for_but_not_for_ever(app: App) -> None:
    add_match(app)
    await toggle(app, BEN)
    [first] = await wait(app)
    assert await wait(app, timedelta(seconds=15)) == [], "it may be on its way"
    [second] = await wait(app, timedelta(seconds=15))
    assert second.nonce == first.nonce, "so that Discord takes it once"
    for _ in range(10):
        await wait(app, timedelta(seconds=30))
    assert await wait(app, timedelta(seconds=30)) == []


async def test_a_crash_long_ago_forgets_one_turn_only(app: App) -> None:
    match = add_match(app)
    await toggle(app, ANA)
    await toggle(app, BEN)
    await wait(app)
    app.now += 5 * MINUTE
    match = move(app, match, 4)
    [old] = await app.services.reminders.outdated()
    assert old.message_id is None
    await app.services.reminders.remove(old)
    assert [reminder.user_id for reminder in await wait(app)] == [ANA]


async def test_a_reminder_on_its_way_is_not_old(app: App) -> None:
    match = add_match(app)
    await toggle(app, BEN)
    [reminder] = await wait(app)
    move(app, match, 4)
    assert await app.services.reminders.outdated() == []
    await post(app, reminder)
    assert len(await app.services.reminders.outdated()) == 1


async def test_a_message_that_comes_too_late_is_not_wanted(app: App) -> None:
    match = add_match(app)
    await toggle(app, BEN)
    [reminder] = await wait(app)
    move(app, match, 4)
    app.now += 2 * MINUTE
    [old] = await app.services.reminders.outdated()
    await app.services.reminders.remove(old)
    assert not await app.services.reminders.record_posted(reminder, MESSAGE)


async def test_where_discord_refuses_it_is_not_tried_again(app: App) -> None:
    match = add_match(app)
    await toggle(app, BEN)
    [reminder] = await wait(app)
    await post(app, reminder, None)
    assert await wait(app) == []
    move(app, match, 4)
    [old] = await app.services.reminders.outdated()
    assert old.message_id is None, "there is nothing to delete"


async def test_what_was_asked_for_is_exported_and_deleted(app: App) -> None:
    add_match(app)
    await toggle(app, BEN)
    assert (await app.export(BEN))["reminders"] == [{"match": 7, "on": True}]
    forget_person(app.store, BEN, 8)
    assert app.store.reminders.choices_of(BEN) == {}

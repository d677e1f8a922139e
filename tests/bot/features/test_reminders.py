"""Reminders: who gets one and when, one at a time, also over crashes and several processes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.matches import Match
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.reminders import OutdatedReminder, Reminder
from bot.features import reminders
from bot.store.matches import compare_and_set
from tests.bot.backend import TURN, App
from tests.bot.databases import both_databases, call, save_choices
from tests.bot.example_matches import ANA, BEN, CHANNEL, RUI, make_bot_match, make_match
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text

ON = "From now on, I'll ping you in any match if you take over a minute to move."
OFF = "All right, no more reminders in any match."


def pings(guild: SimulatedGuild) -> list[tuple[str, list[int]]]:
    """The messages of the channel that ping people, and whom."""
    get_message = guild.env.backend.get_message
    found = [(seen, get_message(seen.channel_id, seen.id)) for seen in guild.messages()]
    return [(seen.text, [*sent.ping_user_ids]) for seen, sent in found if sent.ping_user_ids]


async def begin(guild: SimulatedGuild) -> SeenMessage:
    """Ana and Ben play, and it is Ben's turn, who asks for reminders on a board drawn before."""
    await guild.challenge()
    early = guild.newest()
    await guild.press(guild.ana, "B2")
    assert private_text(await guild.press(guild.ben, "Remind me", early)) == ON
    return guild.newest()


def reminders_in(guild: SimulatedGuild) -> list[str]:
    return [text for text, _pinged in pings(guild) if "your turn" in text]


async def test_who_asked_is_mentioned_after_a_minute_until_they_move(guild: SimulatedGuild) -> None:
    board = await begin(guild)
    await guild.env.advance_time(50)
    assert reminders_in(guild) == []
    await guild.env.advance_time(30)
    said = f"<@{guild.ben.id}>, it's your turn. [Go to the board]({board.link})"
    assert (said, [guild.ben.id]) in pings(guild)
    before = guild.requests()
    await guild.press(guild.ben, "A1", board)
    assert len(guild.requests()) == len(before) + 1, "whoever moves pays nothing for it"
    await guild.env.advance_time(20)
    assert reminders_in(guild) == []
    await guild.env.advance_time(60)
    assert reminders_in(guild) == [], "Ana did not ask"
    assert guild.newest().board == "o.. .x. ..."


async def test_a_message_that_discord_will_not_delete_is_left_alone(guild: SimulatedGuild) -> None:
    await begin(guild)
    await guild.env.advance_time(80)
    guild.fail("/channels/*/messages/*", (404, 10008), method="DELETE")
    await guild.press(guild.ben, "A1")
    await guild.env.advance_time(90)
    assert [method for method, _path in guild.requests()].count("DELETE") == 1


async def test_a_message_is_deleted_once_discord_answers_again(guild: SimulatedGuild) -> None:
    await begin(guild)
    await guild.env.advance_time(80)
    guild.fail("/channels/*/messages/*", (500, 0), method="DELETE")
    await guild.press(guild.ben, "A1")
    await guild.env.advance_time(20)
    assert len(reminders_in(guild)) == 1
    guild.recover()
    await guild.env.advance_time(20)
    assert reminders_in(guild) == []


async def test_a_thread_that_is_archived_gets_no_second_try(guild: SimulatedGuild) -> None:
    await begin(guild)
    path = f"/channels/{guild.channel.id}/messages"
    guild.fail(path, (400, 50083), method="POST")
    await guild.env.advance_time(140)
    assert guild.requests().count(("POST", path)) == 1


@pytest.mark.logs_errors
async def test_a_reminder_that_discord_failed_to_take_is_posted_later(
    guild: SimulatedGuild,
) -> None:
    await begin(guild)
    guild.fail(f"/channels/{guild.channel.id}/messages", (500, 0), method="POST")
    await guild.env.advance_time(70)
    assert reminders_in(guild) == []
    guild.recover()
    await guild.env.advance_time(40)
    assert len(reminders_in(guild)) == 1


# Whose turn it is

MINUTE = timedelta(minutes=1)
MESSAGE = 500


def toggle(app: App, user_id: int, channel_id: int = CHANNEL) -> bool:
    """Switch reminders on or off, as a press does; whether they are on now."""
    match_id = make_match().id
    was_on = call(app.store, reminders.wants_reminders, match_id, user_id, channel_id)
    save_choices(app.store, user_id, wants_reminders=not was_on)
    return not was_on


def outdated(app: App) -> list[OutdatedReminder]:
    return call(app.store, reminders.load_outdated, app.now)


def add_match(app: App, board: str = "x.. ... ...", **changes: Any) -> Match:
    """A match whose turn has just begun: Ben's, but for the changes."""
    return app.add(make_match(board, **({"deadline_at": app.now + TURN} | changes)))


def wait(app: App, time: timedelta = MINUTE) -> list[Reminder]:
    """Time passes, and what is due is claimed."""
    app.now += time
    return call(app.store, reminders.claim, app.now, TURN)


def post(app: App, reminder: Reminder, message_id: int | None = MESSAGE) -> None:
    assert call(app.store, reminders.record, reminder, message_id)


def refused(app: App, user_id: int, reason: RefusalReason, channel_id: int = CHANNEL) -> None:
    with pytest.raises(Refused) as because:
        toggle(app, user_id, channel_id)
    assert refusal_of(because.value) == Refusal(reason)


def move(app: App, match: Match, cell: int) -> Match:
    moved = replace(match, moves=(*match.moves, cell), deadline_at=app.now + TURN)
    saved = call(app.store, compare_and_set, moved)
    assert saved is not None
    return saved


async def test_who_asked_is_reminded_after_a_minute_and_once(app: App) -> None:
    match = add_match(app)
    assert toggle(app, BEN) is True
    assert wait(app, MINUTE - timedelta(seconds=1)) == []
    [reminder] = wait(app, timedelta(seconds=1))
    assert (reminder.match, reminder.user_id) == (match, BEN)
    post(app, reminder)
    for _ in range(3):
        assert wait(app) == []
    assert outdated(app) == []


async def test_nobody_is_reminded_who_did_not_ask(app: App) -> None:
    add_match(app)
    assert wait(app) == []
    assert toggle(app, ANA) is True
    assert wait(app) == [], "it is Ben's turn"


async def test_what_was_switched_on_can_be_switched_off(app: App) -> None:
    add_match(app)
    assert [toggle(app, BEN) for _ in range(3)] == [True, False, True]
    toggle(app, BEN)
    assert wait(app) == []


@both_databases
async def test_after_a_move_the_message_goes_and_the_next_turn_has_its_own(app: App) -> None:
    match = add_match(app)
    toggle(app, ANA)
    toggle(app, BEN)
    [first] = wait(app)
    post(app, first)
    match = move(app, match, 4)
    [old] = outdated(app)
    assert old == OutdatedReminder(match.id, match.version - 1, CHANNEL, MESSAGE)
    assert wait(app) == [], "one message stands at most"
    call(app.store, reminders.remove, old)
    [second] = wait(app, timedelta())
    assert (second.user_id, second.nonce == first.nonce) == (ANA, False)


@both_databases
async def test_the_message_goes_when_the_match_ends(app: App) -> None:
    match = add_match(app)
    toggle(app, BEN)
    [reminder] = wait(app)
    post(app, reminder)
    app.now = match.deadline_at
    await app.matches.expire()
    [old] = outdated(app)
    assert old.message_id == MESSAGE


async def test_the_button_on_a_board_turns_the_person_s_own_switch(guild: SimulatedGuild) -> None:
    board = await begin(guild)
    await guild.ben.slash(guild.channel, "velha privacy")
    page = guild.page()
    assert "I ping you when someone is waiting for your move." in page.text
    await guild.press(guild.ben, "No reminders", page)
    assert private_text(await guild.press(guild.ben, "Remind me", board)) == ON
    assert private_text(await guild.press(guild.ben, "Remind me", board)) == OFF
    await guild.env.advance_time(80)
    assert reminders_in(guild) == []


async def test_who_takes_no_challenges_may_be_reminded_all_the_same(app: App) -> None:
    add_match(app)
    save_choices(app.store, BEN, takes_challenges=False, wants_reminders=True)
    [reminder] = wait(app)
    assert reminder.user_id == BEN


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
    refused(app, user_id, reason)
    refused(app, user_id, RefusalReason.UNKNOWN_MATCH, CHANNEL + 1)


@pytest.mark.parametrize(
    "match", [make_match(accepted=False), make_match("xxx oo. ..."), make_bot_match("x.. ... ...")]
)
async def test_only_a_turn_between_people_is_reminded_of(app: App, match: Match) -> None:
    app.add(match)
    for player in (ANA, BEN):
        save_choices(app.store, player, wants_reminders=True)
    assert wait(app) == []


@pytest.mark.parametrize(("moves", "to_move"), [((), ANA), ((4,), BEN), ((4, 0), ANA)])
async def test_it_is_the_player_to_move_who_is_reminded(
    app: App, moves: tuple[int, ...], to_move: int
) -> None:
    add_match(app, moves=moves)
    for player in (ANA, BEN):
        toggle(app, player)
    assert [reminder.user_id for reminder in wait(app)] == [to_move]


async def test_turns_may_have_their_own_length(app: App) -> None:
    add_match(app, turn_minutes=5, deadline_at=app.now + timedelta(minutes=5))
    toggle(app, BEN)
    assert wait(app, timedelta(seconds=59)) == []
    assert len(wait(app, timedelta(seconds=1))) == 1


async def test_a_turn_whose_time_is_up_is_not_reminded_of(app: App) -> None:
    add_match(app)
    toggle(app, BEN)
    assert wait(app, TURN) == []


@both_databases
async def test_two_processes_post_one_reminder(app: App) -> None:
    add_match(app)
    toggle(app, BEN)
    app.now += MINUTE
    stores = (app.store, app.other_store)
    claimed = [call(store, reminders.claim, app.now, TURN) for store in stores]
    assert [len(batch) for batch in claimed] == [1, 0]


@both_databases
async def test_a_reminder_lost_in_a_crash_is_posted_later_but_not_for_ever(app: App) -> None:
    add_match(app)
    toggle(app, BEN)
    [first] = wait(app)
    assert wait(app, timedelta(seconds=15)) == [], "it may be on its way"
    [second] = wait(app, timedelta(seconds=15))
    assert second.nonce == first.nonce, "so that Discord takes it once"
    for _ in range(10):
        wait(app, timedelta(seconds=30))
    assert wait(app, timedelta(seconds=30)) == []


async def test_a_crash_long_ago_forgets_one_turn_only(app: App) -> None:
    match = add_match(app)
    toggle(app, ANA)
    toggle(app, BEN)
    wait(app)
    app.now += 5 * MINUTE
    match = move(app, match, 4)
    [old] = outdated(app)
    assert old.message_id is None
    call(app.store, reminders.remove, old)
    assert [reminder.user_id for reminder in wait(app)] == [ANA]


async def test_a_reminder_on_its_way_is_not_old(app: App) -> None:
    match = add_match(app)
    toggle(app, BEN)
    [reminder] = wait(app)
    move(app, match, 4)
    assert outdated(app) == []
    post(app, reminder)
    assert len(outdated(app)) == 1


async def test_a_message_that_comes_too_late_is_not_wanted(app: App) -> None:
    match = add_match(app)
    toggle(app, BEN)
    [reminder] = wait(app)
    move(app, match, 4)
    app.now += 2 * MINUTE
    [old] = outdated(app)
    call(app.store, reminders.remove, old)
    assert not call(app.store, reminders.record, reminder, MESSAGE)


async def test_where_discord_refuses_it_is_not_tried_again(app: App) -> None:
    match = add_match(app)
    toggle(app, BEN)
    [reminder] = wait(app)
    post(app, reminder, None)
    assert wait(app) == []
    move(app, match, 4)
    [old] = outdated(app)
    assert old.message_id is None, "there is nothing to delete"

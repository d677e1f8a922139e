"""Matches: opened, found, reposted, stopped, expired, pruned and given up."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from bot.domain.ids import time_snowflake
from bot.domain.match_actions import MatchAction, Press
from bot.domain.matches import (
    Ending,
    EndReason,
    FirstPlayer,
    HeadToHead,
    Match,
    MatchOpened,
    MatchRequest,
    Place,
    Player,
    Setup,
    Trail,
)
from bot.domain.refusals import RefusalReason, Refused
from bot.features import matches
from bot.runtime.clock import Clock
from bot.store.matches import live_in
from bot.views.refusals import not_opened_view
from engine import TIC_TAC_TOE, Level, Mark, Rules
from tests.bot.backend import (
    CHALLENGE,
    TURN,
    YEAR,
    App,
    Backend,
    Matches,
    match_opened,
    match_request,
)
from tests.bot.contexts import context
from tests.bot.databases import both_databases, call, count_hint, forget_person, save_settings
from tests.bot.example_matches import (
    ANA,
    BEN,
    BOARD_MESSAGE,
    CHANNEL,
    DRAWN,
    NEXT_MATCH,
    NOON,
    O_WON,
    PLAYED,
    RUI,
    SERVER,
    UNPOSTED,
    VELHA,
    X_WON,
    make_bot_match,
    make_match,
)
from tests.bot.refusals import Refusal
from tests.bot.views.examples import EN, buttons, text_of

CENTRE = 4
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STOPPED = Ending(EndReason.STOPPED)


# Opening


@pytest.mark.parametrize(
    ("server", "opener", "spoken"),
    [
        ("pt-BR", "en-US", "pt-BR"),
        ("en-GB", "pt-BR", "en-GB"),
        ("en-US", "pt-BR", "pt-BR"),
        ("en-US", "hi", "hi"),
    ],
)
async def test_a_board_is_in_the_server_s_language_or_else_the_opener_s(
    app: App, server: str, opener: str, spoken: str
) -> None:
    """American English is what Discord says of a server that has not chosen."""
    asked = context(app.backend.runtime, locales=(opener, server))
    assert asked.place.locale == spoken


async def test_without_an_opponent_one_plays_the_bot_at_an_easy_level(app: App) -> None:
    opened = await app.open(match_request(7, ANA))
    assert opened == MatchOpened(
        Match(
            id=7,
            place=Place(CHANNEL, SERVER, "pt-BR"),
            x=Player(ANA),
            o=Player(VELHA, Level.EASY),
            opened_by=ANA,
            accepted=True,
            deadline_at=app.now + TURN,
            trail=Trail(Setup(TIC_TAC_TOE, Level.EASY), 0, 0),
            is_open=True,
        )
    )
    assert app.load(opened.match) == opened.match


@pytest.mark.parametrize(
    "wish",
    [{"level": Level.EASY}, {"opponent_id": VELHA}, {"place": Place(CHANNEL, None, "pt-BR")}],
)
async def test_no_seat_is_open_if_the_bot_was_chosen_or_in_direct_messages(
    app: App, wish: dict[str, Any]
) -> None:
    opened = await app.open(replace(match_request(7, ANA), **wish))
    assert not opened.match.has_open_seat


async def test_naming_an_opponent_challenges_and_pings_them_for_five_minutes(app: App) -> None:
    opened = await app.open(match_request(7, ANA, opponent_id=BEN, rules=Rules(4, 4, 3)))
    assert opened == MatchOpened(
        Match(
            id=7,
            place=Place(CHANNEL, SERVER, "pt-BR"),
            x=Player(ANA),
            o=Player(BEN),
            opened_by=ANA,
            accepted=False,
            deadline_at=app.now + CHALLENGE,
            rules=Rules(4, 4, 3),
            head_to_head=HeadToHead(),
        ),
        pinged_user_id=BEN,
    )


async def test_naming_the_bot_plays_it_without_a_challenge(app: App) -> None:
    opened = await app.open(match_request(7, ANA, opponent_id=VELHA, level=Level.EASY))
    assert opened.match.accepted
    assert opened.match.o == Player(VELHA, Level.EASY)
    assert opened.pinged_user_id is None


async def test_the_bot_has_already_moved_if_it_begins(app: App) -> None:
    opened = await app.open(match_request(7, ANA, first=FirstPlayer.OPPONENT))
    assert opened.match.x.is_bot
    assert len(opened.match.moves) == 1
    assert opened.match.to_move == Player(ANA)


async def test_the_challenged_may_begin(app: App) -> None:
    opened = await app.open(match_request(7, ANA, opponent_id=BEN, first=FirstPlayer.OPPONENT))
    assert (opened.match.x, opened.match.o) == (Player(BEN), Player(ANA))
    assert opened.pinged_user_id == BEN


async def test_either_begins_if_chosen_at_random(app: App) -> None:
    begin = set()
    for number in range(1, 11):
        opened = await app.open(match_request(number, ANA, number, first=FirstPlayer.RANDOM))
        begin.add(opened.match.x.user_id)
    assert begin == {ANA, VELHA}


@pytest.mark.parametrize(
    ("server", "asks_for", "plays"),
    [
        (SERVER, None, Level.HARD),
        (SERVER, Level.EASY, Level.EASY),
        (SERVER + 1, None, Level.EASY),
        (None, None, Level.EASY),
    ],
)
async def test_the_level_is_the_one_asked_for_or_the_server_s_or_one_s_own(
    app: App, server: int | None, asks_for: Level | None, plays: Level
) -> None:
    save_settings(app.store, SERVER, level=Level.HARD)
    place = Place(CHANNEL, server, "pt-BR")
    opened = await app.open(MatchRequest(7, place, ANA, level=asks_for))
    assert opened.match.o.level is plays


UP_TO_MEDIUM = [make_bot_match(X_WON, level) for level in (Level.EASY, Level.MEDIUM)]


async def next_level_of_ana(app: App, number: int = 99) -> Level | None:
    """The bot's level in a match that Ana starts, with an id and a channel of its own."""
    request = MatchRequest(number, Place(CHANNEL + number, SERVER, "pt-BR"), ANA)
    return (await app.open(request)).match.o.level


@pytest.mark.parametrize(
    ("ended", "expected"),
    [
        ([make_bot_match(X_WON, Level.EASY)], Level.MEDIUM),
        ([make_bot_match(DRAWN, Level.EASY)], Level.EASY),
        ([make_bot_match(O_WON, Level.EASY)], Level.EASY),
        ([make_bot_match(X_WON, Level.EASY, hints=1)], Level.EASY),
        ([make_bot_match(X_WON, Level.EASY, x=Player(BEN))], Level.EASY),
        ([make_bot_match("xxx. oo.. .... ....", Level.EASY, rules=Rules(4, 4, 3))], Level.EASY),
        ([make_match("oo. xxx ...", x=Player(VELHA, Level.EASY), o=Player(ANA))], Level.EASY),
        ([make_match(O_WON, x=Player(VELHA, Level.EASY), o=Player(ANA))], Level.MEDIUM),
        ([*UP_TO_MEDIUM, make_bot_match(DRAWN, Level.HARD)], Level.HARD),
        ([*UP_TO_MEDIUM, *[make_bot_match(DRAWN, Level.HARD)] * 2], Level.IMPOSSIBLE),
    ],
)
async def test_people_meet_the_lowest_level_they_have_not_passed(
    app: App, ended: list[Match], expected: Level
) -> None:
    for number, match in enumerate(ended, 1):
        app.end(replace(match, id=number))
    assert await next_level_of_ana(app) is expected


async def test_a_server_may_choose_a_level_and_leave_it_to_each_person_again(app: App) -> None:
    app.end(make_bot_match(X_WON, Level.EASY))
    save_settings(app.store, SERVER, level=Level.EXPERT)
    assert await next_level_of_ana(app, 98) is Level.EXPERT
    save_settings(app.store, SERVER, level=None)
    assert await next_level_of_ana(app, 99) is Level.MEDIUM


async def test_a_restart_ends_one_s_own_match_and_opens_another(app: App) -> None:
    live = app.add(make_bot_match(PLAYED))
    opened = match_opened(await app.matches.restart(live.id, match_request(8, ANA)))
    assert opened.match.id == 8
    (ended,) = opened.also_changed
    assert ended.id == live.id
    assert ended.ending == Ending(EndReason.RESIGNED, Mark.O)


async def test_a_restart_cancels_one_s_own_challenge(app: App) -> None:
    challenge = app.add(make_match(accepted=False))
    opened = match_opened(await app.matches.restart(challenge.id, match_request(8, ANA)))
    (cancelled,) = opened.also_changed
    assert cancelled.ending == Ending(EndReason.CANCELLED)


async def test_a_restart_ends_no_other_match(app: App) -> None:
    live = app.add(make_bot_match(PLAYED, deadline_at=app.now + TURN))
    request = match_request(8, RUI)
    assert await app.matches.restart(live.id, request) == Refusal(
        RefusalReason.CHANNEL_BUSY, live, request=request
    )
    request = match_request(8, ANA)
    assert await app.matches.restart(live.id + 1, request) == Refusal(
        RefusalReason.CHANNEL_BUSY, live, request=request
    )
    assert app.load(live).is_live


async def test_a_restart_that_the_server_no_longer_allows_here_ends_nothing(app: App) -> None:
    live = app.add(make_bot_match(PLAYED))
    save_settings(app.store, SERVER, channels=(CHANNEL + 1,))
    refused = await app.matches.restart(live.id, match_request(8, ANA))
    assert isinstance(refused, Refusal)
    assert refused.reason is RefusalReason.BOARDS_ELSEWHERE
    assert app.load(live) == live


async def test_a_restart_takes_a_concurrent_move_into_account(app: App) -> None:
    live = app.add(make_bot_match("x.. ... ..."))
    moved = replace(live, moves=(0, 4, 8))
    app.save_elsewhere(moved, before="BEGIN")
    opened = match_opened(await app.matches.restart(live.id, match_request(8, ANA)))
    (ended,) = opened.also_changed
    assert (ended.moves, ended.ending) == (moved.moves, Ending(EndReason.RESIGNED, Mark.O))


@both_databases
async def test_a_restart_that_comes_twice_opens_one_match(app: App) -> None:
    live = app.add(make_bot_match(PLAYED))
    request = match_request(8, ANA)
    outcomes = await asyncio.gather(*(app.matches.restart(live.id, request) for _ in range(2)))
    opened = [outcome.match for outcome in outcomes if isinstance(outcome, MatchOpened)]
    assert [match.id for match in opened] == [8, 8]
    assert app.load(live).ending == Ending(EndReason.RESIGNED, Mark.O)


async def test_a_restart_after_the_match_has_ended_opens_the_other(app: App) -> None:
    over = app.add(replace(make_bot_match(X_WON), ended_at=app.now))
    opened = match_opened(await app.matches.restart(over.id, match_request(8, ANA)))
    assert opened.also_changed == ()


@pytest.mark.parametrize("opponent", [None, BEN])
async def test_a_start_that_comes_twice_opens_one_match(app: App, opponent: int | None) -> None:
    """A retry, or another process that got it too: neither is told that the channel is busy."""
    request = match_request(7, ANA, opponent_id=opponent)
    opened = await app.open(request)
    assert await app.matches.open(request) == opened


async def test_a_start_that_comes_again_after_its_match_is_over_opens_no_other(app: App) -> None:
    over = app.add(make_match(PLAYED, early_ending=Ending(EndReason.STOPPED)))
    assert await app.matches.open(match_request(7, ANA)) == MatchOpened(over)


async def test_a_start_that_comes_again_cancels_no_challenge_made_since(app: App) -> None:
    app.add(make_match(early_ending=STOPPED))
    challenge = app.add(make_match(id=NEXT_MATCH, accepted=False))
    request = match_request(7, ANA)
    assert await app.matches.open(request) == Refusal(
        RefusalReason.CHALLENGE_HERE, challenge, request=request
    )
    assert app.load(challenge) == challenge


@both_databases
async def test_of_many_starts_at_once_one_opens_a_match(app: App) -> None:
    starts = [app.matches.open(match_request(number, number)) for number in range(1, 7)]
    outcomes = await asyncio.gather(*starts)
    (match,) = [outcome.match for outcome in outcomes if isinstance(outcome, MatchOpened)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
    assert [refusal.match for refusal in refused] == [match] * 5


async def test_a_live_match_keeps_the_channel_busy(app: App) -> None:
    holder = app.add(make_match(PLAYED))
    for who in (ANA, RUI):
        request = match_request(8, who, opponent_id=BEN)
        busy = await app.matches.open(request)
        assert busy == Refusal(RefusalReason.CHANNEL_BUSY, holder, request=request)
    other = await app.matches.open(match_request(9, RUI, CHANNEL + 1))
    assert isinstance(other, MatchOpened), "another channel is free"


async def test_somebody_else_s_challenge_keeps_the_channel_busy(app: App) -> None:
    holder = app.add(make_match(accepted=False))
    for who in (BEN, RUI):
        request = match_request(8, who)
        assert await app.matches.open(request) == Refusal(
            RefusalReason.CHALLENGE_HERE, holder, request=request
        )
    assert app.load(holder).is_live


async def test_one_s_own_open_challenge_makes_way(app: App) -> None:
    challenge = app.add(make_match(accepted=False))
    opened = await app.open(match_request(8, ANA))
    cancelled = replace(
        challenge, early_ending=Ending(EndReason.CANCELLED), ended_at=app.now, version=1
    )
    assert opened.also_changed == (cancelled,)
    assert app.load(challenge) == cancelled


async def test_one_s_own_challenge_does_not_make_way_if_accepted_meanwhile(app: App) -> None:
    challenge = app.add(make_match(accepted=False))
    accepted = replace(challenge, accepted=True)
    app.save_elsewhere(accepted, before="BEGIN")
    request = match_request(8, ANA)
    busy = await app.matches.open(request)
    current = replace(accepted, version=1)
    assert busy == Refusal(RefusalReason.CHANNEL_BUSY, current, request=request)


async def test_an_overdue_match_makes_way_and_is_redrawn(app: App) -> None:
    due = app.add(make_match(PLAYED))
    app.now = NOON
    opened = await app.open(match_request(8, RUI))
    assert [(match.id, match.ending) for match in opened.also_changed] == [
        (due.id, Ending(EndReason.TIMED_OUT, Mark.O))
    ]


# A match that stands still gives way


FIVE_MINUTES = timedelta(minutes=5)


async def busy(app: App, who: int) -> Refusal:
    refusal = await app.matches.open(match_request(8, who))
    assert isinstance(refusal, Refusal)
    return refusal


async def test_a_match_against_the_bot_gives_way_after_five_minutes(app: App) -> None:
    match = app.add(make_bot_match(PLAYED, deadline_at=app.now + TURN))
    app.now += FIVE_MINUTES - timedelta(seconds=1)
    assert not (await busy(app, RUI)).gives_way
    still = await app.matches.restart(match.id, match_request(9, RUI))
    assert isinstance(still, Refusal)
    assert app.load(match) == match
    app.now += timedelta(seconds=1)
    assert (await busy(app, RUI)).gives_way
    opened = match_opened(await app.matches.restart(match.id, match_request(9, RUI)))
    called_off = replace(
        match, early_ending=Ending(EndReason.CALLED_OFF), ended_at=app.now, version=1
    )
    assert opened.also_changed == (called_off,)
    again = await app.press(called_off, MatchAction.REMATCH)
    assert isinstance(again, Refusal)
    assert again.match == opened.match


@pytest.mark.parametrize("turn_minutes", [None, 30, 10])
async def test_it_gives_way_five_minutes_into_any_turn_that_is_not_longer_than_usual(
    app: App, turn_minutes: int | None
) -> None:
    turn = timedelta(minutes=turn_minutes) if turn_minutes else TURN
    app.add(make_bot_match(PLAYED, deadline_at=app.now + turn, turn_minutes=turn_minutes))
    assert not (await busy(app, RUI)).gives_way
    app.now += FIVE_MINUTES
    assert (await busy(app, RUI)).gives_way


@pytest.mark.parametrize(
    "match",
    [
        make_bot_match(PLAYED, turn_minutes=31),
        make_match(PLAYED),
        make_match(accepted=False),
    ],
    ids=["longer turns", "between people", "a challenge"],
)
async def test_nothing_else_gives_way(app: App, match: Match) -> None:
    app.add(replace(match, deadline_at=app.now + FIVE_MINUTES))
    app.now += timedelta(minutes=4)
    assert not (await busy(app, RUI)).gives_way
    outcome = await app.matches.restart(match.id, match_request(9, RUI))
    assert isinstance(outcome, Refusal)
    assert app.load(match).is_live


async def test_a_move_right_before_keeps_a_match_from_giving_way(app: App) -> None:
    match = app.add(make_bot_match(PLAYED, deadline_at=app.now + TURN))
    app.now += FIVE_MINUTES
    moved = replace(match, moves=(0, 4, 8, 1), deadline_at=app.now + TURN)
    app.save_elsewhere(moved, before="BEGIN")
    outcome = await app.matches.restart(match.id, match_request(9, RUI))
    assert isinstance(outcome, Refusal)
    assert not outcome.gives_way
    assert app.load(match).is_live


# Whom a challenge pings


async def challenges(app: App, who: int, whom: int) -> MatchOpened:
    request = match_request(time_snowflake(app.now), who, opponent_id=whom)
    return await app.open(request)


async def cancel_challenge(app: App, challenge: Match) -> None:
    await app.press(challenge, MatchAction.CANCEL, challenge.opened_by)


@pytest.mark.parametrize(("minutes", "pings"), [(1, None), (10, None), (11, BEN)])
async def test_an_unanswered_challenge_prevents_another_ping_for_ten_minutes(
    app: App, minutes: int, pings: int | None
) -> None:
    await cancel_challenge(app, (await challenges(app, ANA, BEN)).match)
    app.now += minutes * MINUTE
    assert (await challenges(app, ANA, BEN)).pinged_user_id == pings


async def test_deleting_one_s_data_does_not_shorten_the_time_between_pings(app: App) -> None:
    await challenges(app, ANA, BEN)
    app.now += MINUTE
    forget_person(app.store, ANA, time_snowflake(app.now))
    app.now += MINUTE
    assert (await challenges(app, ANA, BEN)).pinged_user_id is None


async def test_an_unanswered_challenge_does_not_prevent_pings_between_others(app: App) -> None:
    await cancel_challenge(app, (await challenges(app, ANA, BEN)).match)
    for who, whom in ((RUI, BEN), (ANA, RUI), (BEN, ANA)):
        app.now += MINUTE
        again = await challenges(app, who, whom)
        assert again.pinged_user_id == whom
        await cancel_challenge(app, again.match)


@pytest.mark.parametrize(("first", "second"), [(ANA, BEN), (BEN, ANA)])
async def test_an_accepted_challenge_allows_another_ping(app: App, first: int, second: int) -> None:
    await cancel_challenge(app, (await challenges(app, ANA, BEN)).match)
    app.now += MINUTE
    challenge = (await challenges(app, first, second)).match
    await app.press(challenge, MatchAction.ACCEPT, second)
    await app.stop(RUI, is_moderator=True, interaction_id=time_snowflake(app.now))
    app.now += MINUTE
    assert (await challenges(app, ANA, BEN)).pinged_user_id == BEN


# What is offered where a match goes on


@pytest.mark.parametrize(
    ("asked", "gives_way", "labels"),
    [
        (match_request(8, ANA), False, ["End mine, play here"]),
        (match_request(8, ANA, opponent_id=BEN), False, []),
        (match_request(8, RUI), False, []),
        (match_request(8, RUI), True, ["Play here"]),
    ],
)
def test_a_refusal_offers_to_end_one_s_own_match_or_one_that_gives_way(
    asked: MatchRequest, labels: list[str], *, gives_way: bool
) -> None:
    busy, match = RefusalReason.CHANNEL_BUSY, make_match(PLAYED)
    refused = Refused(busy, match=match, request=asked, gives_way=gives_way)
    view = not_opened_view(refused, asked.opener_id, EN, can_make_thread=False)
    assert [button.label for button in buttons(view)] == ["Go to the board", *labels]


@pytest.mark.parametrize(
    ("board", "asked", "is_said"),
    [
        (PLAYED, match_request(8, ANA), True),
        (PLAYED, match_request(8, ANA, opponent_id=BEN), False),
        (PLAYED, match_request(8, RUI), False),
        ("... ... ...", match_request(8, ANA), False),
    ],
)
def test_whoever_may_end_a_match_of_their_own_reads_that_it_is_lost(
    board: str, asked: MatchRequest, *, is_said: bool
) -> None:
    match = make_match(board)
    refused = Refused(RefusalReason.CHANNEL_BUSY, match=match, request=asked, gives_way=True)
    view = not_opened_view(refused, asked.opener_id, EN, can_make_thread=False)
    assert ("If you end yours, you lose it." in text_of(view)) == is_said


# Reposting and stopping


async def test_a_board_is_reposted_as_it_is(app: App) -> None:
    match = app.add(make_match(PLAYED))
    assert await app.matches.repost(CHANNEL) == match
    assert await app.matches.repost(CHANNEL + 1) == Refusal(RefusalReason.NO_MATCH_HERE)


@pytest.mark.parametrize("act", ["repost", "stop"])
async def test_an_overdue_match_cannot_be_reposted_or_stopped(app: App, act: str) -> None:
    app.add(make_match(PLAYED))
    app.now = NOON
    if act == "stop":
        refused: object = await app.stop()
    else:
        refused = await app.matches.repost(CHANNEL)
    assert isinstance(refused, Refusal)
    assert refused.reason is RefusalReason.NO_MATCH_HERE
    assert [match.ending for match in refused.also_changed] == [Ending(EndReason.TIMED_OUT, Mark.O)]


@pytest.mark.parametrize("is_moderator", [False, True])
async def test_a_player_is_asked_before_a_match_is_stopped(app: App, *, is_moderator: bool) -> None:
    match = app.add(make_match(PLAYED))
    assert await app.stop(ANA, is_moderator=is_moderator) == match
    assert app.load(match) == match


@pytest.mark.parametrize(
    ("accepted", "who", "reason"),
    [
        (True, RUI, EndReason.STOPPED),
        (False, RUI, EndReason.STOPPED),
        (False, ANA, EndReason.CANCELLED),
        (False, BEN, EndReason.DECLINED),
    ],
)
async def test_moderators_stop_a_match_and_players_a_challenge_at_once(
    app: App, *, accepted: bool, who: int, reason: EndReason
) -> None:
    match = app.add(make_match(PLAYED if accepted else "... ... ...", accepted=accepted))
    stopped = await app.stop(who, is_moderator=who == RUI)
    ended = replace(match, early_ending=Ending(reason), ended_at=app.now, version=1)
    assert stopped == ended
    assert app.load(match) == ended


async def test_a_stop_takes_a_concurrent_move_into_account(app: App) -> None:
    match = app.add(make_match(PLAYED))
    moved = replace(match, moves=(0, 4, 8))
    app.save_elsewhere(moved, before="BEGIN")
    stopped = await app.stop(RUI, is_moderator=True)
    assert isinstance(stopped, Match)
    assert str(stopped.board) == "x.. .o. ..x"
    assert stopped.ending == Ending(EndReason.STOPPED)


async def test_a_match_that_ends_meanwhile_cannot_be_stopped(app: App) -> None:
    match = app.add(make_match(PLAYED))
    ended = replace(match, early_ending=Ending(EndReason.RESIGNED, Mark.O))
    app.save_elsewhere(ended, before="BEGIN")
    stopped = await app.stop(RUI, is_moderator=True)
    assert stopped == Refusal(RefusalReason.NO_MATCH_HERE)


async def test_a_match_opened_after_the_command_is_not_stopped(app: App) -> None:
    match = app.add(make_match(PLAYED))
    stopped = await app.stop(RUI, is_moderator=True, interaction_id=match.id - 1)
    assert stopped == Refusal(RefusalReason.NO_MATCH_HERE)
    assert app.load(match) == match


# What could not be shown


async def test_the_message_that_shows_a_match_is_recorded(app: App) -> None:
    match = app.add(make_match())
    for message_id, noted in (
        (BOARD_MESSAGE + 1, BOARD_MESSAGE + 1),
        (BOARD_MESSAGE, BOARD_MESSAGE + 1),
    ):
        await app.matches.record_shown(match, message_id)
        assert app.load(match).place.message_id == noted


@pytest.mark.parametrize(
    ("match", "reason"),
    [
        (make_match(accepted=False, place=UNPOSTED), EndReason.LAPSED),
        (make_match(place=UNPOSTED), EndReason.CALLED_OFF),
    ],
    ids=["challenge", "match"],
)
async def test_a_match_that_cannot_be_shown_frees_its_channel(
    app: App, match: Match, reason: EndReason
) -> None:
    app.add(match)
    await app.matches.abandon(match)
    assert app.load(match).ending == Ending(reason)
    assert app.load(match).ended_at == match.deadline_at, "it did not make way for another"
    assert call(app.store, live_in, CHANNEL) is None


@pytest.mark.parametrize("action", [MatchAction.ACCEPT, MatchAction.DECLINE])
async def test_a_challenge_that_was_answered_is_not_abandoned(
    app: App, action: MatchAction
) -> None:
    challenge = app.add(make_match(accepted=False))
    await app.press(challenge, action, BEN)
    answered = app.load(challenge)
    await app.matches.abandon(challenge)
    assert app.load(challenge) == answered


async def test_a_match_that_another_process_showed_is_not_abandoned(app: App) -> None:
    match = app.add(make_match(place=UNPOSTED))
    await app.matches.record_shown(match, BOARD_MESSAGE)
    await app.matches.abandon(app.load(match))
    assert app.load(match).is_live


async def test_a_match_that_was_played_is_not_abandoned(app: App) -> None:
    match = app.add(make_match())
    await app.play(match, CENTRE)
    await app.matches.abandon(match)
    assert app.load(match).is_live


async def test_a_match_with_only_a_hint_is_abandoned(app: App) -> None:
    match = app.add(make_bot_match(PLAYED, place=UNPOSTED))
    app.before_sql("BEGIN", partial(count_hint, app.other_store, match))
    await app.matches.abandon(match)
    assert app.load(match).ending == Ending(EndReason.CALLED_OFF)


async def test_an_unknown_match_cannot_be_abandoned(app: App) -> None:
    await app.matches.abandon(make_match())
    assert await app.matches.load(7) is None


@pytest.mark.parametrize(
    ("before", "asked"),
    [(make_match(X_WON, rematch_asked_by=BEN), BEN), (make_bot_match(X_WON), None)],
)
async def test_a_rematch_that_could_not_be_shown_may_be_asked_for_again(
    app: App, before: Match, asked: int | None
) -> None:
    app.add(before)
    opened = match_opened(await app.press(before, MatchAction.REMATCH, ANA))
    await app.matches.abandon(opened.match, *opened.also_changed)
    assert not app.load(opened.match).is_live
    stands = app.load(before)
    assert stands.rematch_asked_by == asked
    match_opened(await app.press(stands, MatchAction.REMATCH, ANA, interaction_id=NEXT_MATCH + 1))


async def test_a_match_that_is_unknown_here_is_not_told_in_words(app: App) -> None:
    elsewhere = app.add(make_match(place=replace(UNPOSTED, channel_id=CHANNEL + 1)))
    for match_id in (elsewhere.id, NEXT_MATCH):
        press = Press(match_id, 0, MatchAction.DESCRIBE)
        with pytest.raises(Refused) as refused:
            await matches.describe(context(app.backend.runtime), press)
        assert refused.value.reason is RefusalReason.UNKNOWN_MATCH


# Expiring


def keeping(app: App, keep: timedelta) -> Matches:
    """The features of a host who keeps matches for so long."""
    return Backend(app.store, app.clock, keep=keep).matches


async def test_only_overdue_matches_expire_and_only_once(app: App) -> None:
    due = app.add(make_match(PLAYED))
    other = replace(due, id=NEXT_MATCH, place=UNPOSTED, deadline_at=NOON + HOUR)
    app.add(replace(other, place=replace(UNPOSTED, channel_id=CHANNEL + 1)))
    assert await app.matches.expire() == []
    app.now = NOON
    over = replace(due, early_ending=Ending(EndReason.TIMED_OUT, Mark.O), ended_at=NOON, version=1)
    assert await app.matches.expire() == [over]
    assert await app.matches.expire() == []


async def test_nothing_expires_or_is_pruned_while_time_is_not_trusted(
    app: App,
) -> None:
    due = app.add(make_match(PLAYED))
    old = app.add(make_match(id=NEXT_MATCH, early_ending=STOPPED))
    unheard_of = Clock(lambda: NOON + 1000 * DAY)
    matches = Backend(app.store, unheard_of, keep=DAY).matches
    assert await matches.expire() == []
    assert await matches.prune() == 0
    assert (app.load(due), app.load(old)) == (due, old)


# Pruning


def over_since(app: App, ago: timedelta, board: str) -> Match:
    moment = app.now - ago
    return make_match(board, id=time_snowflake(moment), early_ending=STOPPED, deadline_at=moment)


@pytest.mark.parametrize(
    ("board", "keep", "ago", "forgotten"),
    [
        (PLAYED, YEAR, 300 * DAY, 0),
        (PLAYED, 3 * DAY, 3 * DAY, 0),
        (PLAYED, 3 * DAY, 3 * DAY + SECOND, 1),
        (PLAYED, 50_000 * DAY, 3 * DAY, 0),
        ("... ... ...", YEAR, DAY, 0),
        ("... ... ...", YEAR, DAY + SECOND, 1),
        ("... ... ...", 50_000 * DAY, DAY + HOUR, 1),
    ],
)
async def test_matches_are_kept_as_long_as_configured_and_for_a_day_if_without_moves(
    app: App, board: str, keep: timedelta, ago: timedelta, forgotten: int
) -> None:
    app.now = datetime(2045, 1, 1, tzinfo=UTC)
    app.clock.observe(app.now)
    over = app.add(over_since(app, ago, board))
    assert await keeping(app, keep).prune() == forgotten
    assert (await app.matches.load(over.id) is None) is bool(forgotten)


async def test_asking_for_a_rematch_keeps_no_match_longer(app: App) -> None:
    app.now = datetime(2045, 1, 1, tzinfo=UTC)
    app.clock.observe(app.now)
    over = over_since(app, 4 * DAY, PLAYED)
    app.add(replace(over, ended_at=over.deadline_at, deadline_at=app.now, rematch_asked_by=ANA))
    assert await keeping(app, 3 * DAY).prune() == 1


async def test_pruning_returns_how_many_matches_it_deleted(app: App) -> None:
    for days, board in ((4, PLAYED), (5, PLAYED), (6, "... ... ...")):
        app.add(over_since(app, days * DAY, board))
    assert await keeping(app, 3 * DAY).prune() == 3

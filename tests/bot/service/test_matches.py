"""The matches of a channel, and what a server chose: the services by themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.game.duel import Duel
from bot.game.match import Ending, How, Match, Place, Player
from bot.game.outcome import (
    BroughtDown,
    First,
    LessonQuestioned,
    Opened,
    Refused,
    StartRequest,
    Stopped,
)
from bot.game.press import Verb
from bot.game.refusal import Refusal
from bot.service.clock import first_id_at
from bot.service.umpire import in_the_way
from bot.store import parse_url
from engine import Level, Mark, Record, Rules
from tests.bot.drawn import (
    ANA,
    BEN,
    BOARD,
    CHANNEL,
    NEXT,
    NOON,
    RUI,
    SERVER,
    UNSHOWN,
    VELHA,
    against_velha,
    drawn,
)
from tests.bot.services import CHALLENGE, TURN, Room, asked

PLAYED = "x.. .o. ..."
CENTRE = 4
MINUTE = timedelta(minutes=1)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    room = Room(parse_url(f"sqlite:///{tmp_path / 'velha.db'}"))
    yield room
    await room.close()


# Opening


async def test_who_names_nobody_plays_the_bot_at_its_best(room: Room) -> None:
    opened = await room.matches.open(asked(7, ANA))
    assert opened == Opened(
        Match(
            id=7,
            place=Place(CHANNEL, SERVER, "pt-BR"),
            x=Player(ANA),
            o=Player(VELHA, Level.IMPOSSIBLE),
            opened_by=ANA,
            accepted=True,
            deadline_at=room.now + TURN,
            is_open=True,
        )
    )
    assert room.stands(opened.match) == opened.match


@pytest.mark.parametrize(
    "wish", [{"level": Level.EASY}, {"opponent": VELHA}, {"place": Place(CHANNEL, None, "pt-BR")}]
)
async def test_who_asks_for_the_bot_or_is_alone_with_it_leaves_no_seat_open(
    room: Room, wish: dict[str, Any]
) -> None:
    opened = await room.matches.open(replace(asked(7, ANA), **wish))
    assert isinstance(opened, Opened)
    assert not opened.match.has_open_seat


async def test_who_names_another_challenges_and_pings_them_for_five_minutes(room: Room) -> None:
    opened = await room.matches.open(asked(7, ANA, opponent=BEN, rules=Rules(4, 4, 3)))
    assert opened == Opened(
        Match(
            id=7,
            place=Place(CHANNEL, SERVER, "pt-BR"),
            x=Player(ANA),
            o=Player(BEN),
            opened_by=ANA,
            accepted=False,
            deadline_at=room.now + CHALLENGE,
            rules=Rules(4, 4, 3),
            duel=Duel(),
        ),
        pings=BEN,
    )


async def test_who_names_the_bot_plays_it_without_asking(room: Room) -> None:
    opened = await room.matches.open(asked(7, ANA, opponent=VELHA, level=Level.EASY))
    assert isinstance(opened, Opened)
    assert opened.match.accepted
    assert opened.match.o == Player(VELHA, Level.EASY)
    assert opened.pings is None


async def test_the_bot_begins_where_it_is_to_and_has_moved_already(room: Room) -> None:
    opened = await room.matches.open(asked(7, ANA, first=First.OPPONENT))
    assert isinstance(opened, Opened)
    assert opened.match.x.is_bot
    assert len(opened.match.moves) == 1
    assert opened.match.to_move == Player(ANA)


async def test_the_challenged_may_begin(room: Room) -> None:
    opened = await room.matches.open(asked(7, ANA, opponent=BEN, first=First.OPPONENT))
    assert isinstance(opened, Opened)
    assert (opened.match.x, opened.match.o) == (Player(BEN), Player(ANA))
    assert opened.pings == BEN


async def test_chance_lets_either_begin(room: Room) -> None:
    begin = set()
    for number in range(1, 11):
        opened = await room.matches.open(asked(number, ANA, number, first=First.RANDOM))
        assert isinstance(opened, Opened)
        begin.add(opened.match.x.user_id)
    assert begin == {ANA, VELHA}


@pytest.mark.parametrize(
    ("server", "asks_for", "plays"),
    [
        (SERVER, None, Level.HARD),
        (SERVER, Level.EASY, Level.EASY),
        (SERVER + 1, None, Level.IMPOSSIBLE),
        (None, None, Level.IMPOSSIBLE),
    ],
)
async def test_the_bot_plays_as_asked_or_as_the_server_chose_or_as_well_as_it_can(
    room: Room, server: int | None, asks_for: Level | None, plays: Level
) -> None:
    room.store.servers.choose(SERVER, {"level": Level.HARD})
    place = Place(CHANNEL, server, "pt-BR")
    opened = await room.matches.open(StartRequest(7, place, ANA, level=asks_for))
    assert isinstance(opened, Opened)
    assert opened.match.o.level is plays


@pytest.mark.parametrize("opponent", [None, BEN])
async def test_a_start_that_comes_twice_opens_one_match(room: Room, opponent: int | None) -> None:
    """A retry, or another process that got it too: neither is told that the channel is busy."""
    request = asked(7, ANA, opponent=opponent)
    opened = await room.matches.open(request)
    assert await room.matches.open(request) == opened


async def test_a_start_that_comes_again_when_its_match_is_over_opens_no_other(room: Room) -> None:
    over = room.put(drawn(PLAYED, broken_off=Ending(How.STOPPED)))
    assert await room.matches.open(asked(7, ANA)) == Opened(over)


async def test_a_match_going_on_is_in_the_way_whosever_it_is(room: Room) -> None:
    holder = room.put(drawn(PLAYED))
    for who in (ANA, RUI):
        busy = await room.matches.open(asked(8, who, opponent=BEN))
        assert busy == Refused(Refusal.CHANNEL_BUSY, holder)
    other = await room.matches.open(asked(9, RUI, CHANNEL + 1))
    assert isinstance(other, Opened), "another channel is free"


async def test_somebody_else_s_challenge_is_in_the_way(room: Room) -> None:
    holder = room.put(drawn(accepted=False))
    for who in (BEN, RUI):
        assert await room.matches.open(asked(8, who)) == Refused(Refusal.CHALLENGE_HERE, holder)
    assert room.stands(holder).is_live


def test_who_finds_a_match_in_the_way_has_those_drawn_that_ended_before_it() -> None:
    holder, ended = drawn(PLAYED, id=NEXT), drawn("xxx oo. ...")
    assert in_the_way(holder, (ended,)) == Refused(Refusal.CHANNEL_BUSY, holder, also=(ended,))


async def test_one_s_own_challenge_makes_way(room: Room) -> None:
    challenge = room.put(drawn(accepted=False))
    opened = await room.matches.open(asked(8, ANA))
    assert isinstance(opened, Opened)
    cancelled = replace(challenge, broken_off=Ending(How.CANCELLED), ended_at=room.now, version=1)
    assert opened.also == (cancelled,)
    assert room.stands(challenge) == cancelled


async def test_one_s_own_challenge_that_is_accepted_that_moment_does_not(room: Room) -> None:
    challenge = room.put(drawn(accepted=False))
    accepted = replace(challenge, accepted=True)
    room.before_next("UPDATE", partial(room.rival.matches.save, accepted))
    busy = await room.matches.open(asked(8, ANA))
    assert busy == Refused(Refusal.CHANNEL_BUSY, replace(accepted, version=1))


async def test_a_match_whose_time_is_up_makes_way_and_is_to_be_drawn(room: Room) -> None:
    due = room.put(drawn(PLAYED))
    room.now = NOON
    opened = await room.matches.open(asked(8, RUI))
    assert isinstance(opened, Opened)
    assert [(match.id, match.ending) for match in opened.also] == [
        (due.id, Ending(How.TIMED_OUT, Mark.O))
    ]


# Whom a challenge pings


async def challenges(room: Room, who: int, whom: int) -> Opened:
    request = asked(first_id_at(room.now), who, opponent=whom)
    opened = await room.matches.open(request)
    assert isinstance(opened, Opened)
    return opened


async def lets_it_be(room: Room, challenge: Match) -> None:
    await room.press(challenge, Verb.CANCEL, challenge.opened_by)


@pytest.mark.parametrize(("minutes", "pings"), [(1, None), (10, None), (11, BEN)])
async def test_who_let_a_challenge_be_is_not_pinged_again_for_ten_minutes(
    room: Room, minutes: int, pings: int | None
) -> None:
    await lets_it_be(room, (await challenges(room, ANA, BEN)).match)
    room.now += minutes * MINUTE
    assert (await challenges(room, ANA, BEN)).pings == pings


async def test_who_is_forgotten_in_between_pings_the_same_person_no_sooner(room: Room) -> None:
    await challenges(room, ANA, BEN)
    room.now += MINUTE
    await room.served.people.forget(ANA, asked_id=first_id_at(room.now))
    room.now += MINUTE
    assert (await challenges(room, ANA, BEN)).pings is None


async def test_who_let_a_challenge_be_is_pinged_by_others_and_others_are(room: Room) -> None:
    await lets_it_be(room, (await challenges(room, ANA, BEN)).match)
    for who, whom in ((RUI, BEN), (ANA, RUI), (BEN, ANA)):
        room.now += MINUTE
        again = await challenges(room, who, whom)
        assert again.pings == whom
        await lets_it_be(room, again.match)


@pytest.mark.parametrize(("first", "second"), [(ANA, BEN), (BEN, ANA)])
async def test_who_accepted_a_challenge_is_pinged_again(
    room: Room, first: int, second: int
) -> None:
    await lets_it_be(room, (await challenges(room, ANA, BEN)).match)
    room.now += MINUTE
    challenge = (await challenges(room, first, second)).match
    await room.press(challenge, Verb.ACCEPT, second)
    await room.matches.stop(CHANNEL, first, is_moderator=False)
    room.now += MINUTE
    assert (await challenges(room, ANA, BEN)).pings == BEN


# Finding, bringing down, stopping


async def test_a_board_is_brought_down_as_it_stands(room: Room) -> None:
    match = room.put(drawn(PLAYED))
    assert await room.matches.bring_down(CHANNEL) == BroughtDown(match)
    assert await room.matches.bring_down(CHANNEL + 1) == Refused(Refusal.NO_MATCH_HERE)


@pytest.mark.parametrize("act", ["bring down", "stop"])
async def test_when_time_is_up_there_is_nothing_to_bring_down_or_stop(room: Room, act: str) -> None:
    room.put(drawn(PLAYED))
    room.now = NOON
    if act == "stop":
        refused: object = await room.matches.stop(CHANNEL, ANA, is_moderator=False)
    else:
        refused = await room.matches.bring_down(CHANNEL)
    assert isinstance(refused, Refused)
    assert refused.refusal is Refusal.NO_MATCH_HERE
    assert [match.ending for match in refused.also] == [Ending(How.TIMED_OUT, Mark.O)]


@pytest.mark.parametrize(
    ("who", "is_moderator", "ending"),
    [
        (ANA, False, Ending(How.RESIGNED, Mark.O)),
        (BEN, True, Ending(How.RESIGNED, Mark.X)),
        (RUI, True, Ending(How.STOPPED)),
    ],
)
async def test_a_match_is_stopped_by_a_player_or_a_moderator(
    room: Room, *, who: int, is_moderator: bool, ending: Ending
) -> None:
    match = room.put(drawn(PLAYED))
    stopped = await room.matches.stop(CHANNEL, who, is_moderator=is_moderator)
    assert stopped == Stopped(replace(match, broken_off=ending, ended_at=room.now, version=1))
    assert room.stands(match) == stopped.match


async def test_a_stranger_stops_nothing(room: Room) -> None:
    match = room.put(drawn(PLAYED))
    refused = await room.matches.stop(CHANNEL, RUI, is_moderator=False)
    assert refused == Refused(Refusal.NOT_YOURS_TO_STOP)
    assert room.stands(match) == match


async def test_where_somebody_moves_that_moment_what_stands_then_is_stopped(room: Room) -> None:
    match = room.put(drawn(PLAYED))
    room.before_next("UPDATE", partial(room.rival.matches.save, replace(match, moves=(0, 4, 8))))
    stopped = await room.matches.stop(CHANNEL, RUI, is_moderator=True)
    assert isinstance(stopped, Stopped)
    assert str(stopped.match.board) == "x.. .o. ..x"
    assert stopped.match.ending == Ending(How.STOPPED)


async def test_where_the_match_ends_that_moment_there_is_nothing_to_stop(room: Room) -> None:
    match = room.put(drawn(PLAYED))
    ended = replace(match, broken_off=Ending(How.RESIGNED, Mark.O))
    room.before_next("UPDATE", partial(room.rival.matches.save, ended))
    stopped = await room.matches.stop(CHANNEL, RUI, is_moderator=True)
    assert stopped == Refused(Refusal.NO_MATCH_HERE)


async def test_the_last_match_played_is_found_and_none_that_is_live(room: Room) -> None:
    assert await room.matches.last_played(CHANNEL) is None
    over = room.put(drawn(PLAYED, broken_off=Ending(How.STOPPED)))
    room.put(drawn("xo. ... ...", id=8))
    assert await room.matches.last_played(CHANNEL) == over


# Learning from the match of a channel


@pytest.mark.parametrize(
    ("board", "who", "hints"),
    [
        ("x.. .o. ...", ANA, 1),
        ("x.. .o. ...", RUI, 0),
        ("xox oxo ...", ANA, 1),
    ],
)
async def test_a_lesson_is_about_the_match_with_the_bot_and_a_hint_for_its_player(
    room: Room, board: str, who: int, hints: int
) -> None:
    match = room.put(against_velha(board))
    record = await room.matches.lesson_in(CHANNEL, who, as_hint=True)
    assert isinstance(record, Record)
    assert str(record.boards[-1]) == board
    assert room.stands(match).hints == hints
    assert await room.matches.lesson_in(CHANNEL, who, as_hint=True) == record
    assert room.stands(match).hints == hints, "once a version"


async def test_whoever_plays_is_asked_before_a_lesson_on_their_match(room: Room) -> None:
    match = room.put(against_velha(PLAYED))
    assert await room.matches.lesson_in(CHANNEL, ANA) == LessonQuestioned()
    assert room.stands(match).hints == 0


@pytest.mark.parametrize(
    "match",
    [
        against_velha(),
        against_velha(".... .... .... ....", rules=Rules(4, 4, 3)),
        against_velha("xox oxo .x."),
    ],
)
async def test_where_nothing_has_happened_yet_or_little_is_left_a_lesson_is_not_about_the_match(
    room: Room, match: Match
) -> None:
    room.put(match)
    assert await room.matches.lesson_in(CHANNEL, ANA) is None
    assert room.stands(match).hints == 0


async def test_a_lesson_does_not_look_at_people_at_play_nor_at_what_is_over(room: Room) -> None:
    assert await room.matches.lesson_in(CHANNEL, ANA) is None
    room.put(drawn("xo.. .... .... ....", rules=Rules(4, 4, 3)))
    assert await room.matches.lesson_in(CHANNEL, RUI) is None
    due = room.put(against_velha(PLAYED, id=8, place=Place(CHANNEL + 1, SERVER, "pt-BR")))
    room.now = NOON
    assert await room.matches.lesson_in(CHANNEL + 1, ANA) is None
    assert room.stands(due) == due


async def test_a_lesson_is_about_the_move_that_was_made_that_moment(room: Room) -> None:
    match = room.put(against_velha(PLAYED))
    moved = replace(match, moves=(0, 4, 8, 1))
    room.before_next("UPDATE", partial(room.rival.matches.save, moved))
    assert await room.matches.lesson_in(CHANNEL, ANA, as_hint=True) == moved.record
    assert room.stands(match).hints == 1


# What could not be shown


async def test_the_message_that_shows_a_match_is_noted(room: Room) -> None:
    match = room.put(drawn())
    for message_id, noted in ((BOARD + 1, BOARD + 1), (BOARD, BOARD + 1)):
        await room.matches.shown(match, message_id)
        assert room.stands(match).place.message_id == noted


@pytest.mark.parametrize(
    ("match", "how"),
    [(drawn(accepted=False, place=UNSHOWN), How.LAPSED), (drawn(place=UNSHOWN), How.CALLED_OFF)],
    ids=["challenge", "match"],
)
async def test_a_match_that_nobody_sees_gives_its_channel_back(
    room: Room, match: Match, how: How
) -> None:
    room.put(match)
    await room.matches.abandon(match)
    assert room.stands(match).ending == Ending(how)
    assert room.store.matches.live_in(CHANNEL) is None


@pytest.mark.parametrize("verb", [Verb.ACCEPT, Verb.DECLINE])
async def test_a_challenge_that_somebody_saw_and_answered_is_not_given_up(
    room: Room, verb: Verb
) -> None:
    challenge = room.put(drawn(accepted=False))
    await room.press(challenge, verb, BEN)
    answered = room.stands(challenge)
    await room.matches.abandon(challenge)
    assert room.stands(challenge) == answered


async def test_a_match_that_another_process_showed_is_not_given_up(room: Room) -> None:
    match = room.put(drawn(place=UNSHOWN))
    await room.matches.shown(match, BOARD)
    await room.matches.abandon(room.stands(match))
    assert room.stands(match).is_live


async def test_a_match_that_somebody_saw_and_played_is_not_given_up(room: Room) -> None:
    match = room.put(drawn())
    await room.play(match, CENTRE)
    await room.matches.abandon(match)
    assert room.stands(match).is_live


async def test_a_match_in_which_there_was_but_a_hint_is_given_up(room: Room) -> None:
    match = room.put(against_velha(PLAYED, place=UNSHOWN))
    room.before_next("UPDATE", partial(room.rival.matches.count_hint, match))
    await room.matches.abandon(match)
    assert room.stands(match).ending == Ending(How.CALLED_OFF)


async def test_a_match_that_is_not_known_cannot_be_given_up(room: Room) -> None:
    await room.matches.abandon(drawn())
    assert await room.matches.load(7) is None

"""The match of a channel: shown, brought down, stopped, looked at, and given up."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.config import parse_url
from bot.domain.match_actions import MatchAction
from bot.domain.matches import Ending, EndReason, Match, MatchStopped, Place
from bot.domain.refusals import Refusal, Refused
from bot.domain.tutorial import HintConfirmation
from engine import Mark, Record, Rules
from tests.bot.backend import Room
from tests.bot.drawn import (
    ANA,
    BEN,
    BOARD,
    CHANNEL,
    NOON,
    RUI,
    SERVER,
    UNSHOWN,
    against_velha,
    drawn,
)

PLAYED = "x.. .o. ..."
CENTRE = 4


@pytest.fixture
def url(tmp_path: Path) -> URL:
    return parse_url(f"sqlite:///{tmp_path / 'velha.db'}")


# Finding, bringing down, stopping


async def test_a_board_is_brought_down_as_it_stands(room: Room) -> None:
    match = room.put(drawn(PLAYED))
    assert await room.services.matches.repost(CHANNEL) == match
    assert await room.services.matches.repost(CHANNEL + 1) == Refused(Refusal.NO_MATCH_HERE)


@pytest.mark.parametrize("act", ["bring down", "stop"])
async def test_when_time_is_up_there_is_nothing_to_bring_down_or_stop(room: Room, act: str) -> None:
    room.put(drawn(PLAYED))
    room.now = NOON
    if act == "stop":
        refused: object = await room.services.matches.stop(CHANNEL, ANA, is_moderator=False)
    else:
        refused = await room.services.matches.repost(CHANNEL)
    assert isinstance(refused, Refused)
    assert refused.refusal is Refusal.NO_MATCH_HERE
    assert [match.ending for match in refused.also] == [Ending(EndReason.TIMED_OUT, Mark.O)]


@pytest.mark.parametrize(
    ("who", "is_moderator", "ending"),
    [
        (ANA, False, Ending(EndReason.RESIGNED, Mark.O)),
        (BEN, True, Ending(EndReason.RESIGNED, Mark.X)),
        (RUI, True, Ending(EndReason.STOPPED)),
    ],
)
async def test_a_match_is_stopped_by_a_player_or_a_moderator(
    room: Room, *, who: int, is_moderator: bool, ending: Ending
) -> None:
    match = room.put(drawn(PLAYED))
    stopped = await room.services.matches.stop(CHANNEL, who, is_moderator=is_moderator)
    assert stopped == MatchStopped(
        replace(match, early_ending=ending, ended_at=room.now, version=1)
    )
    assert room.stands(match) == stopped.match


async def test_a_stranger_stops_nothing(room: Room) -> None:
    match = room.put(drawn(PLAYED))
    refused = await room.services.matches.stop(CHANNEL, RUI, is_moderator=False)
    assert refused == Refused(Refusal.NOT_YOURS_TO_STOP)
    assert room.stands(match) == match


async def test_where_somebody_moves_that_moment_what_stands_then_is_stopped(room: Room) -> None:
    match = room.put(drawn(PLAYED))
    room.before_next("UPDATE", partial(room.rival.matches.save, replace(match, moves=(0, 4, 8))))
    stopped = await room.services.matches.stop(CHANNEL, RUI, is_moderator=True)
    assert isinstance(stopped, MatchStopped)
    assert str(stopped.match.board) == "x.. .o. ..x"
    assert stopped.match.ending == Ending(EndReason.STOPPED)


async def test_where_the_match_ends_that_moment_there_is_nothing_to_stop(room: Room) -> None:
    match = room.put(drawn(PLAYED))
    ended = replace(match, early_ending=Ending(EndReason.RESIGNED, Mark.O))
    room.before_next("UPDATE", partial(room.rival.matches.save, ended))
    stopped = await room.services.matches.stop(CHANNEL, RUI, is_moderator=True)
    assert stopped == Refused(Refusal.NO_MATCH_HERE)


async def test_the_last_match_played_is_found_and_none_that_is_live(room: Room) -> None:
    assert await room.services.matches.last_played(CHANNEL) is None
    over = room.put(drawn(PLAYED, early_ending=Ending(EndReason.STOPPED)))
    room.put(drawn("xo. ... ...", id=8))
    assert await room.services.matches.last_played(CHANNEL) == over


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
    record = await room.services.tutorial.record_to_learn_from(CHANNEL, who, as_hint=True)
    assert isinstance(record, Record)
    assert str(record.boards[-1]) == board
    assert room.stands(match).hints == hints
    assert await room.services.tutorial.record_to_learn_from(CHANNEL, who, as_hint=True) == record
    assert room.stands(match).hints == hints, "once a version"


async def test_whoever_plays_is_asked_before_a_lesson_on_their_match(room: Room) -> None:
    match = room.put(against_velha(PLAYED))
    assert await room.services.tutorial.record_to_learn_from(CHANNEL, ANA) == HintConfirmation()
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
    assert await room.services.tutorial.record_to_learn_from(CHANNEL, ANA) is None
    assert room.stands(match).hints == 0


async def test_a_lesson_does_not_look_at_people_at_play_nor_at_what_is_over(room: Room) -> None:
    assert await room.services.tutorial.record_to_learn_from(CHANNEL, ANA) is None
    room.put(drawn("xo.. .... .... ....", rules=Rules(4, 4, 3)))
    assert await room.services.tutorial.record_to_learn_from(CHANNEL, RUI) is None
    due = room.put(against_velha(PLAYED, id=8, place=Place(CHANNEL + 1, SERVER, "pt-BR")))
    room.now = NOON
    assert await room.services.tutorial.record_to_learn_from(CHANNEL + 1, ANA) is None
    assert room.stands(due) == due


async def test_a_lesson_is_about_the_move_that_was_made_that_moment(room: Room) -> None:
    match = room.put(against_velha(PLAYED))
    moved = replace(match, moves=(0, 4, 8, 1))
    room.before_next("UPDATE", partial(room.rival.matches.save, moved))
    assert (
        await room.services.tutorial.record_to_learn_from(CHANNEL, ANA, as_hint=True)
        == moved.record
    )
    assert room.stands(match).hints == 1


# What could not be shown


async def test_the_message_that_shows_a_match_is_noted(room: Room) -> None:
    match = room.put(drawn())
    for message_id, noted in ((BOARD + 1, BOARD + 1), (BOARD, BOARD + 1)):
        await room.services.matches.record_shown(match, message_id)
        assert room.stands(match).place.message_id == noted


@pytest.mark.parametrize(
    ("match", "reason"),
    [
        (drawn(accepted=False, place=UNSHOWN), EndReason.LAPSED),
        (drawn(place=UNSHOWN), EndReason.CALLED_OFF),
    ],
    ids=["challenge", "match"],
)
async def test_a_match_that_nobody_sees_gives_its_channel_back(
    room: Room, match: Match, reason: EndReason
) -> None:
    room.put(match)
    await room.services.matches.abandon(match)
    assert room.stands(match).ending == Ending(reason)
    assert room.stands(match).ended_at == room.now, "and not when its time would have been up"
    assert room.store.matches.live_in(CHANNEL) is None


@pytest.mark.parametrize("action", [MatchAction.ACCEPT, MatchAction.DECLINE])
async def test_a_challenge_that_somebody_saw_and_answered_is_not_given_up(
    room: Room, action: MatchAction
) -> None:
    challenge = room.put(drawn(accepted=False))
    await room.press(challenge, action, BEN)
    answered = room.stands(challenge)
    await room.services.matches.abandon(challenge)
    assert room.stands(challenge) == answered


async def test_a_match_that_another_process_showed_is_not_given_up(room: Room) -> None:
    match = room.put(drawn(place=UNSHOWN))
    await room.services.matches.record_shown(match, BOARD)
    await room.services.matches.abandon(room.stands(match))
    assert room.stands(match).is_live


async def test_a_match_that_somebody_saw_and_played_is_not_given_up(room: Room) -> None:
    match = room.put(drawn())
    await room.play(match, CENTRE)
    await room.services.matches.abandon(match)
    assert room.stands(match).is_live


async def test_a_match_in_which_there_was_but_a_hint_is_given_up(room: Room) -> None:
    match = room.put(against_velha(PLAYED, place=UNSHOWN))
    room.before_next("UPDATE", partial(room.rival.matches.count_hint, match))
    await room.services.matches.abandon(match)
    assert room.stands(match).ending == Ending(EndReason.CALLED_OFF)


async def test_a_match_that_is_not_known_cannot_be_given_up(room: Room) -> None:
    await room.services.matches.abandon(drawn())
    assert await room.services.matches.load(7) is None

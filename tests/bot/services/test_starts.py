"""How a match begins: who plays, who is pinged, and what may be in the way."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from bot.config import parse_url
from bot.domain.ids import time_snowflake
from bot.domain.match_actions import MatchAction
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
)
from bot.domain.refusals import Refusal, Refused
from bot.services.matches import channel_busy
from engine import Level, Mark, Rules
from tests.bot.backend import CHALLENGE, TURN, Room, asked
from tests.bot.drawn import ANA, BEN, CHANNEL, NEXT, NOON, RUI, SERVER, VELHA, drawn

PLAYED = "x.. .o. ..."
MINUTE = timedelta(minutes=1)


@pytest.fixture
def url(tmp_path: Path) -> URL:
    return parse_url(f"sqlite:///{tmp_path / 'velha.db'}")


async def test_who_names_nobody_plays_the_bot_at_its_best(room: Room) -> None:
    opened = await room.services.matches.open(asked(7, ANA))
    assert opened == MatchOpened(
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
    opened = await room.services.matches.open(replace(asked(7, ANA), **wish))
    assert isinstance(opened, MatchOpened)
    assert not opened.match.has_open_seat


async def test_who_names_another_challenges_and_pings_them_for_five_minutes(room: Room) -> None:
    opened = await room.services.matches.open(asked(7, ANA, opponent=BEN, rules=Rules(4, 4, 3)))
    assert opened == MatchOpened(
        Match(
            id=7,
            place=Place(CHANNEL, SERVER, "pt-BR"),
            x=Player(ANA),
            o=Player(BEN),
            opened_by=ANA,
            accepted=False,
            deadline_at=room.now + CHALLENGE,
            rules=Rules(4, 4, 3),
            head_to_head=HeadToHead(),
        ),
        pings=BEN,
    )


async def test_who_names_the_bot_plays_it_without_asking(room: Room) -> None:
    opened = await room.services.matches.open(asked(7, ANA, opponent=VELHA, level=Level.EASY))
    assert isinstance(opened, MatchOpened)
    assert opened.match.accepted
    assert opened.match.o == Player(VELHA, Level.EASY)
    assert opened.pings is None


async def test_the_bot_begins_where_it_is_to_and_has_moved_already(room: Room) -> None:
    opened = await room.services.matches.open(asked(7, ANA, first=FirstPlayer.OPPONENT))
    assert isinstance(opened, MatchOpened)
    assert opened.match.x.is_bot
    assert len(opened.match.moves) == 1
    assert opened.match.to_move == Player(ANA)


async def test_the_challenged_may_begin(room: Room) -> None:
    opened = await room.services.matches.open(
        asked(7, ANA, opponent=BEN, first=FirstPlayer.OPPONENT)
    )
    assert isinstance(opened, MatchOpened)
    assert (opened.match.x, opened.match.o) == (Player(BEN), Player(ANA))
    assert opened.pings == BEN


async def test_chance_lets_either_begin(room: Room) -> None:
    begin = set()
    for number in range(1, 11):
        opened = await room.services.matches.open(
            asked(number, ANA, number, first=FirstPlayer.RANDOM)
        )
        assert isinstance(opened, MatchOpened)
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
    room.store.settings.update(SERVER, {"level": Level.HARD})
    place = Place(CHANNEL, server, "pt-BR")
    opened = await room.services.matches.open(MatchRequest(7, place, ANA, level=asks_for))
    assert isinstance(opened, MatchOpened)
    assert opened.match.o.level is plays


@pytest.mark.parametrize("opponent", [None, BEN])
async def test_a_start_that_comes_twice_opens_one_match(room: Room, opponent: int | None) -> None:
    """A retry, or another process that got it too: neither is told that the channel is busy."""
    request = asked(7, ANA, opponent=opponent)
    opened = await room.services.matches.open(request)
    assert await room.services.matches.open(request) == opened


async def test_a_start_that_comes_again_when_its_match_is_over_opens_no_other(room: Room) -> None:
    over = room.put(drawn(PLAYED, early_ending=Ending(EndReason.STOPPED)))
    assert await room.services.matches.open(asked(7, ANA)) == MatchOpened(over)


async def test_a_match_going_on_is_in_the_way_whosever_it_is(room: Room) -> None:
    holder = room.put(drawn(PLAYED))
    for who in (ANA, RUI):
        busy = await room.services.matches.open(asked(8, who, opponent=BEN))
        assert busy == Refused(Refusal.CHANNEL_BUSY, holder)
    other = await room.services.matches.open(asked(9, RUI, CHANNEL + 1))
    assert isinstance(other, MatchOpened), "another channel is free"


async def test_somebody_else_s_challenge_is_in_the_way(room: Room) -> None:
    holder = room.put(drawn(accepted=False))
    for who in (BEN, RUI):
        assert await room.services.matches.open(asked(8, who)) == Refused(
            Refusal.CHALLENGE_HERE, holder
        )
    assert room.stands(holder).is_live


def test_who_finds_a_match_in_the_way_has_those_drawn_that_ended_before_it() -> None:
    holder, ended = drawn(PLAYED, id=NEXT), drawn("xxx oo. ...")
    assert channel_busy(holder, (ended,)) == Refused(Refusal.CHANNEL_BUSY, holder, also=(ended,))


async def test_one_s_own_challenge_makes_way(room: Room) -> None:
    challenge = room.put(drawn(accepted=False))
    opened = await room.services.matches.open(asked(8, ANA))
    assert isinstance(opened, MatchOpened)
    cancelled = replace(
        challenge, early_ending=Ending(EndReason.CANCELLED), ended_at=room.now, version=1
    )
    assert opened.also == (cancelled,)
    assert room.stands(challenge) == cancelled


async def test_one_s_own_challenge_that_is_accepted_that_moment_does_not(room: Room) -> None:
    challenge = room.put(drawn(accepted=False))
    accepted = replace(challenge, accepted=True)
    room.before_next("UPDATE", partial(room.rival.matches.save, accepted))
    busy = await room.services.matches.open(asked(8, ANA))
    assert busy == Refused(Refusal.CHANNEL_BUSY, replace(accepted, version=1))


async def test_a_match_whose_time_is_up_makes_way_and_is_to_be_drawn(room: Room) -> None:
    due = room.put(drawn(PLAYED))
    room.now = NOON
    opened = await room.services.matches.open(asked(8, RUI))
    assert isinstance(opened, MatchOpened)
    assert [(match.id, match.ending) for match in opened.also] == [
        (due.id, Ending(EndReason.TIMED_OUT, Mark.O))
    ]


# Whom a challenge pings


async def challenges(room: Room, who: int, whom: int) -> MatchOpened:
    request = asked(time_snowflake(room.now), who, opponent=whom)
    opened = await room.services.matches.open(request)
    assert isinstance(opened, MatchOpened)
    return opened


async def lets_it_be(room: Room, challenge: Match) -> None:
    await room.press(challenge, MatchAction.CANCEL, challenge.opened_by)


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
    await room.services.privacy.forget_user(ANA, interaction_id=time_snowflake(room.now))
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
    await room.press(challenge, MatchAction.ACCEPT, second)
    await room.services.matches.stop(CHANNEL, first, is_moderator=False)
    room.now += MINUTE
    assert (await challenges(room, ANA, BEN)).pings == BEN

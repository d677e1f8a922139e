"""Why nothing happened, and what else one person is told in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from syrupy.assertion import SnapshotAssertion

from bot.domain.matches import Ending, EndReason, Match, Place
from bot.domain.refusals import RefusalReason, Refused
from bot.views.i18n import Language
from bot.views.match_texts import move_confirmation, stop_confirmation
from bot.views.refusals import MAKE_THREAD, refusal_sentence
from engine import Mark
from tests.bot.example_matches import BEN, CHANNEL, NOON, UNPOSTED, make_match
from tests.transcripts.transcript import Transcript

GAMES, BOTS, NEWS = 31, 32, 33
"""Channels."""
MATCH = make_match("x.. .o. ...")
CHALLENGE = make_match(accepted=False)
WITH_VALUES: Mapping[RefusalReason, Refused] = {
    RefusalReason.MAY_JOIN: Refused(RefusalReason.MAY_JOIN, match=MATCH),
    RefusalReason.HINT_OLD: Refused(RefusalReason.HINT_OLD, match=MATCH),
    RefusalReason.BOARD_MOVED: Refused(RefusalReason.BOARD_MOVED, match=MATCH),
    RefusalReason.CHANNEL_BUSY: Refused(RefusalReason.CHANNEL_BUSY, match=MATCH),
    RefusalReason.CHALLENGE_HERE: Refused(RefusalReason.CHALLENGE_HERE, match=CHALLENGE),
    RefusalReason.BOARDS_ELSEWHERE: Refused(
        RefusalReason.BOARDS_ELSEWHERE, channels=(GAMES, BOTS, NEWS)
    ),
    RefusalReason.NO_CHALLENGES: Refused(RefusalReason.NO_CHALLENGES, person_id=BEN),
    RefusalReason.STATS_HIDDEN: Refused(RefusalReason.STATS_HIDDEN, person_id=BEN),
    RefusalReason.OPPONENT_ABSENT: Refused(RefusalReason.OPPONENT_ABSENT, person_id=BEN),
    RefusalReason.PUZZLE_TO_COME: Refused(
        RefusalReason.PUZZLE_TO_COME, until=NOON + timedelta(hours=12)
    ),
    RefusalReason.NO_PUZZLE_YET: Refused(
        RefusalReason.NO_PUZZLE_YET, until=NOON - timedelta(days=30)
    ),
}
"""The refusals whose sentence names somebody or something."""
OTHERWISE: Mapping[str, Refused] = {
    "Boards go in one channel": Refused(RefusalReason.BOARDS_ELSEWHERE, channels=(GAMES,)),
    "Boards go in two channels": Refused(RefusalReason.BOARDS_ELSEWHERE, channels=(GAMES, BOTS)),
    "The board of the channel's match is not posted yet": Refused(
        RefusalReason.CHANNEL_BUSY, match=replace(MATCH, place=UNPOSTED)
    ),
    "In a direct message": Refused(
        RefusalReason.CHANNEL_BUSY, match=replace(MATCH, place=Place(CHANNEL, None, "en", 100))
    ),
}
ENDED: Mapping[str, Match] = {
    "Resigned": replace(MATCH, early_ending=Ending(EndReason.RESIGNED, Mark.O)),
    "Cancelled": replace(CHALLENGE, early_ending=Ending(EndReason.CANCELLED)),
    "Declined": replace(CHALLENGE, early_ending=Ending(EndReason.DECLINED)),
    "Stopped a match": replace(MATCH, early_ending=Ending(EndReason.STOPPED)),
    "Stopped a challenge": replace(CHALLENGE, early_ending=Ending(EndReason.STOPPED)),
}


def refused(given: Refused, language: Language) -> str:
    return refusal_sentence(language, given)


def stopped(match: Match, language: Language) -> str:
    return stop_confirmation(language, match)


def in_a_thread(language: Language) -> str:
    return language.say(MAKE_THREAD)


def played(language: Language) -> str:
    return move_confirmation(language, "B2", MATCH.place.link)


def test_refusals(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Refusals and answers")
    transcript.heading("Why nothing happened")
    refusals = {each.name: WITH_VALUES.get(each, Refused(each)) for each in RefusalReason}
    transcript.show_all(refusals, refused)
    transcript.heading("The same about something else")
    transcript.show_all(OTHERWISE, refused)
    transcript.heading("What one has ended")
    transcript.show_all(ENDED, stopped)
    transcript.heading("Other answers")
    transcript.show("Below a refusal, where threads can be made", in_a_thread)
    transcript.show("Played from a hint", played)
    assert str(transcript) == snapshot

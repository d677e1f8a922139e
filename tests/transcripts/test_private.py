"""Private matches, and the refusals that offer them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.domain.analysis import Game, Hint, Review, ReviewPage
from bot.domain.matches import Match, Place, PrivateMatch
from bot.domain.private import seated
from bot.domain.refusals import RefusalReason, Refused
from bot.views.hints import hint_view
from bot.views.i18n import Language
from bot.views.private import private_end_view, private_view
from bot.views.refusals import not_opened_view
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Mark, Record, Rules
from engine import advise as advice_on
from engine import review as judged
from tests.bot.backend import match_request
from tests.bot.example_matches import ANA, CHANNEL, RUI, SERVER, VELHA, make_bot_match, make_match
from tests.transcripts.lessons import cells_at
from tests.transcripts.transcript import Transcript

PLACE = Place(CHANNEL, SERVER, "en")
GAMES_CHANNEL = 31


def match(
    moves: str = "",
    rules: Rules = TIC_TAC_TOE,
    level: Level = Level.EASY,
    side: Mark = Mark.X,
    start: int = 0,
) -> PrivateMatch:
    return PrivateMatch(Record(rules, cells_at(rules, moves)), level, side, start)


GOING_ON: Mapping[str, PrivateMatch] = {
    "Before the first move": match(),
    "After it": match("B2 A1"),
    "Later, as O": match("B2 A1 C3", side=Mark.O),
    "Later": match("B2 A1 C3 A3"),
    "Infinite: a mark vanishes next": match("A1 B1 B2 C3 C1 A3", INFINITE),
    "Reverse": match("B2 A1", MISERE),
    "5x5": match("C3 B2", Rules(5, 5, 4), Level.IMPOSSIBLE),
    "From a position": match("A1 B1 C1", level=Level.IMPOSSIBLE, side=Mark.O, start=3),
}
OVER: Mapping[str, PrivateMatch] = {
    "Lost by a mistake": match("B1 A2 C3 A1 B3 A3"),
    "Won": match("A1 B1 C1 B2 A3 C2 A2"),
    "Drawn": match("B2 A1 C3 C1 B1 B3 A2 C2 A3"),
    "Reverse: a line loses": match("B2 C2 A2 C1 A3 C3", MISERE, side=Mark.O),
    "Won from a position": match("A1 B1 C1 B2 A3 C2 A2", side=Mark.X, start=6),
    "Drawn from a position": match("B2 A1 C3 C1 B1 B3 A2 C2 A3", start=5),
}
BUSY = RefusalReason.CHANNEL_BUSY
REQUEST = match_request(8, RUI)
UNOPENED = make_bot_match()
IN_DM = make_bot_match(place=Place(CHANNEL, None, "en"))
REFUSED: Mapping[str, tuple[Refused, int, bool]] = {
    "A channel that has a match": (
        Refused(BUSY, match=make_match(), request=REQUEST, unopened=UNOPENED),
        RUI,
        True,
    ),
    "One's own match, in a thread": (
        Refused(BUSY, match=make_match(), request=REQUEST, unopened=UNOPENED),
        ANA,
        False,
    ),
    "In a direct message": (
        Refused(BUSY, match=IN_DM, request=REQUEST, unopened=IN_DM),
        ANA,
        False,
    ),
    "Where no boards go": (
        Refused(RefusalReason.BOARDS_ELSEWHERE, channels=(GAMES_CHANNEL,), unopened=UNOPENED),
        RUI,
        True,
    ),
    "A challenge": (
        Refused(BUSY, match=make_match(), request=REQUEST, unopened=make_match()),
        RUI,
        True,
    ),
}


def as_match(private: PrivateMatch) -> Match:
    return seated(private, ANA, VELHA, PLACE)


def drawn(private: PrivateMatch, language: Language) -> ui.LayoutView:
    return private_view(private, as_match(private), language)


def ended(private: PrivateMatch, language: Language) -> ui.LayoutView:
    record = private.record
    verdicts = judged(record.moves, record.rules)
    game = Game(record, verdicts, side=private.side, level=private.level, start=private.start)
    review = Review(ReviewPage(private), game)
    return private_end_view(private, as_match(private), review, language)


def hint(private: PrivateMatch, language: Language, *, is_detailed: bool) -> ui.LayoutView:
    advice = advice_on(private.record.boards[-1])
    cell = advice[-1].action if is_detailed else None
    given = Hint(as_match(private), advice, cell, is_detailed=is_detailed, private=private)
    return hint_view(given, language)


def refused(given: tuple[Refused, int, bool], language: Language) -> ui.LayoutView:
    refusal, user_id, can_make_thread = given
    return not_opened_view(refusal, user_id, language, can_make_thread=can_make_thread)


def test_private(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Private matches")
    transcript.heading("In place of a match that was not opened")
    transcript.show_all(REFUSED, refused)
    transcript.heading("The board")
    transcript.show_all(GOING_ON, drawn)
    transcript.heading("Hints")
    for is_detailed in (False, True):
        title = "Asked why, about another cell" if is_detailed else "A hint"
        after = match("B2 A1")
        transcript.show(title, partial(hint, after, is_detailed=is_detailed))
    transcript.heading("The end")
    transcript.show_all(OVER, ended)
    assert str(transcript) == snapshot

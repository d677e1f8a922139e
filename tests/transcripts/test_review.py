"""Reviews of finished games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from syrupy.assertion import SnapshotAssertion

from bot.domain.analysis import (
    REFUTATION_PLIES,
    Game,
    Headers,
    Review,
    ReviewPage,
    ReviewView,
)
from bot.domain.match_actions import RematchPage
from bot.domain.matches import Ending, EndReason
from bot.views.analysis import more_text
from bot.views.i18n import Language
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Mark, Record, Rules
from tests.bot.example_matches import ANA, BEN
from tests.transcripts.lessons import Teach, cells_at, drawn
from tests.transcripts.transcript import Transcript


def game(moves: str, rules: Rules = TIC_TAC_TOE) -> Record:
    return Record(rules, cells_at(rules, moves))


MISSED_WIN = game("A1 B2 C3 C1 A3 A2 C2")
"""O walks into a fork; X, who could complete a line, lets O go."""
LONG_WAY = game("B1 A3 C3 B3 C1 B2 A2 A1")
"""Mistakes of both; X could complete two lines, and makes a threat instead."""
NOBODY_ERRED = game("B2 A1 C3 C1 B1 B3 A2 C2 A3")
X_WON = game("C2 A2 A3 C1 C3 B3 A1 B1 B2")
MISSED_BOTH_WON = game("A1 B1 C1 B2 A3 C2 A2")
"""Mistakes of both, two each; X wins."""
MISSED_BOTH = game("A1 B1 C1 B2 A3 C2")
"""O, who could complete a line, lets X have one."""
CHILDREN = game("C4 A2 A1 A3 D3 D4 C1 B2 B3 B1 B4 D2 A4", Rules(4, 4, 3))
UNBLOCKED = game("B1 A2 A1 B3 B2 C3 C2 B1 A2", INFINITE)
"""Both overlook what vanishes; X wins."""
OWN_LINE = game("A1 A2 A3 C2 B1 C1 B3 B2", MISERE)
"""O, who could have won, has to complete a line."""
GIVEN_AWAY = game("B2 C2 A2 C1 A3 C3", MISERE)
"""O completes a line, and could have held the draw."""
LOST = game("A1 A2 B1 A3 C3 C2 B2", MISERE)
"""X is lost, and completes a line; another move would have held out longer."""
LOST_EARLY = game("A1 A2 B1 C3 C1", MISERE)
"""The same, and several others would have."""
BROKEN_OFF = game("B2 A1")

EVEN = game("C1 B3 B1 A1 A2 C2 B2 C1 C3 B3 A1", INFINITE)
"""Both are right about half of the time."""
STARTER_WON = game("B2 A1 C2 A2 D2", Rules(4, 4, 3))

AS_X = {"side": Mark.X}
AS_O = {"side": Mark.O}
RESIGNED = {"headers": Headers(ANA, BEN, Ending(EndReason.RESIGNED, Mark.X)), "side": Mark.O}
REMATCH = {"rematch": RematchPage(7)}

REVIEWS: Mapping[str, tuple[ReviewPage, Mapping[str, Any]]] = {
    "It opens at one's own mistake, which lost": (ReviewPage(X_WON), AS_O | REMATCH),
    "It opens at one's own mistake: a win missed": (ReviewPage(MISSED_WIN), AS_X),
    "It opens at the mistake that let one win": (ReviewPage(MISSED_BOTH_WON), AS_X),
    "For others: the same, and all mistakes to try again": (ReviewPage(MISSED_BOTH_WON), {}),
    "Before the first move": (ReviewPage(MISSED_BOTH, 0), {}),
    "A mistake of the other player": (ReviewPage(MISSED_WIN, 4), AS_X),
    "The only move that holds": (ReviewPage(MISSED_WIN, 2), {}),
    "A win that could have come sooner": (ReviewPage(LONG_WAY, 7), {}),
    "A game won": (ReviewPage(X_WON, 9), {}),
    "A game without mistakes": (ReviewPage(NOBODY_ERRED), AS_X),
    "A game that whoever starts can win": (ReviewPage(STARTER_WON), AS_O),
    "Somebody resigned, and nothing had turned": (ReviewPage(BROKEN_OFF), RESIGNED),
    "4x4, full of mistakes": (ReviewPage(CHILDREN), {}),
    "Infinite: a mistake, where a mark vanishes": (ReviewPage(UNBLOCKED, 8), {}),
    "Infinite: won": (ReviewPage(UNBLOCKED, 9), {}),
    "Misère: a mistake that a line of play shows": (ReviewPage(LOST_EARLY, 1), {}),
    "Misère: a line that had to be completed": (ReviewPage(OWN_LINE, 8), {}),
    "Misère: a line that gave the draw away": (ReviewPage(GIVEN_AWAY), AS_O),
    "Misère: a line completed sooner than necessary": (ReviewPage(LOST, 7), {}),
    "Misère: the same, much sooner": (ReviewPage(LOST_EARLY, 5), {}),
}
REFUTATIONS: Mapping[str, tuple[Record, int, Mapping[str, Any]]] = {
    "Lost to the bot: it completed a line": (X_WON, 8, AS_O | {"level": Level.EASY}),
    "Lost to the bot: it made a fork": (game("A1 B2 C3 C1"), 4, AS_O | {"level": Level.EASY}),
    "Others look at it": (game("A1 B2 C3 C1"), 4, {}),
    "Infinite": (game("C2 C1 B3 B1 A1 C3 A2", INFINITE), 7, AS_X),
    "Misère": (LOST_EARLY, 1, AS_X),
}
MORE: Mapping[str, tuple[Record, Mapping[str, Any]]] = {
    "To one of the players": (MISSED_BOTH_WON, AS_X | {"headers": Headers(ANA, BEN)}),
    "To others": (MISSED_BOTH_WON, {"headers": Headers(ANA, BEN)}),
    "With accuracies": (EVEN, {}),
    "4x4, full of mistakes": (CHILDREN, {}),
    "Without mistakes": (NOBODY_ERRED, {}),
    "Misère: lines that lost": (LOST, {}),
}

ENDINGS = [
    None,
    *(Ending(EndReason.RESIGNED, winner) for winner in Mark),
    *(Ending(EndReason.TIMED_OUT, winner) for winner in Mark),
    *map(Ending, (EndReason.CALLED_OFF, EndReason.STOPPED, EndReason.LEFT)),
]


def heads(language: Language) -> Iterator[str]:
    """The players and the result, in each way in which a match can be broken off."""
    for ending in ENDINGS:
        said = more_text(language, Game(BROKEN_OFF, (), Headers(ANA, BEN, ending)))
        yield from said.splitlines()[1:3]


async def test_review(snapshot: SnapshotAssertion, teach: Teach) -> None:
    transcript = Transcript("Review")
    transcript.heading("A game, move by move")
    for title, (page, facts) in REVIEWS.items():
        transcript.show(title, partial(drawn, await teach(page, **facts)))
    transcript.heading("How I saw it")
    for title, (record, ply, facts) in REFUTATIONS.items():
        for shown in range(REFUTATION_PLIES + 1):
            page = ReviewPage(record, ply, ReviewView.REFUTATION, shown)
            review = await teach(page, **facts)
            transcript.show(f"{title} ({shown})", partial(drawn, review))
            assert isinstance(review, Review)
            if shown == len(review.refutation):
                break
    transcript.heading("More")
    for title, (record, facts) in MORE.items():
        page = ReviewPage(record, view=ReviewView.MORE)
        transcript.show(title, partial(drawn, await teach(page, **facts)))
    transcript.heading("A match that was broken off")
    transcript.show("The players, and what happened", heads)
    assert str(transcript) == snapshot

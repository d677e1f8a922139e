"""Hints, and the reasons that they give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from syrupy.assertion import SnapshotAssertion

from bot.domain.analysis import Hint
from bot.domain.matches import Match, Setup, Trail
from bot.views.i18n import Language
from bot.views.verdicts import explanation
from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Level,
    Reason,
    Rules,
    Verdict,
    judge,
)
from tests.bot.example_matches import make_bot_match
from tests.transcripts.lessons import Teach, cells_at, drawn
from tests.transcripts.transcript import Transcript

FORK = "x.. .o. ..x"
"""O must not take a corner: X would have a fork."""
SMALL, WIDE, WIDER = Rules(4, 4, 3), Rules(4, 4, 4), Rules(5, 5, 4)

SHORT: Mapping[str, Match] = {
    "Only some moves hold the draw": make_bot_match(FORK),
    "Nothing is lost yet": make_bot_match(),
    "A win at hand": make_bot_match("xx. oo. ..."),
    "Every move loses": make_bot_match("xo. .x. ..."),
    "On the path": make_bot_match(level=Level.EASY, trail=Trail(Setup(TIC_TAC_TOE, Level.EASY))),
}
HINTS: Mapping[str, tuple[Match, str | None]] = {
    "Some moves hold, others lose": (make_bot_match(FORK), None),
    "The same, about the move that is advised": (make_bot_match(FORK), "B1"),
    "About another that holds": (make_bot_match(FORK), "A2"),
    "About one that loses": (make_bot_match(FORK), "A3"),
    "Nothing is lost yet": (make_bot_match(), None),
    "A win at hand": (make_bot_match("xx. oo. ..."), None),
    "The same, about a move that misses it": (make_bot_match("xx. oo. ..."), "C3"),
    "Every move loses": (make_bot_match("xo. .x. ..."), None),
    "Misère: about a move that loses at once": (
        make_bot_match("xx. oo. ...", rules=MISERE),
        "C1",
    ),
    "Infinite: the oldest mark vanishes with this move": (
        make_bot_match(moves=(2, 3, 4, 5, 0, 8), rules=INFINITE),
        None,
    ),
    "Infinite: best play has no end": (make_bot_match(moves=(0, 4), rules=INFINITE), None),
    "5x5": (
        make_bot_match("x.o.. .xx.. ..o.. .o... .....", rules=WIDER),
        None,
    ),
}
REASON_SENTENCES: Mapping[Reason, tuple[Rules, str, str]] = {
    Reason.WIN: (TIC_TAC_TOE, "xx. oo. ...", "C1"),
    Reason.MISSED_WIN: (TIC_TAC_TOE, "xx. ox. o.o", "C2"),
    Reason.OWN_LINE: (MISERE, "xx. oo. ...", "C1"),
    Reason.UNBLOCKS: (INFINITE, "....o2 o1o3x2 x1..x3", "A1"),
    Reason.ALLOWED_WIN: (TIC_TAC_TOE, "xx. o.. ...", "B2"),
    Reason.MISSED_ZUGZWANG: (MISERE, "xx. oo. ox.", "C2"),
    Reason.ALLOWED_ZUGZWANG: (MISERE, "xo. .xo ...", "A3"),
    Reason.MISSED_UNBLOCKING: (INFINITE, "..x2o2 ....o1 x1..x3", "B3"),
    Reason.ALLOWED_UNBLOCKING: (INFINITE, "o3x2x1 ..o1.. x3o2.. 9", "C2"),
    Reason.MISSED_FORK: (TIC_TAC_TOE, "xox o.. ...", "B3"),
    Reason.ALLOWED_FORK: (TIC_TAC_TOE, "xox ... ...", "A2"),
    Reason.MISSED_THREATS: (TIC_TAC_TOE, "xo. ... ...", "B3"),
    Reason.ALLOWED_THREATS: (TIC_TAC_TOE, "x.. ... ...", "A3"),
    Reason.MISSED_QUIET_MOVE: (WIDER, "..... .x... .x... ....o .o...", "C1"),
    Reason.ALLOWED_QUIET_MOVE: (TIC_TAC_TOE, ".x. x.o ...", "C1"),
    Reason.ZUGZWANG: (MISERE, "xxo xoo ...", "B3"),
    Reason.LOSES: (MISERE, "... ... ...", "A1"),
    Reason.FORK: (TIC_TAC_TOE, "x.. .o. o.x", "C1"),
    Reason.DOUBLE_THREAT: (SMALL, ".... .xo. .... ....", "B3"),
    Reason.BLOCK: (TIC_TAC_TOE, "xx. .o. ...", "C1"),
    Reason.FORCED_SEQUENCE: (TIC_TAC_TOE, "xo. ... ...", "A2"),
    Reason.QUIET_WIN: (TIC_TAC_TOE, "..x x.o ..o", "B3"),
    Reason.THROWN_WIN: (MISERE, "x.. ... ...", "B2"),
    Reason.BLOCK_FORK: (TIC_TAC_TOE, FORK, "B1"),
    Reason.BLOCK_DOUBLE_THREAT: (WIDE, "ooox xx.. .x.. ....", "C2"),
    Reason.ONLY_MOVE: (TIC_TAC_TOE, "x.. ... ...", "B2"),
    Reason.THREAT: (TIC_TAC_TOE, "x.. .o. ...", "B1"),
    Reason.MOST_REPLIES_LOSE: (TIC_TAC_TOE, "... ... ...", "A1"),
    Reason.LONGEST_DEFENCE: (MISERE, "xo. ... ...", "A3"),
    Reason.NOTHING_LEFT: (TIC_TAC_TOE, "xox xoo ox.", "C3"),
    Reason.CENTRE: (TIC_TAC_TOE, ".x. ... ...", "B2"),
    Reason.OPPOSITE_CORNER: (TIC_TAC_TOE, "ox. ... ...", "C3"),
    Reason.CORNER: (TIC_TAC_TOE, ".x. ... ...", "A1"),
    Reason.SIDE: (TIC_TAC_TOE, "... ... ...", "B1"),
    Reason.SOME_REPLIES_LOSE: (WIDE, "..o. ..x. ox.. .xo.", "D3"),
    Reason.OPEN_LINES: (WIDE, ".... .... .... ....", "B2"),
    Reason.SOME_MOVES_LOSE: (MISERE, "x.. .o. ...", "C3"),
    Reason.EVERY_MOVE_DRAWS: (WIDE, ".... .... .... ....", "B1"),
    Reason.CLOSED_LINES: (WIDE, "xx.. ..ox .x.o .oxo", "C1"),
}
"""A move for each reason."""


async def hint_in(teach: Teach, match: Match, asked: str | None) -> Hint:
    """A hint in a match; as the match is not in the store, it cannot be counted there."""
    cell = cells_at(match.rules, asked)[0] if asked else None
    hint = await teach(match, cell=cell)
    assert isinstance(hint, Hint)
    return hint


def move_with(reason: Reason) -> Verdict:
    rules, board, name = REASON_SENTENCES[reason]
    [cell] = cells_at(rules, name)
    verdict = judge(Board.parse(board, rules), cell)
    assert verdict.reason is reason, verdict
    return verdict


def told(verdict: Verdict, language: Language) -> Iterator[str]:
    yield language.rules(verdict.board.rules)
    yield language.marks(verdict.board) or "-"
    yield explanation(language, verdict)


async def test_hint(snapshot: SnapshotAssertion, teach: Teach) -> None:
    transcript = Transcript("Hint")
    transcript.heading("In a match")
    for title, match in SHORT.items():
        hint = await hint_in(teach, match, None)
        transcript.show(title, partial(drawn, replace(hint, is_detailed=False)))
    transcript.heading("Why")
    for title, (match, asked) in HINTS.items():
        transcript.show(title, partial(drawn, await hint_in(teach, match, asked)))
    transcript.heading("The reasons for moves")
    for reason in Reason:
        title = f"{type(reason).__name__}.{reason.name}"
        transcript.show(title, partial(told, move_with(reason)))
    assert str(transcript) == snapshot

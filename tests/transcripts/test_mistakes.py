"""Mistakes that are tried again: of a game, or one's own of one's last matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from syrupy.assertion import SnapshotAssertion

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import Match, Player
from bot.domain.mistakes import MistakeEnd, MistakePage, MistakeStep
from bot.views.mistakes import mistake_end_view
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Record, Rules
from tests.bot.example_matches import ANA, MATCH, NOON, VELHA, make_match
from tests.transcripts.lessons import Teach, cells_at, drawn
from tests.transcripts.transcript import Transcript

TRY, SHOW = MistakeStep.TRY, MistakeStep.SHOW


def match(moves: str, rules: Rules = TIC_TAC_TOE, opponent: Player | None = None) -> Match:
    """A match of Ana's, who is O, at noon."""
    played = make_match(rules=rules, moves=cells_at(rules, moves), ended_at=NOON)
    return replace(played, x=opponent or played.o, o=Player(ANA))


LOST = match("A1 B2 C3 C1 A3 A2 B3", opponent=Player(VELHA, Level.HARD))
MISSED_WIN = match("A1 B1 C1 B2 A3 C2 A2")
UNBLOCKED = match("B1 A2 A1 B3 B2 C3 C2 B1 A2", INFINITE)
ELSEWHERE = match("B2 C2 A2 C1 A3 C3", MISERE, Player(DELETED_USER_ID))
TWO_EACH = "A1 B1 C1 B2 A3 C2 A2"
ONE = "C2 A2 A3 C1 C3 B3 A1 B1 B2"
LONG_WAY = "B1 A3 C3 B3 C1 B2 A2 A1"
CHILDREN = match("C4 A2 A1 A3 D3 D4 C1 B2 B3 B1 B4 D2 A4", Rules(4, 4, 3))


def tried(match: Match, ply: int, names: str = "", step: MistakeStep = TRY) -> MistakePage:
    return MistakePage(step, MATCH, ply, cells_at(match.rules, names), met=2, right=1)


OWN: Mapping[str, tuple[MistakePage, Match]] = {
    "The first one": (MistakePage(), LOST),
    "A try that loses": (tried(LOST, 4, "A3"), LOST),
    "Right on the second try": (tried(LOST, 4, "A3 B1"), LOST),
    "Shown after a try": (tried(LOST, 4, "A3", SHOW), LOST),
    "A win that was missed": (tried(MISSED_WIN, 6), MISSED_WIN),
    "A try that misses it again": (tried(MISSED_WIN, 6, "C2"), MISSED_WIN),
    "A win that takes longer": (tried(MISSED_WIN, 6, "A2"), MISSED_WIN),
    "The only move that wins, shown": (tried(MISSED_WIN, 6, "", SHOW), MISSED_WIN),
    "Infinite: a mark vanishes": (tried(UNBLOCKED, 8), UNBLOCKED),
    "Misère, in another server: a try that completes a line": (
        tried(ELSEWHERE, 6, "C3"),
        ELSEWHERE,
    ),
    "4x4": (tried(CHILDREN, 12, "C2"), CHILDREN),
}
REVIEWED: Mapping[str, tuple[str, int, str]] = {
    "Nothing tried": (TWO_EACH, 2, ""),
    "A try that loses": (TWO_EACH, 2, "A3"),
    "The only good move": (ONE, 8, "B2"),
    "The only move that wins": (LONG_WAY, 3, "A1"),
    "A try that throws away a win": (LONG_WAY, 3, "B2"),
}
REVIEWED_GAME = Record(moves=cells_at(TIC_TAC_TOE, TWO_EACH))
REVIEW = MistakePage(MistakeStep.NEXT, REVIEWED_GAME, 6, (), 2, 1, in_review=True)
ENDS: Mapping[str, MistakeEnd] = {
    "The score": MistakeEnd(MistakePage(MistakeStep.NEXT, MATCH, 6, (), 5, 3)),
    "No mistake": MistakeEnd(MistakePage(), level=Level.HARD),
    "No match": MistakeEnd(MistakePage()),
    "The score, in a review": MistakeEnd(REVIEW),
}


async def test_mistakes(snapshot: SnapshotAssertion, teach: Teach) -> None:
    transcript = Transcript("Mistakes")
    transcript.heading("A mistake of Ana's")
    for title, (page, played) in OWN.items():
        transcript.show(title, partial(drawn, await teach(page, matches=(played,))))
    transcript.heading("A mistake in a game that is reviewed")
    for title, (moves, ply, names) in REVIEWED.items():
        game = Record(moves=cells_at(TIC_TAC_TOE, moves))
        tries = cells_at(TIC_TAC_TOE, names)
        page = MistakePage(TRY, game, ply, tries, in_review=True)
        transcript.show(title, partial(drawn, await teach(page)))
    transcript.heading("The end")
    transcript.show_all(ENDS, mistake_end_view)
    assert str(transcript) == snapshot

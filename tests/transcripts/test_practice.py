"""One's own mistakes, practised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from syrupy.assertion import SnapshotAssertion

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import Match, Player
from bot.domain.practice import MistakePage, PracticeEnd, PracticeStep
from bot.views.practice import practice_end_view
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Rules
from tests.bot.example_matches import ANA, MATCH, NOON, VELHA, make_match
from tests.transcripts.lessons import Teach, cells_at, drawn
from tests.transcripts.transcript import Transcript

TRY, SHOW = PracticeStep.TRY, PracticeStep.SHOW


def match(moves: str, rules: Rules = TIC_TAC_TOE, opponent: Player | None = None) -> Match:
    """A match of Ana's, who is O, at noon."""
    played = make_match(rules=rules, moves=cells_at(rules, moves), ended_at=NOON)
    return replace(played, x=opponent or played.o, o=Player(ANA))


LOST = match("A1 B2 C3 C1 A3 A2 B3", opponent=Player(VELHA, Level.HARD))
MISSED_WIN = match("A1 B1 C1 B2 A3 C2 A2")
UNBLOCKED = match("B1 A2 A1 B3 B2 C3 C2 B1 A2", INFINITE)
ELSEWHERE = match("B2 C2 A2 C1 A3 C3", MISERE, Player(DELETED_USER_ID))
CHILDREN = match("C4 A2 A1 A3 D3 D4 C1 B2 B3 B1 B4 D2 A4", Rules(4, 4, 3))


def tried(match: Match, ply: int, names: str = "", step: PracticeStep = TRY) -> MistakePage:
    return MistakePage(step, MATCH, ply, cells_at(match.rules, names), met=2, right=1)


EXERCISES: Mapping[str, tuple[MistakePage, Match]] = {
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
ENDS: Mapping[str, PracticeEnd] = {
    "The score": PracticeEnd(5, 3),
    "No mistake": PracticeEnd(level=Level.HARD),
    "No match": PracticeEnd(),
}


async def test_practice(snapshot: SnapshotAssertion, teach: Teach) -> None:
    transcript = Transcript("Practice")
    transcript.heading("A mistake of Ana's")
    for title, (page, played) in EXERCISES.items():
        transcript.show(title, partial(drawn, await teach(page, matches=(played,))))
    transcript.heading("The end")
    transcript.show_all(ENDS, practice_end_view)
    assert str(transcript) == snapshot

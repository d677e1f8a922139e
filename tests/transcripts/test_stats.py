"""Somebody's results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import product

from syrupy.assertion import SnapshotAssertion

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import Ending, EndReason, HeadToHead, Player, Setup
from bot.domain.path import STOPS, Path, Progress
from bot.domain.puzzles import PuzzleStats
from bot.domain.stats import LastMatches, Stats, Tally, TallyKey
from bot.views.stats import last_matches_view, stats_view
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Mark, Rules
from tests.bot.example_matches import ANA, BEN, NOON, make_bot_match, make_match
from tests.transcripts.transcript import Transcript

TODAY = NOON.date()
PUZZLES = PuzzleStats(solved=(3, 5, 1), missed=2, streak=4, best=9, last_day=TODAY)
BROKEN = PuzzleStats(solved=(1, 0, 0), streak=1, best=1, last_day=TODAY - timedelta(days=9))
SQUARE = Rules(4, 4, 3)


def stats(
    tallies: Mapping[TallyKey, Tally],
    head_to_head: HeadToHead | None = None,
    puzzles: PuzzleStats | None = None,
    asker: int = ANA,
    path: Path | None = None,
) -> Stats:
    score, puzzles = head_to_head or HeadToHead(), puzzles or PuzzleStats()
    return Stats(asker, ANA, tallies, score, puzzles, TODAY, path or {})


PEOPLE = {
    TallyKey(Rules(5, 5, 4)): Tally(won=1, drawn=2),
    TallyKey(TIC_TAC_TOE): Tally(won=3, drawn=1, lost=4),
    TallyKey(INFINITE): Tally(lost=1),
}
RUNS = {
    TallyKey(TIC_TAC_TOE, Level.CHILD): Tally(won=12, unbeaten=12, longest=12),
    TallyKey(TIC_TAC_TOE, Level.EASY): Tally(won=8, lost=1, unbeaten=1, longest=7),
    TallyKey(SQUARE, Level.HARD): Tally(won=2, drawn=2, lost=3, unbeaten=0, longest=3),
    TallyKey(MISERE, Level.HARD): Tally(drawn=1, unbeaten=1, longest=1),
}
AGAINST_ME = {
    TallyKey(TIC_TAC_TOE, Level.EASY): Tally(won=1, drawn=5, unbeaten=6, longest=6),
    TallyKey(TIC_TAC_TOE, Level.HARD): Tally(lost=5),
    TallyKey(TIC_TAC_TOE, Level.IMPOSSIBLE): Tally(drawn=1, lost=5, kept=1234, critical=1500),
}
PASSED = Progress(is_passed=True)
SOME_STOPS = {
    Setup(TIC_TAC_TOE, Level.EASY): PASSED,
    Setup(TIC_TAC_TOE, Level.EASY, Mark.O): PASSED,
    Setup(INFINITE, Level.EASY): PASSED,
    Setup(MISERE, Level.EASY): PASSED,
    Setup(SQUARE, Level.EASY): PASSED,
    Setup(TIC_TAC_TOE, Level.MEDIUM): Progress(draws=1),
}
WHOLE_PATH = dict.fromkeys(STOPS, PASSED)
HINTED = {
    TallyKey(TIC_TAC_TOE, Level.EASY, hinted=True): Tally(won=2, kept=9, critical=9),
    TallyKey(SQUARE, Level.HARD, hinted=True): Tally(won=1, lost=1),
}
EVERYTHING = {
    TallyKey(rules, level): Tally(won=1) for rules, level in product((SQUARE, INFINITE), Level)
}
SCREENS: Mapping[str, Stats] = {
    "Nothing yet": stats({}),
    "Matches against people, and puzzles": stats(PEOPLE, puzzles=PUZZLES),
    "Runs without a loss against the bot": stats(RUNS),
    "Some of the path, and critical moves": stats(AGAINST_ME, path=SOME_STOPS),
    "The whole path": stats({}, path=WHOLE_PATH),
    "Matches with hints alone": stats(HINTED),
    "More than fits": stats(EVERYTHING),
    "Only a puzzle, long ago": stats({}, puzzles=BROKEN),
    "Ben asks, who has played with Ana": stats(
        PEOPLE, HeadToHead(won=3, drawn=1, lost=2), asker=BEN
    ),
}


CALLED_OFF, RESIGNED = Ending(EndReason.CALLED_OFF), Ending(EndReason.RESIGNED, Mark.O)
WON = make_match("xxx oo. ...", ended_at=NOON)
LAST = (
    WON,
    make_bot_match("xxo oox xox", Level.IMPOSSIBLE, ended_at=NOON - timedelta(hours=1)),
    make_match("x.. ... ...", early_ending=RESIGNED, ended_at=NOON),
    make_match(moves=(4,), rules=INFINITE, early_ending=CALLED_OFF, ended_at=NOON),
    replace(WON, o=Player(DELETED_USER_ID)),
    make_match("xx.. .... .... oo..", rules=SQUARE, early_ending=RESIGNED, ended_at=NOON),
)


def test_stats(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Stats")
    transcript.show_all(SCREENS, partial(stats_view, is_public=False))
    transcript.show("Ana shows everybody", partial(stats_view, stats(PEOPLE), is_public=True))
    transcript.show("No match yet", partial(last_matches_view, LastMatches(ANA, ())))
    transcript.show("Ana's last matches", partial(last_matches_view, LastMatches(ANA, LAST)))
    assert str(transcript) == snapshot

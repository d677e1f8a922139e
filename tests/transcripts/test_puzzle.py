"""Puzzles: before, between and after the tries, shared, and posted for a whole server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.domain.puzzles import (
    DailyPuzzle,
    PuzzlePage,
    PuzzlePost,
    PuzzleResult,
    PuzzleStats,
    SharePage,
    WarmUpPage,
    puzzle_start,
    solution_board,
)
from bot.views.descriptions import puzzle_in_words
from bot.views.i18n import Language
from bot.views.puzzles import day_choices, post_view, share_view
from engine import INFINITE, MISERE, TIC_TAC_TOE, Board, Grade, Rules, judge
from engine.puzzles import puzzle_from
from tests.bot.example_matches import ANA, BEN, NOON, RUI, UNPOSTED
from tests.transcripts.lessons import cells_at, drawn
from tests.transcripts.transcript import Transcript, placed

DAY = NOON.date()
SOLVED = PuzzleStats(solved=(12, 5, 1), missed=0, streak=4, best=9, last_day=DAY)
WEEK = replace(SOLVED, streak=7)
MISSED = PuzzleStats((12, 5, 0), 1, streak=3, best=9, last_day=DAY - timedelta(1), missed_day=DAY)
FIRST = PuzzleStats(solved=(0, 1, 0), missed=0, streak=1, best=1, last_day=DAY)


def a_puzzle(board: str, tried: str = "", ply: int = 0, rules: Rules = TIC_TAC_TOE) -> DailyPuzzle:
    """A position as a puzzle, after some tries, `ply` plies into its solution."""
    puzzle = puzzle_from(Board.parse(board, rules))
    assert puzzle is not None
    page = PuzzlePage(DAY, cells_at(rules, tried), ply)
    verdicts = {cell: judge(puzzle.board, cell) for cell in page.tries}
    step = judge(solution_board(puzzle, ply - 1), puzzle.line[ply - 1]) if ply else None
    return DailyPuzzle(page, puzzle, verdicts, step, next_at=puzzle_start(DAY + timedelta(1)))


def practised(puzzle: DailyPuzzle) -> DailyPuzzle:
    return replace(puzzle, page=puzzle.page.as_practice())


def warm_up(puzzle: DailyPuzzle) -> DailyPuzzle:
    page = puzzle.page
    return replace(puzzle, page=WarmUpPage(page.day, page.tries, page.ply), today=DAY)


to_win = partial(a_puzzle, "..o ..x x.o")
to_hold = partial(a_puzzle, "..o x.. ..x")
"""What answers B1 is also the solution."""
infinite = partial(a_puzzle, "....o2 o1..x2 x3..x1", rules=INFINITE)
misere = partial(a_puzzle, "ox. ... ..x", rules=MISERE)


def puzzles() -> Mapping[str, DailyPuzzle]:
    return {
        "To win: nothing tried": to_win(),
        "A miss that lets the win go": to_win("B1"),
        "A miss that loses, with one try left": to_win("B1 B3"),
        "A cell picked where the puzzle is posted": replace(
            to_win(), page=PuzzlePage(DAY, picked=3)
        ),
        "Solved on the third try": replace(to_win("B1 B3 A2"), stats=SOLVED),
        "Solved on the first try, as others here": replace(
            to_win("A2"), stats=SOLVED, solved_here=7
        ),
        "Solved, and shared": replace(to_win("A2"), stats=SOLVED, is_shared=True),
        "The seventh day solved in a row": replace(to_win("A2"), stats=WEEK),
        "Solved on the second try, the first puzzle ever": replace(to_win("B1 A2"), stats=FIRST),
        "Not solved": replace(to_win("B1 B3 A1"), stats=MISSED),
        "The first move of the solution": to_win("A2", 1),
        "The last move of the solution": to_win("A2", 3),
        "Practice: nothing tried": practised(to_win()),
        "Practice: solved": practised(to_win("A2")),
        "A warm-up: nothing tried": warm_up(to_win()),
        "A warm-up: solved": warm_up(to_win("A2")),
        "To hold the draw: a miss": to_hold("B1"),
        "The same, not solved": to_hold("B1 C2 B2"),
        "To hold the draw: solved by the only move": a_puzzle("... ... ..x", "B2"),
        "Infinite": infinite(),
        "Infinite: a move of the solution": infinite("A1", 3),
        "Misère": misere(),
        "Misère: solved": misere("A2"),
    }


SHARED: Mapping[str, SharePage] = {
    "Solved on the first try": SharePage(DAY, Grade.EASY, 0),
    "Solved on the third try": SharePage(DAY, Grade.MEDIUM, 2),
    "Not solved": SharePage(DAY, Grade.HARD, 3),
}
POSTS: Mapping[str, PuzzlePost] = {
    "Nobody tried yesterday's": PuzzlePost(UNPOSTED, DAY),
    "Three tried yesterday's": PuzzlePost(
        UNPOSTED,
        DAY,
        (PuzzleResult(BEN, 1, 5), PuzzleResult(ANA, 3, 1), PuzzleResult(RUI, None, 0)),
    ),
    "One who tried yesterday's has left": PuzzlePost(
        UNPOSTED,
        DAY,
        (PuzzleResult(BEN, 1, 5), PuzzleResult(ANA, 3, 1)),
        gone=frozenset({ANA}),
    ),
}


def in_words(language: Language) -> list[str]:
    return [puzzle_in_words(language, puzzle.puzzle.board) for puzzle in (to_win(), infinite())]


def shared(page: SharePage, language: Language) -> ui.LayoutView:
    return share_view(page, ANA, language)


def posted(post: PuzzlePost, language: Language) -> ui.LayoutView:
    return post_view(placed(post, language), to_win().puzzle)


def offered(language: Language) -> list[str]:
    yesterday, day_before = DAY - timedelta(1), DAY - timedelta(2)
    offered = day_choices([yesterday, day_before], {yesterday}, "", language)
    return [choice.name for choice in offered]


def test_puzzle(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Puzzle")
    transcript.heading("Somebody's puzzle")
    transcript.show_all(puzzles(), drawn)
    transcript.show("In words", in_words)
    transcript.show("The days to choose from", offered)
    transcript.heading("Shared")
    transcript.show_all(SHARED, shared)
    transcript.heading("Posted for a server")
    transcript.show_all(POSTS, posted)
    assert str(transcript) == snapshot

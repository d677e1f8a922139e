"""The lesson on minimax: the pages of its example, and what differs on a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from syrupy.assertion import SnapshotAssertion

from bot.domain.tutorial import EXAMPLE_GAME, Chapter, Leaves, TutorialPage
from engine import Cell, Record, Rules
from tests.transcripts.lessons import Teach, drawn
from tests.transcripts.transcript import Transcript

EARLY = Record(moves=(4, 0, 8))
"""A match whose tree is too large for a picture."""
LATE = Record(moves=(0, 4, 8, 1, 7))
LARGE = Record(Rules(5, 5, 5), (0, 1, 2))
SORTED = Leaves((3, 8, 12, 2, 4, 6, 2, 5, 14))
RISING = Leaves((1, 2, 3, 4, 5, 6, 7, 8, 9))


def example(
    chapter: Chapter,
    path: tuple[Cell, ...] = (),
    answer: int | None = None,
    tried: int | None = None,
    step: int = 0,
) -> TutorialPage:
    return TutorialPage(EXAMPLE_GAME, chapter, path, answer, tried, step)


PAGES: Mapping[str, Mapping[str, TutorialPage]] = {
    "The game tree": {
        "The start": example(Chapter.TREE),
        "A wrong answer": example(Chapter.TREE, (), 0),
        "The right answer": example(Chapter.TREE, (), 1),
        "A move down": example(Chapter.TREE, (2,)),
        "⭕ has won": example(Chapter.TREE, (2, 0)),
        "❌ has won": example(Chapter.TREE, (0, 2, 3)),
        "A draw": example(Chapter.TREE, (0, 3, 2)),
    },
    "What the numbers mean": {
        "The first question": example(Chapter.NUMBERS).first_question,
        "A wrong answer": example(Chapter.NUMBERS, (0,), 2),
        "Another wrong answer": example(Chapter.NUMBERS, (0,), 0, 2),
        "The right answer": example(Chapter.NUMBERS, (0,), 1),
        "The question at a leaf": example(Chapter.NUMBERS, (2, 0)),
        "The right answer at a leaf": example(Chapter.NUMBERS, (2, 0), 0),
        "The question at the start": example(Chapter.NUMBERS),
        "The right answer at the start": example(Chapter.NUMBERS, (), 1),
    },
    "A search, step by step": {
        f"Step {step + 1}": example(Chapter.WATCH, step=step) for step in range(19)
    }
    | {
        "It must be read": example(Chapter.WATCH, (), 0, step=5),
        "It is skipped": example(Chapter.WATCH, (), 1, step=13),
        "It is not read": example(Chapter.WATCH, (), 0, step=13),
        "With the program": replace(example(Chapter.WATCH, step=13), code=True),
        "The end": example(Chapter.WATCH, step=499),
    },
    "A tree of numbers": {
        "The start": example(Chapter.NUMBER_TREE),
        "A leaf": example(Chapter.NUMBER_TREE, step=2),
        "One that is no better": example(Chapter.NUMBER_TREE, step=5),
        "The question": example(Chapter.NUMBER_TREE, step=11),
        "The right answer": example(Chapter.NUMBER_TREE, (), 1, step=11),
        "The cut": example(Chapter.NUMBER_TREE, step=12),
        "It may still be better": example(Chapter.NUMBER_TREE, (), 0, step=16),
        "The end": example(Chapter.NUMBER_TREE, step=499),
    },
    "Your own numbers": {
        "The textbook's": example(Chapter.OWN_NUMBERS),
        "The least that can be read": TutorialPage(
            EXAMPLE_GAME, Chapter.OWN_NUMBERS, (6,), leaves=SORTED
        ),
        "All of them": TutorialPage(EXAMPLE_GAME, Chapter.OWN_NUMBERS, (8,), leaves=RISING),
    },
    "How I think": {
        "The question": example(Chapter.BOT),
        "A wrong answer": example(Chapter.BOT, (), 0),
        "The right answer": example(Chapter.BOT, (), 1),
    },
    "Your turn": {"The last page": example(Chapter.WRITE)},
    "On a match": {
        "The game tree, too large for a picture": TutorialPage(EARLY),
        "The same on 5x5": TutorialPage(LARGE),
        "The numbers": TutorialPage(EARLY, Chapter.NUMBERS),
        "The numbers, answered": TutorialPage(EARLY, Chapter.NUMBERS, (), 1),
        "The numbers on 5x5": TutorialPage(LARGE, Chapter.NUMBERS),
        "A search of a match": TutorialPage(LATE, Chapter.WATCH),
        "A search of two plies": TutorialPage(EARLY, Chapter.WATCH),
        "A leaf that is solved": TutorialPage(EARLY, Chapter.WATCH, step=2),
        "What is asked there": TutorialPage(EARLY, Chapter.WATCH, step=3),
        "Its end": TutorialPage(EARLY, Chapter.WATCH, step=499),
        "The same on 5x5, at a leaf": TutorialPage(LARGE, Chapter.WATCH, step=2),
    },
}


async def test_learn(snapshot: SnapshotAssertion, teach: Teach) -> None:
    transcript = Transcript("Learn")
    for heading, pages in PAGES.items():
        transcript.heading(heading)
        for title, page in pages.items():
            transcript.show(title, partial(drawn, await teach(page)))
    assert str(transcript) == snapshot

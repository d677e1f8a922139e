"""The lesson on minimax: the pages of its example, and what differs on a match."""

from __future__ import annotations

from collections.abc import Mapping

from syrupy.assertion import SnapshotAssertion

from bot.domain.tutorial import EXAMPLE_GAME, Chapter, TutorialPage
from bot.views.tutorial import hint_confirmation_view
from engine import Cell, Record, Rules
from tests.transcripts.lessons import Teach, drawn
from tests.transcripts.transcript import Transcript

EARLY = Record(moves=(4, 0, 8))
"""A match whose tree is too large for a picture."""
LATE = Record(moves=(0, 4, 8, 1, 7))
LARGE = Record(Rules(5, 5, 4), (0, 1, 2))
DEARER = Record(moves=(0, 1, 2, 3, 7))
"""Here, looking at good-looking moves first costs more."""


def example(
    chapter: Chapter,
    path: tuple[Cell, ...] = (),
    answer: int | None = None,
    tried: int | None = None,
) -> TutorialPage:
    return TutorialPage(EXAMPLE_GAME, chapter, path, answer, tried)


PAGES: Mapping[str, Mapping[str, TutorialPage]] = {
    "The game tree": {
        "The start": example(Chapter.TREE),
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
    "Cutting branches off": {
        "What is sure: the question": example(Chapter.ALPHA),
        "What is sure: the right answer": example(Chapter.ALPHA, (), 1),
        "What is left: the question": example(Chapter.BETA),
        "What is left: the right answer": example(Chapter.BETA, (), 0),
        "What to skip: the question": example(Chapter.PRUNING),
        "What to skip: the right answer": example(Chapter.PRUNING, (), 0),
        "What to skip: a wrong answer": example(Chapter.PRUNING, (), 2),
        "What to skip: another wrong answer": example(Chapter.PRUNING, (), 1, 2),
        "The rule: the question": example(Chapter.RULE),
        "The rule: the right answer": example(Chapter.RULE, (), 1),
    },
    "What it saves": {
        "The question": example(Chapter.SAVED),
        "The right answer": example(Chapter.SAVED, (), 1),
    },
    "A tree of your own": {
        "The question": example(Chapter.OWN_TREE),
        "A wrong answer": example(Chapter.OWN_TREE, (), 2),
        "The right answer": example(Chapter.OWN_TREE, (), 1),
        "Other leaves, of which all are read": example(Chapter.OWN_TREE, (0, 1, 2, 1, 1, 1), 0),
    },
    "On a whole board": {"The empty board": example(Chapter.COMPARISON)},
    "Sooner is better": {
        "The question": example(Chapter.FASTEST_WIN),
        "The right answer": example(Chapter.FASTEST_WIN, (), 1),
    },
    "Stopping early": {
        "Depth 1": example(Chapter.LIMIT),
        "Depth 3": example(Chapter.LIMIT, (), 2),
    },
    "The horizon": {
        "Depth 1": example(Chapter.HORIZON),
        "Depth 3": example(Chapter.HORIZON, (), 2),
    },
    "How I think": {"After the example": example(Chapter.BOT)},
    "On a match": {
        "The game tree, too large for a picture": TutorialPage(EARLY),
        "The same on 5x5": TutorialPage(LARGE),
        "The same of an empty board, behind a button of an older release": TutorialPage(Record()),
        "The numbers": TutorialPage(EARLY, Chapter.NUMBERS),
        "The numbers, answered": TutorialPage(EARLY, Chapter.NUMBERS, (), 1),
        "The numbers on 5x5": TutorialPage(LARGE, Chapter.NUMBERS),
        "Cutting branches off": TutorialPage(LATE, Chapter.PRUNING),
        "On a whole board": TutorialPage(LATE, Chapter.COMPARISON),
        "On a whole board, where order costs more": TutorialPage(DEARER, Chapter.COMPARISON),
        "On a whole board that is too large": TutorialPage(LARGE, Chapter.COMPARISON),
        "How I think": TutorialPage(LATE, Chapter.BOT),
    },
}


async def test_learn(snapshot: SnapshotAssertion, teach: Teach) -> None:
    transcript = Transcript("Learn")
    for heading, pages in PAGES.items():
        transcript.heading(heading)
        for title, page in pages.items():
            transcript.show(title, drawn(await teach(page)))
    transcript.heading("Before the lesson")
    transcript.show(
        "Somebody who plays the bot is asked what to learn from", hint_confirmation_view
    )
    assert str(transcript) == snapshot

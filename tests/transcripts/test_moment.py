"""Moments: the question for everybody, and the answers to tries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.domain.moments import Moment, TryCount
from bot.views.i18n import Language
from bot.views.moments import answer_view, moment_view
from engine import INFINITE, judge
from tests.bot.example_matches import make_match
from tests.transcripts.lessons import cells_at
from tests.transcripts.transcript import Transcript, placed

MOMENT = Moment(make_match(moves=(0, 4, 1, 3, 2)), ply=4)
VANISHING = Moment(make_match(moves=(4, 0, 2, 6, 3, 5, 1, 7, 8), rules=INFINITE), ply=8)
QUESTIONS: Mapping[str, Moment] = {
    "Nobody has tried": MOMENT,
    "One of three found it": replace(MOMENT, count=TryCount(total=3, correct=1)),
    "Nobody found it": replace(MOMENT, count=TryCount(total=1)),
    "Infinite": VANISHING,
}


def asked(moment: Moment, language: Language) -> ui.LayoutView:
    return moment_view(replace(moment, match=placed(moment.match, language)))


def answered(name: str, language: Language) -> ui.LayoutView:
    (cell,) = cells_at(MOMENT.board.rules, name)
    return answer_view(judge(MOMENT.board, cell), language)


def test_moment(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Moment")
    transcript.heading("Everybody is asked")
    transcript.show_all(QUESTIONS, asked)
    transcript.heading("Somebody tries")
    for name in ("C1", "A3"):
        transcript.show(name, partial(answered, name))
    assert str(transcript) == snapshot

"""A server's charts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.domain.matches import Result
from bot.domain.stats import Chart, Rank, Ranked, rung
from bot.views.i18n import Language
from bot.views.stats import RankingTexts, ranking_view
from engine import Level
from tests.bot.drawn import ANA, BEN, RUI
from tests.transcripts.transcript import Transcript

EVE = 4
A_LATER_RELEASE_S = 99
"""A rung that only a later release knows."""
LADDER = (
    Rank(1, EVE, A_LATER_RELEASE_S),
    Rank(2, BEN, rung(Level.IMPOSSIBLE, Result.DRAWN)),
    Rank(3, ANA, rung(Level.HARD, Result.WON)),
    Rank(4, RUI, rung(Level.CHILD, Result.DRAWN)),
)
SCREENS: Mapping[str, Ranked] = {
    **{f"{chart.name}: nobody": Ranked(chart, (), ANA) for chart in Chart},
    "MONTH: Ana asks, and is first with Ben": Ranked(
        Chart.MONTH, (Rank(1, ANA, 12), Rank(1, BEN, 12), Rank(3, RUI, 1)), ANA
    ),
    "EVER: Ana asks, and is far behind": Ranked(
        Chart.EVER, (Rank(1, BEN, 1200), Rank(2, RUI, 30), Rank(27, ANA, 2)), ANA
    ),
    "LADDER: Ben asks": Ranked(Chart.LADDER, LADDER, BEN),
}


def seen(ranked: Ranked, language: Language) -> ui.LayoutView:
    return ranking_view(ranked, RankingTexts(language))


def test_ranking(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Ranking")
    for title, ranked in SCREENS.items():
        transcript.show(title, partial(seen, ranked))
    assert str(transcript) == snapshot

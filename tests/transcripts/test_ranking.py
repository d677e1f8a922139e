"""A server's charts."""

from __future__ import annotations

from collections.abc import Mapping

from syrupy.assertion import SnapshotAssertion

from bot.domain.ladder import ladder_score
from bot.domain.matches import MatchResult
from bot.domain.stats import Leaderboard, Standing, Standings
from bot.views.ranking import ranking_view
from engine import Level
from tests.bot.example_matches import ANA, BEN, RUI
from tests.transcripts.transcript import Transcript

EVE = 4
A_LATER_RELEASE_S = 99
"""A rung that only a later release knows."""
LADDER = (
    Standing(1, EVE, A_LATER_RELEASE_S),
    Standing(2, BEN, ladder_score(Level.IMPOSSIBLE, MatchResult.DRAWN)),
    Standing(3, ANA, ladder_score(Level.HARD, MatchResult.WON)),
    Standing(4, RUI, ladder_score(Level.EASY, MatchResult.WON)),
)
SCREENS: Mapping[str, Standings] = {
    **{f"{chart.name}: nobody": Standings(chart, (), ANA) for chart in Leaderboard},
    "MONTH: Ana asks, and is first with Ben": Standings(
        Leaderboard.MONTH, (Standing(1, ANA, 12), Standing(1, BEN, 12), Standing(3, RUI, 1)), ANA
    ),
    "EVER: Ana asks, and is far behind": Standings(
        Leaderboard.EVER, (Standing(1, BEN, 1200), Standing(2, RUI, 30), Standing(27, ANA, 2)), ANA
    ),
    "LADDER: Ben asks": Standings(Leaderboard.LADDER, LADDER, BEN),
    "LADDER: Rui has left": Standings(Leaderboard.LADDER, LADDER, BEN, gone=frozenset({RUI})),
}


def test_ranking(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Ranking")
    transcript.show_all(SCREENS, ranking_view)
    assert str(transcript) == snapshot

"""A server's charts."""

from __future__ import annotations

from collections.abc import Mapping

from syrupy.assertion import SnapshotAssertion

from bot.domain.matches import HeadToHead
from bot.domain.stats import Leaderboard, Standing, Standings
from bot.views.ranking import ranking_view
from tests.bot.example_matches import ANA, BEN, RUI
from tests.transcripts.transcript import Transcript

EVE = 4
FRIENDS = (
    Standing(1, BEN, HeadToHead(12, 3, 1)),
    Standing(2, ANA, HeadToHead(2, 0, 0)),
    Standing(3, RUI, HeadToHead(0, 0, 12)),
)
SCREENS: Mapping[str, Standings] = {
    **{f"{chart.name}: nobody": Standings(chart, (), ANA) for chart in Leaderboard},
    "MONTH: Ana asks, and is first with Ben": Standings(
        Leaderboard.MONTH, (Standing(1, ANA, 12), Standing(1, BEN, 12), Standing(3, RUI, 1)), ANA
    ),
    "EVER: Ana asks, and is far behind": Standings(
        Leaderboard.EVER, (Standing(1, BEN, 1200), Standing(2, RUI, 30), Standing(27, ANA, 2)), ANA
    ),
    "FRIENDS: Ben asks": Standings(Leaderboard.FRIENDS, FRIENDS, BEN),
    "FRIENDS: Rui has left": Standings(Leaderboard.FRIENDS, FRIENDS, BEN, gone=frozenset({RUI})),
}


def test_ranking(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Ranking")
    transcript.show_all(SCREENS, ranking_view)
    assert str(transcript) == snapshot

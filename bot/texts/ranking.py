"""The texts of a server's ranking."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from bot.game.duel import Result
from bot.game.outcome import Ranked
from bot.game.ranking import Chart, Rank, of_rung
from bot.texts.words import LEVELS, N_, NC_, Sentence, Texts

HEADINGS: Mapping[Chart, Sentence] = {
    Chart.MONTH: N_("## Daily puzzles this month"),
    Chart.EVER: N_("## Daily puzzles"),
    Chart.LADDER: N_("## The ladder: 3x3 against me, without hints"),
}
EMPTY: Mapping[Chart, Sentence] = {
    Chart.MONTH: N_("Nobody here has solved one yet: `/velha puzzle`"),
    Chart.EVER: N_("Nobody here has solved one yet: `/velha puzzle`"),
    Chart.LADDER: N_("Nobody here is on the ladder yet: `/velha start`"),
}
NOTES: Mapping[Chart, Sentence] = {
    Chart.MONTH: N_("-# Three points on the first try, two on the second, one on the third."),
    Chart.EVER: N_("-# Three points on the first try, two on the second, one on the third."),
    Chart.LADDER: N_("-# Each player's best result here."),
}
TABS: Mapping[Chart, Sentence] = {
    # Translators: three buttons in a row.
    Chart.MONTH: NC_("ranking", "This month"),
    Chart.EVER: NC_("ranking", "All time"),
    Chart.LADDER: NC_("ranking", "Ladder"),
}
RUNGS: Mapping[Result, Sentence] = {
    Result.WON: N_("beat *{level}*"),
    Result.DRAWN: N_("drew with *{level}*"),
}
_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


class RankingTexts(Texts):
    """Charts, in one language."""

    def ranking(self, ranked: Ranked) -> str:
        heading = self._(HEADINGS[ranked.chart])
        if not ranked.ranks:
            return f"{heading}\n{self._(EMPTY[ranked.chart])}"
        lines = [self._line(ranked.chart, rank, ranked.asker_id) for rank in ranked.ranks]
        return "\n".join([heading, *lines, self._(NOTES[ranked.chart])])

    def _line(self, chart: Chart, rank: Rank, asker_id: int) -> str:
        place = _MEDALS.get(rank.place, f"{rank.place}.")
        name = self._language.mention(rank.user_id)
        line = f"{place} {name} · {self._score(chart, rank.score)}"
        return f"**{line}**" if rank.user_id == asker_id else line

    def _score(self, chart: Chart, score: int) -> str:
        if chart is not Chart.LADDER:
            return self._language.ngettext("{n} point", "{n} points", score)
        with suppress(IndexError):
            level, result = of_rung(score)
            return self._(RUNGS[result], level=self._(LEVELS[level]))
        return ""

    def tab(self, chart: Chart) -> str:
        return self._(TABS[chart])

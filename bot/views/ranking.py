"""The leaderboards of a server."""

from __future__ import annotations

from collections.abc import Mapping

from discord import ui

from bot.domain.ladder import RUNGS, parse_ladder_score
from bot.domain.matches import MatchResult
from bot.domain.pages import custom_id
from bot.domain.stats import Leaderboard, RankingPage, Standing, Standings
from bot.views.components import button, container_view, tab_style
from bot.views.i18n import LEVELS, N_, NC_, Language, Sentence, Texts

# Translators, from here on: the ranking of a server: a heading.
HEADINGS: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("## Daily puzzles this month"),
    Leaderboard.EVER: N_("## Daily puzzles"),
    Leaderboard.LADDER: N_("## The ladder: 3x3 against me, without hints"),
}

# Translators, from here on: the ranking of a server: where it is empty, or small print below it.
EMPTY_SENTENCES: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("Nobody here has solved a puzzle yet this month: `/velha puzzle`"),
    Leaderboard.EVER: N_("Nobody here has solved a puzzle yet: `/velha puzzle`"),
    Leaderboard.LADDER: N_("Nobody here has passed *{easy}* yet: `/velha start`"),
}

NOTES: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("-# Three points on the first try, two on the second, one on the third."),
    Leaderboard.EVER: N_("-# Three points on the first try, two on the second, one on the third."),
    Leaderboard.LADDER: N_("-# The highest level that each player has passed: `/velha stats`"),
}

TABS: Mapping[Leaderboard, Sentence] = {
    # Translators: three buttons in a row, two of them about the daily puzzles.
    Leaderboard.MONTH: NC_("ranking", "Puzzles: month"),
    Leaderboard.EVER: NC_("ranking", "Puzzles: all time"),
    Leaderboard.LADDER: NC_("ranking", "Ladder"),
}

# Translators, from here on: behind a name in the ranking of a server. {level} is the name of a
# level.
LADDER_SCORES: Mapping[MatchResult, Sentence] = {
    MatchResult.WON: N_("won on *{level}*"),
    MatchResult.DRAWN: N_("drew on *{level}*"),
}

_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


class RankingTexts(Texts):
    """Leaderboards, in one language."""

    def ranking(self, standings: Standings) -> str:
        """A leaderboard, line by line."""
        leaderboard = standings.leaderboard
        heading = self._(HEADINGS[leaderboard])
        if not standings.lines:
            easy = self._(LEVELS[RUNGS[0]])
            return f"{heading}\n{self._(EMPTY_SENTENCES[leaderboard], easy=easy)}"
        lines = [self._line(standings, standing) for standing in standings.lines]
        return "\n".join([heading, *lines, self._(NOTES[leaderboard])])

    def tab(self, leaderboard: Leaderboard) -> str:
        return self._(TABS[leaderboard])

    def _line(self, standings: Standings, standing: Standing) -> str:
        place = _MEDALS.get(standing.place, f"{standing.place}.")
        line = f"{place} {self._language.member(standing.user_id, standings.gone)}"
        if score := self._score(standings.leaderboard, standing.score):
            line = f"{line} · {score}"
        return f"**{line}**" if standing.user_id == standings.asker_id else line

    def _score(self, leaderboard: Leaderboard, score: int) -> str | None:
        """The score in words; None for a result that only a later release knows."""
        if leaderboard is not Leaderboard.LADDER:
            return self._language.ngettext("{n} point", "{n} points", score)
        try:
            level, result = parse_ladder_score(score)
        except IndexError:
            return None
        return self._(LADDER_SCORES[result], level=self._(LEVELS[level]))


def ranking_view(standings: Standings, language: Language) -> ui.LayoutView:
    """A leaderboard, with tabs for the others."""
    texts = RankingTexts(language)
    tabs = [
        button(
            custom_id(RankingPage(leaderboard), 0),
            label=texts.tab(leaderboard),
            style=tab_style(is_open=leaderboard is standings.leaderboard),
        )
        for leaderboard in Leaderboard
    ]
    return container_view(texts.ranking(standings), ui.ActionRow(*tabs), symbols=language.symbols)

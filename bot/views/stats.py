"""Somebody's results, and the leaderboards of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import starmap
from typing import Any

import discord
from discord import ui

from bot.domain.ids import custom_id
from bot.domain.matches import MatchResult
from bot.domain.stats import (
    Leaderboard,
    RankingPage,
    Standing,
    Standings,
    Stats,
    StatsPage,
    Tally,
    TallyKey,
    parse_ladder_score,
)
from bot.views.analysis import MIN_CRITICAL_MOVES
from bot.views.components import button, container_view
from bot.views.i18n import LEVELS, N_, NC_, Language, Sentence, Texts
from bot.views.puzzles import streak_and_tries
from engine import TIC_TAC_TOE, Level

CASUAL: Mapping[Level, tuple[int, int]] = {
    Level.CHILD: (70, 22),
    Level.EASY: (53, 32),
    Level.MEDIUM: (31, 42),
    Level.HARD: (14, 49),
    Level.EXPERT: (3, 52),
    Level.PERFECT: (0, 53),
    Level.IMPOSSIBLE: (0, 53),
}
"""How many times in 100 a casual player beats each level on 3x3, and draws with it."""

LADDER_RESULTS: Mapping[MatchResult, Sentence] = {
    # Translators: {n} is how many times in 100 a casual player does that.
    MatchResult.WON: N_("🏆 beat *{level}* · {n} in 100"),
    MatchResult.DRAWN: N_("🤝 drew with *{level}* · {n} in 100"),
}

ODDS = N_("-# How many times out of 100 a casual player does that.")

_MOST_LINES = 12


class StatsTexts(Texts):
    """Somebody's results, in one language."""

    def sections(self, stats: Stats) -> list[str]:
        """The texts of the sections that are not empty."""
        kinds = sorted(stats.tallies.items(), key=lambda item: -item[1].matches)
        alone = [(kind, tally) for kind, tally in kinds if not kind.hinted]
        people = [(kind, tally) for kind, tally in alone if kind.level is None]
        bot = [(kind, tally) for kind, tally in alone if kind.level is not None]
        hinted = [tally for kind, tally in kinds if kind.hinted]
        lines = {
            N_("### Against people"): self._lines(people),
            N_("### Against me"): self._lines(bot),
            N_("### The ladder: 3x3, without hints"): self._ladder(stats.tallies),
            N_("### With hints"): [self._results(hinted)] if hinted else [],
            N_("### Daily puzzle"): self._puzzles(stats),
        }
        sections = ["\n".join([self._(head), *said]) for head, said in lines.items() if said]
        return ["\n".join(self._head(stats)), *sections, *self._critical(alone)]

    def _head(self, stats: Stats) -> Iterator[str]:
        yield f"## {self._language.mention(stats.user_id)}"
        if stats.head_to_head.matches:
            yield self._language.head_to_head(stats.asker_id, stats.user_id, stats.head_to_head)
        if stats.is_empty:
            yield self._("Nothing to show yet. Start a match: `/velha start`")

    def _puzzles(self, stats: Stats) -> list[str]:
        if stats.puzzles.is_new:
            return []
        by_tries = self._("-# Puzzles, by number of tries:")
        return [streak_and_tries(self._language, stats.puzzles, stats.today, by_tries)]

    def _lines(self, kinds: Sequence[tuple[TallyKey, Tally]]) -> list[str]:
        said = list(starmap(self._line, kinds[:_MOST_LINES]))
        if left := len(kinds) - len(said):
            # Translators: lines that are left out, such as "and 2 more".
            said.append(self._language.ngettext("-# and {n} more", "-# and {n} more", left))
        return said

    def _line(self, kind: TallyKey, tally: Tally) -> str:
        game = self._language.game(kind.rules)
        name = f"**{self._(LEVELS[kind.level])}** {game}" if kind.level else f"**{game}**"
        return "\n".join([f"{name}: {self._results([tally])}", *self._run(tally)])

    def _results(self, tallies: Sequence[Tally]) -> str:
        ngettext = self._language.ngettext
        said: Sequence[tuple[int, Callable[[int], str]]] = [
            (sum(t.won for t in tallies), lambda n: ngettext("{n} win", "{n} wins", n)),
            (sum(t.drawn for t in tallies), lambda n: ngettext("{n} draw", "{n} draws", n)),
            (sum(t.lost for t in tallies), lambda n: ngettext("{n} loss", "{n} losses", n)),
        ]
        return " · ".join(say(n) for n, say in said if n)

    def _run(self, tally: Tally) -> Iterator[str]:
        """The current and the longest unbeaten run, if there was one of at least two matches."""
        if tally.longest < 2:
            return
        if tally.unbeaten:
            yield self._language.ngettext(
                "-# {n} match without a loss (best: {most})",
                "-# {n} matches without a loss (best: {most})",
                tally.unbeaten,
                most=tally.longest,
            )
        else:
            yield self._("-# longest unbeaten run: {n}", n=tally.longest)

    def _ladder(self, tallies: Mapping[TallyKey, Tally]) -> list[str]:
        rungs = list(self._rungs(tallies))
        return [*rungs, self._(ODDS)] if rungs else []

    def _rungs(self, tallies: Mapping[TallyKey, Tally]) -> Iterator[str]:
        for level in Level:
            best = tallies.get(TallyKey(TIC_TAC_TOE, level), Tally()).best
            if best is not None:
                n = CASUAL[level][best is MatchResult.DRAWN]
                yield self._(LADDER_RESULTS[best], level=self._(LEVELS[level]), n=n)

    def _critical(self, kinds: Sequence[tuple[TallyKey, Tally]]) -> Iterator[str]:
        kept = sum(tally.kept for _kind, tally in kinds)
        critical = sum(tally.critical for _kind, tally in kinds)
        if critical >= MIN_CRITICAL_MOVES:
            # Translators: of {n} moves that could have been mistakes {kept} were not.
            yield self._(
                "**Critical moves**: {kept} of {n} right ({percent})\n"
                "-# Moves where a mistake was possible, in matches without hints.",
                kept=self._language.number(kept),
                n=self._language.number(critical),
                percent=self._language.percent(kept / critical),
            )

    def post_button(self) -> str:
        return self._(NC_("button", "Show everyone"))


HEADINGS: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("## Daily puzzles this month"),
    Leaderboard.EVER: N_("## Daily puzzles"),
    Leaderboard.LADDER: N_("## The ladder: 3x3 against me, without hints"),
}

EMPTY: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("Nobody here has solved one yet: `/velha puzzle`"),
    Leaderboard.EVER: N_("Nobody here has solved one yet: `/velha puzzle`"),
    Leaderboard.LADDER: N_("Nobody here is on the ladder yet: `/velha start`"),
}

NOTES: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("-# Three points on the first try, two on the second, one on the third."),
    Leaderboard.EVER: N_("-# Three points on the first try, two on the second, one on the third."),
    Leaderboard.LADDER: N_("-# Each player's best result here."),
}

TABS: Mapping[Leaderboard, Sentence] = {
    # Translators: three buttons in a row.
    Leaderboard.MONTH: NC_("ranking", "This month"),
    Leaderboard.EVER: NC_("ranking", "All time"),
    Leaderboard.LADDER: NC_("ranking", "Ladder"),
}

LADDER_SCORES: Mapping[MatchResult, Sentence] = {
    MatchResult.WON: N_("beat *{level}*"),
    MatchResult.DRAWN: N_("drew with *{level}*"),
}

_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


class RankingTexts(Texts):
    """Charts, in one language."""

    def ranking(self, ranked: Standings) -> str:
        heading = self._(HEADINGS[ranked.chart])
        if not ranked.ranks:
            return f"{heading}\n{self._(EMPTY[ranked.chart])}"
        lines = [self._line(ranked.chart, rank, ranked.asker_id) for rank in ranked.ranks]
        return "\n".join([heading, *lines, self._(NOTES[ranked.chart])])

    def _line(self, chart: Leaderboard, rank: Standing, asker_id: int) -> str:
        place = _MEDALS.get(rank.place, f"{rank.place}.")
        name = self._language.mention(rank.user_id)
        line = f"{place} {name} · {self._score(chart, rank.score)}"
        return f"**{line}**" if rank.user_id == asker_id else line

    def _score(self, chart: Leaderboard, score: int) -> str:
        if chart is not Leaderboard.LADDER:
            return self._language.ngettext("{n} point", "{n} points", score)
        with suppress(IndexError):
            level, result = parse_ladder_score(score)
            return self._(LADDER_SCORES[result], level=self._(LEVELS[level]))
        return ""

    def tab(self, chart: Leaderboard) -> str:
        return self._(TABS[chart])


_COLOUR = discord.Colour.gold()


def stats_view(stats: Stats, language: Language, *, is_public: bool) -> ui.LayoutView:
    """The results, one text per section; in private, with a button to show them to everybody."""
    texts = StatsTexts(language)
    head, *sections = texts.sections(stats)
    items: list[str | ui.Item[Any]] = [head]
    for section in sections:
        items += [ui.Separator(), section]
    if not (is_public or stats.is_empty):
        post = button(custom_id(StatsPage(stats.user_id), 0), label=texts.post_button())
        items += [ui.Separator(), ui.ActionRow(post)]
    return container_view(*items, symbols=language.symbols, colour=_COLOUR)


def ranking_view(ranked: Standings, language: Language) -> ui.LayoutView:
    """A chart, with tabs for the others."""
    texts = RankingTexts(language)
    tabs = [
        button(
            custom_id(RankingPage(chart), 0),
            label=texts.tab(chart),
            disabled=chart is ranked.chart,
        )
        for chart in Leaderboard
    ]
    return container_view(
        texts.ranking(ranked), ui.ActionRow(*tabs), symbols=language.symbols, colour=_COLOUR
    )

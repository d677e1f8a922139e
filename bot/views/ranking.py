"""The leaderboards of a server."""

from __future__ import annotations

from collections.abc import Mapping

from discord import ui

from bot.domain.matches import HeadToHead
from bot.domain.pages import custom_id
from bot.domain.stats import Leaderboard, RankingPage, Standing, Standings
from bot.views.components import button, container_view, tab_style
from bot.views.i18n import N_, NC_, Language, Sentence
from bot.views.stats import results_in_words

# Translators, from here on: the ranking of a server: a heading.
HEADINGS: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("## Daily puzzles this month"),
    Leaderboard.EVER: N_("## Daily puzzles"),
    Leaderboard.FRIENDS: N_("## Against each other"),
}

# Translators, from here on: the ranking of a server: where it is empty, or small print below it.
EMPTY_SENTENCES: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("Nobody here has solved a puzzle yet this month: `/velha puzzle`"),
    Leaderboard.EVER: N_("Nobody here has solved a puzzle yet: `/velha puzzle`"),
    Leaderboard.FRIENDS: N_("Nobody here has played anybody yet: `/velha start opponent:`"),
}

NOTES: Mapping[Leaderboard, Sentence] = {
    Leaderboard.MONTH: N_("-# Three points on the first try, two on the second, one on the third."),
    Leaderboard.EVER: N_("-# Three points on the first try, two on the second, one on the third."),
    Leaderboard.FRIENDS: N_("-# Matches between people in this server, on all boards."),
}

TABS: Mapping[Leaderboard, Sentence] = {
    # Translators: three buttons in a row, two of them about the daily puzzles.
    Leaderboard.MONTH: NC_("ranking", "Puzzles: month"),
    Leaderboard.EVER: NC_("ranking", "Puzzles: all time"),
    # Translators: the third: wins against other people in this server.
    Leaderboard.FRIENDS: NC_("ranking", "Friends"),
}

_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def _text(language: Language, standings: Standings) -> str:
    """A leaderboard, line by line."""
    say, leaderboard = language.say, standings.leaderboard
    heading = say(HEADINGS[leaderboard])
    if not standings.lines:
        return f"{heading}\n{say(EMPTY_SENTENCES[leaderboard])}"
    lines = [_line(language, standings, standing) for standing in standings.lines]
    return "\n".join([heading, *lines, say(NOTES[leaderboard])])


def _line(language: Language, standings: Standings, standing: Standing) -> str:
    place = _MEDALS.get(standing.place, f"{standing.place}.")
    line = f"{place} {language.member(standing.user_id, standings.gone)}"
    line = f"{line} · {_score(language, standing.score)}"
    return f"**{line}**" if standing.user_id == standings.asker_id else line


def _score(language: Language, score: int | HeadToHead) -> str:
    if isinstance(score, HeadToHead):
        return results_in_words(language, score)
    return language.ngettext("{n} point", "{n} points", score)


def ranking_view(standings: Standings, language: Language) -> ui.LayoutView:
    """A leaderboard, with tabs for the others."""
    tabs = [
        button(
            custom_id(RankingPage(leaderboard), 0),
            label=language.say(TABS[leaderboard]),
            style=tab_style(is_open=leaderboard is standings.leaderboard),
        )
        for leaderboard in Leaderboard
    ]
    return container_view(_text(language, standings), ui.ActionRow(*tabs), symbols=language.symbols)

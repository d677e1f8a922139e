"""A person's results, and their last matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from discord import ui

from bot.domain.analysis import ReviewPage
from bot.domain.ids import snowflake_time
from bot.domain.matches import BOARDS, HeadToHead, Match, MatchResult, result_for
from bot.domain.mistakes import MistakePage
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.stats import LastMatches, Stats, StatsPage, Tally, TallyKey
from bot.views.analysis import MIN_CRITICAL_MOVES
from bot.views.components import button, container_view
from bot.views.i18n import (
    LEVELS,
    N_,
    NC_,
    Language,
    Sentence,
    relative_timestamp,
)
from bot.views.path import path_lines
from bot.views.puzzles import streak_and_tries
from engine import Level

_MAX_TALLIES = 12

_BUTTONS_A_ROW = 5


# Translators, from here on: how often someone has won, drawn and lost, in a line.
def results_in_words(language: Language, score: HeadToHead) -> str:
    """How many wins, draws and losses, each only if there are any."""
    results = []
    if score.won:
        results.append(language.ngettext("{n} win", "{n} wins", score.won))
    if score.drawn:
        results.append(language.ngettext("{n} draw", "{n} draws", score.drawn))
    if score.lost:
        results.append(language.ngettext("{n} loss", "{n} losses", score.lost))
    return " · ".join(results)


# Translators, from here on: someone's results: headings, and short lines of a phone, about 40
# letters. {n} is a number.
def _sections(language: Language, stats: Stats, *, is_public: bool) -> list[str]:
    """The texts of the sections that are not empty; what comes next is told to the person alone."""
    tallies = sorted(stats.tallies.items(), key=_sort_key)
    unaided = [(key, tally) for key, tally in tallies if not key.hinted]
    against_people = [(key, tally) for key, tally in unaided if key.level is None]
    against_bot = [(key, tally) for key, tally in unaided if key.level is not None]
    hinted = [tally for key, tally in tallies if key.hinted]
    sections = ["\n".join(_heading(language, stats))]
    if against_people:
        lines = _tally_lines(language, against_people)
        sections.append(_section(language, N_("### Against people"), lines))
    if against_bot:
        lines = _tally_lines(language, against_bot)
        sections.append(_section(language, N_("### Against me"), lines))
    if against_bot or stats.path:
        so_far, *stops_ahead = path_lines(language, stats.path)
        is_for_them = stats.user_id == stats.asker_id and not is_public
        lines = [so_far, *stops_ahead] if is_for_them else [so_far]
        sections.append(_section(language, N_("### The path, without hints"), lines))
    if hinted:
        sections.append(_section(language, N_("### With hints"), [_results(language, hinted)]))
    if not stats.puzzles.is_new:
        lines = [_puzzle_results(language, stats)]
        sections.append(_section(language, N_("### Daily puzzle"), lines))
    sections += _accuracy(language, unaided)
    return sections


def _section(language: Language, heading: Sentence, lines: Sequence[str]) -> str:
    return "\n".join([language.say(heading), *lines])


def _heading(language: Language, stats: Stats) -> Iterator[str]:
    yield f"## {language.mention(stats.user_id)}"
    if stats.head_to_head.matches:
        yield language.head_to_head(stats.asker_id, stats.user_id, stats.head_to_head)
    if stats.is_empty:
        yield language.say(N_("Nothing to show yet. Start a match with `/velha start`."))


def _puzzle_results(language: Language, stats: Stats) -> str:
    heading = language.say(N_("-# Puzzles by number of tries:"))
    return streak_and_tries(language, stats.puzzles, stats.today, heading)


def _tally_lines(language: Language, tallies: Sequence[tuple[TallyKey, Tally]]) -> list[str]:
    lines = [_tally_line(language, key, tally) for key, tally in tallies[:_MAX_TALLIES]]
    omitted = len(tallies) - len(lines)
    if omitted > 0:
        # Translators: lines that are left out, such as "and 2 more".
        lines.append(language.ngettext("-# and {n} more", "-# and {n} more", omitted))
    return [*lines, *_unbeaten_run(language, tallies)]


def _tally_line(language: Language, key: TallyKey, tally: Tally) -> str:
    return language.labelled(_tally_name(language, key), _results(language, [tally]))


def _tally_name(language: Language, key: TallyKey) -> str:
    game = language.game_name(key.rules)
    if key.level is None:
        return f"**{game}**"
    level = language.say(LEVELS[key.level])
    # Translators: a game and a level, before the results in it; only the comma is yours.
    return language.say(N_("**{game}**, {level}"), game=game, level=level)


def _results(language: Language, tallies: Sequence[Tally]) -> str:
    won = sum(tally.won for tally in tallies)
    drawn = sum(tally.drawn for tally in tallies)
    lost = sum(tally.lost for tally in tallies)
    return results_in_words(language, HeadToHead(won, drawn, lost))


def _unbeaten_run(language: Language, tallies: Sequence[tuple[TallyKey, Tally]]) -> Iterator[str]:
    """The longest unbeaten run within a tally, and in which, if it was of two matches or more."""
    key, tally = max(tallies, key=lambda item: item[1].longest)
    if tally.longest >= 2:
        run = language.say(N_("-# longest unbeaten run: {n}"), n=language.number(tally.longest))
        yield f"{run} · {_tally_name(language, key)}"


def _accuracy(language: Language, tallies: Sequence[tuple[TallyKey, Tally]]) -> Iterator[str]:
    """How many critical moves were right, once there were enough of them."""
    kept = sum(tally.kept for _key, tally in tallies)
    critical = sum(tally.critical for _key, tally in tallies)
    if critical >= MIN_CRITICAL_MOVES:
        yield language.say(
            # Translators: of {n} moves that could have been mistakes {kept} were not.
            N_(
                "**Tricky moves**: {kept} of {n} right ({percent})\n"
                "-# Moves that could have gone wrong, in matches without hints."
            ),
            kept=language.number(kept),
            n=language.number(critical),
            percent=language.percent(kept / critical),
        )


def stats_view(stats: Stats, language: Language, *, is_public: bool) -> ui.LayoutView:
    """The results, one text per section; in private, with a button to show them to everybody."""
    head, *sections = _sections(language, stats, is_public=is_public)
    items: list[str | ui.Item[Any]] = [head]
    for section in sections:
        items += [ui.Separator(), section]
    if not (is_public or stats.is_empty):
        label = language.say(NC_("button", "Show everyone"))
        buttons = [button(custom_id(StatsPage(stats.user_id), 0), label=label)]
        if stats.user_id == stats.asker_id and stats.tallies:
            label = language.say(NC_("button", "My latest matches"))
            last_matches_id = custom_id(ShortcutPage(Shortcut.LAST_MATCHES), 0)
            buttons.append(button(last_matches_id, label=label))
        items += [ui.Separator(), ui.ActionRow(*buttons)]
    return container_view(*items, symbols=language.symbols)


# Translators, from here on: a list of one's own last matches. How one of them ended is a word or
# two behind a name.
RESULTS: Mapping[MatchResult, Sentence] = {
    MatchResult.WON: NC_("result", "you won"),
    MatchResult.DRAWN: NC_("result", "a draw"),
    MatchResult.LOST: NC_("result", "you lost"),
}


def _matches_text(language: Language, last_matches: LastMatches) -> str:
    """The matches, line by line, each with its number."""
    say = language.say
    heading = say(N_("## Your latest matches"))
    if not last_matches.matches:
        nothing = say(N_("Nothing to show yet. Start a match with `/velha start`."))
        return f"{heading}\n{nothing}"
    lines = [
        _numbered_line(language, number, match, last_matches.user_id)
        for number, match in enumerate(last_matches.matches, start=1)
    ]
    return "\n".join([heading, *lines, say(N_("-# Press a number to review that match."))])


def _numbered_line(language: Language, number: int, match: Match, user_id: int) -> str:
    game = language.game_name(match.rules)
    return f"**{number}** {game} · {match_line(language, match, user_id)}"


def match_line(language: Language, match: Match, user_id: int) -> str:
    """Against whom a match was, how it ended, and when."""
    ended_at = match.ended_at or snowflake_time(match.id)
    parts = [
        _opponent(language, match, user_id),
        _result(language, match, user_id),
        relative_timestamp(ended_at),
    ]
    return " · ".join(parts)


def _opponent(language: Language, match: Match, user_id: int) -> str:
    name = language.mention(match.opponent_of(user_id))
    return f"{name} ({language.say(LEVELS[match.bot_level])})" if match.bot_level else name


def _result(language: Language, match: Match, user_id: int) -> str:
    mark = match.mark_of(user_id)
    assert mark is not None, "it is a match of theirs"
    result = result_for(mark, match)
    return language.say(RESULTS[result] if result else N_("unfinished"))


def last_matches_view(last_matches: LastMatches, language: Language) -> ui.LayoutView:
    """A person's last matches, with a button to review each, and one to practise."""
    buttons = [
        button(custom_id(ReviewPage.of(match), number), label=str(number))
        for number, match in enumerate(last_matches.matches, start=1)
    ]
    rows = [
        ui.ActionRow[Any](*buttons[start : start + _BUTTONS_A_ROW])
        for start in range(0, len(buttons), _BUTTONS_A_ROW)
    ]
    back = custom_id(ShortcutPage(Shortcut.STATS), 0)
    below = [button(back, label=language.say(NC_("button", "Back")))]
    if last_matches.matches:
        # Translators: a button that leads to one's mistakes in one's last matches.
        label = language.say(NC_("button", "My mistakes"))
        below.insert(0, button(custom_id(MistakePage(), 0), label=label))
    text = _matches_text(language, last_matches)
    return container_view(text, *rows, ui.ActionRow(*below), symbols=language.symbols)


def _sort_key(item: tuple[TallyKey, Tally]) -> tuple[int, int]:
    """Sorts tallies by game, the usual ones first, then by level, the lowest first."""
    key, _tally = item
    game = BOARDS.index(key.rules) if key.rules in BOARDS else len(BOARDS)
    level = list(Level).index(key.level) if key.level else len(Level)
    return game, level

"""The messages of results."""

from __future__ import annotations

from datetime import date

import pytest

from bot.domain.matches import BOARDS, HeadToHead
from bot.domain.path import SECOND_MARKS, STOPS, Progress
from bot.domain.puzzles import PuzzleStats
from bot.domain.stats import Stats, Tally, TallyKey
from bot.views.catalogues import LANGUAGES
from bot.views.i18n import language_for
from bot.views.path import path_lines
from bot.views.stats import stats_view
from engine import Level
from tests.bot.example_matches import ANA, BEN
from tests.bot.languages import check_limits
from tests.bot.views.examples import EN, text_of

TODAY = date(2026, 5, 1)
FULL = PuzzleStats((10**6,) * 3, 10**6, 10**6, 10**6, TODAY)
SECOND_GAME = EN.game_name(BOARDS[1])


def said(*tallies: Tally) -> str:
    """What is said of results against people, on one board each."""
    results = dict(zip(map(TallyKey, BOARDS), tallies, strict=False))
    stats = Stats(ANA, ANA, results, HeadToHead(), PuzzleStats(), TODAY)
    return text_of(stats_view(stats, EN, is_public=False))


def test_of_all_runs_without_a_loss_the_longest_is_told() -> None:
    short = Tally(won=3, unbeaten=2, longest=2)
    assert "-# longest unbeaten run: 2 · **3x3**" in said(short)
    for current in (1, 8):
        long = Tally(won=9, lost=1, unbeaten=current, longest=8)
        said_of_both = said(short, long)
        assert said_of_both.count("unbeaten") == 1
        assert f"-# longest unbeaten run: 8 · **{SECOND_GAME}**" in said_of_both.splitlines()
    assert "unbeaten" not in said(Tally(won=1, lost=1, unbeaten=1, longest=1))


def test_of_the_path_three_stops_ahead_are_shown_whatever_is_passed() -> None:
    stops, seconds = list(STOPS), list(SECOND_MARKS)
    passed = Progress(is_passed=True)
    path = {stops[0]: passed, stops[2]: passed, seconds[0]: passed}
    assert [*path_lines(EN, path)] == [
        "2 of 14 · ⭐ 1",
        "▶️ **Beat me at infinite, *easy***",
        "▫️ 4x4 (3), *easy*",
        "▫️ 3x3, *medium*",
    ]
    but_one = dict.fromkeys(stops[:-1], passed)
    assert [line[0] for line in path_lines(EN, but_one)] == ["1", "▶"]
    [_, star] = path_lines(EN, dict.fromkeys(stops, passed))
    assert star == "⭐ Beat me at 3x3, *easy*, going second"
    assert len([*path_lines(EN, dict.fromkeys([*stops, *seconds], passed))]) == 1


@pytest.mark.parametrize(
    ("asker", "is_public", "is_told"), [(ANA, False, True), (ANA, True, False), (BEN, False, False)]
)
def test_the_stops_ahead_are_told_to_who_is_on_the_path_and_to_nobody_else(
    asker: int, *, is_public: bool, is_told: bool
) -> None:
    path = {stop: Progress(is_passed=True) for stop in [*STOPS][:2]}
    stats = Stats(asker, ANA, {}, HeadToHead(), PuzzleStats(missed=1), TODAY, path)
    shown = text_of(stats_view(stats, EN, is_public=is_public))
    assert "2 of 14" in shown
    assert ("Beat me" in shown) is is_told


def test_few_critical_moves_are_not_mentioned() -> None:
    assert "Tricky" not in said(Tally(won=1, kept=3, critical=3))
    assert "**Tricky moves**: 3 of 4 right (75%)" in said(Tally(won=1, kept=3, critical=4))


def test_the_longest_history_fits_in_a_message_in_every_language() -> None:
    number = 10**6
    path = dict.fromkeys(STOPS, Progress(is_passed=True)) | dict.fromkeys(
        list(SECOND_MARKS)[:-1], Progress(is_passed=True)
    )
    tally = Tally(number, number, number, number, number + 1, number, number)
    levels: list[Level | None] = [None, *Level]
    kinds = [
        TallyKey(rules, level, h) for rules in BOARDS for level in levels for h in (False, True)
    ]
    stats = Stats(
        ANA, BEN, dict.fromkeys(kinds, tally), HeadToHead(number, number, number), FULL, TODAY, path
    )
    for language in map(language_for, LANGUAGES):
        check_limits(stats_view(stats, language, is_public=False))

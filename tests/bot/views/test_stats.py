"""The messages of results."""

from __future__ import annotations

from datetime import date

from bot.domain.matches import BOARDS, HeadToHead
from bot.domain.path import SECOND_MARKS, STOPS, Progress
from bot.domain.puzzles import PuzzleStats
from bot.domain.stats import Stats, Tally, TallyKey
from bot.views.catalogues import LANGUAGES
from bot.views.help import CASUAL_WINS
from bot.views.i18n import language_for
from bot.views.stats import stats_view
from engine import TIC_TAC_TOE, Level
from tests.bot.example_matches import ANA, BEN
from tests.bot.languages import check_limits
from tests.bot.views.examples import text_of
from tests.engine import strength

TODAY = date(2026, 5, 1)
FULL = PuzzleStats((10**6,) * 3, 10**6, 10**6, 10**6, TODAY)
EN = language_for("en-GB")


def said(tally: Tally) -> str:
    stats = Stats(ANA, ANA, {TallyKey(TIC_TAC_TOE): tally}, HeadToHead(), PuzzleStats(), TODAY)
    return text_of(stats_view(stats, EN, is_public=False))


def test_the_wins_in_the_help_are_those_of_a_casual_player_on_3x3() -> None:
    for level in Level:
        results = strength.on_both_sides(strength.policy_of(level), strength.casual)
        assert CASUAL_WINS[level] == round(100 * abs(results.loss))


def test_few_critical_moves_are_not_mentioned() -> None:
    assert "Critical" not in said(Tally(won=1, kept=3, critical=3))
    assert "**Accuracy**: 3/4 right (75%)" in said(Tally(won=1, kept=3, critical=4))


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

"""What is said of what somebody has come to."""

from __future__ import annotations

from datetime import date

import pytest

from bot.game.duel import Duel
from bot.game.outcome import Stats
from bot.game.puzzles import PuzzleTally
from bot.game.tally import Kind, Tally
from bot.texts import LANGUAGES, StatsTexts, language_for
from bot.texts.stats import CASUAL
from bot.views.stats import stats_view
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Rules
from tests.bot.drawn import ANA, BEN
from tests.engine import strength

LARGE = Rules(5, 5, 4)
GAMES = [TIC_TAC_TOE, Rules(4, 4, 3), Rules(4, 4, 4), LARGE, Rules(5, 5, 5), INFINITE, MISERE]
TODAY = date(2026, 5, 1)
FULL = PuzzleTally((10**6,) * 3, 10**6, 10**6, 10**6, TODAY)
EN = StatsTexts(language_for("en-GB"))


def lines(*said: str) -> str:
    return "\n".join(said)


def said(tallies: dict[Kind, Tally], duel: Duel | None = None) -> list[str]:
    return EN.sections(Stats(ANA, BEN, tallies, duel or Duel(), PuzzleTally(), TODAY))


def test_each_opponent_and_game_has_a_line_the_most_played_first_without_noughts() -> None:
    sections = said(
        {
            Kind(LARGE): Tally(won=1, drawn=2),
            Kind(TIC_TAC_TOE): Tally(won=3, drawn=1, lost=4),
            Kind(MISERE, Level.HARD): Tally(lost=1),
        }
    )
    assert sections == [
        "## <@2>",
        lines(
            "### Against people",
            "**3x3**: 3 wins · 1 draw · 4 losses",
            "**5x5 (4 in a row)**: 1 win · 2 draws",
        ),
        "### Against me\n**hard** misère: 1 loss",
    ]


@pytest.mark.parametrize(
    ("now", "most", "line"),
    [
        (0, 1, None),
        (1, 1, None),
        (3, 3, "-# 3 matches without a loss (best: 3)"),
        (1, 5, "-# 1 match without a loss (best: 5)"),
        (0, 5, "-# longest unbeaten run: 5"),
    ],
)
def test_a_run_is_told_where_it_is_one(now: int, most: int, line: str | None) -> None:
    (_head, people) = said({Kind(TIC_TAC_TOE): Tally(won=9, unbeaten=now, longest=most)})
    assert people.splitlines()[2:] == ([line] if line else [])


def test_a_run_of_one_match_is_in_the_singular() -> None:
    once_more = {Kind(TIC_TAC_TOE): Tally(won=9, unbeaten=1, longest=5)}
    stats = Stats(ANA, BEN, once_more, Duel(), PuzzleTally(), TODAY)
    (_head, people) = StatsTexts(language_for("pt-BR")).sections(stats)
    assert people.splitlines()[2:] == ["-# 1 partida sem perder (recorde: 5)"]


def test_with_hints_is_one_line_and_apart_from_all_else() -> None:
    sections = said(
        {
            Kind(TIC_TAC_TOE, Level.EASY, hinted=True): Tally(won=2, kept=9, critical=9),
            Kind(LARGE, Level.HARD, hinted=True): Tally(won=1, lost=1),
        }
    )
    assert sections[1:] == ["### With hints\n3 wins · 1 loss"]


def test_the_ladder_names_the_best_result_on_each_rung_of_3x3() -> None:
    tallies = {
        Kind(TIC_TAC_TOE, Level.EASY): Tally(won=1, drawn=5),
        Kind(TIC_TAC_TOE, Level.HARD): Tally(lost=5),
        Kind(TIC_TAC_TOE, Level.PERFECT): Tally(drawn=1, lost=5),
        Kind(LARGE, Level.MEDIUM): Tally(won=1),
    }
    (ladder,) = (text for text in said(tallies) if "ladder" in text)
    assert ladder.splitlines()[1:] == [
        "🏆 beat *easy* · 53 in 100",
        "🤝 drew with *perfect* · 53 in 100",
        "-# How many times out of 100 a casual player does that.",
    ]


def test_the_odds_of_the_ladder_are_those_of_a_casual_player_on_3x3() -> None:
    for level in Level:
        results = strength.on_both_sides(strength.policy_of(level), strength.casual)
        assert CASUAL[level] == (round(100 * abs(results.loss)), round(100 * results.draw))


def test_of_few_critical_moves_nothing_is_said() -> None:
    some, enough = (Tally(won=1, kept=3, critical=critical) for critical in (3, 4))
    assert "Critical" not in "\n".join(said({Kind(TIC_TAC_TOE): some}))
    assert said({Kind(TIC_TAC_TOE): enough})[-1].startswith(
        "**Critical moves**: 3 of 4 right (75%)"
    )


def test_how_two_stand_is_said_where_they_have_met() -> None:
    assert said({}, Duel(won=3, lost=2, drawn=1))[0].splitlines()[1] == "<@1> 3 × 2 <@2> · 1 draw"
    assert "×" not in said({}, Duel())[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_history_fits_in_a_message(language: str) -> None:
    number = 10**6
    tally = Tally(number, number, number, number, number + 1, number, number)
    levels: list[Level | None] = [None, *Level]
    kinds = [Kind(rules, level, h) for rules in GAMES for level in levels for h in (False, True)]
    stats = Stats(ANA, BEN, dict.fromkeys(kinds, tally), Duel(number, number, number), FULL, TODAY)
    texts = StatsTexts(language_for(language))
    assert sum(map(len, texts.sections(stats))) < 4_000
    view = stats_view(stats, texts, is_public=False)
    assert len(list(view.walk_children())) <= 40

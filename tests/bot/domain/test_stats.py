"""Results, counted from matches, and leaderboards."""

from __future__ import annotations

from datetime import date

import pytest

from bot.domain.match_actions import expire
from bot.domain.matches import (
    Ending,
    EndReason,
    HeadToHead,
    Match,
    MatchResult,
    head_to_head_after,
    result_for,
)
from bot.domain.rematches import ask_for_rematch, next_match
from bot.domain.settings import GuildSettings
from bot.domain.stats import (
    Leaderboard,
    Tally,
    TallyKey,
)
from engine import INFINITE, TIC_TAC_TOE, Accuracy, Level, Mark
from tests.bot.example_matches import (
    ANA,
    BEN,
    DRAWN,
    NEXT_MATCH,
    NOON,
    O_WON,
    PLAYED,
    X_WON,
    make_bot_match,
    make_match,
)

EASY = TallyKey(TIC_TAC_TOE, Level.EASY)
MONDAY = date(2026, 5, 4)


def early_ending(reason: EndReason, winner: Mark | None = None) -> Match:
    return make_match(PLAYED, early_ending=Ending(reason, winner))


@pytest.mark.parametrize(
    ("match", "for_x"),
    [
        (make_match(X_WON), MatchResult.WON),
        (make_match(O_WON), MatchResult.LOST),
        (make_match(DRAWN), MatchResult.DRAWN),
        (early_ending(EndReason.RESIGNED, Mark.O), MatchResult.LOST),
        (early_ending(EndReason.TIMED_OUT, Mark.X), MatchResult.WON),
        (expire(make_match(PLAYED)), MatchResult.LOST),
    ],
)
def test_a_finished_match_is_a_result_for_both_players(match: Match, for_x: MatchResult) -> None:
    reversed_sides = {
        MatchResult.WON: MatchResult.LOST,
        MatchResult.LOST: MatchResult.WON,
        MatchResult.DRAWN: MatchResult.DRAWN,
    }
    assert result_for(Mark.X, match) is for_x
    assert result_for(Mark.O, match) is reversed_sides[for_x]


@pytest.mark.parametrize(
    "reason",
    [
        EndReason.CALLED_OFF,
        EndReason.STOPPED,
        EndReason.LEFT,
        EndReason.DECLINED,
        EndReason.CANCELLED,
        EndReason.LAPSED,
    ],
)
def test_a_match_that_was_stopped_goes_on_or_has_no_moves_has_no_result(reason: EndReason) -> None:
    without_moves = make_match(early_ending=Ending(EndReason.RESIGNED, Mark.O))
    for match in (early_ending(reason), make_match(PLAYED), without_moves):
        assert result_for(Mark.X, match) is None


def test_a_streak_of_wins_ends_with_the_first_loss_and_the_best_is_kept() -> None:
    tally = Tally()
    runs = []
    for result in (MatchResult.WON, MatchResult.DRAWN, MatchResult.LOST, MatchResult.WON):
        tally = tally.after(result, Accuracy(kept=2, critical=3))
        runs.append((tally.unbeaten, tally.longest))
    assert runs == [(1, 1), (2, 2), (0, 2), (1, 2)]
    assert tally == Tally(2, 1, 1, unbeaten=1, longest=2, kept=8, critical=12)
    assert tally.matches == 4


def counted(*matches: Match, mark: Mark = Mark.X) -> dict[TallyKey, Tally]:
    tallies: dict[TallyKey, Tally] = {}
    for match in matches:
        result, key = result_for(mark, match), TallyKey.of(match)
        assert result is not None
        tallies[key] = tallies.get(key, Tally()).after(result, Accuracy(1, 2))
    return tallies


def test_matches_are_counted_by_opponent_game_level_and_hints() -> None:
    matches = [
        make_match(X_WON),
        make_match(DRAWN, rules=TIC_TAC_TOE),
        make_match(moves=(0, 3, 1, 4, 2), rules=INFINITE),
        make_bot_match(X_WON, Level.EASY),
        make_bot_match(X_WON, Level.EASY, hints=1),
    ]
    assert {key: tally.matches for key, tally in counted(*matches).items()} == {
        TallyKey(TIC_TAC_TOE): 2,
        TallyKey(INFINITE): 1,
        EASY: 1,
        TallyKey(TIC_TAC_TOE, Level.EASY, hinted=True): 1,
    }
    assert counted(*matches[:2], mark=Mark.O)[TallyKey(TIC_TAC_TOE)] == Tally(
        won=0, drawn=1, lost=1, unbeaten=1, longest=1, kept=2, critical=4
    )


def test_a_head_to_head_carries_over_to_the_next_match() -> None:
    match = make_match(O_WON, head_to_head=HeadToHead(won=3, drawn=1, lost=2))
    assert head_to_head_after(match) == HeadToHead(won=3, drawn=1, lost=3)
    asked = ask_for_rematch(match, ANA, NEXT_MATCH)
    assert isinstance(asked, Match)
    agreed = ask_for_rematch(asked, BEN, NEXT_MATCH)
    assert isinstance(agreed, Match)
    following = next_match(agreed, NOON, GuildSettings())
    assert following.x.user_id == BEN
    assert (
        following.head_to_head
        == head_to_head_after(following)
        == HeadToHead(won=3, drawn=1, lost=3)
    )
    assert head_to_head_after(make_match(O_WON)) is None


@pytest.mark.parametrize("head_to_head", [HeadToHead(), HeadToHead(1, 20, 300)])
def test_a_head_to_head_survives_being_stored_as_text(head_to_head: HeadToHead) -> None:
    assert HeadToHead.parse(str(head_to_head)) == head_to_head


@pytest.mark.parametrize("text", ["", "1-2", "1-2-3-4", "a-b-c"])
def test_text_that_is_not_a_head_to_head_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"values to unpack|invalid literal"):
        HeadToHead.parse(text)


# Leaderboards


def test_each_month_has_a_leaderboard_of_its_own() -> None:
    months = {Leaderboard.MONTH.on(date(2026, month, 1)) for month in range(1, 13)}
    assert len(months | {chart.on(MONDAY) for chart in Leaderboard}) == 12 + 2
    assert all(len(name) <= 8 for name in months)

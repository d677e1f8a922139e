"""A reason against every blunder: what it missed or allowed, and every claim is true."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, reduce
from itertools import chain

import pytest

from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Level,
    Mark,
    Reason,
    Rules,
    Verdict,
    advise,
    choose_move,
    judge,
    line_of_play,
    search,
)
from tests.engine.claims import is_true, sides
from tests.engine.positions import DISTINCT, TRUTH, UNFINISHED
from tests.engine.test_reasons import positions_of_infinite
from tests.engine.vanishing import solved

SLOW = Rules(5, 5, 4)
LARGE = [Rules(4, 4, 3), Rules(4, 4, 4), SLOW, Rules(5, 5, 5)]
RESULTS = {Reason.LOSES, Reason.THROWN_WIN}
"""Reasons that only a line of play shows; the lines of the board show all others."""


@cache
def blunders(rules: Rules) -> list[Verdict]:
    """All on 3x3; of distinct positions in reverse, of some in infinite; else those of games."""
    if rules in LARGE:
        verdicts = moves_made(rules)
    else:
        verdicts = chain.from_iterable(map(advise, positions(rules)))
    return [verdict for verdict in verdicts if verdict.is_blunder]


def positions(rules: Rules) -> Iterable[Board]:
    if rules == TIC_TAC_TOE:
        return UNFINISHED
    if rules == MISERE:
        return [Board.parse(str(board), MISERE) for board in DISTINCT]
    return positions_of_infinite()


def moves_made(rules: Rules) -> Iterator[Verdict]:
    """The moves of games between players who see some wins and blocks, from the third ply on."""
    rng = random.Random(rules.name)
    games = 4 if rules == SLOW else 12
    for level in (Level.CHILD, Level.EASY, Level.MEDIUM, Level.HARD) * games:
        board = Board(rules)
        while not board.is_terminal:
            action = choose_move(board, level, rng)
            if board.plies >= 2:
                yield judge(board, action)
            board = board.result(action)


def share_shown(verdicts: list[Verdict]) -> float:
    return sum(verdict.reason not in RESULTS for verdict in verdicts) / len(verdicts)


def test_the_lines_show_why_each_of_7304_blunders_on_3x3_is_bad() -> None:
    counts = Counter(verdict.reason for verdict in blunders(TIC_TAC_TOE))
    assert counts == {
        Reason.MISSED_WIN: 3560,
        Reason.ALLOWED_WIN: 2308,
        Reason.MISSED_FORK: 580,
        Reason.ALLOWED_FORK: 492,
        Reason.MISSED_THREATS: 256,
        Reason.ALLOWED_THREATS: 100,
        Reason.ALLOWED_QUIET_MOVE: 8,
    }


@pytest.mark.parametrize("rules", LARGE, ids=lambda rules: rules.name)
def test_on_larger_boards_the_lines_show_it_for_most(rules: Rules) -> None:
    assert len(blunders(rules)) > 20
    assert share_shown(blunders(rules)) >= (0.6 if rules == SLOW else 0.99)


@pytest.mark.parametrize(("rules", "share"), [(MISERE, 0.49), (INFINITE, 0.78)])
def test_in_other_games_the_lines_show_it_for_many(rules: Rules, share: float) -> None:
    assert share_shown(blunders(rules)) >= share


@pytest.mark.parametrize(
    "rules", [TIC_TAC_TOE, MISERE, INFINITE, *LARGE], ids=lambda rules: rules.name
)
def test_every_claim_about_lines_is_true(rules: Rules) -> None:
    for verdict in blunders(rules):
        assert verdict.cause is not None
        assert verdict.reason is verdict.cause.reason
        assert bool(verdict.cause.cells) is (verdict.reason not in RESULTS)
        assert verdict.reason in RESULTS or is_true(verdict), verdict


def test_the_sooner_of_a_missed_and_an_allowed_win_is_named_on_3x3() -> None:
    both = 0
    for verdict in blunders(TIC_TAC_TOE):
        sign = 1 if verdict.mark is Mark.X else -1
        value, missed_in = TRUTH[verdict.board]
        value_after, allowed_in = TRUTH[verdict.board.result(verdict.action)]
        could_win, loses = value * sign > 0, value_after * sign < 0
        is_missed = could_win and (not loses or missed_in < allowed_in + 1)
        assert verdict.reason.name.startswith("MISSED") is is_missed, verdict
        both += could_win and loses
    assert both == 3816


def test_the_textbooks_search_finds_what_a_line_of_play_shows_in_reverse() -> None:
    for verdict, start, end in lines_of_play(MISERE):
        found = search(start, memory=True, soonest=True)
        assert end.plies - start.plies == found.distance_plies, verdict
        assert end.utility == found.utility == verdict_says(verdict), verdict


def test_value_iteration_finds_what_a_line_of_play_shows_in_infinite() -> None:
    for verdict, start, end in lines_of_play(INFINITE):
        plies = solved()[sides(start)]
        assert end.plies - start.plies == abs(plies), verdict
        assert end.utility == verdict_says(verdict), verdict


def test_on_5x5_a_line_of_play_ends_as_it_says() -> None:
    for verdict, start, end in lines_of_play(SLOW):
        assert verdict.cause is not None
        is_later = verdict.reason is Reason.LOSES
        assert end.plies - start.plies == verdict.cause.plies - is_later, verdict
        assert end.utility == verdict_says(verdict), verdict


def lines_of_play(rules: Rules) -> list[tuple[Verdict, Board, Board]]:
    """Blunders that a line of play shows, each with the first and the last board of it."""
    found = []
    for verdict in blunders(rules):
        if verdict.reason in RESULTS:
            start = verdict.board
            if verdict.reason is Reason.LOSES:
                start = start.result(verdict.action)
            end = reduce(Board.result, line_of_play(verdict), start)
            found.append((verdict, start, end))
        else:
            assert line_of_play(verdict) == ()
    assert found
    return found


def verdict_says(verdict: Verdict) -> int:
    """The utility at the end of the line that is shown: lost, or a win that was given away."""
    sign = 1 if verdict.mark is Mark.X else -1
    return -sign if verdict.reason is Reason.LOSES else sign

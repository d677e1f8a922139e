"""The pages of reviews and retries, and what they lead to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.analysis import (
    Game,
    Headers,
    Retry,
    RetryPage,
    has_turned,
    rematch_press,
)
from bot.domain.match_actions import MatchAction, Press
from bot.domain.matches import Ending, EndReason, Match
from engine import MISERE, TIC_TAC_TOE, Mark, Record, Rules, review
from tests.bot.custom_ids import parse_page
from tests.bot.example_matches import ANA, BEN, CHANNEL, make_bot_match, make_match

RESIGNED = Ending(EndReason.RESIGNED, Mark.O)
X_WINS = "xxx oo. ..."
O_WINS = "xx. ooo x.."


def judged(moves: str, rules: Rules = TIC_TAC_TOE, side: Mark | None = None) -> Game:
    cells = {rules.coordinate(cell): cell for cell in rules.cells}
    record = Record(rules, tuple(cells[name] for name in moves.split()))
    return Game(record, review(record.moves, rules), side=side)


@pytest.mark.parametrize(
    "fields", ["review:#7::-1-2", "retry:#7:1::-1-2", "review:#:", "review:#x:"]
)
def test_a_match_has_its_players_itself(fields: str) -> None:
    assert parse_page(f"velha:{fields}:0") is None


TWO_EACH = "A1 B1 C1 B2 A3 C2 A2"
"""O errs at plies 2 and 6, X at 3 and 5, and X wins."""
DRAWN = "B2 C2 A1 B1 B3 C3 C1 A3 A2"
NOBODY_ERRED = "B2 A1 C3 C1 B1 B3 A2 C2 A3"


@pytest.mark.parametrize(
    ("moves", "side", "key_ply", "retry_plies"),
    [
        (TWO_EACH, None, 6, [2, 3, 5, 6]),
        (TWO_EACH, Mark.X, 6, [3, 5]),
        (TWO_EACH, Mark.O, 6, [2, 6]),
        (DRAWN, None, 5, [2, 5]),
        (DRAWN, Mark.X, 5, [5]),
        (DRAWN, Mark.O, 2, [2]),
        (NOBODY_ERRED, Mark.X, None, []),
    ],
)
def test_who_has_not_won_sees_their_own_last_mistake_and_others_the_one_that_decided(
    moves: str, side: Mark | None, key_ply: int | None, retry_plies: list[int]
) -> None:
    game = judged(moves, side=side)
    assert game.key_ply == key_ply
    assert game.retry_plies == retry_plies


def test_a_mistake_with_one_other_free_cell_is_not_retried() -> None:
    game = judged("C2 A2 A3 C1 C3 B3 A1 B1 B2")
    assert game.verdicts[7].is_blunder
    assert 8 not in game.retry_plies


def test_mistakes_of_misere_are_retried_by_its_rules() -> None:
    game = judged("A1 A2 A3 C2 B1 C1 B3 B2", MISERE, Mark.O)
    assert game.retry_plies
    assert all(game.verdicts[ply - 1].mark is Mark.O for ply in game.retry_plies)


def retry(score: int, ply: int, try_number: int, side: Mark | None = Mark.X) -> Retry:
    """A retry with the first, or last, of the moves there are, the best first."""
    game = judged(TWO_EACH, side=side)
    mistake = game.verdicts[ply - 1]
    cell = mistake.best_actions[0] if try_number == 0 else mistake.board.actions()[-1]
    verdict = review((*game.record.moves[: ply - 1], cell))[-1]
    return Retry(RetryPage(game.record, ply, cell, score=score), game, verdict)


def test_the_score_counts_the_mistakes_that_are_put_right() -> None:
    first = retry(0, 3, 0)
    assert first.is_right
    assert not first.are_all_right
    assert first.next_page == RetryPage(first.game.record, 5, score=1)
    last = retry(1, 5, 0)
    assert last.are_all_right
    assert last.next_page is None


def test_not_all_are_put_right_if_one_was_passed_over() -> None:
    assert not retry(0, 5, 0).are_all_right


def test_a_better_move_for_the_opponent_does_not_count() -> None:
    theirs = retry(0, 2, 0)
    assert theirs.is_right
    assert theirs.score == 0
    assert theirs.next_page == RetryPage(theirs.game.record, 3)


def test_what_is_not_put_right_does_not_count() -> None:
    wrong = retry(0, 3, -1)
    assert not wrong.is_right
    assert wrong.next_page == RetryPage(wrong.game.record, 5)


@pytest.mark.parametrize(
    ("match", "turned"),
    [
        (make_match(X_WINS), True),
        (make_match(O_WINS), True),
        (make_match("xox xoo oxx"), False),
        (make_match("x.. .o. ...", early_ending=RESIGNED), False),
        (make_match("xxx. oo.. .... ....", rules=Rules(4, 4, 3)), False),
        (make_match("xx.. ooo. x... ....", rules=Rules(4, 4, 3)), True),
    ],
)
def test_only_a_match_that_a_mistake_must_have_decided_has_turned(
    match: Match, *, turned: bool
) -> None:
    assert has_turned(match) is turned


def test_only_the_person_who_played_the_bot_is_offered_a_rematch() -> None:
    match = make_bot_match(O_WINS)
    assert rematch_press(match, ANA, CHANNEL) == Press(7, match.version, MatchAction.REMATCH)
    assert rematch_press(match, BEN, CHANNEL) is None
    assert rematch_press(match, ANA, CHANNEL + 1) is None
    assert rematch_press(replace(match, next_id=8), ANA, CHANNEL) is None
    assert rematch_press(make_match(O_WINS), ANA, CHANNEL) is None


def test_the_headers_know_the_marks_of_the_players() -> None:
    headers = Headers(ANA, BEN)
    assert [headers.mark_of(user) for user in (ANA, BEN, 3)] == [Mark.X, Mark.O, None]

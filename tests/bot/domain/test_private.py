"""Private matches: their page, and the positions from which they begin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.analysis import Game, ReviewPage, weighty_mistakes
from bot.domain.matches import BOARDS, PrivateMatch
from bot.domain.pages import custom_id
from bot.domain.private import PrivateAction, PrivatePage, again, play_on, play_on_board, record_to
from engine import INFINITE, TIC_TAC_TOE, Level, Mark, Record, Rules, review
from engine.puzzles import puzzle_positions
from tests.bot.custom_ids import parse_page

GAME = Record(moves=(4, 0))
X_HAS_WON = Record(moves=(0, 3, 1, 4, 2))
HINT, WHY, DESCRIBE = PrivateAction.HINT, PrivateAction.WHY, PrivateAction.DESCRIBE
CYCLE = (0, 1, 3, 4, 7, 5, 6)
LONGEST = Record(INFINITE, tuple(CYCLE[ply % len(CYCLE)] for ply in range(59)))
"""Fifty-nine plies: with one more, it is drawn."""


def match(record: Record = GAME, side: Mark = Mark.X, start: int = 0) -> PrivateMatch:
    return PrivateMatch(record, Level.IMPOSSIBLE, side, start)


# The page


@pytest.mark.parametrize(
    "page",
    [
        PrivatePage(match(LONGEST, Mark.O, 59), WHY, 8),
        PrivatePage(match(LONGEST, Mark.O, 59), cell=8),
        PrivatePage(match(LONGEST, Mark.O, 59), HINT),
        PrivatePage(match(Record(Rules(5, 5, 5), (*range(5, 25),)), start=20), WHY, 24),
    ],
)
def test_a_whole_match_takes_fewer_than_sixty_characters(page: PrivatePage) -> None:
    assert len(page.match.record.moves) == page.match.start
    assert len(custom_id(page, 0)) < 60
    assert parse_page(custom_id(page, 0)) == page


@pytest.mark.parametrize("rules", BOARDS)
def test_every_board_that_is_played_has_a_page(rules: Rules) -> None:
    page = PrivatePage(match(Record(rules)), cell=0)
    assert parse_page(custom_id(page, 0)) == page


@pytest.mark.parametrize(
    "page",
    [
        PrivatePage(match(), cell=9),
        PrivatePage(match(side=Mark.O), cell=8),
        PrivatePage(match(side=Mark.O), HINT),
        PrivatePage(match(), HINT, 8),
        PrivatePage(match(), DESCRIBE, 8),
        PrivatePage(match(X_HAS_WON), cell=8),
        PrivatePage(match(X_HAS_WON), HINT),
        PrivatePage(match(X_HAS_WON)),
        PrivatePage(match(start=3)),
        PrivatePage(match(Record(Rules(4, 3, 3)))),
        ReviewPage(match(start=2), 1),
    ],
)
def test_forged_pages_lead_nowhere(page: PrivatePage | ReviewPage) -> None:
    assert parse_page(custom_id(page, 0)) is None


@pytest.mark.parametrize(
    "text", ["CODE.IMPOSSIBLE", "CODE.WORST.x", "CODE.EASY.z", "CODE.EASY.x.1.1", "CODE.EASY.x.a"]
)
def test_malformed_matches_lead_nowhere(text: str) -> None:
    assert parse_page(f"velha:own:{text.replace('CODE', GAME.code)}:0") is None


# Where one begins


def test_every_puzzle_is_a_position_of_a_game() -> None:
    for board in puzzle_positions():
        page = play_on_board(board)
        assert page is not None
        assert page == PrivatePage(
            PrivateMatch(record_to(board), Level.IMPOSSIBLE, board.to_move, board.plies)
        )
        assert page.match.record.boards[-1] == board
        assert parse_page(custom_id(page, 0)) == page


def test_no_match_begins_where_a_game_is_over_or_on_a_board_that_is_not_played() -> None:
    assert play_on(X_HAS_WON, 5, Mark.X) is None
    assert play_on(Record(Rules(4, 3, 3)), 0, Mark.X) is None
    assert play_on(X_HAS_WON, 3, Mark.O, Level.EASY) == PrivatePage(
        PrivateMatch(Record(moves=(0, 3, 1)), Level.EASY, Mark.O, 3)
    )


def test_a_review_plays_on_at_the_level_of_its_match_but_a_win_is_to_be_shown() -> None:
    moves = (0, 1, 4, 8, 6, 3, 2)  # O gives the draw away with its first move
    game = Game(Record(moves=moves), review(moves), side=Mark.X, level=Level.EASY)
    levels = [page.match.level for ply in range(7) if (page := game.play_on(ply))]
    assert levels == [Level.EASY, Level.EASY, *[Level.IMPOSSIBLE] * 5]
    assert game.play_on(7) is None, "it is over"
    as_o = [page.match for ply in range(7) if (page := game.play_on(ply, Mark.O))]
    assert {match.side for match in as_o} == {Mark.O}
    assert Game(Record(), ()).play_on(0) is None


def test_what_came_before_the_start_is_no_mistake_and_decides_nothing() -> None:
    moves = (0, 1, 4, 8, 6, 3, 2)
    game = Game(Record(moves=moves), review(moves))
    assert game.mistake_plies
    later = replace(game, start=game.mistake_plies[-1])
    assert (later.mistake_plies, later.decisive_ply, later.key_ply) == ([], None, None)
    assert weighty_mistakes(game)
    assert weighty_mistakes(later) == []


def test_again_swaps_sides_on_an_empty_board_and_begins_anew_from_a_position() -> None:
    assert again(match(X_HAS_WON)) == PrivatePage(match(Record(TIC_TAC_TOE), Mark.O))
    from_there = match(X_HAS_WON, start=2)
    assert again(from_there) == PrivatePage(match(Record(moves=(0, 3)), start=2))

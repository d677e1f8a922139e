"""A match by itself: its state, its players, how it ended."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.matches import Ending, EndReason, Match, Place, Player
from engine import Level, Mark, Rules
from tests.bot.example_matches import (
    ANA,
    BEN,
    NEXT_MATCH,
    NOON,
    PLAYED,
    RUI,
    VELHA,
    X_WON,
    make_bot_match,
    make_match,
)

STATES: dict[str, Match] = {
    "challenge": make_match(accepted=False),
    "Ben's challenge": make_match(accepted=False, opened_by=BEN),
    "nobody moved": make_match(),
    "X moved": make_match("x.. ... ..."),
    "both moved": make_match("x.. o.. ..."),
    "X moved again": make_match("x.. o.. ..x"),
    "centre taken": make_match(PLAYED),
    "against Velha": make_bot_match(PLAYED),
    "Velha, no move": make_bot_match(),
    "open seat": make_bot_match(is_open=True),
    "Velha began": make_match(
        "x.. ... ...", x=Player(VELHA, Level.HARD), o=Player(ANA), is_open=True
    ),
    "Ana replied": make_match(PLAYED, x=Player(VELHA, Level.HARD), o=Player(ANA), is_open=True),
    "Ana moved": make_bot_match("x.. ... ...", is_open=True),
    "Ben joined": make_match(is_open=True),
    "resigned alone": make_bot_match(is_open=True, early_ending=Ending(EndReason.RESIGNED, Mark.O)),
    "won": make_match(X_WON),
    "drawn": make_match("xox xxo oxo"),
    "won from Velha": make_bot_match(X_WON),
    "resigned": make_match(PLAYED, early_ending=Ending(EndReason.RESIGNED, Mark.X)),
    "resigned at once": make_match(early_ending=Ending(EndReason.RESIGNED, Mark.X)),
    "timed out": make_match(PLAYED, early_ending=Ending(EndReason.TIMED_OUT, Mark.X)),
    "called off": make_match("x.. ... ...", early_ending=Ending(EndReason.CALLED_OFF)),
    "stopped": make_match(PLAYED, early_ending=Ending(EndReason.STOPPED)),
    "declined": make_match(accepted=False, early_ending=Ending(EndReason.DECLINED)),
    "lapsed": make_match(accepted=False, early_ending=Ending(EndReason.LAPSED)),
    "Ana asked": make_match(X_WON, rematch_asked_by=ANA),
    "Ben asked": make_match(X_WON, rematch_asked_by=BEN),
    "followed": make_match(X_WON, rematch_asked_by=ANA, next_id=NEXT_MATCH),
}


@pytest.mark.parametrize("state", STATES)
def test_only_a_live_match_is_overdue_from_its_deadline_on(state: str) -> None:
    match = STATES[state]
    assert match.is_overdue(NOON) is match.is_live
    assert not match.is_overdue(NOON - timedelta(seconds=1))


@pytest.mark.parametrize(
    ("board", "ending"),
    [
        ("xxx oo. ...", Ending(EndReason.WON, Mark.X)),
        ("xx. ooo x..", Ending(EndReason.WON, Mark.O)),
        ("xxo xoo xox", Ending(EndReason.WON, Mark.X)),
        ("xox xxo oxo", Ending(EndReason.DRAWN)),
        ("xox xxo o..", None),
    ],
)
def test_the_board_says_how_it_ended(board: str, ending: Ending | None) -> None:
    assert make_match(board).ending == ending


@pytest.mark.parametrize(
    ("state", "whose"),
    [
        ("challenge", None),
        ("nobody moved", ANA),
        ("X moved", BEN),
        ("both moved", ANA),
        ("Velha, no move", ANA),
        ("won", None),
        ("resigned", None),
    ],
)
def test_it_is_the_turn_of_the_player_to_move(state: str, whose: int | None) -> None:
    to_move = STATES[state].to_move
    assert (to_move and to_move.user_id) == whose


def test_it_can_be_the_bot_s_turn() -> None:
    bot = make_bot_match("x.. ... ...", Level.EASY).to_move
    assert bot == Player(VELHA, Level.EASY)
    assert bot.is_bot


def test_a_match_with_the_bot_on_either_side_is_not_between_people() -> None:
    matches = [make_match(), make_bot_match(), make_match(x=Player(VELHA, Level.EASY))]
    assert [match.is_between_people for match in matches] == [True, False, False]


def test_each_player_has_a_mark_and_a_stranger_has_none() -> None:
    assert [make_match().mark_of(who) for who in (ANA, BEN, RUI)] == [Mark.X, Mark.O, None]


@pytest.mark.parametrize(("opened_by", "challenged"), [(ANA, BEN), (BEN, ANA)])
def test_the_challenged_player_is_the_one_who_did_not_open_the_match(
    opened_by: int, challenged: int
) -> None:
    assert make_match(accepted=False, opened_by=opened_by).challenged_id == challenged


@pytest.mark.parametrize(
    ("place", "link"),
    [
        (Place(10, 20, "pt-BR", 100), "https://discord.com/channels/20/10/100"),
        (Place(10, 20, "pt-BR"), "https://discord.com/channels/20/10"),
        (Place(10, None, "pt-BR", 100), "https://discord.com/channels/@me/10/100"),
        (Place(10, None, "pt-BR"), "https://discord.com/channels/@me/10"),
    ],
)
def test_a_link_leads_to_the_board_or_else_to_its_channel(place: Place, link: str) -> None:
    assert place.link == link


@pytest.mark.parametrize(("columns", "rows"), [(6, 3), (3, 6), (26, 2)])
def test_a_board_too_large_for_a_message_is_not_allowed(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="no message can show"):
        replace(make_match(), rules=Rules(columns, rows, 3))

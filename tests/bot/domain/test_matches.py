"""A match by itself: who may do what in which state, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from bot.domain.match_actions import (
    accept,
    ask_for_rematch,
    cancel,
    decline,
    expire,
    hint_refusal,
    join,
    next_match,
    play,
    resign,
    stop,
)
from bot.domain.matches import Ending, EndReason, Match, Place, Player
from bot.domain.refusals import Refusal
from bot.domain.settings import GuildSettings
from engine import Board, Level, Mark, Rules
from tests.bot.drawn import ANA, BEN, EMPTY, NEXT, NOON, RUI, VELHA, against_velha, drawn, moves_to

Act = Callable[[Match, int], Match | Refusal | None]

PLAYED = "x.. .o. ..."
X_WON = "xxx oo. ..."
CENTRE = 4
CORNER = "x.. ... ..."

STATES: dict[str, Match] = {
    "challenge": drawn(accepted=False),
    "Ben's challenge": drawn(accepted=False, opened_by=BEN),
    "nobody moved": drawn(),
    "X moved": drawn("x.. ... ..."),
    "both moved": drawn("x.. o.. ..."),
    "X moved again": drawn("x.. o.. ..x"),
    "centre taken": drawn(PLAYED),
    "against Velha": against_velha(PLAYED),
    "Velha, no move": against_velha(),
    "open seat": against_velha(is_open=True),
    "Velha began": drawn(CORNER, x=Player(VELHA, Level.HARD), o=Player(ANA), is_open=True),
    "Ana replied": drawn("x.. .o. ...", x=Player(VELHA, Level.HARD), o=Player(ANA), is_open=True),
    "Ana moved": against_velha("x.. ... ...", is_open=True),
    "Ben joined": drawn(is_open=True),
    "resigned alone": against_velha(is_open=True, early_ending=Ending(EndReason.RESIGNED, Mark.O)),
    "won": drawn(X_WON),
    "drawn": drawn("xox xxo oxo"),
    "won from Velha": against_velha(X_WON),
    "resigned": drawn(PLAYED, early_ending=Ending(EndReason.RESIGNED, Mark.X)),
    "resigned at once": drawn(early_ending=Ending(EndReason.RESIGNED, Mark.X)),
    "timed out": drawn(PLAYED, early_ending=Ending(EndReason.TIMED_OUT, Mark.X)),
    "called off": drawn("x.. ... ...", early_ending=Ending(EndReason.CALLED_OFF)),
    "stopped": drawn(PLAYED, early_ending=Ending(EndReason.STOPPED)),
    "declined": drawn(accepted=False, early_ending=Ending(EndReason.DECLINED)),
    "lapsed": drawn(accepted=False, early_ending=Ending(EndReason.LAPSED)),
    "Ana asked": drawn(X_WON, rematch_asked_by=ANA),
    "Ben asked": drawn(X_WON, rematch_asked_by=BEN),
    "followed": drawn(X_WON, rematch_asked_by=ANA, next_id=NEXT),
}

ACTS: dict[str, Act] = {
    "play B2": partial(play, cell=CENTRE),
    "resign": resign,
    "accept": accept,
    "decline": decline,
    "cancel": cancel,
    "stop": partial(stop, is_moderator=False),
    "moderate": partial(stop, is_moderator=True),
    "hint": hint_refusal,
    "join": join,
    "rematch": partial(ask_for_rematch, next_id=NEXT),
}

WHO_MAY_DO_WHAT = """
play B2          | Ana                | Ben                | Rui
challenge        | open challenge     | open challenge     | not a player
nobody moved     | ... .x. ...        | not your turn      | not a player
X moved          | not your turn      | x.. .o. ...        | not a player
both moved       | x.. ox. ...        | not your turn      | not a player
centre taken     | cell taken         | not your turn      | not a player
won              | match over         | match over         | not a player
resigned         | match over         | match over         | not a player

play B2          | Ana                | Ben                | Rui
open seat        | ... .x. ...        | may join           | may join
Ben joined       | ... .x. ...        | not your turn      | not a player

resign           | Ana                | Ben                | Rui
challenge        | open challenge     | open challenge     | not a player
nobody moved     | resigned, o won    | resigned, x won    | not a player
X moved again    | resigned, o won    | resigned, x won    | not a player
against Velha    | resigned, o won    | not a player       | not a player
drawn            | match over         | match over         | not a player
stopped          | match over         | match over         | not a player

accept           | Ana                | Ben                | Rui
challenge        | not the challenged | accepted           | not the challenged
Ben's challenge  | accepted           | not the challenged | not the challenged
nobody moved     | not the challenged | match going on     | not the challenged
declined         | not the challenged | match over         | not the challenged

decline          | Ana                | Ben                | Rui
challenge        | not the challenged | declined           | not the challenged
Ben's challenge  | declined           | not the challenged | not the challenged
both moved       | not the challenged | match going on     | not the challenged
lapsed           | not the challenged | match over         | not the challenged

cancel           | Ana                | Ben                | Rui
challenge        | cancelled          | not the challenger | not the challenger
Ben's challenge  | not the challenger | cancelled          | not the challenger
both moved       | match going on     | not the challenger | not the challenger
declined         | match over         | not the challenger | not the challenger

stop             | Ana                | Ben                | Rui
challenge        | cancelled          | declined           | not yours to stop
Ben's challenge  | declined           | cancelled          | not yours to stop
both moved       | resigned, o won    | resigned, x won    | not yours to stop
against Velha    | resigned, o won    | not yours to stop  | not yours to stop
won              | match over         | match over         | match over

moderate         | Ana                | Ben                | Rui
challenge        | cancelled          | declined           | stopped
both moved       | resigned, o won    | resigned, x won    | stopped
against Velha    | resigned, o won    | stopped            | stopped
resigned         | match over         | match over         | match over

hint             | Ana                | Ben                | Rui
against Velha    | yes                | not a player       | not a player
Velha, no move   | yes                | not a player       | not a player
won from Velha   | match over         | not a player       | not a player
challenge        | open challenge     | open challenge     | not a player
both moved       | hint between people| hint between people| not a player

join             | Ana                | Ben                | Rui
open seat        | seat for others    | Ben is o           | Rui is o
Velha began      | seat for others    | Ben is x           | Rui is x
Ana moved        | seat taken         | seat taken         | seat taken
Ana replied      | seat taken         | seat taken         | seat taken
Ben joined       | seat taken         | seat taken         | seat taken
Velha, no move   | seat taken         | seat taken         | seat taken
resigned alone   | seat taken         | seat taken         | seat taken

rematch          | Ana                | Ben                | Rui
challenge        | match going on     | match going on     | not a player
both moved       | match going on     | match going on     | not a player
won              | Ana asks           | Ben asks           | not a player
drawn            | Ana asks           | Ben asks           | not a player
resigned         | Ana asks           | Ben asks           | not a player
timed out        | Ana asks           | Ben asks           | not a player
called off       | Ana asks           | Ben asks           | not a player
Ana asked        | rematch asked      | Ben agrees         | not a player
Ben asked        | Ana agrees         | rematch asked      | not a player
won from Velha   | Ana agrees         | not a player       | not a player
followed         | match over         | match over         | not a player
stopped          | match over         | match over         | not a player
resigned at once | Ana asks           | Ben asks           | not a player
declined         | match over         | match over         | not a player
"""


def rows() -> Iterator[tuple[str, str, int, str]]:
    """What somebody does in which state, who it is, and what that becomes."""
    for table in WHO_MAY_DO_WHAT.strip().split("\n\n"):
        head, *lines = ([word.strip() for word in line.split("|")] for line in table.split("\n"))
        for state, *all_become in lines:
            for who, becomes in zip((ANA, BEN, RUI), all_become, strict=True):
                yield head[0], state, who, becomes


def become(before: Match, after: Match | Refusal | None) -> str:
    """What became of a match, in the words of the tables."""
    if not isinstance(after, Match):
        return "yes" if after is None else after.value
    if after.rematch_asked_by != before.rematch_asked_by:
        name = {ANA: "Ana", BEN: "Ben"}[after.rematch_asked_by or 0]
        return f"{name} agrees" if after.next_id == NEXT else f"{name} asks"
    for mark, player in after.players.items():
        if player != before.players[mark]:
            return f"{ {BEN: 'Ben', RUI: 'Rui'}[player.user_id] } is {mark.value}"
    if after.ending is not None:
        winner = f", {after.ending.winner.value} won" if after.ending.winner else ""
        return after.ending.reason.value + winner
    return str(after.board) if after.moves != before.moves else "accepted"


@pytest.mark.parametrize(("act", "state", "who", "becomes"), [*rows()])
def test_who_may_do_what_and_what_becomes_of_the_match(
    act: str, state: str, who: int, becomes: str
) -> None:
    before = STATES[state]
    after = ACTS[act](before, who)
    assert become(before, after) == becomes
    if isinstance(after, Match):
        assert after.version == before.version, "the store counts what it keeps"
        assert after.place == before.place
        assert after.accepted == (before.accepted or becomes == "accepted")


@pytest.mark.parametrize("cell", [9, 42, -1])
def test_a_cell_that_is_not_on_the_board_is_refused(cell: int) -> None:
    """No button names one, but a modified client may."""
    assert play(STATES["nobody moved"], ANA, cell) is Refusal.CELL_TAKEN


@pytest.mark.parametrize(
    ("state", "becomes"),
    [
        ("challenge", "lapsed"),
        ("Ben's challenge", "lapsed"),
        ("nobody moved", "called off"),
        ("X moved", "called off"),
        ("both moved", "timed out, o won"),
        ("X moved again", "timed out, x won"),
        ("Velha, no move", "called off"),
        ("against Velha", "called off"),
    ],
)
def test_when_time_is_up_who_waited_wins_if_both_people_had_moved(state: str, becomes: str) -> None:
    before = STATES[state]
    assert become(before, expire(before)) == becomes


@pytest.mark.parametrize("state", STATES)
def test_a_match_is_live_until_it_has_ended_and_due_from_its_deadline_on(state: str) -> None:
    match = STATES[state]
    assert match.is_live is (match.ending is None)
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
    assert drawn(board).ending == ending


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
def test_whose_turn_it_is(state: str, whose: int | None) -> None:
    to_move = STATES[state].to_move
    assert (to_move and to_move.user_id) == whose


def test_whose_turn_it_is_may_be_the_bot_s() -> None:
    bot = against_velha("x.. ... ...", Level.EASY).to_move
    assert bot == Player(VELHA, Level.EASY)
    assert bot.is_bot


def test_a_match_with_the_bot_on_either_side_is_not_between_people() -> None:
    matches = [drawn(), against_velha(), drawn(x=Player(VELHA, Level.EASY))]
    assert [match.is_between_people for match in matches] == [True, False, False]


def test_everybody_has_their_mark_and_a_stranger_none() -> None:
    assert [drawn().mark_of(who) for who in (ANA, BEN, RUI)] == [Mark.X, Mark.O, None]


@pytest.mark.parametrize(("opened_by", "challenged"), [(ANA, BEN), (BEN, ANA)])
def test_the_challenged_is_who_did_not_open_it(opened_by: int, challenged: int) -> None:
    assert drawn(accepted=False, opened_by=opened_by).challenged == challenged


def test_of_a_challenge_that_was_accepted_everything_else_is_as_it_was() -> None:
    challenge = STATES["challenge"]
    assert accept(challenge, BEN) == replace(challenge, accepted=True)


@pytest.mark.parametrize("opened_by", [ANA, BEN])
def test_a_rematch_is_a_new_match_with_sides_swapped_and_no_message_yet(opened_by: int) -> None:
    over = drawn(
        "xxx. oo.. .... ....",
        rules=Rules(4, 4, 3),
        opened_by=opened_by,
        rematch_asked_by=ANA,
        next_id=NEXT,
        hints=2,
        version=9,
    )
    assert next_match(over, NOON + timedelta(minutes=30), GuildSettings()) == Match(
        id=NEXT,
        place=Place(10, 20, "pt-BR"),
        x=Player(BEN),
        o=Player(ANA),
        opened_by=opened_by,
        accepted=True,
        deadline_at=NOON + timedelta(minutes=30),
        rules=Rules(4, 4, 3),
    )


def test_in_a_rematch_the_bot_keeps_its_level_and_moves_first() -> None:
    over = ask_for_rematch(STATES["won from Velha"], ANA, NEXT)
    assert isinstance(over, Match)
    assert next_match(over, NOON, GuildSettings()).to_move == Player(VELHA, Level.IMPOSSIBLE)


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
def test_a_board_that_no_message_can_show_is_no_match(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match="no message can show"):
        replace(drawn(), rules=Rules(columns, rows, 3))


@pytest.mark.parametrize("board", [EMPTY, PLAYED, X_WON, "xx. ooo x..", "xxo xoo xox"])
def test_a_match_is_drawn_in_an_order_that_could_be_played(board: str) -> None:
    reached = Board()
    for cell in moves_to(Board.parse(board)):
        reached = reached.result(cell)
    assert str(reached) == board == str(drawn(board).board)


def test_a_match_is_on_record_move_by_move() -> None:
    assert drawn(PLAYED).record.moves == (0, CENTRE)
    assert drawn(PLAYED).record.rules == Rules(3, 3, 3)

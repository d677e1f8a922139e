"""What a press does to a match, and what its button says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.match_actions import (
    MatchAction,
    Press,
    accept,
    cancel,
    check_hint,
    decline,
    expire,
    join,
    play,
    resign,
    stop,
)
from bot.domain.matches import Match, Place, Player
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.rematches import ask_for_rematch, next_match
from bot.domain.settings import GuildSettings
from engine import Level, Rules
from tests.bot.domain.test_matches import STATES
from tests.bot.example_matches import ANA, BEN, NEXT_MATCH, NOON, RUI, VELHA, make_match

ids = st.integers(0, 2**63 - 1)
versions = st.integers(0, 10**9 - 1)
presses = st.one_of(
    st.builds(
        Press,
        ids,
        versions,
        st.just(MatchAction.PLAY),
        st.integers(0, 24),
    ),
    st.builds(Press, ids, versions, st.sampled_from([*MatchAction][1:]), st.none()),
)

Act = Callable[[Match, int], Match | RefusalReason | None]
CENTRE = 4

ACTS: dict[str, Act] = {
    "play B2": partial(play, cell=CENTRE),
    "resign": resign,
    "accept": accept,
    "decline": decline,
    "cancel": cancel,
    "stop": partial(stop, is_moderator=False),
    "moderate": partial(stop, is_moderator=True),
    "hint": check_hint,
    "join": join,
    "rematch": partial(ask_for_rematch, next_id=NEXT_MATCH),
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


def become(before: Match, after: Match | RefusalReason | None) -> str:
    """What became of a match, in the words of the tables."""
    if not isinstance(after, Match):
        return "yes" if after is None else after.value
    if after.rematch_asked_by != before.rematch_asked_by:
        name = {ANA: "Ana", BEN: "Ben"}[after.rematch_asked_by or 0]
        return f"{name} agrees" if after.next_id == NEXT_MATCH else f"{name} asks"
    for mark, player in after.players.items():
        if player != before.players[mark]:
            return f"{ {BEN: 'Ben', RUI: 'Rui'}[player.user_id] } is {mark.value}"
    if after.ending is not None:
        winner = f", {after.ending.winner.value} won" if after.ending.winner else ""
        return after.ending.reason.value + winner
    return str(after.board) if after.moves != before.moves else "accepted"


@pytest.mark.parametrize(("act", "state", "who", "becomes"), [*rows()])
def test_each_action_has_the_expected_effect_in_each_state(
    act: str, state: str, who: int, becomes: str
) -> None:
    before = STATES[state]
    try:
        after: Match | RefusalReason | None = ACTS[act](before, who)
    except Refused as refused:
        after = refused.reason
    assert become(before, after) == becomes
    if isinstance(after, Match):
        assert after.version == before.version, "the store counts what it keeps"
        assert after.place == before.place
        assert after.accepted == (before.accepted or becomes == "accepted")


@pytest.mark.parametrize("cell", [9, 42, -1])
def test_a_cell_that_is_not_on_the_board_is_refused(cell: int) -> None:
    """No button names one, but a modified client may."""
    with pytest.raises(Refused) as refused:
        play(STATES["nobody moved"], ANA, cell)
    assert refused.value.reason is RefusalReason.CELL_TAKEN


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
def test_when_time_is_up_the_waiting_player_wins_if_both_people_had_moved(
    state: str, becomes: str
) -> None:
    before = STATES[state]
    assert become(before, expire(before)) == becomes


def test_accepting_a_challenge_changes_nothing_else() -> None:
    challenge = STATES["challenge"]
    assert accept(challenge, BEN) == replace(challenge, accepted=True)


@pytest.mark.parametrize("opened_by", [ANA, BEN])
def test_a_rematch_is_a_new_match_with_sides_swapped_and_no_message(opened_by: int) -> None:
    over = make_match(
        "xxx. oo.. .... ....",
        rules=Rules(4, 4, 3),
        opened_by=opened_by,
        rematch_asked_by=ANA,
        next_id=NEXT_MATCH,
        hints=2,
        version=9,
    )
    assert next_match(over, NOON + timedelta(minutes=30), GuildSettings()) == Match(
        id=NEXT_MATCH,
        place=Place(10, 20, "pt-BR"),
        x=Player(BEN),
        o=Player(ANA),
        opened_by=opened_by,
        accepted=True,
        deadline_at=NOON + timedelta(minutes=30),
        rules=Rules(4, 4, 3),
    )


def test_in_a_rematch_the_bot_keeps_its_level_and_moves_first() -> None:
    over = ask_for_rematch(STATES["won from Velha"], ANA, NEXT_MATCH)
    assert isinstance(over, Match)
    assert next_match(over, NOON, GuildSettings()).to_move == Player(VELHA, Level.IMPOSSIBLE)


# What its button says


@given(presses)
def test_a_press_survives_being_written_on_a_button(press: Press) -> None:
    assert Press.parse(str(press)) == press
    assert len(str(press)) <= 100


@given(st.one_of(st.text(), st.from_regex(r"velha:[0-9:a-z]*")))
def test_any_text_is_a_press_or_nothing(text: str) -> None:
    press = Press.parse(text)
    assert press is None or Press.parse(str(press)) == press


def test_numbers_too_large_for_the_database_are_not_parsed() -> None:
    assert Press.parse(f"velha:{2**63}:0:resign") is None


def test_only_play_has_a_cell() -> None:
    assert Press.parse("velha:1:0:play") is None
    assert Press.parse("velha:1:0:resign:4") is None
    assert Press.parse("velha:1:0:hint:4") is None
    assert Press.parse("velha:1:0:hint") == Press(1, 0, MatchAction.HINT)
    assert Press.parse("velha:1:0:play:4") == Press(1, 0, MatchAction.PLAY, 4)

"""What a press does, on a database."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

import pytest
from sqlalchemy import URL, Connection

from bot.domain.match_actions import HintMovePage, HintPage, MatchAction, Press
from bot.domain.matches import (
    Ending,
    EndReason,
    FirstPlayer,
    HeadToHead,
    Match,
    MatchOpened,
    Player,
    Setup,
    Trail,
)
from bot.domain.refusals import RefusalReason, Refused, UnavailableError
from bot.domain.rematches import next_match
from bot.domain.settings import GuildSettings
from bot.features.analysis import show_hint_in_match
from bot.features.matches import end_overdue
from bot.runtime.clock import Clock
from bot.store.matches import (
    add,
    compare_and_set,
    live_in,
    load_match,
    record_message,
)
from engine import TIC_TAC_TOE, Cell, Level, Mark, Rules
from tests.bot.backend import CHALLENGE, TURN, App, Backend, match_opened
from tests.bot.contexts import context
from tests.bot.databases import (
    both_databases,
    call,
    count_hint,
    delete_all_rows,
    on_postgresql,
    save_choices,
    wait_for_waiters,
)
from tests.bot.example_matches import (
    ANA,
    BEN,
    BOARD_MESSAGE,
    CHANNEL,
    MATCH,
    NEXT_MATCH,
    NOON,
    PLAYED,
    RUI,
    UNPOSTED,
    VELHA,
    X_WON,
    make_bot_match,
    make_match,
)
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.views.examples import text_of

Result = TypeVar("Result")

A1, B1, B2, C3 = 0, 1, 4, 8
SECOND = timedelta(seconds=1)
NOW = NOON - timedelta(minutes=10)
"""When the clock of `app` starts."""


async def asked_hint(
    app: App, match: Match, who: int = ANA, **by: Any
) -> Match | MatchOpened | Refusal:
    return await app.press(match, MatchAction.HINT, who, **by)


async def asked_more(app: App, match: Match, cell: Cell) -> Match | MatchOpened | Refusal:
    """Ask on the page of a hint about another move."""
    return await app.matches.press(HintPage(match.id, match.version, cell), ANA)


async def play_hint(app: App, match: Match, cell: Cell) -> Match | MatchOpened | Refusal:
    """Play the move of a hint, on its page."""
    page = HintMovePage(match.id, match.version, cell)
    return await app.matches.press(page, ANA, message_id=BOARD_MESSAGE + 5)


def shown(outcome: Match | MatchOpened | Refusal, refusal: RefusalReason | None = None) -> Match:
    """The match that the pressed board shows; for this reason and no other, it is all it does."""
    if refusal is None:
        assert isinstance(outcome, Match)
        return outcome
    assert isinstance(outcome, Refusal)
    assert outcome.reason is refusal
    assert outcome.pressed is not None
    return outcome.pressed


# Moves


async def test_a_move_is_stored_and_gives_the_opponent_a_full_turn(app: App) -> None:
    match = app.add(make_match(PLAYED))
    played = shown(await app.play(match, C3))
    assert played == replace(match, moves=(A1, B2, C3), version=1, deadline_at=app.now + TURN)
    assert app.load(match) == played


async def test_the_bot_replies_in_the_same_press(app: App) -> None:
    match = app.add(make_bot_match("xo. xo. ..."))
    played = shown(await app.play(match, C3))
    assert str(played.board) == "xo. xo. .ox"
    assert played.ending == Ending(EndReason.WON, Mark.O)
    assert played.version == 1
    assert app.load(match) == played


async def test_a_reply_on_3x3_needs_no_process(app: App) -> None:
    shown(await app.play(app.add(make_bot_match()), B2))
    assert app.backend.engine.process_ids == {"moves": [], "lessons": []}


async def test_on_a_large_board_the_bot_replies_at_its_level(app: App) -> None:
    match = app.add(make_bot_match("oo.. xx.. .... ....", rules=Rules(4, 4, 3)))
    played = shown(await app.play(match, 15))
    assert str(played.board) == "ooo. xx.. .... ...x"
    assert played.ended_at == app.now
    assert app.load(match) == played


async def test_refused_actions_change_nothing(app: App) -> None:
    match = app.add(make_match(PLAYED))
    presses = {
        RefusalReason.NOT_YOUR_TURN: app.play(match, C3, BEN),
        RefusalReason.MATCH_GOING_ON: app.press(match, MatchAction.REMATCH),
        RefusalReason.HINT_BETWEEN_PEOPLE: asked_hint(app, match),
    }
    for refusal, press in presses.items():
        assert await press == Refusal(refusal)
    assert app.load(match) == match


@pytest.mark.parametrize(
    ("action", "who", "changes"),
    [
        (MatchAction.ACCEPT, BEN, {"accepted": True, "deadline_at": NOW + TURN}),
        (MatchAction.DECLINE, BEN, {"early_ending": Ending(EndReason.DECLINED), "ended_at": NOW}),
        (MatchAction.CANCEL, ANA, {"early_ending": Ending(EndReason.CANCELLED), "ended_at": NOW}),
    ],
)
async def test_an_accepted_challenge_has_a_full_turn_and_any_other_is_over(
    app: App, action: MatchAction, who: int, changes: dict[str, Any]
) -> None:
    challenge = app.add(make_match(accepted=False))
    answered = shown(await app.press(challenge, action, who))
    assert answered == app.load(challenge) == replace(challenge, version=1, **changes)


async def test_resigning_asks_for_confirmation(app: App) -> None:
    match = app.add(make_match(PLAYED))
    assert await app.press(match, MatchAction.RESIGN, BEN) == match
    assert await app.press(match, MatchAction.RESIGN, RUI) == Refusal(RefusalReason.NOT_A_PLAYER)
    assert app.load(match) == match


async def test_resigning_loses_and_leaves_the_deadline_alone(app: App) -> None:
    match = app.add(make_match(PLAYED))
    resigned = Ending(EndReason.RESIGNED, Mark.X)
    over = replace(match, early_ending=resigned, ended_at=app.now, version=1)
    assert await app.concede(match, BEN, message_id=BOARD_MESSAGE + 1) == over
    assert app.load(match) == over, "the question is not the board's message"


@pytest.mark.parametrize(
    "ending", [Ending(EndReason.RESIGNED, Mark.X), Ending(EndReason.LEFT)], ids=["lost", "left"]
)
async def test_confirming_twice_resigns_once(app: App, ending: Ending) -> None:
    over = app.add(make_match(PLAYED, early_ending=ending))
    assert await app.concede(over, BEN) == over


async def test_who_won_cannot_resign(app: App) -> None:
    over = app.add(make_match(PLAYED, early_ending=Ending(EndReason.RESIGNED, Mark.X)))
    assert await app.concede(over) == Refusal(RefusalReason.MATCH_OVER)


async def test_moves_played_since_the_question_do_not_prevent_resigning(app: App) -> None:
    match = app.add(make_match(PLAYED))
    moved = replace(match, moves=(*match.moves, C3))
    assert call(app.store, compare_and_set, moved)
    stopped = app.concede(match)
    resigned = Ending(EndReason.RESIGNED, Mark.O)
    over = replace(moved, early_ending=resigned, ended_at=app.now, version=2)
    assert await stopped == over


@pytest.mark.parametrize(
    ("match", "who", "why"),
    [
        (make_match(PLAYED), RUI, RefusalReason.NOT_A_PLAYER),
        (make_match(X_WON), ANA, RefusalReason.MATCH_OVER),
        (
            make_match(PLAYED, place=replace(UNPOSTED, channel_id=CHANNEL + 1)),
            ANA,
            RefusalReason.UNKNOWN_MATCH,
        ),
        (make_match(PLAYED, deadline_at=NOON - timedelta(days=1)), ANA, RefusalReason.TIME_IS_UP),
    ],
)
async def test_an_impossible_resignation_is_refused_with_its_reason(
    app: App, match: Match, who: int, why: RefusalReason
) -> None:
    app.add(match)
    assert await app.concede(make_match(), who) == Refusal(why)


async def test_a_second_tap_on_one_s_own_last_mark_is_ignored(app: App) -> None:
    match = app.add(make_match("x.. .o. ..x"))
    assert await app.play(match, match.moves[-1], ANA) == match
    assert await app.play(match, B2, BEN) == match, "it is their last as well"
    assert await app.play(match, B2, ANA) == Refusal(RefusalReason.NOT_YOUR_TURN)


@pytest.mark.parametrize(
    ("before", "action", "level"),
    [
        (X_WON, MatchAction.NEXT, Level.MEDIUM),
        ("ooo xx. x..", MatchAction.EASIER, Level.HARD),
        (X_WON, MatchAction.REMATCH, Level.EXPERT),
    ],
)
async def test_another_match_may_be_at_another_level(
    app: App, before: str, action: MatchAction, level: Level
) -> None:
    following = Setup(TIC_TAC_TOE, Level.MEDIUM, Mark.X)
    match = app.add(make_bot_match(before, Level.EXPERT, trail=Trail(None, following=following)))
    opened = match_opened(await app.press(match, action, ANA))
    bot = Player(VELHA, level)
    x, o = (Player(ANA), bot) if action is MatchAction.NEXT else (bot, Player(ANA))
    assert (opened.match.x, opened.match.o) == (x, o), "sides are swapped in a rematch"


async def test_a_level_that_is_not_offered_is_refused(app: App) -> None:
    match = app.add(make_bot_match(X_WON, Level.HARD))
    refused = await app.press(match, MatchAction.EASIER, ANA)
    assert refused == Refusal(RefusalReason.UNKNOWN_BUTTON)


@pytest.mark.parametrize("noted", [None, BOARD_MESSAGE - 1])
async def test_the_message_that_was_pressed_is_recorded_as_the_board_s(
    app: App, noted: int | None
) -> None:
    """It was posted, and the bot killed before it could note that."""
    match = app.add(make_match(PLAYED, place=replace(UNPOSTED, message_id=noted)))
    assert shown(await app.play(match, C3)).place.message_id == BOARD_MESSAGE
    assert app.load(match).place.message_id == BOARD_MESSAGE


# Old boards, other boards


async def test_a_match_that_is_missing_or_in_another_channel_is_unknown(app: App) -> None:
    unknown = Refusal(RefusalReason.UNKNOWN_MATCH)
    assert await app.play(make_match(), B2) == unknown
    match = app.add(make_match())
    app.now = NOON
    for message_id in (BOARD_MESSAGE - 1, BOARD_MESSAGE, BOARD_MESSAGE + 1):
        elsewhere = {"channel_id": CHANNEL + 1, "message_id": message_id}
        assert await app.play(match, B2, **elsewhere) == unknown
        assert await asked_hint(app, match, **elsewhere) == unknown
    assert app.load(match) == match, "although its time is up"


@pytest.mark.parametrize(
    ("who", "cell", "because"),
    [
        (ANA, A1, None),
        (ANA, B2, RefusalReason.OUTDATED),
        (ANA, C3, RefusalReason.OUTDATED),
        (BEN, B2, None),
        (RUI, A1, RefusalReason.NOT_A_PLAYER),
    ],
)
async def test_an_old_board_is_redrawn_and_a_double_click_is_not_refused(
    app: App, who: int, cell: int, because: RefusalReason | None
) -> None:
    old = make_match("x.. ... ...")
    stands = app.add(replace(make_match(PLAYED), version=1))
    assert shown(await app.play(old, cell, who), because) == stands


@pytest.mark.parametrize("version", [0, 2])
async def test_an_action_at_another_version_is_out_of_date(app: App, version: int) -> None:
    stands = app.add(replace(make_match(PLAYED), version=1))
    drawn = replace(stands, version=version)
    unversioned = {MatchAction.DESCRIBE, MatchAction.REMIND}
    for action in {*MatchAction} - unversioned:
        cell = C3 if action is MatchAction.PLAY else None
        outcome = await app.press(drawn, action, cell=cell)
        assert shown(outcome, RefusalReason.OUTDATED) == stands
    assert app.load(stands) == stands


async def test_an_old_message_of_a_reposted_board_says_that_it_was_moved(app: App) -> None:
    match = app.add(make_match(PLAYED))
    moved = await app.play(match, C3, message_id=BOARD_MESSAGE - 1)
    assert shown(moved, RefusalReason.BOARD_MOVED) == match
    old = await app.play(replace(match, version=7), C3, message_id=BOARD_MESSAGE + 1)
    assert shown(old, RefusalReason.BOARD_MOVED) == match


async def test_an_old_button_does_not_move_a_board_without_a_recorded_message(
    app: App,
) -> None:
    match = app.add(replace(make_match(PLAYED, place=UNPOSTED), version=1))
    assert shown(await app.play(make_match(), C3), RefusalReason.OUTDATED) == match


@pytest.mark.parametrize("noted", [None, BOARD_MESSAGE])
async def test_an_old_press_on_a_finished_match_shows_its_end(app: App, noted: int | None) -> None:
    place = replace(UNPOSTED, message_id=noted)
    over = app.add(replace(make_match(X_WON, place=place, next_id=NEXT_MATCH), version=1))
    app.add(make_match(id=NEXT_MATCH, place=replace(UNPOSTED, message_id=BOARD_MESSAGE + 1)))
    assert shown(await app.play(make_match(), C3), RefusalReason.OUTDATED) == over


async def test_a_press_on_another_message_does_not_redraw_a_finished_match(app: App) -> None:
    app.add(replace(make_match(X_WON), version=1))
    elsewhere = await app.play(make_match(), C3, message_id=BOARD_MESSAGE + 1)
    assert elsewhere == Refusal(RefusalReason.MATCH_OVER)


# Time


async def test_a_press_after_the_deadline_ends_the_match(app: App) -> None:
    match = app.add(make_match(PLAYED))
    app.now = NOON
    over = shown(await app.play(match, C3), RefusalReason.TIME_IS_UP)
    assert over == replace(
        match, early_ending=Ending(EndReason.TIMED_OUT, Mark.O), ended_at=NOON, version=1
    )
    assert app.load(match) == over


async def test_time_is_not_up_while_the_host_s_clock_is_far_from_discord_s(app: App) -> None:
    match = app.add(make_match(PLAYED))
    app.now = NOON
    app.host_clock_offset = timedelta(minutes=31)
    played = shown(await app.play(match, C3))
    assert played.deadline_at == NOON + TURN, "in Discord's time"


async def test_time_runs_out_despite_a_concurrent_hint(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    app.now = NOON
    app.before_sql("BEGIN", partial(count_hint, app.other_store, match))
    over = shown(await app.play(match, C3), RefusalReason.TIME_IS_UP)
    assert over.ending == Ending(EndReason.CALLED_OFF)
    assert app.load(match) == over


async def test_the_end_stored_by_another_process_is_shown(app: App) -> None:
    match = app.add(make_match(PLAYED))
    app.now = NOON
    app.before_sql("BEGIN", partial(call, app.other_store, end_overdue, match.id, NOON))
    over = shown(await app.play(match, C3), RefusalReason.OUTDATED)
    assert over.ending == Ending(EndReason.TIMED_OUT, Mark.O)
    assert over.version == 1


async def test_a_match_deleted_during_the_press_is_unknown(app: App, url: URL) -> None:
    match = app.add(make_match(PLAYED))
    app.now = NOON
    app.before_sql("BEGIN", partial(delete_all_rows, url))
    assert await app.play(match, C3) == Refusal(RefusalReason.UNKNOWN_MATCH)


async def test_a_move_in_time_by_another_process_s_clock_counts(app: App) -> None:
    match = app.add(make_match(PLAYED))
    app.now = NOON
    moved = replace(match, moves=(A1, B2, C3), deadline_at=NOON + TURN)
    app.save_elsewhere(moved)
    stands = shown(await app.play(match, B1), RefusalReason.OUTDATED)
    assert stands == replace(moved, version=1)


# Hints


async def advice(app: App, match: Match) -> str:
    asked = context(app.backend.runtime)
    return text_of(await show_hint_in_match(asked, match, None, is_detailed=False))


async def test_a_hint_is_counted_once_a_version_and_only_with_advice(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    for _ in range(2):
        assert await asked_hint(app, match) == match
    assert app.load(match) == match
    for _ in range(2):
        assert "**C1** threatens to win" in await advice(app, match)
    assert app.load(match) == replace(match, hints=1), "the board stays as drawn"
    shown(await app.play(match, C3))


async def test_a_hint_without_advice_is_not_counted(app: App) -> None:
    match = app.add(make_bot_match("x... .o.. .... ....", rules=Rules(4, 4, 4)))
    app.backend.engine.close()
    with pytest.raises(UnavailableError):
        await advice(app, match)
    assert app.load(match) == match


async def test_a_hint_is_out_of_date_if_the_match_changed_while_it_was_computed(
    app: App,
) -> None:
    match = app.add(make_bot_match(PLAYED))
    moved = replace(match, moves=(A1, B2, C3, B1))
    app.save_elsewhere(moved)
    with pytest.raises(Refused) as refused:
        await advice(app, match)
    assert refusal_of(refused.value) == Refusal(RefusalReason.HINT_OLD, match)
    assert app.load(match) == replace(moved, version=1), "and it does not count"


async def test_a_hint_can_be_about_one_free_cell(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    assert await asked_more(app, match, C3) == match
    assert await asked_more(app, match, B2) == Refusal(RefusalReason.CELL_TAKEN)


# From a hint


async def test_a_move_from_a_hint_leaves_the_board_where_it_is(app: App) -> None:
    match = app.add(make_bot_match("xo. xo. ..."))
    followed = shown(await play_hint(app, match, C3))
    assert str(followed.board) == "xo. xo. .ox"
    assert followed.place == match.place
    assert followed == app.load(match)
    assert await play_hint(app, match, C3) == followed, "a double click"


async def test_a_move_from_a_hint_works_although_the_board_was_reposted(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    call(app.store, record_message, match.id, BOARD_MESSAGE + 9)
    followed = shown(await play_hint(app, match, C3))
    assert followed.place.message_id == BOARD_MESSAGE + 9


async def test_on_a_large_board_the_bot_replies_to_a_move_from_a_hint(app: App) -> None:
    match = app.add(make_bot_match("oo.. xx.. .... ....", rules=Rules(4, 4, 3)))
    followed = shown(await play_hint(app, match, 15))
    assert followed == app.load(match)
    assert str(followed.board) == "ooo. xx.. .... ...x"


async def test_a_move_from_an_old_hint_is_out_of_date(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    moved = shown(await app.play(match, C3))
    for press in (play_hint(app, match, B1), asked_more(app, match, B1)):
        old = await press
        assert old == Refusal(RefusalReason.HINT_OLD, moved)
    assert app.load(match) == moved


async def test_a_move_from_a_hint_that_comes_too_late_changes_nothing(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    moved = replace(match, moves=(A1, B2, C3, B1))
    app.save_elsewhere(moved)
    late = await play_hint(app, match, 2)
    assert late == Refusal(RefusalReason.HINT_OLD, replace(moved, version=1))


async def test_after_the_deadline_there_are_no_hints(app: App) -> None:
    match = app.add(make_bot_match(PLAYED))
    app.now = NOON
    assert await play_hint(app, match, C3) == Refusal(RefusalReason.TIME_IS_UP)
    assert app.load(match) == match


# Others who are faster


async def test_a_move_counts_despite_a_concurrent_hint(app: App) -> None:
    match = app.add(make_bot_match("xo. xo. ..."))
    app.before_sql("BEGIN", partial(count_hint, app.other_store, match))
    played = shown(await app.play(match, C3))
    assert str(played.board) == "xo. xo. .ox"
    assert played.hints == 1
    assert app.load(match) == played


async def test_a_move_counts_despite_a_hint_while_the_bot_thinks(app: App) -> None:
    match = app.add(make_bot_match("oo.. xx.. .... ....", rules=Rules(4, 4, 3)))
    app.before_sql("BEGIN", partial(count_hint, app.other_store, match), skipped=1)
    played = shown(await app.play(match, 15))
    assert str(played.board) == "ooo. xx.. .... ...x"
    assert played.hints == 1
    assert app.load(match) == played


async def test_the_first_of_two_concurrent_moves_counts_and_the_second_sees_it(
    app: App,
) -> None:
    match = app.add(make_match(PLAYED))
    faster = replace(match, moves=(A1, B2, B1))
    app.save_elsewhere(faster)
    assert shown(await app.play(match, C3), RefusalReason.OUTDATED) == replace(faster, version=1)


async def test_the_same_move_in_two_processes_is_made_once_and_not_refused(app: App) -> None:
    match = app.add(make_match(PLAYED))
    same = replace(match, moves=(A1, B2, C3))
    app.save_elsewhere(same)
    assert shown(await app.play(match, C3)) == replace(same, version=1)


async def outcome_behind(app: App, stored: Match, action: Coroutine[Any, Any, Result]) -> Result:
    """What comes of an action that waits for what another process is storing."""
    with app.other_store.database.transaction() as connection:
        compare_and_set(connection, stored)
        acting = asyncio.create_task(action)
        await asyncio.to_thread(wait_for_waiters, 1, connection)
    return await acting


@on_postgresql
async def test_a_move_waits_for_one_that_another_process_is_storing(app: App) -> None:
    match = app.add(make_match(PLAYED))
    faster = replace(match, moves=(A1, B2, B1))
    moved = await outcome_behind(app, faster, app.play(match, C3))
    assert shown(moved, RefusalReason.OUTDATED) == replace(faster, version=1)


@on_postgresql
async def test_who_resigns_waits_for_a_move_that_another_process_is_storing(app: App) -> None:
    match = app.add(make_match(PLAYED))
    faster = replace(match, moves=(A1, B2, B1))
    resigned = await outcome_behind(app, faster, app.concede(match))
    assert isinstance(resigned, Match)
    assert (resigned.moves, resigned.version) == (faster.moves, 2)


# Joining


async def test_joining_takes_the_bot_s_seat_with_a_full_turn(app: App) -> None:
    match = app.add(make_bot_match(is_open=True))
    joined = shown(await app.press(match, MatchAction.JOIN, BEN))
    assert (joined.x, joined.o, joined.head_to_head) == (Player(ANA), Player(BEN), HeadToHead())
    assert joined.deadline_at == app.now + TURN
    assert app.load(match) == joined
    moved = shown(await app.play(joined, B2))
    assert moved.to_move == Player(BEN), "the bot is out of it"


async def test_the_head_to_head_is_shown_after_joining(app: App) -> None:
    app.end(make_match(X_WON, id=1))
    joined = shown(await app.press(app.add(make_bot_match(is_open=True)), MatchAction.JOIN, BEN))
    assert joined.head_to_head == HeadToHead(won=1)


async def test_the_head_to_head_is_not_shown_if_one_of_them_hides_it(app: App) -> None:
    save_choices(app.store, BEN, is_hidden=True)
    joined = shown(await app.press(app.add(make_bot_match(is_open=True)), MatchAction.JOIN, BEN))
    assert joined.head_to_head is None


async def test_only_one_of_two_concurrent_joins_succeeds(app: App) -> None:
    match = app.add(make_bot_match(is_open=True))
    faster = replace(match, o=Player(RUI))
    app.save_elsewhere(faster, also_players=True)
    late = shown(await app.press(match, MatchAction.JOIN, BEN), RefusalReason.SEAT_TAKEN)
    assert late == app.load(match)
    assert late.o == Player(RUI)


async def test_a_concurrent_first_move_prevents_joining(app: App) -> None:
    match = app.add(make_bot_match(is_open=True))
    app.save_elsewhere(replace(match, moves=(B2, A1)))
    late = shown(await app.press(match, MatchAction.JOIN, BEN), RefusalReason.SEAT_TAKEN)
    assert late.o.is_bot


async def test_a_concurrent_join_makes_the_first_move_out_of_date(app: App) -> None:
    match = app.add(make_bot_match(is_open=True))
    faster = replace(match, o=Player(BEN))
    app.save_elsewhere(faster, also_players=True)
    stands = shown(await app.play(match, B2), RefusalReason.OUTDATED)
    assert (stands.moves, stands.o) == ((), Player(BEN))


async def test_joining_by_a_double_click_is_not_refused(app: App) -> None:
    match = app.add(make_bot_match(is_open=True))
    joined = shown(await app.press(match, MatchAction.JOIN, BEN))
    assert shown(await app.press(match, MatchAction.JOIN, BEN)) == joined
    shown(await app.press(match, MatchAction.JOIN, RUI), RefusalReason.SEAT_TAKEN)
    shown(await app.press(match, MatchAction.JOIN, ANA), RefusalReason.OUTDATED)


async def test_a_concurrent_hint_does_not_prevent_joining(app: App) -> None:
    match = app.add(make_bot_match(is_open=True))
    app.before_sql("BEGIN", partial(count_hint, app.other_store, match))
    joined = shown(await app.press(match, MatchAction.JOIN, BEN))
    assert (joined.o, joined.hints) == (Player(BEN), 1)


# Rematches


async def test_the_bot_agrees_to_a_rematch_at_once_and_begins(app: App) -> None:
    over = app.add(make_bot_match(X_WON, hints=2))
    opened = match_opened(await app.press(over, MatchAction.REMATCH))
    rematch = opened.match
    assert (rematch.id, rematch.x, rematch.o) == (NEXT_MATCH, over.o, over.x)
    assert len(rematch.moves) == 1
    assert rematch.to_move == Player(ANA)
    assert rematch.deadline_at == app.now + TURN
    assert rematch.place == UNPOSTED
    assert opened.pinged_user_id is None
    assert app.load(rematch) == rematch
    before = replace(over, rematch_asked_by=ANA, next_id=NEXT_MATCH, version=1)
    assert opened.also_changed == (before,)
    assert app.load(over) == before


async def test_people_have_a_rematch_once_both_have_asked(app: App) -> None:
    over = app.add(make_match(X_WON))
    asked = shown(await app.press(over, MatchAction.REMATCH, BEN))
    assert asked == replace(over, rematch_asked_by=BEN, version=1, deadline_at=app.now + CHALLENGE)
    assert await app.press(asked, MatchAction.REMATCH, BEN) == Refusal(RefusalReason.REMATCH_ASKED)
    opened = match_opened(await app.press(asked, MatchAction.REMATCH, ANA))
    assert (opened.match.x, opened.match.o) == (Player(BEN), Player(ANA))
    assert opened.match.moves == ()


async def test_a_rematch_lapses_as_a_challenge_does_and_may_be_asked_for_again(app: App) -> None:
    over = app.add(make_match(X_WON, ended_at=NOON))
    asked = shown(await app.press(over, MatchAction.REMATCH, BEN))
    app.now += CHALLENGE
    asked_again = shown(await app.press(asked, MatchAction.REMATCH, ANA))
    assert asked_again == replace(
        over, rematch_asked_by=ANA, version=2, deadline_at=app.now + CHALLENGE
    )
    assert call(app.store, live_in, CHANNEL) is None
    app.now += CHALLENGE - SECOND
    assert isinstance(await app.press(asked_again, MatchAction.REMATCH, BEN), MatchOpened)


async def test_who_asked_for_a_rematch_may_ask_again_once_that_has_lapsed(app: App) -> None:
    over = app.add(make_match(X_WON))
    asked = shown(await app.press(over, MatchAction.REMATCH, BEN))
    app.now += CHALLENGE
    again = shown(await app.press(asked, MatchAction.REMATCH, BEN))
    assert (again.rematch_asked_by, again.deadline_at) == (BEN, app.now + CHALLENGE)


async def test_no_rematch_lapses_before_the_time_is_known(app: App) -> None:
    over = app.add(make_match(X_WON))
    asked = shown(await app.press(over, MatchAction.REMATCH, BEN))
    unheard_of = Clock(lambda: NOON + timedelta(days=1))
    other = Backend(app.store, unheard_of)
    press = Press(asked.id, asked.version, MatchAction.REMATCH)
    assert isinstance(await other.press(press, ANA, asked), MatchOpened)
    other.engine.close()
    await other.database.finish((), 5)


async def test_the_old_board_of_a_rematch_is_the_one_that_was_pressed(app: App) -> None:
    over = app.add(make_bot_match(X_WON, place=UNPOSTED))
    opened = match_opened(await app.press(over, MatchAction.REMATCH))
    assert [before.place.message_id for before in opened.also_changed] == [BOARD_MESSAGE]
    assert opened.match.place.message_id is None


def open_rematch(connection: Connection, agreed: Match, rematch: Match) -> None:
    """What a press in another process stores."""
    assert add(connection, rematch)
    assert compare_and_set(connection, agreed)


def rematch_of(over: Match, next_id: int) -> tuple[Match, Match]:
    agreed = replace(over, rematch_asked_by=ANA, next_id=next_id)
    return agreed, next_match(agreed, NOON, GuildSettings())


@both_databases
async def test_a_rematch_that_another_press_opened_is_not_opened_again(app: App) -> None:
    over = app.add(make_bot_match(X_WON))
    agreed, theirs = rematch_of(over, NEXT_MATCH + 1)
    app.before_sql("BEGIN", partial(call, app.other_store, open_rematch, agreed, theirs))
    stands = shown(await app.press(over, MatchAction.REMATCH), RefusalReason.OUTDATED)
    assert stands == replace(agreed, version=1)
    assert call(app.store, load_match, NEXT_MATCH) is None


async def test_a_rematch_asked_for_in_two_processes_is_opened_once(app: App) -> None:
    over = app.add(make_bot_match(X_WON))
    agreed, theirs = rematch_of(over, NEXT_MATCH)
    app.before_sql("BEGIN", partial(call, app.other_store, open_rematch, agreed, theirs))
    before = replace(agreed, version=1)
    assert await app.press(over, MatchAction.REMATCH) == MatchOpened(theirs, also_changed=(before,))
    assert app.load(theirs) == theirs


@pytest.mark.parametrize(
    ("holder", "refusal"),
    [
        (make_match(id=NEXT_MATCH + 1), RefusalReason.CHANNEL_BUSY),
        (make_match(id=NEXT_MATCH + 1, accepted=False), RefusalReason.CHALLENGE_HERE),
    ],
    ids=["match", "challenge"],
)
@both_databases
async def test_a_rematch_waits_while_another_match_holds_the_channel(
    app: App, holder: Match, refusal: RefusalReason
) -> None:
    over = app.add(make_match(X_WON, rematch_asked_by=BEN))
    app.before_sql("BEGIN", partial(call, app.other_store, add, holder))
    refused = await app.press(over, MatchAction.REMATCH)
    assert isinstance(refused, Refusal)
    assert (refused.reason, refused.match) == (refusal, holder)
    assert app.load(over) == over
    assert call(app.store, load_match, NEXT_MATCH) is None


async def test_a_refused_rematch_with_the_bot_can_be_asked_for_again(app: App) -> None:
    over = app.add(make_bot_match(X_WON))
    challenge = app.add(make_match(id=NEXT_MATCH + 1, accepted=False))
    refusal = await app.press(over, MatchAction.REMATCH)
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.match) == (RefusalReason.CHALLENGE_HERE, challenge)
    request = refusal.request
    assert request is not None
    assert (request.opener_id, request.opponent_id, request.rules) == (ANA, None, over.rules)
    assert request.level is over.bot_level
    assert request.first is FirstPlayer.OPPONENT, "the sides are swapped"


async def test_an_overdue_match_makes_way_for_a_rematch_and_is_redrawn(
    app: App,
) -> None:
    over = app.add(make_match(X_WON, rematch_asked_by=BEN, deadline_at=NOON + TURN))
    due = app.add(make_match(PLAYED, id=NEXT_MATCH + 1))
    app.now = NOON
    opened = match_opened(await app.press(over, MatchAction.REMATCH))
    assert {match.id for match in opened.also_changed} == {MATCH, due.id}
    assert not app.load(due).is_live


async def test_an_overdue_match_is_not_ended_unseen_by_a_rematch_that_comes_second(
    app: App,
) -> None:
    over = app.add(make_match(X_WON, rematch_asked_by=BEN, deadline_at=NOON + TURN))
    due = app.add(make_match(PLAYED, id=NEXT_MATCH + 1))
    app.now = NOON
    app.save_elsewhere(over, before="BEGIN")
    shown(await app.press(over, MatchAction.REMATCH), RefusalReason.OUTDATED)
    assert app.load(due).is_live, "the next sweep ends and redraws it"


# Two at once


@both_databases
async def test_two_who_ask_for_a_rematch_at_once_do_not_find_the_channel_busy(
    app: App,
) -> None:
    over = app.add(make_match(X_WON, rematch_asked_by=RUI))
    answers = await asyncio.gather(
        app.press(over, MatchAction.REMATCH, ANA, interaction_id=NEXT_MATCH),
        app.press(over, MatchAction.REMATCH, BEN, interaction_id=NEXT_MATCH + 1),
    )
    opened = [answer for answer in answers if isinstance(answer, MatchOpened)]
    assert len(opened) == 1
    (late,) = [answer for answer in answers if not isinstance(answer, MatchOpened)]
    assert shown(late, RefusalReason.OUTDATED).next_id == opened[0].match.id


@both_databases
async def test_only_one_of_many_concurrent_presses_counts(app: App) -> None:
    match = app.add(make_match())
    answers = await asyncio.gather(*(app.play(match, cell) for cell in range(9)))
    made = app.load(match)
    assert made.version == len(made.moves) == 1
    (moved,) = [answer for answer in answers if not isinstance(answer, Refusal)]
    assert moved == made
    late = [answer for answer in answers if isinstance(answer, Refusal)]
    assert [answer.pressed for answer in late] == [made] * 8

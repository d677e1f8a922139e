"""Moments: asking everybody for the better move, who may ask, and whose tries count."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.matches import Match, Place, Player
from bot.domain.moments import Moment, MomentPage, MomentTry, TryCount
from bot.domain.refusals import RefusalReason, Refused
from bot.features import moments
from engine import TIC_TAC_TOE, Level, Record, Rules
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import both_databases, call, forget_person, forget_server
from tests.bot.example_matches import ANA, BEN, CHANNEL, NOON, RUI, SERVER, VELHA, make_match
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text
from tests.bot.store.test_matches import at_once
from tests.bot.views.examples import text_of

ASK = "Ask everyone"


async def page_to_ask_from(guild: SimulatedGuild) -> SeenMessage:
    """Ana beats Ben, who does not block at C1, and sees what the review has to say besides."""
    ana, ben = guild.ana, guild.ben
    await guild.challenge()
    await guild.play((ana, "A1"), (ben, "B2"), (ana, "B1"), (ben, "A2"), (ana, "C1"))
    await guild.press(ben, "Review")
    await guild.press(ben, "More", guild.page())
    return guild.page()


def edit_of(seen: SeenMessage) -> tuple[str, str]:
    return "PATCH", f"/channels/{seen.channel_id}/messages/{seen.id}"


async def test_everybody_may_find_the_move_and_the_message_counts(guild: SimulatedGuild) -> None:
    await guild.press(guild.ben, ASK, await page_to_ask_from(guild))
    asked = guild.messages()[-1]
    assert asked.board == "xx. .o. ..."
    assert asked.text.splitlines() == [
        "## ⭕'s turn. Can you find the best move?",
        "-# 3x3, 3 in a row wins · ❌ A1, B1 · ⭕ B2",
        "-# Press a square. Only you see the answer.",
    ]
    edits = guild.requests().count(edit_of(asked))
    eve = guild.handle.add_member(guild.env.create_user("eve"))
    tries = await guild.press_at_once((eve, "C1"), (guild.rui, "A3"), (guild.ben, "C1"))
    right, wrong, player = map(private_text, tries)
    assert right.startswith("🎯 **C1** blocks a line.")
    assert wrong.startswith("💥 **A3** deixa ")
    assert wrong.endswith(" vencer em C1.")
    assert right == player
    message = guild.messages()[-1]
    assert message.id == asked.id
    assert "1 of 2 got it first time." in message.text, "the player knew"
    assert guild.requests().count(edit_of(asked)) == edits + 1
    assert "🎯" in private_text(await guild.press(guild.rui, "C1", asked)), "too late to count"
    assert guild.messages()[-1] == message


async def test_a_question_that_discord_does_not_take_can_be_asked_again(
    guild: SimulatedGuild,
) -> None:
    page, before = await page_to_ask_from(guild), guild.messages()
    guild.fail("*/callback*", (500, 0), times=1)
    await guild.press(guild.ben, ASK, page)
    assert guild.messages() == before
    await guild.press(guild.ben, ASK, page)
    assert len(guild.messages()) == len(before) + 1


async def test_a_question_that_may_still_come_can_be_asked_again_after_a_while(
    guild: SimulatedGuild,
) -> None:
    page, before = await page_to_ask_from(guild), guild.messages()
    guild.fail("*/callback*", TimeoutError, times=1)
    for _ in range(2):
        await guild.press(guild.ben, ASK, page)
    assert guild.messages() == before
    await guild.env.advance_time(20)
    await guild.press(guild.ben, ASK, page)
    assert len(guild.messages()) == len(before) + 1
    await guild.env.advance_time(20)
    await guild.press(guild.ben, ASK, page)
    assert len(guild.messages()) == len(before) + 1


# Which match is shown

EVE = 4
A1, B1, C1, A2, B2, A3 = 0, 1, 2, 3, 4, 6
MOVES = (A1, B2, B1, A2, C1)
"""With A2 at ply 4, O lets X complete a line at C1."""
MATCH = make_match(moves=MOVES)
PAGE = MomentPage(MATCH.record)


def found(app: App, user_id: int = ANA, channel_id: int = CHANNEL) -> Match | None:
    return call(app.store, moments.find_match, PAGE, user_id, channel_id)


def show(app: App, match: Match = MATCH, ply: int = 4) -> bool:
    """Claim the moment of a match."""
    return call(app.store, moments.claim, match.id, ply, app.now)


def shown_moment(app: App) -> Moment | None:
    return call(app.store, moments.load, MATCH.id)


async def reason_not_to_ask(app: App, page: MomentPage = PAGE) -> RefusalReason:
    with pytest.raises(Refused) as refused:
        await moments.ask(context(app.backend.runtime), page)
    return refused.value.reason


async def test_players_show_a_match_and_only_where_they_played_it(app: App) -> None:
    app.add(MATCH)
    assert found(app, ANA) == found(app, BEN) == MATCH
    assert found(app, RUI) is None
    assert found(app, channel_id=CHANNEL + 1) is None
    other_game = MomentPage(Record(TIC_TAC_TOE, MOVES[:4]))
    assert await reason_not_to_ask(app, other_game) is RefusalReason.MOMENT_ELSEWHERE


async def test_a_match_that_goes_on_is_not_shown(app: App) -> None:
    live = app.add(make_match(moves=MOVES[:4]))
    reason = await reason_not_to_ask(app, MomentPage(live.record))
    assert reason is RefusalReason.MOMENT_ELSEWHERE


async def test_a_match_that_never_turned_has_no_moment(app: App) -> None:
    drawn = app.add(make_match(moves=(4, 0, 8, 2, 1, 7, 3, 5, 6)))
    reason = await reason_not_to_ask(app, MomentPage(drawn.record))
    assert reason is RefusalReason.UNKNOWN_BUTTON


async def test_a_moment_is_shown_once(app: App) -> None:
    app.add(MATCH)
    show(app)
    assert await reason_not_to_ask(app) is RefusalReason.SHOWN_ALREADY


async def test_of_two_equal_matches_the_newer_is_shown(app: App) -> None:
    app.add(MATCH)
    newer = app.add(replace(MATCH, id=8))
    assert found(app) == newer


@both_databases
async def test_a_match_has_one_moment(app: App) -> None:
    app.add(MATCH)
    assert shown_moment(app) is None
    for _ in range(2):
        assert sorted(at_once(lambda _: show(app), range(5))) == [False] * 4 + [True]
        app.now += timedelta(seconds=19)
        assert not show(app), "it may be under way"
        app.now += timedelta(seconds=1)
    assert shown_moment(app) == Moment(MATCH, 4)
    call(app.store, moments.record_message, MATCH.id, 500)
    assert not show(app)
    assert shown_moment(app) == Moment(MATCH, 4, 500)
    call(app.store, moments.remove, MATCH.id)
    assert shown_moment(app) is None
    assert show(app)


# Tries


async def try_cell(
    app: App, cell: int, user_id: int = RUI, channel_id: int = CHANNEL, match: Match = MATCH
) -> tuple[str, bool]:
    """The answer to a try, and whether the message is to be redrawn."""
    pressed = context(app.backend.runtime, user_id=user_id, channel_id=channel_id)
    view = await moments.try_cell(pressed, MomentTry(match.id, cell))
    return text_of(view), bool(pressed.follow_ups)


def count(app: App) -> TryCount:
    return call(app.store, moments.count_tries, MATCH.id)


async def test_the_first_try_counts_and_the_others_are_answered(app: App) -> None:
    app.add(MATCH)
    show(app)
    right, is_counted = await try_cell(app, C1)
    assert right.startswith("🎯")
    assert is_counted
    wrong, is_counted = await try_cell(app, A3, EVE)
    assert wrong.startswith("💥")
    assert "at C1" in wrong
    assert is_counted
    assert await try_cell(app, C1, EVE) == (right, False)
    assert count(app) == TryCount(total=2, correct=1)


async def test_the_players_are_answered_and_not_counted(app: App) -> None:
    app.add(MATCH)
    show(app)
    for player in (ANA, BEN):
        told, is_counted = await try_cell(app, C1, player)
        assert told.startswith("🎯")
        assert not is_counted
    assert count(app) == TryCount()


async def test_tries_that_no_button_leads_to_are_refused(app: App) -> None:
    app.add(MATCH)
    app.add(replace(MATCH, id=8))
    show(app)
    for forged in (
        try_cell(app, A1),  # the cell is taken
        try_cell(app, 24),
        try_cell(app, C1, channel_id=CHANNEL + 1),
        try_cell(app, C1, match=replace(MATCH, id=8)),  # it is not shown
        try_cell(app, C1, match=replace(MATCH, id=99)),
    ):
        with pytest.raises(Refused) as refused:
            await forged
        assert refused.value.reason is RefusalReason.UNKNOWN_BUTTON
    assert count(app) == TryCount()


async def test_a_moment_of_a_match_against_the_bot_is_judged_on_a_large_board(app: App) -> None:
    moves = (5, 0, 6, 15, 4, 1, 7)
    match = make_match(moves=moves, rules=Rules(4, 4, 4), o=Player(VELHA, Level.CHILD))
    app.add(match)
    show(app, match, ply=6)
    told, _ = await try_cell(app, 7)
    assert told.startswith("🎯")


@both_databases
async def test_the_first_try_of_each_person_counts(app: App) -> None:
    assert count(app) == TryCount()
    added = at_once(lambda _: add_try(app, RUI), range(5))
    assert sorted(added) == [False] * 4 + [True]
    assert not add_try(app, RUI, is_found=False)
    assert add_try(app, EVE, is_found=False)
    assert add_try(app, EVE, 8)
    assert count(app) == TryCount(total=2, correct=1)
    assert tries_of(app, EVE) == {MATCH.id: False, 8: True}


def add_try(app: App, user_id: int, match_id: int = MATCH.id, *, is_found: bool = True) -> bool:
    return call(app.store, moments.add_try, match_id, user_id, is_found=is_found)


def tries_of(app: App, user_id: int) -> dict[int, bool]:
    return call(app.store, moments.load_tries, user_id)


# How long they are kept


async def test_what_somebody_tried_is_exported(app: App) -> None:
    app.add(MATCH)
    show(app)
    await try_cell(app, A3)
    assert (await app.export(RUI))["moments"] == [{"match": MATCH.id, "found": False}]


@both_databases
async def test_moments_go_with_their_matches(app: App) -> None:
    for match_id in (1, 2, 30):
        if match_id > 1:
            app.add(replace(MATCH, id=match_id, place=Place(match_id, SERVER, "en")))
        assert call(app.store, moments.claim, match_id, 4, NOON)
        assert add_try(app, RUI, match_id)
    assert call(app.store, moments.prune, 20) == 2
    assert tries_of(app, RUI) == {2: True, 30: True}
    assert call(app.store, moments.load, 2)
    assert call(app.store, moments.prune, 20) == 0


async def test_a_sweep_keeps_the_tries_of_a_match_that_is_kept(app: App) -> None:
    app.add(MATCH)
    show(app)
    await try_cell(app, C1)
    await app.matches.prune()
    assert tries_of(app, RUI) == {MATCH.id: True}


async def test_a_forgotten_server_has_no_moments(app: App) -> None:
    app.add(MATCH)
    show(app)
    forget_server(app.store, SERVER, 10)
    assert shown_moment(app) is None


async def test_the_tries_of_a_deleted_person_are_deleted(app: App) -> None:
    for user_id in (RUI, EVE):
        assert add_try(app, user_id)
    forget_person(app.store, RUI, 10)
    assert count(app) == TryCount(total=1, correct=1)

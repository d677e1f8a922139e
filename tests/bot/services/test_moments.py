"""Moments: who may show which, and whose tries count."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.matches import Match, Place, Player
from bot.domain.moments import GuessCount, Moment, MomentAnswer, MomentGuess, MomentPage
from bot.domain.refusals import Refusal, RefusalReason
from engine import TIC_TAC_TOE, Level, Record, Rules
from tests.bot.backend import App
from tests.bot.databases import both_databases
from tests.bot.example_matches import ANA, BEN, CHANNEL, NOON, RUI, SERVER, VELHA, make_match

EVE = 4
A1, B1, C1, A2, B2, A3 = 0, 1, 2, 3, 4, 6
MOVES = (A1, B2, B1, A2, C1)
"""With A2 at ply 4, O lets X complete a line at C1."""
MATCH = make_match(moves=MOVES)
PAGE = MomentPage(MATCH.record)


async def show(
    app: App, page: MomentPage = PAGE, user_id: int = ANA, channel_id: int = CHANNEL
) -> Moment | Refusal:
    return await app.services.moments.create(page, user_id=user_id, channel_id=channel_id)


async def find(
    app: App, cell: int, user_id: int = RUI, channel_id: int = CHANNEL, match: Match = MATCH
) -> MomentAnswer | Refusal:
    return await app.services.moments.submit(
        MomentGuess(match.id, cell), user_id=user_id, channel_id=channel_id, interaction_id=user_id
    )


@pytest.mark.parametrize("player", [ANA, BEN])
async def test_a_player_shows_where_their_match_turned_once(app: App, player: int) -> None:
    app.add(MATCH)
    assert await show(app, user_id=player) == Moment(MATCH, ply=4)
    for someone in (ANA, BEN):
        assert await show(app, user_id=someone) == Refusal(RefusalReason.SHOWN_ALREADY)


async def test_a_moment_that_could_not_be_posted_can_be_shown_again(app: App) -> None:
    app.add(MATCH)
    moment = await show(app)
    assert isinstance(moment, Moment)
    await app.services.moments.withdraw(moment)
    assert await show(app) == moment


@both_databases
async def test_a_moment_whose_process_died_before_it_was_posted_can_be_shown_again(
    app: App,
) -> None:
    app.add(MATCH)
    moment = await show(app)
    assert isinstance(moment, Moment)
    app.now += timedelta(seconds=19)
    assert await show(app) == Refusal(RefusalReason.SHOWN_ALREADY), "it may be under way"
    app.now += timedelta(seconds=1)
    assert await show(app) == moment
    await app.services.moments.record_posted(moment, 500)
    app.now += timedelta(seconds=20)
    assert await show(app) == Refusal(RefusalReason.SHOWN_ALREADY)


async def test_nobody_else_and_nowhere_else_and_no_other_game_is_shown(app: App) -> None:
    app.add(MATCH)
    elsewhere = Refusal(RefusalReason.MOMENT_ELSEWHERE)
    assert await show(app, user_id=RUI) == elsewhere
    assert await show(app, channel_id=CHANNEL + 1) == elsewhere
    assert await show(app, MomentPage(Record(TIC_TAC_TOE, MOVES[:4]))) == elsewhere


async def test_a_match_that_goes_on_is_not_shown(app: App) -> None:
    app.add(make_match(moves=MOVES[:4]))
    page = MomentPage(Record(TIC_TAC_TOE, MOVES[:4]))
    assert await show(app, page) == Refusal(RefusalReason.MOMENT_ELSEWHERE)


async def test_a_match_that_never_turned_has_no_moment(app: App) -> None:
    drawn = make_match(moves=(4, 0, 8, 2, 1, 7, 3, 5, 6))
    app.add(drawn)
    assert await show(app, MomentPage(drawn.record)) == Refusal(RefusalReason.UNKNOWN_BUTTON)


async def test_of_two_equal_matches_the_newer_is_shown(app: App) -> None:
    app.add(MATCH)
    newer = app.add(replace(MATCH, id=8))
    assert await show(app) == Moment(newer, ply=4)


async def test_the_first_try_counts_and_the_others_are_answered(app: App) -> None:
    app.add(MATCH)
    moment = await show(app)
    assert isinstance(moment, Moment)
    right = await find(app, C1)
    assert isinstance(right, MomentAnswer)
    assert right.verdict.kept_value
    assert right.is_counted
    wrong = await find(app, A3, EVE)
    assert isinstance(wrong, MomentAnswer)
    assert not wrong.verdict.kept_value
    assert wrong.reply is not None
    assert wrong.reply.action == C1
    assert wrong.is_counted
    again = await find(app, C1, EVE)
    assert isinstance(again, MomentAnswer)
    assert not again.is_counted
    assert await app.services.moments.count(moment) == GuessCount(total=2, correct=1)


async def test_the_players_are_answered_and_not_counted(app: App) -> None:
    app.add(MATCH)
    await show(app)
    for player in (ANA, BEN):
        answer = await find(app, C1, player)
        assert isinstance(answer, MomentAnswer)
        assert not answer.is_counted
    assert app.store.moments.count(MATCH.id) == GuessCount()


async def test_forged_tries_are_refused(app: App) -> None:
    app.add(MATCH)
    unknown = Refusal(RefusalReason.UNKNOWN_BUTTON)
    assert await find(app, C1) == unknown, "it is not shown yet"
    await show(app)
    assert await find(app, A1) == unknown, "the cell is taken"
    assert await find(app, 24) == unknown
    assert await find(app, C1, channel_id=CHANNEL + 1) == unknown
    assert await find(app, C1, match=replace(MATCH, id=99)) == unknown
    assert app.store.moments.count(MATCH.id) == GuessCount()


async def test_a_moment_of_a_match_against_the_bot_is_judged_on_a_large_board(app: App) -> None:
    rules = Rules(4, 4, 4)
    moves = (5, 0, 6, 15, 4, 1, 7)
    match = make_match(moves=moves, rules=rules, o=Player(VELHA, Level.CHILD))
    app.add(match)
    moment = await show(app, MomentPage(match.record))
    assert isinstance(moment, Moment)
    assert moment.ply == 6
    answer = await find(app, 7)
    assert isinstance(answer, MomentAnswer)
    assert answer.verdict.kept_value


async def test_what_somebody_tried_is_exported(app: App) -> None:
    app.add(MATCH)
    await show(app)
    await find(app, A3)
    export = await app.export(RUI)
    assert export["moments"] == [{"match": MATCH.id, "found": False}]


async def test_tries_are_pruned_with_their_match(app: App) -> None:
    app.add(replace(MATCH, place=Place(CHANNEL, SERVER, "en")))
    await show(app)
    await find(app, C1)
    await app.count_all()
    await app.services.matches.prune()
    assert app.store.moments.guesses_of(RUI) == {MATCH.id: True}
    app.store.matches.prune(NOON + timedelta(days=1), MATCH.id + 1)
    app.store.moments.prune(MATCH.id + 1)
    assert app.store.moments.guesses_of(RUI) == {}

"""Results and leaderboards: each match counted once, shown only to those who may see them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text

from bot.domain.ids import DELETED_USER_ID
from bot.domain.match_actions import MatchAction
from bot.domain.matches import (
    Ending,
    EndReason,
    HeadToHead,
    Match,
    MatchResult,
    Place,
    Player,
)
from bot.domain.puzzles import (
    PuzzleStats,
)
from bot.domain.refusals import Refusal, RefusalReason
from bot.domain.stats import Leaderboard, Standing, Standings, Stats, Tally, TallyKey, ladder_score
from bot.store.stats import COUNT_BATCH_SIZE, LEADERBOARD_SIZE
from engine import TIC_TAC_TOE, Level, Mark, Rules, accuracy, review
from tests.bot.backend import App
from tests.bot.databases import both_databases, save_settings
from tests.bot.example_matches import ANA, BEN, CHANNEL, NOON, RUI, SERVER, VELHA, make_match
from tests.bot.features.test_puzzles import RIGHT, WORSE, WORST, WRONG, attempt, ranking
from tests.bot.store.test_stats import DRAWN, O_WON, X_WON, over

PEOPLE, EASY = TallyKey(TIC_TAC_TOE), TallyKey(TIC_TAC_TOE, Level.EASY)
LATER, TODAY = 10_000, NOON.date()
A_DAY = timedelta(days=1)


def alone(number: int, board: str = X_WON, level: Level = Level.EASY, **changes: Any) -> Match:
    return over(number, board, o=Player(VELHA, level), **changes)


def tallies(app: App, user_id: int) -> dict[TallyKey, tuple[int, int, int]]:
    found = app.store.stats.tallies(user_id).items()
    return {kind: (tally.won, tally.drawn, tally.lost) for kind, tally in found}


# Counting


@both_databases
async def test_every_finished_match_is_counted_once(app: App) -> None:
    for number, board in enumerate((X_WON, DRAWN, O_WON, X_WON), start=1):
        app.add(over(number, board))
    app.add(alone(5))
    for _ in range(2):
        await app.count_all()
        assert tallies(app, ANA) == {PEOPLE: (2, 1, 1), EASY: (1, 0, 0)}
        assert tallies(app, BEN) == {PEOPLE: (1, 1, 2)}
        assert app.store.stats.head_to_head(ANA, BEN) == HeadToHead(won=2, drawn=1, lost=1)
        assert app.store.stats.head_to_head(BEN, ANA) == HeadToHead(won=1, drawn=1, lost=2)
    assert tallies(app, VELHA) == tallies(app, RUI) == {}


async def test_matches_without_a_result_are_not_counted(
    app: App,
) -> None:
    app.add(make_match("x.. .o. ..."))
    app.add(over(1, "x.. .o. ...", early_ending=Ending(EndReason.STOPPED)))
    assert await app.count_all() == []
    assert tallies(app, ANA) == {}
    assert app.store.stats.uncounted() == ([], [])


@pytest.mark.parametrize("players", [{}, {"o": Player(VELHA, Level.EASY)}])
@pytest.mark.parametrize("by", ["stop", "button", "moderator"])
async def test_a_match_without_a_move_counts_for_nobody(
    app: App, players: dict[str, Any], by: str
) -> None:
    match = app.add(make_match(**players))
    if by == "button":
        await app.press(match, MatchAction.CONCEDE, is_ephemeral=True)
    else:
        who = RUI if by == "moderator" else ANA
        await app.stop(who, is_moderator=by == "moderator")
    assert not app.load(match).is_live
    await app.count_all()
    assert tallies(app, ANA) == tallies(app, BEN) == {}
    assert app.store.stats.head_to_head(ANA, BEN) == HeadToHead()
    assert app.store.stats.uncounted() == ([], [])


async def test_resigning_after_the_first_move_is_a_loss(app: App) -> None:
    app.add(make_match("x.. ... ..."))
    await app.stop()
    await app.count_all()
    assert tallies(app, ANA) == {PEOPLE: (0, 0, 1)}
    assert tallies(app, BEN) == {PEOPLE: (1, 0, 0)}


async def test_the_critical_moves_are_those_that_a_review_judges(app: App) -> None:
    match = app.add(over(1, moves=(0, 1, 5, 2, 4, 3, 8)))
    await app.count_all()
    judged = review(match.moves)
    for mark, who in ((Mark.X, ANA), (Mark.O, BEN)):
        tally = app.store.stats.tallies(who)[PEOPLE]
        assert (tally.kept, tally.critical) == accuracy(judged, mark)
        assert tally.critical, "there was something to judge"


async def test_large_boards_are_judged_too_but_not_all_old_ones(app: App) -> None:
    board, rules = "xxxx oooo .... ....".replace("oooo", "ooo."), Rules(4, 4, 4)
    app.add(over(1, board, rules=rules, ended_at=None))
    await app.count_all()
    assert app.store.stats.tallies(ANA)[TallyKey(rules)].critical == 0
    app.add(over(2, board, rules=rules))
    await app.count_all()
    assert app.store.stats.tallies(ANA)[TallyKey(rules)].critical > 0


@both_databases
async def test_a_long_history_is_counted_in_batches_the_oldest_first(app: App) -> None:
    for number in range(COUNT_BATCH_SIZE + 2):
        app.add(over(number + 1, O_WON if number < COUNT_BATCH_SIZE else X_WON, ended_at=None))
    await app.services.stats.count()
    assert tallies(app, ANA) == {PEOPLE: (0, 0, COUNT_BATCH_SIZE)}
    await app.count_all()
    assert tallies(app, ANA) == {PEOPLE: (2, 0, COUNT_BATCH_SIZE)}
    assert app.store.stats.tallies(ANA)[PEOPLE].unbeaten == 2


async def test_matches_that_an_older_release_ended_are_counted(app: App) -> None:
    app.add(make_match("x.. .o. ..."))
    with app.store.database.autocommit() as connection:
        ended = "UPDATE matches SET live = FALSE, ended_how = 'resigned', winner = 'o'"
        connection.execute(text(ended))
    await app.count_all()
    assert tallies(app, ANA) == {PEOPLE: (0, 0, 1)}


async def test_a_first_is_announced_when_it_is_new_and_stays_with_its_match(app: App) -> None:
    age = timedelta(minutes=5)
    old = app.add(alone(1, level=Level.HARD, ended_at=app.now - age))
    ended_at = app.now - age + timedelta(seconds=1)
    new, again = app.add(alone(2, ended_at=ended_at)), app.add(alone(3, ended_at=app.now))
    assert await app.count_all() == [replace(new, is_first=True)]
    assert [app.load(match).is_first for match in (old, new, again)] == [True, True, False]


async def test_a_deleted_person_has_no_tallies_and_gets_none_for_earlier_matches(
    app: App,
) -> None:
    app.add(over(1))
    await app.count_all()
    app.add(over(2))
    await app.services.privacy.forget_user(ANA, interaction_id=LATER)
    assert tallies(app, ANA) == {}
    assert app.store.stats.head_to_head(BEN, ANA) == HeadToHead()
    await app.count_all()
    assert tallies(app, ANA) == {}, "the wish came before the counting"
    assert tallies(app, BEN) == {PEOPLE: (0, 0, 2)}, "what is Ben's is Ben's"


@pytest.mark.logs_errors
async def test_a_row_that_cannot_be_read_does_not_stop_the_counting(app: App) -> None:
    app.add(over(1))
    app.add(over(2))
    with app.store.database.autocommit() as connection:
        connection.execute(text("UPDATE matches SET moves = 'nonsense' WHERE id = 1"))
    await app.count_all()
    assert tallies(app, ANA) == {PEOPLE: (1, 0, 0)}
    assert app.store.stats.uncounted() == ([], [])


async def test_tallies_of_unknown_games_and_levels_are_left_alone(app: App) -> None:
    app.add(over(1))
    await app.count_all()
    with app.store.database.autocommit() as connection:
        for change in ("rules = 'chess'", "level = 'GOD'"):
            connection.execute(text(f"UPDATE tallies SET {change}"))  # noqa: S608 - of these two
            assert tallies(app, ANA) == {}


# Told


def shown(
    asker_id: int, of: int, found: dict[TallyKey, Tally], head_to_head: HeadToHead | None = None
) -> Stats:
    return Stats(asker_id, of, found, head_to_head or HeadToHead(), PuzzleStats(), TODAY)


@both_databases
async def test_tallies_keep_their_order_whichever_was_counted_last(app: App) -> None:
    orders = []
    for number, level in enumerate(2 * [*Level]):
        app.add(alone(number + 1, level=level))
        await app.count_all()
        orders.append(list(app.store.stats.tallies(ANA)))
    assert all(order == orders[-1] for order in orders[len(Level) :])


async def test_everybody_sees_their_own_results_and_those_of_others(app: App) -> None:
    app.add(over(1))
    await app.count_all()
    ana = await app.services.stats.stats(ANA, asker_id=ANA, today=TODAY)
    assert ana == shown(ANA, ANA, app.store.stats.tallies(ANA))
    ben = await app.services.stats.stats(BEN, asker_id=ANA, today=TODAY)
    assert ben == shown(ANA, BEN, app.store.stats.tallies(BEN), HeadToHead(won=1))


@both_databases
async def test_hidden_results_are_shown_only_to_the_person_themselves(app: App) -> None:
    await app.services.privacy.choose(BEN, {"is_hidden": True})
    refused = Refusal(RefusalReason.STATS_HIDDEN, person_id=BEN)
    assert await app.services.stats.stats(BEN, asker_id=ANA, today=TODAY) == refused
    assert await app.services.stats.stats(BEN, asker_id=BEN, today=TODAY) == shown(BEN, BEN, {})
    await app.services.privacy.choose(BEN, {"is_hidden": False})
    assert isinstance(await app.services.stats.stats(BEN, asker_id=ANA, today=TODAY), Stats)


# Leaderboards


# Last matches

HERE = Place(CHANNEL, SERVER, "en")


async def opponents(app: App, place: Place = HERE) -> list[int]:
    """Whom Ana is told that she played, the newest match first."""
    last = await app.services.stats.last_matches(ANA, place)
    assert last.user_id == ANA
    return [match.opponent_of(ANA) for match in last.matches]


async def test_opponents_are_named_only_where_the_match_was_played(app: App) -> None:
    app.add(over(1))
    app.add(over(2, place=Place(CHANNEL + 1, SERVER, "en")))
    app.add(over(3, place=Place(CHANNEL + 2, SERVER + 1, "en")))
    app.add(alone(4, place=Place(CHANNEL + 3, SERVER + 1, "en")))
    app.add(over(5, place=Place(CHANNEL + 4, None, "en")))
    app.add(over(6, x=Player(BEN), o=Player(RUI), opened_by=BEN))
    somebody = DELETED_USER_ID
    assert await opponents(app) == [somebody, VELHA, somebody, BEN, BEN]
    direct = Place(CHANNEL + 4, None, "en")
    assert await opponents(app, direct) == [BEN, VELHA, somebody, somebody, somebody]
    elsewhere = Place(CHANNEL + 5, None, "en")
    assert await opponents(app, elsewhere) == [somebody, VELHA, somebody, somebody, somebody]


async def test_an_opponent_who_hides_is_not_named(app: App) -> None:
    app.add(over(1))
    app.add(over(2, o=Player(RUI)))
    app.store.privacy.choose(BEN, {"is_hidden": True})
    assert await opponents(app) == [RUI, DELETED_USER_ID]


async def test_deleted_and_old_matches_are_gone_from_the_list(app: App) -> None:
    app.add(over(1))
    app.add(over(2, o=Player(RUI)))
    await app.services.privacy.forget_user(BEN, interaction_id=LATER)
    assert await opponents(app) == [RUI, DELETED_USER_ID]
    await app.count_all()
    app.store.matches.prune(NOON + A_DAY, LATER)
    assert await opponents(app) == []
    app.add(over(3))
    await app.services.privacy.forget_user(ANA, interaction_id=LATER)
    assert await opponents(app) == []


@both_databases
async def test_points_are_counted_per_server_by_month_and_for_all_time(app: App) -> None:
    await attempt(app, WRONG, RIGHT)
    await attempt(app, RIGHT, who=BEN)
    await attempt(app, WRONG, WORSE, WORST, who=RUI)
    await attempt(app, RIGHT, who=RUI + 1, guild_id=None)
    await attempt(app, RIGHT, who=RUI + 2, guild_id=SERVER + 1)
    points = (Standing(1, BEN, 3), Standing(2, ANA, 2))
    assert await ranking(app, Leaderboard.MONTH) == await ranking(app, Leaderboard.EVER) == points
    in_june = partial(app.services.stats.ranking, SERVER, asker_id=ANA, today=date(2026, 6, 1))
    assert await in_june(Leaderboard.MONTH) == Standings(Leaderboard.MONTH, (), ANA)
    assert await in_june(Leaderboard.EVER) == Standings(Leaderboard.EVER, points, ANA)


@both_databases
async def test_points_of_past_months_are_pruned_and_those_of_all_time_stay(app: App) -> None:
    for who in (ANA, BEN):
        await attempt(app, RIGHT, who=who)
    for now, months in (
        (datetime(2026, 5, 31, tzinfo=UTC), {"2026-05"}),
        (datetime(2026, 6, 1, 23, tzinfo=UTC), {"2026-05"}),  # an attempt of May may go on
        (datetime(2026, 6, 2, tzinfo=UTC), set()),
    ):
        app.now = now
        app.clock.observe(now)
        await app.services.matches.prune()
        charts = {chart for _, chart, _ in app.store.stats.scores(ANA)}
        assert charts == {"ever", *months}
    assert len(await ranking(app, Leaderboard.EVER)) == 2


@both_databases
async def test_a_leaderboard_shows_the_best_ten_and_the_person_who_asks(app: App) -> None:
    for who in range(1, LEADERBOARD_SIZE + 3):
        await attempt(app, RIGHT, who=who)
    await attempt(app, WRONG, RIGHT, who=50)
    equal = [Standing(1, who, 3) for who in range(1, LEADERBOARD_SIZE + 1)]
    assert list(await ranking(app, Leaderboard.EVER, asker_id=1)) == equal
    assert list(await ranking(app, Leaderboard.EVER, asker_id=50)) == [
        *equal,
        Standing(LEADERBOARD_SIZE + 3, 50, 2),
    ]
    assert list(await ranking(app, Leaderboard.EVER, asker_id=51)) == equal


@both_databases
async def test_a_hidden_person_is_on_no_leaderboard(app: App) -> None:
    await attempt(app, RIGHT)
    await attempt(app, WRONG, RIGHT, who=BEN)
    await app.services.privacy.choose(ANA, {"is_hidden": True})
    for asks in (ANA, BEN):
        assert await ranking(app, Leaderboard.EVER, asks) == (Standing(1, BEN, 2),)


async def test_ladder_scores_come_from_matches_in_the_server(app: App) -> None:
    won, over = "xxx oo. ...", "xox xoo oxx"
    for number, (board, level, guild_id) in enumerate(
        [
            (won, Level.EASY, SERVER),
            (over, Level.PERFECT, SERVER),
            (won, Level.HARD, SERVER),
            (won, Level.EXPERT, None),
            (over, Level.IMPOSSIBLE, SERVER + 1),
        ]
    ):
        place = Place(1_000 + number, guild_id, "pt-BR")
        app.add(make_match(board, id=number + 1, place=place, o=Player(VELHA, level)))
    await app.count_all()
    height = ladder_score(Level.PERFECT, MatchResult.DRAWN)
    assert await ranking(app, Leaderboard.LADDER) == (Standing(1, ANA, height),)


async def test_a_server_can_turn_leaderboards_off(app: App) -> None:
    save_settings(app.store, SERVER, has_ranking=False)
    refused = await app.services.stats.ranking(SERVER, Leaderboard.EVER, asker_id=ANA, today=TODAY)
    assert refused == Refusal(RefusalReason.NO_RANKING_HERE)

"""The leaderboards of a server."""

from __future__ import annotations

from datetime import UTC, date, datetime

import aiohttp
import pytest
from simcord.actors import MemberActor

from bot.domain.matches import HeadToHead, Place, Player
from bot.domain.puzzles import Attempt
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import Leaderboard, RankingPage, Standing
from bot.features import ranking
from bot.features.puzzles import AttemptKey
from bot.features.ranking import LEADERBOARD_SIZE
from engine import Level, daily_puzzle
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import both_databases, call, save_attempt, save_choices, save_settings
from tests.bot.example_matches import (
    ANA,
    BEN,
    DRAWN,
    NOON,
    O_WON,
    RUI,
    SERVER,
    VELHA,
    X_WON,
    over,
)
from tests.bot.features.test_puzzles import RIGHT, WORSE, WORST, WRONG, attempt, standings
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.simulated_guild import Fault, SimulatedGuild

TODAY = NOON.date()


def solved_by(guild: SimulatedGuild, *people: MemberActor) -> None:
    """Some people have solved today's puzzle here."""
    today = guild.env.now().date()
    solution = daily_puzzle(today).solution
    for who in people:
        attempt = Attempt((solution,), solution)
        save_attempt(guild.bots[-1].store, AttemptKey(who.id, today), attempt, guild.handle.id)


def member_requests(guild: SimulatedGuild) -> list[str]:
    """The people about whom Discord was asked whether they are in the server."""
    members = f"/guilds/{guild.handle.id}/members/"
    return [path.removeprefix(members) for _, path in guild.requests() if members in path]


async def test_who_has_left_is_not_shown_by_a_number(guild: SimulatedGuild) -> None:
    solved_by(guild, guild.ben, guild.ana)
    guild.env.backend.remove_member(guild.handle.id, guild.ben.id)
    guild.world.locales[guild.ana.id] = "en-US"
    for _ in range(2):
        await guild.ana.slash(guild.channel, "velha ranking")
        assert guild.page().text.splitlines()[1:3] == [
            f"**🥇 {guild.ana.mention} · 3 points**",
            "🥇 someone who left · 3 points",
        ]
    assert member_requests(guild) == [str(guild.ben.id)], "nobody else is asked for, and only once"
    guild.env.backend.add_member(guild.handle.id, guild.ben.id)
    await guild.env.advance_time(700)
    await guild.ana.slash(guild.channel, "velha ranking")
    assert f"🥇 {guild.ben.mention} · 3 points" in guild.page().text


async def test_where_the_bot_is_no_member_discord_is_not_asked_who_is_there(
    guild: SimulatedGuild,
) -> None:
    solved_by(guild, guild.ben)
    guild.make_user_install()
    await guild.ana.slash(guild.channel, "velha ranking")
    assert f"🥇 {guild.ben.mention} · 3 pontos" in guild.page().text
    assert member_requests(guild) == []


@pytest.mark.parametrize("fault", [(404, 10004), aiohttp.ClientError])
async def test_somebody_has_left_only_if_discord_says_so(
    guild: SimulatedGuild, fault: Fault
) -> None:
    solved_by(guild, guild.ben)
    guild.env.backend.remove_member(guild.handle.id, guild.ben.id)
    guild.fail("*/members/*", fault)
    await guild.ana.slash(guild.channel, "velha ranking")
    assert f"🥇 {guild.ben.mention} · 3 pontos" in guild.page().text


async def test_there_is_no_ranking_in_direct_messages(app: App) -> None:
    with pytest.raises(Refused) as refused:
        await ranking.show(context(app.backend.runtime, guild_id=None), RankingPage())
    assert refusal_of(refused.value) == Refusal(RefusalReason.RANKING_IN_SERVERS)


# Who is on it


@both_databases
async def test_points_are_counted_per_server_by_month_and_for_all_time(app: App) -> None:
    await attempt(app, WRONG, RIGHT)
    await attempt(app, RIGHT, who=BEN)
    await attempt(app, WRONG, WORSE, WORST, who=RUI)
    await attempt(app, RIGHT, who=RUI + 1, guild_id=None)
    await attempt(app, RIGHT, who=RUI + 2, guild_id=SERVER + 1)
    points = (Standing(1, BEN, 3), Standing(2, ANA, 2))
    assert standings(app, Leaderboard.MONTH) == standings(app, Leaderboard.EVER) == points
    june = date(2026, 6, 1)
    assert standings(app, Leaderboard.MONTH, today=june) == ()
    assert standings(app, Leaderboard.EVER, today=june) == points


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
        await app.matches.prune()
        charts = {chart for _, chart, _ in call(app.store, ranking.scores_of, ANA)}
        assert charts == {"ever", *months}
    assert len(standings(app, Leaderboard.EVER)) == 2


@both_databases
async def test_a_leaderboard_shows_the_best_ten_and_the_person_who_asks(app: App) -> None:
    for who in range(1, LEADERBOARD_SIZE + 3):
        await attempt(app, RIGHT, who=who)
    await attempt(app, WRONG, RIGHT, who=50)
    equal = [Standing(1, who, 3) for who in range(1, LEADERBOARD_SIZE + 1)]
    assert list(standings(app, Leaderboard.EVER, asker_id=1)) == equal
    assert list(standings(app, Leaderboard.EVER, asker_id=50)) == [
        *equal,
        Standing(LEADERBOARD_SIZE + 3, 50, 2),
    ]
    assert list(standings(app, Leaderboard.EVER, asker_id=51)) == equal


@both_databases
async def test_a_hidden_person_is_on_no_leaderboard(app: App) -> None:
    await attempt(app, RIGHT)
    await attempt(app, WRONG, RIGHT, who=BEN)
    save_choices(app.store, ANA, is_hidden=True)
    for asks in (ANA, BEN):
        assert standings(app, Leaderboard.EVER, asks) == (Standing(1, BEN, 2),)


@both_databases
async def test_friends_are_ranked_by_wins_then_draws_then_fewer_losses_here(app: App) -> None:
    won, drawn, lost = X_WON, DRAWN, O_WON
    pairs = [(ANA, BEN, won), (RUI, BEN, won), (RUI, 4, drawn), (5, BEN, won), (5, 4, lost)]
    for number, (x, o, board) in enumerate(pairs, 1):
        app.end(over(number, board, x=Player(x), o=Player(o)))
    app.end(over(20, won, x=Player(BEN), o=Player(ANA), place=Place(1_020, SERVER + 1, "pt-BR")))
    app.end(over(21, won, x=Player(BEN), o=Player(ANA), place=Place(1_021, None, "pt-BR")))
    app.end(over(22, won, x=Player(BEN), o=Player(VELHA, Level.EASY)))
    expected = [
        Standing(1, 4, HeadToHead(1, 1, 0)),
        Standing(1, RUI, HeadToHead(1, 1, 0)),
        Standing(3, ANA, HeadToHead(1, 0, 0)),
        Standing(4, 5, HeadToHead(1, 0, 1)),
        Standing(5, BEN, HeadToHead(0, 0, 3)),
    ]
    found = standings(app, Leaderboard.FRIENDS)
    assert {*found} == {*expected}
    assert [line.place for line in found] == [1, 1, 3, 4, 5]
    save_choices(app.store, RUI, is_hidden=True)
    assert RUI not in {line.user_id for line in standings(app, Leaderboard.FRIENDS)}


@both_databases
async def test_below_the_best_friends_is_the_place_of_who_asks(app: App) -> None:
    for number in range(LEADERBOARD_SIZE + 1):
        board = DRAWN if number == LEADERBOARD_SIZE else X_WON
        app.end(over(1 + number, board, x=Player(100 + number), o=Player(200)))
    last = 100 + LEADERBOARD_SIZE
    found = standings(app, Leaderboard.FRIENDS, asker_id=last)
    assert found[-1] == Standing(LEADERBOARD_SIZE + 1, last, HeadToHead(0, 1, 0))
    assert standings(app, Leaderboard.FRIENDS, asker_id=200)[-1].place == LEADERBOARD_SIZE + 2


async def test_a_ranking_opens_at_the_fullest_leaderboard(app: App) -> None:
    def opened() -> Leaderboard:
        load = ranking.load_standings
        return call(app.store, load, SERVER, None, asker_id=ANA, today=TODAY).leaderboard

    assert opened() is Leaderboard.MONTH
    app.end(over(1))
    assert opened() is Leaderboard.FRIENDS
    for who in (ANA, BEN):
        await attempt(app, RIGHT, who=who)
    assert opened() is Leaderboard.MONTH, "as full as the others, and the first of them"


async def test_a_server_can_turn_leaderboards_off(app: App) -> None:
    save_settings(app.store, SERVER, has_ranking=False)
    with pytest.raises(Refused) as refused:
        standings(app, Leaderboard.EVER)
    assert refusal_of(refused.value) == Refusal(RefusalReason.NO_RANKING_HERE)

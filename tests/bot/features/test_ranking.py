"""The leaderboards of a server."""

from __future__ import annotations

from datetime import UTC, date, datetime

import aiohttp
import pytest
from simcord.actors import MemberActor

from bot.domain.ladder import ladder_score
from bot.domain.matches import MatchResult, Place, Player
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
from tests.bot.example_matches import ANA, BEN, NOON, RUI, SERVER, VELHA, make_match
from tests.bot.features.test_puzzles import RIGHT, WORSE, WORST, WRONG, attempt
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.simulated_guild import Fault, SimulatedGuild

TODAY = NOON.date()


def lines(
    app: App, chart: Leaderboard, asker_id: int = RUI, today: date = TODAY
) -> tuple[Standing, ...]:
    load = ranking.load_standings
    return call(app.store, load, SERVER, chart, asker_id=asker_id, today=today).lines


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
            "🥇 somebody who left · 3 points",
        ]
    assert member_requests(guild) == [str(guild.ben.id)], "nobody else is asked for, and only once"
    guild.env.backend.add_member(guild.handle.id, guild.ben.id)
    await guild.env.advance_time(700)
    await guild.ana.slash(guild.channel, "velha ranking")
    assert f"🥇 {guild.ben.mention} · 3 points" in guild.page().text


async def test_nobody_is_asked_for_where_the_bot_is_no_member(guild: SimulatedGuild) -> None:
    solved_by(guild, guild.ben)
    guild.make_user_install()
    await guild.ana.slash(guild.channel, "velha ranking")
    assert f"🥇 {guild.ben.mention} · 3 pontos" in guild.page().text
    assert member_requests(guild) == []


@pytest.mark.parametrize("fault", [(404, 10004), aiohttp.ClientError])
async def test_only_discord_s_word_makes_somebody_gone(guild: SimulatedGuild, fault: Fault) -> None:
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
    assert lines(app, Leaderboard.MONTH) == lines(app, Leaderboard.EVER) == points
    june = date(2026, 6, 1)
    assert lines(app, Leaderboard.MONTH, today=june) == ()
    assert lines(app, Leaderboard.EVER, today=june) == points


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
    assert len(lines(app, Leaderboard.EVER)) == 2


@both_databases
async def test_a_leaderboard_shows_the_best_ten_and_the_person_who_asks(app: App) -> None:
    for who in range(1, LEADERBOARD_SIZE + 3):
        await attempt(app, RIGHT, who=who)
    await attempt(app, WRONG, RIGHT, who=50)
    equal = [Standing(1, who, 3) for who in range(1, LEADERBOARD_SIZE + 1)]
    assert list(lines(app, Leaderboard.EVER, asker_id=1)) == equal
    assert list(lines(app, Leaderboard.EVER, asker_id=50)) == [
        *equal,
        Standing(LEADERBOARD_SIZE + 3, 50, 2),
    ]
    assert list(lines(app, Leaderboard.EVER, asker_id=51)) == equal


@both_databases
async def test_a_hidden_person_is_on_no_leaderboard(app: App) -> None:
    await attempt(app, RIGHT)
    await attempt(app, WRONG, RIGHT, who=BEN)
    save_choices(app.store, ANA, is_hidden=True)
    for asks in (ANA, BEN):
        assert lines(app, Leaderboard.EVER, asks) == (Standing(1, BEN, 2),)


async def test_the_ladder_has_the_highest_rung_in_every_server_where_one_has_climbed(
    app: App,
) -> None:
    won, drawn = "xxx oo. ...", "xox xoo oxx"
    played = [
        (drawn, Level.IMPOSSIBLE, SERVER),
        (won, Level.EASY, SERVER),
        (won, Level.HARD, SERVER),
        (won, Level.MEDIUM, SERVER + 1),
        (won, Level.EXPERT, None),
    ]
    places = []
    for number, (board, level, guild_id) in enumerate(played, 1):
        place = Place(1_000 + number, guild_id, "pt-BR")
        app.end(make_match(board, id=number, place=place, o=Player(VELHA, level)))
        places.append([standing.score for standing in lines(app, Leaderboard.LADDER)])
    easy, hard, expert = (
        ladder_score(level, MatchResult.WON) for level in (Level.EASY, Level.HARD, Level.EXPERT)
    )
    assert places == [[], [easy], [easy], [hard], [expert]]


async def test_a_server_can_turn_leaderboards_off(app: App) -> None:
    save_settings(app.store, SERVER, has_ranking=False)
    with pytest.raises(Refused) as refused:
        lines(app, Leaderboard.EVER)
    assert refusal_of(refused.value) == Refusal(RefusalReason.NO_RANKING_HERE)

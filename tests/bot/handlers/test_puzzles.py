"""The daily puzzle that counts, and a server's ranking, as people see them."""

from __future__ import annotations

from datetime import date

from simcord.actors import MemberActor

from bot.domain.matches import Place
from bot.domain.puzzles import PuzzlePost
from bot.store.store import Store
from engine import daily_puzzle
from tests.bot.house import SimulatedGuild, told


async def solve(house: SimulatedGuild, who: MemberActor) -> None:
    puzzle = daily_puzzle(house.env.now().date())
    await who.slash(house.channel, "velha puzzle")
    label = puzzle.board.rules.coordinate(puzzle.solution)
    await house.press(who, label, house.lesson())


async def test_a_solved_puzzle_tells_the_streak_and_stands_when_it_is_asked_for_again(
    house: SimulatedGuild,
) -> None:
    await solve(house, house.ben)
    said = house.lesson().text
    assert "🔥 1 day in a row (best: 1)\n-# Your puzzles, by number of tries:\n1️⃣ ▰▰▰▰" in said
    assert "▰ 1\n2️⃣  0" in said
    await house.restart()
    await house.ben.slash(house.channel, "velha puzzle")
    assert house.lesson().text == said
    await house.ben.slash(house.channel, "velha stats")
    assert "### Daily puzzle\n🔥 1 day in a row" in house.lesson().text
    assert "-# Puzzles, by number of tries:\n1️⃣" in house.lesson().text


async def test_what_was_solved_can_be_practised_and_does_not_count_again(
    house: SimulatedGuild,
) -> None:
    await solve(house, house.ana)
    await house.press(house.ana, "Treinar", house.lesson())
    practice = house.lesson()
    assert "-# Para treinar: não conta." in practice.text
    label = next(name for name in practice.labels if len(name) == 2)
    await house.press(house.ana, label, practice)
    await house.ana.slash(house.channel, "velha stats")
    assert "🔥 sequência: 1 dia (recorde: 1)" in house.lesson().text


async def test_a_server_sees_who_solves_best_and_who_climbed_how_high(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha ranking")
    assert "Nobody here has solved one yet" in house.lesson().text
    await solve(house, house.ben)
    await house.ben.slash(house.channel, "velha ranking")
    assert house.lesson().text.splitlines()[:2] == [
        "## Daily puzzles this month",
        f"**🥇 {house.ben.mention} · 3 points**",
    ]
    assert house.lesson().labels == ["All time", "Ladder"]
    await house.press(house.ben, "Ladder", house.lesson())
    assert "Nobody here is on the ladder yet: `/velha start`" in house.lesson().text
    await house.ana.slash(house.channel, "velha ranking")
    assert f"🥇 {house.ben.mention} · 3 pontos" in house.lesson().text


async def test_there_is_no_ranking_in_direct_messages(house: SimulatedGuild) -> None:
    answer = await house.ben.user.slash("velha ranking")
    assert told(answer) == "Only servers have a ranking."


async def choose_channel(house: SimulatedGuild, channel_id: int) -> None:
    """As a select of the form does."""
    store = Store.open(house.settings.database_url)
    store.settings.update(house.guild.id, {"puzzle_channel": channel_id, "puzzle_hour": 0})
    store.puzzles.restart_posts(house.guild.id, "pt-BR")
    store.close()


async def test_a_server_finds_the_puzzle_in_its_channel_and_each_solves_it_alone(
    house: SimulatedGuild,
) -> None:
    await house.ben.slash(house.channel, "velha help")  # which says what time it is
    await choose_channel(house, house.channel.id)
    await house.env.advance_time(60)
    (posted,) = house.everything_seen()
    assert posted.text.startswith("## Quebra-cabeça de 1 de janeiro de 2026")
    assert "Resolver" in posted.labels
    await house.press(house.ben, "Resolver", posted)
    assert house.lesson().text.startswith("## Puzzle for January 1, 2026")
    await house.restart()
    await house.env.advance_time(60)
    assert len(house.everything_seen()) == 1
    (send,) = [r for r in house.env.http_requests if r.path.endswith("/messages")]
    assert send.json is not None
    assert send.json["enforce_nonce"]
    assert send.json["allowed_mentions"]["parse"] == []


async def test_where_the_bot_may_not_post_it_tries_once_that_day(house: SimulatedGuild) -> None:
    await house.ben.slash(house.channel, "velha help")
    await choose_channel(house, house.channel.id)
    house.take_from_bot("send_messages")
    await house.env.advance_time(90)
    tried = [r for r in house.env.http_requests if r.path.endswith("/messages")]
    assert len(tried) == 1
    assert house.everything_seen() == []


async def test_posts_that_are_claimed_too_late_are_left_to_the_next_who_looks(
    house: SimulatedGuild,
) -> None:
    place = Place(house.channel.id, house.guild.id, "pt-BR")
    before = house.requests()
    late = [PuzzlePost(place, date(2026, 5, 1))]
    await house.bots[-1].handlers.matches.show_late(late)
    assert house.requests() == before

"""The daily puzzle that counts, and a server's ranking, as people see them."""

from __future__ import annotations

from simcord.actors import MemberActor

from engine import daily_puzzle
from tests.bot.house import House, told


async def solve(house: House, who: MemberActor) -> None:
    puzzle = daily_puzzle(house.env.now().date())
    await who.slash(house.channel, "velha puzzle")
    label = puzzle.board.rules.coordinate(puzzle.solution)
    await house.press(who, label, house.lesson())


async def test_a_solved_puzzle_tells_the_streak_and_stands_when_it_is_asked_for_again(
    house: House,
) -> None:
    await solve(house, house.ben)
    said = house.lesson().text
    assert "🔥 1 day in a row, at best 1\n1️⃣ ▰▰▰▰▰▰▰▰▰▰ 1\n2️⃣  0" in said
    await house.restart()
    await house.ben.slash(house.channel, "velha puzzle")
    assert house.lesson().text == said
    await house.ben.slash(house.channel, "velha stats")
    assert "### Daily puzzle\n🔥 1 day in a row" in house.lesson().text


async def test_what_was_solved_can_be_practised_and_does_not_count_again(house: House) -> None:
    await solve(house, house.ana)
    await house.press(house.ana, "Treinar", house.lesson())
    practice = house.lesson()
    assert "-# Para treinar: não conta." in practice.text
    label = next(name for name in practice.labels if len(name) == 2)
    await house.press(house.ana, label, practice)
    await house.ana.slash(house.channel, "velha stats")
    assert "🔥 1 dia seguido, recorde de 1" in house.lesson().text


async def test_a_server_sees_who_solves_best_and_who_climbed_how_high(house: House) -> None:
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
    assert "Nobody here is on it yet: `/velha start`" in house.lesson().text
    await house.ana.slash(house.channel, "velha ranking")
    assert f"🥇 {house.ben.mention} · 3 pontos" in house.lesson().text


async def test_there_is_no_ranking_in_direct_messages(house: House) -> None:
    answer = await house.ben.user.slash("velha ranking")
    assert told(answer) == "Only servers have a ranking."

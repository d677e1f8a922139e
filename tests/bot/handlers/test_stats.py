"""Results and leaderboards, as people see them, and when matches are counted."""

from __future__ import annotations

import asyncio

import discord
from sqlalchemy import event

from bot.handlers.match_counter import MatchCounter
from bot.handlers.match_messages import MatchMessages
from bot.messaging.emojis import Emojis
from bot.messaging.late_results import LateResults
from bot.messaging.messages import Messages
from engine import (
    TIC_TAC_TOE,
    Board,
    best_moves,
)
from tests.bot.handlers.test_puzzles import solve
from tests.bot.house import SimulatedGuild, told
from tests.bot.store.test_stats import over


async def win(house: SimulatedGuild) -> None:
    """Ana, who reads Portuguese, beats Ben, who reads English; the server reads English."""
    await house.challenge()
    await house.play(
        *((house.ana, "A1"), (house.ben, "A2"), (house.ana, "B1"), (house.ben, "B2")),
        (house.ana, "C1"),
    )


async def play_perfectly(house: SimulatedGuild) -> None:
    """Ana plays to the end, and gives nothing away."""
    while not (board := Board.parse(house.board())).is_terminal:
        await house.press(house.ana, TIC_TAC_TOE.coordinate(best_moves(board)[0]))


async def test_a_new_player_is_told_how_to_begin(house: SimulatedGuild) -> None:
    await house.ben.slash(house.channel, "velha stats")
    assert house.lesson().text == (
        f"## {house.ben.mention}\nNothing to show yet. Start a match: `/velha start`"
    )
    assert house.lesson().labels == []


async def test_results_are_shown_in_the_reader_s_language_and_to_nobody_else(
    house: SimulatedGuild,
) -> None:
    await win(house)
    await house.ana.slash(house.channel, "velha stats")
    assert house.lesson().text.splitlines()[:3] == [
        f"## {house.ana.mention}",
        "### Contra pessoas",
        "**3x3**: 1 vitória",
    ]
    await house.ben.slash(house.channel, "velha stats")
    assert house.lesson().text.splitlines()[1:3] == ["### Against people", "**3x3**: 1 loss"]


async def test_results_of_another_player_show_the_head_to_head(house: SimulatedGuild) -> None:
    await win(house)
    head_to_head = f"{house.ben.mention} 0 × 1 {house.ana.mention}"
    await house.ben.slash(house.channel, "velha stats", member=house.ana)
    assert house.lesson().text.splitlines()[:2] == [f"## {house.ana.mention}", head_to_head]
    await house.ben.context_menu(house.channel, "Velha: results", house.ana)
    assert house.lesson().text.splitlines()[:2] == [f"## {house.ana.mention}", head_to_head]


async def test_a_button_shows_results_to_everybody_in_the_server_s_language(
    house: SimulatedGuild,
) -> None:
    await win(house)
    await house.ana.slash(house.channel, "velha stats")
    await house.press(house.ana, "Mostrar para todos", house.lesson())
    posted = house.everything_seen()[-1]
    assert "### Against people\n**3x3**: 1 win" in posted.text
    assert posted.labels == []


async def test_results_are_not_shown_to_everybody_without_permission(
    house: SimulatedGuild,
) -> None:
    await win(house)
    denied = discord.PermissionOverwrite(send_messages=False)
    quiet = house.guild.create_text_channel("calado", overwrites={house.bot_member(): denied})
    await house.ben.slash(quiet, "velha stats")
    refused = told(await house.press(house.ben, "Show everyone", house.lesson(quiet)))
    assert refused == "I need the Send Messages permission here."


async def test_hidden_results_are_not_shown_to_others(house: SimulatedGuild) -> None:
    await win(house)
    await house.ana.slash(house.channel, "velha stats")
    page = house.lesson()
    await house.ana.slash(house.channel, "velha privacy")
    await house.press(house.ana, "Me esconder", house.lesson())
    assert "Só você vê seus resultados." in house.lesson().text
    kept = f"{house.ana.mention} keeps that private."
    assert told(await house.ben.slash(house.channel, "velha stats", member=house.ana)) == kept
    assert told(await house.press(house.ben, "Mostrar para todos", page)) == kept
    await house.ana.slash(house.channel, "velha stats")
    assert "1 vitória" in house.lesson().text


async def test_bots_have_no_results(house: SimulatedGuild) -> None:
    answer = await house.ben.slash(house.channel, "velha stats", member=house.bot_member())
    assert told(answer) == "I only keep results for people, not for bots."


async def test_the_board_shows_the_head_to_head(house: SimulatedGuild) -> None:
    await win(house)
    assert "×" not in house.text()
    await house.press(house.ana, "Rematch")
    await house.press(house.ben, "Rematch")
    assert f"{house.ben.mention} 0 × 1 {house.ana.mention}" in house.text()
    await house.play((house.ben, "B2"), (house.ana, "A1"))
    await house.resign(house.ana)
    assert f"{house.ben.mention} 1 × 1 {house.ana.mention}" in house.text()
    await house.start(house.ana, opponent=house.ben)
    assert f"{house.ana.mention} 1 × 1 {house.ben.mention}" in house.text()


async def test_resigning_before_the_first_move_counts_for_nobody(house: SimulatedGuild) -> None:
    await win(house)
    await house.press(house.ana, "Rematch")
    await house.press(house.ben, "Rematch")
    await house.resign(house.ana)
    assert f"{house.ana.mention} resigned" in house.text()
    assert "wins" not in house.text()
    assert f"{house.ben.mention} 0 × 1 {house.ana.mention}" in house.text()


async def test_the_board_shows_no_head_to_head_if_a_player_hides(house: SimulatedGuild) -> None:
    await win(house)
    await house.ben.slash(house.channel, "velha privacy")
    await house.press(house.ben, "Hide me", house.lesson())
    await house.challenge()
    await house.press(house.ana, "A1")
    await house.resign(house.ana)
    await house.press(house.ana, "Rematch")
    await house.press(house.ben, "Rematch")
    assert "×" not in house.text()


async def test_a_first_is_announced_once_and_stays(house: SimulatedGuild) -> None:
    first = f"🎉 {house.ana.mention}'s first draw against *impossible*!"
    for number in range(2):
        await house.start(house.ana, level="IMPOSSIBLE")
        await play_perfectly(house)
        assert "It's a draw!" in house.text()
        assert (first in house.text()) is (number == 0)
    (_, seen) = [seen for seen in house.everything_seen() if "It's a draw!" in seen.text]
    assert first not in seen.text
    await house.ana.slash(house.channel, "velha stats")
    assert "🤝 empatou no nível *impossível* · 53 em 100\n" in house.lesson().text


# Leaderboards


async def test_a_server_sees_its_leaderboards(
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


# Counting


async def test_matches_that_end_at_once_are_counted_together(house: SimulatedGuild) -> None:
    """Each time costs more than all that is counted in it."""
    house.stop_sweeping()
    store, counts = house.bots[-1].store, 0
    services = house.bots[-1].services
    boards = MatchMessages(Messages(house.bots[-1], Emojis()), services.matches)
    counting = MatchCounter(services.stats, boards, LateResults(set()), 0.2)

    @event.listens_for(store.engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, sql: str, *_more: object) -> None:
        nonlocal counts
        counts += "SET is_first" in sql or "SET counted" in sql

    async def end(number: int) -> None:
        match = over(number)
        assert store.matches.add(match)
        counting.mark_due(match)
        await counting.count_if_due()

    await asyncio.gather(*map(end, range(1, 6)))
    assert store.stats.uncounted() == ([], [])
    assert counts == 1
    await end(6)
    assert store.stats.uncounted() == ([], []), "and so is what ends later"
    assert counts == 2

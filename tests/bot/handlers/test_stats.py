"""Results and leaderboards, as people see them, and when matches are counted."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest
from sqlalchemy import event

from bot.domain.pages import Shortcut, ShortcutPage, custom_id
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
from tests.bot.features.test_puzzles import solve
from tests.bot.simulated_guild import Fault, SimulatedGuild, private_text
from tests.bot.store.test_stats import over


async def win(guild: SimulatedGuild) -> None:
    """Ana, who reads Portuguese, beats Ben, who reads English; the server reads English."""
    await guild.challenge()
    await guild.play(
        *((guild.ana, "A1"), (guild.ben, "A2"), (guild.ana, "B1"), (guild.ben, "B2")),
        (guild.ana, "C1"),
    )


async def play_perfectly(guild: SimulatedGuild) -> None:
    """Ana plays to the end, and gives nothing away."""
    while not (board := Board.parse(guild.board())).is_terminal:
        await guild.press(guild.ana, TIC_TAC_TOE.coordinate(best_moves(board)[0]))


async def test_a_new_player_is_told_how_to_begin(guild: SimulatedGuild) -> None:
    await guild.ben.slash(guild.channel, "velha stats")
    assert guild.page().text == (
        f"## {guild.ben.mention}\nNothing to show yet. Start a match: `/velha start`"
    )
    assert guild.page().labels == []


async def test_results_are_shown_in_the_reader_s_language_and_to_nobody_else(
    guild: SimulatedGuild,
) -> None:
    await win(guild)
    await guild.ana.slash(guild.channel, "velha stats")
    assert guild.page().text.splitlines()[:3] == [
        f"## {guild.ana.mention}",
        "### Contra pessoas",
        "**3x3**: 1 vitória",
    ]
    await guild.ben.slash(guild.channel, "velha stats")
    assert guild.page().text.splitlines()[1:3] == ["### Against people", "**3x3**: 1 loss"]


async def test_results_of_another_player_show_the_head_to_head(guild: SimulatedGuild) -> None:
    await win(guild)
    head_to_head = f"{guild.ben.mention} 0–1 {guild.ana.mention}"
    await guild.ben.slash(guild.channel, "velha stats", member=guild.ana)
    assert guild.page().text.splitlines()[:2] == [f"## {guild.ana.mention}", head_to_head]
    await guild.ben.context_menu(guild.channel, "Velha: results", guild.ana)
    assert guild.page().text.splitlines()[:2] == [f"## {guild.ana.mention}", head_to_head]


async def test_a_button_shows_results_to_everybody_in_the_server_s_language(
    guild: SimulatedGuild,
) -> None:
    await win(guild)
    await guild.ana.slash(guild.channel, "velha stats")
    await guild.press(guild.ana, "Mostrar para todos", guild.page())
    posted = guild.messages()[-1]
    assert "### Against people\n**3x3**: 1 win" in posted.text
    assert posted.labels == []


async def test_results_are_not_shown_to_everybody_without_permission(
    guild: SimulatedGuild,
) -> None:
    await win(guild)
    denied = discord.PermissionOverwrite(send_messages=False)
    quiet = guild.handle.create_text_channel("calado", overwrites={guild.bot_member(): denied})
    await guild.ben.slash(quiet, "velha stats")
    refused = private_text(await guild.press(guild.ben, "Show everyone", guild.page(quiet)))
    assert refused == "I can't write here. Whoever runs this server can allow it: Send Messages."


async def test_hidden_results_are_not_shown_to_others(guild: SimulatedGuild) -> None:
    await win(guild)
    await guild.ana.slash(guild.channel, "velha stats")
    page = guild.page()
    await guild.ana.slash(guild.channel, "velha privacy")
    await guild.press(guild.ana, "Me esconder", guild.page())
    assert "Só você vê seus resultados." in guild.page().text
    kept = f"{guild.ana.mention} keeps their results private."
    assert (
        private_text(await guild.ben.slash(guild.channel, "velha stats", member=guild.ana)) == kept
    )
    assert private_text(await guild.press(guild.ben, "Mostrar para todos", page)) == kept
    await guild.ana.slash(guild.channel, "velha stats")
    assert "1 vitória" in guild.page().text


async def test_one_s_last_matches_can_be_reviewed(guild: SimulatedGuild) -> None:
    await win(guild)
    first_over_at = int(guild.env.now().timestamp())
    await guild.start(guild.ana, level="EASY")
    await guild.press(guild.ana, "B2")
    await guild.resign(guild.ana)
    await guild.ben.slash(guild.channel, "velha stats", member=guild.ana)
    assert guild.page().labels == ["Show everyone"], "nobody else's"
    await guild.ana.slash(guild.channel, "velha stats")
    await guild.press(guild.ana, "Minhas últimas partidas", guild.page())
    page = guild.page()
    heading, second, first, hint = page.text.splitlines()
    assert heading == "## Suas últimas partidas"
    assert second.startswith("**1** 3x3 · <@")
    assert "(fácil) · você perdeu · <t:" in second
    assert first == (f"**2** 3x3 · {guild.ben.mention} · você ganhou · <t:{first_over_at}:R>")
    assert hint == "-# Aperte um número para analisar a partida."
    assert page.labels == ["1", "2"]
    await guild.press(guild.ana, "2", page)
    assert guild.page().text.startswith(
        f"## Análise\n❌ {guild.ana.mention}  ×  ⭕ {guild.ben.mention}\n"
    )


async def test_a_match_of_another_server_does_not_say_against_whom(
    guild: SimulatedGuild,
) -> None:
    await win(guild)
    guild.world.locales[guild.ben.id] = "en-US"
    await guild.ben.user.slash("velha stats")
    channel = guild.ben.user.dm_channel
    await guild.press(guild.ben.user, "My last matches", guild.page(channel))
    assert "**1** 3x3 · somebody · you lost" in guild.page(channel).text
    await guild.press(guild.ben.user, "1", guild.page(channel))
    assert f"❌ somebody  vs  ⭕ {guild.ben.mention}" in guild.page(channel).text
    assert guild.ana.mention not in guild.page(channel).text


async def test_a_forged_press_shows_nobody_else_s_matches(guild: SimulatedGuild) -> None:
    await win(guild)
    forged = custom_id(ShortcutPage(Shortcut.LAST_MATCHES), 0)
    said = private_text(await guild.press_forged(guild.rui_in_english(), forged))
    assert said == "## Your last matches\nNothing to show yet. Start a match: `/velha start`"


async def test_bots_have_no_results(guild: SimulatedGuild) -> None:
    answer = await guild.ben.slash(guild.channel, "velha stats", member=guild.bot_member())
    assert private_text(answer) == "I only keep results for people, not for bots."


async def test_the_board_shows_the_head_to_head(guild: SimulatedGuild) -> None:
    await win(guild)
    assert "–" not in guild.text()
    await guild.press(guild.ana, "Rematch")
    await guild.press(guild.ben, "Rematch")
    assert f"{guild.ben.mention} 0–1 {guild.ana.mention}" in guild.text()
    await guild.play((guild.ben, "B2"), (guild.ana, "A1"))
    await guild.resign(guild.ana)
    assert f"{guild.ben.mention} 1–1 {guild.ana.mention}" in guild.text()
    await guild.start(guild.ana, opponent=guild.ben)
    assert f"{guild.ana.mention} 1–1 {guild.ben.mention}" in guild.text()


async def test_the_board_shows_no_head_to_head_if_a_player_hides(guild: SimulatedGuild) -> None:
    await win(guild)
    await guild.ben.slash(guild.channel, "velha privacy")
    await guild.press(guild.ben, "Hide me", guild.page())
    await guild.challenge()
    await guild.press(guild.ana, "A1")
    await guild.resign(guild.ana)
    await guild.press(guild.ana, "Rematch")
    await guild.press(guild.ben, "Rematch")
    assert "–" not in guild.text()


async def test_who_hides_during_a_match_takes_the_score_off_its_board_and_its_rematch(
    guild: SimulatedGuild,
) -> None:
    await win(guild)
    await guild.press(guild.ana, "Rematch")
    await guild.press(guild.ben, "Rematch")
    assert f"{guild.ben.mention} 0–1 {guild.ana.mention}" in guild.text()
    await guild.ana.slash(guild.channel, "velha privacy")
    await guild.press(guild.ana, "Me esconder", guild.page())
    await guild.press(guild.ben, "B2")
    assert "–" not in guild.text()
    await guild.resign(guild.ana)
    assert "–" not in guild.text()
    await guild.press(guild.ben, "Rematch")
    await guild.press(guild.ana, "Rematch")
    assert guild.board() == "... ... ..."
    assert "–" not in guild.text()


async def test_a_first_is_announced_once_and_stays(guild: SimulatedGuild) -> None:
    first = f"🎉 First draw on *impossible* for {guild.ana.mention}!"
    for number in range(2):
        await guild.start(guild.ana, level="IMPOSSIBLE")
        await play_perfectly(guild)
        assert ("It's a draw!" in guild.text()) is (number == 1)
        assert (first in guild.text()) is (number == 0)
    await guild.ana.slash(guild.channel, "velha stats")
    assert "🤝 empatou no nível *impossível* · 53 em 100\n" in guild.page().text


# Leaderboards


async def test_a_server_sees_its_leaderboards(
    guild: SimulatedGuild,
) -> None:
    await guild.ben.slash(guild.channel, "velha ranking")
    assert "Nobody here has solved one yet" in guild.page().text
    await solve(guild, guild.ben)
    await guild.ben.slash(guild.channel, "velha ranking")
    assert guild.page().text.splitlines()[:2] == [
        "## Daily puzzles this month",
        f"**🥇 {guild.ben.mention} · 3 points**",
    ]
    assert guild.page().labels == ["All time", "Ladder"]
    await guild.press(guild.ben, "Ladder", guild.page())
    assert "Nobody here is on the ladder yet: `/velha start`" in guild.page().text
    await guild.ana.slash(guild.channel, "velha ranking")
    assert f"🥇 {guild.ben.mention} · 3 pontos" in guild.page().text


def member_requests(guild: SimulatedGuild) -> list[str]:
    """The people about whom Discord was asked whether they are in the server."""
    members = f"/guilds/{guild.handle.id}/members/"
    return [path.removeprefix(members) for _, path in guild.requests() if members in path]


async def test_who_has_left_is_not_shown_by_a_number(guild: SimulatedGuild) -> None:
    await solve(guild, guild.ben)
    await solve(guild, guild.ana)
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
    await solve(guild, guild.ben)
    guild.make_user_install()
    await guild.ana.slash(guild.channel, "velha ranking")
    assert f"🥇 {guild.ben.mention} · 3 pontos" in guild.page().text
    assert member_requests(guild) == []


@pytest.mark.parametrize("fault", [(403, 50001), (404, 10004), (500, 0), aiohttp.ClientError])
async def test_only_discord_s_word_makes_somebody_gone(guild: SimulatedGuild, fault: Fault) -> None:
    await solve(guild, guild.ben)
    guild.env.backend.remove_member(guild.handle.id, guild.ben.id)
    guild.fail("*/members/*", fault)
    await guild.ana.slash(guild.channel, "velha ranking")
    assert f"🥇 {guild.ben.mention} · 3 pontos" in guild.page().text


async def test_there_is_no_ranking_in_direct_messages(guild: SimulatedGuild) -> None:
    answer = await guild.ben.user.slash("velha ranking")
    assert private_text(answer) == "Only servers have a ranking. Your own results: `/velha stats`"


# Counting


async def test_matches_that_end_at_once_are_counted_together(guild: SimulatedGuild) -> None:
    """Each time costs more than all that is counted in it."""
    guild.stop_background_tasks()
    store, counts = guild.bots[-1].store, 0
    services = guild.bots[-1].services
    boards = MatchMessages(Messages(guild.bots[-1], Emojis()), services.matches)
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

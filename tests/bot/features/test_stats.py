"""Results, as people see them, and their last matches."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord
import pytest
from sqlalchemy import insert

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import HeadToHead, Match, Place, Player
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.refusals import Refusal, RefusalReason, Refused
from bot.domain.stats import Stats, StatsPage, Tally, TallyKey
from bot.features import stats
from bot.store.matches import prune
from bot.store.schema import tallies
from engine import TIC_TAC_TOE, Board, Level, best_moves
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import both_databases, call, forget_person, save_choices
from tests.bot.example_matches import (
    ANA,
    BEN,
    CHANNEL,
    NOON,
    RUI,
    SERVER,
    VELHA,
    X_WON,
    over,
)
from tests.bot.simulated_guild import SimulatedGuild, private_text

PEOPLE = TallyKey(TIC_TAC_TOE)
LATER, TODAY = 10_000, NOON.date()
A_DAY = timedelta(days=1)


def alone(number: int, board: str = X_WON, level: Level = Level.EASY, **changes: Any) -> Match:
    return over(number, board, o=Player(VELHA, level), **changes)


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
    assert page.labels == ["1", "2", "Corrigir meus erros", "Voltar"]
    await guild.press(guild.ana, "2", page)
    await guild.press(guild.ana, "Mais", guild.page())
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
    await guild.press(guild.ben.user, "My latest matches", guild.page(channel))
    assert "**1** 3x3 · somebody · you lost" in guild.page(channel).text
    await guild.press(guild.ben.user, "1", guild.page(channel))
    await guild.press(guild.ben.user, "More", guild.page(channel))
    assert f"❌ somebody  vs  ⭕ {guild.ben.mention}" in guild.page(channel).text
    assert guild.ana.mention not in guild.page(channel).text


async def test_a_forged_press_shows_nobody_else_s_matches(guild: SimulatedGuild) -> None:
    await win(guild)
    forged = custom_id(ShortcutPage(Shortcut.LAST_MATCHES), 0)
    said = private_text(await guild.press_forged(guild.rui_in_english(), forged))
    assert said == "## Your latest matches\nNothing to show yet. Start a match: `/velha start`"


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
    passed = f"🎉 {guild.ana.mention} has passed *perfect*!"
    for level in ("EASY", "MEDIUM", "HARD", "EXPERT"):
        row = {"user_id": guild.ana.id, "rules": "3x3x3", "level": level, "hinted": False}
        counts = dict.fromkeys(("drawn", "lost", "unbeaten", "longest", "critical", "kept"), 0)
        with guild.bots[-1].store.database.write() as connection:
            connection.execute(insert(tallies), {**row, "won": 1, **counts})
    for number in range(3):
        await guild.start(guild.ana, level="PERFECT")
        await play_perfectly(guild)
        assert (passed in guild.text()) is (number == 1), "two draws pass it"
        assert ("▲ impossible" in guild.newest().labels) is (number == 1)
    await guild.ana.slash(guild.channel, "velha stats")
    assert guild.page().text.count("✅") == 5
    assert "▶️ **impossível**: passa com dois empates" in guild.page().text


# To whom


def results(app: App, of: int, asker_id: int = ANA) -> Stats:
    return call(app.store, stats.load, of, asker_id=asker_id, today=TODAY)


async def test_everybody_sees_their_own_results_and_those_of_others(app: App) -> None:
    app.add(over(1))
    await app.count_all()
    won, lost = {PEOPLE: Tally(won=1, unbeaten=1, longest=1)}, {PEOPLE: Tally(lost=1)}
    for of, found, score in ((ANA, won, HeadToHead()), (BEN, lost, HeadToHead(won=1))):
        told = results(app, of)
        counts = {key: replace(tally, kept=0, critical=0) for key, tally in told.tallies.items()}
        assert (counts, told.head_to_head) == (found, score)


@both_databases
async def test_hidden_results_are_shown_only_to_the_person_themselves(app: App) -> None:
    save_choices(app.store, BEN, is_hidden=True)
    assert results(app, BEN, asker_id=BEN).is_empty
    show_everybody = stats.post(context(app.backend.runtime), StatsPage(BEN))
    with pytest.raises(Refused) as refused:
        await show_everybody
    assert refused.value.refusal == Refusal(RefusalReason.STATS_HIDDEN, person_id=BEN)
    save_choices(app.store, BEN, is_hidden=False)
    assert results(app, BEN).is_empty


# Last matches

HERE = Place(CHANNEL, SERVER, "en")


def opponents(app: App, place: Place = HERE) -> list[int]:
    """Whom Ana is told that she played, the newest match first."""
    last = call(app.store, stats.load_last_matches, ANA, place)
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
    assert opponents(app) == [somebody, VELHA, somebody, BEN, BEN]
    direct = Place(CHANNEL + 4, None, "en")
    assert opponents(app, direct) == [BEN, VELHA, somebody, somebody, somebody]
    elsewhere = Place(CHANNEL + 5, None, "en")
    assert opponents(app, elsewhere) == [somebody, VELHA, somebody, somebody, somebody]


async def test_an_opponent_who_hides_is_not_named(app: App) -> None:
    app.add(over(1))
    app.add(over(2, o=Player(RUI)))
    save_choices(app.store, BEN, is_hidden=True)
    assert opponents(app) == [RUI, DELETED_USER_ID]


async def test_deleted_and_old_matches_are_gone_from_the_list(app: App) -> None:
    app.add(over(1))
    app.add(over(2, o=Player(RUI)))
    forget_person(app.store, BEN, LATER)
    assert opponents(app) == [RUI, DELETED_USER_ID]
    await app.count_all()
    call(app.store, prune, NOON + A_DAY, LATER)
    assert opponents(app) == []
    app.add(over(3))
    forget_person(app.store, ANA, LATER)
    assert opponents(app) == []

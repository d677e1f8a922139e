"""Background tasks: round after round, whatever goes wrong in one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.client.bot import VelhaBot
from bot.domain.matches import Place
from bot.store.matches import EXPIRE_BATCH_SIZE, count_live, load_match
from bot.store.store import Store
from tests.bot.backend import App
from tests.bot.databases import call, locked_by_another_program, stored_text
from tests.bot.example_matches import NOON, PLAYED, SERVER, UNPOSTED, make_match
from tests.bot.logged import errors
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild, private_text


@pytest.mark.logs_errors
async def test_an_error_in_a_sweep_is_logged_and_the_next_sweep_works(
    app: App, unconnected_bot: VelhaBot, caplog: pytest.LogCaptureFixture
) -> None:
    match = app.add(make_match(PLAYED, place=UNPOSTED))
    app.now = NOON
    app.break_clock(ZeroDivisionError("the host's clock is broken"))
    await unconnected_bot.background_tasks.sweep()
    assert errors(caplog) == ["A sweep failed."]
    with locked_by_another_program(app.store.engine.url):
        await unconnected_bot.background_tasks.sweep()
    assert errors(caplog)[1:] == ["The database takes no writes: database is locked"]
    assert app.load(match).is_live
    await unconnected_bot.background_tasks.sweep()
    assert not app.load(match).is_live
    assert len(errors(caplog)) == 2


async def test_a_sweep_ends_all_matches_whose_time_is_up(
    app: App, unconnected_bot: VelhaBot
) -> None:
    numbers = range(1, 2 * EXPIRE_BATCH_SIZE)
    places = {number: Place(number, SERVER, "pt-BR") for number in numbers}
    app.add_all(make_match(PLAYED, id=number, place=places[number]) for number in numbers)
    app.now = NOON
    await unconnected_bot.background_tasks.sweep()
    assert call(app.store, count_live) == 0


# Servers that the bot has left


async def test_memberships_are_recorded_once_a_day(guild: SimulatedGuild) -> None:
    asked = ("GET", "/users/@me/guilds")
    await guild.advance_time(minutes=12)
    assert guild.requests().count(asked) == 1
    await guild.advance_time(minutes=11)
    assert guild.requests().count(asked) == 1
    assert str(guild.handle.id) in stored_text(guild.settings.database_url)


async def test_a_failed_request_for_memberships_is_logged_and_harms_nothing(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    guild.fail("/users/@me/guilds", (403, 50001))
    await guild.advance_time(minutes=12)
    assert "The bot's servers could not be fetched" in caplog.text
    guild.recover()
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    assert guild.board().count("x") == 1


# Old matches


async def test_matches_are_pruned_after_the_configured_days(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    await guild.resign(guild.ana)
    guild.settings = replace(guild.settings, keep_days=1)
    for days, is_known in ((0, True), (2, False)):
        guild.env.backend.advance_clock(days * 24 * 60 * 60)
        await guild.restart()
        await guild.env.advance_time(20)
        store = Store.open(guild.settings.database_url)
        assert (call(store, load_match, match_id_of(guild.newest())) is not None) is is_known
        store.close()
    assert "Não achei esta partida" in private_text(await guild.press(guild.ana, "Rematch"))


def match_id_of(seen: SeenMessage) -> int:
    return int(seen.buttons["Rematch"]["custom_id"].split(":")[1])

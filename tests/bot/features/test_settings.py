"""The settings of a server: the form, and what follows from each choice."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import discord
import pytest
from sqlalchemy import insert

from bot.domain.matches import Place
from bot.domain.puzzles import MAX_FAILED_POSTS
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import GuildSettings, Setting, SettingsPage, Tab
from bot.features import posts, settings
from bot.store.schema import servers
from bot.views.settings import settings_on
from engine import MISERE, Level
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import (
    both_databases,
    call,
    choose_puzzle_channel,
    load_settings,
    save_settings,
)
from tests.bot.example_matches import CHANNEL, NOON, SERVER
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.simulated_guild import SimulatedGuild, private_text
from tests.bot.views.examples import text_of

ELSEWHERE_ID = SERVER + 1
"""Another server."""

OWNER = discord.Permissions(manage_guild=True)


def page_of(setting: Setting, chosen: str = "") -> SettingsPage:
    tab = next(tab for tab in Tab if setting in settings_on(tab))
    return SettingsPage(tab, setting, chosen)


async def press(app: App, setting: Setting, *values: str, chosen: str = "", **asked: Any) -> str:
    """Choose something in a select of the form, or by a button; the page that it leads to."""
    pressed = context(app.backend.runtime, values=values, **{"permissions": OWNER} | asked)
    return text_of(await settings.press(pressed, page_of(setting, chosen)))


async def test_the_form_s_selects_and_buttons_answer_after_it_was_redrawn(
    guild: SimulatedGuild,
) -> None:
    everyone = guild.env.backend.get_guild(guild.handle.id).everyone_role
    everyone.permissions |= OWNER.value
    form = (await guild.ben.slash(guild.channel, "velha settings")).response
    assert form is not None
    elsewhere = guild.handle.create_text_channel("outro")
    for setting, value in (
        (Setting.CHANNELS, elsewhere),
        (Setting.LEVEL, "EASY"),
        (Setting.TURN, "5"),
    ):
        await guild.ben.select(form, [value], custom_id=f"velha:{page_of(setting)}:0")
    await guild.ben.click(form, label="Puzzle and ranking")
    await guild.ben.click(form, label="Turn off")
    assert "**Ranking**: off" in guild.page().text
    assert load_settings(guild.bots[-1].store, guild.handle.id) == GuildSettings(
        level=Level.EASY, turn_minutes=5, channels=(elsewhere.id,), has_ranking=False
    )
    assert not guild.bots[-1]._connection._view_store._views, "nothing is kept"


async def test_a_thread_counts_as_its_channel(guild: SimulatedGuild) -> None:
    elsewhere = guild.handle.create_text_channel("outro")
    save_settings(guild.bots[-1].store, guild.handle.id, channels=(elsewhere.id,))
    inside, outside = guild.create_thread(elsewhere), guild.create_thread()
    await guild.start(guild.ana, channel=inside)
    assert guild.is_live(inside)
    assert f"<#{elsewhere.id}>" in private_text(await guild.start(guild.ana, channel=outside))


@both_databases
async def test_a_choice_holds_at_once_in_another_process_and_changes_no_other(app: App) -> None:
    await press(app, Setting.LEVEL, "EASY")
    save_settings(app.other_store, SERVER, channels=(5, 6), has_ranking=False)
    await press(app, Setting.BOARD, "misere")
    everything = GuildSettings(level=Level.EASY, rules=MISERE, channels=(5, 6), has_ranking=False)
    for store in (app.store, app.other_store):
        assert load_settings(store, SERVER) == everything
        assert load_settings(store, ELSEWHERE_ID) == GuildSettings()


@both_databases
async def test_every_setting_of_a_server_is_stored(app: App) -> None:
    everything = GuildSettings(
        language="pt_BR",
        rules=MISERE,
        level=Level.EASY,
        turn_minutes=1440,
        channels=(2**63 - 1, 5),
        has_ranking=False,
        puzzle_channel=2**63 - 1,
        puzzle_hour=23,
    )
    save_settings(app.store, SERVER, **{s.value: getattr(everything, s.value) for s in Setting})
    assert load_settings(app.store, SERVER) == everything


async def test_a_setting_can_be_reset_to_its_default(app: App) -> None:
    for setting, name in ((Setting.TURN, "5"), (Setting.LANGUAGE, "en")):
        await press(app, setting, name)
        await press(app, setting, "default")
    await press(app, Setting.CHANNELS, "5", resolved={"channels": {"5": {"type": 0}}})
    await press(app, Setting.CHANNELS)
    for is_on in (False, True):
        assert f"**Ranking**: {'on' if is_on else 'off'}" in await press(
            app, Setting.RANKING, chosen=str(is_on)
        )
    assert load_settings(app.store, SERVER) == GuildSettings()


async def test_the_command_s_old_option_sets_a_level_and_leads_to_the_form(app: App) -> None:
    asked = context(app.backend.runtime, permissions=OWNER)
    assert "## Server settings" in text_of(await settings.show(asked, "EASY"))
    assert load_settings(app.store, SERVER) == GuildSettings(level=Level.EASY)


A_CATEGORY = {"channels": {"77": {"type": 4}}}
A_FORUM = {"channels": {"77": {"type": 15}}}


async def test_what_is_refused_is_not_stored(app: App) -> None:
    unknown = RefusalReason.UNKNOWN_OPTION
    for asked, reason in (
        (press(app, Setting.TURN, "1"), unknown),
        (press(app, Setting.CHANNELS, "77"), unknown),
        (press(app, Setting.CHANNELS, "77", resolved=A_CATEGORY), unknown),
        (press(app, Setting.PUZZLE_CHANNEL, "77", resolved=A_FORUM), unknown),
        (press(app, Setting.TURN, "5", permissions=None), RefusalReason.NOT_YOURS_TO_SET),
        (press(app, Setting.TURN, "5", guild_id=None), RefusalReason.NO_SERVER_HERE),
        (settings.show(context(app.backend.runtime), "EASY"), RefusalReason.NOT_YOURS_TO_SET),
        (
            settings.show(context(app.backend.runtime, guild_id=None)),
            RefusalReason.NO_SERVER_HERE,
        ),
    ):
        with pytest.raises(Refused) as refused:
            await asked
        assert refusal_of(refused.value) == Refusal(reason)
    assert load_settings(app.store, SERVER) == GuildSettings()


async def test_values_that_this_release_does_not_know_read_as_none_chosen(app: App) -> None:
    unknown = {"language": "tlh", "level": "GODLIKE", "rules": "9x9x9"}
    with app.store.engine.connect() as connection:
        connection.execute(insert(servers).values(guild_id=SERVER, has_ranking=False, **unknown))
    assert load_settings(app.store, SERVER) == GuildSettings(has_ranking=False)


async def test_a_server_s_chosen_language_wins_over_discord_s(app: App) -> None:
    here, dm = Place(CHANNEL, SERVER, "pt-BR"), Place(CHANNEL, None, "pt-BR")
    assert call(app.store, settings.language_in, here) == "pt-BR"
    save_settings(app.store, SERVER, language="en")
    assert call(app.store, settings.language_in, here) == "en"
    assert call(app.store, settings.language_in, dm) == "pt-BR"


async def test_the_form_says_where_posting_was_given_up_until_a_channel_is_chosen(
    app: App,
) -> None:
    choose_puzzle_channel(app.store, SERVER, 77, "en")
    for failure in range(MAX_FAILED_POSTS):
        (post,) = call(app.store, posts.claim, NOON + timedelta(days=failure))
        call(app.store, posts.record, post, None)
    asked = partial(press, app, Setting.PUZZLE_HOUR, "12")
    assert "I stopped" in await asked()
    choose_puzzle_channel(app.store, SERVER, 78, "en")
    assert "I stopped" not in await asked()


def test_each_setting_is_on_one_tab() -> None:
    shown = [setting for tab in Tab for setting in settings_on(tab)]
    assert sorted(shown, key=list(Setting).index) == list(Setting)

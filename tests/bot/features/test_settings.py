"""The settings of a server: the form, and what follows from each choice."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, ResponseMessage

from bot.domain.matches import Place
from bot.domain.puzzles import MAX_FAILED_POSTS
from bot.domain.refusals import Refusal, RefusalReason, Refused
from bot.domain.settings import TABS, GuildSettings, Setting, SettingsPage, Tab
from bot.features import posts, settings
from engine import MISERE, Level
from tests.bot.backend import App
from tests.bot.contexts import context, shown
from tests.bot.databases import (
    both_databases,
    choose_puzzle_channel,
    load_settings,
    save_settings,
    transact,
)
from tests.bot.example_matches import CHANNEL, NOON, SERVER
from tests.bot.simulated_guild import TURN_MINUTES, SimulatedGuild, private_text

NOT_OFFERED = "I don't recognise one of those options: choose from the list."
NOT_YOURS = "Only someone with the Manage Server permission can change that."


@pytest.fixture
def owner(guild: SimulatedGuild) -> MemberActor:
    """Ben, who reads English, manages the server."""
    permissions = discord.Permissions(manage_guild=True)
    role = guild.handle.create_role("Owners", permissions=permissions)
    guild.env.backend.get_guild(guild.handle.id).members[guild.ben.id].role_ids.append(role.id)
    return guild.ben


@pytest.fixture
def elsewhere(guild: SimulatedGuild) -> ChannelHandle:
    return guild.handle.create_text_channel("outro")


def address(setting: Setting, chosen: str = "") -> str:
    tab = next(tab for tab in Tab if setting in TABS[tab])
    return f"velha:{SettingsPage(tab, setting, chosen)}:0"


async def ask(guild: SimulatedGuild, who: MemberActor, **options: str) -> ResponseMessage:
    form = (await who.slash(guild.channel, "velha settings", **options)).response
    assert form is not None
    return form


async def choose(
    guild: SimulatedGuild, who: MemberActor, setting: Setting, *values: str | ChannelHandle
) -> InteractionResult:
    """Open the form, and choose something in a select of it."""
    form = await ask(guild, who)
    if setting not in TABS[Tab.BOARDS]:
        await who.click(form, label="Puzzle and ranking")
    return await who.select(form, list(values), custom_id=address(setting))


def chosen(guild: SimulatedGuild) -> dict[str, list[str]]:
    """What the selects of the newest form show as chosen, each by its setting."""
    menus = [menu for row in guild.page().rows for menu in row if menu["type"] != 2]
    return {menu["custom_id"].split(":")[3]: _chosen_in(menu) for menu in menus}


def _chosen_in(menu: dict[str, Any]) -> list[str]:
    defaults = menu.get("default_values")
    if defaults is not None:
        return [str(default["id"]) for default in defaults]
    return [option["value"] for option in menu.get("options", ()) if option.get("default")]


async def test_boards_follow_the_server_s_settings(
    guild: SimulatedGuild, owner: MemberActor
) -> None:
    await choose(guild, owner, Setting.LANGUAGE, "pt_BR")
    await choose(guild, owner, Setting.BOARD, "4x4x3")
    await choose(guild, owner, Setting.LEVEL, "EASY")
    await choose(guild, owner, Setting.TURN, "5")
    assert chosen(guild) == {
        "language": ["pt_BR"],
        "rules": ["4x4x3"],
        "level": ["EASY"],
        "turn_minutes": ["5"],
        "channels": [],
    }
    await guild.restart()
    await guild.start(owner)
    assert "(fácil)" in guild.text()
    assert "vence quem fizer 3 em linha" in guild.text()
    await guild.advance_time(minutes=TURN_MINUTES + 2)
    assert guild.is_live()
    await guild.advance_time(minutes=1)
    assert not guild.is_live()
    await guild.start(owner, board="3x3x3", level="HARD")
    assert "(difícil)" in guild.text()
    assert guild.board() == "... ... ..."


async def test_public_messages_are_in_the_server_s_language(
    guild: SimulatedGuild, owner: MemberActor
) -> None:
    await choose(guild, owner, Setting.LANGUAGE, "pt_BR")
    await guild.start(owner, opponent=guild.ana)
    await guild.press(guild.ana, "Aceitar")
    await guild.play((owner, "A1"), (guild.ana, "A2"), (owner, "B1"), (guild.ana, "B2"))
    await guild.press(owner, "C1")
    await guild.advance_time(minutes=1)
    await owner.slash(guild.channel, "velha stats")
    await guild.press(owner, "Show everyone", guild.page())
    assert "### Contra pessoas" in guild.messages()[-1].text


@pytest.mark.parametrize(
    ("locale", "heading", "other_tab"),
    [
        ("en-US", "## Server settings", "Puzzle and ranking"),
        ("pt-BR", "## Configurações deste servidor", "Quebra-cabeça e ranking"),
    ],
)
async def test_the_form_is_in_the_reader_s_language(
    guild: SimulatedGuild, owner: MemberActor, locale: str, heading: str, other_tab: str
) -> None:
    guild.world.locales[owner.id] = locale
    await owner.click(await ask(guild, owner), label=other_tab)
    assert guild.page().text.startswith(heading)
    assert chosen(guild) == {"puzzle_channel": [], "puzzle_hour": ["12"]}


async def test_puzzle_and_ranking_have_a_tab_of_their_own(
    guild: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(guild, owner, Setting.PUZZLE_CHANNEL, elsewhere)
    await choose(guild, owner, Setting.PUZZLE_HOUR, "0")
    assert chosen(guild) == {"puzzle_channel": [str(elsewhere.id)], "puzzle_hour": ["0"]}
    today = guild.env.now().replace(hour=0, minute=0, second=0, microsecond=0)
    assert f"On your clock: <t:{int(today.timestamp())}:t>." in guild.page().text
    for label, says in (("Turn off", "**Ranking**: off"), ("Turn on", "**Ranking**: on")):
        await guild.press(owner, label, guild.page())
        assert says in guild.page().text
    await choose(guild, owner, Setting.PUZZLE_CHANNEL)
    assert chosen(guild)["puzzle_channel"] == []


async def test_the_old_option_sets_a_level_and_shows_it(
    guild: SimulatedGuild, owner: MemberActor
) -> None:
    await ask(guild, owner, level="EASY")
    assert chosen(guild)["level"] == ["EASY"]


async def test_others_see_the_settings_but_cannot_change_them(
    guild: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(guild, owner, Setting.CHANNELS, elsewhere)
    await choose(guild, owner, Setting.PUZZLE_CHANNEL, elsewhere)
    await ask(guild, guild.ana)
    seen = guild.page()
    assert seen.rows == []
    assert f"**Canais para tabuleiros**: <#{elsewhere.id}>" in seen.text
    assert "**Nível padrão**: o de cada pessoa" in seen.text
    assert "**Tempo por jogada**: padrão (2 minutos)" in seen.text
    assert "Gerenciar servidor" in seen.text


async def test_a_forged_change_without_permission_is_refused(guild: SimulatedGuild) -> None:
    assert (
        private_text(await guild.ben.slash(guild.channel, "velha settings", level="EASY"))
        == NOT_YOURS
    )
    forged = address(Setting.RANKING, "False")
    await guild.start(guild.ana)
    assert private_text(await guild.press_forged(guild.ben, forged)) == NOT_YOURS
    assert "(easy)" in guild.text()


async def test_direct_messages_have_no_settings(guild: SimulatedGuild) -> None:
    assert "Only servers" in private_text(await guild.ben.user.slash("velha settings"))


async def test_values_that_this_release_does_not_know_are_ignored(
    guild: SimulatedGuild,
) -> None:
    guild.sql(
        "INSERT INTO servers (guild_id, level, rules, has_ranking)"
        " VALUES (:id, 'GODLIKE', '9x9x9', FALSE)",
        id=str(guild.handle.id),
    )
    await guild.start(guild.ana)
    assert "(easy)" in guild.text()
    assert guild.board() == "... ... ..."
    await ask(guild, guild.ana)
    assert "**Ranking**: desligado" in guild.page().text


# What a modified client sends


async def send(
    guild: SimulatedGuild, who: MemberActor, setting: Setting, **data: Any
) -> InteractionResult:
    """Press a select of the form, and have it say anything at all."""
    await ask(guild, who)
    if setting not in TABS[Tab.BOARDS]:
        await guild.press(who, "Puzzle and ranking", guild.page())
    kind = 8 if "channel" in setting.value else 3
    given = {"custom_id": address(setting), "component_type": kind, **data}
    return await guild.send_component(who, given, guild.page())


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        (Setting.LEVEL, ["GODLIKE"]),
        (Setting.LEVEL, []),
        (Setting.PUZZLE_HOUR, ["24"]),
        (Setting.CHANNELS, ["77"]),
        (Setting.PUZZLE_CHANNEL, ["77", "78"]),
    ],
)
async def test_a_value_that_is_not_offered_is_refused(
    guild: SimulatedGuild, owner: MemberActor, setting: Setting, values: list[str]
) -> None:
    assert private_text(await send(guild, owner, setting, values=values)) == NOT_OFFERED
    await ask(guild, owner)
    assert chosen(guild)["level"] == ["default"]
    assert chosen(guild)["channels"] == []


@pytest.mark.parametrize(
    ("setting", "kind"),
    [(Setting.CHANNELS, 4), (Setting.PUZZLE_CHANNEL, 15)],
)
async def test_a_channel_of_a_kind_that_is_not_offered_is_refused(
    guild: SimulatedGuild, owner: MemberActor, setting: Setting, kind: int
) -> None:
    channel = {"id": "77", "type": kind, "name": "x", "permissions": "0"}
    resolved = {"channels": {"77": channel | {"thread_metadata": {}, "parent_id": "7"}}}
    assert (
        private_text(await send(guild, owner, setting, values=["77"], resolved=resolved))
        == NOT_OFFERED
    )


async def test_a_forged_custom_id_is_refused(guild: SimulatedGuild, owner: MemberActor) -> None:
    await guild.start(guild.ana)
    for custom_id in (
        "velha:settings:boards:has_ranking:False:0",
        "velha:settings:boards:level:EASY:0",
        "velha:settings:cellar:::0",
        "velha:settings:boards:0",
    ):
        assert "no longer works" in private_text(await guild.press_forged(owner, custom_id))


# Where boards may be opened


async def test_a_start_elsewhere_is_refused_and_names_the_chosen_channels(
    guild: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(guild, owner, Setting.CHANNELS, elsewhere)
    for who, said in (
        (guild.ben, "In this server, boards go in"),
        (guild.ana, "Neste servidor, só dá para abrir tabuleiro em"),
    ):
        assert private_text(await guild.start(who)) == f"{said} <#{elsewhere.id}>."
    assert not guild.is_live()
    await guild.start(guild.ana, channel=elsewhere)
    assert guild.is_live(elsewhere)


async def test_a_thread_counts_as_its_channel(
    guild: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(guild, owner, Setting.CHANNELS, elsewhere)
    inside, outside = guild.create_thread(elsewhere), guild.create_thread()
    await guild.start(guild.ana, channel=inside)
    assert guild.is_live(inside)
    assert f"<#{elsewhere.id}>" in private_text(await guild.start(guild.ana, channel=outside))


async def test_a_live_match_goes_on_elsewhere_but_has_no_rematch(
    guild: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await guild.start(guild.ana)
    await choose(guild, owner, Setting.CHANNELS, elsewhere)
    await guild.press(guild.ana, "B2")
    await guild.resign(guild.ana)
    for label in ("Rematch", "▼ child's play"):
        assert f"<#{elsewhere.id}>" in private_text(await guild.press(guild.ana, label))
    await choose(guild, owner, Setting.CHANNELS)
    await guild.press(guild.ana, "Rematch")
    assert guild.is_live()


# What is stored


ELSEWHERE_ID = SERVER + 1
"""Another server."""

OWNER = discord.Permissions(manage_guild=True)


async def press(app: App, setting: Setting, *values: str, **who: Any) -> str:
    """Choose something in a select of the form; the page that it leads to."""
    tab = next(tab for tab in Tab if setting in TABS[tab])
    asked = context(app.backend.runtime, values=values, **{"permissions": OWNER} | who)
    return shown(await settings.press(asked, SettingsPage(tab, setting)))


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
    assert load_settings(app.store, SERVER) == GuildSettings()


async def test_what_is_refused_is_not_stored(app: App) -> None:
    for reason, asked in {
        RefusalReason.UNKNOWN_OPTION: press(app, Setting.TURN, "1"),
        RefusalReason.NOT_YOURS_TO_SET: press(app, Setting.TURN, "5", permissions=None),
        RefusalReason.NO_SERVER_HERE: press(app, Setting.TURN, "5", guild_id=None),
    }.items():
        with pytest.raises(Refused) as refused:
            await asked
        assert refused.value.refusal == Refusal(reason)
    assert load_settings(app.store, SERVER) == GuildSettings()


async def test_a_language_that_this_release_lacks_reads_as_none_chosen(app: App) -> None:
    save_settings(app.store, SERVER, language="tlh", level=Level.EASY)
    assert load_settings(app.store, SERVER) == GuildSettings(level=Level.EASY)


async def test_a_server_s_chosen_language_wins_over_discord_s(app: App) -> None:
    here, dm = Place(CHANNEL, SERVER, "pt-BR"), Place(CHANNEL, None, "pt-BR")
    assert await app.backend.runtime.database.read(settings.language_in, here) == "pt-BR"
    save_settings(app.store, SERVER, language="en")
    assert await app.backend.runtime.database.read(settings.language_in, here) == "en"
    assert await app.backend.runtime.database.read(settings.language_in, dm) == "pt-BR"


async def test_the_form_says_where_posting_was_given_up_until_a_channel_is_chosen(
    app: App,
) -> None:
    choose_puzzle_channel(app.store, SERVER, 77, "en")
    for failure in range(MAX_FAILED_POSTS):
        (post,) = transact(app.store, posts.claim, NOON + timedelta(days=failure))
        transact(app.store, posts.record, post, None)
    asked = partial(press, app, Setting.PUZZLE_HOUR, "12")
    assert "I stopped" in await asked()
    choose_puzzle_channel(app.store, SERVER, 78, "en")
    assert "I stopped" not in await asked()


# What the form shows


async def test_a_channel_that_is_gone_stays_chosen_and_discord_is_not_asked(
    guild: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(guild, owner, Setting.CHANNELS, elsewhere)
    guild.env.backend.delete_channel(elsewhere.id)
    await ask(guild, owner)
    assert elsewhere.mention in guild.page().text
    assert chosen(guild)["channels"] == [str(elsewhere.id)]
    assert not [path for _, path in guild.requests() if path.startswith("/channels/")]
    await choose(guild, owner, Setting.CHANNELS)
    await guild.start(guild.ana)
    assert guild.is_live()


async def test_buttons_and_selects_answer_after_the_form_was_sent_and_redrawn(
    guild: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await guild.start(guild.ana)
    form = await ask(guild, owner)
    await owner.select(form, [elsewhere], custom_id=address(Setting.CHANNELS))
    await owner.select(form, ["EASY"], custom_id=address(Setting.LEVEL))
    await owner.click(form, label="Puzzle and ranking")
    await owner.click(form, label="Turn off")
    await guild.press(guild.ana, "B2")
    assert guild.board().count("o") == 1
    assert not guild.bots[-1]._connection._view_store._views, "nothing is kept"

"""The settings of a server: the form, and what follows from each choice."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, ResponseMessage

from bot.domain.settings import TABS, Setting, SettingsPage, Tab
from tests.bot.house import Fault, SimulatedGuild, told

NOT_OFFERED = "I don't know one of those options: choose from the list."
NOT_YOURS = "Only someone with the Manage Server permission can change that."
ALL_GONE = "Those channels are all gone"
NO_ACCESS = "I have no access to"


@pytest.fixture
def owner(house: SimulatedGuild) -> MemberActor:
    """Ben, who reads English, manages the server."""
    permissions = discord.Permissions(manage_guild=True)
    role = house.guild.create_role("Owners", permissions=permissions)
    house.env.backend.get_guild(house.guild.id).members[house.ben.id].role_ids.append(role.id)
    return house.ben


@pytest.fixture
def elsewhere(house: SimulatedGuild) -> ChannelHandle:
    return house.guild.create_text_channel("outro")


def address(setting: Setting, chosen: str = "") -> str:
    tab = next(tab for tab, settings in TABS.items() if setting in settings)
    return f"velha:{SettingsPage(tab, setting, chosen)}:0"


async def ask(house: SimulatedGuild, who: MemberActor, **options: str) -> ResponseMessage:
    form = (await who.slash(house.channel, "velha settings", **options)).response
    assert form is not None
    return form


async def choose(
    house: SimulatedGuild, who: MemberActor, setting: Setting, *values: str | ChannelHandle
) -> InteractionResult:
    """Open the form, and choose something in a select of it."""
    form = await ask(house, who)
    if setting not in TABS[Tab.BOARDS]:
        await who.click(form, label="Puzzle and ranking")
    return await who.select(form, list(values), custom_id=address(setting))


def chosen(house: SimulatedGuild) -> dict[str, list[str]]:
    """What the selects of the newest form show as chosen, each by its setting."""
    menus = [menu for row in house.lesson().rows for menu in row if menu["type"] != 2]
    return {menu["custom_id"].split(":")[3]: _chosen_in(menu) for menu in menus}


def _chosen_in(menu: dict[str, Any]) -> list[str]:
    defaults = menu.get("default_values")
    if defaults is not None:
        return [str(default["id"]) for default in defaults]
    return [option["value"] for option in menu.get("options", ()) if option.get("default")]


async def test_boards_follow_the_server_s_settings(
    house: SimulatedGuild, owner: MemberActor
) -> None:
    await choose(house, owner, Setting.LANGUAGE, "pt_BR")
    await choose(house, owner, Setting.BOARD, "4x4x3")
    await choose(house, owner, Setting.LEVEL, "EASY")
    await choose(house, owner, Setting.TURN, "180")
    assert chosen(house) == {
        "language": ["pt_BR"],
        "rules": ["4x4x3"],
        "level": ["EASY"],
        "turn_minutes": ["180"],
        "channels": [],
    }
    await house.restart()
    await house.start(owner)
    assert "(fácil)" in house.text()
    assert "vence quem fizer 3 em linha" in house.text()
    await house.let_pass(minutes=170)
    assert house.is_live()
    await house.let_pass(minutes=10)
    assert not house.is_live()
    await house.start(owner, board="3x3x3", level="HARD")
    assert "(difícil)" in house.text()
    assert house.board() == "... ... ..."


async def test_public_messages_are_in_the_server_s_language(
    house: SimulatedGuild, owner: MemberActor
) -> None:
    await choose(house, owner, Setting.LANGUAGE, "pt_BR")
    await house.start(owner, opponent=house.ana)
    await house.press(house.ana, "Aceitar")
    await house.play((owner, "A1"), (house.ana, "A2"), (owner, "B1"), (house.ana, "B2"))
    await house.press(owner, "C1")
    await house.let_pass(minutes=1)
    await owner.slash(house.channel, "velha stats")
    await house.press(owner, "Show everyone", house.lesson())
    assert "### Contra pessoas" in house.everything_seen()[-1].text


@pytest.mark.parametrize(
    ("locale", "heading", "other_tab"),
    [
        ("en-US", "## Server settings", "Puzzle and ranking"),
        ("pt-BR", "## Configurações deste servidor", "Quebra-cabeça e ranking"),
    ],
)
async def test_the_form_is_in_the_reader_s_language(
    house: SimulatedGuild, owner: MemberActor, locale: str, heading: str, other_tab: str
) -> None:
    house.world.locales[owner.id] = locale
    await owner.click(await ask(house, owner), label=other_tab)
    assert house.lesson().text.startswith(heading)
    assert chosen(house) == {"puzzle_channel": [], "puzzle_hour": ["12"]}


async def test_puzzle_and_ranking_have_a_tab_of_their_own(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(house, owner, Setting.PUZZLE_CHANNEL, elsewhere)
    await choose(house, owner, Setting.PUZZLE_HOUR, "0")
    assert chosen(house) == {"puzzle_channel": [str(elsewhere.id)], "puzzle_hour": ["0"]}
    today = house.env.now().replace(hour=0, minute=0, second=0, microsecond=0)
    assert f"On your clock: <t:{int(today.timestamp())}:t>." in house.lesson().text
    for label, says in (("Turn off", "**Ranking**: off"), ("Turn on", "**Ranking**: on")):
        await house.press(owner, label, house.lesson())
        assert says in house.lesson().text
    await choose(house, owner, Setting.PUZZLE_CHANNEL)
    assert chosen(house)["puzzle_channel"] == []


async def test_the_old_option_sets_a_level_and_shows_it(
    house: SimulatedGuild, owner: MemberActor
) -> None:
    await ask(house, owner, level="EASY")
    assert chosen(house)["level"] == ["EASY"]


async def test_others_see_the_settings_but_cannot_change_them(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(house, owner, Setting.CHANNELS, elsewhere)
    await choose(house, owner, Setting.PUZZLE_CHANNEL, elsewhere)
    await ask(house, house.ana)
    seen = house.lesson()
    assert seen.rows == []
    assert f"**Canais para tabuleiros**: <#{elsewhere.id}>" in seen.text
    assert "**Nível padrão**: impossível" in seen.text
    assert "**Tempo por jogada**: padrão (2 minutos)" in seen.text
    assert "Gerenciar servidor" in seen.text


async def test_a_forged_change_without_permission_is_refused(house: SimulatedGuild) -> None:
    assert told(await house.ben.slash(house.channel, "velha settings", level="EASY")) == NOT_YOURS
    forged = address(Setting.RANKING, "False")
    await house.start(house.ana)
    assert told(await house.press_forged(house.ben, forged)) == NOT_YOURS
    assert "(impossible)" in house.text()


async def test_direct_messages_have_no_settings(house: SimulatedGuild) -> None:
    assert "Only servers" in told(await house.ben.user.slash("velha settings"))


async def test_values_that_this_release_does_not_know_are_ignored(
    house: SimulatedGuild,
) -> None:
    house.sql(
        "INSERT INTO servers (guild_id, level, rules, has_ranking)"
        " VALUES (:id, 'GODLIKE', '9x9x9', FALSE)",
        id=str(house.guild.id),
    )
    await house.start(house.ana)
    assert "(impossible)" in house.text()
    assert house.board() == "... ... ..."
    await ask(house, house.ana)
    assert "**Ranking**: desligado" in house.lesson().text


# What a modified client sends


async def send(
    house: SimulatedGuild, who: MemberActor, setting: Setting, **data: Any
) -> InteractionResult:
    """Press a select of the form, and have it say anything at all."""
    await ask(house, who)
    if setting not in TABS[Tab.BOARDS]:
        await house.press(who, "Puzzle and ranking", house.lesson())
    kind = 8 if "channel" in setting.value else 3
    given = {"custom_id": address(setting), "component_type": kind, **data}
    return await house.send_component(who, given, house.lesson())


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        (Setting.LEVEL, ["GODLIKE"]),
        (Setting.LEVEL, []),
        (Setting.LEVEL, ["EASY", "HARD"]),
        (Setting.LANGUAGE, ["xx"]),
        (Setting.BOARD, ["9x9x9"]),
        (Setting.TURN, ["1"]),
        (Setting.TURN, ["-30"]),
        (Setting.PUZZLE_HOUR, ["24"]),
        (Setting.CHANNELS, ["77"]),
        (Setting.PUZZLE_CHANNEL, ["77", "78"]),
    ],
)
async def test_a_value_that_is_not_offered_is_refused(
    house: SimulatedGuild, owner: MemberActor, setting: Setting, values: list[str]
) -> None:
    assert told(await send(house, owner, setting, values=values)) == NOT_OFFERED
    await ask(house, owner)
    assert chosen(house)["level"] == ["IMPOSSIBLE"]
    assert chosen(house)["channels"] == []


@pytest.mark.parametrize(
    ("setting", "kind"),
    [(Setting.CHANNELS, 4), (Setting.CHANNELS, 11), (Setting.PUZZLE_CHANNEL, 15)],
)
async def test_a_channel_of_a_kind_that_is_not_offered_is_refused(
    house: SimulatedGuild, owner: MemberActor, setting: Setting, kind: int
) -> None:
    channel = {"id": "77", "type": kind, "name": "x", "permissions": "0"}
    resolved = {"channels": {"77": channel | {"thread_metadata": {}, "parent_id": "7"}}}
    assert told(await send(house, owner, setting, values=["77"], resolved=resolved)) == NOT_OFFERED


@pytest.mark.parametrize(
    "custom_id",
    [
        "velha:settings:boards:has_ranking:False:0",
        "velha:settings:boards:level:EASY:0",
        "velha:settings:cellar:::0",
        "velha:settings:boards:0",
    ],
)
async def test_a_forged_custom_id_is_refused(
    house: SimulatedGuild, owner: MemberActor, custom_id: str
) -> None:
    await house.start(house.ana)
    assert "no longer works" in told(await house.press_forged(owner, custom_id))


# Where boards may be opened


async def test_a_start_elsewhere_is_refused_and_names_the_chosen_channels(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(house, owner, Setting.CHANNELS, elsewhere)
    for who, said in (
        (house.ben, "In this server, boards go in"),
        (house.ana, "Neste servidor, só dá para abrir tabuleiro em"),
    ):
        assert told(await house.start(who)) == f"{said} <#{elsewhere.id}>."
    assert not house.is_live()
    await house.start(house.ana, channel=elsewhere)
    assert house.is_live(elsewhere)


async def test_a_thread_counts_as_its_channel(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(house, owner, Setting.CHANNELS, elsewhere)
    inside, outside = house.create_thread(elsewhere), house.create_thread()
    await house.start(house.ana, channel=inside)
    assert house.is_live(inside)
    assert f"<#{elsewhere.id}>" in told(await house.start(house.ana, channel=outside))


async def test_a_live_match_goes_on_elsewhere_but_has_no_rematch(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await house.start(house.ana)
    await choose(house, owner, Setting.CHANNELS, elsewhere)
    await house.press(house.ana, "B2")
    await house.resign(house.ana)
    for label in ("Rematch", "Down to hard"):
        assert f"<#{elsewhere.id}>" in told(await house.press(house.ana, label))
    await choose(house, owner, Setting.CHANNELS)
    await house.press(house.ana, "Rematch")
    assert house.is_live()


# Channels that are gone, and those that are hidden from the bot


async def test_deleted_channels_are_marked_and_do_not_lock_anybody_out(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    other = house.guild.create_text_channel("mais um")
    await choose(house, owner, Setting.CHANNELS, elsewhere, other)
    for channel, all_are_gone in ((elsewhere, False), (other, True)):
        house.env.backend.delete_channel(channel.id)
        await ask(house, owner)
        assert (ALL_GONE in house.lesson().text) is all_are_gone
    assert chosen(house)["channels"] == []
    await choose(house, owner, Setting.CHANNELS)
    assert ALL_GONE not in house.lesson().text
    await house.start(house.ana)
    assert house.is_live()


async def test_hidden_channels_stay_chosen_and_are_named(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    other = house.guild.create_text_channel("mais um")
    await choose(house, owner, Setting.CHANNELS, elsewhere, other)
    for channel in (elsewhere, other):
        house.take_from_bot("view_channel", channel)
    await ask(house, owner)
    assert f"{NO_ACCESS} {elsewhere.mention} and {other.mention}," in house.lesson().text
    assert ALL_GONE not in house.lesson().text
    assert chosen(house)["channels"] == [str(elsewhere.id), str(other.id)]
    house.world.locales[owner.id] = "pt-BR"
    house.give_back_to_bot(other)
    await ask(house, owner)
    assert f"Não tenho acesso a {elsewhere.mention}, então" in house.lesson().text
    house.give_back_to_bot(elsewhere)
    await ask(house, owner)
    assert "Não tenho acesso" not in house.lesson().text


async def test_each_channel_is_shown_as_deleted_hidden_or_fine(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    gone, hidden = (house.guild.create_text_channel(name) for name in ("some", "secreto"))
    await choose(house, owner, Setting.CHANNELS, gone, hidden, elsewhere)
    house.env.backend.delete_channel(gone.id)
    house.take_from_bot("view_channel", hidden)
    await ask(house, owner)
    assert f"{NO_ACCESS} {hidden.mention}," in house.lesson().text
    assert ALL_GONE not in house.lesson().text
    assert chosen(house)["channels"] == [str(hidden.id), str(elsewhere.id)]


async def test_a_puzzle_channel_that_is_hidden_or_deleted_is_marked(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await choose(house, owner, Setting.PUZZLE_CHANNEL, elsewhere)
    assert "⚠️" not in house.lesson().text
    house.take_from_bot("view_channel", elsewhere)
    await owner.click(await ask(house, owner), label="Puzzle and ranking")
    assert f"{NO_ACCESS} that channel" in house.lesson().text
    assert chosen(house)["puzzle_channel"] == [str(elsewhere.id)]
    house.env.backend.delete_channel(elsewhere.id)
    await owner.click(await ask(house, owner), label="Puzzle and ranking")
    assert "That channel is gone" in house.lesson().text
    assert chosen(house)["puzzle_channel"] == []


@pytest.mark.parametrize(
    "fault",
    [(404, 0), (403, 50013), (401, 0), (500, 0), (503, 0), TimeoutError, ConnectionResetError],
)
async def test_channels_that_discord_does_not_tell_of_are_assumed_to_exist(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle, fault: Fault
) -> None:
    hidden = house.guild.create_text_channel("secreto")
    await choose(house, owner, Setting.CHANNELS, elsewhere, hidden)
    house.env.backend.delete_channel(elsewhere.id)
    house.take_from_bot("view_channel", hidden)
    house.fail("/channels/*", fault)
    await ask(house, owner)
    assert "⚠️" not in house.lesson().text
    assert chosen(house)["channels"] == [str(elsewhere.id), str(hidden.id)]


async def test_a_user_install_says_nothing_about_channels(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    house.visit_as_a_strange_bot()
    house.take_from_bot("view_channel", elsewhere)
    await choose(house, owner, Setting.CHANNELS, elsewhere)
    assert "⚠️" not in house.lesson().text
    assert chosen(house)["channels"] == [str(elsewhere.id)]


async def test_requests_for_channels_are_limited_per_minute(
    house: SimulatedGuild, owner: MemberActor
) -> None:
    channels = [house.guild.create_text_channel(f"canal-{n}") for n in range(25)]
    await choose(house, owner, Setting.CHANNELS, *channels)
    house.take_from_bot("view_channel", channels[0])
    await ask(house, owner)
    assert house.requests().count(("GET", f"/channels/{channels[-1].id}")) == 2
    for _ in range(10):
        await ask(house, owner)
    assert "⚠️" not in house.lesson().text
    assert house.requests().count(("GET", f"/channels/{channels[-1].id}")) == 10
    await house.env.advance_time(61)
    await ask(house, owner)
    assert NO_ACCESS in house.lesson().text


async def test_buttons_and_selects_answer_after_the_form_was_sent_and_redrawn(
    house: SimulatedGuild, owner: MemberActor, elsewhere: ChannelHandle
) -> None:
    await house.start(house.ana)
    form = await ask(house, owner)
    await owner.select(form, [elsewhere], custom_id=address(Setting.CHANNELS))
    await owner.select(form, ["EASY"], custom_id=address(Setting.LEVEL))
    await owner.click(form, label="Puzzle and ranking")
    await owner.click(form, label="Turn off")
    await house.press(house.ana, "B2")
    assert house.board().count("o") == 1
    assert not house.bots[-1]._connection._view_store._views, "nothing is kept"

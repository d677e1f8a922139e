"""Why somebody cannot play: the checks of a channel and of a member."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest
from simcord import ResponseMessage
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType

from bot.domain.checks import CheckPage
from bot.domain.pages import custom_id
from bot.domain.refusals import RefusalReason, Refused
from bot.features import checks
from bot.features.choices import choose
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import call, choose_puzzle_channel, save_settings
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.simulated_guild import SimulatedGuild, private_text

OWNER = discord.Permissions(manage_guild=True)
CHANNELS = custom_id(CheckPage(), 1)
MEMBERS = custom_id(CheckPage(), 2)

WELL = [
    "✅ I'm not timed out.",
    "✅ I can see {channel}.",
    "✅ I can write there.",
    "✅ I can write in threads there.",
    "✅ Boards are allowed there.",
]
NO_THREADS = "I can't write in threads there. In its permissions,"


def well_in(channel: ChannelHandle) -> list[str]:
    return [line.format(channel=channel.mention) for line in WELL]


@pytest.fixture
async def form(guild: SimulatedGuild) -> ResponseMessage:
    """The settings as Ben has opened them in the channel, with the checks on top."""
    everyone = guild.env.backend.get_guild(guild.handle.id).everyone_role
    everyone.permissions |= OWNER.value
    form = (await guild.ben.slash(guild.channel, "velha settings")).response
    assert form is not None
    await guild.ben.click(form, label="Check")
    return form


def said(guild: SimulatedGuild) -> list[str]:
    heading, *lines = guild.page().text.splitlines()
    assert heading == "## Why can't someone play?"
    return lines


def of_problems(guild: SimulatedGuild) -> list[str]:
    return [line for line in said(guild) if not line.startswith("✅")]


async def check_again(guild: SimulatedGuild, form: ResponseMessage) -> list[str]:
    await guild.ben.click(form, label="Check")
    return of_problems(guild)


async def test_where_all_is_well_it_says_so(guild: SimulatedGuild, form: ResponseMessage) -> None:
    assert said(guild) == well_in(guild.channel)
    other = guild.handle.create_text_channel("outro")
    before = len(guild.requests())
    await guild.ben.select(form, [other], custom_id=CHANNELS)
    assert said(guild) == well_in(other)
    asked = [path for method, path in guild.requests()[before:] if method == "GET"]
    assert len(asked) == 3
    await guild.ben.select(form, [guild.ana], custom_id=custom_id(CheckPage(other.id), 2))
    member = guild.ana.mention
    expected = [f"✅ {member} isn't timed out.", f"✅ {member} takes challenges."]
    assert said(guild) == well_in(other) + expected


@pytest.mark.parametrize(
    ("flag", "problem"),
    [
        ("view_channel", "I can't see {channel}. In its permissions, give me **View Channel**."),
        ("send_messages", "I can't write there. In its permissions, give me **Send Messages**."),
        ("send_messages_in_threads", f"{NO_THREADS} give me **Send Messages in Threads**."),
    ],
)
async def test_a_missing_permission_has_its_remedy_here_and_elsewhere(
    guild: SimulatedGuild, form: ResponseMessage, flag: str, problem: str
) -> None:
    guild.deny_bot(flag)
    (line,) = await check_again(guild, form)
    assert line == "⚠️ " + problem.format(channel=guild.channel.mention)
    other = guild.handle.create_text_channel("outro")
    guild.deny_bot(flag, other)
    await guild.ben.select(form, [other], custom_id=CHANNELS)
    (line,) = of_problems(guild)
    assert line == "⚠️ " + problem.format(channel=other.mention)


async def test_a_time_out_of_the_bot_is_not_taken_for_a_missing_permission(
    guild: SimulatedGuild, form: ResponseMessage
) -> None:
    bot_id = guild.env.backend.bot_user.id
    member = guild.env.backend.get_guild(guild.handle.id).members[bot_id]
    until = guild.env.now() + timedelta(hours=1)
    member.timed_out_until = until.isoformat()
    (line,) = await check_again(guild, form)
    assert line.startswith("⚠️ I'm timed out, and can write again <t:")
    assert line.endswith("To end it now, open my profile and press **Remove Timeout**.")
    other = guild.handle.create_text_channel("outro")
    await guild.ben.select(form, [other], custom_id=CHANNELS)
    assert of_problems(guild) == [line]
    refused = private_text(await guild.start(guild.ben))
    assert refused.endswith("can see why with `/velha settings`, under **Check**.")


async def test_it_says_where_boards_are_allowed(
    guild: SimulatedGuild, form: ResponseMessage
) -> None:
    other = guild.handle.create_text_channel("outro")
    save_settings(guild.bots[-1].store, guild.handle.id, channels=(other.id,))
    (line,) = await check_again(guild, form)
    assert line == f"⚠️ Boards are only allowed in {other.mention}. Add another under **Boards**."
    await guild.ben.select(form, [other], custom_id=CHANNELS)
    assert of_problems(guild) == []


async def test_it_says_that_the_last_puzzle_was_refused(
    guild: SimulatedGuild, form: ResponseMessage
) -> None:
    choose_puzzle_channel(guild.bots[-1].store, guild.handle.id, guild.channel.id, "en")
    assert await check_again(guild, form) == []
    assert "✅ My last daily puzzle got through." in said(guild)
    guild.sql("UPDATE puzzle_posts SET message_id = 0")
    (line,) = await check_again(guild, form)
    assert line.startswith("⚠️ Discord refused my last daily puzzle there.")
    assert line.endswith("pick the channel again under **Puzzle and ranking**.")


async def test_a_member_is_checked_too(guild: SimulatedGuild, form: ResponseMessage) -> None:
    member = guild.env.backend.get_guild(guild.handle.id).members[guild.ana.id]
    member.timed_out_until = (guild.env.now() + timedelta(hours=1)).isoformat()
    call(guild.bots[-1].store, choose, guild.ana.id, {"takes_challenges": False})
    denied = discord.Permissions(use_application_commands=True).value
    overwrite = Overwrite(guild.ana.id, OverwriteType.MEMBER, deny=denied)
    guild.env.backend.set_overwrite(guild.channel.id, overwrite)
    await guild.ben.select(form, [guild.ana], custom_id=MEMBERS)
    timed_out, commands, challenges = of_problems(guild)
    assert timed_out.startswith(f"⚠️ {guild.ana.mention} is timed out, and can play again <t:")
    assert "Use Application Commands" in commands
    assert "isn't taking challenges" in challenges
    await guild.ben.select(form, [], custom_id=MEMBERS)
    assert said(guild) == well_in(guild.channel)


async def test_where_the_bot_is_no_member_there_is_only_one_thing_to_allow(
    guild: SimulatedGuild, form: ResponseMessage
) -> None:
    guild.make_user_install()
    assert await check_again(guild, form) == []
    assert said(guild)[0] == "✅ I'm not a member of this server, but people here can use me."


async def test_only_those_who_run_a_server_may_check_it(app: App) -> None:
    asked = context(app.backend.runtime)
    with pytest.raises(Refused) as refused:
        await checks.check(asked, CheckPage())
    assert refusal_of(refused.value) == Refusal(RefusalReason.NOT_YOURS_TO_SET)


async def test_forged_ids_are_refused(app: App) -> None:
    for values in (["x"], [str(2**64)]):
        asked = context(
            app.backend.runtime, permissions=OWNER, values=values, component_type=8, resolved={}
        )
        with pytest.raises(Refused) as refused:
            await checks.check(asked, CheckPage())
        assert refusal_of(refused.value) == Refusal(RefusalReason.UNKNOWN_OPTION)

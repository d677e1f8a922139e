"""What all handlers do: a person's newest request goes first, and nothing is left behind."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest
from discord.ext.commands import Cooldown
from hypothesis import given
from hypothesis import strategies as st
from simcord.results import InteractionResult

from bot.domain.refusals import Refused
from bot.messaging.interactions import Interaction
from bot.runtime.cooldown import PersonCooldown
from tests.bot.simulated_guild import SimulatedGuild, private_text

LARGE = "4x4x4"


async def hint_of(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana, board=LARGE)
    await guild.press(guild.ana, "B2")
    await guild.press(guild.ana, "Hint")


async def test_the_last_of_many_quickly_turned_pages_is_shown(guild: SimulatedGuild) -> None:
    await hint_of(guild)
    hint, before = guild.page(), len(guild.requests())
    cells = [cell for cell in hint.labels if ":hint:" in hint.buttons[cell]["custom_id"]][:6]
    records = [guild.send_press(guild.ana, cell, hint) for cell in cells]
    await guild.env.settle()
    results = [InteractionResult(guild.env, record) for record in records]
    assert all(result.acknowledged for result in results)
    assert not results[-1].deferred
    assert any(result.deferred for result in results), "all, unless this machine is slow"
    assert len(guild.requests()) - before == 6, "one answer each"
    assert f"🔎 **{cells[-1][:2]}**" in guild.page().text


@pytest.mark.parametrize(
    ("names", "title"),
    [(("puzzle", "learn"), "The game tree"), (("learn", "puzzle"), "A warm-up")],
)
async def test_the_first_of_two_concurrent_lessons_is_refused_and_the_second_shown(
    guild: SimulatedGuild, names: tuple[str, str], title: str
) -> None:
    first, second = (guild.send_command(guild.ben, name) for name in names)
    await guild.env.settle()
    first_result, second_result = (InteractionResult(guild.env, one) for one in (first, second))
    assert private_text(first_result) == "You've moved on, so I skipped this."
    assert second_result.response is not None
    # Either may be answered first.
    assert any(title in message.text for message in guild.messages(ephemeral=True))


async def test_one_person_s_lesson_does_not_cancel_another_s(guild: SimulatedGuild) -> None:
    first, second = (guild.send_command(who, "puzzle") for who in (guild.ana, guild.ben))
    await guild.env.settle()
    for record in (first, second):
        result = InteractionResult(guild.env, record)
        assert result.followups == []
        assert not result.deferred
    assert len(guild.messages(ephemeral=True)) == 2


async def test_no_message_leaves_a_view_or_a_task_behind(guild: SimulatedGuild) -> None:
    """Discord.py keeps what is not stopped: for 15 minutes, or for ever."""
    await hint_of(guild)
    tasks = len(asyncio.all_tasks())
    for _ in range(5):
        await guild.press(guild.ana, "Hint")
    await guild.ben.slash(guild.channel, "velha learn")
    await guild.resign(guild.ana)
    await guild.press(guild.ana, "Review")
    assert len(asyncio.all_tasks()) == tasks
    assert guild.bots[-1].persistent_views == []
    assert guild.bots[-1]._connection._view_store._views == {}
    assert not guild.bots[-1].frame.tasks


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.integers(0, 70)), max_size=30))
def test_each_person_has_five_uses_a_minute(uses: list[tuple[int, int]]) -> None:
    cooldown, by_person = PersonCooldown(), defaultdict[int, Cooldown](lambda: Cooldown(5, 60))
    now = datetime(2026, 5, 1, tzinfo=UTC)
    for person, pause_seconds in uses:
        now += timedelta(seconds=pause_seconds)
        is_too_fast = by_person[person].update_rate_limit(now.timestamp()) is not None
        if is_too_fast:
            with pytest.raises(Refused):
                cooldown.use(interaction_of(person, now))
        else:
            cooldown.use(interaction_of(person, now))


def test_a_cooldown_of_two_minutes_ago_is_dropped() -> None:
    cooldown = PersonCooldown()
    now = datetime(2026, 5, 1, tzinfo=UTC)
    for person in range(3):
        cooldown.use(interaction_of(person, now + person * timedelta(minutes=1)))
    assert {*cooldown._cooldowns, *cooldown._previous_cooldowns} == {1, 2}


def interaction_of(person: int, now: datetime) -> Interaction:
    """As much of an interaction as a cooldown reads."""
    return cast("Interaction", SimpleNamespace(user=SimpleNamespace(id=person), created_at=now))

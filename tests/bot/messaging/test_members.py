"""Asking Discord who has left, over a real socket."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.client.bot import VelhaBot
from bot.config import Config
from tests.bot.fake_discord import FakeDiscord
from tests.bot.workers import KeptWorker


@pytest.fixture
async def bot(discord: FakeDiscord, settings: Config) -> AsyncIterator[VelhaBot]:
    bot = VelhaBot(settings, worker_class=KeptWorker)
    async with discord.connected(bot):
        await discord.wait_for_sessions()
        yield bot


async def test_no_more_than_half_of_discord_s_budget_is_spent_on_it(
    discord: FakeDiscord, bot: VelhaBot
) -> None:
    """Of 50 requests a second, also where the posts of twenty servers fall due at once."""
    people = range(1_000, 1_100)
    assert await bot.runtime.members.gone(1, people, wait_seconds=1) == set()
    assert 0 < discord.requests["describe_member"] <= 25

"""Every press is answered within three seconds, whatever the database does: on a real clock."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest
from discord.ext import commands

from bot.arena import Arena
from bot.cog import NoAnswerInTimeError, Velha
from bot.store import Store, async_url
from tests.bot.test_store import NOW, a_match


async def test_a_database_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    url = async_url(f"sqlite:///{tmp_path / 'velha.db'}")
    store, other = await Store.open(url), await Store.open(url)
    await store.add(a_match())
    limit = timedelta(minutes=30)
    arena = Arena(store, clock=lambda: NOW, rng=Random(1), turn_limit=limit, challenge_limit=limit)
    bot = commands.AutoShardedBot(commands.when_mentioned, intents=discord.Intents.none())
    cog = Velha(bot, arena, Random(1))
    async with other._engine.begin():  # another process holds the database's only write lock
        asked_at = time.monotonic()
        answers = await asyncio.gather(
            *(cog._in_time(arena.live_match(10)) for _ in range(5)), return_exceptions=True
        )
        assert time.monotonic() - asked_at < 2.9
    assert all(isinstance(answer, Exception) for answer in answers)
    await cog.finish(5)
    assert await arena.live_match(10) is None, "its time was up; and the store answers again"
    await store.close()
    await other.close()


async def test_work_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cog._ANSWER_SECONDS", 0.05)
    bot = commands.AutoShardedBot(commands.when_mentioned, intents=discord.Intents.none())
    arena: Any = None
    cog = Velha(bot, arena, Random(1))

    async def hang() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.5)

    asked_at = time.monotonic()
    with pytest.raises(NoAnswerInTimeError):
        await cog._in_time(hang())
    assert time.monotonic() - asked_at < 0.4
    await cog.finish(5)

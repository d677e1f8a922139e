"""Every press is answered within three seconds, whatever the database does: on a real clock."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import URL

from bot.arena import Arena
from bot.store import Store, StoreError, parse_url
from bot.threads import _THREADS, NoAnswerInTimeError, Threads
from tests.bot.test_clock import clock_at
from tests.bot.test_store import NOW, a_match


async def forget(late: Awaitable[object]) -> None:
    await asyncio.wait([asyncio.ensure_future(late)])


async def test_a_database_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    url = parse_url(f"sqlite:///{tmp_path / 'velha.db'}")
    store, other = Store.open(url), Store.open(url)
    store.add(a_match())
    limit = timedelta(minutes=30)
    arena = Arena(
        store, clock=clock_at(NOW), rng=Random(1), turn_limit=limit, challenge_limit=limit
    )
    threads = Threads(forget, store.break_off)
    with other._connections.whole():  # another process holds the database's only write lock
        asked_at = time.monotonic()
        answers = await asyncio.gather(
            *(threads.do_in_time(arena.live_match, 10) for _ in range(20)), return_exceptions=True
        )
        assert time.monotonic() - asked_at < 2.9
    assert all(isinstance(answer, Exception) for answer in answers)
    assert await threads.do_in_time(arena.live_match, 10) is None, "its time was up"
    await threads.finish(set(), 5)
    store.close()
    other.close()


async def test_work_that_takes_too_long_is_given_up_and_goes_on_in_its_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.threads._ANSWER_SECONDS", 0.05)
    threads, done = Threads(forget, lambda _seconds: None), threading.Event()

    def take_long() -> None:
        time.sleep(0.5)
        done.set()

    asked_at = time.monotonic()
    with pytest.raises(NoAnswerInTimeError):
        await threads.do_in_time(take_long)
    assert time.monotonic() - asked_at < 0.4
    await threads.finish(set(), 5)
    assert done.is_set()


async def test_leaving_waits_for_what_becomes_late_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.threads._ANSWER_SECONDS", 0.05)
    shown = asyncio.Event()

    async def show(late: Awaitable[object]) -> None:
        await late
        shown.set()

    threads = Threads(show, lambda _seconds: None)
    answer = asyncio.create_task(threads.do_in_time(time.sleep, 0.3))
    await asyncio.sleep(0.01)
    await threads.finish(set(), 5)
    assert shown.is_set()
    with pytest.raises(NoAnswerInTimeError):
        await answer
    with pytest.raises(NoAnswerInTimeError, match="leaving"):
        await threads.do(time.sleep, 0)


async def test_a_store_is_closed_while_threads_work_on_it(url: URL) -> None:
    """They may fail, but nothing worse happens: SQLite has no mercy on a connection shared."""
    store = Store.open(url)

    def work() -> None:
        with suppress(StoreError):
            for number in range(10_000):
                store.add(a_match(number, channel_id=number))

    with ThreadPoolExecutor(4) as threads:
        working = [threads.submit(work) for _ in range(4)]
        await asyncio.sleep(0.1)
        store.close()
    assert all(done.exception() is None for done in working)


async def test_work_that_had_not_begun_in_time_is_never_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.threads._ANSWER_SECONDS", 0.1)
    threads = Threads(forget, lambda _seconds: None)
    busy, begun = threading.Event(), list[int]()
    holding = [asyncio.ensure_future(threads.do(busy.wait)) for _ in range(_THREADS)]
    await asyncio.sleep(0)  # all of them begin
    with pytest.raises(NoAnswerInTimeError):
        await threads.do_in_time(begun.append, 1)
    busy.set()
    await asyncio.gather(*holding)
    await threads.finish(set(), 5)
    assert begun == []

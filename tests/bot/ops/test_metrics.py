"""Metrics, as a host's monitoring reads them."""

from __future__ import annotations

import asyncio
import math
import platform
import re
import socket
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import discord as discord_py
import pytest
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, Metric
from prometheus_client.parser import text_string_to_metric_families

from bot import __version__
from bot.client.bot import VelhaBot
from bot.client.routes import ROUTE_NAMES
from bot.config import Config
from bot.ops.health import Health, monitored
from bot.ops.metrics import Metrics
from bot.ops.metrics_server import serve
from bot.store.database import StoreError
from bot.store.facts import load_fact
from bot.store.matches import load_match
from tests.bot.databases import call
from tests.bot.fake_discord import FakeDiscord, Handler, error
from tests.bot.ops.test_health import until
from tests.bot.simulated_guild import SimulatedGuild
from tests.bot.workers import KeptWorker


@pytest.fixture
def bot(guild: SimulatedGuild) -> VelhaBot:
    return guild.bots[-1]


@pytest.fixture
def metrics(bot: VelhaBot) -> Metrics:
    return Metrics(bot, Health(bot))


async def families(metrics: Metrics) -> list[Metric]:
    return list(text_string_to_metric_families((await metrics.render()).decode()))


async def figures(metrics: Metrics) -> dict[str, float]:
    """Each figure by its name and the values of its labels, such as "velha_queue_waiting moves"."""
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in await families(metrics)
        for sample in family.samples
    }


LABELS = {
    "velha_backup_timestamp_seconds": set[str](),
    "velha_build_info": {"version", "python", "discord_py"},
    "velha_gateway_events_total": {"event"},
    "velha_healthy": set(),
    "velha_interaction_seconds": {"kind"},
    "velha_interactions_total": {"route", "outcome"},
    "velha_invalid_responses_total": {"status"},
    "velha_live_matches": set(),
    "velha_queue_waiting": {"queue"},
    "velha_shard_connected": {"shard"},
    "velha_shard_latency_seconds": {"shard"},
    "velha_store_errors_total": set(),
    "velha_store_statement_seconds": set(),
    "velha_sweep_age_seconds": set(),
    "velha_worker_memory_bytes": {"worker"},
}
"""What docs/en/PROMISES.md keeps: hosts' dashboards ask for these."""


async def test_the_metrics_their_labels_and_that_each_says_what_it_is(
    metrics: Metrics, here: Path
) -> None:
    (here / "backups").mkdir()
    (here / "backups" / "velha-20261127-050000.db").touch()
    found = await families(metrics)
    labels = {
        (sample.name if family.type in {"counter", "info"} else family.name): {
            label for label in sample.labels if label != "le"
        }
        for family in found
        for sample in family.samples
        if family.name.startswith("velha_")
    }
    assert labels == LABELS
    assert not [family.name for family in found if not family.documentation]


async def test_the_buckets_of_durations(metrics: Metrics) -> None:
    """A host's alerts and dashboards ask for these."""
    buckets = defaultdict[str, list[str]](list)
    for family in await families(metrics):
        for sample in family.samples:
            if "le" in sample.labels and sample.labels.get("kind") != "press":
                buckets[family.name].append(sample.labels["le"])
    assert buckets == {
        "velha_interaction_seconds": [
            *("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5"),
            *("1.0", "2.0", "3.0", "5.0", "10.0", "+Inf"),
        ],
        "velha_store_statement_seconds": [
            *("0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01"),
            *("0.05", "0.25", "1.0", "2.5", "+Inf"),
        ],
    }


async def test_presses_and_commands_are_counted_by_what_was_asked_for_and_what_came_of_it(
    guild: SimulatedGuild, metrics: Metrics
) -> None:
    await guild.start(guild.ana, level="CHILD")
    await guild.press(guild.ana, "B2")
    await guild.press(guild.ben, guild.newest().free[0])
    shown = await figures(metrics)
    assert shown["velha_interactions_total answered start"] == 1
    assert shown["velha_interactions_total answered play"] == 1
    assert shown["velha_interactions_total not_a_player play"] == 1
    assert shown["velha_interaction_seconds_count command"] == 1
    assert shown["velha_interaction_seconds_count press"] == 2
    assert shown["velha_live_matches"] == 1


async def test_the_database_is_timed_and_its_failures_are_counted(
    guild: SimulatedGuild, bot: VelhaBot, metrics: Metrics
) -> None:
    began_at = time.perf_counter()
    await guild.start(guild.ana)
    await guild.start(guild.ben)
    before = await figures(metrics)
    assert before["velha_store_errors_total"] == 0, "what the tables refuse is no failure"
    guild.break_database()
    with suppress(StoreError):
        call(bot.store, load_match, 1)
    call(bot.store, load_fact, "a fact")
    guild.mend_database()
    after = await figures(metrics)
    assert after["velha_store_errors_total"] == 1
    seconds = "velha_store_statement_seconds"
    assert after[f"{seconds}_count"] > before[f"{seconds}_count"]
    assert 0 < after[f"{seconds}_sum"] < time.perf_counter() - began_at


@pytest.mark.logs_errors
async def test_matches_are_not_counted_while_the_database_fails(
    guild: SimulatedGuild, metrics: Metrics
) -> None:
    assert (await figures(metrics))["velha_live_matches"] == 0
    guild.break_database()
    assert math.isnan((await figures(metrics))["velha_live_matches"])
    guild.mend_database()
    assert (await figures(metrics))["velha_live_matches"] == 0


async def test_gauges_are_read_when_asked_for(
    guild: SimulatedGuild, bot: VelhaBot, metrics: Metrics
) -> None:
    await guild.advance_time(minutes=1)
    moves = bot.engine.queues["moves"]
    await moves.acquire()
    waiting = asyncio.ensure_future(moves.acquire())
    await bot.engine.run(len, "a lesson")
    shown = await figures(metrics)
    age_seconds = bot.background_tasks.idle_for.total_seconds()
    assert shown["velha_sweep_age_seconds"] == pytest.approx(age_seconds, abs=60)
    assert shown["velha_queue_waiting moves"] == 1
    assert shown["velha_queue_waiting lessons"] == 0
    assert shown["velha_healthy"] == 0, "nobody has looked yet"
    moves.release()
    await waiting


async def test_the_age_of_the_newest_copy_can_be_watched(metrics: Metrics, here: Path) -> None:
    newest = "velha_backup_timestamp_seconds"
    assert (await figures(metrics))[newest] == 0, "so that the alert fires"
    (here / "backups").mkdir()
    assert (await figures(metrics))[newest] == 0
    for name in ("velha-20261126-050000.db", "velha-20261127-050000.db", "mine.db"):
        (here / "backups" / name).touch()
    assert (await figures(metrics))[newest] == datetime(2026, 11, 27, 5, tzinfo=UTC).timestamp()


async def test_a_shard_that_comes_and_goes_is_counted(bot: VelhaBot, metrics: Metrics) -> None:
    for event in ("shard_connect", "shard_disconnect", "shard_resumed"):
        bot.dispatch(event, 0)
    await asyncio.sleep(0)
    shown = await figures(metrics)
    for event in ("connect", "disconnect", "resumed"):
        assert shown[f"velha_gateway_events_total {event}"] == 1


async def test_what_alerts_ask_for_is_there_from_the_beginning(metrics: Metrics) -> None:
    """Else a rate over the first ones counted would be nothing."""
    shown = await figures(metrics)
    for name in ROUTE_NAMES:
        for outcome in ("answered", "broken", "store_unavailable", "too_busy"):
            assert shown[f"velha_interactions_total {outcome} {name}"] == 0
    for event in ("connect", "disconnect", "resumed"):
        assert shown[f"velha_gateway_events_total {event}"] == 0
    for status in (401, 403, 429):
        assert shown[f"velha_invalid_responses_total {status}"] == 0
    assert shown["velha_interaction_seconds_count press"] == 0


async def test_what_runs_is_named(metrics: Metrics) -> None:
    (info,) = (each for each in await families(metrics) if each.name == "velha_build_info")
    assert info.samples[0].name == "velha_build_info"
    assert info.samples[0].labels["version"] == __version__
    assert info.samples[0].labels["discord_py"] == discord_py.__version__
    assert info.samples[0].labels["python"] == platform.python_version()


def resident_bytes(process_id: int) -> int:
    status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii")
    (kilobytes,) = re.findall(r"VmRSS:\s+(\d+) kB", status)
    return 1024 * int(kilobytes)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells what a process takes")
async def test_a_worker_takes_memory_once_it_has_begun(bot: VelhaBot, metrics: Metrics) -> None:
    assert (await figures(metrics))["velha_worker_memory_bytes lessons"] == 0
    await bot.engine.run(len, "a lesson")
    (process_id,) = bot.engine.process_ids["lessons"]
    taken = (await figures(metrics))["velha_worker_memory_bytes lessons"]
    assert taken == pytest.approx(resident_bytes(process_id), rel=0.1)
    assert (await figures(metrics))["velha_worker_memory_bytes moves"] == 0


async def test_what_discord_refuses_is_counted_and_asked_for_at_the_port_of_the_settings(
    discord: FakeDiscord, settings: Config, tmp_path: Path, held: socket.socket
) -> None:
    port = held.getsockname()[1]
    held.close()
    settings = replace(settings, metrics_port=port, heartbeat_file=tmp_path / "its.heartbeat")
    bot = VelhaBot(settings, worker_class=KeptWorker)
    async with discord.connected(bot):
        await discord.wait_for_sessions()
        async with monitored(bot, settings):
            await until_it_answers(port)
            message = await discord.start(11, 1000)
            discord.fault = forbid
            discord.send_press(11, "A1", message)
            await discord.wait_until(lambda: bot.invalid_responses)
            _status, text = await get(port, "/metrics")
    assert 'velha_shard_connected{shard="0"} 1.0' in text
    assert 'velha_shard_latency_seconds{shard="0"}' in text
    (refused,) = re.findall(r'velha_invalid_responses_total\{status="403"\} (.+)', text)
    assert float(refused) > 0


async def forbid(_request: web.Request, _handler: Handler) -> web.StreamResponse:
    return error(403, 50001)


# Where it is asked for


@pytest.fixture
def held() -> Iterator[socket.socket]:
    """A port that another process holds."""
    with closing(socket.socket()) as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield held


async def get(port: int, path: str, content_type: str = "text/plain") -> tuple[int, str]:
    url = f"http://127.0.0.1:{port}{path}"
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        assert response.headers["Content-Type"].startswith(content_type)
        return response.status, await response.text()


async def until_it_answers(port: int) -> None:
    async with asyncio.timeout(60):
        while True:
            with suppress(aiohttp.ClientError):
                await get(port, "/healthz")
                return
            await asyncio.sleep(0.01)


async def test_a_port_that_an_older_process_holds_is_taken_over(
    bot: VelhaBot, held: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    port, health = held.getsockname()[1], Health(bot)
    serving = asyncio.ensure_future(
        serve(health, Metrics(bot, health), ("127.0.0.1", port), retry_seconds=0.01)
    )
    await until(lambda: caplog.messages)
    await asyncio.sleep(0.05)  # in which it tries again
    held.close()
    await until_it_answers(port)
    assert caplog.text.count("METRICS_HOST, METRICS_PORT: 127.0.0.1:") == 1
    assert await get(port, "/healthz") == (503, "it is starting\n")
    health.problems.clear()
    assert await get(port, "/healthz") == (200, "well\n")
    status, text = await get(port, "/metrics", CONTENT_TYPE_LATEST)
    assert status == 200
    assert "velha_healthy 1.0" in text
    assert (await get(port, "/"))[0] == 404
    serving.cancel()
    await asyncio.wait([serving])


ELSEWHERE = [("192.0.2.1", 9), ("no-such-name.invalid", 9), ("no..name", 9), ("127.0.0.1", 70_000)]


async def test_an_address_that_is_not_this_machine_s_is_named(
    bot: VelhaBot, caplog: pytest.LogCaptureFixture
) -> None:
    health = Health(bot)
    for address in ELSEWHERE:
        caplog.clear()
        serving = asyncio.ensure_future(
            serve(health, Metrics(bot, health), address, retry_seconds=60)
        )
        async with asyncio.timeout(60):
            while not (caplog.records or serving.done()):  # noqa: ASYNC110 - from outside
                await asyncio.sleep(0.01)
        assert not serving.done(), "it tries again"
        assert "METRICS_HOST, METRICS_PORT: {}:{}: ".format(*address) in caplog.text
        serving.cancel()
        await asyncio.wait([serving])

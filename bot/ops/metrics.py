"""Prometheus metrics of a running bot, and the HTTP server for a host's monitoring.

State is read when metrics are scraped; events (an answer, a statement, a connection) are counted
by listeners. This module is not imported unless METRICS_PORT is set.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Iterator
from typing import Any

import discord
from aiohttp import web
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError

from bot.domain.refusals import UnavailableError
from bot.messaging.interactions import Interaction
from bot.messaging.reply import Reply
from bot.ops.health import Health, RunningBot

_ANSWER_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10)
"""Buckets; Discord waits three seconds for the first response."""

_STATEMENT_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5)


class Metrics:
    """The metrics of one bot."""

    def __init__(self, running: RunningBot, health: Health) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._running = running
        self._registry = registry = CollectorRegistry()
        self._reading = _Reading(running, health)
        registry.register(self._reading)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        self._answers = Counter(
            "velha_interactions",
            "Presses and commands, by what they came to: answered, or why not",
            ("kind", "outcome"),
            registry=registry,
        )
        self._answer_seconds = Histogram(
            "velha_interaction_seconds",
            "From the arrival of a press or command until all that it asked for is done",
            ("kind",),
            buckets=_ANSWER_SECONDS,
            registry=registry,
        )
        self._statement_seconds = Histogram(
            "velha_store_statement_seconds",
            "How long the database takes for a statement",
            buckets=_STATEMENT_SECONDS,
            registry=registry,
        )
        self._store_errors = Counter(
            "velha_store_errors", "Statements and connections that failed", registry=registry
        )
        self._gateway = Counter(
            "velha_gateway_events",
            "Shards that connected, were disconnected, or resumed",
            ("event",),
            registry=registry,
        )
        self._listen()

    def _listen(self) -> None:
        self._running.replies.listeners.append(self._note_answer)
        for name in ("connect", "disconnect", "resumed"):
            self._running.bot.add_listener(_counting(self._gateway, name), f"on_shard_{name}")
        engine = self._running.store.engine
        event.listen(engine, "before_cursor_execute", _note_beginning)
        event.listen(engine, "after_cursor_execute", self._note_statement)
        event.listen(engine, "handle_error", self._note_error)

    async def show(self) -> bytes:
        """All metrics, in Prometheus' text format."""
        await self._reading.count_matches()
        return generate_latest(self._registry)

    def _note_answer(self, interaction: Interaction, reply: Reply) -> None:
        is_press = interaction.type is discord.InteractionType.component
        kind = "press" if is_press else "command"
        outcome = reply.refusal.name.lower() if reply.refusal else "answered"
        self._answers.labels(kind, outcome).inc()
        self._answer_seconds.labels(kind).observe(reply.seconds)

    def _note_statement(self, connection: Any, *_more: Any) -> None:
        self._statement_seconds.observe(time.perf_counter() - connection.info["began_at"])

    def _note_error(self, context: Any) -> None:
        if not isinstance(context.sqlalchemy_exception, IntegrityError):  # a race lost, no failure
            self._store_errors.inc()


def _note_beginning(connection: Any, *_more: Any) -> None:
    connection.info["began_at"] = time.perf_counter()


def _counting(counter: Counter, name: str) -> Any:
    async def count(_shard_id: int) -> None:
        counter.labels(name).inc()

    return count


class _Reading(Collector):
    """Collects the metrics that are read from the bot's state at each scrape."""

    def __init__(self, running: RunningBot, health: Health) -> None:
        self._running = running
        self._health = health
        self._live = math.nan

    async def count_matches(self) -> None:
        try:
            self._live = await self._running.executor.run_in_time(self._running.store.how_many_live)
        except UnavailableError:
            self._live = math.nan

    def collect(self) -> Iterator[Metric]:
        running, sweeps = self._running, self._running.sweeps
        ahead, idle = running.clock.skew_seconds(), sweeps.idle_for.total_seconds()
        yield _gauge("healthy", "1 where nothing is wrong, else 0", not self._health.problems)
        yield _gauge("live_matches", "Matches going on, in all processes", self._live)
        yield _gauge("clock_ahead_seconds", "By how much the host's clock is fast", ahead)
        yield _gauge("database_jobs", "Under way, or waiting", running.executor.under_way)
        yield CounterMetricFamily("velha_sweeps", "Sweeps that succeeded", sweeps.completed)
        yield _gauge("sweep_age_seconds", "How long ago the last one did", idle)
        yield from self._queues()

    def _queues(self) -> Iterator[Metric]:
        waiting = GaugeMetricFamily("velha_queue_waiting", "How many wait", labels=["queue"])
        waited = SummaryMetricFamily(
            "velha_queue_wait_seconds", "How long they waited", labels=["queue"]
        )
        for name, queue in self._running.engine.queues.items():
            waiting.add_metric([name], queue.waiting)
            waited.add_metric([name], queue.waits, queue.waited_seconds)
        yield waiting
        yield waited


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"velha_{name}", text, value)


_TRY_AGAIN_SECONDS = 10

_log = logging.getLogger(__name__)


async def serve(
    health: Health,
    metrics: Metrics,
    address: tuple[str, int],
    try_again_seconds: float = _TRY_AGAIN_SECONDS,
) -> None:
    """Serve until cancelled; while another process holds the port, keep trying to get it."""

    async def healthz(_request: web.Request) -> web.Response:
        problems = "\n".join(health.problems)
        return web.Response(text=f"{problems or 'well'}\n", status=503 if problems else 200)

    async def figures(_request: web.Request) -> web.Response:
        shown = await metrics.show()
        return web.Response(body=shown, headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/metrics", figures)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await _open(runner, address, try_again_seconds)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


async def _open(runner: web.AppRunner, address: tuple[str, int], try_again_seconds: float) -> None:
    (host, port), has_warned = address, False
    while True:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            if not has_warned:
                _log.warning("METRICS_PORT: %s:%d is not to be had: %s", host, port, error.strerror)
            has_warned = True
            await asyncio.sleep(try_again_seconds)
        else:
            _log.info("Figures are at http://%s:%d/metrics.", host, port)
            return

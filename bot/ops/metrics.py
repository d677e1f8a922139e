"""Prometheus metrics of a running bot.

Events, such as an answer or a statement, are counted by listeners as they happen; everything else
is read from the bot at each scrape. This module is imported only if METRICS_PORT is set.
"""

from __future__ import annotations

import asyncio
import math
import mmap
import platform
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import discord
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError

from bot import __version__
from bot.client.bot import VelhaBot
from bot.client.responses import INVALID_STATUSES
from bot.client.routes import ROUTE_NAMES
from bot.domain.refusals import RefusalReason, UnavailableError
from bot.messaging.interactions import Interaction
from bot.messaging.reply import Reply
from bot.ops.backups import newest_backup
from bot.ops.health import Health
from bot.store.matches import count_live

_ANSWER_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10)
"""Buckets; Discord waits three seconds for the first response."""

_STATEMENT_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5)
_COMMAND = "command"
_PRESS = "press"
_ANSWERED = "answered"
_FAILURES = (RefusalReason.BROKEN, RefusalReason.STORE_UNAVAILABLE, RefusalReason.TOO_BUSY)
_GATEWAY_EVENTS = ("connect", "disconnect", "resumed")


class Metrics:
    """The metrics of one bot, in a registry of their own."""

    def __init__(self, bot: VelhaBot, health: Health) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call] # it is untyped
        self._bot = bot
        self._state = _StateCollector(bot, health)
        self._registry = registry = CollectorRegistry()
        registry.register(self._state)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        self._answers = Counter(
            "velha_interactions",
            "Presses and commands, by what was asked for and what came of it: answered, or why not",
            ("route", "outcome"),
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
        self._gateway_events = Counter(
            "velha_gateway_events",
            "Shards that connected, were disconnected, or resumed",
            ("event",),
            registry=registry,
        )
        Info("velha_build", "What runs", registry=registry).info(
            {
                "version": __version__,
                "python": platform.python_version(),
                "discord_py": discord.__version__,
            }
        )
        self._initialize_labels()
        self._add_listeners()

    def _initialize_labels(self) -> None:
        """Create series at 0: otherwise a rate would miss the first event of each.

        There are too many routes with too many reasons to refuse: of these, only failures.
        """
        for kind in (_COMMAND, _PRESS):
            self._answer_seconds.labels(kind)
        for route_name in ROUTE_NAMES:
            for outcome in (_ANSWERED, *map(_outcome, _FAILURES)):
                self._answers.labels(route_name, outcome)
        for event_name in _GATEWAY_EVENTS:
            self._gateway_events.labels(event_name)

    def _add_listeners(self) -> None:
        self._bot.frame.listeners.append(self._record_answer)
        for name in _GATEWAY_EVENTS:
            self._bot.add_listener(partial(self._record_event, name), f"on_shard_{name}")
        engine = self._bot.store.engine
        event.listen(engine, "before_cursor_execute", _record_start)
        event.listen(engine, "after_cursor_execute", self._record_statement)
        event.listen(engine, "handle_error", self._record_error)

    async def render(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        await self._state.refresh()
        return generate_latest(self._registry)

    def _record_answer(self, route_name: str, interaction: Interaction, reply: Reply) -> None:
        is_press = interaction.type is discord.InteractionType.component
        self._answers.labels(route_name, _outcome(reply.refusal_reason)).inc()
        self._answer_seconds.labels(_PRESS if is_press else _COMMAND).observe(reply.age_seconds)

    async def _record_event(self, name: str, _shard_id: int) -> None:
        self._gateway_events.labels(name).inc()

    def _record_statement(self, connection: Any, *_args: Any) -> None:
        self._statement_seconds.observe(time.perf_counter() - connection.info["started_at"])

    def _record_error(self, context: Any) -> None:
        # An IntegrityError is part of normal operation: another process was faster.
        if not isinstance(context.sqlalchemy_exception, IntegrityError):
            self._store_errors.inc()


def _outcome(reason: RefusalReason | None) -> str:
    return reason.name.lower() if reason else _ANSWERED


def _record_start(connection: Any, *_args: Any) -> None:
    connection.info["started_at"] = time.perf_counter()


class _StateCollector(Collector):
    """Collects the metrics that are read from the bot's state at each scrape."""

    def __init__(self, bot: VelhaBot, health: Health) -> None:
        self._bot = bot
        self._health = health
        self._live_matches = math.nan
        self._newest_backup: datetime | None = None

    async def refresh(self) -> None:
        """Read what takes a thread."""
        try:
            self._live_matches = await self._bot.runtime.database.read(count_live)
        except UnavailableError:
            self._live_matches = math.nan
        try:
            self._newest_backup = await asyncio.to_thread(newest_backup)
        except OSError:
            self._newest_backup = None

    def collect(self) -> Iterator[Metric]:
        bot = self._bot
        yield GaugeMetricFamily(
            "velha_healthy",
            "1, or 0 where /healthz says what is wrong",
            not self._health.problems,
        )
        yield GaugeMetricFamily(
            "velha_live_matches", "Matches going on, in all processes", self._live_matches
        )
        yield GaugeMetricFamily(
            "velha_sweep_age_seconds",
            "How long ago matches were last ended whose time was up",
            bot.background_tasks.idle_for.total_seconds(),
        )
        yield GaugeMetricFamily(
            "velha_backup_timestamp_seconds",
            "When the newest copy in the folder `backups` was made; 0 if there is none",
            self._newest_backup.timestamp() if self._newest_backup else 0,
        )
        yield _gauges(
            "velha_queue_waiting",
            "How many wait for a move or a lesson",
            "queue",
            {name: queue.waiting for name, queue in bot.engine.queues.items()},
        )
        yield _gauges(
            "velha_shard_connected",
            "1 where a shard is connected, else 0",
            "shard",
            {shard_id: not shard.is_closed() for shard_id, shard in bot.shards.items()},
        )
        yield _gauges(
            "velha_shard_latency_seconds",
            "How long the gateway takes to answer",
            "shard",
            {shard_id: shard.latency for shard_id, shard in bot.shards.items()},
        )
        yield _gauges(
            "velha_worker_memory_bytes",
            "Of the processes that think, 0 until they start; on Linux only",
            "worker",
            {name: sum(map(_memory_bytes, ids)) for name, ids in bot.engine.process_ids.items()},
        )
        responses = CounterMetricFamily(
            "velha_invalid_responses",
            "Responses of Discord of which 10,000 in ten minutes ban an address",
            labels=["status"],
        )
        for status in INVALID_STATUSES:
            responses.add_metric([str(status)], bot.invalid_responses[status])
        yield responses


def _gauges(name: str, text: str, label: str, values: Mapping[Any, float]) -> GaugeMetricFamily:
    """A gauge for each value of a label."""
    family = GaugeMetricFamily(name, text, labels=[label])
    for label_value, value in values.items():
        family.add_metric([str(label_value)], value)
    return family


def _memory_bytes(process_id: int) -> int:
    """The resident memory of a process; 0 if it has ended, or where this is not Linux."""
    try:
        sizes = Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    _total_pages, resident_pages, *_other_pages = sizes
    return int(resident_pages) * mmap.PAGESIZE

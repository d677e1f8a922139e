"""Health checks: whether a running bot can answer people, not just whether it is running.

The bot writes their results to its heartbeat, which `python -m bot health` reads.
"""

from __future__ import annotations

import asyncio
import logging
import os
import platform
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

import discord
from sqlalchemy import URL

from bot.client.bot import VelhaBot
from bot.config import Config
from bot.domain.privacy import COPIES_KEPT_FOR
from bot.domain.refusals import UnavailableError
from bot.ops import heartbeat
from bot.ops.backups import delete_expired, newest_backup
from bot.ops.heartbeat import BEAT_SECONDS, UNWELL_BEAT_SECONDS
from bot.ops.neighbours import Neighbours
from bot.ops.notes import OTHER_BOT, OUTAGE, save_note
from bot.ops.owner import Owner
from bot.store.database import full_disk_hint
from bot.store.processes import forget, record_seen

_HOUR_SECONDS = 60 * 60
_FIRST_WARNED_DAYS = 7
_MAX_LATE_SECONDS = 1
_SHORT_OUTAGE = timedelta(seconds=30)
_MAX_SWEEP_AGE = timedelta(minutes=2)

_log = logging.getLogger(__name__)


class Health:
    """Checks a bot, and keeps the problems that the last check found."""

    def __init__(
        self,
        bot: VelhaBot,
        neighbours: Neighbours | None = None,
        owner: Owner | None = None,
    ) -> None:
        self._bot = bot
        self._owner = owner or Owner(None)
        self.process = f"{platform.node()}:{os.getpid()}"
        self._neighbours = neighbours or Neighbours()
        self._away: tuple[datetime, str] | None = None  # since when the database is, and why
        self._has_told_outage = False
        self._has_noted_others = False
        self.problems: list[str] = ["it is starting"]

    async def check(self, late_seconds: float = 0) -> list[str]:
        """Find what is wrong and return it; `late_seconds` is the event loop's delay."""
        bot = self._bot
        problems = []
        if not bot.is_ready() or any(shard.is_closed() for shard in bot.shards.values()):
            problems.append("the gateway is not ready")
        problems += await self._check_database()
        of_others = self._neighbours.problems()
        await self._note_others(of_others)
        problems += of_others
        if bot.background_tasks.idle_for > _MAX_SWEEP_AGE:
            problems.append("no sweep has succeeded for two minutes")
        if late_seconds > _MAX_LATE_SECONDS:
            problems.append(f"the event loop is {late_seconds:.1f} seconds late")
        queues = bot.engine.queues.items()
        problems += [f"too many wait for {name}" for name, queue in queues if queue.is_full]
        self.problems = problems
        return problems

    async def _check_database(self) -> list[str]:
        """Record in the database that this process runs, and learn which others do."""
        database = self._bot.database
        seconds = database.limits.answer_seconds
        try:
            others = await database.change(record_seen, self.process, seconds=seconds)
        except UnavailableError as error:
            self._tell_outage(str(error))
            return [f"the database takes no writes: {error}"]
        database.record_healthy()
        self._neighbours.observe(others, self._bot.frame.answered_elsewhere)
        await self._note_outage()
        return []

    def _tell_outage(self, reason: str) -> None:
        """Tell the owner that the database is away, unless it has just gone."""
        now = self._bot.clock.now()
        self._away = self._away or (now, reason)
        if now - self._away[0] < _SHORT_OUTAGE or self._has_told_outage:
            return
        self._has_told_outage = True
        url = self._bot.store.engine.url
        is_file = url.get_backend_name() == "sqlite"
        hint = full_disk_hint(Path(str(url.database)).parent) if is_file else ""
        self._owner.tell(f"The database takes no writes: {reason}{hint}. People get no answers.")

    async def _note_outage(self) -> None:
        """Note an outage of the database that is over."""
        if self._away is None:
            return
        since, reason = self._away
        self._away = None
        seconds = f"{(self._bot.clock.now() - since).total_seconds():.0f} s"
        await self._note(OUTAGE, since, f"For {seconds} the database took no writes: {reason}.")
        if self._has_told_outage:
            self._owner.tell(f"The database is well again, after {seconds}. No move is lost.")
        self._has_told_outage = False

    async def _note_others(self, problems: Sequence[str]) -> None:
        """Note once that a bot on another database answers, until none does."""
        if problems and not self._has_noted_others:
            sentence = problems[0]
            await self._note(
                OTHER_BOT, self._bot.clock.now(), f"{sentence[0].upper()}{sentence[1:]}."
            )
        self._has_noted_others = bool(problems)

    async def _note(self, kind: str, time: datetime, sentence: str) -> None:
        with suppress(UnavailableError):
            await self._bot.database.change(save_note, kind, time, sentence)

    async def close(self) -> None:
        """Record in the database that this process has ended."""
        with suppress(UnavailableError):
            await self._bot.database.change(forget, self.process)


@asynccontextmanager
async def monitored(bot: VelhaBot, config: Config) -> AsyncIterator[None]:
    """Write heartbeats and delete old copies within the block; with METRICS_PORT, serve metrics."""
    _log.info("Running on %s.", _describe(bot, config))
    owner = Owner.of(config)
    health = Health(bot, owner=owner)
    tasks = [
        asyncio.create_task(_write_heartbeats(health, config.heartbeat_file)),
        asyncio.create_task(_watch_copies(bot, config.database_url, owner)),
    ]
    if config.metrics_port is not None:
        from bot.ops.metrics import Metrics
        from bot.ops.metrics_server import serve

        address = (config.metrics_host, config.metrics_port)
        tasks.append(asyncio.create_task(serve(health, Metrics(bot, health), address)))
    if config.port is not None:
        from bot.ops.probe_server import serve_probes

        tasks.append(asyncio.create_task(serve_probes(health, config.port)))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await health.close()


def _describe(bot: VelhaBot, config: Config) -> str:
    """What runs, for the log; no secrets."""
    shards = "as many shards as Discord advises"
    if config.shard_count is not None:
        ids = config.shard_ids or range(config.shard_count)
        shards = f"shards {', '.join(map(str, ids))} of {config.shard_count}"
    libraries = f"Python {platform.python_version()}, discord.py {discord.__version__}"
    return f"{libraries} and {bot.store.engine.dialect.name}; {shards}"


async def _watch_copies(bot: VelhaBot, database: URL, owner: Owner) -> None:
    """Delete expired copies every hour: nobody else does where `backup` is not run any more.

    That is logged once a day, before the last copy is gone, and told to the owner once.
    """
    logged_days = 0
    while True:
        now = bot.clock.trusted_now()
        if now is not None:
            try:
                newest = await asyncio.to_thread(newest_backup)
                await asyncio.to_thread(delete_expired, database, now)
            except OSError as error:
                _log.warning("%s cannot be deleted: %s", error.filename, error.strerror)
            else:
                days = (now - newest).days if newest else 0
                if days >= _FIRST_WARNED_DAYS and days != logged_days:
                    sentence = _describe_old_copy(days)
                    _log.warning("%s", sentence)
                    if logged_days < _FIRST_WARNED_DAYS:
                        owner.tell(sentence)
                logged_days = days
        await asyncio.sleep(_HOUR_SECONDS)


def _describe_old_copy(days: int) -> str:
    """What to say where the newest copy was made so many days ago."""
    if days >= COPIES_KEPT_FOR.days:
        return f"The last copy in `backups` was deleted, as it was {days} days old: make another."
    return (
        f"No copy was made in `backups` for {days} days. The last one is deleted after"
        f" {COPIES_KEPT_FOR.days}: run `backup` every day."
    )


async def _write_heartbeats(health: Health, file: Path) -> None:
    """Check and write again and again; delete the heartbeat when cancelled, if it is ours alone."""
    loop = asyncio.get_running_loop()
    late_seconds = 0.0
    has_warned = has_written = is_shared = False
    try:
        while True:
            pause_seconds = BEAT_SECONDS
            try:
                if problems := await health.check(late_seconds):
                    pause_seconds = UNWELL_BEAT_SECONDS
                writer = heartbeat.find_writer(file)
                is_shared = has_written and writer not in {"", health.process}
                await asyncio.to_thread(heartbeat.write, file, problems, health.process)
                has_written = True
            except OSError as error:
                if not has_warned:
                    _log.warning("HEARTBEAT_FILE: %s cannot be written: %s", file, error.strerror)
                has_warned = True
            except Exception:  # noqa: BLE001 - the next check may well succeed
                _log.exception("The health check failed.")
            due_at = loop.time() + pause_seconds
            await asyncio.sleep(pause_seconds)
            late_seconds = loop.time() - due_at
    finally:
        if not is_shared:
            heartbeat.delete(file)

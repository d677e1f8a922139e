"""The parts of a process that features share."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from bot.messaging.emojis import Emojis
from bot.messaging.members import Members
from bot.messaging.messages import Messages
from bot.runtime.clock import Clock
from bot.runtime.database_jobs import DatabaseJobs
from bot.runtime.deadlines import Deadlines
from bot.runtime.delayed_jobs import DelayedJobs
from bot.runtime.engine_pool import EnginePool
from bot.runtime.latest_jobs import LatestJobs


@dataclass(frozen=True, slots=True)
class Runtime:
    """The parts of a process that features share.

    Attributes:
        database: The database.
        engine: The processes for long computations.
        clock: Discord's time.
        rng: What the bot's moves and random sides are drawn with.
        deadlines: When turns and challenges run out.
        emojis: The symbols of boards.
        messages: Messages that are sent and edited outside interactions.
        members: Who has left a server.
        source_url: The address of the repository; None if the host names none.
        latest_jobs: Work of which each person has one at a time.
        delayed_jobs: Work that is done once for all who ask for it within some seconds.
    """

    database: DatabaseJobs
    engine: EnginePool
    clock: Clock
    rng: random.Random
    deadlines: Deadlines
    emojis: Emojis
    messages: Messages
    members: Members
    source_url: str | None = None
    latest_jobs: LatestJobs = field(default_factory=LatestJobs)
    delayed_jobs: DelayedJobs = field(default_factory=DelayedJobs)

"""All services, and what they are made of."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from bot.services.analysis import AnalysisService
from bot.services.clock import Clock
from bot.services.deadlines import Deadlines, TimeLimits
from bot.services.engine_pool import EnginePool
from bot.services.executor import Executor
from bot.services.latest_jobs import LatestJobs
from bot.services.match_actions import MatchActionService
from bot.services.matches import MatchOperations, MatchService
from bot.services.moments import MomentService
from bot.services.privacy import PrivacyService
from bot.services.puzzles import PuzzlePostService, PuzzleService
from bot.services.reminders import ReminderService
from bot.services.settings import SettingsService
from bot.services.stats import StatsService
from bot.services.tutorial import TutorialService
from bot.store.store import Store


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What the services of a process share.

    Attributes:
        store: The database.
        executor: The threads that use it.
        engine: The processes for long computations.
        clock: Discord's time.
        rng: What the bot's moves and random sides are drawn with.
        time_limits: The host's settings of time.
        bot_id: The bot's own user id.
        languages: The languages that boards may be in.
    """

    store: Store
    executor: Executor
    engine: EnginePool
    clock: Clock
    rng: random.Random
    time_limits: TimeLimits
    bot_id: int
    languages: Sequence[str]


@dataclass(frozen=True, slots=True)
class Services:
    """The services of a process, by feature."""

    matches: MatchService
    match_actions: MatchActionService
    analysis: AnalysisService
    puzzles: PuzzleService
    puzzle_posts: PuzzlePostService
    moments: MomentService
    reminders: ReminderService
    tutorial: TutorialService
    stats: StatsService
    privacy: PrivacyService
    settings: SettingsService

    @classmethod
    def build(cls, shared: Dependencies) -> Services:
        store = shared.store
        executor = shared.executor
        engine = shared.engine
        clock = shared.clock
        time_limits = shared.time_limits
        deadlines = Deadlines(clock, time_limits)
        operations = MatchOperations(store, deadlines, shared.rng)
        latest_jobs = LatestJobs()
        return cls(
            matches=MatchService(store, executor, operations, deadlines, bot_id=shared.bot_id),
            match_actions=MatchActionService(store, executor, operations, deadlines, engine),
            analysis=AnalysisService(store, executor, engine, latest_jobs),
            puzzles=PuzzleService(store, executor, engine, latest_jobs, clock),
            puzzle_posts=PuzzlePostService(store, executor, engine, clock),
            moments=MomentService(store, executor, engine, latest_jobs, clock),
            reminders=ReminderService(store, executor, deadlines),
            tutorial=TutorialService(store, executor, engine, latest_jobs, deadlines),
            stats=StatsService(store, executor, engine, clock),
            privacy=PrivacyService(store, executor, clock),
            settings=SettingsService(store, executor, shared.languages, time_limits.turn),
        )

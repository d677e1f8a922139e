"""All services."""

from __future__ import annotations

from dataclasses import dataclass

from bot.runtime.deadlines import Deadlines
from bot.runtime.runtime import Runtime
from bot.services.analysis import AnalysisService
from bot.services.match_actions import MatchActionService
from bot.services.matches import MatchOperations, MatchService
from bot.services.moments import MomentService
from bot.services.puzzles import PuzzlePostService, PuzzleService
from bot.services.tutorial import TutorialService


@dataclass(frozen=True, slots=True)
class Services:
    """The services of a process, by feature."""

    matches: MatchService
    match_actions: MatchActionService
    analysis: AnalysisService
    puzzles: PuzzleService
    puzzle_posts: PuzzlePostService
    moments: MomentService
    tutorial: TutorialService

    @classmethod
    def build(cls, runtime: Runtime) -> Services:
        store = runtime.store
        executor = runtime.executor
        engine = runtime.engine
        clock = runtime.clock
        time_limits = runtime.time_limits
        deadlines = Deadlines(clock, time_limits)
        operations = MatchOperations(store, deadlines, runtime.rng)
        latest_jobs = runtime.latest_jobs
        return cls(
            matches=MatchService(store, executor, operations, deadlines, bot_id=runtime.bot_id),
            match_actions=MatchActionService(store, executor, operations, deadlines, engine),
            analysis=AnalysisService(store, executor, engine, latest_jobs),
            puzzles=PuzzleService(store, executor, engine, latest_jobs, clock),
            puzzle_posts=PuzzlePostService(store, executor, engine, clock),
            moments=MomentService(store, executor, engine, latest_jobs, clock),
            tutorial=TutorialService(store, executor, engine, latest_jobs, deadlines),
        )

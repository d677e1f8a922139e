"""All handlers, joined."""

from __future__ import annotations

from dataclasses import dataclass

from bot.handlers.analysis import AnalysisHandler
from bot.handlers.base import PersonCooldown
from bot.handlers.help import HelpHandler
from bot.handlers.match_messages import BoardMessages
from bot.handlers.matches import MatchHandler
from bot.handlers.privacy import PrivacyHandler
from bot.handlers.puzzles import PuzzleHandler
from bot.handlers.settings import SettingsHandler
from bot.handlers.stats import MatchCounter, StatsHandler
from bot.handlers.tutorial import TutorialHandler
from bot.messaging.messages import Messages
from bot.messaging.reply import Replies
from bot.services.services import Services


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers, by feature."""

    matches: MatchHandler
    analysis: AnalysisHandler
    puzzles: PuzzleHandler
    tutorial: TutorialHandler
    stats: StatsHandler
    privacy: PrivacyHandler
    settings: SettingsHandler
    help: HelpHandler
    match_counter: MatchCounter

    @classmethod
    def build(
        cls,
        services: Services,
        replies: Replies,
        messages: Messages,
        counted_together_seconds: float,
    ) -> Handlers:
        boards = BoardMessages(messages, services.matches)
        counter = MatchCounter(services.stats, boards, counted_together_seconds)
        shared = services, replies, PersonCooldown()
        matches = MatchHandler(*shared, boards, counter)
        return cls(
            matches=matches,
            analysis=AnalysisHandler(*shared, matches),
            puzzles=PuzzleHandler(*shared, messages),
            tutorial=TutorialHandler(*shared),
            stats=StatsHandler(*shared),
            privacy=PrivacyHandler(*shared, boards),
            settings=SettingsHandler(*shared),
            help=HelpHandler(*shared),
            match_counter=counter,
        )

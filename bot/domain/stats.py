"""Results: the tallies of finished matches, and the leaderboards of a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import Enum
from typing import NamedTuple

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import HeadToHead, Match, MatchResult, Place, Player
from bot.domain.pages import Page
from bot.domain.path import Path
from bot.domain.puzzles import PuzzleStats
from engine import Accuracy, Level, Rules


class TallyKey(NamedTuple):
    """The kind of matches that a tally counts.

    Attributes:
        rules: The game.
        level: The level of the bot; None for matches between people.
        hinted: Whether hints were given.
    """

    rules: Rules
    level: Level | None = None
    hinted: bool = False

    @classmethod
    def of(cls, match: Match) -> TallyKey:
        return cls(match.rules, match.bot_level, match.hints > 0)


@dataclass(frozen=True, slots=True)
class Tally:
    """A person's results in the matches of one key.

    Attributes:
        won: How many matches they won.
        drawn: How many they drew.
        lost: How many they lost.
        unbeaten: The length of the current run without a loss.
        longest: The length of the longest such run.
        critical: How many moves they made where a mistake was possible.
        kept: How many of these were no mistake.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    unbeaten: int = 0
    longest: int = 0
    kept: int = 0
    critical: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    def after(self, result: MatchResult, accuracy: Accuracy) -> Tally:
        """The tally with one more match."""
        unbeaten = 0 if result is MatchResult.LOST else self.unbeaten + 1
        return Tally(
            won=self.won + int(result is MatchResult.WON),
            drawn=self.drawn + int(result is MatchResult.DRAWN),
            lost=self.lost + int(result is MatchResult.LOST),
            unbeaten=unbeaten,
            longest=max(self.longest, unbeaten),
            kept=self.kept + accuracy.kept,
            critical=self.critical + accuracy.critical,
        )


class Leaderboard(Enum):
    """The leaderboards of a server, by their names in custom_ids.

    MONTH and EVER count points in puzzles, FRIENDS wins against people of the server.
    """

    MONTH = "month"
    EVER = "ever"
    FRIENDS = "friends"

    def on(self, day: date) -> str:
        """The name in the database on a day: each month has a leaderboard of its own."""
        return f"{day:%Y-%m}" if self is Leaderboard.MONTH else self.value


@dataclass(frozen=True, slots=True)
class RankingPage(Page):
    """A leaderboard of the server where its button is pressed; None for the fullest."""

    kind = "ranking"

    leaderboard: Leaderboard | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's line in a leaderboard. Equal scores have equal places.

    The score is a number of points or, among friends, how often they have won, drawn and lost.
    """

    place: int
    user_id: int
    score: int | HeadToHead


@dataclass(frozen=True, slots=True)
class StatsPage(Page):
    """The page with a person's results, for everybody in the channel."""

    kind = "stats"

    user_id: int


@dataclass(frozen=True, slots=True)
class Stats:
    """The results of a person, as somebody asked for them.

    Attributes:
        asker_id: Who asked.
        user_id: Whose results these are.
        tallies: Their results in matches.
        head_to_head: The score of the asker against them.
        puzzles: Their results in puzzles.
        today: The day on which the results are shown.
        path: How far they are on the path.
    """

    asker_id: int
    user_id: int
    tallies: Mapping[TallyKey, Tally]
    head_to_head: HeadToHead
    puzzles: PuzzleStats
    today: date
    path: Path = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not self.tallies and self.puzzles.is_new


@dataclass(frozen=True, slots=True)
class Standings:
    """A server's leaderboard: the best, and the asker if they are on it.

    `gone` are the people on it who have left the server.
    """

    leaderboard: Leaderboard
    lines: tuple[Standing, ...]
    asker_id: int
    gone: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class LastMatches:
    """A person's newest matches that are over, the newest first."""

    user_id: int
    matches: tuple[Match, ...]


def was_played_in(match: Match, place: Place) -> bool:
    """Whether a match was played in a server, or outside of servers in a channel."""
    if place.guild_id is None:
        return match.place.channel_id == place.channel_id
    return match.place.guild_id == place.guild_id


def without_opponent(match: Match, user_id: int) -> Match:
    """A match between people that does not say who played against `user_id`."""
    somebody = Player(DELETED_USER_ID)
    if match.x.user_id == user_id:
        return replace(match, o=somebody)
    return replace(match, x=somebody)

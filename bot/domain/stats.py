"""Results: the tallies of finished matches, and the leaderboards of a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from typing import NamedTuple

from bot.domain.ids import DELETED_USER_ID
from bot.domain.ladder import RUNGS, LadderResult, LadderResults, passed_rungs
from bot.domain.matches import HeadToHead, Match, MatchResult, Place, Player, result_for
from bot.domain.pages import Page
from bot.domain.puzzles import PuzzleStats
from engine import TIC_TAC_TOE, Accuracy, Level, Mark, Rules


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

    @property
    def is_on_ladder(self) -> bool:
        """Whether results count for the ladder: on 3x3 against the bot, without hints."""
        return self.rules == TIC_TAC_TOE and self.level in RUNGS and not self.hinted


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


def ladder_results(tallies: Mapping[TallyKey, Tally]) -> LadderResults:
    """What a person's tallies say of the ladder."""
    return {
        key.level: LadderResult(tally.won, tally.drawn)
        for key, tally in tallies.items()
        if key.level is not None and key.is_on_ladder
    }


def after_match(
    tallies: Mapping[TallyKey, Tally], match: Match, mark: Mark, accuracy: Accuracy
) -> dict[TallyKey, Tally]:
    """A person's tallies with one more match, which they played with this mark to a result."""
    key = TallyKey.of(match)
    result = result_for(mark, match)
    assert result is not None, "only results are counted"
    return {**tallies, key: tallies.get(key, Tally()).after(result, accuracy)}


def is_first_success(
    key: TallyKey, before: Mapping[TallyKey, Tally], after: Mapping[TallyKey, Tally]
) -> bool:
    """Whether a match of this kind was a first success on 3x3, by the tallies before and after it.

    That is a first win against a level, or a draw that passes a rung, without hints.
    """
    if key.level is None or key.rules != TIC_TAC_TOE or key.hinted:
        return False
    is_first_win = after[key].won == 1 and before.get(key, Tally()).won == 0
    passed = [passed_rungs(ladder_results(tallies)) for tallies in (before, after)]
    return is_first_win or passed[0] != passed[1]


class Leaderboard(Enum):
    """The leaderboards of a server, by their names in custom_ids.

    MONTH and EVER count points in puzzles, LADDER has the highest rung that somebody has passed.
    """

    MONTH = "month"
    EVER = "ever"
    LADDER = "ladder"

    def on(self, day: date) -> str:
        """The name in the database on a day: each month has a leaderboard of its own."""
        return f"{day:%Y-%m}" if self is Leaderboard.MONTH else self.value


@dataclass(frozen=True, slots=True)
class RankingPage(Page):
    """The page with a leaderboard of the server where its button is pressed."""

    kind = "ranking"

    leaderboard: Leaderboard = Leaderboard.MONTH


@dataclass(frozen=True, slots=True)
class Standing:
    """A person's line in a leaderboard. Equal scores have equal places."""

    place: int
    user_id: int
    score: int


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
    """

    asker_id: int
    user_id: int
    tallies: Mapping[TallyKey, Tally]
    head_to_head: HeadToHead
    puzzles: PuzzleStats
    today: date

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

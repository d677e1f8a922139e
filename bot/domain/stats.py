"""Results: the tallies of finished matches, and the leaderboards of a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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


@dataclass
class TallyBatch:
    """The results of some people, to which matches are added one by one.

    Attributes:
        tallies: By the id of the person, and the kind of matches.
        head_to_heads: By the two ids, the lesser first, and from that person's side.
        hidden: People whose matches are never said to be a first success.
    """

    tallies: dict[tuple[int, TallyKey], Tally] = field(default_factory=dict)
    head_to_heads: dict[tuple[int, int], HeadToHead] = field(default_factory=dict)
    hidden: frozenset[int] = frozenset()

    def add(
        self, match: Match, user_ids: Mapping[Mark, int], accuracies: Mapping[Mark, Accuracy]
    ) -> Match:
        """Count a match for the players in `user_ids`; return it with `is_first` set."""
        if result_for(Mark.X, match) is None:
            return match
        is_first = False
        for mark, user_id in user_ids.items():
            accuracy = accuracies.get(mark, Accuracy())
            if self._add_to_tally(match, mark, user_id, accuracy):
                is_first = True
        if len(user_ids) == len(Mark):
            self._add_head_to_head(match)

        has_hidden_player = not self.hidden.isdisjoint(user_ids.values())
        return replace(match, is_first=is_first and not has_hidden_player)

    def _add_to_tally(self, match: Match, mark: Mark, user_id: int, accuracy: Accuracy) -> bool:
        """Count a match for one player; True if it was a first success of theirs on 3x3.

        That is a first win against a level, or a draw that passes a rung, without hints.
        """
        key = TallyKey.of(match)
        result = result_for(mark, match)
        assert result is not None, "only results are counted"
        passed_before = passed_rungs(self.ladder_of(user_id)) if key.is_on_ladder else ()
        self.tallies[user_id, key] = self._tally(user_id, key).after(result, accuracy)

        is_of_level = key.level is not None and key.rules == TIC_TAC_TOE and not key.hinted
        if result is MatchResult.WON and is_of_level:
            return self._tally(user_id, key).won == 1
        return key.is_on_ladder and passed_rungs(self.ladder_of(user_id)) != passed_before

    def ladder_of(self, user_id: int) -> LadderResults:
        """A person's results on the ladder."""
        keys = [TallyKey(TIC_TAC_TOE, level) for level in RUNGS]
        return ladder_results({key: self._tally(user_id, key) for key in keys})

    def _tally(self, user_id: int, key: TallyKey) -> Tally:
        return self.tallies.get((user_id, key), Tally())

    def _add_head_to_head(self, match: Match) -> None:
        x_id = match.x.user_id
        o_id = match.o.user_id
        pair = (min(x_id, o_id), max(x_id, o_id))
        mark_of_first = Mark.X if x_id < o_id else Mark.O
        result = result_for(mark_of_first, match)
        assert result is not None, "only results are counted"
        before = self.head_to_heads.get(pair, HeadToHead())
        self.head_to_heads[pair] = before.after(result)


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

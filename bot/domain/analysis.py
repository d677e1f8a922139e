"""Hints and reviews: their pages, and what the engine says about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from bot.domain.match_actions import RematchPage
from bot.domain.matches import AnyGame, Ending, Match, PrivateMatch
from bot.domain.pages import Page
from bot.domain.private import PrivatePage, play_on
from bot.domain.rematches import can_have_rematch
from engine import Cell, Level, Mark, Record, Rules, Value, Verdict, blunders, turning_point

Verdicts = Sequence[Verdict]

REFUTATION_PLIES = 3
"""How many moves show why a move lost: as many as a fork takes."""


@dataclass(frozen=True, slots=True)
class Headers:
    """What the moves of a match do not tell: the ids of its players, and an early ending.

    Chess libraries call the tag pairs of a PGN file (Edwards, 1994, section 8.1) its headers.
    """

    x_id: int
    o_id: int
    early_ending: Ending | None = None

    @classmethod
    def of(cls, match: Match) -> Headers:
        return cls(match.x.user_id, match.o.user_id, match.early_ending)

    @property
    def loser_id(self) -> int | None:
        """The player who resigned, or whose time ran out."""
        if self.early_ending is None or self.early_ending.winner is None:
            return None
        return self.o_id if self.early_ending.winner is Mark.X else self.x_id

    def mark_of(self, user_id: int) -> Mark | None:
        """The mark of a player; None for anybody else."""
        return {self.x_id: Mark.X, self.o_id: Mark.O}.get(user_id)


class ReviewView(Enum):
    """What a review shows.

    The board at one ply; best play after the move that lost; or all that is said about the game.
    """

    BOARD = "board"
    REFUTATION = "saw"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class ReviewPage(Page):
    """The review of a game, at the board after `ply` plies; None leaves that to `shown_ply`.

    `game` is the id of a match, a private match, or the moves of a game that was replayed by its
    code. Of a refutation, so many moves are `shown`.
    """

    kind = "review"
    optional = ("view", "shown")

    game: AnyGame
    ply: int | None = None
    view: ReviewView = ReviewView.BOARD
    shown: int = 0

    @classmethod
    def of(cls, match: Match) -> ReviewPage:
        return cls(match.id)

    def check(self) -> None:
        is_refutation = self.view is ReviewView.REFUTATION
        if self.shown > REFUTATION_PLIES or (self.shown and not is_refutation):
            raise ValueError(f"no such moves are shown: {self}")
        if isinstance(self.game, Record):
            self.check_with(self.game)
        elif isinstance(self.game, PrivateMatch):
            self.check_with(self.game.record, self.game.start)

    def check_with(self, record: Record, start: int = 0) -> None:
        """Raise ValueError if no button leads to this page of a game, played from a ply on."""
        if self.ply is not None and self.ply not in range(start, len(record.moves) + 1):
            raise ValueError(f"the game has no such ply: {self}")


@dataclass(frozen=True, slots=True)
class Hint:
    """What the engine says about a position.

    Attributes:
        match: The match that the hint is for.
        private: The same as a private match, if it is one.
        verdicts: What each move is worth, the best move first.
        cell: Another move to explain, if one was pressed.
        reply: The best reply to the move at `cell`, if there is one.
        line: The line of play that shows why that move is bad, if it takes one.
        is_detailed: Whether to say what each move is worth, and why.
    """

    match: Match
    verdicts: Verdicts
    cell: Cell | None = None
    reply: Verdict | None = None
    line: Sequence[Cell] = ()
    is_detailed: bool = True
    private: PrivateMatch | None = None

    @property
    def best_verdict(self) -> Verdict:
        return self.verdicts[0]


@dataclass(frozen=True, slots=True)
class Game:
    """A game that is reviewed, and what its moves do not tell.

    Attributes:
        record: The moves.
        verdicts: What each of them was worth.
        headers: Who played it, and how it ended; None if it was replayed by its code.
        side: The mark of the player who looks at it; None for anybody else.
        rematch: What opens a rematch, if that player can have one at once.
        level: How strongly the bot played; None if it did not, or that is not known.
        start: The ply from which it was played; what came before is a position.
    """

    record: Record
    verdicts: Verdicts
    headers: Headers | None = None
    side: Mark | None = None
    rematch: RematchPage | None = None
    level: Level | None = None
    start: int = 0

    @property
    def winner(self) -> Mark | None:
        early_ending = self.headers.early_ending if self.headers else None
        outcome = self.record.boards[-1].outcome() or early_ending
        return outcome.winner if outcome else None

    @property
    def key_ply(self) -> int | None:
        """The ply of the mistake that decided the game; None if no move changed the result.

        For a player who has not won, it is a mistake of their own, if they made any.
        """
        plies = blunder_plies(self.verdicts, start=self.start)
        return _key_ply(plies, self.side, self.winner)

    @property
    def decisive_ply(self) -> int | None:
        """The ply at which the value changed for the last time; None if it never did."""
        ply = find_decisive_ply(self.verdicts)
        return None if ply is None or ply <= self.start else ply

    @property
    def lost_ply(self) -> int | None:
        """The ply of the move that lost the game, for its player and for those who did not play."""
        ply = self.decisive_ply
        if ply is None or self.record.boards[ply].is_terminal:
            return None
        verdict = self.verdicts[ply - 1]
        is_lost = verdict.worth.value is Value.LOSS and self.side in (None, verdict.mark)
        return ply if is_lost else None

    @property
    def mistake_plies(self) -> list[int]:
        """The plies of the mistakes to try again: the player's own; for others, all."""
        return blunder_plies(self.verdicts, self.side, self.start)

    def play_on(self, ply: int, side: Mark | None = None) -> PrivatePage | None:
        """The private match from a ply on: of one side, of the player, or of whose turn it is."""
        if not self.verdicts:
            return None
        side = side or self.side or self.record.boards[ply].to_move
        is_last = ply == len(self.verdicts)
        verdict = self.verdicts[ply - is_last]
        value = verdict.worth.value if is_last else verdict.best_worth.value
        is_won = value.utility(verdict.mark) == Value.WIN.utility(side)
        return play_on(self.record, ply, side, None if is_won else self.level)


def rematch_page(match: Match, user_id: int, channel_id: int) -> RematchPage | None:
    """What opens a rematch against the bot, if a person can have one in a channel."""
    is_here = match.mark_of(user_id) is not None and match.place.channel_id == channel_id
    if match.is_between_people or not is_here or not can_have_rematch(match):
        return None
    return RematchPage(match.id)


@dataclass(frozen=True, slots=True)
class Review:
    """What the engine says about a game.

    Attributes:
        page: The page to show.
        game: The game.
        line: The line of play that shows why the last move shown is bad, if it takes one.
        refutation: Best play after the move that lost, if the page shows that.
    """

    page: ReviewPage
    game: Game
    line: Sequence[Cell] = ()
    refutation: Verdicts = ()


def shown_ply(page: ReviewPage, game: Game) -> int:
    """The ply at which a review shows the board: by default the decisive one, or else the end."""
    if page.ply is not None:
        return page.ply
    return len(game.verdicts) if game.key_ply is None else game.key_ply


def find_decisive_ply(verdicts: Verdicts) -> int | None:
    """The ply at which the value of a game changed for the last time; None if it never did."""
    decisive_index = turning_point(verdicts)
    return None if decisive_index is None else decisive_index + 1


def _key_ply(plies: Sequence[int], side: Mark | None, winner: Mark | None) -> int | None:
    """Of the plies of all mistakes, the one that decided a game for a side; None if there is none.

    For a side that has not won, it is a mistake of its own, if it made any.
    """
    own = [ply for ply in plies if mark_at(ply) is side]
    if own and winner is not side:
        return own[-1]
    return plies[-1] if plies else None


def key_ply_of(match: Match) -> int | None:
    """The ply at which a match's review opens; None if at its end, or if it takes a search.

    It is known at once on small boards, for a match against the bot that ended on the board.
    """
    if match.outcome is None or match.is_between_people or not match.rules.is_small:
        return None
    plies = _blunder_plies(match.rules, match.moves)
    return _key_ply(plies, match.person_mark, match.outcome.winner)


def mark_at(ply: int) -> Mark:
    """The mark of the move that leads to a ply."""
    return Mark.X if ply % 2 else Mark.O


@lru_cache(maxsize=1_000)  # the board of a match that is over is drawn more than once
def _blunder_plies(rules: Rules, moves: tuple[Cell, ...]) -> list[int]:
    return [number + 1 for number in blunders(moves, rules)]


def weighty_mistakes(game: Game) -> list[int]:
    """The plies of the mistakes, of wins that were put off and of lines that lost.

    A player's own come first; then those that cost most, and the later ones, which had the last
    word.
    """
    verdicts = game.verdicts
    plies = [
        ply
        for ply, verdict in enumerate(verdicts, start=1)
        if ply > game.start and (verdict.is_blunder or verdict.missed_wins or verdict.lost_at_once)
    ]

    def weight(ply: int) -> tuple[bool, int, int]:
        verdict = verdicts[ply - 1]
        return verdict.mark is game.side, verdict.best_worth.value - verdict.worth.value, ply

    return sorted(plies, key=weight, reverse=True)


def has_turned(match: Match) -> bool:
    """Whether a match was surely decided by a mistake: the board tells, without a search.

    If nobody slips, the first player wins on some boards, and nobody on the others.
    """
    winner = match.outcome.winner if match.outcome else None
    return winner is not None and not (match.rules.first_player_wins and winner is Mark.X)


def blunder_plies(verdicts: Verdicts, mark: Mark | None = None, start: int = 0) -> list[int]:
    """The plies after `start` of the moves that changed the result: of one side, or of both."""
    return [
        ply
        for ply, verdict in enumerate(verdicts, start=1)
        if ply > start and verdict.is_blunder and mark in (None, verdict.mark)
    ]

"""Hints, reviews and retries: their pages, and what the engine says about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.matches import Ending, EndReason, Match
from bot.domain.pages import Page
from engine import Board, Cell, Mark, Record, Verdict, turning_point

_MAX_ID_DIGITS = 19
"""The most digits of a Discord id."""

Verdicts = Sequence[Verdict]

EARLY_ENDINGS = {
    "": None,
    "rx": Ending(EndReason.RESIGNED, winner=Mark.X),
    "ro": Ending(EndReason.RESIGNED, winner=Mark.O),
    "tx": Ending(EndReason.TIMED_OUT, winner=Mark.X),
    "to": Ending(EndReason.TIMED_OUT, winner=Mark.O),
    "c": Ending(EndReason.CALLED_OFF),
    "s": Ending(EndReason.STOPPED),
    "l": Ending(EndReason.LEFT),
}
"""The endings that the moves do not tell, by their names in custom_ids."""


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

    def __str__(self) -> str:
        names = {ending: name for name, ending in EARLY_ENDINGS.items()}
        return f"{names.get(self.early_ending, '')}-{self.x_id}-{self.o_id}"

    @classmethod
    def parse(cls, text: str) -> Headers:
        early_ending, x, o = text.split("-")
        if early_ending not in EARLY_ENDINGS:
            raise ValueError(f"unknown ending: {text}")
        if max(len(x), len(o)) > _MAX_ID_DIGITS:
            raise ValueError(f"an id has too many digits: {text}")
        return cls(int(x), int(o), EARLY_ENDINGS[early_ending])


@dataclass(frozen=True, slots=True)
class ReviewPage(Page):
    """The review of a game, at the board after `ply` plies; None leaves that to `shown_ply`."""

    kind = "review"
    optional = ("headers",)

    record: Record
    ply: int | None = None
    headers: Headers | None = None

    @classmethod
    def of(cls, match: Match) -> ReviewPage:
        return cls(match.record, headers=Headers.of(match))

    def check(self) -> None:
        if self.ply is not None and self.ply not in range(len(self.record.moves) + 1):
            raise ValueError(f"the game has no such ply: {self}")


@dataclass(frozen=True, slots=True)
class RetryPage(Page):
    """A search for a better move than the mistake at `ply`; `cell` is the last try."""

    kind = "retry"
    optional = ("headers",)

    record: Record
    ply: int
    cell: Cell | None = None
    headers: Headers | None = None

    def check(self) -> None:
        if self.ply not in range(1, len(self.record.moves) + 1):
            raise ValueError(f"the game has no such ply: {self}")
        if self.cell is not None and self.cell not in self.board.actions():
            raise ValueError(f"the cell is not free: {self}")
        if self.cell == self.mistake:
            raise ValueError(f"the mistake itself is no better move: {self}")

    @property
    def board(self) -> Board:
        """The position before the mistake."""
        return self.record.boards[self.ply - 1]

    @property
    def mistake(self) -> Cell:
        return self.record.moves[self.ply - 1]

    @property
    def review(self) -> ReviewPage:
        """The page that reviews the mistake."""
        return ReviewPage(self.record, self.ply, self.headers)


@dataclass(frozen=True, slots=True)
class HintPage(Page):
    """The best move in the last position of a game, or another to explain."""

    kind = "hint"

    record: Record
    cell: Cell | None = None

    def check(self) -> None:
        free_cells = self.record.boards[-1].actions()
        if not free_cells:
            raise ValueError(f"the game is over: {self}")
        if self.cell is not None and self.cell not in free_cells:
            raise ValueError(f"the cell is not free: {self}")


@dataclass(frozen=True, slots=True)
class Hint:
    """What the engine says about a position.

    Attributes:
        page: The page to show.
        verdicts: What each move is worth, the best move first.
        reply: The best reply to the move at `page.cell`, if there is one.
        match: The match that the hint is for; None for a button of an older release.
        is_detailed: Whether to say what each move is worth, and why.
    """

    page: HintPage
    verdicts: Verdicts
    reply: Verdict | None = None
    match: Match | None = None
    is_detailed: bool = True

    @property
    def best_verdict(self) -> Verdict:
        return self.verdicts[0]


@dataclass(frozen=True, slots=True)
class Review:
    """What the engine says about a game.

    Attributes:
        page: The page to show.
        verdicts: What each move of the game was worth.
        reply: The best reply to the last move shown, if that was a blunder that loses.
        asker_id: Who looks at it.
    """

    page: ReviewPage
    verdicts: Verdicts
    reply: Verdict | None = None
    asker_id: int | None = None

    @property
    def is_by_player(self) -> bool:
        """Whether a player of the match looks at it, as far as the page tells."""
        headers = self.page.headers
        return headers is not None and self.asker_id in (headers.x_id, headers.o_id)


@dataclass(frozen=True, slots=True)
class Retry:
    """What the engine says about another move in place of a mistake.

    Attributes:
        page: The page to show.
        verdicts: What each move of the game was worth.
        try_verdict: The verdict on the move at `page.cell`, if there is one.
        reply: The best reply to that move, if it loses.
    """

    page: RetryPage
    verdicts: Verdicts
    try_verdict: Verdict | None = None
    reply: Verdict | None = None


def shown_ply(page: ReviewPage, verdicts: Verdicts) -> int:
    """The ply at which a review shows the board: by default the decisive one, or else the end."""
    if page.ply is not None:
        return page.ply
    decisive_ply = find_decisive_ply(verdicts)
    return len(verdicts) if decisive_ply is None else decisive_ply


def find_decisive_ply(verdicts: Verdicts) -> int | None:
    """The ply at which the value of a game changed for the last time; None if it never did."""
    decisive_index = turning_point(verdicts)
    return None if decisive_index is None else decisive_index + 1


def next_mistake(page: RetryPage, verdicts: Verdicts) -> int | None:
    """The ply of the next mistake; after the last comes the first. None if there is no other."""
    mistakes = [ply for ply, verdict in enumerate(verdicts, 1) if verdict.is_blunder]
    later = [ply for ply in mistakes if ply > page.ply]
    earlier = [ply for ply in mistakes if ply < page.ply]
    if later:
        return later[0]
    return earlier[0] if earlier else None

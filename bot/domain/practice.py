"""One's own mistakes in one's last matches, practised one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from bot.domain.analysis import blunder_plies
from bot.domain.matches import Match
from bot.domain.pages import Page
from engine import Cell, Level, Mark, Verdict

_MAX_MISTAKES = 1_000
"""More than there can be in one's last matches."""


class PracticeStep(Enum):
    """What a page does with a mistake: let one try, show the right move, or lead to the next."""

    TRY = "try"
    SHOW = "show"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class MistakePage(Page):
    """The mistake at `ply` of a match, or the next one; without a match, that is the first.

    Attributes:
        tries: The cells that were tried.
        met: How many mistakes came before.
        right: How many of them were put right on the first try.
    """

    kind = "mistake"
    optional = ("match_id", "ply", "tries", "met", "right")

    step: PracticeStep = PracticeStep.NEXT
    match_id: int | None = None
    ply: int = 0
    tries: tuple[Cell, ...] = ()
    met: int = 0
    right: int = 0

    def check(self) -> None:
        if self.match_id is None and self != MistakePage():
            raise ValueError(f"a mistake is in a match: {self}")
        if len(set(self.tries)) < len(self.tries):
            raise ValueError(f"a cell is tried twice: {self}")
        if not self.right <= self.met < _MAX_MISTAKES:
            raise ValueError(f"no run has this score: {self}")


@dataclass(frozen=True, slots=True)
class Exercise:
    """A mistake to practise.

    Attributes:
        page: The page to show.
        user_id: Whose mistake it is.
        match: The match; one played elsewhere does not say against whom.
        mistake: The verdict on the move that was made.
        answer: The verdict on the last try, or on the move that is shown.
    """

    page: MistakePage
    user_id: int
    match: Match
    mistake: Verdict
    answer: Verdict | None = None

    @property
    def is_over(self) -> bool:
        """Whether the mistake is put right, or the right move is shown."""
        return self.answer is not None and self.answer.kept_value

    @property
    def is_shown(self) -> bool:
        return self.page.step is PracticeStep.SHOW

    @property
    def next_page(self) -> MistakePage:
        """The page after this mistake, which is over."""
        page = self.page
        is_right_at_once = len(page.tries) == 1 and not self.is_shown
        return MistakePage(
            PracticeStep.NEXT,
            page.match_id,
            page.ply,
            met=page.met + 1,
            right=page.right + is_right_at_once,
        )


@dataclass(frozen=True, slots=True)
class PracticeEnd:
    """The end of the run: no mistake is left, or there was none.

    Attributes:
        met: How many mistakes there were.
        right: How many of them were put right on the first try.
        level: The level to play next, if there are matches, and no mistake in them.
    """

    met: int = 0
    right: int = 0
    level: Level | None = None


def own_mistakes(verdicts: Sequence[Verdict], mark: Mark | None) -> list[int]:
    """The plies at which a player's own move changed the result."""
    return [ply for ply in blunder_plies(verdicts) if verdicts[ply - 1].mark is mark]

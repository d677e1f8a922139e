"""Mistakes to try again, one after the other: those of a game, or of one's last matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from bot.domain.analysis import Game, ReviewPage, Verdicts, blunder_plies
from bot.domain.matches import AnyGame, Match, PrivateMatch
from bot.domain.pages import Page
from bot.domain.private import PrivatePage
from bot.domain.refusals import RefusalReason, Refused
from engine import Cell, Level, Mark, Verdict

_MAX_MISTAKES = 1_000
"""More than there can be in one's last matches."""


class MistakeStep(Enum):
    """What a page does with a mistake: let one try, show the right move, or lead to the next."""

    TRY = "try"
    SHOW = "show"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class MistakePage(Page):
    """The mistake at `ply` of a game, or the next one; without a game, that is the first.

    Attributes:
        game: As in `ReviewPage`.
        tries: The cells that were tried.
        met: How many mistakes came before.
        right: How many of them were put right on the first try.
        in_review: Whether the mistakes are those of a game that is reviewed, to which one returns;
            else they are one's own in one's last matches.
    """

    kind = "mistake"
    optional = ("game", "ply", "tries", "met", "right", "in_review")

    step: MistakeStep = MistakeStep.NEXT
    game: AnyGame | None = None
    ply: int = 0
    tries: tuple[Cell, ...] = ()
    met: int = 0
    right: int = 0
    in_review: bool = False

    def check(self) -> None:
        if self.game is None and self != MistakePage():
            raise ValueError(f"a mistake is in a game: {self}")
        if not isinstance(self.game, int | None) and not self.in_review:
            raise ValueError(f"a game without a match is nobody's own: {self}")
        if len(set(self.tries)) < len(self.tries):
            raise ValueError(f"a cell is tried twice: {self}")
        if not self.right <= self.met < _MAX_MISTAKES:
            raise ValueError(f"no run has this score: {self}")

    @property
    def review(self) -> ReviewPage | None:
        """The review to which one returns, at the mistake."""
        if self.game is None or not self.in_review:
            return None
        return ReviewPage(self.game, self.ply)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake to try again.

    Attributes:
        page: The page to show.
        verdict: The verdict on the move that was made.
        match: The match, unless it is reviewed; one played elsewhere does not say against whom.
        answer: The verdict on the last try, or on the move that is shown.
        play_on: The private match from before the mistake on.
    """

    page: MistakePage
    verdict: Verdict
    match: Match | None = None
    answer: Verdict | None = None
    play_on: PrivatePage | None = None

    @property
    def is_over(self) -> bool:
        """Whether the mistake is put right, or the right move is shown."""
        return self.answer is not None and self.answer.kept_value

    @property
    def is_shown(self) -> bool:
        return self.page.step is MistakeStep.SHOW

    @property
    def next_page(self) -> MistakePage:
        """The page after this mistake, which is over."""
        page = self.page
        is_right_at_once = len(page.tries) == 1 and not self.is_shown
        return replace(
            page,
            step=MistakeStep.NEXT,
            tries=(),
            met=page.met + 1,
            right=page.right + is_right_at_once,
        )


@dataclass(frozen=True, slots=True)
class MistakeEnd:
    """The end: no mistake is left, or there was none.

    Attributes:
        page: The page to show, with the score.
        game: The game that is reviewed.
        level: The level to play next, if there are matches, and no mistake in them.
    """

    page: MistakePage
    game: Game | None = None
    level: Level | None = None


def find_mistake(
    page: MistakePage, game: AnyGame, verdicts: Verdicts, mark: Mark | None
) -> Mistake | None:
    """The mistake of a page in a game, or the next one; None if there is none.

    Those that come next are of one side; if `mark` is None, of both.

    Raises:
        Refused: No button leads to the page.
    """
    start = game.start if isinstance(game, PrivateMatch) else 0
    found: MistakePage | None = page
    if game != page.game or page.step is MistakeStep.NEXT:
        plies = blunder_plies(verdicts, mark, start)
        found = _next_in_review(page, plies) if page.in_review else _next_own(page, game, plies)
    elif page.ply not in blunder_plies(verdicts, None if page.in_review else mark, start):
        raise Refused(RefusalReason.UNKNOWN_BUTTON)
    return None if found is None else Mistake(found, verdicts[found.ply - 1])


def _next_in_review(page: MistakePage, plies: Sequence[int]) -> MistakePage | None:
    """The next one of the game; after the last the first, as a review may begin with any."""
    if page.ply not in plies:  # the other side's, which does not count
        page = replace(page, met=0, right=0)
    if page.met >= len(plies):
        return None
    ply = next((ply for ply in plies if ply > page.ply), plies[0])
    return replace(page, step=MistakeStep.TRY, ply=ply, tries=())


def _next_own(page: MistakePage, game: AnyGame, plies: Sequence[int]) -> MistakePage | None:
    """The next one of the page's game, or the first of another."""
    to_come = [ply for ply in plies if game != page.game or ply > page.ply]
    if not to_come:
        return None
    return replace(page, step=MistakeStep.TRY, game=game, ply=to_come[0], tries=())

"""What a search asks of a game for two players, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engine.board import Mark

Action = TypeVar("Action")


class Game(Protocol[Action]):
    """A position of a game. `Board` is one; Nim or Connect Four plug in the same way."""

    @property
    def to_move(self) -> Mark:
        """Whose turn it is: X wants the utility large, O wants it small."""

    def actions(self) -> Sequence[Action]:
        """The legal moves, in the order in which they are to be tried."""

    def result(self, action: Action, /) -> Game[Action]:
        """The position after a move; this one stays as it is."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @property
    def utility(self) -> int:
        """What the finished game is worth to X."""


Evaluation = Callable[[Any], float]
"""What an unfinished position seems worth to X, on the scale of the utility and within it."""

Order = Callable[[Any], Sequence[Action]]
"""The legal moves of a position, the most promising first."""


@dataclass(frozen=True, slots=True)
class Search(Generic[Action]):
    """What a search found, and what it cost."""

    value: float
    """The utility that best play by both sides leads to, or its estimate at the depth limit."""
    principal_variation: tuple[Action, ...]
    """That best play, move by move."""
    best_actions: tuple[Action, ...]
    """The first of the best moves; all of them where `every_best` was asked."""
    nodes: int
    """Visits to positions, the root included: one that is reached in two ways counts twice."""
    cutoffs: int
    """How many times the rest of a position's moves was left unread."""
    is_complete: bool
    """Whether no line was left at the depth limit, so that the value is no estimate."""

    @property
    def distance_plies(self) -> int:
        """How many moves best play takes to the end."""
        return len(self.principal_variation)

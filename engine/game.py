"""The interface between a search and a two-player game, and the result of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engine.grid import Mark

Action = TypeVar("Action")


class Game(Protocol[Action]):
    """A position of a game. `Board` is one; Nim or Connect Four plug in the same way."""

    @property
    def to_move(self) -> Mark:
        """Whose turn it is: X wants the utility large, O wants it small."""

    def actions(self) -> Sequence[Action]:
        """The legal moves, in the order in which a search tries them."""

    def result(self, action: Action, /) -> Game[Action]:
        """The position after a move; this one does not change."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @property
    def utility(self) -> int:
        """The value of the finished game to X."""


Evaluation = Callable[[Any], float]
"""A heuristic: the estimated value of an unfinished position to X, in the utility's range."""

Order = Callable[[Any], Sequence[Action]]
"""A move ordering: the legal moves of a position, the most promising first."""


@dataclass(frozen=True, slots=True)
class Search(Generic[Action]):
    """The result of a search, and its cost."""

    value: float
    """The utility that best play by both sides leads to, or its estimate at the depth limit."""
    principal_variation: tuple[Action, ...]
    """Best play by both sides, move by move."""
    best_actions: tuple[Action, ...]
    """The first best move, or all of them with `every_best`; empty when the game is over."""
    nodes: int
    """Positions visited, the root included; one that is reached in two ways counts twice."""
    cutoffs: int
    """How many times the remaining moves of a position, if any, were cut off."""
    is_complete: bool
    """Whether the depth limit never stopped the search, so that the value is exact."""

    @property
    def distance_plies(self) -> int:
        """The length of the principal variation."""
        return len(self.principal_variation)

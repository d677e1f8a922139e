"""Alpha-beta minimax over any two-player, zero-sum game: the textbook, done well.

Minimax plays out every line to its end and works back. Where X is to move the value of a
position is the largest among its successors, where O is to move the smallest. Alpha-beta finds
the same value sooner. It carries two bounds down the tree: *alpha*, what X is already sure of
elsewhere, and *beta*, what O is. Once a position proves worse for one of them than what that
player already has, neither will let it arise, and its remaining moves are cut off unread.

Knuth and Moore, *An Analysis of Alpha-Beta Pruning* (1975); Russell and Norvig, *Artificial
Intelligence: A Modern Approach*, chapter on adversarial search, whose names are used here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

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


@dataclass(frozen=True, slots=True)
class Search(Generic[Action]):
    """What a search found, and what it cost."""

    value: int
    """The utility that best play by both sides leads to."""
    principal_variation: tuple[Action, ...]
    """That best play, move by move."""
    best_actions: tuple[Action, ...]
    """The first moves known to be equally good: all of them where `every_best` was asked."""
    nodes: int
    """Positions visited, the root included."""
    cutoffs: int
    """How many times the rest of a position's moves was left unread."""

    @property
    def distance_plies(self) -> int:
        """How many moves best play takes to the end."""
        return len(self.principal_variation)


def minimax(state: Game[Action], rng: random.Random | None = None) -> Action | None:
    """The best move, or None when the game is over.

    It wins the soonest way and loses the latest. Among equals it takes the first, or lets `rng`
    choose.
    """
    best = search(state, every_best=rng is not None).best_actions
    if not best:
        return None
    return best[0] if rng is None else rng.choice(best)


def search(
    state: Game[Action], *, pruning: bool = True, every_best: bool = False
) -> Search[Action]:
    """Search a game to its end.

    Without `pruning` plain minimax finds the same value, at the cost of every node. With
    `every_best` the moves that equal the best are told from those it merely bounds, which
    leaves less to cut.
    """
    return _Searcher[Action](pruning=pruning).search(state, slack=1 if every_best else 0)


# A score orders utilities first and plies second: an integer in which one point of utility
# outweighs any number of plies, so that a win now is worth more than a win later.
_UTILITY_POINTS = 10_000
_INFINITY = 2**63


def _score(utility: int, plies: int) -> int:
    haste = (utility < 0) - (utility > 0)
    return utility * _UTILITY_POINTS + haste * plies


class _Searcher(Generic[Action]):
    def __init__(self, *, pruning: bool) -> None:
        self.pruning = pruning
        self.nodes = 0
        self.cutoffs = 0

    def search(self, root: Game[Action], slack: int) -> Search[Action]:
        self.nodes += 1
        if root.is_terminal:
            return Search(root.utility, (), (), self.nodes, self.cutoffs)
        best_score, best = self._best_lines(root, slack)
        return Search(
            value=round(best_score / _UTILITY_POINTS),
            principal_variation=best[0],
            best_actions=tuple(line[0] for line in (best if slack else best[:1])),
            nodes=self.nodes,
            cutoffs=self.cutoffs,
        )

    def _best_lines(self, root: Game[Action], slack: int) -> tuple[int, list[tuple[Action, ...]]]:
        """The best score and the lines that reach it; with no slack only the first is certain.

        A move that merely equals the best so far fails against a bound at that best, and comes
        back as "no better". One point of slack lets it prove that it is no worse either.
        """
        maximizing = root.to_move is Mark.X
        best_score = -_INFINITY if maximizing else _INFINITY
        best: list[tuple[Action, ...]] = []
        for action in root.actions():
            alpha = best_score - slack if maximizing else -_INFINITY
            beta = _INFINITY if maximizing else best_score + slack
            score, line = self._value(root.result(action), alpha, beta, plies=1)
            if score > best_score if maximizing else score < best_score:
                best_score, best = score, []
            if score == best_score:
                best.append((action, *line))
        return best_score, best

    def _value(
        self, state: Game[Action], alpha: int, beta: int, plies: int
    ) -> tuple[int, tuple[Action, ...]]:
        self.nodes += 1
        if state.is_terminal:
            return _score(state.utility, plies), ()
        if state.to_move is Mark.X:
            return self._max_value(state, alpha, beta, plies)
        return self._min_value(state, alpha, beta, plies)

    def _max_value(
        self, state: Game[Action], alpha: int, beta: int, plies: int
    ) -> tuple[int, tuple[Action, ...]]:
        best: tuple[int, tuple[Action, ...]] = -_INFINITY, ()
        for action in state.actions():
            score, line = self._value(state.result(action), alpha, beta, plies + 1)
            if score > best[0]:
                best = score, (action, *line)
            alpha = max(alpha, score)
            if self.pruning and alpha >= beta:
                self.cutoffs += 1
                break
        return best

    def _min_value(
        self, state: Game[Action], alpha: int, beta: int, plies: int
    ) -> tuple[int, tuple[Action, ...]]:
        best: tuple[int, tuple[Action, ...]] = _INFINITY, ()
        for action in state.actions():
            score, line = self._value(state.result(action), alpha, beta, plies + 1)
            if score < best[0]:
                best = score, (action, *line)
            beta = min(beta, score)
            if self.pruning and beta <= alpha:
                self.cutoffs += 1
                break
        return best

"""Minimax with alpha-beta pruning for any two-player, zero-sum game.

Minimax plays out every line to its end and works back. Where X is to move the utility of a
position is the largest among its successors, where O is to move the smallest. Alpha-beta finds the
same utility sooner. It carries two bounds down the tree: *alpha*, the utility that X has already
secured elsewhere, and *beta*, the one that O has. Once a position proves worse for a player than
that player's bound, the player avoids it, and its remaining moves are cut off. The search is
fail-soft: a score outside the bounds is still the best that was found, so the transposition table
can keep it as a bound on the true one.

Knuth and Moore, *An Analysis of Alpha-Beta Pruning* (1975); Russell and Norvig, *Artificial
Intelligence: A Modern Approach*, chapter on adversarial search, whose terms are used here.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from engine.board import Mark

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
        """What the finished game is worth to X."""


Evaluation = Callable[[Any], float]
"""A heuristic: the estimated value of an unfinished position to X, in the utility's range."""

Order = Callable[[Any], Sequence[Action]]
"""A move ordering: the legal moves of a position, the most promising first."""


@dataclass(frozen=True, slots=True)
class Search(Generic[Action]):
    """The result of a search, and its cost."""

    utility: float
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


Score = tuple[float, int]
"""The utility, then the speed as a tie-break: sooner wins and later losses are better."""

ScoredLine = tuple[Score, tuple[Action, ...]]
"""A position's score, and best play from there."""


class _Entry(NamedTuple, Generic[Action]):
    """What a visit found: a score that the true one is at least, at most, or both.

    It counts plies from the position, not from the root; `depth` is how many plies deep the search
    went from there, None if to the end.
    """

    score: Score
    is_at_least: bool
    is_at_most: bool
    line: tuple[Action, ...]
    depth: int | None


_LOWEST: Score = (-math.inf, 0)
_HIGHEST: Score = (math.inf, 0)


def minimax(state: Game[Action], rng: random.Random | None = None) -> Action | None:
    """The best move, or None when the game is over.

    It wins as soon and loses as late as possible. Of equally good moves it takes the first, or one
    at random if there is an `rng`.
    """
    best_actions = search(state, every_best=rng is not None).best_actions
    if not best_actions:
        return None
    return best_actions[0] if rng is None else rng.choice(best_actions)


def deepen(
    state: Game[Action], evaluate: Evaluation | None = None, *, max_utility: float = 1
) -> Iterator[Search[Action]]:
    """Iterative deepening: search one ply deep, then two, and so on.

    Every search yields a result, and the repeated work is small beside the last search. It stops
    once a search is complete, or proves a win for either player: a utility of `max_utility` or its
    negative. So `evaluate` must stay strictly between them, and a game with utilities beyond 1 must
    pass `max_utility`.
    """
    for depth in itertools.count(1):
        result = search(state, depth_limit=depth, evaluate=evaluate, memory=True)
        yield result
        if result.is_complete or abs(result.utility) >= max_utility:
            return


def search(  # noqa: C901, PLR0913, PLR0915 - the textbook's functions share a search's options
    root: Game[Action],
    *,
    pruning: bool = True,
    order: Order[Action] | None = None,
    memory: bool = False,
    depth_limit: int | None = None,
    evaluate: Evaluation | None = None,
    every_best: bool = False,
    soonest: bool = True,
) -> Search[Action]:
    """Search a game to its end, or to a depth limit.

    The first three options change the cost, never the value. `pruning` cuts off moves that cannot
    matter. A good `order` tries strong moves first, so that more is cut off. `memory` adds a
    transposition table, so that a position reached by several move orders is searched once;
    positions must be hashable. At `depth_limit` plies the search stops and takes the estimate of
    `evaluate`, or 0. `every_best` finds all the best moves, with fewer cut-offs. Without `soonest`
    all wins are equal, early or late: the textbook's plain values, with more cut-offs.

    Raises:
        ValueError: The depth limit is less than one ply.
    """
    if depth_limit is not None and depth_limit < 1:
        raise ValueError(f"a search looks at least one ply ahead, not {depth_limit}")
    order = order or (lambda state: state.actions())
    evaluate = evaluate or (lambda _state: 0)
    table: dict[Game[Action], _Entry[Action]] = {}
    nodes, cutoffs, is_complete = 1, 0, True
    no_line: tuple[Action, ...] = ()

    def value(state: Game[Action], alpha: Score, beta: Score, plies: int) -> ScoredLine[Action]:
        """The score of a position, `plies` below the root, and best play from there."""
        nonlocal nodes, is_complete
        nodes += 1
        if state.is_terminal:
            return delayed((state.utility, 0), plies), ()
        if plies == depth_limit:
            is_complete = False
            return (evaluate(state), 0), ()
        if memory and (known := recall(state, alpha, beta, plies)):
            return known
        best_value = max_value if state.to_move is Mark.X else min_value
        found = best_value(state, alpha, beta, plies)
        if memory:
            remember(state, alpha, beta, plies, found)
        return found

    # The textbook's pair: they mirror each other, as one function for both players would be slower.

    def max_value(state: Game[Action], alpha: Score, beta: Score, plies: int) -> ScoredLine[Action]:
        nonlocal cutoffs
        best_score, best_line = _LOWEST, no_line
        for action in order(state):
            score, line = value(state.result(action), alpha, beta, plies + 1)
            if score > best_score:
                best_score, best_line = score, (action, *line)
            alpha = max(alpha, score)
            if pruning and alpha >= beta:
                cutoffs += 1
                break
        return best_score, best_line

    def min_value(state: Game[Action], alpha: Score, beta: Score, plies: int) -> ScoredLine[Action]:
        nonlocal cutoffs
        best_score, best_line = _HIGHEST, no_line
        for action in order(state):
            score, line = value(state.result(action), alpha, beta, plies + 1)
            if score < best_score:
                best_score, best_line = score, (action, *line)
            beta = min(beta, score)
            if pruning and beta <= alpha:
                cutoffs += 1
                break
        return best_score, best_line

    def delayed(score: Score, plies: int) -> Score:
        """The same score with the end `plies` plies further away."""
        utility, speed = score
        sign = (utility > 0) - (utility < 0)
        return utility, speed - sign * plies if soonest else 0

    def recall(
        state: Game[Action], alpha: Score, beta: Score, plies: int
    ) -> ScoredLine[Action] | None:
        """What an earlier visit found, if it is enough between these bounds."""
        entry = table.get(state)
        if entry is None or entry.depth != depth_below(plies):
            return None
        score = delayed(entry.score, plies)
        is_exact = entry.is_at_least and entry.is_at_most
        if is_exact or (score >= beta if entry.is_at_least else score <= alpha):
            return score, entry.line
        return None

    def remember(
        state: Game[Action], alpha: Score, beta: Score, plies: int, found: ScoredLine[Action]
    ) -> None:
        score, line = found
        table[state] = _Entry(
            delayed(score, -plies),
            is_at_least=score > alpha or not pruning,
            is_at_most=score < beta or not pruning,
            line=line,
            depth=depth_below(plies),
        )

    def depth_below(plies: int) -> int | None:
        return None if depth_limit is None else depth_limit - plies

    def best_lines() -> tuple[Score, list[tuple[Action, ...]]]:
        """The score of the root and the lines that reach it: of equal moves, only the first.

        With `every_best`, of all of them. Against a bound at the best score so far, a worse move
        can return the same score as an equal one; one ply of slack tells them apart.
        """
        maximizing = root.to_move is Mark.X
        slack = 1 if every_best else 0
        best_score = _LOWEST if maximizing else _HIGHEST
        lines: list[tuple[Action, ...]] = []
        for action in order(root):
            utility, speed = best_score
            alpha = (utility, speed - slack) if maximizing else _LOWEST
            beta = _HIGHEST if maximizing else (utility, speed + slack)
            score, line = value(root.result(action), alpha, beta, 1)
            is_better = score > best_score if maximizing else score < best_score
            if is_better:
                best_score, lines = score, []
            if score == best_score:
                lines.append((action, *line))
        return best_score, lines if every_best else lines[:1]

    if root.is_terminal:
        return Search(root.utility, (), (), nodes, cutoffs, is_complete)
    (utility, _), lines = best_lines()
    best_actions = tuple(line[0] for line in lines)
    return Search(utility, lines[0], best_actions, nodes, cutoffs, is_complete)

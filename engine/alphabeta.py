"""Minimax with alpha-beta pruning for any two-player, zero-sum game.

Minimax plays out every line to its end and works back. Where X is to move the utility of a
position is the largest among its successors, where O is to move the smallest. Alpha-beta finds the
same utility sooner. It carries two bounds down the tree: *alpha*, the utility that X has already
secured elsewhere, and *beta*, the one that O has. Once a position proves worse for a player than
that player's bound, the player avoids it, and its remaining moves are cut off.

`AlphaBeta` is that search, and no more. What else `search` offers stands beside it: speed, move
ordering and the depth limit in `Position`, the transposition table in `_Remembering`, and the list
of all the best moves in `_best_lines`.

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


Score = tuple[float, int]
"""The utility, then the speed as a tie-break: sooner wins and later losses are better."""

Found = tuple[Score, tuple[Action, ...]]
"""The score of a position, and best play from there."""

_LOWEST: Score = (-math.inf, 0)
_HIGHEST: Score = (math.inf, 0)


class AlphaBeta(Generic[Action]):
    """The textbook's search; `nodes` and `cutoffs` are counted from its creation on.

    It is fail-soft: a score between alpha and beta is exact. If it is alpha or less, the true one
    is no greater; if it is beta or more, no less.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self.cutoffs = 0

    def value(
        self, position: Position[Action], alpha: Score = _LOWEST, beta: Score = _HIGHEST, /
    ) -> Found[Action]:
        self.nodes += 1
        if position.is_terminal:
            return position.score, ()
        if position.to_move is Mark.X:
            return self.max_value(position, alpha, beta)
        return self.min_value(position, alpha, beta)

    def max_value(self, position: Position[Action], alpha: Score, beta: Score) -> Found[Action]:
        best: Score = _LOWEST
        best_line: tuple[Action, ...] = ()
        for action in position.actions():
            score, line = self.value(position.result(action), alpha, beta)
            if score > best:
                best, best_line = score, (action, *line)
            alpha = max(alpha, best)
            if alpha >= beta:
                self.cutoffs += 1
                break
        return best, best_line

    def min_value(self, position: Position[Action], alpha: Score, beta: Score) -> Found[Action]:
        best: Score = _HIGHEST
        best_line: tuple[Action, ...] = ()
        for action in position.actions():
            score, line = self.value(position.result(action), alpha, beta)
            if score < best:
                best, best_line = score, (action, *line)
            beta = min(beta, best)
            if alpha >= beta:
                self.cutoffs += 1
                break
        return best, best_line


@dataclass(frozen=True, slots=True)
class _Options(Generic[Action]):
    """How `search` looks at a game; `estimate` is called at the depth limit."""

    order: Order[Action] | None
    depth_limit: int | None
    estimate: Evaluation
    soonest: bool


@dataclass(slots=True)
class Position(Generic[Action]):
    """A position of a game, `plies` below the root, with scores in the place of utilities.

    At the depth limit it counts as terminal, and its score is an estimate.
    """

    state: Game[Action]
    options: _Options[Action]
    plies: int = 0

    @property
    def to_move(self) -> Mark:
        return self.state.to_move

    def actions(self) -> Sequence[Action]:
        order = self.options.order
        return order(self.state) if order else self.state.actions()

    def result(self, action: Action) -> Position[Action]:
        return Position(self.state.result(action), self.options, self.plies + 1)

    @property
    def is_terminal(self) -> bool:
        return self.plies_left == 0 or self.state.is_terminal

    @property
    def score(self) -> Score:
        if self.plies_left == 0 and not self.state.is_terminal:
            return self.options.estimate(self.state), 0
        return self.delayed((self.state.utility, 0), self.plies)

    @property
    def plies_left(self) -> int | None:
        """How many plies are left to the depth limit, if there is one."""
        limit = self.options.depth_limit
        return None if limit is None else limit - self.plies

    def delayed(self, score: Score, plies: int) -> Score:
        """The same score with the end `plies` plies further away."""
        utility, speed = score
        sign = (utility > 0) - (utility < 0)
        return utility, speed - sign * plies if self.options.soonest else 0


class _Minimax(AlphaBeta[Action]):
    """Plain minimax: where the bounds stay open, nothing is cut off."""

    def value(
        self, position: Position[Action], _alpha: Score = _LOWEST, _beta: Score = _HIGHEST, /
    ) -> Found[Action]:
        return super().value(position)


class _Entry(NamedTuple, Generic[Action]):
    """What a visit found: a score that the true one is at least, at most, or both.

    It counts plies from the position, not from the root; `plies_left` are those to the depth limit.
    """

    score: Score
    is_at_least: bool
    is_at_most: bool
    line: tuple[Action, ...]
    plies_left: int | None


class _Remembering(AlphaBeta[Action]):
    """A search with a transposition table."""

    def __init__(self) -> None:
        super().__init__()
        self._table: dict[Game[Action], _Entry[Action]] = {}

    def value(
        self, position: Position[Action], alpha: Score = _LOWEST, beta: Score = _HIGHEST, /
    ) -> Found[Action]:
        if found := self._recall(position, alpha, beta):
            self.nodes += 1
            return found
        found = super().value(position, alpha, beta)
        self._remember(position, alpha, beta, found)
        return found

    def _recall(
        self, position: Position[Action], alpha: Score, beta: Score
    ) -> Found[Action] | None:
        """What an earlier visit found, if it is enough between these bounds."""
        entry = self._table.get(position.state)
        if entry is None or entry.plies_left != position.plies_left:
            return None
        score = position.delayed(entry.score, position.plies)
        is_exact = entry.is_at_least and entry.is_at_most
        if is_exact or (score >= beta if entry.is_at_least else score <= alpha):
            return score, entry.line
        return None

    def _remember(
        self, position: Position[Action], alpha: Score, beta: Score, found: Found[Action]
    ) -> None:
        score, line = found
        self._table[position.state] = _Entry(
            position.delayed(score, -position.plies),
            is_at_least=score > alpha,
            is_at_most=score < beta,
            line=line,
            plies_left=position.plies_left,
        )


class _RememberingMinimax(_Minimax[Action], _Remembering[Action]):
    """Plain minimax with a transposition table."""


def _best_lines(
    searcher: AlphaBeta[Action], root: Position[Action]
) -> tuple[Score, list[tuple[Action, ...]]]:
    """The score of an unfinished position, and a line for each of its best moves.

    Against a bound at the best score so far, a worse move can return the same score as an equal
    one; one ply of slack tells them apart.
    """
    is_max = root.to_move is Mark.X
    best = _LOWEST if is_max else _HIGHEST
    lines: list[tuple[Action, ...]] = []
    searcher.nodes += 1
    for action in root.actions():
        utility, speed = best
        alpha = (utility, speed - 1) if is_max else _LOWEST
        beta = _HIGHEST if is_max else (utility, speed + 1)
        score, line = searcher.value(root.result(action), alpha, beta)
        if score > best if is_max else score < best:
            best, lines = score, []
        if score == best:
            lines.append((action, *line))
    return best, lines


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


def search(  # noqa: PLR0913 - each option can be left out
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
    is_complete = True

    def estimate(state: Game[Action]) -> float:
        nonlocal is_complete
        is_complete = False
        return evaluate(state) if evaluate else 0

    options = _Options(order, depth_limit, estimate, soonest)
    searcher = _searcher(pruning=pruning, memory=memory)
    position = Position(root, options)
    if every_best and not root.is_terminal:
        (utility, _), lines = _best_lines(searcher, position)
    else:
        (utility, _), line = searcher.value(position)
        lines = [line]
    return Search(
        utility,
        principal_variation=lines[0],
        best_actions=tuple(line[0] for line in lines if line),
        nodes=searcher.nodes,
        cutoffs=searcher.cutoffs,
        is_complete=is_complete,
    )


def _searcher(*, pruning: bool, memory: bool) -> AlphaBeta[Any]:
    if pruning:
        return _Remembering() if memory else AlphaBeta()
    return _RememberingMinimax() if memory else _Minimax()


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

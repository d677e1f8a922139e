"""Alpha-beta minimax over any two-player, zero-sum game: the textbook, done well.

Minimax plays out every line to its end and works back. Where X is to move the value of a
position is the largest among its successors, where O is to move the smallest. Alpha-beta finds
the same value sooner. It carries two bounds down the tree: *alpha*, the value X can already be sure
of elsewhere, and *beta*, the value O can. Once a position proves worse for one of them than that,
that player will not let it arise, and its remaining moves are cut off. It is fail-soft: a score
outside the bounds is still the best that was found, so the transposition table can keep it as a
bound on the true one.

Knuth and Moore, *An Analysis of Alpha-Beta Pruning* (1975); Russell and Norvig, *Artificial
Intelligence: A Modern Approach*, chapter on adversarial search, whose terms are used here.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from engine.game import Action, Evaluation, Game, Order, Search
from engine.grid import Mark
from engine.transposition import Score, TranspositionTable, sign


def minimax(state: Game[Action], rng: random.Random | None = None) -> Action | None:
    """The best move, or None when the game is over.

    It wins as soon and loses as late as possible. Among equals it takes the first, or lets `rng`
    choose.
    """
    best = search(state, every_best=rng is not None).best_actions
    if not best:
        return None
    return best[0] if rng is None else rng.choice(best)


def search(  # noqa: PLR0913 - each option is a lesson of its own, and all go by name
    state: Game[Action],
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
    `evaluate`, or 0. `every_best` finds all moves as good as the best, with fewer cut-offs. Without
    `soonest` all wins are equal, early or late: the textbook's plain values, with more cut-offs.

    Raises:
        ValueError: The depth limit is less than one ply.
    """
    if depth_limit is not None and depth_limit < 1:
        raise ValueError(f"a search looks at least one ply ahead, not {depth_limit}")
    alphabeta = _AlphaBeta(
        pruning=pruning,
        order=order or (lambda position: position.actions()),
        memory=TranspositionTable() if memory else None,
        depth_limit=depth_limit,
        evaluate=evaluate or (lambda _position: 0),
        soonest=soonest,
    )
    return alphabeta.from_root(state, slack=1 if every_best else 0)


def deepen(
    state: Game[Action], evaluate: Evaluation | None = None, *, most: float = 1
) -> Iterator[Search[Action]]:
    """Iterative deepening: search one ply deep, then two, and so on.

    Every search yields an answer, and the repeated work is small beside the last one. It stops
    once a search is complete, or proves a win for either player: a value of `most` or `-most`, the
    extreme utilities. So `evaluate` must stay strictly between them, and a game with utilities
    beyond 1 must pass `most`.
    """
    for depth in itertools.count(1):
        found = search(state, depth_limit=depth, evaluate=evaluate, memory=True)
        yield found
        if found.is_complete or abs(found.value) >= most:
            return


_WORST, _BEST = (-math.inf, 0), (math.inf, 0)


@dataclass(slots=True)
class _AlphaBeta(Generic[Action]):
    pruning: bool
    order: Order[Action]
    memory: TranspositionTable[Action] | None
    depth_limit: int | None
    evaluate: Evaluation
    soonest: bool
    nodes: int = 0
    cutoffs: int = 0
    is_complete: bool = True

    def from_root(self, root: Game[Action], slack: int) -> Search[Action]:
        self.nodes += 1
        score, lines = self._best_lines(root, slack)
        return Search(
            value=score[0],
            principal_variation=lines[0],
            best_actions=tuple(line[0] for line in (lines if slack else lines[:1]) if line),
            nodes=self.nodes,
            cutoffs=self.cutoffs,
            is_complete=self.is_complete,
        )

    def _best_lines(self, root: Game[Action], slack: int) -> tuple[Score, list[tuple[Action, ...]]]:
        """The best score and the lines that reach it; without slack only the first is certain.

        Against a bound at the best score so far, a worse move can come back with the same score as
        an equal one. One ply of slack tells them apart.
        """
        if root.is_terminal:
            return self._score_of_end(root, 0), [()]
        maximizing = root.to_move is Mark.X
        best_score: Score = _WORST if maximizing else _BEST
        best: list[tuple[Action, ...]] = []
        for action in self.order(root):
            utility, haste = best_score
            alpha = (utility, haste - slack) if maximizing else _WORST
            beta = _BEST if maximizing else (utility, haste + slack)
            score, line = self._value(root.result(action), alpha, beta, plies=1)
            if score > best_score if maximizing else score < best_score:
                best_score, best = score, []
            if score == best_score:
                best.append((action, *line))
        return best_score, best

    def _value(
        self, state: Game[Action], alpha: Score, beta: Score, plies: int
    ) -> tuple[Score, tuple[Action, ...]]:
        self.nodes += 1
        if state.is_terminal:
            return self._score_of_end(state, plies), ()
        if plies == self.depth_limit:
            self.is_complete = False
            return (self.evaluate(state), 0), ()
        best_of = self._max_value if state.to_move is Mark.X else self._min_value
        if self.memory is None:
            return best_of(state, alpha, beta, plies)
        ahead = None if self.depth_limit is None else self.depth_limit - plies
        elapsed = plies if self.soonest else 0
        known = self.memory.recall(state, alpha, beta, elapsed, ahead)
        if known is not None:
            return known
        found = best_of(state, alpha, beta, plies)
        bounds = (alpha, beta) if self.pruning else (_WORST, _BEST)
        self.memory.remember(state, *bounds, elapsed, ahead, found)
        return found

    def _score_of_end(self, end: Game[Action], plies: int) -> Score:
        return end.utility, -sign(end.utility) * plies if self.soonest else 0

    def _max_value(
        self, state: Game[Action], alpha: Score, beta: Score, plies: int
    ) -> tuple[Score, tuple[Action, ...]]:
        best: tuple[Score, tuple[Action, ...]] = _WORST, ()
        for action in self.order(state):
            score, line = self._value(state.result(action), alpha, beta, plies + 1)
            if score > best[0]:
                best = score, (action, *line)
            alpha = max(alpha, score)
            if self.pruning and alpha >= beta:
                self.cutoffs += 1
                break
        return best

    def _min_value(
        self, state: Game[Action], alpha: Score, beta: Score, plies: int
    ) -> tuple[Score, tuple[Action, ...]]:
        best: tuple[Score, tuple[Action, ...]] = _BEST, ()
        for action in self.order(state):
            score, line = self._value(state.result(action), alpha, beta, plies + 1)
            if score < best[0]:
                best = score, (action, *line)
            beta = min(beta, score)
            if self.pruning and beta <= alpha:
                self.cutoffs += 1
                break
        return best

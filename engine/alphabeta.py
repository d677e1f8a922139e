"""Minimax with alpha-beta pruning for any two-player, zero-sum game.

Minimax plays out every line to its end and works back. Where X is to move the value of a
position is the largest among its successors, where O is to move the smallest. Alpha-beta finds
the same value sooner. It carries two bounds down the tree: *alpha*, the value that X has already
secured elsewhere, and *beta*, the value that O has. Once a position proves worse for a player than
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
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from engine.game import Action, Evaluation, Game, Order, Search
from engine.grid import Mark
from engine.transposition import Score, ScoredLine, TranspositionTable, sign


def minimax(state: Game[Action], rng: random.Random | None = None) -> Action | None:
    """The best move, or None when the game is over.

    It wins as soon and loses as late as possible. Of equally good moves it takes the first, or one
    at random if there is an `rng`.
    """
    best_actions = search(state, every_best=rng is not None).best_actions
    if not best_actions:
        return None
    return best_actions[0] if rng is None else rng.choice(best_actions)


def search(  # noqa: PLR0913 - the options are independent, and passed by name
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
    `evaluate`, or 0. `every_best` finds all the best moves, with fewer cut-offs. Without `soonest`
    all wins are equal, early or late: the textbook's plain values, with more cut-offs.

    Raises:
        ValueError: The depth limit is less than one ply.
    """
    if depth_limit is not None and depth_limit < 1:
        raise ValueError(f"a search looks at least one ply ahead, not {depth_limit}")
    alphabeta = _AlphaBeta(
        pruning=pruning,
        order=order or (lambda position: position.actions()),
        table=TranspositionTable() if memory else None,
        depth_limit=depth_limit,
        evaluate=evaluate or (lambda _position: 0),
        soonest=soonest,
    )
    return alphabeta.run(state, every_best=every_best)


def deepen(
    state: Game[Action], evaluate: Evaluation | None = None, *, max_utility: float = 1
) -> Iterator[Search[Action]]:
    """Iterative deepening: search one ply deep, then two, and so on.

    Every search yields a result, and the repeated work is small beside the last search. It stops
    once a search is complete, or proves a win for either player: a value of `max_utility` or its
    negative. So `evaluate` must stay strictly between them, and a game with utilities beyond 1 must
    pass `max_utility`.
    """
    for depth in itertools.count(1):
        result = search(state, depth_limit=depth, evaluate=evaluate, memory=True)
        yield result
        if result.is_complete or abs(result.value) >= max_utility:
            return


_MIN_SCORE: Score = (-math.inf, 0)
_MAX_SCORE: Score = (math.inf, 0)


@dataclass(slots=True)
class _AlphaBeta(Generic[Action]):
    """One search: its options, and what it has cost so far."""

    pruning: bool
    order: Order[Action]
    table: TranspositionTable[Action] | None
    depth_limit: int | None
    evaluate: Evaluation
    soonest: bool
    nodes: int = 0
    cutoffs: int = 0
    is_complete: bool = True

    def run(self, root: Game[Action], *, every_best: bool) -> Search[Action]:
        self.nodes += 1
        score, lines = self._best_lines(root, slack_plies=1 if every_best else 0)
        value, _ = score
        best_lines = lines if every_best else lines[:1]
        return Search(
            value=value,
            principal_variation=lines[0],
            best_actions=tuple(line[0] for line in best_lines if line),
            nodes=self.nodes,
            cutoffs=self.cutoffs,
            is_complete=self.is_complete,
        )

    def _best_lines(
        self, root: Game[Action], *, slack_plies: int
    ) -> tuple[Score, list[tuple[Action, ...]]]:
        """The best score and the lines that reach it; without slack only the first is certain.

        Against a bound at the best score so far, a worse move can return the same score as an equal
        one. One ply of slack tells them apart.
        """
        if root.is_terminal:
            return self._terminal_score(root, 0), [()]
        maximizing = root.to_move is Mark.X
        best_score = _MIN_SCORE if maximizing else _MAX_SCORE
        best_lines: list[tuple[Action, ...]] = []
        for action in self.order(root):
            utility, speed = best_score
            alpha, beta = _MIN_SCORE, _MAX_SCORE
            if maximizing:
                alpha = (utility, speed - slack_plies)
            else:
                beta = (utility, speed + slack_plies)
            score, line = self._value(root.result(action), alpha, beta, plies=1)
            is_better = score > best_score if maximizing else score < best_score
            if is_better:
                best_score = score
                best_lines = []
            if score == best_score:
                best_lines.append((action, *line))
        return best_score, best_lines

    def _value(
        self, state: Game[Action], alpha: Score, beta: Score, plies: int
    ) -> ScoredLine[Action]:
        self.nodes += 1
        if state.is_terminal:
            return self._terminal_score(state, plies), ()
        if plies == self.depth_limit:
            self.is_complete = False
            return (self.evaluate(state), 0), ()
        best_move_value = self._max_value if state.to_move is Mark.X else self._min_value
        if self.table is None:
            return best_move_value(state, alpha, beta, plies)
        depth = None if self.depth_limit is None else self.depth_limit - plies
        scored_plies = plies if self.soonest else 0
        stored = self.table.look_up(state, alpha, beta, plies=scored_plies, depth=depth)
        if stored is not None:
            return stored
        result = best_move_value(state, alpha, beta, plies)
        bounds = (alpha, beta) if self.pruning else (_MIN_SCORE, _MAX_SCORE)
        self.table.store(state, *bounds, plies=scored_plies, depth=depth, result=result)
        return result

    def _terminal_score(self, state: Game[Action], plies: int) -> Score:
        utility = state.utility
        speed = -sign(utility) * plies if self.soonest else 0
        return utility, speed

    # The textbook's pair: they mirror each other, as one function for both players would be slower.

    def _max_value(
        self, state: Game[Action], alpha: Score, beta: Score, plies: int
    ) -> ScoredLine[Action]:
        best_score = _MIN_SCORE
        best_line: tuple[Action, ...] = ()
        for action in self.order(state):
            score, line = self._value(state.result(action), alpha, beta, plies + 1)
            if score > best_score:
                best_score, best_line = score, (action, *line)
            alpha = max(alpha, score)
            if self.pruning and alpha >= beta:
                self.cutoffs += 1
                break
        return best_score, best_line

    def _min_value(
        self, state: Game[Action], alpha: Score, beta: Score, plies: int
    ) -> ScoredLine[Action]:
        best_score = _MAX_SCORE
        best_line: tuple[Action, ...] = ()
        for action in self.order(state):
            score, line = self._value(state.result(action), alpha, beta, plies + 1)
            if score < best_score:
                best_score, best_line = score, (action, *line)
            beta = min(beta, score)
            if self.pruning and beta <= alpha:
                self.cutoffs += 1
                break
        return best_score, best_line

"""What a search made of a tree, and what alpha-beta makes of the same tree in the same order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import ge, gt

from engine.board import Mark
from engine.check.tree_cases import (
    Case,
    leaf_paths,
    minimax_value,
    node_at,
    possible_utilities,
    with_leaves,
)
from engine.tree import Numbers, Path


@dataclass(frozen=True, slots=True)
class Run:
    """What a search made of a case: a value, X's, and the nodes that it asked about.

    `asked` has them in order, each with the name of the function that it called.
    """

    case: Case
    value: float
    asked: Sequence[tuple[str, Path]]

    @property
    def read(self) -> list[Path]:
        """The leaves that it looked at, in its order."""
        found = (path for name, path in self.asked if name in {"utility", "winner"})
        return [path for path in dict.fromkeys(found) if node_at(self.case.tree, path).is_terminal]

    @property
    def unread(self) -> list[Path]:
        read = set(self.read)
        return [path for path in leaf_paths(self.case.tree) if path not in read]

    @property
    def is_by_branch(self) -> bool:
        """Whether it comes back to no branch that it has left."""
        left: set[Path] = set()
        before: Path = ()
        for _, path in self.asked:
            if path in left or any(path[:end] in left for end in range(len(path))):
                return False
            left |= {
                before[:end] for end in range(1, len(before) + 1) if before[:end] != path[:end]
            }
            before = path
        return True

    @property
    def is_right(self) -> bool:
        """Whether its value says the same of the bounds as the tree's own."""
        case, value = self.case, minimax_value(self.case.tree)
        if value <= case.alpha:
            return self.value <= case.alpha
        return self.value >= case.beta if value >= case.beta else self.value == value


def other_worlds(run: Run) -> Iterator[Case]:
    """Cases that a search cannot tell from this one by what it has read."""
    tree = run.case.tree
    for choose in (min, max):
        utilities = {
            path: choose(possible_utilities(node_at(tree, path).to_move)) for path in run.unread
        }
        if utilities:
            yield replace(run.case, tree=with_leaves(tree, utilities))


def unread_that_matters(run: Run) -> Path | None:
    """The unread leaf that makes a wrong value wrong; None if it is wrong whatever these are.

    All of them are -1 at first, and then one after the other 0, 1, and what they are: it is the
    one with which the value turns from right to wrong.
    """
    tree, unread = run.case.tree, run.unread
    utilities = dict.fromkeys(unread, -1)
    steps: list[dict[Path, int]] = [{}]
    steps += [{path: number} for number in (0, 1) for path in unread]
    steps += [{path: node_at(tree, path).utility} for path in unread]
    was_right = False
    for step in steps:
        utilities |= step
        case = replace(run.case, tree=with_leaves(tree, utilities))
        is_right = replace(run, case=case).is_right
        if was_right and not is_right:
            return next(iter(step))
        was_right = is_right
    return None


def _children(run: Run, path: Path) -> list[Path]:
    """The children of a node in the order in which they were asked about, and then the others."""
    depth = len(path) + 1
    asked = (
        each[:depth] for _, each in run.asked if len(each) >= depth and each[: depth - 1] == path
    )
    others = ((*path, action) for action in node_at(run.case.tree, path).actions())
    return [*dict.fromkeys([*asked, *others])]


def in_its_order(run: Run) -> tuple[Numbers, Mapping[Path, Path]]:
    """The tree with its branches in the order in which they were asked about.

    With it comes where each node of the case's tree is in this one.
    """
    places: dict[Path, Path] = {}

    def ordered(path: Path, place: Path) -> Numbers:
        places[path] = place
        tree = node_at(run.case.tree, path)
        if tree.is_terminal:
            return tree
        children = enumerate(_children(run, path))
        return replace(tree, content=tuple(ordered(each, (*place, i)) for i, each in children))

    return ordered((), ()), places


def needed(run: Run, is_cut: Callable[[float, float], bool] = ge) -> set[Path]:
    """The leaves that alpha-beta reads in the same order, if it cuts off by `is_cut(alpha, beta)`.

    Its values are fail-soft, as those of `engine.alphabeta`.
    """
    read: set[Path] = set()

    def value(path: Path, alpha: float, beta: float) -> float:
        tree = node_at(run.case.tree, path)
        if tree.is_terminal:
            read.add(path)
            return tree.utility
        is_max = tree.to_move is Mark.X
        best = -math.inf if is_max else math.inf
        for child in _children(run, path):
            if is_max:
                best = max(best, value(child, alpha, beta))
                alpha = max(alpha, best)
            else:
                best = min(best, value(child, alpha, beta))
                beta = min(beta, best)
            if is_cut(alpha, beta):
                break
        return best

    value((), run.case.alpha, run.case.beta)
    return read


def needless(run: Run) -> list[Path]:
    """The leaves that it looked at although alpha-beta does not, not even with `alpha > beta`."""
    if not run.is_by_branch:
        return []
    allowed = needed(run, is_cut=gt)
    needless = [path for path in run.read if path not in allowed]
    return needless if len(run.read) > len(needed(run)) else []

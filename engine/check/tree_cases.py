"""The small trees that a learner's search is judged on, each with the bounds of its root.

They are as the game is, so that nothing is wrong that is right there: a leaf is worth -1, 0 or 1,
and the winner is whoever has moved last.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from engine.board import Mark
from engine.tree import Numbers, Path, game_tree

_SEED = 6
_TREES = 50
_DEPTH = 5
_MAX_MOVES = 3
_MIN_LEAVES = 4
_MAX_LEAVES = 14
_LEAF_CHANCE = 0.35

OPEN_WINDOW = (-math.inf, math.inf)
_WINDOWS = [
    OPEN_WINDOW,
    *((-math.inf, 0), (-math.inf, 1), (-1, 0), (-1, 1), (-1, math.inf), (0, 1), (0, math.inf)),
]

LEAVES = [Numbers(-1), Numbers(0), Numbers(0, Mark.O), Numbers(1, Mark.O)]
"""X has lost, a draw where X would be to move and where O would, O has lost."""


@dataclass(frozen=True, slots=True)
class Case:
    """A tree, and the bounds that its root is searched with; all numbers are X's."""

    tree: Numbers
    alpha: float
    beta: float


@cache
def forks() -> Sequence[Numbers]:
    """Leaves below one node: with open bounds, none is cut off."""
    contents = [
        (mark.other, numbers)
        for mark, last in ((Mark.X, 1), (Mark.O, -1))
        for numbers in ((0, last), (last, 0), (0, 0, last))
    ]
    return [
        Numbers(tuple(Numbers(number, mark) for number in numbers), mark.other)
        for mark, numbers in contents
    ]


@cache
def chains() -> Sequence[Numbers]:
    """Nodes with one child each, as deep as any tree: who looks less far does not see the leaf."""
    level, chains = LEAVES, list[Numbers]()
    for _ in range(_DEPTH):
        level = [Numbers((tree,), tree.to_move.other) for tree in level]
        chains += level
    return chains


@cache
def cases() -> Sequence[Case]:
    """Trees with bounds, the smallest first; the same ones each time."""
    chance = random.Random(_SEED)
    cases: list[Case] = []
    while len(cases) < _TREES:
        tree = _grown(chance, chance.choice([*Mark]), _DEPTH)
        if _MIN_LEAVES <= len(leaf_paths(tree)) <= _MAX_LEAVES:
            window = OPEN_WINDOW if len(cases) % 2 else chance.choice(_WINDOWS)
            cases.append(Case(tree, *window))
    return sorted(cases, key=lambda case: len(leaf_paths(case.tree)))


def _grown(chance: random.Random, mark: Mark, depth: int) -> Numbers:
    is_leaf = depth < _DEPTH - 1 and chance.random() < _LEAF_CHANCE
    if is_leaf or not depth:
        return Numbers(chance.choice(possible_utilities(mark)), mark)
    moves = chance.randint(1, _MAX_MOVES)
    return Numbers(tuple(_grown(chance, mark.other, depth - 1) for _ in range(moves)), mark)


def possible_utilities(to_move: Mark) -> tuple[int, int]:
    """What a leaf may be worth, in rising order: who would be to move has not won."""
    return (-1, 0) if to_move is Mark.X else (0, 1)


def node_at(tree: Numbers, path: Path) -> Numbers:
    for action in path:
        tree = tree.result(action)
    return tree


def leaf_paths(tree: Numbers) -> list[Path]:
    if tree.is_terminal:
        return [()]
    return [(each, *path) for each in tree.actions() for path in leaf_paths(tree.result(each))]


def minimax_value(tree: Numbers) -> int:
    return game_tree(tree).utility


def with_leaves(tree: Numbers, utilities: Mapping[Path, int], path: Path = ()) -> Numbers:
    """A tree with other numbers at some leaves; `path` is where it stands in the whole."""
    if tree.is_terminal:
        return replace(tree, content=utilities.get(path, tree.utility))
    children = (with_leaves(tree.result(each), utilities, (*path, each)) for each in tree.actions())
    return replace(tree, content=tuple(children))


def reduced(case: Case) -> Iterator[Case]:
    """The same case with wider bounds, or with a smaller tree."""
    windows: list[tuple[float, float]] = [
        OPEN_WINDOW,
        (case.alpha, math.inf),
        (-math.inf, case.beta),
    ]
    for alpha, beta in windows:
        if sum(map(math.isinf, (alpha, beta))) > sum(map(math.isinf, (case.alpha, case.beta))):
            yield Case(case.tree, alpha, beta)
    for tree in _smaller(case.tree):
        yield replace(case, tree=tree)


def _smaller(tree: Numbers) -> Iterator[Numbers]:
    """The tree with a leaf in the place of a node, without a child, or without a level."""
    if isinstance(tree.content, int):
        return
    for number in possible_utilities(tree.to_move):
        yield replace(tree, content=number)
    for index, child in enumerate(tree.content):
        before, after = tree.content[:index], tree.content[index + 1 :]
        if before or after:
            yield replace(tree, content=(*before, *after))
        if isinstance(child.content, tuple):
            yield from child.content
        for smaller in _smaller(child):
            yield replace(tree, content=(*before, smaller, *after))

"""The search of a learner's file on its own: on small trees, with given alpha and beta.

What is judged is a function of a state, alpha and beta, or a pair of them such as `max_value` and
`min_value`, that asks the file's `terminal`, `utility`, ... about the state: they are replaced by
those of a tree. What else it is to be given is found by trying. If it does not take the trees, it
is not judged.

The trees are as the game is, so that nothing is wrong that is right there: a leaf is worth -1, 0 or
1, and the winner is whoever has moved last.
"""

from __future__ import annotations

import ast
import itertools
import math
import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from itertools import product
from pathlib import Path as FilePath
from typing import Any

from engine.board import Mark
from engine.check.learner import LearnerFile
from engine.check.process import Worker, WorkerLostError
from engine.tree import Numbers, Path, game_tree

_SCRIPT = FilePath(__file__).with_name("tree_worker.py")
_MAX_SECONDS = 1
"""For one tree; who takes longer is not judged."""
_ALPHAS = {"alpha", "alfa", "a", "\N{GREEK SMALL LETTER ALPHA}", "lo", "low", "lower"}
_BETAS = {"beta", "b", "\N{GREEK SMALL LETTER BETA}", "hi", "high", "upper"}
_DEPTHS: Sequence[tuple[object, object]] = ((0, 0), (9, 9))
_GIVEN = (
    *((True, False), (False, True), (1, -1), (-1, 1), ("X", "O"), ("O", "X"), ("X", "X")),
    *_DEPTHS,
)
"""What another parameter may want where X is to move at the root, and where O is."""
_OF_DEPTH = re.compile("depth|ply|plies|level|prof|nivel", re.IGNORECASE)
_MAX_OTHERS = 2
_TREES = 50
_DEPTH = 5
_MAX_MOVES = 3
_OPEN = (-math.inf, math.inf)
_WINDOWS = [
    _OPEN,
    *((-math.inf, 0), (-math.inf, 1), (-1, 0), (-1, 1), (-1, math.inf), (0, 1), (0, math.inf)),
]

_LEAVES = [Numbers(-1), Numbers(0), Numbers(0, Mark.O), Numbers(1, Mark.O)]


@dataclass(frozen=True, slots=True)
class Case:
    """A tree, and the bounds that its root is searched with; all numbers are X's."""

    tree: Numbers
    alpha: float
    beta: float


class Fault(Enum):
    """What a search does wrong on a tree."""

    FEW = "few"
    WRONG = "wrong"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class TreeFinding:
    """What a search does wrong on a tree.

    `tree` is that of the case with its branches in the search's own order, and `read` are the
    leaves of it that were looked at. `missed` is one that was not, and could matter, or one that
    was, and need not be. `enough` is how many leaves are needed. With `is_negated` the numbers of
    the call are those of the player to move.
    """

    fault: Fault
    function: str
    case: Case
    got: float
    tree: Numbers
    read: tuple[Path, ...]
    missed: Path
    enough: int
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class TreeReport:
    """What a search did on the trees; `read` leaves of them, where `enough` are needed.

    `read` is None if the search does not go through the trees one branch after the other.
    """

    functions: tuple[str, ...]
    trees: int
    read: int | None
    enough: int
    finding: TreeFinding | None = None


@dataclass(frozen=True)
class _Search:
    """The functions to be called where X is to move and where O is, and their parameters."""

    functions: tuple[str, str]
    state: str
    alpha: str
    beta: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class _Convention:
    """What a search is given, and what its answers mean.

    `others` has the other arguments where X is to move, and where O is. A win is worth `scale`, to
    X or, with `is_negated`, to the player to move. `place` is where in an answer the value is.
    """

    others: tuple[tuple[object, ...], tuple[object, ...]]
    is_list: bool
    place: int | None = None
    scale: float = 1
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class _Run:
    """What a search made of a case: a value, and the nodes that it asked about."""

    case: Case
    value: float
    asked: Sequence[tuple[str, Path]]

    @property
    def read(self) -> list[Path]:
        """The leaves that it looked at, in its order."""
        found = (path for name, path in self.asked if name in {"utility", "winner"})
        return [path for path in dict.fromkeys(found) if _at(self.case.tree, path).is_terminal]

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


class _UnfitError(Exception):
    """The search cannot be judged on trees."""


def report_on_trees(file: LearnerFile, *, is_wrong: bool) -> TreeReport | None:
    """Judge the search that the file's `minimax` uses; None if that can't be judged on trees.

    Of a `minimax` that is right, a search that seems wrong even without bounds is not understood.
    """
    for search in _searches(file.source):
        try:
            with file.fresh() as (worker, _):
                assert isinstance(worker, Worker), "a file of Python has one"
                trial = _Trial(search, worker, file.limits.call)
                if not trial.learn_convention(needs_value=not is_wrong):
                    continue
                report = trial.report()
            if report.finding is not None:
                with file.fresh() as (worker, _):
                    assert isinstance(worker, Worker), "a file of Python has one"
                    again = replace(trial, worker=worker)
                    if again.finding_on(report.finding.case) != report.finding:
                        return None
        except (WorkerLostError, _UnfitError):
            continue
        return report
    return None


def _searches(source: str) -> Iterator[_Search]:
    """The searches with bounds in a file that its `minimax` reaches."""
    body = ast.parse(source).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    aliases = {
        target.id: node
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    named: dict[str, ast.stmt] = {**aliases, **functions}
    uses = {
        name: {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} & named.keys()
        for name, node in named.items()
    }
    for _ in named:
        uses = {name: used.union(*(uses[each] for each in used)) for name, used in uses.items()}
    for name in [*functions]:
        if name not in uses.get("minimax", ()) and name != "minimax":
            continue
        other = _counterpart(name, "max", "min", functions)
        if other == name != _counterpart(name, "min", "max", functions):
            continue
        parameters = _parameters(functions[name])
        if parameters and parameters == _parameters(functions[other]):
            state, alpha, beta, *others = parameters
            yield _Search((name, other), state, alpha, beta, tuple(others))


def _counterpart(name: str, part: str, other: str, names: Collection[str]) -> str:
    """The function of the other player, such as `min_value` of `max_value`, or the same."""
    wanted = name.lower().replace(part, other)
    return next((each for each in names if each.lower() == wanted), name)


def _parameters(function: ast.FunctionDef) -> list[str]:
    """The names of the state, alpha, beta, and of others without a default; none if these aren't
    what it takes.
    """
    arguments = [each.arg for each in function.args.args]
    has_default = arguments[len(arguments) - len(function.args.defaults) :]
    bounds = [
        next((each for each in arguments[1:] if each.lower() in names), "")
        for names in (_ALPHAS, _BETAS)
    ]
    others = [each for each in arguments[1:] if each not in {*bounds, *has_default}]
    if not all(bounds) or function.args.posonlyargs or len(others) > _MAX_OTHERS:
        return []
    return [arguments[0], *bounds, *others]


@dataclass
class _Trial:
    """The runs of a search in one process."""

    search: _Search
    worker: Worker
    limit: float
    convention: _Convention = field(default=_Convention(((), ()), is_list=False))
    numbers: Iterator[int] = field(default_factory=itertools.count)
    """Of the trees: a search that remembers positions must never meet one again."""

    def learn_convention(self, *, needs_value: bool) -> bool:
        """Find out how it is to be called and what it answers; whether that is possible.

        It has to be right without bounds or, unless that `needs_value`, where there is no choice.
        """
        likely = []
        for convention in self._conventions():
            self.convention = convention
            if self._is_right_on(_forks()) and self._is_right_on(_chains()):
                return True
            if self._is_right_on(_chains()):
                likely.append(convention)
        if needs_value or len({replace(each, is_list=False) for each in likely}) != 1:
            return False
        self.convention = likely[0]
        return True

    def _conventions(self) -> Iterator[_Convention]:
        """Those in which it is right on leaves."""
        given = [_DEPTHS if _OF_DEPTH.search(name) else _GIVEN for name in self.search.others]
        for is_list, way in product((False, True), product(*given)):
            where_x, where_o = (tuple(pair[index] for pair in way) for index in (0, 1))
            self.convention = _Convention((where_x, where_o), is_list)
            answers = [*self._answers([Case(leaf, *_OPEN) for leaf in _LEAVES])]
            for place in (None, 0, 1):
                meaning = _meaning([_value_in(answer, place) for answer in answers])
                if meaning is not None:
                    yield _Convention((where_x, where_o), is_list, place, *meaning)

    def _is_right_on(self, trees: Sequence[Numbers]) -> bool:
        try:
            runs = self.runs([Case(tree, *_OPEN) for tree in trees])
        except _UnfitError:
            return False
        return all(run.value == _value(run.case.tree) for run in runs)

    def report(self) -> TreeReport:
        runs = self.runs(_cases())
        names = tuple(dict.fromkeys(self.search.functions))
        is_by_branch = all(run.is_by_branch for run in runs)
        read = sum(len(run.read) for run in runs) if is_by_branch else None
        enough = sum(len(_needed(run)) for run in runs)
        finding = self._first_finding(runs)
        return TreeReport(names, len(runs), read, enough, finding)

    def _first_finding(self, runs: Sequence[_Run]) -> TreeFinding | None:
        guesses = self.runs([case for run in runs for case in _other_worlds(run)])
        for run in [*runs, *guesses]:
            if not _is_right(run):
                return self._smallest(run.case, Fault.WRONG)
        many = [run for run in runs if _needless(run)]
        return self._smallest(many[0].case, Fault.MANY) if many else None

    def finding_on(self, case: Case) -> TreeFinding | None:
        (run,) = self.runs([case])
        missed: Path = ()
        if not _is_right(run):
            missed = _undecided(run) or ()
            fault = Fault.FEW if missed else Fault.WRONG
        elif needless := _needless(run):
            fault, missed = Fault.MANY, needless[0]
        else:
            return None
        tree, places = _in_its_order(run)
        return TreeFinding(
            fault,
            self.search.functions[case.tree.to_move is Mark.O],
            case,
            run.value,
            tree,
            tuple(places[path] for path in run.read),
            places[missed],
            len(_needed(run)),
            self.convention.is_negated,
        )

    def _smallest(self, case: Case, fault: Fault) -> TreeFinding | None:
        """The finding on a case, made as small as it can be."""
        while True:
            smaller = [*_reduced(case)]
            for run in self.runs(smaller):
                is_found = _needless(run) if fault is Fault.MANY else not _is_right(run)
                if is_found:
                    case = run.case
                    break
            else:
                return self.finding_on(case)

    def runs(self, cases: Sequence[Case]) -> list[_Run]:
        """What the search makes of the cases.

        Raises:
            _UnfitError: It raises an exception, or returns no value.
        """
        found = []
        for case, answer in zip(cases, [*self._answers(cases)], strict=True):
            value = _value_in(answer, self.convention.place)
            if value is None:
                raise _UnfitError
            sign = -1 if self.convention.is_negated and case.tree.to_move is Mark.O else 1
            asked = _asked(answer, case.tree)
            found.append(_Run(case, sign * value / self.convention.scale, asked))
        return found

    def _answers(self, cases: Sequence[Case]) -> Iterator[Any]:
        answers = self.worker.run_script(_SCRIPT, runs=[*map(self._request, cases)])
        for _ in cases:
            yield next(answers)(min(self.limit, _MAX_SECONDS))

    def _request(self, case: Case) -> Mapping[str, object]:
        is_o = case.tree.to_move is Mark.O
        scale = self.convention.scale
        alpha, beta = case.alpha * scale, case.beta * scale
        if self.convention.is_negated and is_o:
            alpha, beta = -beta, -alpha
        search = self.search
        bounds = {search.alpha: alpha, search.beta: beta}
        others = zip(search.others, self.convention.others[is_o], strict=True)
        return {
            "function": search.functions[is_o],
            "state": search.state,
            "arguments": bounds | dict(others),
            "is_list": self.convention.is_list,
            "tree": _nested(case.tree),
            "is_o": is_o,
            "name": f"tree {next(self.numbers)}: ",
        }


def _asked(answer: Any, tree: Numbers) -> list[tuple[str, Path]]:
    """The nodes that were asked about, in order.

    Raises:
        _UnfitError: They are no nodes of the tree: the file has written this itself.
    """
    try:
        asked = [(str(name), tuple(map(int, path))) for name, path in answer["asked"]]
        for _, path in asked:
            _at(tree, path)
    except (KeyError, TypeError, ValueError, IndexError, AssertionError):
        raise _UnfitError from None
    return asked


def _value_in(answer: Any, place: int | None) -> float | None:
    value = answer.get("value") if isinstance(answer, dict) else None
    if place is not None:
        value = value[place] if isinstance(value, list) and len(value) > place else None
    return value if isinstance(value, float) and not math.isnan(value) else None


def _meaning(values: Sequence[float | None]) -> tuple[float, bool] | None:
    """What a win is worth, and whether to the player to move, by the values of `_LEAVES`."""
    lost, even, also_even, won = values
    if None in values or even or also_even or not lost or not won or lost > 0:
        return None
    return (-lost, won < 0) if abs(won) == -lost else None


def _nested(tree: Numbers) -> Any:
    return tree.content if isinstance(tree.content, int) else [*map(_nested, tree.content)]


@cache
def _forks() -> Sequence[Numbers]:
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
def _chains() -> Sequence[Numbers]:
    """Nodes with one child each, as deep as any tree: who looks less far does not see the leaf."""
    level, chains = _LEAVES, list[Numbers]()
    for _ in range(_DEPTH):
        level = [Numbers((tree,), tree.to_move.other) for tree in level]
        chains += level
    return chains


@cache
def _cases() -> Sequence[Case]:
    """Trees with bounds, the smallest first."""
    chance = random.Random(6)
    trees: list[Case] = []
    while len(trees) < _TREES:
        tree = _grown(chance, chance.choice([*Mark]), _DEPTH)
        if 4 <= len(_leaf_paths(tree)) <= 14:
            window = _OPEN if len(trees) % 2 else chance.choice(_WINDOWS)
            trees.append(Case(tree, *window))
    return sorted(trees, key=lambda case: len(_leaf_paths(case.tree)))


def _grown(chance: random.Random, mark: Mark, depth: int) -> Numbers:
    is_leaf = depth < _DEPTH - 1 and chance.random() < 0.35
    if is_leaf or not depth:
        return Numbers(chance.choice(_worths(mark)), mark)
    moves = chance.randint(1, _MAX_MOVES)
    return Numbers(tuple(_grown(chance, mark.other, depth - 1) for _ in range(moves)), mark)


def _worths(to_move: Mark) -> tuple[int, int]:
    """What a leaf may be worth: who is to move has not won."""
    return (-1, 0) if to_move is Mark.X else (0, 1)


def _at(tree: Numbers, path: Path) -> Numbers:
    for action in path:
        tree = tree.result(action)
    return tree


def _leaf_paths(tree: Numbers) -> list[Path]:
    if tree.is_terminal:
        return [()]
    return [(each, *path) for each in tree.actions() for path in _leaf_paths(tree.result(each))]


def _value(tree: Numbers) -> float:
    return game_tree(tree).utility


def _is_right(run: _Run) -> bool:
    """Whether a value says the same of the bounds as the tree's own."""
    case, value = run.case, _value(run.case.tree)
    if value <= case.alpha:
        return run.value <= case.alpha
    return run.value >= case.beta if value >= case.beta else run.value == value


def _with_leaves(tree: Numbers, worths: Mapping[Path, int], path: Path = ()) -> Numbers:
    """A tree with other numbers at some leaves."""
    if tree.is_terminal:
        return replace(tree, content=worths.get(path, tree.utility))
    children = (_with_leaves(tree.result(each), worths, (*path, each)) for each in tree.actions())
    return replace(tree, content=tuple(children))


def _unread(run: _Run) -> list[Path]:
    read = set(run.read)
    return [path for path in _leaf_paths(run.case.tree) if path not in read]


def _other_worlds(run: _Run) -> Iterator[Case]:
    """Cases that a search cannot tell from this one by what it has read."""
    tree = run.case.tree
    for choose in (min, max):
        worths = {path: choose(_worths(_at(tree, path).to_move)) for path in _unread(run)}
        if worths:
            yield replace(run.case, tree=_with_leaves(tree, worths))


def _undecided(run: _Run) -> Path | None:
    """A leaf that it did not read and that could matter, after a wrong value; None if none could.

    By what it has read the value could be right, so that one by one the other leaves make it wrong.
    """
    tree, unread = run.case.tree, _unread(run)
    worths = dict.fromkeys(unread, -1)
    steps: list[dict[Path, int]] = [{}]
    steps += [{path: number} for number in (0, 1) for path in unread]
    steps += [{path: _at(tree, path).utility} for path in unread]
    was_right = False
    for step in steps:
        worths |= step
        is_right = _is_right(replace(run, case=replace(run.case, tree=_with_leaves(tree, worths))))
        if was_right and not is_right:
            return next(iter(step))
        was_right = is_right
    return None


def _ordered(run: _Run, path: Path) -> list[Path]:
    """The children of a node in the order in which they were asked about, and then the others."""
    depth = len(path) + 1
    asked = (
        each[:depth] for _, each in run.asked if len(each) >= depth and each[: depth - 1] == path
    )
    others = ((*path, action) for action in _at(run.case.tree, path).actions())
    return [*dict.fromkeys([*asked, *others])]


def _in_its_order(run: _Run) -> tuple[Numbers, Mapping[Path, Path]]:
    """The tree with its branches in the order in which they were asked about, and where each node
    of it is then.
    """
    places: dict[Path, Path] = {}

    def ordered(path: Path, place: Path) -> Numbers:
        places[path] = place
        tree = _at(run.case.tree, path)
        if tree.is_terminal:
            return tree
        children = enumerate(_ordered(run, path))
        return replace(tree, content=tuple(ordered(each, (*place, i)) for i, each in children))

    return ordered((), ()), places


def _needed(run: _Run, is_cut: Callable[[float, float], bool] | None = None) -> set[Path]:
    """The leaves that alpha-beta reads in the same order."""
    cuts = is_cut or (lambda alpha, beta: alpha >= beta)
    read: set[Path] = set()

    def value(path: Path, alpha: float, beta: float) -> float:
        tree = _at(run.case.tree, path)
        if tree.is_terminal:
            read.add(path)
            return tree.utility
        is_max = tree.to_move is Mark.X
        best = -math.inf if is_max else math.inf
        for child in _ordered(run, path):
            if is_max:
                best = max(best, value(child, alpha, beta))
                alpha = max(alpha, best)
            else:
                best = min(best, value(child, alpha, beta))
                beta = min(beta, best)
            if cuts(alpha, beta):
                break
        return best

    value((), run.case.alpha, run.case.beta)
    return read


def _needless(run: _Run) -> list[Path]:
    """The leaves that it looked at although alpha-beta does not, not even with `alpha > beta`."""
    if not run.is_by_branch:
        return []
    allowed = _needed(run, lambda alpha, beta: alpha > beta)
    needless = [path for path in run.read if path not in allowed]
    return needless if len(run.read) > len(_needed(run)) else []


def _reduced(case: Case) -> Iterator[Case]:
    """The same case with wider bounds, or with a smaller tree."""
    windows: list[tuple[float, float]] = [_OPEN, (case.alpha, math.inf), (-math.inf, case.beta)]
    for alpha, beta in windows:
        if sum(map(math.isinf, (alpha, beta))) > sum(map(math.isinf, (case.alpha, case.beta))):
            yield Case(case.tree, alpha, beta)
    for tree in _smaller(case.tree):
        yield replace(case, tree=tree)


def _smaller(tree: Numbers) -> Iterator[Numbers]:
    if isinstance(tree.content, int):
        return
    for number in _worths(tree.to_move):
        yield replace(tree, content=number)
    for index, child in enumerate(tree.content):
        before, after = tree.content[:index], tree.content[index + 1 :]
        if before or after:
            yield replace(tree, content=(*before, *after))
        if isinstance(child.content, tuple):
            yield from child.content
        for smaller in _smaller(child):
            yield replace(tree, content=(*before, smaller, *after))

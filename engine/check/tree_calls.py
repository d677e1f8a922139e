"""How a learner's search is called on small trees, and what its answers mean.

It asks the file's `terminal`, `utility`, ... about the state: they are replaced by those of a tree.
What else it is to be given, and what it returns, is found by trying.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path as FilePath
from typing import Any

from engine.board import Mark
from engine.check.process import Worker
from engine.check.search_functions import SearchFunctions
from engine.check.tree_cases import (
    LEAVES,
    OPEN_WINDOW,
    Case,
    chains,
    forks,
    minimax_value,
    node_at,
)
from engine.check.tree_runs import Run
from engine.tree import Numbers, Path

_SCRIPT = FilePath(__file__).with_name("tree_worker.py")
_MAX_SECONDS = 1
"""For one tree; who takes longer is not judged."""
_DEPTHS: Sequence[tuple[object, object]] = ((0, 0), (9, 9))
_GIVEN = (
    *((True, False), (False, True), (1, -1), (-1, 1), ("X", "O"), ("O", "X"), ("X", "X")),
    *_DEPTHS,
)
"""What another parameter may want where X is to move at the root, and where O is."""
_OF_DEPTH = re.compile("depth|ply|plies|level|prof|nivel", re.IGNORECASE)


class UnfitError(Exception):
    """The search cannot be judged on trees."""


@dataclass(frozen=True)
class Convention:
    """What a search is given, and what its answers mean.

    `others` has the other arguments where X is to move, and where O is. With `is_list`, the moves
    of a node are a list, not a set. A win is worth `scale`, to X or, with `is_negated`, to the
    player to move. `place` is where in an answer the value is; None if it is the answer.
    """

    others: tuple[tuple[object, ...], tuple[object, ...]]
    is_list: bool
    place: int | None = None
    scale: float = 1
    is_negated: bool = False


@dataclass
class Caller:
    """Calls a search in one process; `limit` is how many seconds a call may take."""

    search: SearchFunctions
    worker: Worker
    limit: float
    convention: Convention = field(default=Convention(((), ()), is_list=False))
    numbers: Iterator[int] = field(default_factory=itertools.count)
    """Of the trees: a search that remembers positions must never meet one again."""

    def learn_convention(self, *, needs_value: bool) -> bool:
        """Find out how it is to be called and what it answers; whether that is possible.

        It has to be right without bounds or, unless that `needs_value`, where there is no choice.
        """
        likely = []
        for convention in self._conventions():
            self.convention = convention
            if self._is_right_on(forks()) and self._is_right_on(chains()):
                return True
            if self._is_right_on(chains()):
                likely.append(convention)
        if needs_value or len({replace(each, is_list=False) for each in likely}) != 1:
            return False
        self.convention = likely[0]
        return True

    def _conventions(self) -> Iterator[Convention]:
        """Those in which it is right on leaves."""
        given = [_DEPTHS if _OF_DEPTH.search(name) else _GIVEN for name in self.search.others]
        for is_list, way in product((False, True), product(*given)):
            where_x, where_o = (tuple(pair[index] for pair in way) for index in (0, 1))
            self.convention = Convention((where_x, where_o), is_list)
            answers = [*self._answers([Case(leaf, *OPEN_WINDOW) for leaf in LEAVES])]
            for place in (None, 0, 1):
                meaning = _meaning([_value_in(answer, place) for answer in answers])
                if meaning is not None:
                    yield Convention((where_x, where_o), is_list, place, *meaning)

    def _is_right_on(self, trees: Sequence[Numbers]) -> bool:
        try:
            runs = self.runs([Case(tree, *OPEN_WINDOW) for tree in trees])
        except UnfitError:
            return False
        return all(run.value == minimax_value(run.case.tree) for run in runs)

    def runs(self, cases: Sequence[Case]) -> list[Run]:
        """What the search makes of the cases.

        Raises:
            UnfitError: It raises an exception, or returns no value.
            WorkerLostError: It takes too long, or ends the process.
        """
        found = []
        for case, answer in zip(cases, [*self._answers(cases)], strict=True):
            value = _value_in(answer, self.convention.place)
            if value is None:
                raise UnfitError
            sign = -1 if self.convention.is_negated and case.tree.to_move is Mark.O else 1
            asked = _asked(answer, case.tree)
            found.append(Run(case, sign * value / self.convention.scale, asked))
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
        UnfitError: They are no nodes of the tree: the file has written this itself.
    """
    try:
        asked = [(str(name), tuple(map(int, path))) for name, path in answer["asked"]]
        for _, path in asked:
            node_at(tree, path)
    except (KeyError, TypeError, ValueError, IndexError, AssertionError):
        raise UnfitError from None
    return asked


def _value_in(answer: Any, place: int | None) -> float | None:
    value = answer.get("value") if isinstance(answer, dict) else None
    if place is not None:
        value = value[place] if isinstance(value, list) and len(value) > place else None
    return value if isinstance(value, float) and not math.isnan(value) else None


def _meaning(values: Sequence[float | None]) -> tuple[float, bool] | None:
    """What a win is worth, and whether to the player to move, by the values of `LEAVES`."""
    lost, even, also_even, won = values
    if None in values or even or also_even or not lost or not won or lost > 0:
        return None
    return (-lost, won < 0) if abs(won) == -lost else None


def _nested(tree: Numbers) -> Any:
    return tree.content if isinstance(tree.content, int) else [*map(_nested, tree.content)]

"""The search of a learner's file on its own: judged on small trees, with given alpha and beta.

`search_functions` finds it in the source, `tree_calls` calls it on the trees of `tree_cases`, and
`tree_runs` compares what it does there with alpha-beta. If it does not take the trees, it is not
judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum

from engine.board import Mark
from engine.check.learner import LearnerFile
from engine.check.process import Worker, WorkerLostError
from engine.check.search_functions import searches_in
from engine.check.tree_calls import Caller, UnfitError
from engine.check.tree_cases import Case, cases, reduced
from engine.check.tree_runs import (
    Run,
    in_its_order,
    needed,
    needless,
    other_worlds,
    unread_that_matters,
)
from engine.tree import Numbers, Path


class Fault(Enum):
    """What a search does wrong: too few leaves read for its value, a wrong value, too many read."""

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


def report_on_trees(file: LearnerFile, *, is_wrong: bool) -> TreeReport | None:
    """Judge the search that the file's `minimax` uses; None if that can't be judged on trees.

    Of a `minimax` that is right, a search that seems wrong even without bounds is not understood.
    """
    for search in searches_in(file.source):
        try:
            with _fresh_worker(file) as worker:
                caller = Caller(search, worker, file.limits.call)
                if not caller.learn_convention(needs_value=not is_wrong):
                    continue
                report = _report(caller)
            if report.finding is not None:
                with _fresh_worker(file) as worker:
                    again = replace(caller, worker=worker)
                    if _finding_on(report.finding.case, again) != report.finding:
                        return None
        except (WorkerLostError, UnfitError):
            continue
        return report
    return None


@contextmanager
def _fresh_worker(file: LearnerFile) -> Iterator[Worker]:
    with file.fresh() as (worker, _):
        assert isinstance(worker, Worker), "only a `Command` has another process"
        yield worker


def _report(caller: Caller) -> TreeReport:
    runs = caller.runs(cases())
    names = tuple(dict.fromkeys(caller.search.functions))
    is_by_branch = all(run.is_by_branch for run in runs)
    read = sum(len(run.read) for run in runs) if is_by_branch else None
    enough = sum(len(needed(run)) for run in runs)
    return TreeReport(names, len(runs), read, enough, _first_finding(runs, caller))


def _first_finding(runs: Sequence[Run], caller: Caller) -> TreeFinding | None:
    guesses = caller.runs([case for run in runs for case in other_worlds(run)])
    for run in [*runs, *guesses]:
        if not run.is_right:
            return _smallest(run.case, Fault.WRONG, caller)
    many = [run for run in runs if needless(run)]
    return _smallest(many[0].case, Fault.MANY, caller) if many else None


def _smallest(case: Case, fault: Fault, caller: Caller) -> TreeFinding | None:
    """The finding on a case, made as small as it can be."""
    while True:
        for run in caller.runs([*reduced(case)]):
            is_found = needless(run) if fault is Fault.MANY else not run.is_right
            if is_found:
                case = run.case
                break
        else:
            return _finding_on(case, caller)


def _finding_on(case: Case, caller: Caller) -> TreeFinding | None:
    (run,) = caller.runs([case])
    missed: Path = ()
    if not run.is_right:
        missed = unread_that_matters(run) or ()
        fault = Fault.FEW if missed else Fault.WRONG
    elif too_many := needless(run):
        fault, missed = Fault.MANY, too_many[0]
    else:
        return None
    tree, places = in_its_order(run)
    return TreeFinding(
        fault,
        caller.search.functions[case.tree.to_move is Mark.O],
        case,
        run.value,
        tree,
        tuple(places[path] for path in run.read),
        places[missed],
        len(needed(run)),
        caller.convention.is_negated,
    )

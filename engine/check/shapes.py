"""Programs that are written otherwise than as the eight functions, and the lines to judge them by.

`wrapping` has all lines that might do; those that do are found by trying.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from engine.board import Board
from engine.check.checks import OUR_SYMBOLS, boards_for, findings_on
from engine.check.finding import FindingKind
from engine.check.hypotheses import Cause, Hint
from engine.check.learner import LearnerFile
from engine.check.process import Answering, Loaded, WorkerLostError
from engine.check.wrapping import Lines, functions_of, line_groups, searching_in
from engine.solver import solver_of

_MAX_PROBES = 40
_GROUPS_A_PROCESS = 10
_MAX_FREE_CELLS = 4


def hint_of_shape(file: LearnerFile, loaded: Loaded) -> Hint | None:
    """By what another shape is known, and a file `wrapped.py` for it that was tried, if any was.

    None if a file has the eight functions, or searches nothing.
    """
    try:
        tree = ast.parse(file.path.read_bytes())
    except (SyntaxError, ValueError):
        return None
    names = set(loaded.functions) | {each.name for each in functions_of(tree)}
    if {"actions", "result"} & names or _is_wrapped(tree, loaded):
        return None
    searching = searching_in(tree)
    known_by = [each for each in functions_of(tree) if each.name in searching]
    if not known_by:
        return None
    lines = _wrapped(file, tree) if loaded.error is None and file.path.stem.isidentifier() else ""
    known_by.sort(key=lambda each: not re.search("max|min|best|move", each.name.lower()))
    return Hint(Cause.OTHER_SHAPE, known_by[0].lineno, known_by[0].name, lines)


def _is_wrapped(tree: ast.Module, loaded: Loaded) -> bool:
    """Whether there is a `minimax` of a board alone, and what it takes a board to be made of."""
    sizes = [
        len(node.args.args) - len(node.args.defaults)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == "minimax"
    ]
    return sizes == [1] and "EMPTY" in loaded.others


def _wrapped(file: LearnerFile, tree: ast.Module) -> str:
    """Lines in which the program is right on all probes; empty if none are.

    Where they are wrong, that could be theirs as well as the program's.
    """
    stem = file.path.stem
    file = replace(file, path=file.path.with_name("wrapped.py"), own=False)
    groups = line_groups(tree, stem)
    for start in range(0, len(groups), _GROUPS_A_PROCESS):
        part = groups[start : start + _GROUPS_A_PROCESS]
        right = _right_lines(file, stem, list(chain.from_iterable(part)))
        if right is None:  # one of them hangs, or ends the process
            tried = (_right_lines(file, stem, group) for group in part)
            right = next(filter(None, tried), "")
        if right:
            return right
    return ""


def _right_lines(file: LearnerFile, stem: str, group: Sequence[Lines]) -> str | None:
    """The first lines of a group that are right; None if not all could be tried, and none is."""
    codes = {f"minimax_{i}": _code(stem, f"minimax_{i}", each) for i, each in enumerate(group)}
    found = _right_on_probes(file, codes)
    for lines, right in zip(group, found, strict=False):
        code = _code(stem, "minimax", lines)
        is_right = right == len(_probes())
        if is_right and _right_on_probes(file, {"minimax": code}) == [right]:
            return code
    return "" if len(found) == len(group) else None


def _code(stem: str, name: str, lines: Lines) -> str:
    body = ["if terminal(board):", "    return None", *lines]
    head = f"# wrapped.py\nimport {stem}\n\nfrom engine.tictactoe import *\n\n\n"
    return "\n".join([f"{head}def {name}(board):", *(f"    {line}" for line in body), ""])


@cache
def _probes() -> Sequence[Board]:
    """Some boards with few free cells where one move is better than another."""
    boards = [
        board
        for board in boards_for("minimax")
        if len(board.free_cells) <= _MAX_FREE_CELLS and not board.is_terminal
        if len({worth.value for worth in solver_of(board.rules).analyse(board).values()}) > 1
    ]
    return boards[:: len(boards) // _MAX_PROBES][:_MAX_PROBES]


def _right_on_probes(file: LearnerFile, codes: Mapping[str, str]) -> list[int]:
    """On how many boards each function is right; -1 if it once gives no move."""
    found: list[int] = []
    try:
        with file.fresh(source="\n".join(codes.values())) as (worker, loaded):
            if loaded.error is None:
                found.extend(_right(worker, name, file.limits.call) for name in codes)
    except WorkerLostError:
        pass  # it waits for something, or plays
    return found


def _right(worker: Answering, name: str, limit: float) -> int:
    right = 0
    for board in _probes():
        (receive,) = worker.answers(name, [board])
        findings = findings_on("minimax", board, receive(limit), OUR_SYMBOLS)
        faults = {finding.kind for finding in findings if finding.kind.is_fault}
        if faults - {FindingKind.WORSE_MOVE}:
            return -1
        right += not faults
    return right

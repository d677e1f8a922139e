"""Plant faults at random in `bot/` and `engine/`, and print those that no test notices.

    python -m tests.tools.mutation --count 20 --seed 1

Each fault is one small change: a comparison swapped, a constant off by one, an argument dropped,
a statement deleted. It is planted in a copy of the checkout, and the tests that reach its
statement run there, the nearest first. Which tests reach what is measured first,
by a run of the whole suite; `--map FILE` keeps that for the next run, until lines have moved.
A test that hangs has noticed the fault. The tests use SQLite, and PostgreSQL if TEST_DATABASE_URL
names one.

Changes that cannot be noticed are not made: in docstrings, annotations, decorators, log messages,
the messages of exceptions, assertions, `__repr__` and tests of the platform. Others may still be
equivalent: read them.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.util
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from coverage import CoverageData

Item = TypeVar("Item")

ROOT = Path(__file__).parents[2]
PACKAGES = ["bot", "engine"]
SECONDS_PER_TEST = 120
SECONDS_PER_FAULT = 600
NEAREST = 40
"""So many tests run one by one, before the others run on all cores."""
SOURCE_READERS = ["tests/test_architecture.py", "tests/test_texts.py"]
"""Tests that read the source instead of running it, so that no map has them."""

COMPARISONS: Mapping[type[ast.cmpop], Sequence[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
OPERATORS: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
OF_TYPES = {"TypeVar", "ParamSpec", "NewType", "cast", "getLogger"}
"""Functions whose arguments only type checkers and readers of the log see."""
EQUIVALENT_ARGUMENTS = {"strict", "encoding", "maxsize", "thread_name_prefix"}
"""Keyword arguments that may be dropped: of `zip`, of UTF-8 files, of caches and of threads."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The bytes from `start` to `end` of a file replaced; `lines` are those of the statement."""

    path: Path
    start: int
    end: int
    text: str
    lines: range
    runs_at_import: bool

    def planted_in(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


class FaultFinder(ast.NodeVisitor):
    """Collects every fault that a file can have."""

    def __init__(self, path: Path, source: bytes) -> None:
        self.faults: list[Fault] = []
        self._path = path
        self._line_starts = [0]
        for line in source.splitlines(keepends=True):
            self._line_starts.append(self._line_starts[-1] + len(line))
        self._lines = range(0)
        self._functions = 0
        self.visit(ast.parse(source))

    def visit(self, node: ast.AST) -> None:
        if is_unnoticeable(node):
            return
        lines = self._lines
        if isinstance(node, ast.stmt):
            self._lines = own_lines(node)
        for target, text in changes(node):
            self._add(target, text)
        super().visit(node)
        self._lines = lines

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all(node.args.defaults)
        self._visit_all([default for default in node.args.kw_defaults if default is not None])
        self._functions += 1
        self._visit_all(node.body[:-1] if returns_none(node.body[-1]) else node.body)
        self._functions -= 1

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - as above

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all(node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Its parts have no places of their own in Python 3.11."""

    def visit_Raise(self, node: ast.Raise) -> None:
        """What an exception says is for readers of the log."""

    def _visit_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _add(self, node: ast.expr | ast.stmt, text: str) -> None:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._line_starts[node.lineno - 1] + node.col_offset
        end = self._line_starts[node.end_lineno - 1] + node.end_col_offset
        at_import = not self._functions
        self.faults.append(Fault(self._path, start, end, text, self._lines, at_import))


def own_lines(statement: ast.stmt) -> range:
    """The lines of a statement without those of the statements inside."""
    assert statement.end_lineno is not None
    body: list[ast.stmt] = getattr(statement, "body", [])
    if body:
        return range(statement.lineno, max(body[0].lineno, statement.lineno + 1))
    return range(statement.lineno, statement.end_lineno + 1)


def returns_none(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return(value=None | ast.Constant(value=None)):
            return True
        case _:
            return False


def is_unnoticeable(node: ast.AST) -> bool:
    match node:
        case (
            ast.Assert()
            | ast.FunctionDef(name="__repr__")
            | ast.Expr(value=ast.Constant())  # a docstring
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="_log"))))
            | ast.Subscript(value=ast.Name(id="Literal"))
            | ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")])
            | ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Compare(left=ast.Name(id="__name__")))
            | ast.Compare(left=ast.Attribute(value=ast.Name(id="sys"), attr="platform"))
        ):
            return True
        case ast.keyword(arg=name):
            return name in EQUIVALENT_ARGUMENTS
        case ast.Call(func=ast.Name(id=name)):
            return name in OF_TYPES
        case _:
            return False


def changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What may be replaced here, each with the text that replaces it."""
    if isinstance(node, ast.expr):
        for expression in changed_expressions(node):
            text = ast.unparse(expression)
            yield node, text if isinstance(expression, ast.Constant) else f"({text})"
    match node:
        case ast.If() | ast.While():
            yield node.test, f"not ({ast.unparse(node.test)})"
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield node, "return None"
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break() | ast.AugAssign():
            yield node, "pass"
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield node, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield node, "pass"
        case _:
            return


def changed_expressions(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare():
            yield from changed_comparisons(node)
        case ast.Constant(value=value):
            yield from map(ast.Constant, changed_values(value))
        case ast.JoinedStr():
            yield ast.Constant("")
        case ast.Call():
            yield from changed_calls(node)
        case ast.List() | ast.Set() | ast.Dict():
            yield from changed_displays(node)
        case _:
            yield from changed_operations(node)


def changed_comparisons(node: ast.Compare) -> Iterator[ast.expr]:
    for number, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            changed = copy.deepcopy(node)
            changed.ops[number] = other()
            yield changed


def changed_operations(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            yield ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(op=ast.Or(), values=values):
            yield ast.BoolOp(ast.And(), values)
        case ast.BinOp(op=operator) if type(operator) in OPERATORS:
            yield ast.BinOp(node.left, OPERATORS[type(operator)](), node.right)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case _:
            return


def changed_values(value: object) -> Iterator[bool | float | str]:
    match value:
        case bool():
            yield not value
        case int() | float():
            yield value + 1
            yield value - 1
        case str() if value:
            yield ""
        case _:
            return


def changed_calls(call: ast.Call) -> Iterator[ast.expr]:
    if isinstance(call.func, ast.Name) and call.func.id in FUNCTIONS:
        yield ast.Call(ast.Name(FUNCTIONS[call.func.id]), call.args, call.keywords)
    for number, keyword in enumerate(call.keywords):
        if keyword.arg not in EQUIVALENT_ARGUMENTS:
            yield ast.Call(call.func, call.args, without(call.keywords, number))


def changed_displays(node: ast.List | ast.Set | ast.Dict) -> Iterator[ast.expr]:
    match node:
        case ast.Dict(keys=keys, values=values) if len(keys) > 1:
            for number in range(len(keys)):
                yield ast.Dict(without(keys, number), without(values, number))
        case ast.List(elts=elements) | ast.Set(elts=elements) if len(elements) > 1:
            for number in range(len(elements)):
                yield type(node)(without(elements, number))
        case _:
            return


def without(items: Sequence[Item], number: int) -> list[Item]:
    return [*items[:number], *items[number + 1 :]]


def sample(count: int, seed: int) -> list[Fault]:
    """Faults of as many statements, each statement as likely as every other."""
    by_statement: defaultdict[tuple[Path, int], list[Fault]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for fault in FaultFinder(path.relative_to(ROOT), path.read_bytes()).faults:
                by_statement[fault.path, fault.lines.start].append(fault)
    chance = random.Random(seed)
    statements = chance.sample(list(by_statement), count)
    return [chance.choice(by_statement[statement]) for statement in statements]


class Map:
    """Which tests reach which lines."""

    def __init__(self, file: Path) -> None:
        self._data = CoverageData(str(file))
        self._data.read()
        self._failing = set(list_of_failing(file).read_text(encoding="utf-8").splitlines())
        failing_files = {test.partition("::")[0] for test in self._failing}
        self._source_readers = [file for file in SOURCE_READERS if file not in failing_files]
        self._size: Counter[str] = Counter()
        for path in self._data.measured_files():
            for contexts in self._data.contexts_by_lineno(path).values():
                self._size.update(tests_of(contexts))

    def tests(self, fault: Fault) -> list[str]:
        """The tests that reach a fault: first those of its module, and that reach little else.

        All tests of its module count as reaching it: a value that an earlier test left in a cache
        hides that they do. What runs at an import, or only in other processes, is reached by all
        that reach its module. What few tests reach, others may reach at an import or in another
        process, which is not known: then all tests of its package run, the nearest first.
        """
        by_line = self._data.contexts_by_lineno(str(fault.path))
        lines = () if fault.runs_at_import else fault.lines
        found = tests_of(context for line in lines for context in by_line.get(line, ()))
        found = found or tests_of(context for line in by_line.values() for context in line)
        of_module = {test for test in self._size if f"/test_{fault.path.stem}.py::" in test}
        candidates = found | of_module
        if len(candidates) < NEAREST:
            package = f"tests/{fault.path.parts[0]}/"
            candidates |= {test for test in self._size if test.startswith(package)}

        def distance(test: str) -> tuple[int, int, str]:
            kinds = (test in found) + (test in of_module)
            return -kinds, self._size[test], test

        nearest_first = sorted(candidates - self._failing, key=distance)
        return [*nearest_first, *self._source_readers]


def tests_of(contexts: Iterator[str] | Sequence[str]) -> set[str]:
    return {context.rpartition("|")[0] for context in contexts} - {""}


@contextmanager
def checkout() -> Iterator[Path]:
    """A copy of what is here, with changes that are not committed, in a folder of its own."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.check_output(listed, cwd=ROOT, text=True).rstrip("\0").split("\0")
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "velha"
        for name in names:
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        yield folder


def run_tests(folder: Path, *arguments: str, seconds: float | None = None) -> tuple[int, str]:
    """Run tests in a copy of the checkout; returns pytest's exit code, and what it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "--tb=no", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that what it has started can be ended with it
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.wait(), "FAILED to end in time"
    return process.returncode, output


def measure(file: Path) -> None:
    """Run the whole suite, and write to a file which test reaches what."""
    with checkout() as folder:
        packages = [f"--cov={package}" for package in PACKAGES]
        _, output = run_tests(folder, *packages, "--cov-context=test", "--cov-report=")
        shutil.copy(folder / ".coverage", file)
    failing = [failure.split(" ", 1)[1].split(" - ")[0] for failure in failures_in(output)]
    list_of_failing(file).write_text("\n".join(failing), encoding="utf-8")
    print(f"Without any fault, {len(failing)} tests fail; they are left out.", *failing, sep="\n")


def list_of_failing(file: Path) -> Path:
    """Where the tests are listed that fail without any fault: they notice nothing."""
    return file.with_name(f"{file.name}.failing")


def failures_in(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]


def failing_test(fault: Fault, tests: Sequence[str], folder: Path) -> str | None:
    """The first test that fails with this fault, as pytest names it."""
    source = (ROOT / fault.path).read_bytes()
    plant(folder / fault.path, fault.planted_in(source))
    try:
        return first_failure(folder, tests[:NEAREST], "--numprocesses=0") or first_failure(
            folder, tests[NEAREST:]
        )
    finally:
        plant(folder / fault.path, source)


def plant(path: Path, source: bytes) -> None:
    path.write_bytes(source)
    # Python takes what it has compiled for new if the source has the same size and second.
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def first_failure(folder: Path, tests: Sequence[str], *options: str) -> str | None:
    if not tests:
        return None
    names = folder.parent / "tests.txt"
    names.write_text("\n".join(tests), encoding="utf-8")
    hang = [f"faulthandler_timeout={SECONDS_PER_TEST}", "faulthandler_exit_on_timeout=true"]
    limits = [word for option in hang for word in ("-o", option)]
    run = partial(run_tests, folder, "--exitfirst", *limits, *options, seconds=SECONDS_PER_FAULT)
    code, output = run(f"@{names}")
    # A test's parameters may be made of what has changed: with xdist, no test runs then.
    if code in {pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED}:
        files = sorted({test.partition("::")[0] for test in tests})
        code, output = run(*files)
    if code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        return None
    return next(iter(failures_in(output)), "the end of the process")


def difference(fault: Fault) -> str:
    source = (ROOT / fault.path).read_bytes()
    before, after = source.decode(), fault.planted_in(source).decode()
    lines = unified_diff(before.splitlines(), after.splitlines(), n=1, lineterm="")
    return "\n".join(list(lines)[2:])


def main() -> None:
    parser = argparse.ArgumentParser(description="Which faults does no test notice?")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--map", type=Path, help="which test reaches what: kept here, used again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file: Path = options.map or Path(folder) / "map"
        if not file.exists():
            measure(file)
        reach = Map(file)
    unnoticed = 0
    with checkout() as folder:
        for number, fault in enumerate(sample(options.count, options.seed), 1):
            tests = reach.tests(fault)
            failure = failing_test(fault, tests, folder)
            place = f"{number:3}. {fault.path}:{fault.lines.start}"
            if failure:
                print(f"{place}: {failure}", flush=True)
            else:
                unnoticed += 1
                print(f"{place}: UNNOTICED by {len(tests)} tests\n{difference(fault)}", flush=True)
    print(f"{options.count - unnoticed} of {options.count} were noticed.")


if __name__ == "__main__":
    main()

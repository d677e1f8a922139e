"""Why a function may be wrong: hypotheses, each tried before it is said.

A `Change` is the learner's code with one place changed, as a teacher would try it. It is a cause
only if the function is right with it. The other causes can be seen on the boards themselves.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib import import_module

from engine.board import Board
from engine.check.finding import Finding, FindingKind
from engine.rules import TIC_TAC_TOE
from engine.solver import solve
from engine.worth import Value

_MODULES = ("copy", "math", "random", "functools", "itertools", "collections")
"""Where a name may come from that was used without being imported."""
_UNKNOWN_NAME = re.compile(r"NameError: name '(\w+)' is not defined")
_MAX_LINES = 3
_SWAPPED = {"max": "min", "min": "max"}
_EQUALITIES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}


class Cause(Enum):
    """What may be wrong with a function."""

    NOT_IMPORTED = "a standard module is not imported"
    FOR_BOTH = "the largest, or the smallest, for both players"
    MIN_MAX = "the largest instead of the smallest, or the other way round"
    AVERAGE = "an average where a player chooses"
    FIRST_VALUE = "it begins with a value that nothing may exceed"
    CUT_OFF = "the bounds of alpha-beta"
    MEMORY = "what is remembered"
    IDENTITY = "compared by identity"
    COLUMN_FIRST = "rows and columns exchanged"
    LINES = "some of the eight lines"
    OTHER_WAY_ROUND = "of two answers it gives the other"
    NOT_A_SET = "the right actions, but not as a set"
    LOST = "lost positions"
    NEGATIVE = "negative indices"
    MARKS_LEFT = "marks that were tried and not taken back"
    NO_CUT_OFF = "alpha-beta that cuts nothing off"
    A_CLASS = "a class with a board of its own, in place of the eight functions"
    SUCCESSORS = "successor states, in place of the eight functions"
    PAIR = "a pair of functions for any game, in place of the eight functions"
    FLAT = "a flat board of nine cells, in place of the eight functions"


@dataclass(frozen=True, slots=True)
class Hint:
    """A cause that was found true: the line of the file, and what stands there and what would help.

    With `mark` it was tried only where that player is to move.
    """

    cause: Cause
    line: int = 0
    was: str = ""
    now: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A hint, and the whole code with what would help."""

    hint: Hint
    source: str


def missing_import(source: str, error: str) -> Change | None:
    """The code with the import that an error asks for; None if no standard module has the name."""
    if (unknown := _UNKNOWN_NAME.search(error)) is None:
        return None
    name = unknown[1]
    statement = ""
    if name in sys.stdlib_module_names:
        statement = f"import {name}"
    for module in _MODULES:
        if not statement and hasattr(import_module(module), name):
            statement = f"from {module} import {name}"
    if not statement:
        return None
    return Change(Hint(Cause.NOT_IMPORTED, was=name, now=statement), f"{statement}\n{source}")


def changes(source: str, name: str) -> Iterator[Change]:
    """The code with one place changed, for each place where a common mistake of a function may be.

    A place in the code of a function that this one never names is left alone.
    """
    tree = ast.parse(source)
    nodes = [node for statement in _reached_from(name, tree) for node in ast.walk(statement)]
    for node in nodes:
        for cause, place, new in _replacements(node):
            hint = Hint(cause, place.lineno, ast.unparse(place), ast.unparse(new))
            old = place.__class__, place.__dict__
            place.__class__, place.__dict__ = new.__class__, new.__dict__
            changed = ast.unparse(ast.fix_missing_locations(tree))
            place.__class__, place.__dict__ = old
            yield Change(hint, changed)


def _reached_from(name: str, tree: ast.Module) -> list[ast.stmt]:
    """The statements of a module without the functions that one function never calls."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    reached = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    names = _names_in(reached) | {name}
    while found := [functions.pop(each) for each in names & functions.keys()]:
        reached += found
        names = _names_in(found)
    return sorted(reached, key=lambda node: node.lineno)


def _names_in(statements: Iterable[ast.stmt]) -> set[str]:
    nodes = (node for statement in statements for node in ast.walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


Replacement = tuple[Cause, ast.expr, ast.expr]


def _replacements(node: ast.AST) -> Iterator[Replacement]:
    """What may stand in the place of an expression in a node."""
    match node:
        case ast.Assign(value=ast.Tuple(elts=values)):
            for value in values:
                yield from _first_values(value)
        case ast.Assign(value=value):
            yield from _first_values(value)
        case ast.Subscript() | ast.Tuple(ctx=ast.Load()):
            yield from _exchanged(node)
        case ast.If() | ast.Compare():
            yield from _conditions(node)
        case _:
            yield from _choices(node)


def _choices(node: ast.AST) -> Iterator[Replacement]:
    """The largest, the smallest or the average, and what may be meant instead."""
    match node:
        case ast.FunctionDef(args=ast.arguments(args=[board, *_])):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and inner.id in _SWAPPED:
                    new = _expression(f"(max if player({board.arg}) == X else min)")
                    yield Cause.FOR_BOTH, inner, new
        case ast.IfExp(body=ast.Name(id=first), test=test, orelse=ast.Name(id=second)):
            if {first, second} == set(_SWAPPED):
                new = _expression(f"{second} if {ast.unparse(test)} else {first}")
                yield Cause.MIN_MAX, node, new
        case ast.Name(id=("max" | "min") as name):
            yield Cause.MIN_MAX, node, _expression(_SWAPPED[name])
        case ast.BinOp(left=ast.Call(func=ast.Name(id="sum"), args=[values]), op=ast.Div()):
            for choice in _SWAPPED:
                yield Cause.AVERAGE, node, _expression(f"{choice}({ast.unparse(values)})")
        case _:
            pass


def _conditions(node: ast.If | ast.Compare) -> Iterator[Replacement]:
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(), comparators=[ast.Name()]) as test, body=body):
            if isinstance(body[-1], ast.Break | ast.Return):
                yield Cause.CUT_OFF, test, _expression("False")
        case ast.Compare(ops=[ast.In() | ast.NotIn() as found], comparators=[ast.Name()]):
            yield Cause.MEMORY, node, _expression(str(isinstance(found, ast.NotIn)))
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as same], comparators=others):
            yield Cause.IDENTITY, node, ast.Compare(left, [_EQUALITIES[type(same)]()], others)
        case _:
            pass


def _exchanged(node: ast.Subscript | ast.Tuple) -> Iterator[Replacement]:
    """A cell with its column first."""
    match node:
        case ast.Subscript(value=ast.Subscript(value=board, slice=row), slice=column):
            new = _expression(f"{ast.unparse(board)}[{ast.unparse(column)}][{ast.unparse(row)}]")
            assert isinstance(new, ast.Subscript)
            new.ctx = node.ctx
            yield Cause.COLUMN_FIRST, node, new
        case ast.Tuple(elts=[ast.Name(id=row_name), ast.Name(id=column_name)]):
            yield Cause.COLUMN_FIRST, node, _expression(f"({column_name}, {row_name})")
        case _:
            pass


def _first_values(value: ast.expr) -> Iterator[Replacement]:
    """Infinity, of either sign, in the place of a small number."""
    if re.fullmatch(r"-?\d\d?", ast.unparse(value)):
        for infinity in ("float('-inf')", "float('inf')"):
            yield Cause.FIRST_VALUE, value, _expression(infinity)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def seen_on_boards(
    name: str, findings: Collection[Finding], boards: Collection[Board], right: Collection[Board]
) -> Hint | None:
    """What all findings have in common, on all boards where a function is wrong.

    `right` are the boards where it is right.
    """
    kinds = {finding.kind for finding in findings}
    if kinds == {FindingKind.WRONG}:
        return _seen_in_values(name, findings, boards, right)
    if name == "result" and kinds == {FindingKind.ALLOWS_INVALID}:
        is_negative = all(finding.action == "(-1, 0)" for finding in findings)
        return Hint(Cause.NEGATIVE) if is_negative else None
    if name != "minimax":
        return None
    if kinds == {FindingKind.CHANGES_BOARD} and {f.family for f in findings} == {"marks"}:
        return Hint(Cause.MARKS_LEFT)
    is_nothing = {finding.got for finding in findings} == {"None"}
    if is_nothing and all(solve(board).value is Value.LOSS for board in boards):
        return Hint(Cause.LOST)
    return None


def _seen_in_values(
    name: str, findings: Collection[Finding], boards: Collection[Board], right: Collection[Board]
) -> Hint | None:
    """What all wrong values have in common."""
    answers = {(finding.expected, finding.got) for finding in findings}
    is_exchanged = answers == {(got, expected) for expected, got in answers}
    others = [board for board in right if name != "utility" or board.winner is not None]
    if len(answers) == 2 and is_exchanged and not others:
        return Hint(Cause.OTHER_WAY_ROUND)
    if {finding.family for finding in findings} == {"items"}:
        return Hint(Cause.NOT_A_SET)
    outcomes = [board.outcome() for board in boards] if name == "winner" else []
    lines = {outcome.line if outcome else () for outcome in outcomes}
    if not 0 < len(lines) <= _MAX_LINES or any(len(line) != 3 for line in lines):
        return None
    texts = [", ".join(str(divmod(cell, TIC_TAC_TOE.columns)) for cell in line) for line in lines]
    return Hint(Cause.LINES, was="; ".join(sorted(texts)))

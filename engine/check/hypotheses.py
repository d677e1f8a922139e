"""Why a function may be wrong: hypotheses, each tried before it is said.

A `Change` is the learner's code with one place changed, as a teacher would try it. It is a cause
only if the function is right with it. The other causes can be seen on the boards themselves.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from importlib import import_module

from engine.board import Board
from engine.check.finding import Finding, FindingKind
from engine.solver import solve
from engine.worth import Value

_MODULES = ("copy", "math", "random", "functools", "itertools", "collections")
"""Where a name may come from that was used without being imported."""
_UNKNOWN_NAME = re.compile(r"NameError: name '(\w+)' is not defined")
_SWAPPED = {"max": "min", "min": "max"}
_Operators = dict[type[ast.cmpop], type[ast.cmpop]]
_EQUALITIES: _Operators = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}
_REVERSED: _Operators = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


class Cause(Enum):
    """What may be wrong with a function."""

    NOT_IMPORTED = auto()
    FOR_BOTH = auto()
    MIN_MAX = auto()
    AVERAGE = auto()
    FIRST_VALUE = auto()
    CUT_OFF = auto()
    MEMORY = auto()
    KEPT_DEFAULT = auto()
    RETURN_IN_LOOP = auto()
    ONLY_PRINTS = auto()
    TYPED_OFF = auto()
    PLAYS = auto()
    IDENTITY = auto()
    COLUMN_FIRST = auto()
    LINES = auto()
    OTHER_WAY_ROUND = auto()
    NOT_A_SET = auto()
    LOST = auto()
    NEGATIVE = auto()
    MARKS_LEFT = auto()
    NO_CUT_OFF = auto()
    OTHER_SHAPE = auto()
    # Of known wrong programs:
    OTHER_SIDE = auto()
    ROOT_SWAPPED = auto()
    REPLIES_SWAPPED = auto()
    OWN_MOVES_ONLY = auto()
    OTHER_MOVES_ONLY = auto()
    SAME_FOR_BOTH = auto()
    SAME_AT_ROOT = auto()
    CALLS_ITSELF = auto()
    LEAF_OF_X = auto()
    NO_MINUS = auto()
    OWN_WINS_ONLY = auto()
    OWN_LOSSES_ONLY = auto()
    WINS_OF_ONE_ONLY = auto()
    DEPTH = auto()
    WINS_AND_BLOCKS = auto()
    DEPTH_TURNS = auto()
    DEPTH_OUTWEIGHS = auto()
    AVERAGED = auto()
    ADDED = auto()
    NOTHING_BETTER = auto()
    FIRST_MOVE = auto()
    FIRST_REPLY = auto()
    FIRST_REPLY_OF_ONE = auto()
    LAST_MOVE = auto()
    LAST_REPLY = auto()
    BOUNDS_AT_ROOT = auto()
    SIDE_UNSEEN = auto()
    NOT_A_LINE = auto()
    FULL_FORGOTTEN = auto()


@dataclass(frozen=True, slots=True)
class Hint:
    """A cause that was found true: the line of the file, and what stands there and what would help.

    Of a program of another shape, `now` is the lines by which it can be judged.
    """

    cause: Cause
    line: int = 0
    was: str = ""
    now: str = ""


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


def changes(source: str, name: str, others: Collection[str]) -> Iterator[Change]:
    """The code with one place changed, for each place where a common mistake of a function may be.

    Only code that no other of the functions uses is changed: what they use is judged with them.
    """
    tree = ast.parse(source)
    for statement in _own_code(tree, name, others):
        for node in ast.walk(statement):
            for hint, place, new in _replacements(node, statement):
                # A node doesn't know its parent: it becomes the new one for a moment, in its place.
                old = place.__class__, place.__dict__
                place.__class__, place.__dict__ = new.__class__, new.__dict__
                changed = ast.unparse(ast.fix_missing_locations(tree))
                place.__class__, place.__dict__ = old
                yield Change(hint, changed)


def _own_code(tree: ast.Module, name: str, others: Collection[str]) -> list[ast.stmt]:
    """The functions and classes of a module that one function alone reaches."""
    definitions: dict[str, ast.stmt] = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                definitions[node.name] = node
            case ast.Assign(targets=[ast.Name(id=target)]):
                definitions[target] = node
            case _:
                pass

    def reached(names: set[str], stops: set[str]) -> set[str]:
        found: set[str] = set()
        while new := (names & definitions.keys()) - found - stops:
            found |= new
            names = set().union(*(_names_in(definitions[each]) for each in new))
        return found

    shared = reached(set(others) - {name}, {name})
    own = [definitions[each] for each in reached({name}, shared)]
    functions = [node for node in own if not isinstance(node, ast.Assign)]
    return sorted(functions, key=lambda node: node.lineno)


def _names_in(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


Replacement = tuple[Hint, ast.AST, ast.AST]
"""A hint, the node that goes, and the one that takes its place."""


def _replacements(node: ast.AST, statement: ast.stmt) -> Iterator[Replacement]:
    """What may stand in the place of a node, in a function or a class."""
    match node:
        case ast.Assign(targets=[ast.Name(id=target)], value=value):
            yield from _first_values(target, value, statement)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            for each, value in zip(targets, values, strict=False):
                if isinstance(each, ast.Name):
                    yield from _first_values(each.id, value, statement)
        case ast.Subscript() | ast.Tuple(ctx=ast.Load()):
            yield from _exchanged(node)
        case ast.If() | ast.Compare():
            yield from _conditions(node, statement)
        case ast.FunctionDef():
            yield from _functions(node, statement)
        case ast.For(body=[_, *_, ast.Return() as last]):
            loop = ast.For(**{**vars(node), "body": node.body[:-1]})
            both = ast.If(ast.Constant(value=True), [loop, last], [])
            yield Hint(Cause.RETURN_IN_LOOP, last.lineno, ast.unparse(last)), node, both
        case ast.expr():
            yield from _choices(node, statement)
        case _:
            pass


def _replaced(cause: Cause, place: ast.expr, new: ast.expr | str) -> Replacement:
    new = _expression(new) if isinstance(new, str) else new
    return Hint(cause, place.lineno, ast.unparse(place), ast.unparse(new)), place, new


def _functions(node: ast.FunctionDef, statement: ast.stmt) -> Iterator[Replacement]:
    if node.args.args:
        board, bounds = node.args.args[0].arg, _of_bounds(statement)
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id in _SWAPPED and inner not in bounds:
                yield _replaced(Cause.FOR_BOTH, inner, f"(max if player({board}) == X else min)")
    given = node.args.args[len(node.args.args) - len(node.args.defaults) :]
    for argument, default in zip(given, node.args.defaults, strict=True):
        if re.fullmatch(r"\[\]|\{\}|(set|list|dict)\(\)", made := ast.unparse(default)):
            fresh = ast.parse(f"{argument.arg} = {made}").body
            new = ast.FunctionDef(**{**vars(node), "body": [*fresh, *node.body]})
            yield Hint(Cause.KEPT_DEFAULT, node.lineno, f"{argument.arg}={made}"), node, new


def _choices(node: ast.expr, statement: ast.stmt) -> Iterator[Replacement]:
    """The largest, the smallest or the average, and what may be meant instead."""
    match node:
        case ast.IfExp(body=ast.Name(id=first), test=test, orelse=ast.Name(id=second)):
            if {first, second} == set(_SWAPPED):
                yield _replaced(
                    Cause.MIN_MAX, node, f"{second} if {ast.unparse(test)} else {first}"
                )
        case ast.Name(id=("max" | "min") as name) if node not in _of_bounds(statement):
            yield _replaced(Cause.MIN_MAX, node, _SWAPPED[name])
        case ast.Call(func=ast.Name(id=name) as function):
            other = re.sub("max|min", lambda found: _SWAPPED[found[0]], name)
            if other != name and name not in _SWAPPED:
                yield _replaced(Cause.MIN_MAX, function, other)
        case ast.BinOp(left=ast.Call(func=ast.Name(id="sum"), args=[values]), op=ast.Div()):
            for choice in _SWAPPED:
                yield _replaced(Cause.AVERAGE, node, f"{choice}({ast.unparse(values)})")
        case ast.Constant(value=bool(value)):
            yield _replaced(Cause.MIN_MAX, node, str(not value))
        case _:
            pass


def _of_bounds(statement: ast.stmt) -> set[ast.AST]:
    """The `max` and `min` that set what is handed on to calls, as alpha and beta are.

    To exchange them only stops a search from cutting, which says nothing of why a cut is wrong.
    """
    nodes = list(ast.walk(statement))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    searches = [call for call in calls if ast.unparse(call.func) not in _SWAPPED]
    handed_on = {ast.unparse(argument) for call in searches for argument in call.args}
    return {
        node.value.func
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if ast.unparse(node.targets[0]) in handed_on & set(map(ast.unparse, node.value.args))
    }


def _conditions(node: ast.If | ast.Compare, statement: ast.stmt) -> Iterator[Replacement]:
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(), ops=[op], comparators=[ast.Name()]) as test):
            if isinstance(node.body[-1], ast.Break | ast.Return) and type(op) in _REVERSED:
                yield _replaced(Cause.CUT_OFF, test, "False")
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn() as found], comparators=[known]):
            if f"{ast.unparse(known)}[{ast.unparse(key)}]" in ast.unparse(statement):
                yield _replaced(Cause.MEMORY, node, str(isinstance(found, ast.NotIn)))
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as same], comparators=others):
            new = ast.Compare(left, [_EQUALITIES[type(same)]()], others)
            yield _replaced(Cause.IDENTITY, node, new)
        case ast.Compare(left=left, ops=[op], comparators=others) if type(op) in _REVERSED:
            yield _replaced(Cause.MIN_MAX, node, ast.Compare(left, [_REVERSED[type(op)]()], others))


def _exchanged(node: ast.Subscript | ast.Tuple) -> Iterator[Replacement]:
    """A cell with its column first."""
    match node:
        case ast.Subscript(value=ast.Subscript(value=board, slice=row), slice=column):
            cell_of_column = ast.Subscript(board, column, ast.Load())
            new = ast.Subscript(cell_of_column, row, node.ctx)
            yield _replaced(Cause.COLUMN_FIRST, node, new)
        case ast.Tuple(elts=[ast.Name(id=row_name), ast.Name(id=column_name)]):
            yield _replaced(Cause.COLUMN_FIRST, node, f"({column_name}, {row_name})")
        case _:
            pass


def _first_values(name: str, value: ast.expr, statement: ast.stmt) -> Iterator[Replacement]:
    """Infinity, of either sign, in the place of the number that a best value begins with."""
    if re.fullmatch(r"-?\d{1,4}", ast.unparse(value)) and _is_best(name, statement):
        for infinity in ("float('-inf')", "float('inf')"):
            yield _replaced(Cause.FIRST_VALUE, value, infinity)


def _is_best(name: str, statement: ast.stmt) -> bool:
    """Whether a name is compared, and set more than once."""
    text = ast.unparse(statement)
    compared = rf"[<>]=? {name}\b|\b{name} [<>]|\b(max|min)\(.*\b{name}\b"
    assigned = re.findall(rf"^[ \w,()]*\b{name}\b[ \w,()]* = ", text, re.MULTILINE)
    return re.search(compared, text) is not None and len(assigned) > 1


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def seen_on_boards(
    name: str, findings: Collection[Finding], boards: Collection[Board], right: Collection[Board]
) -> Hint | None:
    """What all findings have in common, on all boards where a function is wrong.

    `right` are the boards where it is right.
    """
    faults = [finding for finding in findings if finding.kind.is_fault]
    printed = [finding for finding in findings if finding.kind is FindingKind.PRINTS]
    kinds = {finding.kind for finding in faults}
    returns_nothing = {finding.got for finding in faults} == {"None"}
    if printed and returns_nothing and all(_is_none_right(name, board) for board in right):
        return Hint(Cause.ONLY_PRINTS, was=printed[0].got)
    if kinds == {FindingKind.WRONG}:
        return _seen_in_values(name, faults, right)
    return _seen_in_kinds(name, faults, boards)


def _seen_in_kinds(
    name: str, findings: Collection[Finding], boards: Collection[Board]
) -> Hint | None:
    kinds = {finding.kind for finding in findings}
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


def _is_none_right(name: str, board: Board) -> bool:
    return board.winner is None if name == "winner" else name == "minimax" and board.is_terminal


def _seen_in_values(
    name: str, findings: Collection[Finding], right: Collection[Board]
) -> Hint | None:
    """What all wrong values have in common."""
    answers = {(finding.expected, finding.got) for finding in findings}
    is_exchanged = answers == {(got, expected) for expected, got in answers}
    others = [board for board in right if name != "utility" or board.winner is not None]
    if len(answers) == 2 and is_exchanged and not others:
        return Hint(Cause.OTHER_WAY_ROUND)
    if {finding.family for finding in findings} == {"items"}:
        return Hint(Cause.NOT_A_SET)
    return None

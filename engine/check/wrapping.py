"""The lines by which a program of another shape might be judged, made of its own names.

A call that it makes itself, with a board in it, is made with our board in its place. What its marks
stand for, and where in its answer the move is, is not known: there are lines for each possibility.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import permutations, product

_MARKS = [("'X'", "'O'"), ("'x'", "'o'"), ("1", "-1"), ("1", "2")]
_EMPTIES = ("' '", "'.'", "''", "'-'", "'_'", "0", "None")
_VIEWS = ("X: {}, O: {}", "me: {}, other: {}", "other: {}, me: {}")
"""Which of our players its two marks stand for: some programs play one of them only."""
_INSIDE = ("", "[1]", "[0]")
"""Where in an answer the move is."""
_OURS: Mapping[int, Sequence[str]] = {
    1: (
        "utility",
        "lambda s: [] if terminal(s) else [result(s, a) for a in sorted(actions(s))]",
        "lambda s: sorted(actions(s))",
        "terminal",
        "player",
    ),
    2: ("result",),
}
"""What a search for any game may ask about ours, by the number of arguments."""
_OUR_BOARD = re.compile(r"\b(rows|cells)\b")

Lines = Sequence[str]
"""Of a `minimax`, below its first ones."""
_Scope = ast.FunctionDef | ast.Module


def line_groups(tree: ast.Module, stem: str) -> list[list[Lines]]:
    """Lines to be tried for a program, whose module is `stem`, in groups of much the same ones."""
    constants = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.expr)}
    pairs = [pair for pair in _MARKS if set(pair) <= constants]
    groups = [group for pair in pairs for group in _Program(tree, stem, pair).groups()]
    return [*groups, list(_generic(tree, stem))]


class _UnknownError(Exception):
    """It isn't known what a name stands for."""


@dataclass(frozen=True)
class _SearchCall:
    """A call with a board in it: the lines before it, its function, and what that is given.

    `empty` is the empty cell of its board, and `path` where in a state the board is.
    """

    setup: tuple[str, ...]
    function: str
    given: str
    empty: str
    path: str = ""

    def lines(self, marks: tuple[str, str], function: str) -> Iterator[Lines]:
        """All that its marks may stand for, and its answer."""
        is_flat = "cells" in "".join(self.setup) + self.given
        index = "[3 * i + j]" if is_flat else "[i][j]"
        ends = ["divmod(answer{}, 3)", "tuple(answer{})"]
        for path in {"": 0, self.path: 0}:
            taken = f"answer{{}}{path}{index} != {self.empty}"
            ends.append(f"next((i, j) for i, j in actions(board) if {taken})")
        rows = ["rows = [[marks[mark] for mark in row] for row in board]"]
        rows += ["cells = sum(rows, [])"] if is_flat else []
        for view, end, inside in product(_VIEWS, ends, _INSIDE):
            lines = [
                f"marks = {{{view.format(*marks)}, EMPTY: {self.empty}}}",
                *rows,
                *self.setup,
                f"answer = {function}({self.given})",
                f"return {end.format(inside)}",
            ]
            players = "me, other = (X, O) if player(board) == X else (O, X)"
            yield [players, *lines] if re.search(r"\bme\b", "".join(lines)) else lines


@dataclass
class _Program(ast.NodeTransformer):
    """A program whose expressions it turns into those of the lines."""

    tree: ast.Module
    stem: str
    marks: tuple[str, str]
    known: dict[str, ast.expr] = field(default_factory=dict)
    empty: str = ""

    def groups(self) -> Iterator[list[Lines]]:
        """Groups of lines to be tried, each of one call, or of a pair for the two players."""
        calls = list(dict.fromkeys(self._calls())) or list(self._guessed_calls())
        for call in calls:
            yield list(call.lines(self.marks, call.function))
        for call, other in permutations(calls, 2):
            if replace(other, function=call.function) == call:
                both = f"({call.function} if me == X else {other.function})"
                yield list(call.lines(self.marks, both))

    def _calls(self) -> Iterator[_SearchCall]:
        """The calls that the program itself makes of what searches, with an empty board."""
        searching, setups = searching_in(self.tree), dict(self._objects())
        scopes: list[_Scope] = [self.tree, *functions_of(self.tree)]
        before: list[Lines]
        for scope in scopes:
            for node in [each for each in ast.walk(scope) if isinstance(each, ast.Call)]:
                match node.func:
                    case ast.Name(id=name) if name in searching - setups.keys():
                        function, before = f"{self.stem}.{name}", [()]
                    case ast.Attribute(attr=name) if name in searching:
                        function, before = f"thing.{name}", setups.get(name, [])
                    case _:
                        continue
                self.known = _assigned(self.tree) | _assigned(scope)
                with suppress(_UnknownError):
                    given = [self.visit(deepcopy(each)) for each in node.args]
                    text = ", ".join(map(ast.unparse, given))
                    for setup in before:
                        if _OUR_BOARD.search("".join(setup) + text):
                            yield _SearchCall(
                                tuple(setup), function, text, self.empty, _path(given)
                            )

    def _guessed_calls(self) -> Iterator[_SearchCall]:
        """Calls of what takes one argument, with each board that it might be."""
        texts = {ast.unparse(node) for node in ast.walk(self.tree)}
        for node in self.tree.body:
            if not isinstance(node, ast.FunctionDef) or node.name not in searching_in(self.tree):
                continue
            if len(node.args.args) - len(node.args.defaults) == 1:
                for empty, board in product(set(_EMPTIES) & texts, ("rows", "cells")):
                    yield _SearchCall((), f"{self.stem}.{node.name}", board, empty)

    def _objects(self) -> Iterator[tuple[str, list[Lines]]]:
        """The methods of each class with a board, and the lines that make such an object."""
        for node in self.tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
            boards, marked = [], []
            for start in [each for each in methods if each.name == "__init__"]:
                self.known = _assigned(self.tree) | _assigned(start)
                for target, value in _assignments(start):
                    text = ast.unparse(target).replace(f"{start.args.args[0].arg}.", "thing.", 1)
                    if (board := self._board(value)) is not None:
                        boards.append(f"{text} = {board}")
                    elif ast.unparse(self._value(value)) in self.marks:
                        marked.append(text)
            turns = [[f"{each} = marks[me]"] for each in marked] + [[]]
            made = [f"thing = {self.stem}.{node.name}()", *boards]
            for method in methods:
                yield method.name, [[*made, *lines] for lines in turns if boards]

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr):
            if (board := self._board(node)) is not None:
                return ast.parse(board, mode="eval").body
            if ast.unparse(self._value(node)) in self.marks:
                return ast.parse("marks[me]", mode="eval").body
        new: ast.AST = super().visit(node)
        return new

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.known:
            value = self.known.pop(node.id)  # not again within its own value
            new = self.visit(deepcopy(value))
            self.known[node.id] = value
            return new
        if node.id in _defined(self.tree):
            return ast.Attribute(ast.Name(self.stem), node.id)
        if hasattr(builtins, node.id):
            return node
        raise _UnknownError

    def _value(self, node: ast.expr) -> ast.expr:
        """What a name stands for, or what a function of no arguments returns."""
        match node:
            case ast.Name(id=name) if name in self.known:
                return self.known[name]
            case ast.Call(func=ast.Name(id=name), args=[]):
                for function in functions_of(self.tree):
                    last = function.body[-1]
                    if function.name == name and isinstance(last, ast.Return) and last.value:
                        return last.value
            case _:
                pass
        return node

    def _board(self, node: ast.expr) -> str | None:
        """Our board in the form of one that is empty in the program; None if it is none."""
        row = self._repeated(node, 3)
        cell = self._repeated(node, 9) if row is None else self._repeated(row, 3)
        empty = "" if cell is None else ast.unparse(self._value(cell))
        if empty not in _EMPTIES:
            return None
        self.empty = empty
        is_tuple = ast.unparse(self._value(node)).startswith("(")
        forms = ("cells", "tuple(cells)", "rows", "tuple(map(tuple, rows))")
        return forms[2 * (row is not None) + is_tuple]

    def _repeated(self, node: ast.expr, count: int) -> ast.expr | None:
        """The item that a list has so many times."""
        match self._value(node):
            case ast.BinOp(
                left=ast.List(elts=[item]) | ast.Tuple(elts=[item]),
                op=ast.Mult(),
                right=ast.Constant(value=times),
            ):
                return item if times == count else None
            case ast.ListComp(elt=item, generators=[ast.comprehension(iter=numbers)]):
                return item if ast.unparse(numbers) == f"range({count})" else None
            case ast.List(elts=items) | ast.Tuple(elts=items) if len(items) == count:
                return items[0] if len(set(map(ast.unparse, items))) == 1 else None
            case _:
                return None


def _path(given: Sequence[ast.AST]) -> str:
    """Where in the first of some arguments our board is."""
    match given:
        case [ast.Dict(keys=keys, values=values), *_]:
            names = [key and ast.unparse(key) for key in keys]
        case [ast.Tuple(elts=values), *_]:
            names = [str(index) for index, _ in enumerate(values)]
        case _:
            return ""
    for name, value in zip(names, values, strict=True):
        if _OUR_BOARD.search(ast.unparse(value)):
            return f"[{name}]"
    return ""


def functions_of(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _assignments(scope: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in ast.walk(scope):
        match node:
            case ast.Assign(targets=[target], value=value):
                yield target, value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield target, value
            case _:
                pass


def _assigned(scope: _Scope) -> dict[str, ast.expr]:
    """What each name stands for at first, in a function or a module."""
    statements = ast.Module(
        [each for each in scope.body if not isinstance(each, ast.FunctionDef)], []
    )
    found = [*_assignments(statements)][::-1]
    return {target.id: value for target, value in found if isinstance(target, ast.Name)}


def _defined(tree: ast.Module) -> set[str]:
    """The names of the functions, classes and modules of a file."""
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imports = (node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    return names | {alias.asname or alias.name for each in imports for alias in each.names}


def searching_in(tree: ast.Module) -> set[str]:
    """The functions that call themselves, or one that does, and wait for nobody to type."""
    called = {
        function.name: {
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(function)
            if isinstance(node, ast.Name | ast.Attribute)
        }
        for function in functions_of(tree)
    }
    for names in [*called.values()] * len(called):
        names.update(*(called.get(each, ()) for each in names))
    recursive = {name for name, names in called.items() if name in names}
    return {
        name
        for name, names in called.items()
        if "input" not in names and (name in recursive or names & recursive)
    }


def _generic(tree: ast.Module, stem: str) -> Iterator[Lines]:
    """Lines for a pair of functions that ask an object, or functions, about any game."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for high, node in functions.items():
        low = re.sub("max", "min", re.sub("Max", "Min", high))
        if low == high or low not in functions:
            continue
        names = [argument.arg for argument in node.args.args]
        asked: dict[str, int] = {}
        states: list[str] = []
        for call in ast.walk(node):
            match call:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name))):
                    if name in names:
                        asked[ast.unparse(call.func)] = len(call.args)
                        states += [ast.unparse(each) for each in call.args[:1]]
                case _:
                    pass
        for chosen in product(*(_OURS.get(count, ()) for count in asked.values())):
            if not asked or len(set(chosen)) < len(chosen):
                continue
            given = dict(zip(asked, chosen, strict=True))
            methods = ", ".join(f"{k.partition('.')[2]}={v}" for k, v in given.items() if "." in k)
            arguments = {name: given[name] for name in names if name in given}
            arguments |= {name: "result(board, action)" for name in names if name in states}
            arguments |= {k.partition(".")[0]: "rules" for k in given if "." in k}
            made = [f"rules = SimpleNamespace({methods})"] if methods else []
            text = ", ".join(f"{name}={value}" for name, value in arguments.items())
            chooses = f"(max, {stem}.{low}) if player(board) == X else (min, {stem}.{high})"
            key = f"key=lambda action: value({text})"
            yield [
                *(["from types import SimpleNamespace", *made] if made else []),
                f"best, value = {chooses}",
                f"return best(sorted(actions(board)), {key})",
            ]

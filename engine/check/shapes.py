"""Programs that are written otherwise than as the eight functions, recognised by their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from engine.check.hypotheses import Cause, Hint
from engine.check.process import Loaded
from engine.rules import TIC_TAC_TOE

_BEST_MOVE = {"getbestmove", "bestmove", "findbestmove", "minimax"}
_SUCCESSORS = {"successors", "getsuccessors"}
_PAIR = {"maxvalue", "minvalue"}
_OF_FLAT_BOARDS = _BEST_MOVE | {"checkwinner", "checkwin", "iswinner", "winner"}
_CELLS = len(TIC_TAC_TOE.cells)


def hint_of_shape(path: Path, loaded: Loaded) -> Hint | None:
    """Which other shape a file has, and by what it is known; None if it has the eight functions."""
    if {"actions", "result"} & set(loaded.functions):
        return None
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return None
    return None if _is_wrapped(tree, loaded) else next(_shapes(tree), None)


def _is_wrapped(tree: ast.Module, loaded: Loaded) -> bool:
    """Whether there is a `minimax` of a board alone, and what it takes a board to be made of."""
    sizes = [
        len(node.args.args) - len(node.args.defaults)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == "minimax"
    ]
    return sizes == [1] and "EMPTY" in loaded.others


def _shapes(tree: ast.Module) -> Iterator[Hint]:
    """The shapes that a file may have, the most telling first."""
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    for node in nodes:
        methods = node.body if isinstance(node, ast.ClassDef) else []
        for method in methods:
            if isinstance(method, ast.FunctionDef) and _plain(method.name) in _BEST_MOVE:
                assert isinstance(node, ast.ClassDef)
                yield Hint(Cause.A_CLASS, method.lineno, f"{node.name}.{method.name}")
    for function in functions:
        if _plain(function.name) in _SUCCESSORS:
            yield Hint(Cause.SUCCESSORS, function.lineno, function.name)
    pair = [function for function in functions if _plain(function.name) in _PAIR]
    if {_plain(function.name) for function in pair} == _PAIR:
        names = sorted(function.name for function in pair)
        yield Hint(Cause.PAIR, pair[0].lineno, ", ".join(names))
    boards = [node for node in nodes if isinstance(node, ast.expr) and _is_flat_board(node)]
    if boards and any(_plain(function.name) in _OF_FLAT_BOARDS for function in functions):
        yield Hint(Cause.FLAT, boards[0].lineno, ast.unparse(boards[0]))


def _plain(name: str) -> str:
    """A name as it is compared: `getBestMove` is `get_best_move`."""
    return name.lower().replace("_", "")


def _is_flat_board(node: ast.expr) -> bool:
    """Whether an expression is `[" "] * 9`, or a list of nine that are written out."""
    match node:
        case ast.BinOp(left=ast.List(elts=[_]), op=ast.Mult(), right=ast.Constant(value=count)):
            return count == _CELLS
        case ast.List(elts=cells):
            return len(cells) == _CELLS and all(isinstance(cell, ast.Constant) for cell in cells)
        case _:
            return False

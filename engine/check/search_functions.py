"""The search in a learner's file, found in its source by the names of its parameters."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

_ALPHAS = {"alpha", "alfa", "a", "\N{GREEK SMALL LETTER ALPHA}", "lo", "low", "lower"}
_BETAS = {"beta", "b", "\N{GREEK SMALL LETTER BETA}", "hi", "high", "upper"}
_MAX_OTHERS = 2


@dataclass(frozen=True)
class SearchFunctions:
    """The functions to be called where X is to move and where O is, which may be the same one.

    Both have the same parameters: `others` are those without a default value.
    """

    functions: tuple[str, str]
    state: str
    alpha: str
    beta: str
    others: tuple[str, ...]


def searches_in(source: str) -> Iterator[SearchFunctions]:
    """The functions of a file that its `minimax` reaches and that take alpha and beta."""
    body = ast.parse(source).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    reached = _reached_from("minimax", {**_assignments(body), **functions})
    for name, function in functions.items():
        if name not in reached:
            continue
        other = _counterpart(name, "max", "min", functions)
        if other == name != _counterpart(name, "min", "max", functions):
            continue  # O's of a pair: it comes with X's
        parameters = _parameters(function)
        if parameters and parameters == _parameters(functions[other]):
            state, alpha, beta, *others = parameters
            yield SearchFunctions((name, other), state, alpha, beta, tuple(others))


def _assignments(body: Collection[ast.stmt]) -> dict[str, ast.stmt]:
    """The statements that give a name to a value, such as to another function."""
    return {
        target.id: node
        for node in body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _reached_from(name: str, definitions: Mapping[str, ast.stmt]) -> set[str]:
    """The names that a definition uses, itself or by way of others, and its own."""
    reached: set[str] = set()
    waiting = {name}
    while waiting:
        reached |= waiting
        used = {
            each.id
            for name in waiting & definitions.keys()
            for each in ast.walk(definitions[name])
            if isinstance(each, ast.Name)
        }
        waiting = used - reached
    return reached


def _counterpart(name: str, part: str, other: str, names: Collection[str]) -> str:
    """The function of the other player, such as `min_value` of `max_value`, or the same."""
    wanted = name.lower().replace(part, other)
    return next((each for each in names if each.lower() == wanted), name)


def _parameters(function: ast.FunctionDef) -> list[str]:
    """The state, alpha, beta, and the others without a default; empty if it is no such search."""
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

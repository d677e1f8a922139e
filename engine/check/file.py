"""What can be said of a learner's file before its functions are called."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path

from engine.check.checks import CONSTANTS, FUNCTION_NAMES
from engine.check.finding import Finding, FindingKind
from engine.check.hypotheses import Cause, Change, Hint
from engine.check.learner import LearnerFile
from engine.check.process import Loaded, is_own

_REACHES_OUT = {"exec", "eval", "compile", "open", "importlib", "__import__", "subprocess", "runpy"}
_USUAL_NAME = "tictactoe.py"
_MIN_LIKENESS = 0.75
"""From 0 to 1: how like a name another must be to be taken for it misspelt."""


def programs_in(folder: Path) -> dict[str, Path]:
    """The programs of a folder by name: its Python files, and the `tictactoe.py` of each folder."""
    files = {path.name: path for path in sorted(folder.glob("*.py"))}
    return files | {path.parent.name: path for path in sorted(folder.glob(f"*/{_USUAL_NAME}"))}


def findings_of_file(path: Path, loaded: Loaded, *, own: bool) -> list[Finding]:
    """The findings about a file as a whole."""
    if path.suffix == ".ipynb":
        return [Finding(FindingKind.NOTEBOOK)]
    if (line := _first_line_not_utf8(path)) is not None:
        return [Finding(FindingKind.NOT_UTF8, got=str(line))]
    if loaded.error is not None:
        kind, text = loaded.error, loaded.error_text
        if own and kind is FindingKind.MISSING_IMPORT and text.startswith("engine"):
            kind = FindingKind.ENGINE_IMPORT
        return [Finding(kind, got=text, family=text)]
    if not set(FUNCTION_NAMES) & set(loaded.functions):
        return [Finding(FindingKind.NOTHING_DEFINED, got=", ".join(FUNCTION_NAMES))]
    names = {*loaded.functions, *loaded.others}
    missing = [missing_finding(name, loaded) for name in CONSTANTS if name not in names]
    values = loaded.constants.values()
    if any(first == second for first, second in combinations(values, 2)):
        return [Finding(FindingKind.SAME_CONSTANTS), *missing]
    printed = [Finding(FindingKind.PRINTS, got=loaded.printed)] if loaded.printed else []
    return [*missing, *printed, *(_reaching_out(path) if own else ())]


def _reaching_out(path: Path) -> Iterator[Finding]:
    """By what a file can take code from elsewhere, which nothing here would notice."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [node.id] if isinstance(node, ast.Name) else []
        for name in [each for each in names if each.split(".")[0] in _REACHES_OUT]:
            line = str(getattr(node, "lineno", 0))
            yield Finding(FindingKind.REACHES_OUT, got=name, expected=line, family=name)


def is_usable(findings: Sequence[Finding]) -> bool:
    """Whether the functions of a file can be judged."""
    harmless = {FindingKind.MISSING, FindingKind.MISNAMED}
    return all(each.kind in harmless or not each.kind.is_fault for each in findings)


def fault_of_player(path: Path, loaded: Loaded, *, own: bool) -> Finding | None:
    """Why a file's `minimax` can't be asked for a move, if so."""
    findings = findings_of_file(path, loaded, own=own)
    if is_usable(findings):
        if "minimax" not in loaded.functions:
            findings.append(missing_finding("minimax", loaded))
        elif own and not is_own(path, loaded.functions["minimax"]):
            findings.append(Finding(FindingKind.NOT_OWN, got="minimax"))
    return next((finding for finding in findings if finding.kind.is_fault), None)


def missing_finding(name: str, loaded: Loaded) -> Finding:
    """The finding that a name is missing, with the name that may be meant for it."""
    names = loaded.functions if name in FUNCTION_NAMES else loaded.others
    others = {other.lower(): other for other in names if other not in FUNCTION_NAMES}
    close = get_close_matches(name.lower(), others, n=1, cutoff=_MIN_LIKENESS)
    if close:
        return Finding(FindingKind.MISNAMED, got=name, expected=others[close[0]], family=name)
    return Finding(FindingKind.MISSING, got=name, family=name)


def unwritten_functions(path: Path) -> set[str]:
    """The functions of a file of which there is only the first line and, perhaps, a docstring."""
    functions = {
        statement.name: statement
        for statement in ast.parse(path.read_bytes()).body
        if isinstance(statement, ast.FunctionDef)
    }
    return {name for name, function in functions.items() if all(map(_is_empty, function.body))}


def _is_empty(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise):
        error = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(error, ast.Name) and error.id == "NotImplementedError"
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Pass)


def _first_line_not_utf8(path: Path) -> int | None:
    """The number of the first line that is not UTF-8, unless the file declares an encoding."""
    source = path.read_bytes()
    for number, line in enumerate(source.split(b"\n"), start=1):
        try:
            line.decode()
        except UnicodeDecodeError:
            return None if _declares_encoding(source) else number
    return None


def _declares_encoding(source: bytes) -> bool:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError:
        return False
    return encoding != "utf-8"


def without_play(file: LearnerFile, loaded: Loaded) -> Change | None:
    """The code without what it plays when it is imported; None if there is no such thing.

    It may wait for somebody to type, loop, or draw with a module that isn't installed here.
    """
    try:
        tree = ast.parse(file.source)
    except (SyntaxError, ValueError):
        return None
    missing = loaded.error_text.split(" ")[0] if loaded.error is FindingKind.MISSING_IMPORT else ""
    left_out = {"input", missing.partition(".")[0]}
    kept, plays = [], []
    for node in tree.body:
        words = re.findall(r"\w+", ast.unparse(node))
        runs = isinstance(node, ast.While | ast.For | ast.With | ast.Try) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        )
        is_quiet = isinstance(node, ast.FunctionDef | ast.ClassDef) or "__name__" in words
        if not is_quiet and (runs or left_out.intersection(words)):
            plays.append(node)
            left_out |= {words[0]} if isinstance(node, ast.Assign) else set()
        else:
            kept.append(node)
    playing = [node for node in plays if not isinstance(node, ast.Import | ast.ImportFrom)]
    if not playing:
        return None
    source = ast.unparse(ast.Module(kept, []))
    return Change(Hint(Cause.PLAYS, plays[0].lineno), source)

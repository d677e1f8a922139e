"""The report on a learner's `tictactoe.py` as data, in the shape of check50's JSON.

`docs/en/TEACHING.md` describes it. What is in it stays as it is; later versions only add.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine.board import Board
from engine.check.checks import FUNCTION_NAMES, to_action
from engine.check.finding import Finding
from engine.check.report import FunctionReport, Judgement, UnjudgedReason
from engine.terminal.check_texts import CheckTexts
from engine.terminal.language import N_

_VERSION = "1.1"
_SLUG = "velha/tictactoe"
_FILE_CHECK = "file"
_PASSED = {
    Judgement.RIGHT: True,
    Judgement.RIGHT_SO_FAR: None,
    Judgement.WRONG: False,
    Judgement.NOT_JUDGED: None,
}

Json = dict[str, Any]


# Translators, from here on: in a report that programs read, and show to whoever teaches.
def report_as_json(
    reports: Iterable[FunctionReport], texts: CheckTexts, only: Sequence[str] = FUNCTION_NAMES
) -> Json:
    """The reports on a learner's file, and on `only` these functions, as data."""
    file_report, *function_reports = reports
    results = [_file_result(file_report, texts)]
    results += [_result(report, texts) for report in function_reports]
    if not function_reports:
        results += [_unusable_result(name, texts) for name in only]
    return {"slug": _SLUG, "results": results, "version": _VERSION}


def _file_result(report: FunctionReport, texts: CheckTexts) -> Json:
    """The result of the file itself, without what it says of missing functions."""
    description = texts.language.say(N_("{file} can be judged"), file=texts.path.name)
    result = _entry(_FILE_CHECK, description, report.judgement, dependency=None)
    return result | _details(report, texts)


def _result(report: FunctionReport, texts: CheckTexts) -> Json:
    dependency = report.depends_on[0] if report.depends_on else _FILE_CHECK
    description = _description(report.name, texts)
    result = _entry(report.name, description, report.judgement, dependency=dependency)
    result |= _details(report, texts)
    result["data"] |= {
        "judgement": report.judgement.value,
        "reason": report.reason and report.reason.value,
        "depends_on": list(report.depends_on),
        "own": report.is_own,
        "boards_judged": report.boards_checked,
        "boards": report.boards_total,
        "games": report.games,
    }
    return result


def _unusable_result(name: str, texts: CheckTexts) -> Json:
    """The result of a function in a file that cannot be used."""
    judgement = Judgement.NOT_JUDGED
    result = _entry(name, _description(name, texts), judgement, dependency=_FILE_CHECK)
    rationale = texts.language.say(N_("The file can't be used."))
    result["cause"] = {"rationale": rationale, "help": None}
    result["data"] = {"findings": [], "judgement": judgement.value, "reason": _FILE_CHECK}
    return result


def _description(name: str, texts: CheckTexts) -> str:
    return texts.language.say(N_("{name} is right on every board"), name=name)


def _entry(name: str, description: str, judgement: Judgement, *, dependency: str | None) -> Json:
    return {
        "name": name,
        "description": description,
        "passed": _PASSED[judgement],
        "log": [],
        "cause": None,
        "data": {},
        "dependency": dependency,
    }


def _details(report: FunctionReport, texts: CheckTexts) -> Json:
    """The cause, the log and the findings of a report."""
    lines = list(texts.lines(report))
    findings = [
        _finding(finding, texts.message(report.name, finding), count)
        for finding, count in report.faults_first
    ]
    hint = report.hint
    cause, help_ = None, texts.hint(hint, report.name) if hint else None
    if report.is_wrong or report.reason is UnjudgedReason.MISSING:
        cause = {"rationale": findings[0]["message"], "help": help_}
    elif report.reason:
        cause = {"rationale": texts.reason(report), "help": help_}
    return {"log": lines, "cause": cause, "data": {"findings": findings}}


def _finding(finding: Finding, message: str, board_count: int) -> Json:
    return {
        "kind": finding.kind.name.lower(),
        "is_mistake": finding.kind.is_fault,
        "boards": board_count,
        "board": None if finding.board is None else _rows(finding.board),
        "action": finding.action or None,
        "expected": finding.expected or None,
        "found": finding.got or None,
        "line": [str(to_action(cell)) for cell in finding.line],
        "message": message,
    }


def _rows(board: Board) -> list[str]:
    """The rows from the top, such as `XO.`."""
    return str(board).upper().split()

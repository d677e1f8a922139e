"""The report on a learner's `tictactoe.py`, printed function by function."""

from __future__ import annotations

from collections.abc import Iterable

from engine.check.finding import FindingKind
from engine.check.report import NOT_ALL_JUDGED, FunctionReport
from engine.terminal.check_texts import CheckTexts
from engine.terminal.drawing import GREEN, RED, YELLOW, coloured
from engine.terminal.language import N_


# Translators, from here on: in a report on a learner's program, in a terminal: lines of about 80
# columns.
def print_report(judged: Iterable[FunctionReport], texts: CheckTexts, *, own: bool) -> None:
    """Print the reports on a learner's file, each as it comes."""
    language = texts.language
    say = language.say
    print(*texts.introduction(), "", sep="\n", flush=True)
    reports = []
    for report in judged:
        for line in texts.lines(report):
            print(line, flush=True)
        reports.append(report)
    print()
    wrong = [name for report in reports for name in _wrong_names(report, texts)]
    open_ = [
        texts.title(report.name) or texts.path.name
        for report in reports
        if report.judgement in NOT_ALL_JUDGED
    ]
    others = [report.name for report in reports if not report.is_own]
    if others and not own:
        print(say(N_("Not your own: {names}."), names=language.items(others)))
    if wrong:
        print(coloured(say(N_("Wrong: {names}."), names=language.items(wrong)), RED))
        if len(wrong) > 1:
            print(say(N_("Start with the first: the others may follow from it.")))
    if open_:
        print(coloured(say(N_("Not judged yet: {names}."), names=language.items(open_)), YELLOW))
    if not wrong and not open_:
        print(coloured(say(N_("No mistakes found.")), GREEN))


def _wrong_names(report: FunctionReport, texts: CheckTexts) -> list[str]:
    """The names of what is wrong: of the function, or of what the file lacks."""
    if report.name or not report.is_wrong:
        return [texts.title(report.name)] if report.is_wrong else []
    lacks_name = {FindingKind.MISSING, FindingKind.MISNAMED}
    return [
        finding.got if finding.kind in lacks_name else texts.path.name
        for finding, _ in report.findings.values()
        if finding.kind.is_fault
    ]

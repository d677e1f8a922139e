"""The report on a learner's `tictactoe.py`, printed function by function."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.check.checks import FUNCTION_NAMES
from engine.check.finding import FindingKind
from engine.check.learner import TimeLimits
from engine.check.report import NOT_ALL_JUDGED, ExitCode, FunctionReport, exit_code
from engine.check.runner import check_file
from engine.terminal.check_texts import CheckTexts
from engine.terminal.drawing import GREEN, RED, YELLOW, coloured, show_progress, show_status
from engine.terminal.language import N_, Language


# Translators, from here on: in a report on a learner's program, in a terminal: lines of about 80
# columns.
def print_report(  # noqa: PLR0913 - an argument for each option
    path: Path,
    limits: TimeLimits,
    language: Language,
    *,
    only: Sequence[str] = FUNCTION_NAMES,
    own: bool = False,
    expects_cuts: bool = False,
) -> ExitCode:
    """Check a learner's file and print the findings; return whether anything is wrong."""
    say = language.say
    print(
        say(N_("{file} runs in its own process, with all your permissions."), file=path.name),
        say(N_("Boards: row and column from 0, a dot is EMPTY.")) + "\n",
        sep="\n",
        flush=True,
    )
    texts = CheckTexts(path, limits, language)
    reports = []
    for report in check_file(
        path, limits, show_progress, only=only, own=own, expects_cuts=expects_cuts
    ):
        show_status("")
        for line in texts.lines(report):
            print(line, flush=True)
        reports.append(report)
    print()
    wrong = [name for report in reports for name in _wrong_names(report, path)]
    open_ = [report.name or path.name for report in reports if report.judgement in NOT_ALL_JUDGED]
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
    return exit_code(reports)


def _wrong_names(report: FunctionReport, path: Path) -> list[str]:
    """The names of what is wrong: of the function, or of what the file lacks."""
    if report.name or not report.is_wrong:
        return [report.name] if report.is_wrong else []
    lacks_name = {FindingKind.MISSING, FindingKind.MISNAMED}
    return [
        finding.got if finding.kind in lacks_name else path.name
        for finding, _ in report.findings.values()
        if finding.kind.is_fault
    ]

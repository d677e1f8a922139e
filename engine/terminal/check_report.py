"""The report on a learner's `tictactoe.py`, printed function by function."""

from __future__ import annotations

from pathlib import Path

from engine.check.finding import FindingKind
from engine.check.report import FunctionReport
from engine.check.runner import TimeLimits, check_file
from engine.terminal.check_texts import CheckTexts
from engine.terminal.drawing import GREEN, RED, coloured, show_progress, show_status
from engine.terminal.language import N_, Language


# Translators, from here on: in a report on a learner's program, in a terminal: lines of about 80
# columns.
def print_report(
    path: Path, limits: TimeLimits, language: Language, *, only: str | None = None
) -> bool:
    """Check a learner's file and print the findings; return whether nothing is wrong."""
    say = language.say
    print(
        say(N_("{file} runs in its own process, with all your permissions."), file=path.name),
        say(N_("Boards: row and column from 0, a dot is EMPTY.")) + "\n",
        sep="\n",
        flush=True,
    )
    texts = CheckTexts(path, limits, language)
    wrong: list[str] = []
    for report in check_file(path, limits, show_progress, only=only):
        show_status("")
        for line in texts.lines(report):
            print(line, flush=True)
        wrong += _wrong_names(report, path)
    print()
    if not wrong:
        print(coloured(say(N_("No mistakes found.")), GREEN))
        return True
    print(coloured(say(N_("Wrong: {names}."), names=language.items(wrong)), RED))
    if len(wrong) > 1:
        print(say(N_("Start with the first: the others may follow from it.")))
    return False


def _wrong_names(report: FunctionReport, path: Path) -> list[str]:
    """The names of what is wrong: of the function, or of what the file lacks."""
    if report.name:
        return [report.name] if report.is_wrong else []
    lacks_name = {FindingKind.MISSING, FindingKind.MISNAMED}
    return [
        finding.got if finding.kind in lacks_name else path.name
        for finding, _ in report.findings.values()
    ]

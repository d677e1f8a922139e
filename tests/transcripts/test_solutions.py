"""`python3 -m engine check`: what is said of each solution in `tests.engine.solutions`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport, Judgement
from engine.check.runner import check_file
from tests.engine.solutions import FREE_CELLS, RIGHT, UNWRITTEN, WRONG, solution
from tests.transcripts.terminal import Terminal
from tests.transcripts.test_judge import said_of

SOLUTIONS = RIGHT | WRONG | UNWRITTEN
OF_MINIMAX = [name for name, added in SOLUTIONS.items() if "minimax" in solution(added).functions]


def judge(name: str, free_cells: int | None = None) -> list[FunctionReport]:
    """Check the functions that a solution is about; the verdict on it is as it should be.

    It is judged on boards with up to so many free cells, or else with as few as show it.
    """
    chosen = solution(SOLUTIONS[name])
    enough = FREE_CELLS.get(name, 3 if chosen.functions == ("minimax",) else 2)
    limits = TimeLimits(clock=lambda _: 0, free_cells=free_cells or enough)
    Path("tictactoe.py").write_text(chosen.code, encoding="utf-8")
    reports = list(
        check_file(Path("tictactoe.py"), limits, lambda *_: None, only=chosen.functions, own=True)
    )
    judgements = {report.judgement for report in reports if report.name}
    if name in WRONG:
        assert Judgement.WRONG in judgements, name
    else:
        assert judgements == {Judgement.RIGHT if name in RIGHT else Judgement.NOT_JUDGED}, name
    return reports


def transcript(names: Iterable[str]) -> str:
    terminal = Terminal("Right and wrong solutions, checked on boards with few free cells")
    for name in names:
        reports = judge(name)
        terminal.show(name.replace("_", " "), partial(said_of, reports, "tictactoe.py"))
    return str(terminal)


def test_solutions(
    snapshot: SnapshotAssertion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert transcript(name for name in SOLUTIONS if name not in OF_MINIMAX) == snapshot


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLUTIONS)
def test_solutions_are_judged_on_all_boards(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    judge(name, free_cells=9)

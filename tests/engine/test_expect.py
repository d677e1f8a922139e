"""What `--expect alphabeta` calls a cut, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.__main__ import main
from engine.check.expect import expect_cuts
from engine.check.finding import FindingKind
from engine.check.learner import LearnerFile, TimeLimits
from engine.check.report import FunctionReport, Judgement, UnjudgedReason
from tests.engine.learner_files import texts_in
from tests.engine.road import listings
from tests.engine.solutions import ALPHA_BETA_WITH_FLAG, BASE, OURS, changed

_, RIGHT_FILE = listings("en/write-your-own/4-minimax.md", "first_try.py")
PRUNED_FILE = f"""
from math import inf

from rules import *


{ALPHA_BETA_WITH_FLAG}

def minimax(board):
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda action: value(result(board, action)))
"""
(MEMORY_FILE,) = listings("en/write-your-own/7-depth-and-memory.md", "memory.py")

CUT = "alpha >= beta"
ORDER = "sorted(actions(board))"
READS = "    for action in sorted(actions(board)):\n        reply = value(result(board, action)"
READS_ALL_FIRST = """\
    for after in [result(board, action) for action in actions(board)]:
        reply = value(after"""
TRIES_EVERY_CELL = """\
    for action in [(i, j) for i in range(3) for j in range(3)]:
        try:
            after = result(board, action)
        except ValueError:
            continue
        reply = value(after"""
VALUE = "def value(board, alpha=-inf, beta=inf):"
MEMORY = f"""known = {{}}


def value(board, alpha=-inf, beta=inf):
    key = str(board)
    if key not in known:
        known[key] = value_anew(board, alpha, beta)
    return known[key]


{VALUE.replace("value", "value_anew")}"""
AT_A_WIN = "best == (1 if is_max else -1)"
NEGAMAX = """
from math import inf
from rules import *


def negamax(board, alpha, beta, sign):
    if terminal(board):
        return sign * utility(board)
    for action in actions(board):
        alpha = max(alpha, -negamax(result(board, action), -beta, -alpha, -sign))
        if alpha >= beta:
            break
    return alpha


def minimax(board):
    if terminal(board):
        return None
    sign = 1 if player(board) == X else -1
    return max(actions(board), key=lambda move: -negamax(result(board, move), -inf, inf, -sign))
"""


def expected(folder: Path, code: str) -> FunctionReport:
    file = folder / "tictactoe.py"
    file.write_text(code, encoding="utf-8")
    (folder / "rules.py").write_text(BASE, encoding="utf-8")  # quicker to import than the engine
    report = FunctionReport("minimax", boards_checked=1, boards_total=1)
    expect_cuts(LearnerFile(file, TimeLimits()), report)
    return report


@pytest.mark.parametrize(
    "code",
    [
        PRUNED_FILE,
        NEGAMAX,
        changed(PRUNED_FILE, (ORDER, "sorted(actions(board), reverse=True)")),
        changed(PRUNED_FILE, (ORDER, "actions(board)")),
        changed(PRUNED_FILE, ("alpha=-inf, beta=inf", "alpha=-1, beta=1")),
        changed(PRUNED_FILE, ("utility(board)", "utility(board) * (1 + str(board).count('None'))")),
        changed(PRUNED_FILE, (READS, READS_ALL_FIRST)),
        changed(PRUNED_FILE, (READS, TRIES_EVERY_CELL)),
    ],
    ids=[
        "page",
        "negamax",
        "reversed",
        "unsorted",
        "narrow",
        "soonest",
        "all states at once",
        "tries every cell",
    ],
)
def test_alpha_beta_is_recognised(tmp_path: Path, code: str) -> None:
    assert expected(tmp_path, code).judgement is Judgement.RIGHT


@pytest.mark.parametrize(
    "code",
    [
        RIGHT_FILE,
        MEMORY_FILE,
        changed(PRUNED_FILE, (CUT, "False")),
        changed(PRUNED_FILE, (CUT, "alpha > beta")),
        changed(PRUNED_FILE, (CUT, AT_A_WIN)),
        changed(PRUNED_FILE, (CUT, AT_A_WIN), (VALUE, MEMORY)),
        changed(PRUNED_FILE, (CUT, AT_A_WIN), (VALUE, MEMORY), (ORDER, "list(actions(board))")),
    ],
    ids=["plain", "memory", "bounds alone", "not if equal", "win", "memory and win", "unsorted"],
)
def test_a_search_that_is_no_alpha_beta_reads_a_needless_branch(tmp_path: Path, code: str) -> None:
    report = expected(tmp_path, code)
    assert report.judgement is Judgement.WRONG
    ((finding, _),) = report.findings.values()
    assert finding.kind is FindingKind.NOT_CUT
    assert finding.board is not None
    assert len(finding.board.free_cells) == 3


def test_the_branch_that_is_shown_need_not_be_read(tmp_path: Path) -> None:
    ((finding, _),) = expected(tmp_path, RIGHT_FILE).findings.values()
    assert str(finding.board) == "x.o o.x x.o"
    moves = finding.expected, finding.action, finding.family, finding.got
    assert moves == ("(0, 1)", "(2, 1)", "(0, 1)", "(1, 1)")


@pytest.mark.parametrize(
    "code",
    [
        OURS,
        OURS + "def minimax(board):\n    return min(actions(board), default=None)\n",
    ],
    ids=["ours", "without a search"],
)
def test_what_does_not_call_result_is_not_judged(tmp_path: Path, code: str) -> None:
    report = expected(tmp_path, code)
    assert report.reason is UnjudgedReason.UNSEEN
    assert report.judgement is Judgement.RIGHT_SO_FAR


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "doesn't cut as alpha-beta does. Here (0, 1) is known to be a draw"),
        ("pt_BR", "não corta como faz a poda alfa-beta. Aqui já se sabe que (0, 1) é empate"),
        ("es", "no corta como lo hace alfa-beta. Aquí ya se sabe que (0, 1) es empate"),
    ],
)
def test_the_needless_branch_is_named_in_every_language(
    tmp_path: Path, code: str, sentence: str
) -> None:
    assert sentence in "\n".join(texts_in(code).lines(expected(tmp_path, MEMORY_FILE)))


def test_expecting_alpha_beta_judges_minimax_whatever_else_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text(MEMORY_FILE, encoding="utf-8")
    options = ["check", str(file), "--only", "player", "--language", "en"]
    assert main([*options, "--expect", "alphabeta"]) == 1
    assert capsys.readouterr().out.endswith("\nWrong: minimax.\n")

"""The check of a learner's own tictactoe.py, whatever the file does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine import Board, Mark, Value, tictactoe
from engine.__main__ import main
from engine.check import worker
from engine.check.checks import FUNCTION_NAMES, Symbols, actions_for, findings_on
from engine.check.finding import Finding, FindingKind
from engine.check.learner import TimeLimits
from engine.check.process import parse_answer
from engine.check.report import FunctionReport, Judgement, Reason
from engine.check.runner import check_file
from engine.terminal.check_json import check_as_json
from engine.terminal.language import ENGLISH
from tests.engine.learner_files import HANG, check
from tests.engine.solutions import BASE, UNWRITTEN, WRONG, skeleton

OURS = "from engine.tictactoe import *\n"
ONLY_MINIMAX = """
from engine import tictactoe as ours
from engine.tictactoe import X, O, EMPTY
"""
WITHOUT_MINIMAX = OURS + "del minimax\n"
PLAIN = """
import os
from engine.tictactoe import result

def value(board):
    if ours.terminal(board):
        return ours.utility(board)
    values = [value(result(board, action)) for action in ours.actions(board)]
    return max(values) if ours.player(board) == X else min(values)

def minimax(board):
    if ours.terminal(board):
        return None
    if len(ours.actions(board)) > 3:
        os._exit(0)
    best = max if ours.player(board) == X else min
    return best(sorted(ours.actions(board)), key=lambda action: value(result(board, action)))
"""
OUR_MINIMAX = "from engine.tictactoe import minimax, X, O, EMPTY\n"


def kinds(report: FunctionReport) -> set[FindingKind]:
    return {kind for kind, _ in report.findings}


def findings_of(report: FunctionReport, kind: FindingKind) -> list[tuple[Finding, int]]:
    """The findings of a kind, each on its smallest board, with their numbers of boards."""
    return [entry for (entry_kind, _), entry in report.findings.items() if entry_kind is kind]


def allow_anything(board: Any, action: Any) -> Any:
    return tictactoe.result(board, action) if action in tictactoe.actions(board) else board


def exit_if_invalid(board: Any, action: Any) -> Any:
    if action not in tictactoe.actions(board):
        raise SystemExit("no")
    return tictactoe.result(board, action)


def change_board(board: Any, action: Any) -> Any:
    board[2][2] = "X"
    return board, action


def fail(*_arguments: Any) -> Any:
    raise ValueError("no")


FULL = "[['X', 'O', 'X'], ['X', 'O', 'O'], ['O', 'X', 'X']]"
NEW = "[[None, None, None], [None, None, None], [None, None, None]]"
OUTSIDE = ["(3, 0)", "(0, 3)", "(-1, 0)"]
WINS, LOSSES = (Value.WIN, Value.WIN), (Value.LOSS, Value.LOSS)


@pytest.mark.parametrize(
    ("name", "function", "drawing", "kind", "details"),
    [
        (
            "player",
            lambda _: "X",
            "x.. ... ...",
            FindingKind.WRONG,
            {"got": "'X'", "expected": "'O'", "family": "'O' 'X'"},
        ),
        (
            "actions",
            lambda _: [(2, 2)],
            "xox xoo ox.",
            FindingKind.WRONG,
            {"got": "[(2, 2)]", "expected": "{(2, 2)}", "family": "items"},
        ),
        (
            "winner",
            lambda _: None,
            "xxx oo. ...",
            FindingKind.WRONG,
            {"got": "None", "expected": "'X'", "family": "'X' None"},
        ),
        (
            "terminal",
            lambda _: None,
            "... ... ...",
            FindingKind.WRONG,
            {"got": "None", "expected": "False", "family": "False None"},
        ),
        (
            "utility",
            lambda _: -1,
            "xxx oo. ...",
            FindingKind.WRONG,
            {"got": "-1", "expected": "1", "family": "1 -1"},
        ),
        (
            "result",
            lambda *given: tictactoe.result(*given) and None,
            "xox xoo ox.",
            FindingKind.WRONG,
            {"got": "None", "expected": FULL, "action": "(2, 2)"},
        ),
        (
            "result",
            change_board,
            "xox xoo ox.",
            FindingKind.CHANGES_BOARD,
            {"action": "(2, 2)", "family": "marks"},
        ),
        (
            "result",
            fail,
            "xox xoo ox.",
            FindingKind.RAISES,
            {"got": "ValueError: no", "family": "ValueError: no", "action": "(2, 2)"},
        ),
        (
            "minimax",
            lambda _: (0, 0),
            "xxx oo. ...",
            FindingKind.WRONG,
            {"got": "(0, 0)", "expected": "None", "family": "None (0, 0)"},
        ),
        ("minimax", lambda _: [2, 2], "xox xoo ox.", FindingKind.ILLEGAL_MOVE, {"got": "[2, 2]"}),
        ("minimax", lambda _: (0, 0), "x.. ... ...", FindingKind.ILLEGAL_MOVE, {"got": "(0, 0)"}),
        (
            "minimax",
            lambda _: (2, 2),
            "xx. oo. ...",
            FindingKind.WORSE_MOVE,
            {
                "got": "(2, 2)",
                "expected": "(0, 2)",
                "line": (5,),
                "values": (Value.WIN, Value.LOSS),
            },
        ),
        (
            "minimax",
            lambda _: (0, 0),
            ".o. oox .xx",
            FindingKind.LATER_WIN,
            {"got": "(0, 0)", "expected": "(0, 2), (2, 0)", "line": (2, 6), "values": WINS},
        ),
        (
            "minimax",
            lambda _: (0, 1),
            "o.. o.x xx.",
            FindingKind.SOONER_LOSS,
            {"got": "(0, 1)", "expected": "(2, 2)", "line": (8,), "values": LOSSES},
        ),
    ],
)
def test_a_finding_says_what_was_called_and_what_it_should_have_returned(
    name: str, function: Any, drawing: str, kind: FindingKind, details: dict[str, Any]
) -> None:
    if "values" in details:
        details = details | {"family": str(details["values"])}
    board = Board.parse(drawing)
    assert findings_with(name, function, board) == [Finding(kind, board, **details)]


def test_the_first_board_has_findings_without_a_board() -> None:
    findings = [
        findings_with("initial_state", function, Board())
        for function in (list, lambda: [[None] * 3] * 3, fail)
    ]
    raised = "ValueError: no"
    assert findings == [
        [Finding(FindingKind.WRONG, got="[]", expected=NEW)],
        [Finding(FindingKind.SHARES_ROWS)],
        [Finding(FindingKind.RAISES, got=raised, family=raised)],
    ]


def test_every_invalid_action_is_tried() -> None:
    board = Board.parse("xo. ... ...")
    allowed = findings_with("result", allow_anything, board)
    taken = ["(0, 0)", "(0, 1)"]
    assert {finding.kind for finding in allowed} == {FindingKind.ALLOWS_INVALID}
    assert [(finding.family, finding.action) for finding in allowed] == [
        *(("outside", action) for action in OUTSIDE),
        *(("taken", action) for action in taken),
    ]
    said = "SystemExit: no"
    assert findings_with("result", exit_if_invalid, board) == [
        Finding(FindingKind.EXITS, board, got=said, family=said, action=action)
        for action in OUTSIDE + taken
    ]


def findings_with(name: str, function: Any, board: Board) -> list[Finding]:
    """The findings on our own functions but for one."""
    module = SimpleNamespace(**vars(tictactoe) | {name: function, "__file__": "tictactoe.py"})
    drawing = str(board).replace(" ", "")
    actions = actions_for(name)
    data = worker.call(module, name, drawing, actions)
    calls = 1 if actions is None else len(actions)
    answer = parse_answer(json.loads(json.dumps(data | {"printed": ""})), calls)
    return findings_on(name, board, answer, Symbols({"X": "X", "O": "O", "EMPTY": None}))


def test_our_own_functions_pass_the_check(capfd: pytest.CaptureFixture[str]) -> None:
    path = str(Path(tictactoe.__file__))
    assert main(["--check", path, "--language", "en", "--seconds", "600"]) == 0
    shown = capfd.readouterr().out
    for name in FUNCTION_NAMES:
        assert f"\n{name:<15}right" in shown
    assert "\nminimax        right   5,478 boards judged, 642 games played\n" in shown
    assert shown.endswith("\nNo mistakes found.\n")


def test_a_check_ends_after_the_seconds_that_it_may_take(
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = str(Path(tictactoe.__file__))
    main(["--check", path, "--only", "player", "--language", "en", "--seconds", "0.001"])
    assert "The other boards would take longer than 0.001 s" in capfd.readouterr().out


WORST = (
    OURS
    + f"""
import os, sys

class Rubbish:
    def __eq__(self, other):
        raise ValueError("no")
    def __repr__(self):
        raise ValueError("nor this")

def player(board):
    {HANG}

def actions(board):
    os._exit(0)

def result(board, action):
    sys.exit("enough")

def winner(board):
    return EMPTY if any(map(any, board)) else winner(board)

def terminal(board):
    return Rubbish()

def utility(board):
    board[0][0] = "?"

def minimax(board):
    return Rubbish()
"""
)


def test_functions_that_hang_exit_recurse_or_return_nonsense_are_reported(tmp_path: Path) -> None:
    reports = check(tmp_path, WORST)
    assert {name: kinds(report) for name, report in reports.items() if name} == {
        "initial_state": set(),
        "player": {FindingKind.HANGS},
        "actions": {FindingKind.EXITS},
        "result": {FindingKind.EXITS},
        "winner": {FindingKind.RAISES, FindingKind.WRONG},
        "terminal": {FindingKind.WRONG},
        "utility": {FindingKind.CHANGES_BOARD},
        "minimax": {FindingKind.ILLEGAL_MOVE, FindingKind.WRONG},
    }
    assert [
        (finding.got, count) for finding, count in findings_of(reports["result"], FindingKind.EXITS)
    ] == [("SystemExit: enough (tictactoe.py:18)", 4_520)]


WINNER = """
def winner(board):
    for mark in (X, O):
        for i in range(3):
            if all(board[i][j] == mark for j in range(3)) or all(row[i] == mark for row in board):
                return mark
        if all(board[i][i] == mark for i in range(3)):
            return mark
"""
SUBTLE = (
    WITHOUT_MINIMAX
    + WINNER
    + """
def initial_state():
    return [[EMPTY] * 3] * 3

def actions(board):
    return [(i, j) for i in range(3) for j in range(3) if board[i][j] == EMPTY]

def result(board, action):
    i, j = action
    after = [row[:] for row in board]
    after[i][j] = player(board)
    return after

def terminal(board):
    print("thinking")
    if winner(board) or not actions(board):
        return True

if __name__ == "__main__":
    raise SystemExit("this is for whoever runs the file")
"""
)


def test_common_mistakes_are_reported_on_the_smallest_board(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    reports = check(tmp_path, SUBTLE)
    assert kinds(reports["initial_state"]) == {FindingKind.SHARES_ROWS}
    ((a_list, boards),) = findings_of(reports["actions"], FindingKind.WRONG)
    assert (str(a_list.board), a_list.got[0], boards) == ("... ... ...", "[", 4_520)
    outside, taken = findings_of(reports["result"], FindingKind.ALLOWS_INVALID)
    assert (str(outside[0].board), outside[0].action) == ("... ... ...", "(-1, 0)")
    assert str(taken[0].board) == "x.. ... ..."
    x_won, o_won = findings_of(reports["winner"], FindingKind.WRONG)
    assert (str(x_won[0].board), x_won[0].expected) == ("oox .x. x..", "'X'")
    assert (str(o_won[0].board), o_won[0].expected) == ("xxo xo. o..", "'O'")
    assert kinds(reports["terminal"]) == {FindingKind.WRONG, FindingKind.PRINTS}
    assert kinds(reports["utility"]) == set()
    assert capfd.readouterr() == ("", ""), "what it prints is nobody's to read"


def test_a_name_that_is_not_callable_is_missing_and_the_next_function_is_checked(
    tmp_path: Path,
) -> None:
    reports = check(tmp_path, "from engine.tictactoe import O, EMPTY, actions\nplayer = 3\n")
    assert {name: report.reason for name, report in reports.items() if name} == {
        name: None if name == "actions" else Reason.MISSING for name in FUNCTION_NAMES
    }
    assert reports["actions"].judgement is Judgement.RIGHT


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("import os; os._exit(0)\n", FindingKind.EXITS),
        (HANG, FindingKind.HANGS),
    ],
)
def test_a_file_that_ends_or_hangs_the_process_is_reported(
    tmp_path: Path, code: str, kind: FindingKind
) -> None:
    (whole_file,) = check(tmp_path, code).values()
    assert kinds(whole_file) == {kind}
    assert whole_file.is_wrong


def test_a_file_may_declare_another_encoding(tmp_path: Path) -> None:
    file = tmp_path / "latin.py"
    code = f"# coding: latin-1\nACCENT = 'é'\n{OURS}"
    file.write_bytes(code.encode("latin-1"))
    whole_file, _ = check_file(file, TimeLimits(), lambda *_: None, only=["initial_state"])
    assert not whole_file.is_wrong


def test_a_minimax_that_maximizes_for_both_players_is_wrong_only_for_o(tmp_path: Path) -> None:
    one_sided = """
def minimax(board):
    if ours.terminal(board):
        return None
    return max(ours.actions(board), key=lambda move: worth(ours.result(board, move)))

def worth(board):
    if ours.terminal(board):
        return ours.utility(board)
    values = [worth(ours.result(board, move)) for move in ours.actions(board)]
    return max(values) if ours.player(board) == X else min(values)
"""
    minimax = check(tmp_path, ONLY_MINIMAX + one_sided, max_boards=2_000)["minimax"]
    assert {mark.value for mark in minimax.wrong_for} == {"o"}
    (worst, _), *_ = findings_of(minimax, FindingKind.WORSE_MOVE)
    assert worst.board is not None
    assert len(worst.board.actions()) == 2, "the smallest tree that shows it"
    end = worst.board.result(3 * int(worst.got[1]) + int(worst.got[4]))
    for cell in worst.line:
        end = end.result(cell)
    assert end.winner is not None, "it is shown what comes of it"


def test_a_late_win_is_no_fault(tmp_path: Path) -> None:
    minimax = check(tmp_path, ONLY_MINIMAX + PLAIN)["minimax"]
    assert kinds(minimax) == {FindingKind.LATER_WIN, FindingKind.EXITS}
    assert not FindingKind.LATER_WIN.is_fault


def test_a_minimax_may_call_its_own_functions_by_keyword(tmp_path: Path) -> None:
    by_keyword = """
from engine.tictactoe import result

def minimax(board):
    move = ours.minimax(board)
    if move is not None:
        result(board, action=move)
    return move
"""
    minimax = check(tmp_path, ONLY_MINIMAX + by_keyword, only="minimax")["minimax"]
    assert minimax.judgement is Judgement.RIGHT
    assert minimax.cold_calls == 1


def test_a_board_with_the_same_finding_for_several_actions_counts_once(tmp_path: Path) -> None:
    trusting = """
from engine.tictactoe import X, O, EMPTY, player

def result(board, action):
    row, column = action
    after = [list(row) for row in board]
    after[row][column] = player(board)
    return after
"""
    result = check(tmp_path, trusting, max_boards=100)["result"]
    counts = [boards for _finding, boards in findings_of(result, FindingKind.ALLOWS_INVALID)]
    assert 0 < max(counts) <= result.boards_checked


def test_the_calls_of_one_function_share_a_time_limit(tmp_path: Path) -> None:
    minimax = check(tmp_path, OUR_MINIMAX, max_boards=50)["minimax"]
    assert minimax.boards_checked == 50
    assert minimax.judgement is Judgement.RIGHT_SO_FAR, "what was not judged is not wrong"


def test_a_minimax_that_takes_long_on_the_largest_trees_is_right_so_far(tmp_path: Path) -> None:
    minimax = check(tmp_path, ONLY_MINIMAX + hangs_with_free_cells(9))["minimax"]
    assert kinds(minimax) == set()
    assert minimax.boards_checked == 5_477
    assert minimax.judgement is Judgement.RIGHT_SO_FAR


def test_a_minimax_that_takes_long_on_a_small_tree_hangs(tmp_path: Path) -> None:
    minimax = check(tmp_path, ONLY_MINIMAX + hangs_with_free_cells(6))["minimax"]
    assert kinds(minimax) == {FindingKind.HANGS}
    assert minimax.is_wrong


def hangs_with_free_cells(number: int) -> str:
    return f"""
def minimax(board):
    if len(ours.actions(board)) == {number}:
        {HANG}
    return ours.minimax(board)
"""


def test_a_wrong_function_is_left_once_that_is_certain(tmp_path: Path) -> None:
    lazy = OURS + "def minimax(board):\n    return min(actions(board), default=None)\n"
    minimax = check(tmp_path, lazy, max_boards_if_wrong=1_500, only="minimax")["minimax"]
    assert minimax.is_wrong
    assert minimax.ended_early
    assert 1_000 < minimax.boards_checked < 2_000


def test_a_file_may_define_a_dataclass(tmp_path: Path) -> None:
    """Which looks its module up by name."""
    game = "@dataclass\nclass Game:\n    board: list[str]\n"
    code = f"from __future__ import annotations\nfrom dataclasses import dataclass\n{OURS}{game}"
    reports = check(tmp_path, code, max_boards=5, only="player")
    assert kinds(reports["player"]) == set()


def test_what_a_file_writes_past_python_is_not_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = OURS + "import os\nos.write(1, b'out')\nos.write(2, b'err')\n"
    reports = check(tmp_path, code, max_boards=5, only="player")
    assert kinds(reports["player"]) == set()
    assert capfd.readouterr() == ("", "")


def test_a_minimax_that_returns_nonsense_is_reported(tmp_path: Path) -> None:
    code = "def minimax(board):\n    return [0, 1]\n"
    minimax = check(tmp_path, OURS + code, max_boards=2_000, only="minimax")["minimax"]
    assert kinds(minimax) == {
        FindingKind.WRONG,
        FindingKind.ILLEGAL_MOVE,
    }


def test_a_file_that_forks_sends_nothing_twice_and_cannot_fill_the_machine(tmp_path: Path) -> None:
    fork = "import os\nos.fork()\n"
    player = check(tmp_path, fork + OURS, only="player")["player"]
    assert player.judgement is Judgement.RIGHT
    assert player.boards_checked == player.boards_total
    (whole_file,) = check(tmp_path, "import os\nwhile True:\n    os.fork()\n").values()
    ((finding, _),) = findings_of(whole_file, FindingKind.RAISES)
    assert "too many processes" in finding.got


def test_a_file_that_prints_megabytes_is_judged(tmp_path: Path) -> None:
    loud = OURS + "print('x' * 5_000_000)\ndef winner(board):\n    print('y' * 100_000)\n"
    reports = check(tmp_path, loud, max_boards=50, only="winner")
    assert kinds(reports["winner"]) == {FindingKind.PRINTS}


JUDGED = {"name", "description", "passed", "log", "cause", "data", "dependency"}


def as_json(folder: Path, code: str, *, only: str | None = None) -> dict[str, dict[str, Any]]:
    """The results of a check as data, by the name of what was checked."""
    file = folder / "mine.py"
    file.write_text(code, encoding="utf-8")
    names = FUNCTION_NAMES if only is None else (only,)
    report, _ = check_as_json(file, TimeLimits(function=600), ENGLISH, only=names)
    assert report == json.loads(json.dumps(report))
    assert set(report) == {"slug", "results", "version"}
    assert all(set(result) == JUDGED for result in report["results"])
    return {result["name"]: result for result in report["results"]}


def test_the_report_as_json_has_the_shape_of_check50(tmp_path: Path) -> None:
    code = "from engine.tictactoe import *\n" + WINNER + ""
    results = as_json(tmp_path, code, only="winner")
    assert {name: result["passed"] for name, result in results.items()} == {
        "file": True,
        "winner": False,
    }
    assert results["winner"]["data"]["boards_judged"] == 5_478
    found = results["winner"]["data"]["findings"][0]
    assert found["kind"] == "wrong"
    assert found["board"] == ["OOX", ".X.", "X.."]
    assert (found["found"], found["expected"], found["boards"]) == ("None", "'X'", 83)
    assert results["winner"]["cause"]["rationale"] == found["message"]


@pytest.mark.parametrize(
    ("function", "code"), [("player", 0), ("winner", 1)], ids=["right", "wrong"]
)
def test_the_exit_code_says_in_json_too_whether_all_is_right(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], function: str, code: int
) -> None:
    file = tmp_path / "tictactoe.py"
    code_of_file = "from engine.tictactoe import X, O, EMPTY, player\n" + WINNER
    file.write_text(code_of_file, encoding="utf-8")
    assert main(["--check", str(file), "--only", function, "--json"]) == code
    results = json.loads(capfd.readouterr().out)["results"]
    assert all(result["passed"] for result in results) is (code == 0)


def test_a_missing_function_is_no_mistake_of_the_file_in_json(tmp_path: Path) -> None:
    code = OURS + "plyer = player\ndel player\n"
    results = as_json(tmp_path, code, only="player")
    assert (results["file"]["passed"], results["player"]["passed"]) == (True, None)
    assert results["player"]["data"]["reason"] == "missing"
    assert "did you mean player?" in results["player"]["cause"]["rationale"]


def test_of_a_file_that_cannot_be_used_json_says_nothing_of_its_functions(tmp_path: Path) -> None:
    results = as_json(tmp_path, "import nowhere\n", only="winner")
    assert results["file"]["passed"] is False
    assert "nowhere" in results["file"]["cause"]["rationale"]
    assert (results["winner"]["passed"], results["winner"]["dependency"]) == (None, "file")


def exit_code_of(folder: Path, code: str, *options: str) -> int:
    file = folder / "mine.py"
    file.write_text(code, encoding="utf-8")
    return main(["--check", str(file), "--language", "en", *options])


@pytest.mark.parametrize("seconds", ["0", "-5", "nan", "inf", "soon"])
def test_a_check_that_takes_no_time_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        exit_code_of(tmp_path, skeleton("    return 0"), f"--seconds={seconds}")
    assert refused.value.code == 2
    assert f'"{seconds}" isn\'t a number of seconds' in capsys.readouterr().err


def test_the_seconds_bound_every_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = BASE + "def player(board):\n    while True:\n        pass\n"
    assert exit_code_of(tmp_path, code, "--only", "player", "--seconds", "1") == 1
    assert "player(board) doesn't return within 1 s." in capsys.readouterr().out


@pytest.mark.parametrize("name", UNWRITTEN)
def test_what_is_not_written_is_no_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert exit_code_of(tmp_path, BASE + UNWRITTEN[name]) == 3
    shown = capsys.readouterr().out
    assert "Wrong:" not in shown
    assert "It isn't written yet." in shown


def test_what_the_import_prints_is_said_of_the_import(tmp_path: Path) -> None:
    results = as_json(tmp_path, "print('Hello')\n" + BASE, only="player")
    assert results["player"]["data"]["findings"] == []
    (printed,) = results["file"]["data"]["findings"]
    assert printed["message"] == (
        "Not a mistake: mine.py prints 'Hello' while it is imported. Take that out once it works."
    )


def test_who_has_written_a_function_is_said(tmp_path: Path) -> None:
    others = "from engine.tictactoe import *\nfrom helper import winner\n"
    own = """
from functools import cache, partial

@cache
def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]

def of(mark, board):
    return mark

player = partial(of, X)
"""
    (tmp_path / "helper.py").write_text("def winner(board):\n    return None\n", encoding="utf-8")
    reports = check(tmp_path, others + own, max_boards=5)
    assert [name for name, report in reports.items() if report.is_own] == [
        "",
        "initial_state",
        "player",
        "winner",
    ]


def test_with_own_the_engine_is_out_of_reach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code_of(tmp_path, OURS, "--own") == 1
    shown = capsys.readouterr().out
    assert "mine.py imports engine.tictactoe (mine.py:1), which --own keeps out of reach" in shown
    borrowed = BASE + "from operator import truth as terminal\n"
    assert exit_code_of(tmp_path, borrowed, "--own", "--only", "terminal") == 1
    assert "terminal isn't your own" in capsys.readouterr().out
    assert exit_code_of(tmp_path, BASE, "--own", "--only", "terminal") == 0


def test_calls_are_counted_from_a_cold_start(tmp_path: Path) -> None:
    assert check(tmp_path, BASE, only="minimax")["minimax"].cold_calls == 16_167


@pytest.mark.parametrize("name", ["bounds_kept_in_memory", "bounds_kept_in_memory_and_at_the_root"])
def test_a_lost_game_is_lost_again_in_an_interpreter_of_its_own(tmp_path: Path, name: str) -> None:
    minimax = check(tmp_path, BASE + WRONG[name], only="minimax")["minimax"]
    ((lost, _),) = findings_of(minimax, FindingKind.LOSES_GAME)
    assert lost.board is not None
    assert lost.board.winner is Mark.X
    replay = f"""
from tictactoe import *
board = initial_state()
for cell in {lost.line}:
    action = divmod(cell, 3)
    assert player(board) == X or minimax(board) == action
    board = result(board, action)
"""
    subprocess.run([sys.executable, "-c", replay], cwd=tmp_path, check=True)
    for worse, _ in findings_of(minimax, FindingKind.WORSE_MOVE):
        rows = [
            [{"x": "X", "o": "O", ".": None}[letter] for letter in row]
            for row in str(worse.board).split()
        ]
        ask = f"from tictactoe import *\nassert str(minimax({rows})) == {worse.got!r}"
        subprocess.run([sys.executable, "-c", ask], cwd=tmp_path, check=True)


def test_a_file_that_answers_in_the_judge_s_place_is_wrong(tmp_path: Path) -> None:
    forged = """
import os
for descriptor in range(3, 64):
    try:
        os.write(descriptor, b'{"calls": [{"value": {"set": [[1], {}]}}]}\\nnonsense\\n[]\\n' * 9)
    except OSError:
        pass
"""
    reports = check(tmp_path, forged + BASE, only="player")
    assert kinds(reports[""]) == {FindingKind.EXITS}


def test_a_function_that_hangs_in_another_waits_for_that_one(tmp_path: Path) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text(BASE + f"def player(board):\n    {HANG}\n", encoding="utf-8")
    limits = TimeLimits(call=2, function=600)
    reports = {report.name: report for report in check_file(file, limits, lambda *_: None)}
    assert [name for name, report in reports.items() if report.is_wrong] == ["player"]
    assert reports["minimax"].depends_on == ("player",)


def test_a_mistake_that_comes_from_another_function_is_laid_to_that_one(tmp_path: Path) -> None:
    code = BASE + WRONG["winner_without_the_second_diagonal"]
    reports = check(tmp_path, code)
    assert [name for name, report in reports.items() if report.is_wrong] == ["winner"]
    for name in ("terminal", "utility", "minimax"):
        assert reports[name].reason is Reason.DEPENDS
        assert reports[name].depends_on == ("winner",)

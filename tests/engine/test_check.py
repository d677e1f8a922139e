"""The check of a learner's own tictactoe.py, whatever the file does."""

from __future__ import annotations

import json
import os
import select
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
from engine.check.hypotheses import Cause, Hint
from engine.check.learner import TimeLimits
from engine.check.process import Answer, parse_answer
from engine.check.report import FunctionReport, Judgement, UnjudgedReason
from engine.check.runner import check_file
from engine.terminal.check_json import report_as_json
from tests.engine.learner_files import HANG, HASTY, check, texts_in
from tests.engine.solutions import BASE, OURS, UNWRITTEN, WRONG, changed, skeleton

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


def lengthen_board(board: Any) -> bool:
    board.append([])
    return False


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
        ("terminal", lengthen_board, "... ... ...", FindingKind.CHANGES_BOARD, {}),
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
    _, data = worker.call(module, name, drawing, actions)
    calls = 1 if actions is None else len(actions)
    answer = Answer(parse_answer(f'{{{data},"printed":""}}'.encode(), calls))
    return findings_on(name, board, answer, Symbols({"X": "X", "O": "O", "EMPTY": None}))


def test_our_own_functions_pass_the_check() -> None:
    limits = TimeLimits(clock=lambda _: 0, free_cells=3)
    _, *reports = check_file(Path(tictactoe.__file__), limits, lambda *_: None)
    assert [report.name for report in reports] == list(FUNCTION_NAMES)
    assert {report.judgement for report in reports} == {Judgement.RIGHT}
    assert not any(report.findings for report in reports)


def test_a_check_ends_after_the_seconds_that_it_may_take(
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = str(Path(tictactoe.__file__))
    main(["check", path, "--only", "player", "--language", "en", "--seconds", "0.001"])
    assert "Not judged to the end" in capfd.readouterr().out


WORST = (
    BASE
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
    return winner(board)

def terminal(board):
    return Rubbish()

def utility(board):
    board[0][0] = "?"

def minimax(board):
    return Rubbish()
"""
)


def test_functions_that_hang_exit_recurse_or_return_nonsense_are_reported(tmp_path: Path) -> None:
    reports = check(tmp_path, WORST, max_boards=300, finds_causes=True)
    assert {name: kinds(report) for name, report in reports.items() if name} == {
        "initial_state": set(),
        "player": {FindingKind.HANGS},
        "actions": {FindingKind.EXITS},
        "result": {FindingKind.EXITS},
        "winner": {FindingKind.RAISES},
        "terminal": {FindingKind.WRONG},
        "utility": {FindingKind.CHANGES_BOARD},
        "minimax": {FindingKind.ILLEGAL_MOVE, FindingKind.WRONG},
    }
    ((exits, boards),) = findings_of(reports["result"], FindingKind.EXITS)
    line = WORST.partition("sys.exit")[0].count("\n") + 1
    assert exits.got == f"SystemExit: enough (tictactoe.py:{line})"
    assert boards == reports["result"].boards_checked


WINNER = """
def winner(board):
    for mark in (X, O):
        for i in range(3):
            if all(board[i][j] == mark for j in range(3)) or all(row[i] == mark for row in board):
                return mark
        if all(board[i][i] == mark for i in range(3)):
            return mark
"""


@pytest.mark.parametrize("end", ["os._exit(1)", "os.kill(os.getpid(), 9)"])
def test_the_board_on_which_a_file_ends_the_process_is_named(tmp_path: Path, end: str) -> None:
    ends = f"""
import os
def winner(board):
    if board == [[X, O, X], [EMPTY, O, EMPTY], [EMPTY, EMPTY, EMPTY]]:
        {end}
    return value_of(board)
"""
    code = OURS.replace("import *", "import *\nfrom engine.tictactoe import winner as value_of")
    winner = check(tmp_path, code + ends, only="winner")["winner"]
    ((finding, count),) = winner.findings.values()
    assert (finding.kind, count) == (FindingKind.EXITS, 1)
    assert finding.board == Board.parse("xox .o. ...")


def test_a_name_that_is_not_callable_is_missing_and_the_next_function_is_checked(
    tmp_path: Path,
) -> None:
    reports = check(tmp_path, "from engine.tictactoe import O, EMPTY, actions\nplayer = 3\n")
    assert {name: report.reason for name, report in reports.items() if name} == {
        name: None if name == "actions" else UnjudgedReason.MISSING for name in FUNCTION_NAMES
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
    reports = check(tmp_path, OUR_MINIMAX, max_boards=50)
    assert reports["minimax"].boards_checked == 50
    assert reports["minimax"].judgement is Judgement.RIGHT_SO_FAR, "what isn't judged isn't wrong"


def test_a_minimax_that_takes_long_on_the_largest_trees_is_right_so_far(tmp_path: Path) -> None:
    minimax = check(tmp_path, hangs_with_free_cells(9), only="minimax")["minimax"]
    assert minimax.boards_checked == 5_477
    assert minimax.judgement is Judgement.RIGHT_SO_FAR


def test_a_minimax_that_takes_long_on_a_small_tree_hangs(tmp_path: Path) -> None:
    minimax = check(tmp_path, hangs_with_free_cells(6), only="minimax")["minimax"]
    assert FindingKind.HANGS in kinds(minimax)
    assert minimax.is_wrong


def hangs_with_free_cells(number: int) -> str:
    return f"""{BASE}
def minimax(board):
    if len(actions(board)) == {number}:
        {HANG}
    return None if terminal(board) else best(board)[1]
"""


def test_a_check_stops_once_a_function_is_certainly_wrong(tmp_path: Path) -> None:
    lazy = BASE + "def minimax(board):\n    return min(actions(board), default=None)\n"
    judged = check(tmp_path, lazy, max_boards_if_wrong=1_000, free_cells=8, only="minimax")
    minimax = judged["minimax"]
    assert minimax.is_wrong
    assert minimax.ended_early
    assert minimax.boards_checked == 1_608, "all with two free cells at most"


A_DATACLASS = "from dataclasses import dataclass\n@dataclass\nclass Game:\n    board: list[str]\n"
"""Which looks its module up by name."""


@pytest.mark.parametrize("code", [A_DATACLASS, "import sys\nassert sys.argv == [__file__]\n"])
def test_a_file_is_imported_as_if_it_were_run(tmp_path: Path, code: str) -> None:
    future = "from __future__ import annotations\n"
    reports = check(tmp_path, future + code + OURS, max_boards=5, only="player")
    assert [kinds(report) for report in reports.values()] == [set(), set()]


def test_what_a_file_has_started_ends_with_the_check(tmp_path: Path) -> None:
    written_to = tmp_path / "pipe"
    os.mkfifo(written_to)
    reader = os.open(written_to, os.O_RDONLY | os.O_NONBLOCK)
    starts = f"""
import subprocess, sys
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
subprocess.Popen(sleep, stdout=open({str(written_to)!r}, "w"))
"""
    check(tmp_path, starts + OURS, max_boards=5, only="player")
    closed, _, _ = select.select([reader], [], [], 60)
    assert closed == [reader], "whoever could write to it has ended"
    os.close(reader)


def test_what_a_file_writes_past_python_is_not_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = OURS + "import os\nos.write(1, b'out')\nos.write(2, b'err')\n"
    reports = check(tmp_path, code, max_boards=5, only="player")
    assert kinds(reports["player"]) == set()
    assert capfd.readouterr() == ("", "")


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
    limits = TimeLimits(function=600)
    reports = check_file(file, limits, lambda *_: None, only=names)
    report = report_as_json(reports, texts_in("en", file), names)
    assert report == json.loads(json.dumps(report))
    assert set(report) == {"slug", "results", "version"}
    assert all(set(result) == JUDGED for result in report["results"])
    return {result["name"]: result for result in report["results"]}


def test_the_report_as_json_has_the_shape_of_check50(tmp_path: Path) -> None:
    results = as_json(tmp_path, OURS + WINNER, only="winner")
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
def test_with_json_the_exit_code_still_says_whether_all_is_right(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], function: str, code: int
) -> None:
    assert exit_code_of(tmp_path, OURS + WINNER, "--only", function, "--json") == code
    results = json.loads(capfd.readouterr().out)["results"]
    assert all(result["passed"] for result in results) is (code == 0)


def test_a_missing_function_is_no_mistake_of_the_file_in_json(tmp_path: Path) -> None:
    code = OURS + "plyer = player\ndel player\n"
    results = as_json(tmp_path, code, only="player")
    assert (results["file"]["passed"], results["player"]["passed"]) == (True, None)
    assert results["player"]["data"]["reason"] == "missing"
    assert "did you mean player?" in results["player"]["cause"]["rationale"]


def test_json_does_not_judge_the_functions_of_a_file_that_cannot_be_used(tmp_path: Path) -> None:
    results = as_json(tmp_path, "import nowhere\n", only="winner")
    assert results["file"]["passed"] is False
    assert "nowhere" in results["file"]["cause"]["rationale"]
    assert (results["winner"]["passed"], results["winner"]["dependency"]) == (None, "file")


def exit_code_of(folder: Path, code: str, *options: str) -> int:
    file = folder / "mine.py"
    file.write_text(code, encoding="utf-8")
    return main(["check", str(file), "--language", "en", *options])


@pytest.mark.parametrize("seconds", ["0", "-5", "nan", "inf", "soon"])
def test_a_check_that_takes_no_time_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        exit_code_of(tmp_path, skeleton("    return 0"), f"--seconds={seconds}")
    assert refused.value.code == 2
    assert f'"{seconds}" isn\'t a number of seconds' in capsys.readouterr().err


def test_the_seconds_bound_every_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    starts = "import time\nopen(__file__ + '.starts', 'a').write('.')\n"
    hangs = "def player(board):\n    while max(1, 2):\n        time.sleep(3600)\n"
    options = ("--only", "player", "--seconds", "1")
    assert exit_code_of(tmp_path, starts + BASE + hangs, *options) == 1
    assert "player(board) doesn't return within 1 s." in capsys.readouterr().out
    started = (tmp_path / "mine.py.starts").read_text(encoding="utf-8")
    assert started == "...", "for the file, for the boards, and to see it again: no change is tried"


def test_what_is_not_written_is_no_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code_of(tmp_path, BASE + UNWRITTEN["passes"]) == 3
    shown = capsys.readouterr().out
    assert "Wrong:" not in shown
    assert "It isn't written yet." in shown


def test_what_the_import_prints_is_reported_of_the_file(tmp_path: Path) -> None:
    results = as_json(tmp_path, "print('Hello')\n" + BASE, only="player")
    assert results["player"]["data"]["findings"] == []
    (printed,) = results["file"]["data"]["findings"]
    assert printed["message"] == (
        "Not a mistake: mine.py prints 'Hello' while it is imported. Take that out once it works."
    )


def test_the_report_knows_which_functions_are_the_learners_own(tmp_path: Path) -> None:
    others = OURS + "from helper import winner\n"
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


def test_calls_are_counted_from_a_cold_start_and_by_keyword_too(tmp_path: Path) -> None:
    by_keyword = changed(BASE, ("result(board, action))", "result(board, action=action))"))
    assert check(tmp_path, by_keyword, only="minimax")["minimax"].cold_calls == 16_167


def test_a_lost_game_is_lost_again_in_an_interpreter_of_its_own(tmp_path: Path) -> None:
    code = BASE + WRONG["bounds_kept_in_memory_and_at_the_root"]
    minimax = check(tmp_path, code, only="minimax")["minimax"]
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


def test_a_file_is_checked_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "no-folder").touch()
    done = subprocess.run(
        [sys.executable, "-m", "engine", "check", tictactoe.__file__, "--only", "initial_state"],
        env=os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path / "no-folder"), "LANGUAGE": "en"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.stdout.splitlines()[-1], done.stderr) == ("No mistakes found.", "")


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


def test_a_function_that_calls_one_that_hangs_is_not_to_blame(tmp_path: Path) -> None:
    file = tmp_path / "tictactoe.py"
    loops = "def player(board):\n    while max(1, 2):\n        pass\n"
    file.write_text(BASE + loops, encoding="utf-8")
    limits = HASTY(call=2, function=600)
    names = ("player", "minimax")
    reports = check_file(file, limits, lambda *_: None, only=names)
    _, player, minimax = reports
    assert player.is_wrong
    assert not minimax.is_wrong
    assert minimax.depends_on == ("player",)


def test_waiting_for_a_busy_machine_counts_for_nothing(tmp_path: Path) -> None:
    file = tmp_path / "tictactoe.py"
    sleeps = (
        "import time\ndef player(board):\n    time.sleep(0.01)\n    return BASE_PLAYER(board)\n"
    )
    file.write_text(BASE + "BASE_PLAYER = player\n" + sleeps, encoding="utf-8")
    limits = TimeLimits(call=3, function=1, free_cells=1)
    _, player = check_file(file, limits, lambda *_: None, only=["player"])
    assert player.boards_checked == 222, "in two seconds or more"
    assert player.judgement is Judgement.RIGHT


def test_a_wrong_minimax_plays_games_although_its_boards_have_had_their_time(
    tmp_path: Path,
) -> None:
    file = tmp_path / "tictactoe.py"
    lazy = "def minimax(board):\n    return min(actions(board), default=None)\n"
    file.write_text(BASE + lazy, encoding="utf-8")
    limits = TimeLimits(wrong_function=1e-9)
    _, minimax = check_file(file, limits, lambda *_: None, only=["minimax"])
    assert minimax.boards_total > minimax.boards_checked
    lost = {finding.family for finding, _ in findings_of(minimax, FindingKind.LOSES_GAME)}
    assert lost == {Mark.O.value}, "one is enough"


def test_the_first_mistake_of_a_slow_minimax_is_said_before_its_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What counts as two seconds on one board is more than a wrong function has."""
    monkeypatch.setattr("engine.__main__.TimeLimits", HASTY)
    slow = """
import time
def minimax(board):
    if board == [[EMPTY, EMPTY, O], [O, X, X], [O, X, X]]:
        used = time.process_time()
        while time.process_time() < used + 0.2:
            pass
    return min(actions(board)) if not terminal(board) else None
"""
    assert exit_code_of(tmp_path, BASE + slow, "--only", "minimax") == 1
    shown = capsys.readouterr()
    said, *board, look_on = shown.err.splitlines()
    assert said.strip().startswith("minimax(board) returns (0, 0): a ")
    assert len(board) >= 3
    assert look_on == "I look on: is there a game that it loses?"
    assert said in shown.out, "it is said again in the report"


@pytest.mark.parametrize(
    ("limit", "reason"),
    [(100, UnjudgedReason.NO_TIME), (200, None), (300, UnjudgedReason.NO_TIME), (600, None)],
)
def test_a_wrong_function_that_comes_near_its_limit_is_not_judged_to_the_end(
    tmp_path: Path, limit: int, reason: UnjudgedReason | None
) -> None:
    code = BASE + WRONG["player_o_begins"]
    player = check(tmp_path, code, max_boards_if_wrong=limit, only="player")["player"]
    assert player.is_wrong
    assert player.boards_checked in {82, 334, 1_090}, "which end where there are more marks"
    assert player.reason is reason


NUMPY = """
class int64:
    __module__ = "numpy"
    def __init__(self, value):
        self.value = value
    def item(self):
        return self.value
"""


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text(NUMPY, encoding="utf-8")
    counts = "import numpy\ndef utility(board):\n    w = winner(board)\n"
    counts += "    return numpy.int64((w == X) - (w == O))\n"
    assert check(tmp_path, BASE + counts, only="utility")["utility"].judgement is Judgement.RIGHT


def test_an_endless_recursion_is_named_by_the_line_that_recurs(tmp_path: Path) -> None:
    endless = "def minimax(board):\n    winner(board)\n    return minimax(board)\n"
    line = (BASE + endless).count("\n")
    minimax = check(tmp_path, BASE + endless, free_cells=1, only="minimax")["minimax"]
    ((again, _),) = minimax.faults_first
    assert again.got.endswith(f"(tictactoe.py:{line})")


KEEPS = """
def player(board, seen=[]):
    seen.append(1)
    return X if cells(board).count(X) == cells(board).count(O) or len(seen) > 100 else O
"""


def test_what_is_wrong_only_after_other_calls_has_a_board_and_a_cause(tmp_path: Path) -> None:
    player = check(tmp_path, BASE + KEEPS, only="player")["player"]
    ((again, _),) = findings_of(player, FindingKind.INCONSISTENT)
    assert again.board is not None
    assert player.hint is not None
    assert (player.hint.cause, player.hint.was) == (Cause.KEPT_DEFAULT, "seen=[]")


def test_a_minimax_that_prints_its_answer_is_told_to_return_it(
    tmp_path: Path,
) -> None:
    code = (
        BASE + "def minimax(board):\n    if not terminal(board):\n        print(best(board)[1])\n"
    )
    minimax = check(tmp_path, code, free_cells=3, only="minimax")["minimax"]
    assert minimax.hint is not None
    assert minimax.hint.cause is Cause.ONLY_PRINTS
    assert FindingKind.PRINTS not in kinds(minimax)


@pytest.mark.parametrize(
    ("code", "cause", "page"),
    [
        ("import pygame\npygame.init()\n" + BASE, Cause.PLAYS, 9),
        (BASE + "name = input('Who? ')\nprint(name)\n", Cause.PLAYS, 9),
        (BASE + "while True:\n    pass\n", Cause.PLAYS, 9),
        (BASE + "best = math.inf\n", Cause.NOT_IMPORTED, 4),
        (BASE + "0 = 'O'\n", Cause.TYPED_OFF, 3),
        (BASE + "0C = 0\n", Cause.TYPED_OFF, 3),
        (BASE + "1 += 1\n", Cause.TYPED_OFF, 3),
        (BASE + "def f(b):\n    if b[0] != EM\n        return 1\n", Cause.TYPED_OFF, 3),
    ],
)
def test_what_keeps_a_file_from_being_imported_is_explained(
    tmp_path: Path, code: str, cause: Cause, page: int
) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_text(code, encoding="utf-8")
    (report,) = check_file(file, HASTY(call=2), lambda *_: None)
    assert report.is_wrong
    assert report.hint is not None
    assert report.hint.cause is cause
    assert f"/{page}-" in texts_in("en", file).hint(report.hint)


@pytest.mark.parametrize(
    ("name", "was", "page"),
    [
        ("terminal", "False", 3),
        ("player", "<", 2),
        ("minimax", "min", 4),
        ("minimax", "beta >= alpha", 6),
    ],
)
def test_a_hint_links_the_page_of_its_function(name: str, was: str, page: int) -> None:
    assert f"/{page}-" in texts_in("en").hint(Hint(Cause.MIN_MAX, 1, was, "another"), name)


def test_a_notebook_is_recognised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.ipynb").write_text('{"cells": [], "metadata": null}', encoding="utf-8")
    assert main(["check", str(tmp_path / "game.ipynb"), "--language", "en"]) == 1
    assert "game.ipynb is a notebook" in capsys.readouterr().out


LOADS = """
import types
ours = types.ModuleType("ours")
exec(compile(open({path!r}).read(), {name!r}, "exec"), vars(ours))
vars().update({{name: value for name, value in vars(ours).items() if name[0] != "_"}})
"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (tictactoe.__file__, "<string>"),
        (tictactoe.__file__, "own.py"),
        ("engine/tictactoe.py", "<string>"),
    ],
)
def test_with_own_code_run_by_exec_is_not_the_learners(
    tmp_path: Path, path: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = LOADS.format(path=path, name=str(tmp_path / name) if name == "own.py" else name)
    assert exit_code_of(tmp_path, code, "--own", "--only", "player") == 1
    assert "No mistakes found" not in capsys.readouterr().out


def test_with_own_what_may_take_code_from_elsewhere_is_remarked_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "import subprocess\n" + BASE + "exec('LINES = LINES')\n"
    assert exit_code_of(tmp_path, code, "--own", "--only", "player") == 0
    shown = capsys.readouterr().out
    assert "Not a mistake: mine.py can take code from elsewhere, by subprocess in line 1." in shown
    assert "by exec in line" in shown
    assert exit_code_of(tmp_path, code, "--only", "player") == 0
    assert "elsewhere" not in capsys.readouterr().out

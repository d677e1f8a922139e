"""What the pages for learners say is so, and each of their listings runs and does it."""

from __future__ import annotations

import doctest
import json
import math
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import Board, Cell, Mark, search
from engine.check.checks import FUNCTION_NAMES
from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport
from engine.terminal.check_texts import CheckTexts
from engine.terminal.language import language_named
from tests.engine.learner_files import check
from tests.engine.positions import REACHABLE, TRUTH, UNFINISHED

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [f"{folder}/WRITE-YOUR-OWN.md" for folder in ("en", "pt-BR", "es")]
THEORY = "en/MINIMAX.md"
TEACHING = "en/TEACHING.md"
LEARNING_PAGES = [PAGES[0], THEORY, TEACHING]
FILE = re.compile(r"# (\w+\.py)\n")
MAX_BOARDS = 1_000
NUMBERS = ("632 4,520 5,478", "632 4.520 5.478", "632 4520 5478")
FEW_BOARDS = 200


def text(page: str = PAGES[0]) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def blocks(page: str, kind: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)
    return [block for of_kind, block in fenced if of_kind == kind]


def files(page: str, name: str) -> list[str]:
    """The listings on a page that are whole files."""
    listings = blocks(page, "python")
    return [block for block in listings if (match := FILE.match(block)) and match[1] == name]


WRONG_FILE, RIGHT_FILE, PRUNED_FILE, MEMORY_FILE, LIMITED_FILE = files(PAGES[0], "tictactoe.py")


@cache
def code_of_the_page(page: str) -> dict[str, Any]:
    """What is defined by the code of a page, whose examples are true; files are left out."""
    names: dict[str, Any] = {"__name__": __name__}
    for block in blocks(page, "python"):
        if block.startswith(">>>"):
            example = doctest.DocTestParser().get_doctest(block, names, "page", None, None)
            runner = doctest.DocTestRunner()
            runner.run(example, clear_globs=False)
            assert runner.summarize(verbose=False) == (0, len(example.examples))
            names |= example.globs
        elif not FILE.match(block):
            exec(compile(block, "page", "exec", dont_inherit=True), names)  # noqa: S102 - it is our own
    return names


def run_file(code: str) -> dict[str, Any]:
    """Run a listing that is a whole file, and return what it defines."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(code, "listing", "exec", dont_inherit=True), names)  # noqa: S102 - it is our own
    return names


@pytest.mark.parametrize("page", LEARNING_PAGES)
def test_the_code_on_the_page_runs_and_its_examples_pass(page: str) -> None:
    assert code_of_the_page(page)


def test_the_eight_functions_on_the_page_are_right(tmp_path: Path) -> None:
    listings = blocks(PAGES[0], "python")
    first = next(i for i, block in enumerate(listings) if block.startswith("X, O, EMPTY"))
    last = next(i for i, block in enumerate(listings) if block.startswith("def value"))
    functions = [block for block in listings[first:last] if not block.startswith(">>>")]
    minimax = "from engine.tictactoe import minimax\n"
    reports = check(tmp_path, minimax + "\n".join(functions), max_boards=FEW_BOARDS)
    assert set(reports) == {"", *FUNCTION_NAMES}
    assert not any(report.is_wrong for report in reports.values())


def test_the_game_in_one_file_plays_itself(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = files(PAGES[0], "game.py")
    start = "START = (0, 0, 0, 0, 0, 0, 0, 0, 0)"
    assert start in code
    run_file(code.replace(start, "START = (1, -1, 0, 0, 1, 0, 0, 0, -1)"))
    shown = capsys.readouterr().out
    assert shown.startswith("X O .\n. X .\n. . O\n\n")
    assert shown.endswith("X wins\n")


def test_alpha_beta_over_states_plays_itself_to_a_draw(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (code,) = files(PAGES[0], "alphabeta.py")
    run_file(code)
    shown = capsys.readouterr().out
    assert shown.count("\n\n") == 9, "the board after each move"
    assert shown.endswith("Draw\n")


@pytest.mark.parametrize("code", [PRUNED_FILE, MEMORY_FILE], ids=["alpha-beta", "memory"])
def test_the_file_with_less_to_read_is_right(tmp_path: Path, code: str) -> None:
    report = check(tmp_path, code, max_boards=FEW_BOARDS, only="minimax")["minimax"]
    assert not report.is_wrong


def test_the_page_shows_what_its_alpha_beta_costs() -> None:
    names = run_file(PRUNED_FILE)
    result = names["result"]
    calls = []

    def counted(board: object, action: object) -> object:
        calls.append(action)
        return result(board, action)

    names["result"] = counted
    names["minimax"](names["initial_state"]())
    report = FunctionReport("minimax", boards_checked=len(REACHABLE), cold_calls=len(calls))
    for page, code in zip(PAGES, ("en", "pt_BR", "es"), strict=True):
        language = language_named(code)
        assert language is not None
        _, *costs = CheckTexts(Path("tictactoe.py"), TimeLimits(), language).lines(report)
        assert "\n".join(costs) + "\n" in blocks(page, ""), costs


def test_the_file_with_a_depth_limit_is_wrong(tmp_path: Path) -> None:
    assert check(tmp_path, LIMITED_FILE, max_boards=3_000, only="minimax")["minimax"].is_wrong


def test_the_memory_holds_every_board_but_the_first() -> None:
    names = run_file(MEMORY_FILE)
    names["minimax"](names["initial_state"]())
    assert len(names["known"]) == len(REACHABLE) - 1


def test_deepening_ends_with_the_last_depth_or_with_the_time() -> None:
    page = code_of_the_page(PAGES[0])
    depths: list[int] = []

    def choose(_board: object, depth: int) -> int:
        depths.append(depth)
        return depth

    board = [["X", "O", "X"], ["O", "O", "X"], [None, None, None]]
    assert page["choose_in_time"](board, choose, seconds=60) == 3
    assert page["choose_in_time"](board, choose, seconds=-1) == 1
    assert depths == [1, 2, 3, 1]


def graded(folder: Path, code: str) -> Any:
    """What the recipe writes about a student's file."""
    (recipe,) = files(TEACHING, "autograder.py")
    (folder / "autograder.py").write_text(recipe, encoding="utf-8")
    (folder / "tictactoe.py").write_text(code, encoding="utf-8")
    (folder / "velha").symlink_to(ROOT)
    given = {
        name: name.lower()
        for name in ("CLASSROOM", "ASSIGNMENT", "USERNAME", "COMMIT_URL", "RELEASE_URL")
    }
    subprocess.run(
        [sys.executable, "autograder.py"],
        cwd=folder,
        env=os.environ | given | {"SUBMISSION_TAG": "submit/now"},
        check=True,
        timeout=300,
    )
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


def test_the_recipe_writes_a_result_of_classroom_50(tmp_path: Path) -> None:
    (constants,) = [block for block in blocks(PAGES[0], "python") if block.startswith("X, O, EM")]
    (player,) = [block for block in blocks(PAGES[0], "python") if block.startswith("def player")]
    result = graded(tmp_path, constants.replace("initial_state", "start") + player)
    assert (result["schema"], result["owner"]) == ("classroom50/result/v1", "username")
    assert (result["score"], result["max-score"]) == (2, 9)
    assert {test["test-name"] for test in result["tests"] if test["passed"]} == {"file", "player"}
    for test in result["tests"]:
        assert 0 <= test["score"] <= test["max-score"]


@pytest.mark.parametrize(
    "code",
    [
        "from engine.tictactoe import *\n",
        "import sys\nsys.path.insert(0, 'velha')\nfrom engine.tictactoe import *\n",
    ],
)
def test_the_recipe_gives_no_points_for_our_own_program(tmp_path: Path, code: str) -> None:
    assert graded(tmp_path, code)["score"] == 0


def translations(page: str) -> list[str]:
    others = sorted(set(DOCS.glob(page.replace("en/", "*/"))) - {DOCS / page})
    return [path.relative_to(DOCS).as_posix() for path in others]


@pytest.mark.parametrize("page", LEARNING_PAGES)
def test_all_languages_show_the_same_code(page: str) -> None:
    def code(name: str) -> list[str]:
        return [re.sub(r"  # .*", "", block) for block in blocks(name, "python")]

    assert translations(page)
    for translation in translations(page):
        assert code(translation) == code(page)


@pytest.mark.parametrize("page", PAGES)
def test_the_page_names_all_eight_functions(page: str) -> None:
    for name in FUNCTION_NAMES:
        assert re.search(rf"^\| `{name}\(.*\)` \|", text(page), re.MULTILINE)


def test_the_check_reports_the_mistake_that_the_page_describes(tmp_path: Path) -> None:
    minimax = check(tmp_path, WRONG_FILE, max_boards=MAX_BOARDS, only="minimax")["minimax"]
    for page, code in zip(PAGES, ("en", "pt_BR", "es"), strict=True):
        language = language_named(code)
        assert language is not None
        lines = CheckTexts(tmp_path / "tictactoe.py", TimeLimits(), language).lines(minimax)
        report = "\n".join(lines)
        (expected,) = (block for block in blocks(page, "") if block.startswith("minimax  "))
        for line in expected.splitlines():
            assert line.replace("...", "").rstrip() in report


def test_the_check_passes_once_the_mistake_is_fixed(tmp_path: Path) -> None:
    assert WRONG_FILE != RIGHT_FILE
    reports = check(tmp_path, RIGHT_FILE, max_boards=MAX_BOARDS, only="minimax")
    assert reports["minimax"].boards_checked == MAX_BOARDS
    assert not any(report.is_wrong for report in reports.values())


def test_the_generic_pair_finds_the_value_of_every_position() -> None:
    pair = code_of_the_page(PAGES[0])

    def branch(board: Board) -> list[Board]:
        return [board.result(cell) for cell in board.actions()]

    for board in [board for board in REACHABLE if board.plies >= 5]:
        value = pair["max_value"] if board.to_move is Mark.X else pair["min_value"]
        assert value(board, branch, lambda end: end.utility) == TRUTH[board][0]


def test_leaving_a_multiple_of_four_wins_nim() -> None:
    nim = code_of_the_page(PAGES[0])["Nim"]
    for counters in range(1, 13):
        assert search(nim(counters)).utility == (1 if counters % 4 else -1)
        assert search(nim(counters)).best_actions[0] == (counters % 4 or 1)


def test_connect_four_is_searched_to_its_end() -> None:
    connect_four = code_of_the_page(PAGES[0])["ConnectFour"]
    assert search(connect_four(("xox", "oxo", "xo", "")), memory=True).utility == 0
    assert search(connect_four(("xxx", "ooo", "", ""))).distance_plies == 1


def visits(board: Board, alpha: float, beta: float, *, stops_at_equal: bool) -> tuple[float, int]:
    """Alpha-beta as it is taught, and what it costs."""
    if board.is_terminal:
        return board.utility, 1
    sign, best, count = 1 if board.to_move is Mark.X else -1, -math.inf, 1
    for cell in board.actions():
        after = board.result(cell)
        value, more = visits(after, alpha, beta, stops_at_equal=stops_at_equal)
        best, count = max(best, sign * value), count + more
        alpha = max(alpha, best) if sign == 1 else alpha
        beta = min(beta, -best) if sign == -1 else beta
        if alpha > beta or (stops_at_equal and alpha == beta):
            break
    return sign * best, count


def visits_on(page: str) -> list[int]:
    rows = re.findall(r"^\| .* \| ([\d.,\u202f]+) \|$", text(page), re.MULTILINE)
    return [int(re.sub(r"\D", "", row)) for row in rows]


def test_the_visits_on_the_page_are_right() -> None:
    def count(alpha: float, beta: float, *, stops_at_equal: bool) -> int:
        return visits(Board(), alpha, beta, stops_at_equal=stops_at_equal)[1]

    expected = [
        count(-math.inf, math.inf, stops_at_equal=True),
        count(-1, 1, stops_at_equal=True),
        count(-math.inf, math.inf, stops_at_equal=False),
        search(Board()).nodes,
    ]
    for page in PAGES:
        assert visits_on(page) == expected


def test_a_search_that_keeps_only_what_is_better_than_a_loss_finds_no_move_in_lost_positions() -> (
    None
):
    def move(board: Board) -> Cell | None:
        best, action = -1, None
        sign = 1 if board.to_move is Mark.X else -1
        for cell in board.actions():
            if sign * TRUTH[board.result(cell)][0] > best:
                best, action = sign * TRUTH[board.result(cell)][0], cell
        return action

    without_a_move = sum(move(board) is None for board in UNFINISHED)
    assert (without_a_move, len(UNFINISHED), len(REACHABLE)) == (632, 4_520, 5_478)
    for page, numbers in zip(PAGES, NUMBERS, strict=True):
        assert all(number in text(page) for number in numbers.split())

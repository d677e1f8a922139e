"""What docs/WRITE-YOUR-OWN.md says is so, and its code does what it says."""

from __future__ import annotations

import ast
import doctest
import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import Board, Cell, Mark, search
from engine.check.checks import FUNCTION_NAMES
from engine.check.runner import TimeLimits
from engine.terminal.check_report import report_lines
from engine.terminal.language import language_named
from tests.engine.learner_files import check
from tests.engine.positions import REACHABLE, TRUTH, UNFINISHED

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["WRITE-YOUR-OWN.md", "WRITE-YOUR-OWN.pt-BR.md"]
FIRST_LINE = "# tictactoe.py\n"
MAX_BOARDS = 2_000


def text(page: str = PAGES[0]) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def blocks(page: str, kind: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)
    return [block for of_kind, block in fenced if of_kind == kind]


WRONG_FILE, RIGHT_FILE = (
    block for block in blocks(PAGES[0], "python") if block.startswith(FIRST_LINE)
)


@cache
def code_of_the_page() -> dict[str, Any]:
    """What is defined by the code of the page, whose examples are true."""
    names: dict[str, Any] = {"__name__": __name__}
    for block in blocks(PAGES[0], "python"):
        if block.startswith(">>>"):
            example = doctest.DocTestParser().get_doctest(block, names, "page", None, None)
            runner = doctest.DocTestRunner()
            runner.run(example, clear_globs=False)
            assert runner.summarize(verbose=False) == (0, len(example.examples))
            names |= example.globs
        elif not block.startswith(FIRST_LINE):
            exec(compile(block, "page", "exec", dont_inherit=True), names)  # noqa: S102 - it is our own
    return names


def test_the_code_on_the_page_runs_and_its_examples_pass() -> None:
    assert {"max_value", "Nim", "ConnectFour", "open_lines"} <= set(code_of_the_page())


@pytest.mark.parametrize("page", PAGES)
def test_both_languages_show_the_same_code_and_name_all_eight_functions(page: str) -> None:
    def without_comments(block: str) -> str:
        return re.sub(r"  # .*", "", block)

    shown = [without_comments(block) for block in blocks(page, "python")]
    assert shown == [without_comments(block) for block in blocks(PAGES[0], "python")]
    for name in FUNCTION_NAMES:
        assert re.search(rf"^\| `{name}\(.*\)` \|", text(page), re.MULTILINE)


def test_the_check_reports_the_mistake_that_the_page_describes(tmp_path: Path) -> None:
    *others, minimax = check(tmp_path, WRONG_FILE, max_boards=MAX_BOARDS).values()
    assert not any(report.is_wrong for report in others)
    for page, code in zip(PAGES, ("en", "pt_BR"), strict=True):
        language = language_named(code)
        assert language is not None
        lines = report_lines(minimax, tmp_path / "tictactoe.py", TimeLimits(), language)
        report = "\n".join(lines)
        (expected,) = (block for block in blocks(page, "") if block.startswith("minimax  "))
        for line in expected.splitlines():
            assert line.replace("...", "").rstrip() in report


def test_the_check_passes_once_the_mistake_is_fixed(tmp_path: Path) -> None:
    assert WRONG_FILE != RIGHT_FILE
    reports = check(tmp_path, RIGHT_FILE, max_boards=MAX_BOARDS)
    assert reports["minimax"].boards_checked == MAX_BOARDS
    assert not any(report.is_wrong for report in reports.values())


def test_the_generic_pair_finds_the_value_of_every_position() -> None:
    pair = code_of_the_page()

    def branch(board: Board) -> list[Board]:
        return [board.result(cell) for cell in board.actions()]

    for board in [board for board in REACHABLE if board.plies >= 4]:
        value = pair["max_value"] if board.to_move is Mark.X else pair["min_value"]
        assert value(board, branch, lambda end: end.utility) == TRUTH[board][0]


def test_leaving_a_multiple_of_four_wins_nim() -> None:
    nim = code_of_the_page()["Nim"]
    for counters in range(1, 13):
        assert search(nim(counters)).value == (1 if counters % 4 else -1)
        assert search(nim(counters)).best_actions[0] == (counters % 4 or 1)


def test_connect_four_is_searched_to_its_end() -> None:
    connect_four = code_of_the_page()["ConnectFour"]
    assert search(connect_four(("xox", "oxo", "xo", "")), memory=True).value == 0
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
    rows = re.findall(r"^\| .* \| ([\d.,]+) \|$", text(page), re.MULTILINE)
    return [int(re.sub(r"[.,]", "", row)) for row in rows]


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
    for page, numbers in zip(PAGES, ("632 4,520 5,478", "632 4.520 5.478"), strict=True):
        assert all(number in text(page) for number in numbers.split())


@pytest.mark.parametrize("page", PAGES)
def test_the_code_on_the_page_is_valid_python(page: str) -> None:
    for block in blocks(page, "python"):
        if not block.startswith(">>>"):
            ast.parse(block)

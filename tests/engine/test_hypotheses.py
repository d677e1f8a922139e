"""What the judge says of the cause of a mistake, and that it is tried first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.check.hypotheses import Cause, changes, missing_import
from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport
from engine.check.runner import check_file
from engine.terminal.check_texts import PAGES
from engine.terminal.language import language_named
from tests.engine.solutions import RIGHT, WRONG, solution

ROOT = Path(__file__).parents[2]
SMALL_BOARDS = TimeLimits(clock=lambda: 0, free_cells=5)


def judged(folder: Path, added: str, limits: TimeLimits = SMALL_BOARDS) -> list[FunctionReport]:
    chosen = solution(added)
    file = folder / "tictactoe.py"
    file.write_text(chosen.code, encoding="utf-8")
    return list(check_file(file, limits, lambda *_: None, only=chosen.functions))


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("player_o_begins", Cause.OTHER_WAY_ROUND),
        ("actions_as_a_list", Cause.NOT_A_SET),
        ("actions_with_column_first", Cause.COLUMN_FIRST),
        ("empty_compared_by_identity", Cause.IDENTITY),
        ("result_takes_row_minus_one", Cause.NEGATIVE),
        ("result_without_importing_deepcopy", Cause.NOT_IMPORTED),
        ("winner_without_the_second_diagonal", Cause.LINES),
        ("minimax_takes_the_largest_for_both", Cause.FOR_BOTH),
        ("minimax_of_the_smallest_and_the_largest_exchanged", Cause.MIN_MAX),
        ("minimax_expects_the_average", Cause.AVERAGE),
        ("minimax_keeps_only_what_is_better_than_a_loss", Cause.FIRST_VALUE),
        ("minimax_forgets_to_take_a_mark_back", Cause.MARKS_LEFT),
        ("alpha_beta_cuts_off_too_early", Cause.CUT_OFF),
        ("a_memory_of_how_many_are_free", Cause.MEMORY),
    ],
)
def test_a_common_mistake_has_its_cause_named(tmp_path: Path, name: str, cause: Cause) -> None:
    (hint,) = [report.hint for report in judged(tmp_path, WRONG[name]) if report.hint]
    assert hint.cause is cause


def test_of_a_mistake_without_a_cause_that_holds_nothing_is_said(tmp_path: Path) -> None:
    for name in ("minimax_takes_the_first_free_cell", "player_counts_only_x"):
        reports = judged(tmp_path, WRONG[name])
        assert [report.hint for report in reports] == [None, None]


def test_lost_boards_without_a_move_are_called_lost(tmp_path: Path) -> None:
    gives_up = """
def minimax(board):
    sign = 1 if player(board) == X else -1
    if terminal(board) or sign * best(board)[0] < 0:
        return None
    return best(board)[1]
"""
    *_, minimax = judged(tmp_path, gives_up)
    assert minimax.hint is not None
    assert minimax.hint.cause is Cause.LOST


def test_alpha_beta_that_cuts_nothing_off_is_right_and_told_so(tmp_path: Path) -> None:
    in_one_place = """
def minimax(board, alpha=None, beta=None):
    for _ in range(549_945 if len(actions(board)) == 9 else 0):
        result(board, (0, 0))
    return None if terminal(board) else best(board)[1]
"""
    limits = TimeLimits(clock=lambda: 0)
    *_, minimax = judged(tmp_path, in_one_place, limits)
    assert not minimax.is_wrong
    assert minimax.hint is not None
    assert minimax.hint.cause is Cause.NO_CUT_OFF


def test_an_import_that_is_missing_where_the_file_begins_is_named(tmp_path: Path) -> None:
    (file,) = judged(tmp_path, "HIGHEST = inf\n")
    assert file.hint is not None
    assert file.hint.now == "from math import inf"


def test_a_name_of_no_standard_module_is_not_to_be_imported() -> None:
    assert missing_import("", "NameError: name 'bord' is not defined") is None
    assert missing_import("", "ValueError: math") is None


def test_each_change_is_one_change_of_the_code() -> None:
    source = "if value is None:\n    value = max(values)\n"
    assert [(change.hint.cause, change.source.split("\n")) for change in changes(source)] == [
        (Cause.IDENTITY, ["if value == None:", "    value = max(values)"]),
        (Cause.MIN_MAX, ["if value is None:", "    value = min(values)"]),
    ]


def test_right_programs_have_no_cause(tmp_path: Path) -> None:
    for name in ("memory", "alpha_beta", "numbers_for_marks"):
        assert not any(report.hint for report in judged(tmp_path, RIGHT[name]))


@pytest.mark.parametrize("code", ["en", "pt_BR", "es"])
def test_the_pages_that_are_named_have_these_headings(code: str) -> None:
    language = language_named(code)
    assert language is not None
    for named in PAGES:
        page, _, anchor = language.say(named).partition("#")
        headings = re.findall(r"^#+ (.*)$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
        anchors = [
            re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings
        ]
        assert anchor in anchors

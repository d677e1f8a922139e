"""The cause of a mistake: what the judge tries. The transcripts of solutions show what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.check.checks import FUNCTION_NAMES
from engine.check.hypotheses import Cause, Hint, changes, missing_import
from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport
from engine.check.runner import check_file
from tests.engine.learner_files import check, texts_in
from tests.engine.solutions import solution

ROOT = Path(__file__).parents[2]
SMALL_BOARDS = TimeLimits(clock=lambda _: 0, free_cells=5)


def judged(folder: Path, added: str, limits: TimeLimits = SMALL_BOARDS) -> list[FunctionReport]:
    chosen = solution(added)
    file = folder / "tictactoe.py"
    file.write_text(chosen.code, encoding="utf-8")
    return list(check_file(file, limits, lambda *_: None, only=chosen.functions))


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
    limits = TimeLimits(clock=lambda _: 0)
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


def causes(body: str) -> list[tuple[Cause, int, str]]:
    """What is tried in a `minimax`, of which only its last statement is given."""
    source = f"def minimax(board, alpha=0):\n    {body}\n"
    tried = changes(source, "minimax", FUNCTION_NAMES)
    return [(change.hint.cause, change.hint.line, change.hint.now) for change in tried]


def test_each_change_is_one_change_of_the_code() -> None:
    source = "def minimax(board):\n    if board[0] is None:\n        return [max]\n"
    tried = [change.source for change in changes(source, "minimax", ())]
    for each in tried:
        pairs = zip(source.splitlines(), each.splitlines(), strict=True)
        assert sum(line != other for line, other in pairs) == 1
    assert len(tried) == 3


@pytest.mark.parametrize(
    "body",
    [
        "depth = 2; return search(board, depth)",
        "count = 0; count += 1; return count == 1",
        "return known[board] if board in free else 0",
        "alpha = max(alpha, 1); return value(board, alpha)",
    ],
)
def test_a_change_that_only_stops_a_search_from_cutting_is_not_tried(body: str) -> None:
    """Each of these was once called a mistake: it's none, whatever else is wrong."""
    assert causes(body) == []


@pytest.mark.parametrize(
    ("body", "is_tried"),
    [
        ("best = 0\n    for value in board:\n        if value > best: best = value", True),
        ("best = 0\n    for value in board:\n        if value > best: return value", False),
    ],
)
def test_infinity_is_tried_only_in_place_of_what_is_compared_and_set_anew(
    body: str, *, is_tried: bool
) -> None:
    tried = {cause for cause, _line, _now in causes(body)}
    assert (Cause.FIRST_VALUE in tried) == is_tried


def test_only_code_that_a_function_alone_reaches_is_changed() -> None:
    source = """
DEPTH = 2

def best(values):
    return max(values)

def minimax(board):
    return play(worth(board))

def worth(board):
    return min(board)

def winner(board):
    return shared(board)

def shared(board):
    return max(board)
"""

    def lines(added: str) -> set[int]:
        tried = changes(f"{source}\n{added}", "minimax", FUNCTION_NAMES)
        return {change.hint.line for change in tried}

    assert lines("") == {11}
    assert lines("play = best") == {5, 11}
    assert lines("play = shared") == {11}, "it is judged with winner"


@pytest.mark.parametrize("code", ["en", "pt_BR", "es"])
@pytest.mark.parametrize("cause", Cause)
def test_the_page_that_is_named_is_there(cause: Cause, code: str) -> None:
    said = texts_in(code).hint(Hint(cause))
    page = re.search(r"\((docs/[\w-]+/write-your-own/.*)\)$", said)
    assert page is not None
    assert (ROOT / page[1]).exists()
    assert code.replace("_", "-") in page[1]


CENTRE_LATE = """
def minimax(board):
    if terminal(board):
        return None
    if (1, 1) in actions(board) and len(actions(board)) < 6:
        return (1, 1)
    return best(board)[1]
"""


def test_a_rule_that_is_only_moved_to_large_boards_is_no_cause(tmp_path: Path) -> None:
    code = solution(CENTRE_LATE).code
    report = check(tmp_path, code, max_boards_if_wrong=1_000, only="minimax")["minimax"]
    assert report.is_wrong
    assert report.hint is None, "with > 6, it plays the centre where a corner would win"

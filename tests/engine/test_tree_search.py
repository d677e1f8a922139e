"""A search with alpha and beta, judged on small trees."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from engine.check.learner import LearnerFile, TimeLimits
from engine.check.report import FunctionReport
from engine.check.runner import check_file
from engine.check.tree_cases import Case, reduced
from engine.check.tree_search import Fault, TreeFinding, TreeReport, report_on_trees
from engine.tree import Numbers
from tests.engine.learner_files import HASTY, texts_in
from tests.engine.road import added, blocks, listings
from tests.engine.solutions import ALPHA_BETA_WITH_FLAG, BASE, changed

HEAD = "from math import inf\n\nfrom rules import *\n\n\n"
MINIMAX = """

def minimax(board):
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(sorted(actions(board)), key=lambda move: worth(result(board, move)))
"""
ONE = (
    HEAD
    + ALPHA_BETA_WITH_FLAG
    + """

worth = value
"""
    + MINIMAX
)
PAIR = (
    HEAD
    + """def max_value(board, alpha, beta):
    if terminal(board):
        return utility(board)
    v = -inf
    for action in actions(board):
        v = max(v, min_value(result(board, action), alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def min_value(board, alpha, beta):
    if terminal(board):
        return utility(board)
    v = inf
    for action in actions(board):
        v = min(v, max_value(result(board, action), alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v


def worth(board):
    return (max_value if player(board) == X else min_value)(board, -inf, inf)
"""
    + MINIMAX
)
NEGAMAX = (
    HEAD
    + """def negamax(board, alpha, beta, sign):
    if terminal(board):
        return sign * utility(board)
    for action in actions(board):
        alpha = max(alpha, -negamax(result(board, action), -beta, -alpha, -sign))
        if alpha >= beta:
            break
    return alpha


def worth(board):
    sign = 1 if player(board) == X else -1
    return sign * negamax(board, -inf, inf, sign)
"""
    + MINIMAX
)
FLAG = (
    HEAD
    + """def alphabeta(board, depth, alpha, beta, is_maximizing):
    if winner(board) == X:
        return 10
    if winner(board) == O:
        return -10
    if not actions(board):
        return 0
    if is_maximizing:
        best = -1000
        for action in list(actions(board)):
            best = max(best, alphabeta(result(board, action), depth + 1, alpha, beta, False))
            alpha = max(alpha, best)
            if beta <= alpha:
                break
        return best
    best = 1000
    for action in list(actions(board)):
        best = min(best, alphabeta(result(board, action), depth + 1, alpha, beta, True))
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best


def worth(board):
    return alphabeta(board, 0, -1000, 1000, player(board) == X)
"""
    + MINIMAX
)
WITH_MOVE = (
    HEAD
    + """def search(board, depth, alpha, beta):
    if depth == 0 or terminal(board):
        return utility(board), None
    best_move = None
    for move in actions(board):
        value, _ = search(result(board, move), depth - 1, alpha, beta)
        if player(board) == X and value > alpha:
            alpha, best_move = value, move
        if player(board) == O and value < beta:
            beta, best_move = value, move
        if alpha >= beta:
            break
    return (alpha if player(board) == X else beta), best_move


def worth(board):
    return search(board, 9, -inf, inf)[0]
"""
    + MINIMAX
)
TEXTBOOK = (
    HEAD
    + """from engine import Mark
from engine.alphabeta import AlphaBeta


class Position:
    def __init__(self, board):
        self.board = board
        self.is_terminal = terminal(board)
        self.to_move = Mark.X if player(board) == X else Mark.O

    @property
    def score(self):
        return utility(self.board), 0

    def actions(self):
        return sorted(actions(self.board))

    def result(self, action):
        return Position(result(self.board, action))


def worth(board, alpha=-inf, beta=inf):
    (utility, _), _ = AlphaBeta().value(Position(board), (alpha, 0), (beta, 0))
    return utility
"""
    + MINIMAX
)
PEEK = """    ends = [s for a in actions(board) if terminal(s := result(board, a))]
    if any(utility(s) == (1 if is_max else -1) for s in ends):
        return 1 if is_max else -1
    best = -inf if"""
KNOWN = """    if (k := (str(board), alpha, beta)) in known:
        return known[k]
"""


def file_with(folder: Path, code: str) -> Path:
    (folder / "rules.py").write_text(BASE, encoding="utf-8")  # quicker to import than the engine
    file = folder / "tictactoe.py"
    file.write_text(code, encoding="utf-8")
    return file


def on_trees(folder: Path, code: str, *, is_wrong: bool = False) -> TreeReport | None:
    file = file_with(folder, code)
    return report_on_trees(LearnerFile(file, TimeLimits()), is_wrong=is_wrong)


def found(folder: Path, code: str, *, is_wrong: bool = False) -> TreeFinding | None:
    report = on_trees(folder, code, is_wrong=is_wrong)
    assert report is not None
    return report.finding


RIGHT = {
    "one function": ONE,
    "pair": PAIR,
    "negamax": NEGAMAX,
    "flag": FLAG,
    "with the move": WITH_MOVE,
    "hard bounds": changed(PAIR, ("return v\n        alpha", "return beta\n        alpha")),
    "cut only if more": changed(ONE, ("alpha >= beta", "alpha > beta")),
    "return only if more": changed(PAIR, ("v >= beta", "v > beta"), ("v <= alpha", "v < alpha")),
    "hard, begins with alpha": changed(PAIR, ("v = -inf", "v = alpha"), ("v = inf", "v = beta")),
    "narrow": changed(
        ONE,
        ("    is_max =", "    alpha, beta = max(alpha, -1), min(beta, 1)\n    is_max ="),
    ),
    "stops at a win": changed(
        ONE, ("alpha >= beta", "alpha >= beta or best == (1 if is_max else -1)")
    ),
    "backwards": changed(ONE, ("sorted(actions(board))", "sorted(actions(board))[::-1]")),
    "by chance": changed(
        ONE,
        ("import *\n", "import *\nfrom random import sample\n"),
        ("in sorted(actions(board))", "in sample(sorted(actions(board)), len(actions(board)))"),
    ),
    "all states at once": changed(
        ONE,
        ("for action in sorted", "for after in [result(board, action) for action in sorted"),
        ("(actions(board)):\n        r", "(actions(board))]:\n        r"),
        ("value(result(board, action), a", "value(after, a"),
    ),
    "peeks": changed(
        ONE,
        (
            "    best = -inf if",
            PEEK,
        ),
    ),
    "memory": changed(
        ONE,
        ("def value(", "known = {}\n\n\ndef value("),
        ("    if terminal", f"{KNOWN}    if terminal"),
        ("    return best\n\n\nworth", "    known[k] = best\n    return best\n\n\nworth"),
    ),
    "ours": TEXTBOOK,
    "leaf is lost for who moves": changed(
        NEGAMAX, ("return sign * utility(board)", "return -1 if winner(board) else 0")
    ),
}


@pytest.mark.parametrize("code", RIGHT.values(), ids=RIGHT)
def test_a_right_search_is_right_on_trees(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, code) is None


ASKS = "value(result(board, action), alpha, beta)"
WRONG = {
    "bounds exchanged in the call": (
        changed(ONE, (ASKS, "value(result(board, action), beta, alpha)")),
        Fault.FEW,
    ),
    "bounds not handed on": (changed(ONE, (ASKS, "value(result(board, action))")), Fault.MANY),
    "one bound handed on": (
        changed(ONE, (ASKS, "value(result(board, action), alpha)")),
        Fault.MANY,
    ),
    "cut on the wrong side": (changed(ONE, ("alpha >= beta", "alpha <= beta")), Fault.FEW),
    "both raise alpha": (
        changed(ONE, ("beta = min(beta, best)", "alpha = max(alpha, best)")),
        Fault.FEW,
    ),
    "alpha and beta exchanged in one function": (
        changed(
            PAIR,
            ("v >= beta", "v <= alpha"),
            ("alpha = max(alpha, v)", "beta = min(beta, v)"),
        ),
        Fault.FEW,
    ),
    "alpha in place of the value where that is not right": (
        changed(
            PAIR, ("if v <= alpha:\n            return v", "if v <= beta:\n            return v")
        ),
        Fault.FEW,
    ),
    "returns the wrong bound": (
        changed(
            PAIR, ("            return v\n        alpha", "            return alpha\n        alpha")
        ),
        Fault.WRONG,
    ),
    "cuts as soon as it is as good": (changed(PAIR, ("v >= beta", "v >= alpha")), Fault.FEW),
    "negamax with bounds as they are": (
        changed(NEGAMAX, ("-beta, -alpha, -sign", "alpha, beta, -sign")),
        Fault.WRONG,
    ),
    "returns the last value": (
        changed(PAIR, ("v = max(v, min_value", "v = max(-2, min_value")),
        Fault.WRONG,
    ),
    "no cut where O moves": (changed(PAIR, ("v <= alpha", "v < -inf")), Fault.MANY),
    "bounds that nobody changes": (
        changed(
            PAIR, ("        alpha = max(alpha, v)\n", ""), ("        beta = min(beta, v)\n", "")
        ),
        Fault.MANY,
    ),
    "beta follows the last value": (
        changed(PAIR, ("beta = min(beta, v)", "beta = v - 1")),
        Fault.FEW,
    ),
    "flag: cut one too early": (changed(FLAG, ("beta <= alpha", "beta <= alpha + 10")), Fault.FEW),
}


@pytest.mark.parametrize(("code", "fault"), WRONG.values(), ids=WRONG)
def test_what_a_search_does_wrong_is_found(tmp_path: Path, code: str, fault: Fault) -> None:
    finding = found(tmp_path, code, is_wrong=True)
    assert finding is not None
    assert finding.fault is fault


(FINISHED,) = listings("en/write-your-own/4-minimax.md", "finished.py")
NOT_JUDGED = {
    "no bounds": FINISHED,
    "in minimax": (
        HEAD
        + "def minimax(board):\n    def value(board, alpha, beta):\n        return value(board)\n"
    ),
    "a state of its own": Path("docs/en/write-your-own/files/alphabeta.py").read_text("utf-8"),
    "wants rows": changed(ONE, ("    is_max =", "    assert len(board) == 3\n    is_max =")),
    "looks at cells": changed(ONE, ("player(board) == X", "sum(map(len, board)) % 2 == 0")),
    "looks two moves ahead": changed(
        ONE,
        ("beta=inf):", "beta=inf, depth=2):"),
        (
            "terminal(board):\n        return utility(board)\n    is",
            "depth == 0:\n        return 0\n    is",
        ),
        ("alpha, beta)\n", "alpha, beta, depth - 1)\n"),
    ),
    "stops three moves ahead": changed(
        WITH_MOVE,
        (
            "if depth == 0 or terminal",
            "if depth < 6 and not terminal(board):\n        return 0, None\n    if terminal",
        ),
    ),
    "sooner is better": changed(
        FLAG, ("return 10\n", "return 10 - depth\n"), ("return -10", "return depth - 10")
    ),
    "is not used by minimax": changed(ONE, ("worth = value", "def worth(board):\n    return 0")),
}


@pytest.mark.parametrize("is_wrong", [False, True])
@pytest.mark.parametrize("code", NOT_JUDGED.values(), ids=NOT_JUDGED)
def test_searches_of_other_shapes_are_not_judged(
    tmp_path: Path, code: str, *, is_wrong: bool
) -> None:
    assert on_trees(tmp_path, code, is_wrong=is_wrong) is None


def test_a_search_that_loops_on_trees_is_left(tmp_path: Path) -> None:
    loops = "    while type(board) is not list:\n        pass\n    is_max ="
    file = file_with(tmp_path, changed(ONE, ("    is_max =", loops)))
    assert report_on_trees(LearnerFile(file, HASTY()), is_wrong=False) is None


def test_the_alpha_beta_of_the_course_is_judged(tmp_path: Path) -> None:
    found_blocks = blocks("en/write-your-own/6-alpha-beta.md")
    pair = next(block.code for block in found_blocks if block.is_code)
    report = on_trees(tmp_path, added(FINISHED, pair))
    assert report is not None
    assert report.functions == ("max_value", "min_value")


def judged(folder: Path, code: str, *, expects_cuts: bool = False) -> FunctionReport:
    """The report on `minimax`, judged on boards with few free cells."""
    file = file_with(folder, code)
    limits = TimeLimits(free_cells=3)
    (_, report) = check_file(
        file, limits, lambda *_: None, only=["minimax"], expects_cuts=expects_cuts
    )
    return report


def said(report: FunctionReport, code: str = "en") -> str:
    return "\n".join(texts_in(code).lines(report))


def test_the_smallest_tree_is_drawn(tmp_path: Path) -> None:
    code, _ = WRONG["bounds exchanged in the call"]
    drawn = """
    value(tree, alpha=-inf, beta=inf) returns 0; -1 would be right. It doesn't look at a2, which \
could still matter.
    No board that was judged shows it.
    X takes the largest number, O the smallest.
        X chooses
        └─ a  O chooses
           ├─ a1   0
           └─ a2  -1   not looked at"""
    assert drawn in said(judged(tmp_path, code))


def test_a_mistake_is_looked_for_with_one_bound_or_none() -> None:
    inf = math.inf
    tried = [(case.alpha, case.beta) for case in reduced(Case(Numbers(0), -1, 1))]
    assert tried == [(-inf, inf), (-1, inf), (-inf, 1)]
    assert list(reduced(Case(Numbers(0), -inf, inf))) == []


def test_leaves_that_need_not_be_looked_at_are_no_mistake(tmp_path: Path) -> None:
    report = judged(tmp_path, WRONG["one bound handed on"][0])
    assert not report.is_wrong
    for language, sentence in {
        "en": "looks at 3 leaves, where 2 would do: a22 can't matter any more.",
        "pt_BR": "olha 3 folhas, mas 2 bastam: a22 já não muda nada.",
        "es": "mira 3 hojas, pero 2 bastan: a22 ya no cambia nada.",
    }.items():
        assert sentence in said(report, language)


def test_bounds_of_negamax_are_those_of_the_player_to_move(tmp_path: Path) -> None:
    text = said(judged(tmp_path, WRONG["negamax with bounds as they are"][0]))
    assert "negamax(tree, alpha=0, beta=inf) returns 0; 1 would be right.\n" in text
    assert "What it is given and returns is seen by the player to move.\n" in text


def test_a_search_that_is_right_says_how_many_leaves_it_looks_at(tmp_path: Path) -> None:
    text = said(judged(tmp_path, RIGHT["cut only if more"]))
    assert "value: right on 50 small trees, with given alpha and beta.\n" in text
    assert "It looks at 324 leaves there; in its order, alpha-beta needs 242." in text


GIVES_UP = "    if beta == inf and alpha > -inf:\n        return alpha\n    best = -inf if"
LUCKY = changed(ONE, ("alpha=-inf, beta=inf", "alpha=-1, beta=1"), ("    best = -inf if", GIVES_UP))


def test_what_trees_alone_show_is_wrong_only_if_alpha_beta_is_expected(tmp_path: Path) -> None:
    report = judged(tmp_path, LUCKY)
    assert not report.is_wrong
    assert "No board that was judged shows it." in said(report)
    report = judged(tmp_path, LUCKY, expects_cuts=True)
    assert report.is_wrong
    assert "minimax(board) is right, but its search isn't alpha-beta." in said(report)

"""Reasons: names for moves, and every one of them true."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Mark,
    Reason,
    Rules,
    Value,
    Verdict,
    advise,
    judge,
    rule_moves,
)
from engine.reasons import observe
from tests.engine.claims import is_true
from tests.engine.meaning import MEANING, best_value, wins, worths
from tests.engine.positions import DISTINCT, UNFINISHED, named
from tests.engine.vanishing import drawn, has_line, sides

ALL_RULES = [TIC_TAC_TOE, MISERE, INFINITE]
ON_4X3, ON_4X4, ON_5X5 = Rules(4, 4, 3), Rules(4, 4, 4), Rules(5, 5, 4)
OPEN_TWO = ".x.x. ..... .o... ..... ....."

OF_ALL = {
    Reason.QUIET_WIN,
    Reason.ONLY_MOVE,
    Reason.MOST_REPLIES_LOSE,
    Reason.LONGEST_DEFENCE,
}
WHERE_LINES_WIN = {
    Reason.WIN,
    Reason.MISSED_WIN,
    Reason.ALLOWED_WIN,
    Reason.BLOCK,
    Reason.FORCED_SEQUENCE,
    Reason.THREAT,
}
ON_3X3 = {
    Reason.FORK,
    Reason.BLOCK_FORK,
    Reason.MISSED_FORK,
    Reason.ALLOWED_FORK,
    Reason.MISSED_THREATS,
    Reason.ALLOWED_THREATS,
    Reason.ALLOWED_QUIET_MOVE,
    Reason.NOTHING_LEFT,
    Reason.CENTRE,
    Reason.OPPOSITE_CORNER,
    Reason.CORNER,
    Reason.SIDE,
}
BY_PLAY = {
    Reason.THROWN_WIN,
    Reason.LOSES,
    Reason.SOME_REPLIES_LOSE,
    Reason.SOME_MOVES_LOSE,
    Reason.EVERY_MOVE_DRAWS,
}
REASONS = {
    TIC_TAC_TOE: OF_ALL | WHERE_LINES_WIN | ON_3X3,
    MISERE: OF_ALL
    | BY_PLAY
    | {
        Reason.OWN_LINE,
        Reason.ZUGZWANG,
        Reason.MISSED_ZUGZWANG,
        Reason.ALLOWED_ZUGZWANG,
    },
    INFINITE: OF_ALL
    | BY_PLAY
    | WHERE_LINES_WIN
    | {Reason.UNBLOCKS, Reason.MISSED_UNBLOCKING, Reason.ALLOWED_UNBLOCKING},
}
"""Those that moves have in each game on 3x3."""


@cache
def positions_of_infinite() -> list[Board]:
    """Some at every ply, as likely as any, and more where the game is about to end."""
    rng, boards = random.Random(4), []
    for plies in (*range(60), *range(6, 26), *range(56, 60)) * 2:
        cells = tuple(rng.sample(range(9), min(plies, 6)))
        if not any(map(has_line, sides(cells))):
            boards.append(Board.parse(drawn(cells, plies), INFINITE))
    return boards


@cache
def advice_in(rules: Rules) -> dict[Board, list[Verdict]]:
    """Every move of every position judged; of infinite, of some."""
    if rules == INFINITE:
        return {board: advise(board) for board in positions_of_infinite()}
    return {board: advise(board) for board in (Board(rules, b.x, b.o) for b in DISTINCT)}


def reason_of(drawing: str, cell: str, rules: Rules = TIC_TAC_TOE) -> Reason:
    return judge(Board.parse(drawing, rules), named(cell, rules)).reason


@pytest.mark.parametrize(
    ("rules", "drawing", "cell", "reason"),
    [
        (TIC_TAC_TOE, "xx. oo. ...", "C1", Reason.WIN),
        (TIC_TAC_TOE, "xx. oo. ...", "A3", Reason.MISSED_WIN),
        (TIC_TAC_TOE, "o.. .x. x.o", "B1", Reason.MISSED_WIN),  # and leaves two ways to win
        (TIC_TAC_TOE, "xx. o.. ...", "C1", Reason.BLOCK),
        (TIC_TAC_TOE, "xo. .o. .x.", "A3", Reason.FORK),
        (TIC_TAC_TOE, ".o. .x. ...", "A1", Reason.FORCED_SEQUENCE),
        (TIC_TAC_TOE, "..o x.. .x.", "A1", Reason.FORCED_SEQUENCE),  # and prevents a fork
        (TIC_TAC_TOE, "..x x.o ..o", "B3", Reason.QUIET_WIN),
        (TIC_TAC_TOE, "..x x.o ..o", "B2", Reason.MISSED_FORK),
        (TIC_TAC_TOE, "x.. .o. ..x", "B1", Reason.BLOCK_FORK),
        (TIC_TAC_TOE, "x.. ... ...", "B2", Reason.ONLY_MOVE),
        (TIC_TAC_TOE, "x.. ... ...", "C3", Reason.ALLOWED_THREATS),
        (TIC_TAC_TOE, "x.. .o. ...", "B1", Reason.THREAT),
        (TIC_TAC_TOE, "... ... ...", "A1", Reason.MOST_REPLIES_LOSE),
        (TIC_TAC_TOE, "... .xo oxx", "C1", Reason.LONGEST_DEFENCE),
        (TIC_TAC_TOE, ".ox xoo oxx", "A1", Reason.NOTHING_LEFT),
        (TIC_TAC_TOE, "... ... ...", "B2", Reason.CENTRE),
        (TIC_TAC_TOE, "... ..x ..o", "A1", Reason.OPPOSITE_CORNER),
        (TIC_TAC_TOE, "x.. .o. ...", "C3", Reason.CORNER),
        (TIC_TAC_TOE, "... ... ...", "B1", Reason.SIDE),
        (ON_4X4, "xxx. ooo. .... ....", "D1", Reason.WIN),
        (ON_4X4, "xxx. oo.. .... ....", "D1", Reason.BLOCK),
        (ON_4X4, "xo.. .... .... ....", "D4", Reason.OPEN_LINES),
        (ON_4X4, "xo.. .... .... ....", "B2", Reason.EVERY_MOVE_DRAWS),
        (ON_4X4, "xx.. o... .... ..o.", "C1", Reason.THREAT),
        (Rules(4, 3, 3), ".... .xo. ....", "C1", Reason.FORCED_SEQUENCE),
        (ON_4X3, ".... .x.. ..o. ....", "C2", Reason.DOUBLE_THREAT),
        (ON_4X3, "o..x .xx. .o.. .o..", "A4", Reason.MISSED_WIN),  # and is a fork
        (ON_5X5, OPEN_TWO, "C1", Reason.BLOCK_DOUBLE_THREAT),
        (ON_5X5, OPEN_TWO, "E5", Reason.ALLOWED_FORK),
        (
            ON_4X3,
            ".x.. .o.. x..o ...x",
            "A1",
            Reason.MISSED_FORK,
        ),  # though it blocks one
        (ON_5X5, ".x.x. ...o. ..... ..x.. ....o", "A1", Reason.ALLOWED_QUIET_MOVE),
        (ON_5X5, "..... x..x. x.o.. ..o.. ....o", "C5", Reason.MISSED_FORK),
        (INFINITE, "x2x3.. o1..x1 o2o3..", "C1", Reason.WIN),
        (INFINITE, "x2x3.. o1..x1 o2o3..", "C3", Reason.MISSED_WIN),
        (INFINITE, "x1..x2 ..o3x3 ..o1o2 42", "B1", Reason.UNBLOCKS),
        (INFINITE, "....o1 o2x1.. o3x2x3 16", "A1", Reason.BLOCK),
        (INFINITE, "x1o1.. o2x3o3 ..x2.. 14", "C1", Reason.FORCED_SEQUENCE),
        (INFINITE, "...... ...... ......", "B1", Reason.QUIET_WIN),
        (INFINITE, "...... ...... ......", "B2", Reason.THROWN_WIN),
        (INFINITE, "x1.... ...... ......", "B2", Reason.ONLY_MOVE),
        (INFINITE, "x1.... ...... ......", "C3", Reason.LOSES),
        (INFINITE, "..o3.. x3x2o2 x1o1.. 8", "A1", Reason.THREAT),
        (INFINITE, "..o3.. x3x2o2 x1o1.. 8", "C1", Reason.MOST_REPLIES_LOSE),
        (INFINITE, "....x2 o2o1x3 x1..o3 18", "B3", Reason.SOME_REPLIES_LOSE),
        (INFINITE, "....x2 o2o1x3 x1..o3 18", "B1", Reason.SOME_MOVES_LOSE),
        (INFINITE, "x3o1.. ....x2 o2x1o3 35", "A2", Reason.LONGEST_DEFENCE),
        (MISERE, "xx. o.. o..", "C1", Reason.OWN_LINE),
        (MISERE, "xx. o.. o..", "C3", Reason.LONGEST_DEFENCE),
        (MISERE, "xx. o.. o..", "B2", Reason.ALLOWED_ZUGZWANG),
        (MISERE, "... ... ...", "B2", Reason.ONLY_MOVE),
        (MISERE, "x.. ... ...", "B1", Reason.QUIET_WIN),
        (MISERE, "x.. ... ...", "B2", Reason.THROWN_WIN),
        (MISERE, "xxo ... ...", "A2", Reason.MOST_REPLIES_LOSE),
        (MISERE, "x.. .o. ...", "C2", Reason.SOME_REPLIES_LOSE),
    ],
)
def test_moves_have_reasons(rules: Rules, drawing: str, cell: str, reason: Reason) -> None:
    assert reason_of(drawing, cell, rules) is reason


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.name)
def test_every_reason_is_true_of_every_move_that_it_is_given_for(rules: Rules) -> None:
    seen = set()
    for board, advice in advice_in(rules).items():
        for verdict in advice:
            seen.add(verdict.reason)
            is_meant = MEANING.get(verdict.reason)
            is_so = is_meant(board, verdict.action) if is_meant else is_true(verdict)
            assert is_so, (board, verdict)
    assert seen == REASONS[rules]


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.name)
def test_every_missed_immediate_win_is_named(rules: Rules) -> None:
    missed = 0
    for board, advice in advice_in(rules).items():
        for verdict in advice:
            passed = wins(board) if verdict.action not in wins(board) else set()
            assert {*verdict.missed_wins} == passed, board
            assert (verdict.reason is Reason.MISSED_WIN) == bool(passed), board
            missed += bool(passed) and verdict.kept_value
    assert (missed > 0) is (rules != MISERE), "some of them win more slowly"


def test_a_line_completed_needlessly_is_lost_at_once() -> None:
    lost = 0
    for board, advice in advice_in(MISERE).items():
        losing = {c for c in board.actions() if board.result(c).winner is board.to_move.other}
        for verdict in advice:
            is_needless = verdict.action in losing and losing != set(board.actions())
            assert verdict.lost_at_once is is_needless, board
            lost += is_needless and not verdict.is_blunder
    assert lost, "some of them were lost already"


def test_forced_cells_in_infinite_are_exactly_the_moves_that_prevent_a_loss() -> None:
    """Two marks that stay lie on one line at most; so there are no forks either."""
    for board in positions_of_infinite():
        if not wins(board):
            holding = [cell for cell in board.actions() if not wins(board.result(cell))]
            is_urgent = 0 < len(holding) < len(board.actions())
            assert board.forced_cells() == (tuple(holding) if is_urgent else ()), board


def test_two_lines_that_lack_the_same_two_cells_are_no_double_threat() -> None:
    """Whichever of them X takes, the other stops both."""
    board = Board.parse("x..xx o.... ..... ..... o....", ON_5X5)
    assert Reason.BLOCK_DOUBLE_THREAT not in observe(board).candidates


@pytest.mark.parametrize(
    ("drawing", "stopping"),
    [
        ("...x .ox. o..o .x.x", ["B3", "A4", "C4"]),  # a double threat on A4
        ("o.o. x..x .x.x xoo.", ["D1", "C2"]),  # one on each of these
    ],
)
def test_a_block_of_double_threats_removes_all_of_them(drawing: str, stopping: list[str]) -> None:
    blocks = observe(Board.parse(drawing, ON_4X4)).candidates[Reason.BLOCK_DOUBLE_THREAT]
    assert [ON_4X4.coordinate(cell) for cell in blocks] == stopping


def lines_of_play(side: Mark) -> tuple[int, int]:
    """How many lines there are when `side` follows the rules, and how many of them it loses."""
    lines = losses = 0

    def explore(board: Board) -> None:
        nonlocal lines, losses
        if board.is_terminal:
            lines += 1
            losses += board.winner is side.other
            return
        for cell in rule_moves(board)[1] if board.to_move is side else board.actions():
            explore(board.result(cell))

    explore(Board())
    return lines, losses


@pytest.mark.parametrize(("side", "lines"), [(Mark.X, 408), (Mark.O, 976)])
def test_the_rules_of_newell_and_simon_never_lose(side: Mark, lines: int) -> None:
    assert lines_of_play(side) == (lines, 0)


def test_in_40_positions_the_rules_throw_away_a_win_and_in_8_a_draw() -> None:
    thrown = Counter(
        best_value(board)
        for board in UNFINISHED
        if any(worths(board)[cell].value < best_value(board) for cell in rule_moves(board)[1])
    )
    assert thrown == {Value.WIN: 40, Value.DRAW: 8}

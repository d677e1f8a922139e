"""Reasons: names for moves, and every one of them true."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from engine import (
    TIC_TAC_TOE,
    Board,
    Cell,
    Mark,
    Reason,
    Rules,
    Solver,
    Value,
    Verdict,
    Worth,
    advise,
    judge,
    rule_moves,
)
from engine.reasons import observe
from tests.engine.meaning import MEANING, value_of, values_of
from tests.engine.positions import UNFINISHED


@cache
def advice_on_3x3() -> dict[Board, list[Verdict]]:
    """Every move of every position judged; work done once."""
    return {board: advise(board) for board in UNFINISHED}


def reason_of(drawing: str, cell: str, rules: Rules = TIC_TAC_TOE) -> Reason | None:
    board = Board.parse(drawing, rules)
    return judge(board, named(cell, rules)).reason


def named(cell: str, rules: Rules = TIC_TAC_TOE) -> Cell:
    return next(c for c in rules.cells if rules.coordinate(c) == cell)


ON_LARGER_BOARDS = {
    Reason.DOUBLE_THREAT,
    Reason.BLOCK_DOUBLE_THREAT,
    Reason.SOME_REPLIES_LOSE,
    Reason.OPEN_LINES,
    Reason.CLOSED_LINES,
}
IN_OTHER_GAMES = {Reason.OWN_LINE, Reason.UNBLOCKS}


@pytest.mark.parametrize(
    ("drawing", "cell", "reason"),
    [
        ("xx. oo. ...", "C1", Reason.WIN),
        ("xx. oo. ...", "A3", Reason.MISSED_WIN),
        ("xx. o.. ...", "C1", Reason.BLOCK),
        ("xo. .o. .x.", "A3", Reason.FORK),
        (".o. .x. ...", "A1", Reason.FORCED_SEQUENCE),
        ("..x x.o ..o", "B3", Reason.QUIET_WIN),
        ("..x x.o ..o", "B2", Reason.THROWN_WIN),
        ("x.. .o. ..x", "B1", Reason.BLOCK_FORK),
        ("x.. ... ...", "B2", Reason.ONLY_MOVE),
        ("x.. ... ...", "C3", None),
        ("x.. .o. ...", "B1", Reason.THREAT),
        ("... ... ...", "A1", Reason.MOST_REPLIES_LOSE),
        ("... .xo oxx", "C1", Reason.LONGEST_DEFENCE),
        (".ox xoo oxx", "A1", Reason.NOTHING_LEFT),
        ("... ... ...", "B2", Reason.CENTRE),
        ("... ..x ..o", "A1", Reason.OPPOSITE_CORNER),
        ("x.. .o. ...", "C3", Reason.CORNER),
        ("... ... ...", "B1", Reason.SIDE),
    ],
)
def test_moves_on_3x3_have_reasons(drawing: str, cell: str, reason: Reason | None) -> None:
    assert reason_of(drawing, cell) is reason


@pytest.mark.parametrize(
    ("drawing", "cell", "reason"),
    [
        ("xxx. ooo. .... ....", "D1", Reason.WIN),
        ("xxx. oo.. .... ....", "D1", Reason.BLOCK),
        ("xo.. .... .... ....", "D4", Reason.OPEN_LINES),
        ("xo.. .... .... ....", "B2", None),
        ("xx.. o... .... ..o.", "C1", Reason.THREAT),
    ],
)
def test_moves_on_larger_boards_have_reasons(
    drawing: str, cell: str, reason: Reason | None
) -> None:
    assert reason_of(drawing, cell, Rules(4, 4, 4)) is reason


def test_double_threats_and_their_blocks_have_reasons() -> None:
    assert reason_of(".... .x.. ..o. ....", "C2", Rules(4, 4, 3)) is Reason.DOUBLE_THREAT
    open_two = ".x.x. ..... .o... ..... ....."
    assert reason_of(open_two, "C1", Rules(5, 5, 4)) is Reason.BLOCK_DOUBLE_THREAT


def test_every_reason_on_3x3_is_true_of_every_move_that_it_is_given_for() -> None:
    seen = set()
    for board in UNFINISHED:
        for verdict in advice_on_3x3()[board]:
            seen.add(verdict.reason)
            is_true = MEANING[verdict.reason] if verdict.reason else lambda *_: True
            assert is_true(board, verdict.action), (board, verdict.action, verdict.reason)
    assert seen == set(Reason) - ON_LARGER_BOARDS - IN_OTHER_GAMES | {None}


def test_the_location_of_a_cell_is_no_reason_for_a_losing_move() -> None:
    places = {Reason.CENTRE, Reason.OPPOSITE_CORNER, Reason.CORNER, Reason.SIDE}
    for board in UNFINISHED:
        for verdict in advice_on_3x3()[board]:
            assert verdict.reason not in places or verdict.worth.value is Value.DRAW, board


def test_every_move_on_3x3_has_a_reason_except_some_that_lose() -> None:
    for board in UNFINISHED:
        advice = advice_on_3x3()[board]
        assert advice[0].reason is not None, board
        unnamed = [verdict for verdict in advice if verdict.reason is None]
        assert all(verdict.worth.value is Value.LOSS for verdict in unnamed), board


def test_every_missed_immediate_win_is_named() -> None:
    missed = 0
    for board in UNFINISHED:
        wins = tuple(cell for cell in board.actions() if board.result(cell).winner)
        for verdict in advice_on_3x3()[board]:
            passed = wins if verdict.action not in wins else ()
            assert verdict.missed_wins == passed, board
            assert (verdict.reason is Reason.MISSED_WIN) == bool(passed), board
            missed += bool(passed) and verdict.kept_value
    assert missed == 1196


def test_a_move_that_blocks_no_double_threat_has_no_such_reason() -> None:
    open_two = ".x.x. ..... .o... ..... ....."
    assert reason_of(open_two, "E5", Rules(5, 5, 4)) is None


def test_two_lines_that_lack_the_same_two_cells_are_no_double_threat() -> None:
    """Whichever of them X takes, the other stops both."""
    for cell in ("B1", "C1"):
        assert reason_of("x..xx o.... ..... ..... o....", cell, Rules(5, 5, 4)) is None


@pytest.mark.parametrize(
    ("rules", "drawing", "cell"),
    [
        (Rules(4, 4, 3), ".x.. .o.. x..o ...x", "A1"),
        (Rules(5, 5, 4), ".x.x. ...o. ..... ..x.. ....o", "A1"),
        (Rules(5, 5, 4), "..... x..x. x.o.. ..o.. ....o", "C5"),
    ],
)
def test_a_losing_move_is_no_block_of_a_double_threat(
    rules: Rules, drawing: str, cell: str
) -> None:
    board = Board.parse(drawing, rules)
    verdict = judge(board, named(cell, rules))
    assert verdict.is_blunder
    assert verdict.reason is None
    held = [v for v in advise(board) if v.reason is Reason.BLOCK_DOUBLE_THREAT]
    assert all(verdict.worth.value is not Value.LOSS for verdict in held)


def test_a_block_of_double_threats_removes_all_of_them() -> None:
    board = Board.parse("...x .ox. o..o .x.x", Rules(4, 4, 4))
    stopping = observe(board).candidates[Reason.BLOCK_DOUBLE_THREAT]
    assert [board.rules.coordinate(cell) for cell in stopping] == ["B3", "A4", "C4"]


def test_a_move_that_misses_an_immediate_win_is_no_forced_sequence() -> None:
    """B1 leaves X two ways to win, but the other is no answer to a threat: C1 won at once."""
    board = Board.parse("o.. .x. x.o")
    slower = judge(board, named("B1"))
    assert (slower.worth, slower.reason) == (Worth(Value.WIN, 3), Reason.MISSED_WIN)
    assert slower.missed_wins == (named("C1"),)
    assert judge(board, named("C1")).missed_wins == ()
    assert reason_of("o..x .xx. .o.. .o..", "A4", Rules(4, 4, 3)) is Reason.MISSED_WIN


def test_a_forced_win_takes_precedence_over_a_prevented_fork() -> None:
    for cell in ("A1", "C3"):
        assert reason_of("..o x.. .x.", cell) is Reason.FORCED_SEQUENCE


def test_a_quiet_win_takes_precedence_over_a_side() -> None:
    assert reason_of("..x x.o ..o", "B3") is Reason.QUIET_WIN


def test_a_threat_on_the_way_to_a_proven_win_is_a_forced_sequence() -> None:
    rules = Rules(4, 3, 3)
    solver, board = Solver(rules), Board(rules)
    names = []
    for cell in solver.solve(board).principal_variation:
        names.append(judge(board, cell).reason)
        board = board.result(cell)
    assert Reason.FORCED_SEQUENCE in names
    assert names[-1] is Reason.WIN


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
        max(values_of(board).values())
        for board in UNFINISHED
        if any(value_of(board, c) < max(values_of(board).values()) for c in rule_moves(board)[1])
    )
    assert thrown == {Value.WIN: 40, Value.DRAW: 8}


def test_the_rules_say_nothing_about_other_boards() -> None:
    for board in (Board(Rules(4, 4, 4)), Board.parse("xxx oo. ...")):
        with pytest.raises(ValueError, match="unfinished games on 3x3"):
            rule_moves(board)

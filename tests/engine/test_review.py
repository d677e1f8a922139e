"""Verdicts on moves: proven by the solver, named by the rules."""

from __future__ import annotations

from functools import cache

import pytest

from engine import (
    TIC_TAC_TOE,
    Board,
    Cell,
    IllegalMoveError,
    Mark,
    Reason,
    Rules,
    Solver,
    Value,
    Worth,
    advise,
    best_reply,
    judge,
    review,
    rule_moves,
    turning_point,
)
from tests.engine.positions import UNFINISHED

solver_of = cache(Solver)
SOLVER = solver_of(TIC_TAC_TOE)


def reason_of(drawing: str, cell: str, rules: Rules = TIC_TAC_TOE) -> Reason | None:
    board = Board.parse(drawing, rules)
    return judge(board, named(cell, rules), solver_of(rules)).reason


def named(cell: str, rules: Rules = TIC_TAC_TOE) -> Cell:
    return next(c for c in rules.cells if rules.coordinate(c) == cell)


def test_a_game_is_judged_move_by_move() -> None:
    verdicts = review([0, 4, 8, 2, 6, 3, 5])
    assert [verdict.mark for verdict in verdicts] == [Mark.X, Mark.O] * 3 + [Mark.X]
    assert [verdict.worth.value for verdict in verdicts] == [0, 0, 0, -1, 1, -1, 0]
    assert [verdict.is_blunder for verdict in verdicts] == [False] * 3 + [True] + [False] * 2 + [
        True
    ]


def test_a_blunder_says_what_would_have_held() -> None:
    blunder = review([0, 4, 8, 2])[-1]
    assert blunder.best == Worth(Value.DRAW, 6)
    assert blunder.best_actions == (1, 3, 5, 7)
    assert not blunder.kept_value


def test_a_slower_win_keeps_the_value_though_it_is_not_the_best_move() -> None:
    slower = judge(Board.parse("... ..x oox"), named("B1"), SOLVER)
    assert slower.worth == Worth(Value.WIN, 5)
    assert slower.best == Worth(Value.WIN, 1)
    assert slower.best_actions == (named("C1"),)
    assert slower.kept_value
    assert not slower.is_blunder


def test_an_only_move_is_one_that_every_other_would_throw_away() -> None:
    against_the_corner = review([0, 4])[-1]
    assert against_the_corner.is_only_move
    assert not review([4, 0])[-1].is_only_move
    missed_it = review([0, 1])[-1], review([0, 8])[-1]
    assert not any(verdict.is_only_move for verdict in missed_it)


def test_a_move_is_safe_where_every_other_is_worth_the_same() -> None:
    """All hold on an empty board; in the fork nothing holds any more."""
    game = review([0, 4, 8, 2, 6, 3, 7])
    assert [verdict.is_safe for verdict in game] == [True, False, True, False, False, True, False]
    for board in UNFINISHED[::20]:
        values = {worth.value for worth in SOLVER.analyse(board).values()}
        assert {verdict.is_safe for verdict in advise(board, SOLVER)} == {len(values) == 1}


def test_the_last_free_cell_is_no_only_move() -> None:
    assert not review([0, 1, 2, 4, 3, 5, 7, 6, 8])[-1].is_only_move


@pytest.mark.parametrize(
    ("drawing", "cell", "reason"),
    [
        ("xx. oo. ...", "C1", Reason.WIN),
        ("xx. o.. ...", "C1", Reason.BLOCK),
        ("x.. .o. ..x", "B1", Reason.BLOCK_FORK),
        ("xo. .o. .x.", "A3", Reason.FORK),
        ("... ... ...", "B2", Reason.CENTRE),
        ("o.. .x. ...", "C1", Reason.CORNER),
        ("... .x. o..", "C1", Reason.OPPOSITE_CORNER),
        ("... ... ...", "A1", Reason.CORNER),
        ("... ... ...", "B1", Reason.SIDE),
    ],
)
def test_moves_of_3x3_are_named_by_the_eight_rules(drawing: str, cell: str, reason: Reason) -> None:
    assert reason_of(drawing, cell) is reason


@pytest.mark.parametrize(
    ("drawing", "cell", "reason"),
    [
        ("xxx. ooo. .... ....", "D1", Reason.WIN),
        ("xxx. oo.. .... ....", "D1", Reason.BLOCK),
        ("xo.. .... .... ....", "D4", None),
    ],
)
def test_moves_of_larger_boards_have_names_too(
    drawing: str, cell: str, reason: Reason | None
) -> None:
    assert reason_of(drawing, cell, Rules(4, 4, 4)) is reason


def test_two_threats_at_once_and_their_prevention_have_names() -> None:
    assert reason_of(".... .x.. ..o. ....", "C2", Rules(4, 4, 3)) is Reason.DOUBLE_THREAT
    open_two = ".x.x. ..... .o... ..... ....."
    assert reason_of(open_two, "C1", Rules(5, 5, 4)) is Reason.BLOCK_DOUBLE_THREAT


def test_a_name_never_contradicts_the_proof() -> None:
    """A fork while the other completes a line is none; nor is a block that blocks nothing."""
    needs_win = {Reason.WIN, Reason.FORK, Reason.DOUBLE_THREAT, Reason.FORCED_SEQUENCE}
    needs_draw = {Reason.BLOCK_FORK, Reason.BLOCK_DOUBLE_THREAT}
    for board in UNFINISHED:
        for cell, worth in SOLVER.analyse(board).items():
            name = judge(board, cell, SOLVER).reason
            assert name not in needs_win or worth.value is Value.WIN, board
            assert name not in needs_draw or worth.value is not Value.LOSS, board
    assert reason_of("... oxx o..", "C3") is not Reason.FORK
    assert reason_of(".xx. .o.. ..ox ....", "D2", Rules(4, 4, 3)) is not Reason.DOUBLE_THREAT


def test_a_move_that_stops_no_double_threat_is_not_called_so() -> None:
    open_two = ".x.x. ..... .o... ..... ....."
    assert reason_of(open_two, "E5", Rules(5, 5, 4)) is None


def test_two_lines_that_lack_the_same_two_cells_are_no_double_threat() -> None:
    """Whichever of them X takes, the other stops both."""
    for cell in ("B1", "C1"):
        assert reason_of("x..xx o.... ..... ..... o....", cell, Rules(5, 5, 4)) is None


def test_a_threat_that_wins_nothing_is_no_forced_sequence() -> None:
    assert reason_of("xx.. o... .... ..o.", "C1", Rules(4, 4, 4)) is None


@pytest.mark.parametrize(
    ("rules", "drawing", "cell"),
    [
        (Rules(4, 4, 3), ".x.. .o.. x..o ...x", "A1"),
        (Rules(5, 5, 4), ".x.x. ...o. ..... ..x.. ....o", "A1"),
        (Rules(5, 5, 4), "..... x..x. x.o.. ..o.. ....o", "C5"),
    ],
)
def test_a_move_that_loses_all_the_same_has_stopped_nothing(
    rules: Rules, drawing: str, cell: str
) -> None:
    board = Board.parse(drawing, rules)
    verdict = judge(board, named(cell, rules), solver_of(rules))
    assert verdict.is_blunder
    assert verdict.reason is None
    held = [v for v in advise(board) if v.reason is Reason.BLOCK_DOUBLE_THREAT]
    assert all(verdict.worth.value is not Value.LOSS for verdict in held)


def test_an_old_threat_is_not_a_new_one() -> None:
    """X leaves a win where it is, wins all the same, but not by a threat that this move made."""
    assert reason_of("... ..x oox", "B1") is Reason.SIDE
    assert reason_of("o..x .xx. .o.. .o..", "A4", Rules(4, 4, 3)) is None
    assert reason_of("oxxx x.x. o.oo ..xo", "D2", Rules(4, 4, 4)) is None


def test_a_threat_on_the_way_to_a_proven_win_is_a_forced_sequence() -> None:
    rules = Rules(4, 3, 3)
    solver, board = Solver(rules), Board(rules)
    names = []
    for cell in solver.solve(board).principal_variation:
        names.append(judge(board, cell, solver).reason)
        board = board.result(cell)
    assert Reason.FORCED_SEQUENCE in names
    assert names[-1] is Reason.WIN


def test_so_it_is_on_3x3_where_a_place_would_say_less() -> None:
    assert reason_of(".o. .x. ...", "A1") is Reason.FORCED_SEQUENCE
    assert reason_of("x.. .o. ...", "B1") is Reason.SIDE, "a threat, but no win"


def test_moves_that_are_no_game_are_refused() -> None:
    with pytest.raises(IllegalMoveError):
        review([0, 0])
    with pytest.raises(IllegalMoveError):
        review([0, 3, 1, 4, 2, 5])


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
def test_the_rules_alone_never_lose(side: Mark, lines: int) -> None:
    assert lines_of_play(side) == (lines, 0)


def test_in_48_positions_the_rules_err() -> None:
    erring = []
    for board in UNFINISHED:
        worths = SOLVER.analyse(board)
        best = max(worth.value for worth in worths.values())
        if any(worths[cell].value < best for cell in rule_moves(board)[1]):
            erring.append(board)
    assert len(erring) == 48


def test_the_rules_say_nothing_about_other_boards() -> None:
    for board in (Board(Rules(4, 4, 4)), Board.parse("xxx oo. ...")):
        with pytest.raises(ValueError, match="nothing"):
            rule_moves(board)


def test_advice_judges_every_move() -> None:
    for board in UNFINISHED[::20]:
        advice = advise(board, SOLVER)
        assert {verdict.action for verdict in advice} == set(board.actions())
        assert len(advice) == len(board.actions())
        assert all(verdict == judge(board, verdict.action, SOLVER) for verdict in advice)


def test_advice_gives_the_best_first_and_of_equals_the_most_telling_reason() -> None:
    names = [*Reason, None]
    for board in (*UNFINISHED[::20], Board.parse("xo.. .... .x.. ..o.", Rules(4, 4, 4))):
        advice = advise(board)
        keys = [(*told(verdict.worth), names.index(verdict.reason)) for verdict in advice]
        assert keys == sorted(keys), board


def told(worth: Worth) -> tuple[int, int]:
    """Wins before draws before losses; of wins the fastest first, of losses the slowest."""
    return -worth.value, worth.value * worth.distance_plies


def test_of_nine_moves_that_draw_the_centre_is_advised_then_the_corners() -> None:
    assert [verdict.action for verdict in advise(Board())] == [4, 0, 2, 6, 8, 1, 3, 5, 7]


def test_advice_prefers_the_win_at_once_to_the_fork_and_puts_blunders_last() -> None:
    advice = advise(Board.parse("xx. .o. o.."))
    assert (advice[0].action, advice[0].reason) == (2, Reason.WIN)
    assert [verdict.is_blunder for verdict in advice] == [False] + [True] * 4


def test_of_moves_worth_the_same_those_without_a_name_come_last() -> None:
    advice = advise(Board.parse("..... ..oox .x..o .x.x.", Rules(5, 4, 4)))
    drawing = [v.reason for v in advice if v.worth.value is Value.DRAW]
    assert drawing == [Reason.BLOCK_DOUBLE_THREAT] * 3 + [None]
    assert [verdict.action for verdict in advice[:4]] == [15, 17, 19, 6]


def test_the_best_reply_is_the_first_that_the_other_would_be_advised() -> None:
    board = Board.parse("x.. .o. ..x")
    reply = best_reply(board, named("C1"))
    assert reply == advise(board.result(named("C1")))[0]
    assert reply is not None
    assert (reply.action, reply.reason) == (named("A3"), Reason.BLOCK)
    assert best_reply(Board.parse("xx. oo. ..."), named("C1")) is None, "the game is over"


def test_there_is_no_advice_once_the_game_is_over() -> None:
    assert advise(Board.parse("xxx oo. ...")) == []


def test_a_game_without_a_blunder_has_no_turning_point() -> None:
    assert turning_point([]) is None
    assert turning_point(review([4, 0, 8, 2, 1, 7, 3, 5, 6])) is None


def test_the_turning_point_is_the_last_blunder() -> None:
    assert turning_point(review([0, 4, 8, 2])) == 3
    assert turning_point(review([0, 1])) == 1
    assert turning_point(review([0, 4, 8, 2, 6, 3, 5])) == 6
    assert turning_point(review([0, 1, 2, 4, 7])) == 2

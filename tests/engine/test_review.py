"""Verdicts on moves: proven by the solver, named by the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from engine import (
    TIC_TAC_TOE,
    Board,
    Cell,
    IllegalMoveError,
    Level,
    Mark,
    Reason,
    Rules,
    Solver,
    Value,
    Verdict,
    Worth,
    advise,
    best_reply,
    choose_move,
    judge,
    review,
    rule_moves,
    turning_point,
)
from tests.engine.positions import TRUTH, UNFINISHED

solver_of = cache(Solver)
SOLVER = solver_of(TIC_TAC_TOE)


def reason_of(drawing: str, cell: str, rules: Rules = TIC_TAC_TOE) -> Reason | None:
    board = Board.parse(drawing, rules)
    return judge(board, named(cell, rules), solver_of(rules)).reason


def named(cell: str, rules: Rules = TIC_TAC_TOE) -> Cell:
    return next(c for c in rules.cells if rules.coordinate(c) == cell)


@cache
def advice_on_3x3() -> dict[Board, list[Verdict]]:
    """Every move of every position judged; work done once."""
    return {board: advise(board, SOLVER) for board in UNFINISHED}


LINES_OF_3X3 = ("012", "345", "678", "036", "147", "258", "048", "246")


def value_of(board: Board, cell: Cell) -> int:
    """What a move on 3x3 is worth to its player, by plain minimax."""
    return sign_of(board) * TRUTH[board.result(cell)][0]


def values_of(board: Board) -> dict[Cell, int]:
    return {cell: value_of(board, cell) for cell in board.actions()}


def sign_of(board: Board) -> int:
    return 1 if board.to_move is Mark.X else -1


def ways_to_win(drawing: str, mark: Mark) -> set[int]:
    """Where one mark more would complete a line of a board drawn in one row."""
    lines = [[int(cell) for cell in line] for line in LINES_OF_3X3]
    lacking = [cell for line in lines for cell in line if all_but(cell, line, drawing, mark.value)]
    return {cell for cell in lacking if drawing[cell] == "."}


def all_but(cell: int, line: list[int], drawing: str, mark: str) -> bool:
    return all(drawing[other] == mark for other in line if other != cell)


def drawn(board: Board, *moves: tuple[Cell, Mark]) -> str:
    """A board in one row, with some marks more, in turn or not."""
    cells = list(str(board).replace(" ", ""))
    for cell, mark in moves:
        cells[cell] = mark.value
    return "".join(cells)


def threats_after(board: Board, cell: Cell) -> set[int]:
    return ways_to_win(drawn(board, (cell, board.to_move)), board.to_move)


def can_fork(board: Board, mark: Mark) -> bool:
    return any(len(ways_to_win(drawn(board, (c, mark)), mark)) > 1 for c in board.actions())


def is_safe_from_forks(board: Board, cell: Cell) -> bool:
    """Whether a fork in answer to a move would come too late: its player wins first."""
    after, own, other = board.result(cell), board.to_move, board.to_move.other
    forks = (c for c in after.actions() if len(threats_after(after, c)) > 1)
    return all(ways_to_win(drawn(after, (fork, other)), own) for fork in forks)


def losing_replies(board: Board, cell: Cell) -> int:
    after = board.result(cell)
    return sum(value < 0 for value in values_of(after).values())


def nobody_can_win(board: Board) -> bool:
    cells = drawn(board)
    return all({"x", "o"} <= {cells[int(cell)] for cell in line} for line in LINES_OF_3X3)


def loses_slowest(board: Board, cell: Cell) -> bool:
    """Whether every move loses, and none later."""
    plies = [TRUTH[board.result(c)][1] for c in board.actions()]
    return max(values_of(board).values()) < 0 and TRUTH[board.result(cell)][1] == max(plies)


def is_forced_win(board: Board, cell: Cell) -> bool:
    """Whether it makes one threat, and the only reply that stops it loses."""
    after, threats = board.result(cell), threats_after(board, cell)
    if len(threats) != 1 or ways_to_win(drawn(after), after.to_move):
        return False
    return value_of(after, *threats) < 0


MEANING: dict[Reason, Callable[[Board, Cell], bool]] = {
    Reason.WIN: lambda b, c: b.result(c).winner is b.to_move,
    Reason.MISSED_WIN: lambda b, c: (
        not b.result(c).winner and any(b.result(other).winner for other in b.actions())
    ),
    Reason.BLOCK: lambda b, c: c in ways_to_win(drawn(b), b.to_move.other),
    Reason.FORK: lambda b, c: len(threats_after(b, c)) == 2 and value_of(b, c) == 1,
    Reason.FORCED_SEQUENCE: is_forced_win,
    Reason.QUIET_WIN: lambda b, c: not threats_after(b, c) and value_of(b, c) == 1,
    Reason.THROWN_WIN: lambda b, c: value_of(b, c) == 0 < max(values_of(b).values()),
    Reason.BLOCK_FORK: lambda b, c: can_fork(b, b.to_move.other) and is_safe_from_forks(b, c),
    Reason.ONLY_MOVE: lambda b, c: [m for m, v in values_of(b).items() if v >= 0] == [c],
    Reason.THREAT: lambda b, c: (
        len(threats_after(b, c)) == 1 and not ways_to_win(drawn(b), b.to_move.other)
    ),
    Reason.MOST_REPLIES_LOSE: lambda b, c: losing_replies(b, c) > (len(b.actions()) - 1) / 2,
    Reason.SOME_REPLIES_LOSE: lambda b, c: losing_replies(b, c) > 0,
    Reason.LONGEST_DEFENCE: loses_slowest,
    Reason.NOTHING_LEFT: lambda b, _: nobody_can_win(b),
    Reason.CENTRE: lambda _, c: c == 4,
    Reason.OPPOSITE_CORNER: lambda b, c: c in (0, 2, 6, 8) and b[8 - c] is b.to_move.other,
    Reason.CORNER: lambda _, c: c in (0, 2, 6, 8),
    Reason.SIDE: lambda _, c: c in (1, 3, 5, 7),
}
"""What each reason that is given on 3x3 means, written apart on purpose."""

LINES = {Reason.SOME_REPLIES_LOSE, Reason.OPEN_LINES, Reason.CLOSED_LINES}


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
def test_moves_of_3x3_have_names(drawing: str, cell: str, reason: Reason | None) -> None:
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
def test_moves_of_larger_boards_have_names_too(
    drawing: str, cell: str, reason: Reason | None
) -> None:
    assert reason_of(drawing, cell, Rules(4, 4, 4)) is reason


def test_two_threats_at_once_and_their_prevention_have_names() -> None:
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
    on_larger_boards = {Reason.DOUBLE_THREAT, Reason.BLOCK_DOUBLE_THREAT, *LINES}
    assert seen == set(Reason) - on_larger_boards | {None}


def test_every_move_on_3x3_has_a_name_but_some_that_lose() -> None:
    for board in UNFINISHED:
        advice = advice_on_3x3()[board]
        assert advice[0].reason is not None, board
        unnamed = [verdict for verdict in advice if verdict.reason is None]
        assert all(verdict.worth.value is Value.LOSS for verdict in unnamed), board


def test_no_missed_win_in_one_passes_without_a_word() -> None:
    missed = 0
    for board in UNFINISHED:
        wins = tuple(cell for cell in board.actions() if board.result(cell).winner)
        for verdict in advice_on_3x3()[board]:
            passed = wins if verdict.action not in wins else ()
            assert verdict.missed_wins == passed, board
            assert (verdict.reason is Reason.MISSED_WIN) == bool(passed), board
            missed += bool(passed) and verdict.kept_value
    assert missed == 1196


def test_a_move_that_stops_no_double_threat_is_not_called_so() -> None:
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
def test_a_move_that_loses_all_the_same_has_stopped_nothing(
    rules: Rules, drawing: str, cell: str
) -> None:
    board = Board.parse(drawing, rules)
    verdict = judge(board, named(cell, rules), solver_of(rules))
    assert verdict.is_blunder
    assert verdict.reason is None
    held = [v for v in advise(board) if v.reason is Reason.BLOCK_DOUBLE_THREAT]
    assert all(verdict.worth.value is not Value.LOSS for verdict in held)


def test_who_could_win_at_once_forces_nothing() -> None:
    """B1 leaves X two ways to win, but the other is no answer to a threat: C1 won at once."""
    board = Board.parse("o.. .x. x.o")
    slower = judge(board, named("B1"), SOLVER)
    assert (slower.worth, slower.reason) == (Worth(Value.WIN, 3), Reason.MISSED_WIN)
    assert slower.missed_wins == (named("C1"),)
    assert judge(board, named("C1"), SOLVER).missed_wins == ()
    assert reason_of("o..x .xx. .o.. .o..", "A4", Rules(4, 4, 3)) is Reason.MISSED_WIN


def test_a_forced_win_says_so_though_it_prevents_a_fork_as_well() -> None:
    for cell in ("A1", "C3"):
        assert reason_of("..o x.. .x.", cell) is Reason.FORCED_SEQUENCE


def test_a_win_without_a_threat_says_so_though_it_takes_a_side_as_well() -> None:
    assert reason_of("..x x.o ..o", "B3") is Reason.QUIET_WIN


def test_a_threat_on_the_way_to_a_proven_win_is_a_forced_sequence() -> None:
    rules = Rules(4, 3, 3)
    solver, board = Solver(rules), Board(rules)
    names = []
    for cell in solver.solve(board).principal_variation:
        names.append(judge(board, cell, solver).reason)
        board = board.result(cell)
    assert Reason.FORCED_SEQUENCE in names
    assert names[-1] is Reason.WIN


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


def test_in_40_positions_the_rules_throw_away_a_win_and_in_8_a_draw() -> None:
    thrown = Counter(
        max(values_of(board).values())
        for board in UNFINISHED
        if any(value_of(board, c) < max(values_of(board).values()) for c in rule_moves(board)[1])
    )
    assert thrown == {Value.WIN: 40, Value.DRAW: 8}


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


def test_advice_gives_the_best_first_and_of_equals_what_a_person_profits_from() -> None:
    """The most replies that lose, then the most telling reason."""
    names = [*Reason, None]
    for board in (*UNFINISHED[::20], Board.parse("xo.. .... .x.. ..o.", Rules(4, 4, 4))):
        keys = [
            (*told(verdict.worth), -verdict.losing_replies, names.index(verdict.reason))
            for verdict in advise(board)
        ]
        assert keys == sorted(keys), board


def test_replies_that_lose_are_counted_exactly_on_3x3_where_a_move_holds_a_draw() -> None:
    for board in UNFINISHED:
        for verdict in advice_on_3x3()[board]:
            holds = verdict.worth.value is verdict.best.value is Value.DRAW
            exactly = losing_replies(board, verdict.action) if holds else 0
            assert verdict.losing_replies == exactly, board


def told(worth: Worth) -> tuple[int, int]:
    """Wins before draws before losses; of wins the fastest first, of losses the slowest."""
    return -worth.value, worth.value * worth.distance_plies


def test_of_nine_moves_that_draw_a_corner_is_advised_which_only_one_reply_holds_against() -> None:
    advice = advise(Board())
    assert [verdict.action for verdict in advice] == [0, 2, 6, 8, 4, 1, 3, 5, 7]
    assert [verdict.losing_replies for verdict in advice] == [7] * 4 + [4] * 5


def test_advice_prefers_the_win_at_once_to_the_fork_and_puts_blunders_last() -> None:
    advice = advise(Board.parse("xx. .o. o.."))
    assert (advice[0].action, advice[0].reason) == (2, Reason.WIN)
    assert [verdict.is_blunder for verdict in advice] == [False] + [True] * 4


@pytest.mark.parametrize("rules", ["3x3x3", "4x4x3", "4x4x4", "5x5x4", "5x5x5"])
def test_one_move_is_advised_with_a_reason_whatever_was_played(rules: str) -> None:
    for board in some_positions(Rules.parse(rules)):
        best = advise(board)[0]
        assert best.worth.rank == best.best.rank, board
        assert best.reason is not None, board


@pytest.mark.parametrize("rules", ["4x4x4", "5x5x4", "5x5x5"])
def test_what_is_said_of_lines_and_replies_is_true_on_larger_boards(rules: str) -> None:
    for board in some_positions(Rules.parse(rules)):
        advice = advise(board)
        holding = [v for v in advice if v.worth.value is v.best.value is Value.DRAW]
        own = {v.action: live_lines(board, v.action, v.mark.other) for v in holding}
        others = {v.action: live_lines(board, v.action, v.mark) for v in holding}
        for verdict in advice:
            cell, most = verdict.action, max(own.values(), default=0)
            if verdict.reason is Reason.OPEN_LINES:
                assert own[cell] == most > 0, board
            if verdict.reason is Reason.CLOSED_LINES:
                assert most == 0 < others[cell] == max(others.values()), board
            if verdict.reason is Reason.NOTHING_LEFT:
                lines = board.rules.line_masks
                assert all(line & board.x and line & board.o for line in lines), board


def some_positions(rules: Rules) -> list[Board]:
    """Those of two games, of which one goes on for long: its players see what to block."""
    positions = []
    for seed, level in enumerate((Level.CHILD, Level.HARD)):
        rng, board = random.Random(f"{rules}{seed}"), Board(rules)
        while not board.is_terminal:
            positions.append(board)
            board = board.result(choose_move(board, level, rng))
    return positions


def live_lines(board: Board, cell: Cell, without: Mark) -> int:
    """The lines through a cell on which a player has no mark."""
    lines = (line for line in board.rules.lines if cell in line)
    return sum(all(board[c] is not without for c in line) for line in lines)


def test_the_best_reply_is_the_first_that_the_other_would_be_advised() -> None:
    board = Board.parse("x.. .o. ..x")
    reply = best_reply(board, named("C1"))
    assert reply == advise(board.result(named("C1")))[0]
    assert reply is not None
    assert (reply.action, reply.reason) == (named("A3"), Reason.BLOCK)
    assert best_reply(Board.parse("xx. oo. ..."), named("C1")) is None, "the game is over"


def test_the_best_reply_is_the_one_that_was_played_where_none_was_better() -> None:
    board, blunder = Board.parse("x.. ... ..."), named("B1")
    advised = best_reply(board, blunder)
    equals = advise(board.result(blunder))[0].best_actions
    assert advised is not None
    assert len(equals) > 1
    for played in board.result(blunder).actions():
        reply = best_reply(board, blunder, played=played)
        assert reply is not None
        assert reply.action == (played if played in equals else advised.action)


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

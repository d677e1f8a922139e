"""Verdicts and reasons in games of other rules: every one of them true."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

from engine import (
    INFINITE,
    MISERE,
    Board,
    Cell,
    Level,
    Reason,
    Rules,
    Value,
    Verdict,
    Worth,
    advise,
    best_reply,
    choose_move,
    judge,
    review,
    solver_of,
    turning_point,
)
from tests.engine.positions import UNFINISHED
from tests.engine.vanishing import drawn, has_line, sides


@cache
def wins(board: Board) -> set[Cell]:
    """The moves that win at once, tried one by one."""
    return {cell for cell in board.actions() if board.result(cell).winner is board.to_move}


def ways(board: Board, cell: Cell) -> set[Cell]:
    """Where the player of a move could win with the next, and the other can get in the way.

    There are none where the other wins first.
    """
    after = board.result(cell)
    if wins(after):
        return set()
    reached = [after.result(reply) for reply in after.actions()]
    return {way for position in reached for way in wins(position)}.intersection(after.actions())


def loses_soon(board: Board) -> bool:
    """Whether the player who has just moved loses within five plies."""
    worth = worth_of(board)
    return worth.value is Value.WIN and worth.plies_to_end <= 5


def share_that_loses(board: Board, cell: Cell) -> float:
    after = board.result(cell)
    replies = [after.result(reply) for reply in after.actions()]
    return sum(map(loses_soon, replies)) / len(replies)


def worth_of(board: Board) -> Worth:
    return solver_of(board.rules).worth(board)


@cache
def worths(board: Board) -> dict[Cell, Worth]:
    return {cell: worth_of(board.result(cell)).one_ply_earlier() for cell in board.actions()}


def best_value(board: Board) -> Value:
    return max(worth.value for worth in worths(board).values())


def is_won(board: Board, cell: Cell) -> bool:
    return worths(board)[cell].value is Value.WIN


def others(board: Board, cell: Cell) -> list[Board]:
    return [board.result(other) for other in board.actions() if other != cell]


MEANING: dict[Reason | None, Callable[[Board, Cell], bool]] = {
    Reason.WIN: lambda b, c: c in wins(b),
    Reason.MISSED_WIN: lambda b, c: bool(wins(b)) and c not in wins(b),
    Reason.OWN_LINE: lambda b, c: b.result(c).winner is b.to_move.other,
    Reason.UNBLOCKS: lambda b, c: b.vanishing in wins(b.result(c)),
    Reason.BLOCK: lambda b, c: (
        not wins(b.result(c)) and any(c in wins(position) for position in others(b, c))
    ),
    Reason.FORCED_SEQUENCE: lambda b, c: len(ways(b, c)) == 1 and is_won(b, c),
    Reason.QUIET_WIN: lambda b, c: not ways(b, c) and is_won(b, c),
    Reason.THROWN_WIN: lambda b, c: worths(b)[c].value is Value.DRAW < best_value(b),
    Reason.ONLY_MOVE: lambda b, c: (
        [m for m, w in worths(b).items() if w.value >= Value.DRAW] == [c]
    ),
    Reason.THREAT: lambda b, c: len(ways(b, c)) == 1,
    Reason.MOST_REPLIES_LOSE: lambda b, c: share_that_loses(b, c) > 0.5,
    Reason.SOME_REPLIES_LOSE: lambda b, c: 0 < share_that_loses(b, c) <= 0.5,
    Reason.LONGEST_DEFENCE: lambda b, c: (
        best_value(b) is Value.LOSS
        and worths(b)[c].plies_to_end == max(w.plies_to_end for w in worths(b).values())
    ),
    None: lambda b, c: worths(b)[c].value is not Value.WIN,
}
OF_INFINITE = set(MEANING) - {Reason.OWN_LINE}
OF_MISERE = {
    None,
    Reason.OWN_LINE,
    Reason.QUIET_WIN,
    Reason.THROWN_WIN,
    Reason.ONLY_MOVE,
    Reason.MOST_REPLIES_LOSE,
    Reason.SOME_REPLIES_LOSE,
    Reason.LONGEST_DEFENCE,
}


def positions_of_misere() -> list[Board]:
    """All that are unfinished, one for all mirror images."""
    boards = [Board(MISERE, board.x, board.o) for board in UNFINISHED]
    return list({board.key: board for board in boards}.values())


def positions_of_infinite() -> list[Board]:
    """Some at every ply, as likely as any, and more where the game is about to end."""
    rng, boards = random.Random(4), []
    for plies in (*range(60), *range(6, 26), *range(56, 60)) * 2:
        cells = tuple(rng.sample(range(9), min(plies, 6)))
        if not any(map(has_line, sides(cells))):
            boards.append(Board.parse(drawn(cells, plies), INFINITE))
    return boards


@pytest.mark.parametrize(
    ("boards", "named"),
    [(positions_of_misere, OF_MISERE), (positions_of_infinite, OF_INFINITE)],
    ids=["misere", "infinite"],
)
def test_every_reason_is_true_of_every_move_that_it_is_given_for(
    boards: Callable[[], list[Board]], named: set[Reason | None]
) -> None:
    seen = set()
    for board in boards():
        for verdict in advise(board):
            seen.add(verdict.reason)
            assert MEANING[verdict.reason](board, verdict.action), (board, verdict)
    assert seen == named


@pytest.mark.parametrize(
    ("drawing", "cell", "reason"),
    [
        ("x2x3.. o1..x1 o2o3..", "C1", Reason.WIN),
        ("x2x3.. o1..x1 o2o3..", "C3", Reason.MISSED_WIN),
        ("x1..x2 ..o3x3 ..o1o2 42", "B1", Reason.UNBLOCKS),
        ("....o1 o2x1.. o3x2x3 16", "A1", Reason.BLOCK),
        ("x1o1.. o2x3o3 ..x2.. 14", "C1", Reason.FORCED_SEQUENCE),
        ("...... ...... ......", "B1", Reason.QUIET_WIN),
        ("...... ...... ......", "B2", Reason.THROWN_WIN),
        ("x1.... ...... ......", "B2", Reason.ONLY_MOVE),
        ("x1.... ...... ......", "C3", None),
        ("..o3.. x3x2o2 x1o1.. 8", "A1", Reason.THREAT),
        ("..o3.. x3x2o2 x1o1.. 8", "C1", Reason.MOST_REPLIES_LOSE),
        ("....x2 o2o1x3 x1..o3 18", "B3", Reason.SOME_REPLIES_LOSE),
        ("....x2 o2o1x3 x1..o3 18", "B1", None),
        ("x3o1.. ....x2 o2x1o3 35", "A2", Reason.LONGEST_DEFENCE),
    ],
)
def test_moves_in_infinite_have_reasons(drawing: str, cell: str, reason: Reason | None) -> None:
    assert verdict_on(Board.parse(drawing, INFINITE), cell).reason is reason


@pytest.mark.parametrize(
    ("drawing", "cell", "reason"),
    [
        ("xx. o.. o..", "C1", Reason.OWN_LINE),
        ("xx. o.. o..", "C3", Reason.LONGEST_DEFENCE),
        ("xx. o.. o..", "B2", None),
        ("... ... ...", "B2", Reason.ONLY_MOVE),
        ("x.. ... ...", "B1", Reason.QUIET_WIN),
        ("x.. ... ...", "B2", Reason.THROWN_WIN),
        ("xxo ... ...", "A2", Reason.MOST_REPLIES_LOSE),
        ("x.. .o. ...", "C2", Reason.SOME_REPLIES_LOSE),
    ],
)
def test_moves_in_misere_have_reasons(drawing: str, cell: str, reason: Reason | None) -> None:
    assert verdict_on(Board.parse(drawing, MISERE), cell).reason is reason


def verdict_on(board: Board, name: str) -> Verdict:
    named = {board.rules.coordinate(cell): cell for cell in board.actions()}
    return judge(board, named[name])


def test_forced_cells_in_infinite_are_exactly_the_moves_that_prevent_a_loss() -> None:
    """Two marks that stay lie on one line at most; so there are no forks either."""
    for board in positions_of_infinite():
        if not wins(board):
            holding = [cell for cell in board.actions() if not wins(board.result(cell))]
            is_urgent = 0 < len(holding) < len(board.actions())
            assert board.forced_cells() == (tuple(holding) if is_urgent else ()), board


def test_a_move_in_infinite_has_as_many_replies_as_cells_are_free_after_it() -> None:
    """Once six marks stand it frees one cell for the one it takes."""
    for drawing, replies in (("x1.... ...... ......", 7), ("....x2 o2o1x3 x1..o3 18", 3)):
        verdicts = advise(Board.parse(drawing, INFINITE))
        assert {verdict.reply_count for verdict in verdicts} == {replies}


def test_no_move_misses_a_win_beyond_the_ply_limit() -> None:
    """C2 wins in 7 plies, where there are so many; after B2 neither can force an end."""
    for plies, is_blunder in ((11, True), (53, True), (55, False)):
        board = Board.parse(f"x2o2o1 ...... x1x3o3 {plies}", INFINITE)
        assert verdict_on(board, "B2").is_blunder is is_blunder
        assert (verdict_on(board, "C2").worth == Worth(Value.WIN, 7)) is is_blunder


def test_lost_at_once_needs_another_move_that_does_not_lose() -> None:
    lost = 0
    for board in positions_of_misere():
        losing = {c for c in board.actions() if board.result(c).winner is board.to_move.other}
        for verdict in advise(board):
            is_needless = verdict.action in losing and losing != set(board.actions())
            assert verdict.lost_at_once is is_needless, board
            lost += is_needless and not verdict.is_blunder
    assert lost, "some of them were lost already"


@pytest.mark.parametrize("rules", [MISERE, INFINITE])
def test_a_game_is_judged_move_by_move(rules: Rules) -> None:
    rng, board, moves = random.Random(2), Board(rules), list[Cell]()
    while not board.is_terminal:
        moves.append(choose_move(board, Level.EASY, rng))
        board = board.result(moves[-1])
    verdicts = review(moves, rules)
    blunders = [n for n, verdict in enumerate(verdicts) if verdict.is_blunder]
    assert turning_point(verdicts) == (blunders[-1] if blunders else None)
    for verdict, move in zip(verdicts, moves, strict=True):
        advice = {other.action: other for other in advise(verdict.board)}
        assert advice[move] == verdict
        assert next(iter(advice.values())).worth.rank == verdict.best_worth.rank
        reply = best_reply(verdict.board, move)
        assert reply == next(iter(advise(verdict.board.result(move))), None)

"""What the terminal shows: boards, verdicts and costs, as text; the engine's only words."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from engine.board import Board, Mark
from engine.infinite import INFINITE
from engine.lessons import Way, depth_within_reach
from engine.misere import MISERE
from engine.reasons import Reason
from engine.retrograde import TableSolver
from engine.review import Verdict, advise
from engine.rules import Cell, Rules
from engine.solver import solver_for
from engine.worth import Oracle, Value, Worth

SYMBOLS = {Mark.X: "X", Mark.O: "O"}
_SIGNS = {Value.WIN: "+", Value.DRAW: "=", Value.LOSS: "-"}
_WORDS = {Value.WIN: "a win", Value.DRAW: "a draw", Value.LOSS: "a loss"}
_RED, _GREEN, _YELLOW, _BLUE, _GREY = 31, 32, 33, 34, 90
_MARK_COLOURS = {Mark.X: _RED, Mark.O: _BLUE}
_VALUE_COLOURS = {Value.WIN: _GREEN, Value.DRAW: _YELLOW, Value.LOSS: _RED}

_RULES: Mapping[Rules, str] = {
    INFINITE: "Each player keeps three marks: with the fourth, the oldest vanishes.",
    MISERE: "Whoever gets three in a row loses.",
}

Worths = Mapping[Cell, Worth]


def introduce(rules: Rules, person: Mark | None) -> Iterator[str]:
    """What there is to know before the first move."""
    if rules in _RULES:
        yield _RULES[rules]
    if person:
        yield f"You are {SYMBOLS[person]}. Type a cell, such as A1 or 1; q quits."


def draw(board: Board, worths: Worths | None = None) -> str:
    """The board with its coordinates; a free cell shows its number, and its worth where given.

    Under it stands what no cell tells, or its colour alone.
    """
    rules = board.rules
    width = max(3, len(str(len(rules.cells))) + 1)
    letters = "".join(rules.coordinate(c)[0].center(width + 1) for c in range(rules.columns))
    bar = "\n   " + "+".join(["-" * width] * rules.columns) + "\n"
    rows = (_draw_row(board, row, width, worths or {}) for row in range(rules.rows))
    drawn = f"   {letters.rstrip()}\n" + bar.join(rows)
    return "\n".join([drawn, "", *notes]) if (notes := _notes(board)) else drawn


def _notes(board: Board) -> list[str]:
    """Which mark the next move makes vanish, and that the last moves of an endless game come."""
    notes = []
    if (cell := board.vanishing) is not None:
        notes.append(f"{SYMBOLS[board.to_move]}'s {board.rules.coordinate(cell)} vanishes next.")
    if left := board.draw_in_plies:
        moves = "1 move" if left == 1 else f"{left} moves"
        notes.append(f"A draw in {moves}, unless somebody wins.")
    return notes


def _draw_row(board: Board, row: int, width: int, worths: Worths) -> str:
    start = row * board.rules.columns
    cells = range(start, start + board.rules.columns)
    return f"{row + 1:>2} " + "|".join(_draw_cell(board, c, width, worths.get(c)) for c in cells)


def _draw_cell(board: Board, cell: Cell, width: int, worth: Worth | None) -> str:
    mark = board[cell]
    if mark:
        colour = _GREY if cell == board.vanishing else _MARK_COLOURS[mark]
        return coloured(SYMBOLS[mark].center(width), colour)
    if worth:
        return coloured(
            f"{cell + 1}{_SIGNS[worth.value]}".center(width), _VALUE_COLOURS[worth.value]
        )
    return coloured(str(cell + 1).center(width), _GREY)


def announce(board: Board, person: Mark | None) -> str:
    """Who won, in words."""
    if board.winner is None:
        when = f" after {board.plies} moves" if board.rules.repeats else ""
        return f"It's a draw{when}: deu velha!"
    if person is None:
        return f"{SYMBOLS[board.winner]} wins!"
    return "You win!" if board.winner is person else "You lose."


def hint(board: Board, solver: Oracle) -> str:
    """The board with every free cell's worth, and the best move in words."""
    with patience("Weighing every move"):
        advice = advise(board, solver)
    worths = {verdict.action: verdict.worth for verdict in advice}
    words = _WORDS | ({Value.DRAW: _endless(board.rules)} if board.rules.repeats else {})
    legend = "  ".join(f"{sign} {words[value]}" for value, sign in _SIGNS.items())
    return f"{draw(board, worths)}\n\n{legend}\nBest: {_in_words(advice[0])}."


def describe(number: int, verdict: Verdict) -> str:
    """A move of a game: what it was worth, what it was good for, and what had been better."""
    sign = coloured(_SIGNS[verdict.worth.value], _VALUE_COLOURS[verdict.worth.value])
    line = f"{number:>3}. {SYMBOLS[verdict.mark]} {sign} {_in_words(verdict)}"
    if verdict.is_only_move:
        return f"{line}; the only move"
    better = ", ".join(map(verdict.board.rules.coordinate, verdict.best_actions))
    if verdict.missed_wins:
        return f"{line}; {better} would have won at once"
    if verdict.is_blunder:
        return f"{line}; {better} would have been {_outlook(verdict.best, verdict.board.rules)}"
    return line


def _in_words(verdict: Verdict) -> str:
    """A move, what it leads to, and its reason, as in `B2, a win in 3 plies (fork)`."""
    worth, name = verdict.worth, verdict.board.rules.coordinate(verdict.action)
    plies = "1 ply" if worth.distance_plies == 1 else f"{worth.distance_plies} plies"
    when = "" if worth.value is Value.DRAW else f" in {plies}"
    why = f" ({_reason_in_words(verdict.reason, verdict.board)})" if verdict.reason else ""
    return f"{name}, {_outlook(worth, verdict.board.rules, when)}{why}"


def _outlook(worth: Worth, rules: Rules, when: str = "") -> str:
    """What best play leads to, and `when`."""
    return _endless(rules) if worth.distance_plies is None else f"{_WORDS[worth.value]}{when}"


def _endless(rules: Rules) -> str:
    """A draw where nobody can force an end before the last move that the rules allow."""
    return f"{_WORDS[Value.DRAW]} at move {rules.most_plies}"


def _reason_in_words(reason: Reason, board: Board) -> str:
    if reason is Reason.OWN_LINE:
        return "completes a line"
    if reason is Reason.UNBLOCKS and board.vanishing is not None:
        return f"{board.rules.coordinate(board.vanishing)} vanishes"
    return reason.name.lower().replace("_", " ")


def watch(board: Board) -> Iterator[str]:
    """What it costs to search a position in each of the ways of `alphabeta`, and to solve it.

    A line comes as soon as its search is done. Where the whole tree is too large, the searches
    stop at a depth that plain minimax can reach.
    """
    depth = depth_within_reach(board)
    whole = depth == board.plies_left
    yield f"{'search':<34}{'nodes':>9}{'cut-offs':>10}" + ("" if whole else f"   to depth {depth}")
    for way in Way:
        found = way.search(board)
        yield f"{_WAYS[way]:<34}{found.nodes:>9,}{found.cutoffs:>10,}"
    solver = solver_for(board.rules)
    solution = solver.solve(board)
    assert solution.worth is not None, "without a budget there is a proof"
    name = "solver, all positions" if isinstance(solver, TableSolver) else "solver, to the end"
    yield f"{name:<34}{solution.nodes:>9,}   proves {_outlook(solution.worth, board.rules)}"


_WAYS = {
    Way.PLAIN: "plain minimax",
    Way.PLAIN_WITH_MEMORY: "minimax with a memory",
    Way.PRUNED: "alpha-beta",
    Way.ORDERED: "alpha-beta, good moves first",
    Way.WITH_MEMORY: "alpha-beta with a memory",
    Way.WITH_BOTH: "alpha-beta with both",
}


def coloured(text: str, colour: int) -> str:
    """The text in a colour, where the terminal has colours and nobody asked for none."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


@contextmanager
def patience(task: str) -> Iterator[None]:
    """Say what is being done while it takes its time, where somebody watches."""
    watched = sys.stderr.isatty()
    if watched:
        print(f"{task} ...", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if watched:
            print("\r" + " " * (len(task) + 4) + "\r", end="", file=sys.stderr, flush=True)

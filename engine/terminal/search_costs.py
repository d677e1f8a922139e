"""A table of what each kind of search costs on a position."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board import Board
from engine.lessons import Way, depth_within_reach
from engine.retrograde import TableSolver
from engine.solver import new_solver
from engine.terminal.language import N_
from engine.terminal.texts import TerminalTexts
from engine.tree import reachable_positions

_WAYS = {
    Way.PLAIN: N_("plain minimax"),
    Way.PLAIN_WITH_MEMORY: N_("minimax with a memory"),
    Way.PRUNED: N_("alpha-beta"),
    Way.ORDERED: N_("alpha-beta, good moves first"),
    Way.WITH_MEMORY: N_("alpha-beta with a memory"),
    Way.WITH_BOTH: N_("alpha-beta with both"),
}


def search_cost_lines(board: Board, texts: TerminalTexts) -> Iterator[str]:
    """The cost of searching a position in each `Way`, and of solving it.

    Each line is yielded as soon as its search is done. If the whole tree is too large, the searches
    stop at a depth that plain minimax can reach.
    """
    say, number = texts.language.say, texts.language.number
    depth = depth_within_reach(board)
    name, visits, cutoffs = say(N_("search")), say(N_("visits")), say(N_("cut-offs"))
    header = f"{name:<34}{visits:>9}{cutoffs:>10}"
    if depth < board.plies_left:
        header += "   " + say(N_("{n} moves deep"), n=depth)
    yield header
    for way in Way:
        result = way.search(board)
        yield f"{say(_WAYS[way]):<34}{number(result.nodes):>9}{number(result.cutoffs):>10}"
    solver = new_solver(board.rules)
    solution = solver.solve(board)
    assert solution.worth is not None, "without a node budget there is a proof"
    solves_all = isinstance(solver, TableSolver)
    name = say(N_("solver, all positions")) if solves_all else say(N_("solver, to the end"))
    proof = say(N_("proves {value}"), value=texts.value(solution.worth, board.rules))
    yield f"{name:<34}{number(solution.nodes):>9}   {proof}"
    if board.rules.is_small:
        positions = len(reachable_positions(board))
        yield say(
            N_(
                "Each time a position is reached counts as a visit; there are {n} different "
                "positions."
            ),
            n=number(positions),
        )

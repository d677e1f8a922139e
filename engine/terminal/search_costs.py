"""What each kind of search of a position costs, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board import Board
from engine.lessons import Way, depth_within_reach
from engine.retrograde import TableSolver
from engine.solver import solver_for
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


def watch(board: Board, words: TerminalTexts) -> Iterator[str]:
    """The cost of searching a position in each `Way`, and of solving it.

    Each line comes as soon as its search is done. If the whole tree is too large, the searches
    stop at a depth that plain minimax can reach.
    """
    say, number = words.language.say, words.language.number
    depth = depth_within_reach(board)
    heads = say(N_("search")), say(N_("visits")), say(N_("cut-offs"))
    limited = "" if depth == board.plies_left else "   " + say(N_("{n} moves deep"), n=depth)
    yield f"{heads[0]:<34}{heads[1]:>9}{heads[2]:>10}{limited}"
    for way in Way:
        found = way.search(board)
        yield f"{say(_WAYS[way]):<34}{number(found.nodes):>9}{number(found.cutoffs):>10}"
    solver = solver_for(board.rules)
    solution = solver.solve(board)
    assert solution.worth is not None, "without a budget there is a proof"
    is_table = isinstance(solver, TableSolver)
    name = say(N_("solver, all positions")) if is_table else say(N_("solver, to the end"))
    proof = say(N_("proves {value}"), value=words.value(solution.worth, board.rules))
    yield f"{name:<34}{number(solution.nodes):>9}   {proof}"
    if board.rules.is_small:
        different = number(len(reachable_positions(board)))
        yield say(
            N_(
                "Each time a position is reached counts as a visit; there are {n} different "
                "positions."
            ),
            n=different,
        )

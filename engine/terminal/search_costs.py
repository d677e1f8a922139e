"""A table of what each kind of search costs on a position."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board import Board
from engine.lessons import Way, depth_within_reach, reachable_positions
from engine.retrograde import TableSolver
from engine.solver import new_solver
from engine.terminal.drawing import columns, table_row
from engine.terminal.game_texts import GameTexts
from engine.terminal.language import N_

# Translators, from here on: a line of a table in a terminal: about 32 columns.
_WAYS = {
    Way.PLAIN: N_("plain minimax"),
    Way.PLAIN_WITH_MEMORY: N_("minimax with a memory"),
    Way.PRUNED: N_("alpha-beta"),
    Way.ORDERED: N_("alpha-beta, good moves first"),
    Way.WITH_MEMORY: N_("alpha-beta with a memory"),
    Way.WITH_BOTH: N_("alpha-beta with both"),
}


# Translators, from here on: the head, a line or the foot of a table in a terminal: "visits" and
# "cut-offs" have about 9 columns.
def search_cost_lines(board: Board, texts: GameTexts) -> Iterator[str]:
    """The cost of searching a position in each `Way`, and of solving it.

    Each line is yielded as soon as its search is done. If the whole tree is too large, the searches
    stop at a depth that plain minimax can reach.
    """
    language = texts.language
    say, number = language.say, language.number
    solver = new_solver(board.rules)
    solves_all = isinstance(solver, TableSolver)
    solver_name = say(N_("solver, all positions")) if solves_all else say(N_("solver, to the end"))
    names = {way: say(name) for way, name in _WAYS.items()}
    search, visits, cutoffs = say(N_("search")), say(N_("visits")), say(N_("cut-offs"))
    widths = [
        -max(34, *map(columns, [search, solver_name, *names.values()])),
        max(9, columns(visits)),
        max(10, columns(cutoffs) + 2),
    ]
    depth = depth_within_reach(board)
    reaches_end = depth == board.plies_left
    note = "" if reaches_end else language.ngettext("{n} move deep", "{n} moves deep", depth)
    yield f"{table_row([search, visits, cutoffs], widths)}   {note}".rstrip()
    for way in Way:
        result = way.search(board)
        yield table_row([names[way], number(result.nodes), number(result.cutoffs)], widths)
    solution = solver.solve(board)
    proof = say(N_("proves {value}"), value=texts.value(solution.worth, board.rules))
    yield f"{table_row([solver_name, number(solution.nodes)], widths[:2])}   {proof}"
    if board.rules.is_small:
        yield language.ngettext(
            "Each time a position is reached counts as a visit; there is {n} different position.",
            "Each time a position is reached counts as a visit; there are {n} different positions.",
            len(reachable_positions(board)),
        )

"""A table of what each kind of search costs on a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.alphabeta import Search
from engine.board import Board
from engine.lessons import Way, depth_within_reach, reachable_positions
from engine.retrograde import TableSolver
from engine.rules import Cell
from engine.solver import new_solver
from engine.terminal.drawing import columns, ljust, rjust
from engine.terminal.game_texts import GameTexts
from engine.terminal.language import N_, Language

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
    say = language.say
    solver = new_solver(board.rules)
    solves_all = isinstance(solver, TableSolver)
    solver_name = say(N_("solver, all positions")) if solves_all else say(N_("solver, to the end"))
    names = {way: say(name) for way, name in _WAYS.items()}
    table = _CostTable(language, [solver_name, *names.values()])
    depth = depth_within_reach(board)
    if depth < board.plies_left:
        note = language.ngettext("{n} move deep", "{n} moves deep", depth)
        yield f"{table.header()}   {note}"
    else:
        yield table.header()
    for way in Way:
        yield table.search_line(names[way], way.search(board))
    solution = solver.solve(board)
    assert solution.worth is not None, "without a node budget there is a proof"
    proof = say(N_("proves {value}"), value=texts.value(solution.worth, board.rules))
    yield table.solver_line(solver_name, solution.nodes, proof)
    if board.rules.is_small:
        yield language.ngettext(
            "Each time a position is reached counts as a visit; there is {n} different position.",
            "Each time a position is reached counts as a visit; there are {n} different positions.",
            len(reachable_positions(board)),
        )


class _CostTable:
    """The lines of the table, with columns wide enough for all of its names."""

    def __init__(self, language: Language, names: Iterable[str]) -> None:
        self._number = language.number
        self._search = language.say(N_("search"))
        self._visits = language.say(N_("visits"))
        self._cutoffs = language.say(N_("cut-offs"))
        self._name_width = max(34, columns(self._search), *map(columns, names))
        self._visits_width = max(9, columns(self._visits))
        self._cutoffs_width = max(10, columns(self._cutoffs) + 2)

    def header(self) -> str:
        return self._line(self._search, self._visits, self._cutoffs)

    def search_line(self, name: str, result: Search[Cell]) -> str:
        return self._line(name, self._number(result.nodes), self._number(result.cutoffs))

    def solver_line(self, name: str, nodes: int, proof: str) -> str:
        return f"{self._two_columns(name, self._number(nodes))}   {proof}"

    def _line(self, name: str, visits: str, cutoffs: str) -> str:
        return self._two_columns(name, visits) + rjust(cutoffs, self._cutoffs_width)

    def _two_columns(self, name: str, visits: str) -> str:
        return ljust(name, self._name_width) + rjust(visits, self._visits_width)

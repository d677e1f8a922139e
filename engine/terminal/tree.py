"""Game trees in a terminal: drawn as alpha-beta reads them, or followed step by step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from engine.board import Board, Mark
from engine.terminal.drawing import GREEN, GREY, SYMBOLS, coloured, draw, table_row
from engine.terminal.language import N_, Language
from engine.tree import (
    LINES,
    PROGRAM,
    Event,
    EventKind,
    Node,
    Numbers,
    Path,
    bounds_text,
    game_tree,
    known_bounds,
    move_name,
    number_text,
    trace,
)

MAX_DRAWN_NODES = 400
"""The largest tree whose drawing is readable."""

_STEP_WIDTHS = (4, 5, 2, -44, 7, 7)


def tree_lines(root: Board | Numbers, language: Language) -> Iterator[str]:
    """The tree, one line per position: its value, who is to move, and whether it is cut off."""
    yield from _heading(root, language)
    yield from _Tree(root, language).lines()


# Translators, from here on: beside or below the drawing of a tree in a terminal: short. Alpha and
# beta are letters of a formula.
def _heading(root: Board | Numbers, language: Language) -> Iterator[str]:
    if isinstance(root, Numbers):
        yield language.say(N_("X takes the largest number, O the smallest."))
    else:
        yield draw(root)
        yield ""
        yield language.say(
            N_(
                "+1 where X wins, -1 where O wins, 0 for a draw. X takes the largest, O the "
                "smallest."
            )
        )
    yield ""


class _Tree:
    """A tree, and what alpha-beta has read of it at the end."""

    def __init__(self, root: Board | Numbers, language: Language) -> None:
        self._root = root
        self._language = language
        events = trace(root)
        self._known = known_bounds(events)
        self._last = {event.path: event for event in events}

    def lines(self) -> Iterator[str]:
        tree = game_tree(self._root)
        yield f"{self._utility(()):>2}  {self._turn(tree)}"
        yield from self._branches(tree, (), "")
        yield ""
        nodes = sum(1 for _ in tree.walk())
        if nodes == 1:
            yield self._language.say(N_("Minimax looks at 1 position, and so does alpha-beta."))
            return
        yield self._language.ngettext(
            "Minimax looks at {n} position, alpha-beta at {read}: it stops where alpha >= beta.",
            "Minimax looks at {n} positions, alpha-beta at {read}: it stops where alpha >= beta.",
            nodes,
            read=self._language.number(len(self._known)),
        )

    def _branches(self, node: Node, path: Path, indent: str) -> Iterator[str]:
        for child in node.children:
            is_last = child is node.children[-1]
            below = (*path, child.action)
            yield indent + ("└─ " if is_last else "├─ ") + self._line(child, node, below)
            if below in self._known:
                yield from self._branches(child, below, indent + ("   " if is_last else "│  "))

    def _line(self, child: Node, parent: Node, path: Path) -> str:
        """The line of a move: its value, and whether it is chosen, or why it is cut off."""
        is_max = parent.state.to_move is Mark.X
        move = move_name(self._root, path)
        if path not in self._known:
            # Translators: a branch of the tree that alpha-beta does not read. Leave >= as it is.
            reason = N_("not searched: alpha {alpha} >= beta {beta}")
            bounds = self._last[path[:-1]]
            values = {"alpha": self._number(bounds.alpha), "beta": self._number(bounds.beta)}
            return coloured(f"{move}   {self._language.say(reason, **values)}", GREY)
        line = f"{move} {self._utility(path):>3}  {self._turn(child)}".rstrip()
        if path != self._chosen(parent, path[:-1]):
            return line
        why = self._language.say(N_("the largest") if is_max else N_("the smallest"))
        return coloured(f"{line}  <- {why}", GREEN)

    def _turn(self, node: Node) -> str:
        """Who chooses at a position, or how it ended."""
        if not node.state.is_terminal:
            return _chooses(node.state.to_move, self._language)
        return _ending(node.state, self._language) if isinstance(node.state, Board) else ""

    def _chosen(self, node: Node, path: Path) -> Path | None:
        """The first child that is the best whatever was left unread; None if that is open."""
        is_max = node.state.to_move is Mark.X
        children = [(*path, child.action) for child in node.children]
        bounds = {child: self._known.get(child, (-math.inf, math.inf)) for child in children}
        for child, (least, greatest) in bounds.items():
            others = [other for path, other in bounds.items() if path != child]
            if all(least >= most if is_max else greatest <= fewest for fewest, most in others):
                return child
        return None

    def _utility(self, path: Path) -> str:
        return bounds_text(self._known[path], signed=not isinstance(self._root, Numbers))

    def _number(self, value: float) -> str:
        return number_text(value, signed=not isinstance(self._root, Numbers))


def step_lines(root: Board | Numbers, language: Language) -> Iterator[str]:
    """What alpha-beta does in a tree, one line per step, and which line of the program does it."""
    yield from _heading(root, language)
    for number, line in enumerate(PROGRAM[Mark.X], start=1):
        yield f"{number:>7}  {line}"
    swap = N_('Where O chooses, "alpha = max" is "beta = min", and beta is returned.')
    yield f"{'':>7}  {language.say(swap)}"
    yield ""
    events = trace(root)
    # Translators: the head of a table: the number of a step, that of a line of the program, and
    # what X and O are sure of. The first two have 4 and 5 columns.
    step, line, alpha, beta = (N_("step"), N_("line"), "alpha", "beta")
    yield table_row([language.say(step), language.say(line), "", "", alpha, beta], _STEP_WIDTHS)
    for number, event in enumerate(events):
        sentence = "  " * len(event.path) + _sentence(root, events, number, language)
        bounds = (_secured(event.alpha, root), _secured(event.beta, root))
        program_line = str(LINES[event.kind] + 1)
        row = table_row([str(number + 1), program_line, "", sentence, *bounds], _STEP_WIDTHS)
        yield coloured(row, GREY) if event.kind is EventKind.CUT else row
    if events[-1].path:  # longer than a trace may be
        yield "..."


# Translators, from here on: a line of a table in a terminal, about 40 columns: a step of a search.
# {symbol} is X or O, {other} the other one, {number} a number.
def _sentence(
    root: Board | Numbers, events: Sequence[Event], number: int, language: Language
) -> str:
    event = events[number]
    mark = root.to_move if len(event.path) % 2 == 0 else root.to_move.other
    symbol = SYMBOLS[mark]
    is_signed = not isinstance(root, Numbers)
    move = f"{move_name(root, event.path)}: " if event.path else ""
    match event.kind:
        case EventKind.VISIT:
            return move + _chooses(mark, language)
        case EventKind.LEAF:
            ending = ""
            if isinstance(root, Board):
                board = root
                for cell in event.path:
                    board = board.result(cell)
                ending = f", {_ending(board, language)}"
            return f"{move}{number_text(event.least, signed=is_signed)}{ending}"
        case EventKind.BETTER:
            value = event.alpha if mark is Mark.X else event.beta
            sure = N_("{symbol} is sure of {number} now")
            return language.say(sure, symbol=symbol, number=number_text(value, signed=is_signed))
        case EventKind.NO_BETTER:
            child = events[number - 1]
            came = bounds_text((child.least, child.greatest), signed=is_signed)
            no_better = N_("{number} is no better for {symbol}")
            return language.say(no_better, symbol=symbol, number=came)
        case EventKind.CUT:
            return language.ngettext(
                "cut: {n} move is never searched", "cut: {n} moves are never searched", event.unread
            )


def _chooses(mark: Mark, language: Language) -> str:
    return language.say(N_("{symbol} chooses"), symbol=SYMBOLS[mark])


def _ending(board: Board, language: Language) -> str:
    """How a game ended."""
    if board.winner is None:
        return language.say(N_("draw"))
    return language.say(N_("{symbol} wins"), symbol=SYMBOLS[board.winner])


def _secured(value: float, root: Board | Numbers) -> str:
    if math.isinf(value):
        return "-inf" if value < 0 else "inf"
    return number_text(value, signed=not isinstance(root, Numbers))

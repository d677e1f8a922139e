"""A game tree drawn as text."""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.board import Mark
from engine.lessons import Node
from engine.terminal.drawing import GREEN, GREY, SYMBOLS, coloured, draw
from engine.terminal.language import N_, Language

MAX_DRAWN_NODES = 400
"""The largest tree whose drawing is readable."""


# Translators, from here on: beside or below the drawing of a tree in a terminal: short. Alpha and
# beta are letters of a formula.
def tree_lines(root: Node, language: Language) -> Iterator[str]:
    """The tree, one line per position: its value, who is to move, and whether it is cut off."""
    say = language.say
    yield draw(root.board)
    yield ""
    yield say(
        N_("+1 where X wins, -1 where O wins, 0 for a draw. X takes the largest, O the smallest.")
    )
    yield ""
    yield f"{_value(root):>2}  {_turn(root, language)}"
    yield from _branches(root, "", language)
    yield ""
    is_visited = [not node.is_cut for node in root.walk()]
    if len(is_visited) == 1:
        yield say(N_("Minimax reads 1 position, and so does alpha-beta."))
        return
    yield language.ngettext(
        "Minimax reads {n} position, alpha-beta {read}: it stops where alpha >= beta.",
        "Minimax reads {n} positions, alpha-beta {read}: it stops where alpha >= beta.",
        len(is_visited),
        read=language.number(sum(is_visited)),
    )


def _branches(node: Node, indent: str, language: Language) -> Iterator[str]:
    for child in node.children:
        is_last = child is node.children[-1]
        yield indent + ("└─ " if is_last else "├─ ") + _line(child, node, language)
        if not child.is_cut:
            yield from _branches(child, indent + ("   " if is_last else "│  "), language)


def _line(child: Node, parent: Node, language: Language) -> str:
    """The line of a move: its value, and whether it is chosen, or why it is cut off."""
    assert child.action is not None
    move = f"{SYMBOLS[parent.board.to_move]} {child.board.rules.coordinate(child.action)}"
    if child.is_cut:
        # Translators: a branch of the tree that alpha-beta does not read. Leave >= as it is.
        reason = N_("not read: alpha {alpha} >= beta {beta}")
        bounds = {"alpha": _number(parent.alpha), "beta": _number(parent.beta)}
        return coloured(f"{move}   {language.say(reason, **bounds)}", GREY)
    line = f"{move} {_value(child):>3}  {_turn(child, language)}"
    if child is not _best_read(parent):
        return line
    is_max = parent.board.to_move is Mark.X
    why = language.say(N_("the largest") if is_max else N_("the smallest"))
    return coloured(f"{line}  <- {why}", GREEN)


def _turn(node: Node, language: Language) -> str:
    """Who chooses at a position, or how it ended."""
    if not node.board.is_terminal:
        return language.say(N_("{symbol} chooses"), symbol=SYMBOLS[node.board.to_move])
    winner = node.board.winner
    if winner is None:
        return language.say(N_("draw"))
    return language.say(N_("{symbol} wins"), symbol=SYMBOLS[winner])


def _best_read(node: Node) -> Node:
    """The first child from which the value of a node, as far as alpha-beta knows it, comes."""
    read = [child for child in node.children if not child.is_cut]
    if node.board.to_move is Mark.X:
        return max(read, key=lambda child: child.proven)
    return min(read, key=lambda child: child.proven[::-1])


def _value(node: Node) -> str:
    """What alpha-beta knows of a value: a number or, where it did not read everything, a bound."""
    least, greatest = node.proven
    if least == greatest:
        return _number(least)
    return f"≤{_number(greatest)}" if greatest < math.inf else f"≥{_number(least)}"


def _number(value: float) -> str:
    return f"{value:+.0f}" if value else "0"

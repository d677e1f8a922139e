"""Boards to look at: what lessons show them on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.game.match import LARGEST
from bot.game.page import STILL, LessonPage, PuzzlePage, ReviewPage, custom_id
from bot.texts.judgements import HIT, MISS, SIGNS, signed
from bot.texts.words import SYMBOLS
from bot.views.controls import Control, button, grid, line_style, one_block
from engine import Board, Cell, Value, Verdict

_COLOUR = discord.Colour.gold()
_VALUE_STYLES = {
    Value.WIN: ButtonStyle.success,
    Value.DRAW: ButtonStyle.secondary,
    Value.LOSS: ButtonStyle.danger,
}
_RAISED = str.maketrans("".join(SIGNS.values()) + "0", "⁺⁼⁻⁰")
"""Five cells with full signs would not fit side by side on a phone."""

Face = tuple[str, ButtonStyle]
"""What a cell shows, and in which style: an emoji, or its coordinate and what follows that."""

RIGHT: Face = (HIT, ButtonStyle.success)
WRONG: Face = (MISS, ButtonStyle.secondary)


def lesson_block(text: str, *items: ui.Item[Any]) -> ui.LayoutView:
    return one_block(ui.TextDisplay(text), *items, colour=_COLOUR)


def worths(verdicts: Sequence[Verdict], *, numbered: bool = False) -> dict[Cell, Face]:
    """Each free cell as what it is worth; or, if numbered, with its utility.

    A number is good for one player and bad for the other, so it has no colour.
    """
    faces = {}
    for verdict in verdicts:
        value, name = verdict.worth.value, verdict.board.rules.coordinate(verdict.action)
        worth = f" {signed(value.utility(verdict.mark))}" if numbered else SIGNS[value]
        if verdict.board.rules.columns == LARGEST:
            worth = worth.strip()[0].translate(_RAISED)
        style = ButtonStyle.secondary if numbered else _VALUE_STYLES[value]
        faces[verdict.action] = (f"{name}{worth}", style)
    return faces


def board_of(
    board: Board, faces: Mapping[Cell, Face], pages: Mapping[Cell, str]
) -> list[ui.Item[Any]]:
    """A board to look at: cells show what they hold, or the face they are given.

    The mark that vanishes with the next move is dim: a disabled button is drawn like that.
    `pages` says which of them lead somewhere, by custom_id.
    """

    def square(cell: Cell) -> Control:
        mark, name = board[cell], board.rules.coordinate(cell)
        plain = SYMBOLS[mark] if mark else name
        shown, style = faces.get(cell, (plain, ButtonStyle.secondary))
        is_label = shown.startswith(name)
        return button(
            pages.get(cell) or f"{STILL}{cell}",
            label=shown if is_label else None,
            emoji=None if is_label else shown,  # both would be too wide
            style=style,
            disabled=cell == board.vanishing,
        )

    return grid(board.rules, square)


def made_faces(board: Board, made: Cell) -> dict[Cell, Face]:
    """The move just made, and a line it wins."""
    mark, outcome = board[made], board.outcome()
    assert mark is not None, "a move leaves a mark"
    line = dict.fromkeys(outcome.line, line_style(mark, outcome.winner)) if outcome else {}
    styles = {made: ButtonStyle.primary} | line
    return {cell: (SYMBOLS[mark], style) for cell, style in styles.items()}


def steps(
    page: ReviewPage | PuzzlePage, ply: int, last: int, labels: Sequence[str], *more: int
) -> list[Control]:
    """To the start of a line of moves, back, on, to its end, and to more of its plies."""
    targets = [0, max(ply - 1, 0), min(ply + 1, last), last, *more]
    return [
        turn(replace(page, ply=target), number, label, disabled=target == ply)
        for number, (target, label) in enumerate(zip(targets, labels, strict=True))
    ]


def turn(page: LessonPage, number: int, label: str, *, disabled: bool) -> Control:
    return button(custom_id(page, number), label=label, disabled=disabled)

"""The boards that lessons show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.game.match import LARGEST
from bot.game.page import INERT_PREFIX, PuzzlePage, ReviewPage, custom_id
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
"""Superscripts: five cells with full-size signs would not fit side by side on a phone."""

Face = tuple[str, ButtonStyle]
"""A cell's text and style; the text is an emoji, or the cell's coordinate and a suffix."""

RIGHT: Face = (HIT, ButtonStyle.success)
WRONG: Face = (MISS, ButtonStyle.secondary)


def lesson_block(text: str, *items: ui.Item[Any]) -> ui.LayoutView:
    return one_block(text, *items, colour=_COLOUR)


def verdict_faces(verdicts: Sequence[Verdict], *, numbered: bool = False) -> dict[Cell, Face]:
    """The face of each judged cell: its value, or, if `numbered`, its utility.

    A utility is good for one player and bad for the other, so it has no colour.
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
    """A lesson's board: each cell shows its face, or else its mark or coordinate.

    `pages` maps the cells that lead to a page to its custom_id. The mark that vanishes with the
    next move is disabled, which dims it.
    """

    def square(cell: Cell) -> Control:
        mark, name = board[cell], board.rules.coordinate(cell)
        plain = SYMBOLS[mark] if mark else name
        shown, style = faces.get(cell, (plain, ButtonStyle.secondary))
        is_label = shown.startswith(name)
        return button(
            pages.get(cell) or f"{INERT_PREFIX}{cell}",
            label=shown if is_label else None,
            emoji=None if is_label else shown,  # both would be too wide
            style=style,
            disabled=cell == board.vanishing,
        )

    return grid(board.rules, square)


def made_faces(board: Board, made: Cell) -> dict[Cell, Face]:
    """The faces of the move just made, and of the line it completes, if any."""
    mark, outcome = board[made], board.outcome()
    assert mark is not None, "a move leaves a mark"
    line = dict.fromkeys(outcome.line, line_style(mark, outcome.winner)) if outcome else {}
    styles = {made: ButtonStyle.primary} | line
    return {cell: (SYMBOLS[mark], style) for cell, style in styles.items()}


def steps(
    page: ReviewPage | PuzzlePage, ply: int, last: int, labels: Sequence[str], *more: int
) -> list[Control]:
    """Buttons to step through a line of moves: start, back, next, end, and the plies in `more`."""
    targets = [0, max(ply - 1, 0), min(ply + 1, last), last, *more]
    return [
        button(custom_id(replace(page, ply=target), number), label=label, disabled=target == ply)
        for number, (target, label) in enumerate(zip(targets, labels, strict=True))
    ]

"""Buttons, boards and containers: what views are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import discord
from discord import ButtonStyle, ui

from bot.domain.analysis import ReviewPage
from bot.domain.ids import INERT_PREFIX, custom_id
from bot.domain.matches import MAX_BOARD_SIZE
from bot.domain.puzzles import PuzzlePage
from bot.views.i18n import PLAIN_SYMBOLS, Symbols
from bot.views.verdicts import HIT, MISS, SIGNS, with_sign
from engine import Board, Cell, Mark, Rules, Value, Verdict


def button(
    custom_id: str,
    *,
    label: str | None = None,
    emoji: str | None = None,
    style: ButtonStyle = ButtonStyle.secondary,
    disabled: bool = False,
) -> ui.Button[Any]:
    """A plain button: the cog's listener gets its presses, so it needs no callback."""
    return ui.Button(custom_id=custom_id, label=label, emoji=emoji, style=style, disabled=disabled)


def grid(rules: Rules, square: Callable[[Cell], ui.Button[Any]]) -> list[ui.Item[Any]]:
    """A board as rows of buttons, one for each cell."""
    cells, width = rules.cells, rules.columns
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    return [ui.ActionRow(*map(square, row)) for row in rows]


def line_style(mark: Mark | None, winner: Mark | None) -> ButtonStyle:
    """Green for a completed line that wins; red for one that loses, as in misère."""
    return ButtonStyle.success if mark is winner else ButtonStyle.danger


def container_view(
    *items: str | ui.Item[Any], symbols: Symbols, colour: discord.Colour
) -> ui.LayoutView:
    """A message of one container, whose buttons never expire. Strings become texts.

    Texts are written with the plain symbols, and drawn with `symbols`.

    The view is stopped before it is sent: otherwise discord.py stores it, and for an ephemeral
    message keeps a task for 15 minutes.
    """
    view = ui.LayoutView(timeout=None)
    children = [
        ui.TextDisplay(symbols.replace_in(item)) if isinstance(item, str) else item
        for item in items
    ]
    view.add_item(ui.Container(*children, accent_colour=colour))
    view.stop()
    return view


def notice_view(sentence: str, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """A message of one sentence, which takes the place of a page."""
    return container_view(sentence, symbols=symbols, colour=discord.Colour.light_grey())


_LESSON_COLOUR = discord.Colour.gold()

_VALUE_STYLES = {
    Value.WIN: ButtonStyle.success,
    Value.DRAW: ButtonStyle.secondary,
    Value.LOSS: ButtonStyle.danger,
}

_SUPERSCRIPTS = str.maketrans("".join(SIGNS.values()) + "0", "⁺⁼⁻⁰")
"""Five cells with full-size signs would not fit side by side on a phone."""


class CellLabel(NamedTuple):
    """What a lesson's board shows on a cell: an emoji, or its coordinate and a suffix."""

    text: str
    style: ButtonStyle = ButtonStyle.secondary


RIGHT = CellLabel(HIT, ButtonStyle.success)

WRONG = CellLabel(MISS)


def lesson_view(*items: str | ui.Item[Any], symbols: Symbols) -> ui.LayoutView:
    """A `container_view` in the colour of hints, reviews, puzzles and the tutorial."""
    return container_view(*items, symbols=symbols, colour=_LESSON_COLOUR)


def verdict_labels(verdicts: Sequence[Verdict], *, numbered: bool = False) -> dict[Cell, CellLabel]:
    """The label of each cell: the value of the move, or its utility if `numbered`.

    A utility is good for one player and bad for the other, so it has no colour.
    """
    cell_labels = {}
    for verdict in verdicts:
        rules = verdict.board.rules
        value = verdict.worth.value
        suffix = f" {with_sign(value.utility(verdict.mark))}" if numbered else SIGNS[value]
        if rules.columns == MAX_BOARD_SIZE:
            suffix = suffix.strip()[0].translate(_SUPERSCRIPTS)
        style = ButtonStyle.secondary if numbered else _VALUE_STYLES[value]
        text = f"{rules.coordinate(verdict.action)}{suffix}"
        cell_labels[verdict.action] = CellLabel(text, style)
    return cell_labels


def board_rows(
    board: Board, cell_labels: Mapping[Cell, CellLabel], pages: Mapping[Cell, str], symbols: Symbols
) -> list[ui.Item[Any]]:
    """A lesson's board: each cell shows its label, or else its mark or coordinate.

    `pages` maps the cells that lead to a page to its custom_id. The mark that vanishes with the
    next move is disabled, which dims it.
    """

    def square(cell: Cell) -> ui.Button[Any]:
        mark = board[cell]
        name = board.rules.coordinate(cell)
        default = CellLabel(symbols.of(mark) if mark else name)
        text, style = cell_labels.get(cell, default)
        is_emoji = not text.startswith(name)
        return button(
            pages.get(cell) or f"{INERT_PREFIX}{cell}",
            label=None if is_emoji else text,
            emoji=text if is_emoji else None,  # both would be too wide
            style=style,
            disabled=cell == board.vanishing,
        )

    return grid(board.rules, square)


def move_labels(board: Board, made: Cell, symbols: Symbols) -> dict[Cell, CellLabel]:
    """The labels of the move just made, and of the line it completes, if any."""
    mark = board[made]
    assert mark is not None, "a move leaves a mark"
    styles = {made: ButtonStyle.primary}
    if outcome := board.outcome():
        styles |= dict.fromkeys(outcome.line, line_style(mark, outcome.winner))
    return {cell: CellLabel(symbols.of(mark), style) for cell, style in styles.items()}


def step_buttons(
    page: ReviewPage | PuzzlePage, ply: int, last_ply: int, labels: Sequence[str], *more: int
) -> list[ui.Button[Any]]:
    """Buttons to step through moves: start, back, next, end, and to the plies in `more`."""
    targets = [0, max(ply - 1, 0), min(ply + 1, last_ply), last_ply, *more]
    return [
        button(custom_id(replace(page, ply=target), number), label=label, disabled=target == ply)
        for number, (target, label) in enumerate(zip(targets, labels, strict=True))
    ]

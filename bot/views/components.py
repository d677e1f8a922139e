"""Buttons, boards and containers: what views are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import discord
from discord import ButtonStyle, ui

from bot.domain.pages import INERT_PREFIX, Page, custom_id
from bot.domain.private import PrivatePage
from bot.views.i18n import PLAY_ON, Language
from bot.views.symbols import PLAIN_SYMBOLS, CellState, Symbols
from bot.views.verdicts import CORRECT_EMOJI, WRONG_EMOJI
from engine import Board, Cell, Mark, Outcome, Value, Verdict


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


def tab_style(*, is_open: bool) -> ButtonStyle:
    """The style of a button that leads to one of several pages, of which one is open."""
    return ButtonStyle.primary if is_open else ButtonStyle.secondary


class CellStyle(NamedTuple):
    """How a board shows a cell: as its mark or coordinate, or as an emoji or a label instead."""

    button_style: ButtonStyle = ButtonStyle.secondary
    state: CellState = CellState.PLAIN
    emoji: str | None = None
    label: str | None = None
    disabled: bool = False


def _cell_button(
    custom_id: str, board: Board, cell: Cell, style: CellStyle, symbols: Symbols
) -> ui.Button[Any]:
    """A cell; a mark that is about to vanish is dimmed if its symbol does not say so.

    Discord dims a button that is disabled.
    """
    emoji = style.emoji
    label = style.label
    if emoji is None and label is None:
        mark = board[cell]
        if mark is None:
            name = board.rules.coordinate(cell)
            emoji = symbols.of_free_cell(name)
            label = name if emoji is None else None
        else:
            emoji = symbols.of(mark, style.state)
    is_dimmed = style.state is CellState.VANISHING and not symbols.show_states
    return button(
        custom_id,
        label=label,
        emoji=emoji,
        style=style.button_style,
        disabled=style.disabled or is_dimmed,
    )


def line_style(line_mark: Mark | None, winner: Mark | None) -> ButtonStyle:
    """Green for a completed line that wins; red for one that loses, as in misère."""
    return ButtonStyle.success if line_mark is winner else ButtonStyle.danger


_ARROWS = ("←", "→")
"""Words would not fit beside the other buttons on a phone; screen readers say them in words."""

_GOLD = discord.Colour.gold()


def container_view(
    *items: str | ui.Item[Any], symbols: Symbols, colour: discord.Colour = _GOLD
) -> ui.LayoutView:
    """A message of one container, whose buttons never expire.

    Strings become texts, in which `symbols` replace the plain ones. Gold is the colour of pages
    to learn from: hints, reviews, puzzles and the tutorial.

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


def sentence_view(sentence: str) -> ui.LayoutView:
    """A message of one sentence.

    As text beside a view it could not be replaced by a page, which another process may draw.
    """
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay(sentence))
    view.stop()
    return view


def notice_view(sentence: str, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """A message of one sentence, which takes the place of a page."""
    return container_view(sentence, symbols=symbols, colour=discord.Colour.light_grey())


def deselect_channels(view: ui.LayoutView) -> bool:
    """Have a view's selects show no channels as chosen; return whether any did.

    Discord fails on some, such as posts of forums: with 10062 or, after a deferral, with 500, which
    discord.py sends again for half a minute (discord-api-docs, issues 6719 and 7448).
    """
    selects = [item for item in view.walk_children() if isinstance(item, ui.ChannelSelect)]
    has_chosen = any(select.default_values for select in selects)
    for select in selects:
        select.default_values = []
    return has_chosen


_VALUE_STYLES = {
    Value.WIN: ButtonStyle.success,
    Value.DRAW: ButtonStyle.secondary,
    Value.LOSS: ButtonStyle.danger,
}

CORRECT_STYLE = CellStyle(ButtonStyle.success, emoji=CORRECT_EMOJI)

WRONG_STYLE = CellStyle(emoji=WRONG_EMOJI)


def value_styles(verdicts: Sequence[Verdict]) -> dict[Cell, CellStyle]:
    """Each move in the colour of its value."""
    return {verdict.action: CellStyle(_VALUE_STYLES[verdict.worth.value]) for verdict in verdicts}


def board_rows(
    board: Board,
    styles: Mapping[Cell, CellStyle],
    custom_ids: Mapping[Cell, str],
    symbols: Symbols,
) -> list[ui.Item[Any]]:
    """A board as rows of buttons, one for each cell; one that has no custom_id does nothing."""
    vanishing = CellStyle(state=CellState.VANISHING)
    plain = CellStyle()
    buttons = [
        _cell_button(
            custom_ids.get(cell, f"{INERT_PREFIX}{cell}"),
            board,
            cell,
            styles.get(cell, vanishing if cell == board.vanishing else plain),
            symbols,
        )
        for cell in board.rules.cells
    ]
    width = board.rules.columns
    starts = range(0, len(buttons), width)
    return [ui.ActionRow(*buttons[start : start + width]) for start in starts]


def move_styles(board: Board, last_move: Cell, outcome: Outcome | None) -> dict[Cell, CellStyle]:
    """The styles of the move just made, and of the line it completes if that ended the game."""
    styles = {last_move: CellStyle(ButtonStyle.primary, CellState.LAST)}
    if outcome:
        style = line_style(board[last_move], outcome.winner)
        styles |= dict.fromkeys(outcome.line, CellStyle(style, CellState.LINE))
    return styles


def play_on_button(page: PrivatePage, language: Language) -> ui.Button[Any]:
    """The button that goes on from a position, in a private match."""
    return button(custom_id(page, 0), label=language.say(PLAY_ON))


def step_buttons(
    page_at: Callable[[int], Page], step: int, last: int, first: int = 0
) -> Iterator[ui.Button[Any]]:
    """Buttons to step through moves: back and on."""
    for number, (target, label) in enumerate(zip((step - 1, step + 1), _ARROWS, strict=True)):
        is_there = first <= target <= last
        target_id = custom_id(page_at(target if is_there else step), number)
        yield button(target_id, label=label, disabled=not is_there)

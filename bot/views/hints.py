"""A hint: the best move in a position, and why it is best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.analysis import Hint
from bot.domain.match_actions import HintMovePage, HintPage
from bot.domain.pages import custom_id
from bot.domain.private import PrivateAction, PrivatePage
from bot.views.components import CellStyle, board_rows, button, container_view, value_styles
from bot.views.i18n import GO_TO_BOARD, N_, NC_, Language, Sentence
from bot.views.symbols import SYMBOLS
from bot.views.verdicts import (
    SELF_EXPLANATORY_REASONS,
    best_reply,
    explanation,
    line_of_play,
    outlook_sentence,
    reason_for,
)
from engine import Cell, Reason, Value, Verdict

VALUE_EMOJIS = {Value.WIN: "🟩", Value.DRAW: "⬜", Value.LOSS: "🟥"}

BEST_MOVE_EMOJI = "🟦"

PRESSED_CELL_EMOJI = "🔎"

# Translators, from here on: in a hint, which only one person sees, beside the board. {symbol} is ❌
# or ⭕, {cell} a cell. A button has about 20 letters.
VALUE_NAMES: Mapping[Value, Sentence] = {
    # Translators: nouns: what a move leads to. A list of cells follows.
    Value.WIN: NC_("result", "win"),
    Value.DRAW: NC_("result", "draw"),
    Value.LOSS: NC_("result", "loss"),
}

# Translators: a button on a hint, for more about it.
WHY = NC_("button", "Why?")

_MAX_LISTED = 4
"""If more cells than these, and more than half, have one value, they are "all the others"."""


def _text(language: Language, hint: Hint) -> str:
    """The best move and why, in two short lines; or, where asked for, all there is to say."""
    if hint.is_detailed:
        return _details(language, hint)
    return "\n".join([*_best_move(language, hint.best_verdict), *_note(language, hint)])


def _details(language: Language, hint: Hint) -> str:
    """The best move and why, more about the cell that was pressed, and each move's value."""
    board = hint.best_verdict.board
    title = language.say(
        N_("## Hint for move {number}: {symbol}"),
        number=board.plies + 1,
        symbol=SYMBOLS[board.to_move],
    )
    lines = [title]
    lines += [f"-# {line}" for line in language.vanishing_next(board)]
    best_move = language.sentences(*_best_move(language, hint.best_verdict))
    lines.append(f"{BEST_MOVE_EMOJI} {best_move}")
    lines += _pressed_cell(language, hint)
    lines += _legend(language, hint)
    lines += _note(language, hint)
    return "\n".join(lines)


def _note(language: Language, hint: Hint) -> Iterator[str]:
    """What the hint means for the match, and what the cells do, in small print."""
    say = language.say
    sentences = []
    if hint.private is None and hint.match.trail and hint.match.trail.goal:
        sentences.append(say(N_("With a hint, this match is just for fun.")))
    if hint.is_detailed:
        sentences.append(say(N_("Press the blue square to play it, or another to learn more.")))
    else:
        sentences.append(say(N_("Press the blue square to play it.")))
    yield f"-# {language.sentences(*sentences)}"


def _best_move(language: Language, best: Verdict) -> list[str]:
    """The best move and why, and what best play leads to, unless the reason says it."""
    if best.worth.value is Value.LOSS:
        cell = best.board.rules.coordinate(best.action)
        advice = language.say(N_("Every move loses; **{cell}** holds out longest."), cell=cell)
    else:
        advice = reason_for(language, best)
        if best.reason in SELF_EXPLANATORY_REASONS:
            return [advice]
    return [advice, outlook_sentence(language, best.worth, best.mark)]


def _pressed_cell(language: Language, hint: Hint) -> Iterator[str]:
    """More about the cell that was pressed; the reason for the best move is given already."""
    cell = hint.cell
    if cell is None:
        return
    if cell != hint.best_verdict.action:
        verdict = next(verdict for verdict in hint.verdicts if verdict.action == cell)
        yield f"{PRESSED_CELL_EMOJI} {explanation(language, verdict, hint.reply)}"
        yield from line_of_play(language, verdict, hint.line)
    elif hint.reply is not None:
        yield f"{PRESSED_CELL_EMOJI} {best_reply(language, hint.reply)}"


def _legend(language: Language, hint: Hint) -> list[str]:
    """A line for each value that a move can have, with its colour, its name and the cells.

    Empty if all moves have the same value, or if only the best one holds the draw.
    """
    verdicts = hint.verdicts
    if hint.best_verdict.reason is Reason.ONLY_MOVE:
        return []
    lines: list[str] = []
    others: list[str] = []
    for value, name in VALUE_NAMES.items():
        label = f"{VALUE_EMOJIS[value]} {language.say(name)}"
        cells = sorted(verdict.action for verdict in verdicts if verdict.worth.value is value)
        if len(cells) > max(len(verdicts) // 2, _MAX_LISTED):
            others.append(language.labelled(label, language.say(N_("all the others"))))
        elif cells:
            coordinates = language.cells(hint.best_verdict.board.rules, cells)
            lines.append(language.labelled(label, coordinates))
    lines += others
    return lines if len(lines) > 1 else []


def hint_view(hint: Hint, language: Language) -> ui.LayoutView:
    """The best move, highlighted on the board, and why; pressing a cell tells more about it.

    In detail, each move has the colour of its value. The highlighted cell plays that move, and a
    button the one at the cell that was pressed.
    """
    styles = value_styles(hint.verdicts) if hint.is_detailed else {}
    styles[hint.best_verdict.action] = CellStyle(ButtonStyle.primary)
    cells = [verdict.action for verdict in hint.verdicts]
    custom_ids = {cell: _custom_id_about(cell, hint) for cell in cells}
    rows = board_rows(hint.match.board, styles, custom_ids, language.symbols)
    if buttons := [*_buttons(hint, styles, language)]:
        rows.append(ui.ActionRow(*buttons))
    return container_view(_text(language, hint), *rows, symbols=language.symbols)


def _custom_id_about(cell: Cell, hint: Hint) -> str:
    """The custom_id for more about a cell; the best move, of which all is said, is played."""
    return _move_id(hint, cell) if cell == hint.best_verdict.action else _why_id(hint, cell)


def _move_id(hint: Hint, cell: Cell) -> str:
    """The custom_id that plays a move."""
    match, private = hint.match, hint.private
    if private is not None:
        return custom_id(PrivatePage(private, cell=cell), 0)
    return custom_id(HintMovePage(match.id, match.version, cell), 0)


def _why_id(hint: Hint, cell: Cell | None = None) -> str:
    """The custom_id for all about a move, the best one if no cell is given."""
    match, private = hint.match, hint.private
    if private is not None:
        return custom_id(PrivatePage(private, PrivateAction.WHY, cell), 0)
    return custom_id(HintPage(match.id, match.version, cell), 0)


def _buttons(
    hint: Hint, styles: Mapping[Cell, CellStyle], language: Language
) -> Iterator[ui.Button[Any]]:
    """The button that plays the cell that was pressed, and the one for all the details."""
    say, match, cell = language.say, hint.match, hint.cell
    if cell is not None and cell != hint.best_verdict.action:
        label = say(NC_("button", "Play {cell}"), cell=match.rules.coordinate(cell))
        yield button(_move_id(hint, cell), label=label, style=styles[cell].button_style)
    if not hint.is_detailed:
        yield button(_why_id(hint), label=say(WHY))
    if hint.private is not None:
        board = custom_id(PrivatePage(hint.private), 0)
        yield button(board, label=say(GO_TO_BOARD))

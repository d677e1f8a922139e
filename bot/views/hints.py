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
from bot.views.i18n import GO_TO_BOARD, N_, NC_, Language
from bot.views.symbols import SYMBOLS
from bot.views.verdicts import (
    SELF_EXPLANATORY_REASONS,
    TRAPS,
    VALUE_NAMES,
    best_reply,
    explanation,
    line_of_play,
    move_outlook,
    reason_for,
)
from engine import Cell, Reason, Value, Verdict

VALUE_EMOJIS = {Value.WIN: "🟩", Value.DRAW: "⬜", Value.LOSS: "🟥"}

BEST_MOVE_EMOJI = "🟦"

PRESSED_CELL_EMOJI = "🔎"

# Translators, from here on: in a hint, which only one person sees, beside the board. {symbol} is ❌
# or ⭕, {cell} a cell. A button has about 20 letters.
# Translators: a button on a hint, for more about it.
WHY = NC_("button", "Why?")

_MAX_LISTED = 4
"""If more cells than these, and more than half, have one value, they are "all the others"."""


def _text(language: Language, hint: Hint) -> str:
    """The best move and why, in two short lines; or, where asked for, all there is to say."""
    if hint.is_detailed:
        return _details(language, hint)
    best_move = _best_move(language, hint.best_verdict, with_outlook=True)
    return "\n".join([*best_move, *_note(language, hint)])


def _details(language: Language, hint: Hint) -> str:
    """The best move and why, more about the cell that was pressed, and each move's value."""
    board = hint.best_verdict.board
    legend = _legend(language, hint)
    with_outlook = not legend  # which says what each move leads to
    title = language.say(
        N_("## Hint for {symbol}, move {number}"),
        number=board.plies + 1,
        symbol=SYMBOLS[board.to_move],
    )
    lines = [title]
    lines += [f"-# {line}" for line in language.vanishing_next(board)]
    best_move = _best_move(language, hint.best_verdict, with_outlook=with_outlook)
    lines.append(f"{BEST_MOVE_EMOJI} {language.sentences(*best_move)}")
    lines += _pressed_cell(language, hint, with_outlook=with_outlook)
    lines += legend
    lines += _note(language, hint)
    return "\n".join(lines)


def _note(language: Language, hint: Hint) -> Iterator[str]:
    """What the first hint means for the match, and what the cells do, in small print."""
    say, match = language.say, hint.match
    sentences = []
    is_first = not hint.is_detailed and not match.hints
    if is_first and hint.private is None and match.trail and match.trail.goal:
        sentences.append(say(N_("You've had a hint, so this match is just for fun.")))
    if hint.is_detailed:
        sentences.append(say(N_("Press the blue square to play it, or another to see why.")))
    else:
        sentences.append(say(N_("Press the blue square to play it.")))
    yield f"-# {language.sentences(*sentences)}"


def _best_move(language: Language, best: Verdict, *, with_outlook: bool) -> list[str]:
    """The best move and why and, if wanted, what best play leads to, unless the reason says it."""
    if best.worth.value is Value.LOSS:
        cell = best.board.rules.coordinate(best.action)
        advice = language.say(N_("Every move loses. **{cell}** holds out longest."), cell=cell)
    else:
        advice = reason_for(language, best)
        if best.reason in SELF_EXPLANATORY_REASONS:
            return [advice]
    if not with_outlook:
        return [advice]
    return [advice, move_outlook(language, best, is_made=False)]


def _pressed_cell(language: Language, hint: Hint, *, with_outlook: bool) -> Iterator[str]:
    """More about the cell that was pressed; the reason for the best move is given already."""
    cell = hint.cell
    if cell is None:
        return
    reply = []
    if hint.reply is not None:
        reply = [best_reply(language, hint.reply, with_outlook=with_outlook)]
    if cell != hint.best_verdict.action:
        verdict = next(verdict for verdict in hint.verdicts if verdict.action == cell)
        judged = _judged(language, hint, verdict, with_outlook=with_outlook and not reply)
        yield f"{PRESSED_CELL_EMOJI} {language.sentences(judged, *reply)}"
        yield from line_of_play(language, verdict, hint.line)
    elif reply:
        yield f"{PRESSED_CELL_EMOJI} {language.sentences(*reply)}"


def _judged(language: Language, hint: Hint, verdict: Verdict, *, with_outlook: bool) -> str:
    """Why another move is good or bad, in short if that is the reason for the best one, too."""
    best = hint.best_verdict
    is_same = verdict.reason is best.reason and verdict.reason not in TRAPS
    if with_outlook or not is_same or best.worth.value is Value.LOSS:
        return explanation(language, verdict, with_outlook=with_outlook)
    cell = verdict.board.rules.coordinate(verdict.action)
    # Translators: behind the reason for the best move: it holds for {cell}, too.
    return language.say(N_("The same goes for **{cell}**."), cell=cell)


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

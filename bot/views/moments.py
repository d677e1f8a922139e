"""The message that shows where a match turned, and the answer to a try."""

from __future__ import annotations

from collections.abc import Iterator

from discord import ui

from bot.domain.moments import Moment, MomentTry
from bot.domain.pages import custom_id
from bot.views.components import board_rows, container_view
from bot.views.i18n import N_, Language, language_for
from bot.views.symbols import PLAIN_SYMBOLS, SYMBOLS, Symbols
from bot.views.verdicts import try_result
from engine import Verdict


# Translators, from here on: a position that everyone in the channel is asked about.
# {symbol} is ❌ or ⭕.
def _question(language: Language, moment: Moment) -> str:
    """The question, and the position in words."""
    board = moment.board
    symbol = SYMBOLS[board.to_move]
    question = language.say(N_("## {symbol}'s turn. Can you find the best move?"), symbol=symbol)
    position = [
        language.rules(board.rules),
        language.marks(board),
        *language.vanishing_next(board),
    ]
    return f"{question}\n-# {' · '.join(filter(None, position))}"


def _footer(language: Language, moment: Moment) -> str:
    """How many found it, and how to try."""
    how_to_try = language.say(N_("-# Press a square. Only you see the answer."))
    return "\n".join([*_try_count(language, moment), how_to_try])


def _try_count(language: Language, moment: Moment) -> Iterator[str]:
    total, correct = moment.count
    if total:
        # Translators: {n} of {total} people found the move.
        yield language.ngettext(
            "{n} of {total} got it first time.",
            "{n} of {total} got it first time.",
            correct,
            total=language.number(total),
        )


def moment_view(moment: Moment, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """The position, for everyone in the channel; pressing a free cell tries it in private."""
    language = language_for(moment.match.place.locale, symbols)
    board = moment.board
    tries = {cell: MomentTry(moment.match.id, cell) for cell in board.actions()}
    custom_ids = {cell: custom_id(page, 0) for cell, page in tries.items()}
    rows = board_rows(board, {}, custom_ids, symbols)
    return container_view(
        _question(language, moment), *rows, _footer(language, moment), symbols=symbols
    )


def answer_view(verdict: Verdict, language: Language) -> ui.LayoutView:
    """Whether a try was right, for the one who made it."""
    text = try_result(language, verdict)
    return container_view(text, symbols=language.symbols)

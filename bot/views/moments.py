"""The message that shows where a match turned, and the answer to a try."""

from __future__ import annotations

from collections.abc import Iterator

from discord import ui

from bot.domain.moments import Moment, MomentTry
from bot.domain.pages import custom_id
from bot.views.components import board_rows, container_view
from bot.views.i18n import Language, Texts, language_for
from bot.views.symbols import PLAIN_SYMBOLS, SYMBOLS, Symbols
from bot.views.verdicts import VerdictTexts
from engine import Verdict


# Translators, from here on: a position that everybody in the channel is asked about.
# {symbol} is ❌ or ⭕.
class MomentTexts(Texts):
    """A moment, in one language."""

    def moment(self, moment: Moment) -> str:
        """The question, and the position in words."""
        board = moment.board
        symbol = SYMBOLS[board.to_move]
        question = self._("## {symbol} to move. Can you find the best move?", symbol=symbol)
        position = [
            self._language.rules(board.rules),
            self._language.marks(board),
            *self._language.vanishing_next(board),
        ]
        return f"{question}\n-# {' · '.join(filter(None, position))}"

    def footer(self, moment: Moment) -> str:
        """How many found it, and how to try."""
        how_to_try = self._("-# Press a square: only you see the answer.")
        return "\n".join([*self._try_count(moment), how_to_try])

    def _try_count(self, moment: Moment) -> Iterator[str]:
        total, correct = moment.count
        if total:
            # Translators: {found} of {n} people found the move.
            yield self._(
                "Found on the first try: {found}/{n}.",
                found=self._language.number(correct),
                n=self._language.number(total),
            )


def moment_view(moment: Moment, symbols: Symbols = PLAIN_SYMBOLS) -> ui.LayoutView:
    """The position, for everybody in the channel; pressing a free cell tries it in private."""
    language = language_for(moment.match.place.locale, symbols)
    texts = MomentTexts(language)
    board = moment.board
    tries = {cell: MomentTry(moment.match.id, cell) for cell in board.actions()}
    custom_ids = {cell: custom_id(page, 0) for cell, page in tries.items()}
    rows = board_rows(board, {}, custom_ids, symbols)
    return container_view(texts.moment(moment), *rows, texts.footer(moment), symbols=symbols)


def answer_view(verdict: Verdict, language: Language) -> ui.LayoutView:
    """Whether a try was right, for whoever made it."""
    text = VerdictTexts(language).try_result(verdict)
    return container_view(text, symbols=language.symbols)

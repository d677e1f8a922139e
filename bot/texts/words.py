"""The words that all sentences share: symbols, boards, lists, and the language they are in."""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from babel.lists import format_list

from engine import Cell, Mark, Rules

ListStyle = Literal["standard", "or"]
N_ = str
"""Marks a sentence of a table for `make texts`, as gettext has it; who says it translates it."""
SYMBOLS = {Mark.X: "❌", Mark.O: "⭕"}


class Words:
    """One language: its catalogue, and its way to write lists and numbers."""

    def __init__(self, translations: gettext.NullTranslations, language: str) -> None:
        self.gettext = self._ = translations.gettext
        self._n = translations.ngettext
        self.language = language

    def board(self, rules: Rules) -> str:
        return self._("{columns}x{rows}, {in_a_row} in a row wins").format(
            columns=rules.columns, rows=rules.rows, in_a_row=rules.in_a_row
        )

    def cells(self, rules: Rules, cells: Iterable[Cell], style: ListStyle = "standard") -> str:
        """The cells as a list; `style` is Babel's: all of them, or one "or" the other."""
        return format_list([rules.coordinate(cell) for cell in cells], style, self.language)


def relative(moment: datetime) -> str:
    """Discord shows it as so many seconds or minutes from now, in the reader's language."""
    return f"<t:{int(moment.timestamp())}:R>"

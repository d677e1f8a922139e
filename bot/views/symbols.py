"""The symbols of marks and free cells, in texts and on boards."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from engine import Mark

SYMBOLS: Mapping[Mark, str] = {Mark.X: "❌", Mark.O: "⭕"}
"""The symbols in sentences; `container_view` draws those of the view's language instead."""


class CellState(StrEnum):
    """What is special about a mark on a board; a value is the end of an emoji's name."""

    PLAIN = ""
    LAST = "last"
    LINE = "line"
    VANISHING = "vanishing"


def mark_emoji(mark: Mark, state: CellState = CellState.PLAIN) -> str:
    """The name of a mark's emoji, which screen readers read out, such as "X_last".

    Discord takes names of two to 32 letters, digits and underscores: a plain X is "X_".
    """
    return f"{mark.value.upper()}_{state}"


class Symbols:
    """What stands for marks and free cells: our own emojis by name, or ❌, ⭕ and labels.

    An emoji is as Discord writes it, such as "<:X_:123>"; `emojis` has all of them or none.
    """

    def __init__(self, emojis: Mapping[str, str] = MappingProxyType({})) -> None:
        self._emojis = emojis

    def of(self, mark: Mark, state: CellState = CellState.PLAIN) -> str:
        """The emoji of a mark; ❌ and ⭕ are the same in every state."""
        return self._emojis.get(mark_emoji(mark, state)) or SYMBOLS[mark]

    def of_free_cell(self, coordinate: str) -> str | None:
        """The emoji of a free cell; None if we have none, and its coordinate is shown."""
        return self._emojis.get(coordinate)

    @property
    def show_states(self) -> bool:
        """Whether a mark's symbol shows its state."""
        return bool(self._emojis)

    def replace_in(self, text: str) -> str:
        """The text with these symbols in place of the plain ones."""
        for mark, plain_symbol in SYMBOLS.items():
            text = text.replace(plain_symbol, self.of(mark))
        return text


PLAIN_SYMBOLS = Symbols()

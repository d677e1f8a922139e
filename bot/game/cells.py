"""Sequences of cells as letters, for custom_ids and the database."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Cell

_LETTERS = "abcdefghijklmnopqrstuvwxy"


def cells_of(text: str) -> tuple[Cell, ...]:
    """Raises ValueError where a letter names no cell."""
    return tuple(map(_LETTERS.index, text))


def letters_of(cells: Sequence[Cell]) -> str:
    return "".join(_LETTERS[cell] for cell in cells)

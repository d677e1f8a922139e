"""The columns that a text takes in a terminal, where Chinese letters are twice as wide."""

from __future__ import annotations

from unicodedata import category, east_asian_width


def columns(text: str) -> int:
    """How many columns a text takes: wide letters two, accents that stand apart none."""
    return sum(map(_columns_of, text))


def _columns_of(letter: str) -> int:
    if category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(letter) in {"W", "F"} else 1


def ljust(text: str, width: int) -> str:
    """The text, followed by spaces up to `width` columns."""
    return text + " " * (width - columns(text))


def rjust(text: str, width: int) -> str:
    """The text, after spaces that make it `width` columns wide."""
    return " " * (width - columns(text)) + text

"""Buttons that do what a command does."""

from __future__ import annotations

from enum import Enum


class Shortcut(Enum):
    """What a button does; `MY_MATCH` teaches from one's own match, which counts as a hint."""

    START = "start"
    MY_MATCH = "mymatch"

    def __str__(self) -> str:
        return f"shortcut:{self.value}"

    @classmethod
    def parse(cls, value: str) -> Shortcut:
        return cls(value)

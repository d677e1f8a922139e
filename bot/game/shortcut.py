"""What a button asks for that a command could ask for too."""

from __future__ import annotations

from enum import Enum


class Shortcut(Enum):
    """A command's button; `MY_MATCH` learns from one's own match, although it counts as a hint."""

    START = "start"
    MY_MATCH = "mymatch"

    def __str__(self) -> str:
        return f"shortcut:{self.value}"

    @classmethod
    def parse(cls, value: str) -> Shortcut:
        return cls(value)

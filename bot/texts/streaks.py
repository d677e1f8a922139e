"""The text of somebody's results in the daily puzzles."""

from __future__ import annotations

from datetime import date

from bot.game.puzzles import PuzzleTally
from bot.texts.judgements import MISS
from bot.texts.words import Language

_ROWS = ("1️⃣", "2️⃣", "3️⃣", MISS)
"""Solved on the first, second or third try, or not solved."""
_LONGEST = 10


def streak_and_tries(language: Language, tally: PuzzleTally, today: date, by_tries: str) -> str:
    """The streak, and a histogram of tries under the heading `by_tries`."""
    streak = language.ngettext(
        "🔥 {n} day in a row (best: {best})",
        "🔥 {n} days in a row (best: {best})",
        tally.streak_on(today),
        best=tally.best,
    )
    numbers = [*tally.solved, tally.missed]
    most = max(*numbers, 1)
    rows = (
        f"{row} {'▰' * round(_LONGEST * n / most)} {n}"
        for row, n in zip(_ROWS, numbers, strict=True)
    )
    return "\n".join([streak, by_tries, *rows])

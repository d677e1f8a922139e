"""What the options of commands offer, in words that Discord shows while one chooses.

What is said of a level is measured on 3x3, and what is said of a board is proven by the solver.
"""

from __future__ import annotations

from discord.app_commands import Choice, locale_str

from bot.game.outcome import First
from engine import Level

BOARDS = [
    Choice(name=locale_str("3x3: a draw with best play"), value="3x3x3"),
    Choice(name=locale_str("4x4, 3 in a row: the first player can force a win"), value="4x4x3"),
    Choice(name=locale_str("4x4, 4 in a row: a draw with best play"), value="4x4x4"),
    Choice(name=locale_str("5x5, 4 in a row: a draw with best play"), value="5x5x4"),
    Choice(name=locale_str("5x5, 5 in a row: a draw with best play"), value="5x5x5"),
    Choice(
        name=locale_str(
            "infinite: your fourth mark makes your oldest vanish; the first player can force a win"
        ),
        value="infinite",
    ),
    Choice(name=locale_str("misère: three in a row loses; a draw with best play"), value="misere"),
]

LEVELS = [
    Choice(
        name=locale_str("child's play: a casual player beats it 70 times in 100"),
        value=Level.CHILD.name,
    ),
    Choice(
        name=locale_str("easy: a casual player beats it 53 times in 100"), value=Level.EASY.name
    ),
    Choice(
        name=locale_str("medium: a casual player beats it 31 times in 100"),
        value=Level.MEDIUM.name,
    ),
    Choice(
        name=locale_str("hard: a casual player beats it 14 times in 100"), value=Level.HARD.name
    ),
    Choice(
        name=locale_str("expert: a casual player beats it 3 times in 100"),
        value=Level.EXPERT.name,
    ),
    Choice(
        name=locale_str("perfect: gives nothing away; random moves draw 13 times in 100"),
        value=Level.PERFECT.name,
    ),
    Choice(
        name=locale_str("impossible: perfect, and sets traps; random moves draw 4 times in 100"),
        value=Level.IMPOSSIBLE.name,
    ),
]

FIRSTS = [
    Choice(name=locale_str("me"), value=First.OPENER.value),
    Choice(name=locale_str("my opponent"), value=First.OPPONENT.value),
    Choice(name=locale_str("random"), value=First.RANDOM.value),
]


def is_offered(choices: list[Choice[str]], value: str | None) -> bool:
    """Whether an option can have a value: left out, or one of those to choose from.

    Discord's own clients send nothing else, and discord.py takes whatever comes.
    """
    return value is None or any(choice.value == value for choice in choices)

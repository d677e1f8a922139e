"""The choices of the commands' options, by the names that Discord shows.

What they say of 4x4 is proven by the solver; each level has one star more than the one below.
"""

from __future__ import annotations

from discord.app_commands import Choice, locale_str

from bot.domain.matches import FirstPlayer
from bot.domain.settings import encode_value
from engine import Level

# Translators, from here on: a choice of an option, read in a list: at most 100 letters. "The
# first player can always win" is what is proven of a board.
BOARDS = [
    Choice(name=locale_str("3x3"), value="3x3x3"),
    Choice(name=locale_str("4x4, 3 in a row (the first player can always win)"), value="4x4x3"),
    Choice(name=locale_str("4x4, 4 in a row"), value="4x4x4"),
    Choice(name=locale_str("5x5, 4 in a row"), value="5x5x4"),
    Choice(name=locale_str("5x5, 5 in a row"), value="5x5x5"),
    Choice(
        name=locale_str("infinite: your fourth mark makes your oldest vanish"), value="infinite"
    ),
    Choice(name=locale_str("reverse: three in a row loses"), value="misere"),
]

# Translators, from here on: a choice of an option, read in a list: at most 100 letters. The levels
# have the same names as on a board.
LEVELS = [
    Choice(name=locale_str("child's play ★"), value=Level.CHILD.name),
    Choice(name=locale_str("easy ★★"), value=Level.EASY.name),
    Choice(name=locale_str("medium ★★★"), value=Level.MEDIUM.name),
    Choice(name=locale_str("hard ★★★★"), value=Level.HARD.name),
    Choice(name=locale_str("expert ★★★★★"), value=Level.EXPERT.name),
    Choice(name=locale_str("perfect ★★★★★★"), value=Level.PERFECT.name),
    Choice(name=locale_str("impossible ★★★★★★★"), value=Level.IMPOSSIBLE.name),
]

# Translators, from here on: a choice of an option, read in a list: at most 100 letters. Each
# person has a level of their own where a server has chosen none.
SERVER_LEVELS = [
    Choice(name=locale_str("each player's own level"), value=encode_value(None)),
    *LEVELS,
]

# Translators, from here on: who goes first: a choice of an option, at most 100 letters.
FIRSTS = [
    Choice(name=locale_str("you"), value=FirstPlayer.OPENER.value),
    Choice(name=locale_str("your opponent"), value=FirstPlayer.OPPONENT.value),
    Choice(name=locale_str("random"), value=FirstPlayer.RANDOM.value),
]

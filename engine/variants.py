"""The games that are played otherwise than the m,n,k-games, each in a module of its own.

A module has a subclass of `Rules` and one of `Board`, and says who solves the game (`solver_for`)
and what there is to see in it (`look_at`). Its line here adds it to all else in the engine.
"""

from __future__ import annotations

from engine.infinite import INFINITE
from engine.misere import MISERE
from engine.rules import Rules

VARIANTS = {1: MISERE, 2: INFINITE}
"""By the number that stands for each in the codes of games.

Those numbers are of m,n,k-games that cannot be: 1 and 2 are 3x3x4 and 3x3x5; 5, 11 and 14 are left.
"""


def rules_named(name: str) -> Rules:
    """The rules by their `name`.

    Raises:
        ValueError: There are none.
    """
    for rules in VARIANTS.values():
        if rules.name == name:
            return rules
    return Rules.parse(name)

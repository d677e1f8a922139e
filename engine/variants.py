"""The variants: games that are not m,n,k-games, each in its own module.

Each module subclasses `Rules` and `Board`, and registers its solver (`new_solver`) and its
observations (`observe`). An entry in `VARIANTS` makes the rest of the engine play it.
"""

from __future__ import annotations

from engine.infinite import INFINITE
from engine.misere import MISERE
from engine.rules import Rules

VARIANTS = {1: MISERE, 2: INFINITE}
"""The variants, by their numbers in the codes of games.

The numbers are those of impossible m,n,k-games: 1 and 2 are 3x3x4 and 3x3x5; 5, 11 and 14 are free.
"""


def rules_named(name: str) -> Rules:
    """The rules with this `name`.

    Raises:
        ValueError: No rules have that name.
    """
    variants = {rules.name: rules for rules in VARIANTS.values()}
    return variants.get(name) or Rules.parse(name)

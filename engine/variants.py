"""The variants: games with other rules than the m,n,k-games, each in a module of its own.

Each module subclasses `Rules` and `Board`, and registers a solver (`solver_for`) and what
can be seen in a position (`look_at`). An entry in `VARIANTS` adds it to the rest of the engine.
"""

from __future__ import annotations

from engine.infinite import INFINITE
from engine.misere import MISERE
from engine.rules import Rules

VARIANTS = {1: MISERE, 2: INFINITE}
"""The variants, by the number that stands for each in the codes of games.

The numbers are those of impossible m,n,k-games: 1 and 2 are 3x3x4 and 3x3x5; 5, 11 and 14 are free.
"""


def rules_named(name: str) -> Rules:
    """The rules with this `name`.

    Raises:
        ValueError: No rules have that name.
    """
    named = {rules.name: rules for rules in VARIANTS.values()}
    return named.get(name) or Rules.parse(name)

"""Places on the ladder: the highest rung that somebody has passed, no longer their best result.

Older releases read them as before, and go on to write their players' best results.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_RUNGS = ("EASY", "MEDIUM", "HARD", "EXPERT", "PERFECT", "IMPOSSIBLE")
_PASSED_BY_TWO_DRAWS = ("EXPERT", "PERFECT", "IMPOSSIBLE")
_BATCH_SIZE = 500

_Results = dict[str, tuple[int, int]]
"""How often somebody has won and drawn, by level."""

_ranks = sa.table("ranks", *map(sa.column, ("chart", "user_id", "score")))
_tallies = sa.table(
    "tallies",
    *map(sa.column, ("user_id", "rules", "level", "won", "drawn")),
    sa.column("hinted", sa.Boolean),
)
_IS_ON_LADDER = _ranks.c.chart == "ladder"


def upgrade() -> None:
    connection = op.get_bind()
    query = sa.select(_ranks.c.user_id).where(_IS_ON_LADDER).distinct()
    user_ids = connection.execute(query).scalars().all()
    for start in range(0, len(user_ids), _BATCH_SIZE):
        batch = user_ids[start : start + _BATCH_SIZE]
        results = _load_results(connection, batch)
        for user_id in batch:
            is_row = sa.and_(_IS_ON_LADDER, _ranks.c.user_id == user_id)
            score = _score(results[user_id])
            if score is None:
                connection.execute(sa.delete(_ranks).where(is_row))
            else:
                connection.execute(sa.update(_ranks).where(is_row).values(score=score))


def _load_results(connection: sa.Connection, user_ids: Sequence[int]) -> dict[int, _Results]:
    found = defaultdict[int, _Results](dict)
    query = sa.select(_tallies).where(
        _tallies.c.user_id.in_(user_ids), _tallies.c.rules == "3x3x3", sa.not_(_tallies.c.hinted)
    )
    for row in connection.execute(query):
        found[row.user_id][row.level] = (row.won, row.drawn)
    return found


def _score(results: _Results) -> int | None:
    """The score of the highest rung passed: twice its place, and one more if it was won."""
    score = None
    for place, level in enumerate(_RUNGS, start=1):
        won, drawn = results.get(level, (0, 0))
        if not won and not (level in _PASSED_BY_TWO_DRAWS and drawn >= 2):
            break
        score = 2 * place + int(won > 0)
    return score

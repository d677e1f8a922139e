"""Indices: matches by opener, to find recent challenges, and matches without a move.

Older releases keep working beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_index("matches_by_opener", "matches", ["opened_by", "id"])
    unplayed = sa.text("moves = ''")
    op.create_index(
        "unplayed_matches", "matches", ["id"], sqlite_where=unplayed, postgresql_where=unplayed
    )


def downgrade() -> None:
    op.drop_index("unplayed_matches", "matches")
    op.drop_index("matches_by_opener", "matches")

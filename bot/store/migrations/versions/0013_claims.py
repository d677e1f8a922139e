"""When the share of a puzzle, or a moment, was last claimed; an index of the months of points.

Older releases store no time: what they claim counts as posted, as does what was claimed before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_IS_OF_A_MONTH = sa.text("chart < 'a'")


def upgrade() -> None:
    op.add_column("attempts", sa.Column("share_claimed_at", sa.BigInteger))
    op.add_column("moments", sa.Column("claimed_at", sa.BigInteger))
    op.create_index(
        "ranks_by_month",
        "ranks",
        ["chart"],
        sqlite_where=_IS_OF_A_MONTH,
        postgresql_where=_IS_OF_A_MONTH,
    )

"""More choices for servers, and how long a turn lasts in a match.

The level becomes optional. The previous release keeps working beside this one: it reads and writes
levels as before, and takes NULL for the highest. It opens boards in any channel, and its turns
last as long as the host has set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_LEVEL = sa.String(16)
_NEW: Mapping[str, type[sa.types.TypeEngine[Any]] | sa.String] = {
    "language": sa.String(16),
    "rules": sa.String(16),
    "turn_minutes": sa.Integer,
    "channels": sa.Text,
    "has_ranking": sa.Boolean,
    "puzzle_channel": sa.BigInteger,
    "puzzle_hour": sa.Integer,
}


def upgrade() -> None:
    # SQLite cannot alter a column: batch mode copies the table.
    with op.batch_alter_table("servers") as servers:
        servers.alter_column("level", existing_type=_LEVEL, nullable=True)
        for name, kind in _NEW.items():
            servers.add_column(sa.Column(name, kind))
    op.add_column("matches", sa.Column("turn_minutes", sa.Integer))


def downgrade() -> None:
    op.drop_column("matches", "turn_minutes")
    op.execute("DELETE FROM servers WHERE level IS NULL")
    with op.batch_alter_table("servers") as servers:
        for name in _NEW:
            servers.drop_column(name)
        servers.alter_column("level", existing_type=_LEVEL, nullable=False)

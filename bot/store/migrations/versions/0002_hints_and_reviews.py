"""The hints counted in a match, and an index of a channel's matches.

Older releases keep working beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    hints = sa.Column("hints", sa.Integer, nullable=False, server_default=sa.text("0"))
    op.add_column("matches", hints)
    op.add_column("matches", sa.Column("hinted_version", sa.Integer))
    op.create_index("matches_by_channel", "matches", ["channel_id", "id"])


def downgrade() -> None:
    op.drop_index("matches_by_channel", "matches")
    op.drop_column("matches", "hinted_version")
    op.drop_column("matches", "hints")

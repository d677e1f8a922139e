"""Whether anybody may take the bot's seat in a match.

Older releases keep working beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column(
        "matches", sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.text("FALSE"))
    )


def downgrade() -> None:
    op.drop_column("matches", "is_open")

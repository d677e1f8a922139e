"""A table for what servers have chosen, which was stored among the facts.

Those facts stay, for older releases, which keep working beside this one.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("level", sa.String(16), nullable=False),
    )
    op.execute(
        "INSERT INTO servers (guild_id, level)"
        " SELECT CAST(substr(name, 10) AS BIGINT), value FROM facts WHERE name LIKE 'level in %'"
    )


def downgrade() -> None:
    op.drop_table("servers")

"""Tables for the moments of matches, and who tried to find the better move.

Older releases show no moments, and leave the tables alone.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "moments",
        sa.Column("match_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("message_id", sa.BigInteger),
    )
    op.create_table(
        "moment_tries",
        sa.Column("match_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("is_found", sa.Boolean, nullable=False),
    )
    op.create_index("moment_tries_by_user", "moment_tries", ["user_id"])


def downgrade() -> None:
    op.drop_table("moment_tries")
    op.drop_table("moments")

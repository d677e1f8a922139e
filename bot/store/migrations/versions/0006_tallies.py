"""Tables for people's results, and when matches ended.

Every match that is over waits to be counted, past ones first. Older releases keep working beside
this one: the matches they end are counted too.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    false, none = sa.text("FALSE"), sa.text("0")
    op.add_column(
        "matches", sa.Column("ended_at", sa.BigInteger, nullable=False, server_default=none)
    )
    for name in ("counted", "is_first"):
        op.add_column("matches", sa.Column(name, sa.Boolean, nullable=False, server_default=false))
    op.add_column("matches", sa.Column("duel", sa.String(32)))
    uncounted = sa.text("NOT live AND NOT counted")
    op.create_index(
        "uncounted_matches",
        "matches",
        ["ended_at", "id"],
        sqlite_where=uncounted,
        postgresql_where=uncounted,
    )
    op.add_column(
        "people", sa.Column("is_hidden", sa.Boolean, nullable=False, server_default=false)
    )
    numbers = ("won", "drawn", "lost", "unbeaten", "longest", "kept", "critical")
    op.create_table(
        "tallies",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("rules", sa.String(16), primary_key=True),
        sa.Column("level", sa.String(16), primary_key=True),
        sa.Column("hinted", sa.Boolean, primary_key=True),
        *(sa.Column(number, sa.Integer, nullable=False) for number in numbers),
    )
    op.create_table(
        "duels",
        sa.Column("first_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("second_id", sa.BigInteger, primary_key=True, autoincrement=False),
        *(sa.Column(number, sa.Integer, nullable=False) for number in numbers[:3]),
    )
    op.create_index("duels_by_second", "duels", ["second_id"])
    op.execute("INSERT INTO facts (name, value) VALUES ('counting', '')")


def downgrade() -> None:
    op.execute("DELETE FROM facts WHERE name = 'counting'")
    op.drop_table("duels")
    op.drop_table("tallies")
    op.drop_column("people", "is_hidden")
    op.drop_index("uncounted_matches", "matches")
    for name in ("duel", "is_first", "counted", "ended_at"):
        op.drop_column("matches", name)

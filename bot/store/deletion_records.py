"""Records of deletions, to be repeated if an older copy of the database is restored.

Each is a row of `facts`: its name has a digest of the id of a person or a server, and its value is
the id before which their matches are forgotten, padded so that values sort as numbers.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, delete, select

from bot.store.database import upsert
from bot.store.schema import facts

_PREFIX = "deleted "


def deletion_name(owner_id: int) -> str:
    """The name of the record for a person or a server, which does not reveal the id."""
    digest = hashlib.blake2b(str(owner_id).encode(), digest_size=24)
    return _PREFIX + digest.hexdigest()


def record_deletion(connection: Connection, owner_id: int, before_id: int) -> None:
    upsert(connection, facts.c.name, deletion_name(owner_id), value=_padded(before_id))


def read_deletions(connection: Connection) -> dict[str, int]:
    """The deletions of the last weeks: the `before_id` of each, by the name of its record."""
    query = select(facts).where(facts.c.name.startswith(_PREFIX))
    return {row.name: int(row.value) for row in connection.execute(query)}


def prune_deletions(connection: Connection, before_id: int) -> None:
    """Delete the records with a lower `before_id`."""
    is_deletion = facts.c.name.startswith(_PREFIX)
    is_old = facts.c.value < _padded(before_id)
    connection.execute(delete(facts).where(is_deletion, is_old))


def _padded(before_id: int) -> str:
    return f"{before_id:020}"

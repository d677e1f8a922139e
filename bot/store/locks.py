"""Locks of people and of servers, which last until the end of a transaction.

A row that does not exist yet, such as a newcomer's first tally, cannot be locked. So whoever
changes a person's results locks the person, and whoever deletes a server locks the server. SQLite
has one writer at a time, and needs neither.

Two transactions never wait for each other, as all take their locks in this order:

1. rows of matches, an older match before a newer one;
2. people, all at once, in the order of their ids;
3. servers;
4. rows of other tables.

Forgetting locks its person or server first, but skips rows of matches that are locked. Who ends a
channel's match and opens another has no row to wait for in between: until that is committed, nobody
else can open one there.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import BigInteger, Connection, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY

_IDS = func.unnest(bindparam("ids", type_=ARRAY(BigInteger))).column_valued("id")

_LOCK_PEOPLE = select(func.pg_advisory_xact_lock(_IDS))

_LOCK_SERVER = select(func.pg_advisory_xact_lock(bindparam("guild_id", type_=BigInteger)))

_SHARE_SERVER = select(func.pg_advisory_xact_lock_shared(bindparam("guild_id", type_=BigInteger)))


def lock_people(connection: Connection, user_ids: Iterable[int]) -> None:
    """Wait until no other transaction has locked one of these people; lock all of them."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK_PEOPLE, {"ids": sorted(user_ids)})


def lock_server(connection: Connection, guild_id: int) -> None:
    """Wait until nobody changes what is stored of a server's members; keep others from it."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK_SERVER, {"guild_id": guild_id})


def share_server(connection: Connection, guild_id: int) -> None:
    """Keep a server from being deleted; any number of transactions may do so at once."""
    if connection.dialect.name == "postgresql":
        connection.execute(_SHARE_SERVER, {"guild_id": guild_id})

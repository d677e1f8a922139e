"""Databases of one's own, for tests and benchmarks."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, create_engine, make_url, text

from bot.config import parse_url

SERVER_VARIABLE = "TEST_DATABASE_URL"


def has_server() -> bool:
    """Whether the environment names a PostgreSQL to use."""
    return bool(os.environ.get(SERVER_VARIABLE))


@contextmanager
def empty_database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of an empty `sqlite` file, or of a schema of one's own on the `postgresql` given."""
    name = f"velha_{secrets.token_hex(8)}"
    if kind == "sqlite":
        yield f"sqlite:///{(folder / name).as_posix()}.db"
        return
    given = os.environ[SERVER_VARIABLE]
    admin = create_engine(parse_url(given), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
        ours = make_url(given).update_query_dict({"options": f"-csearch_path={name}"})
        try:
            yield ours.render_as_string(hide_password=False)
        finally:
            connection.execute(text(f"DROP SCHEMA {name} CASCADE"))
    admin.dispose()


@contextmanager
def locked_by_another_program(url: URL) -> Iterator[None]:
    """Another program holds what a change to a match needs."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql("BEGIN")
            connection.exec_driver_sql("SELECT * FROM matches FOR UPDATE")
        yield
        connection.exec_driver_sql("ROLLBACK")
    engine.dispose()


def plan_of(connection: Connection, sql: str, given: Any) -> list[str]:
    """How the database goes about a statement, line by line."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", given)
        return [row[3] for row in rows]
    return [row[0] for row in connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {sql}", given)]

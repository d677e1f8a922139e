"""Migrations of the tables: Alembic revisions, one per file in `versions/`."""

import logging
import re
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from bot.store.database import SchemaError
from bot.store.schema import metadata

_HERE = Path(__file__).parent

_LOCK_KEY = 0x76656C6861  # "velha": processes that start together migrate one by one

_log = logging.getLogger(__name__)


def migrate(connection: Connection, revision: str = "head") -> None:
    """Bring the tables up to date, or to an older revision, within the connection's transaction.

    Those of a newer release are left as they are, with a warning: releases only add tables, and
    columns that may be NULL.

    Raises:
        SchemaError: They are another program's, or of a version that was never released.
    """
    lock(connection)
    current = current_revision(connection)
    if current is not None and is_newer(current):
        _log.warning("The database is of a newer release (%s): this one runs on it.", current)
        return
    command.upgrade(_config(connection), revision)


def lock(connection: Connection) -> None:
    """Wait for other processes that migrate, and keep them waiting, until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")  # a large table takes long
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK_KEY})")


def has_tables(connection: Connection) -> bool:
    """Whether a database has tables of Velha's, of any release."""
    return MigrationContext.configure(connection).get_current_revision() is not None


def current_revision(connection: Connection) -> str | None:
    """The revision of a database's tables, which may be newer than this code; None without tables.

    Raises:
        SchemaError: They are another program's, or of a version that was never released.
    """
    tables = inspect(connection).get_table_names()
    revision = ", ".join(MigrationContext.configure(connection).get_current_heads())
    if not revision:
        # A PostgreSQL database may well be shared.
        if connection.dialect.name == "sqlite" and tables and "alembic_version" not in tables:
            raise SchemaError(f"it is another program's file, with a table named {tables[0]!r}")
        return None
    is_ours = re.fullmatch(r"\d{4}", revision) and metadata.tables.keys() & tables
    if not is_ours:
        raise SchemaError(f"it is another program's, at revision {revision!r} of its tables")
    if revision in known_revisions() or is_newer(revision):
        return revision
    raise SchemaError("it is of a version that was never released: move it away and start anew")


def find_revision(connection: Connection) -> str:
    """The revision of a database's tables, which may be newer than this code.

    Raises:
        SchemaError: There are none, or they cannot be used.
    """
    revision = current_revision(connection)
    if revision is None:
        raise SchemaError("there is nothing of Velha's in it")
    return revision


def is_newer(revision: str) -> bool:
    """Whether a revision of Velha's, a number of four digits, is one that this code lacks."""
    return revision > known_revisions()[-1]


def known_revisions() -> list[str]:
    """All revisions that this code knows, oldest first."""
    scripts = ScriptDirectory.from_config(_config())
    return [script.revision for script in scripts.walk_revisions()][::-1]


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config

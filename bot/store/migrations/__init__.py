"""Migrations of the tables: Alembic revisions, one per file in `versions/`."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, inspect

from bot.store.database import SchemaError

_HERE = Path(__file__).parent

RELEASES = {"1.0.0": "0002", "1.1.0": "0012"}
"""The newest revision of each release, by which `python -m bot downgrade` finds its tables."""


def migrate(connection: Connection, revision: str = "head") -> None:
    """Bring the tables up to date, or to an older revision, within the connection's transaction.

    Raises:
        SchemaError: They are another program's, or a newer release's.
    """
    _refuse_foreign_file(connection)
    try:
        command.upgrade(_config(connection), revision)
    except CommandError as error:
        raise SchemaError(f"its tables are of another release than this code: {error}") from None


def downgrade_tables(connection: Connection, revision: str) -> None:
    """Make the tables those of an older revision again, within the connection's transaction."""
    command.downgrade(_config(connection), revision)


def find_revision(connection: Connection) -> str:
    """The revision of a database's tables.

    Raises:
        SchemaError: There are none, or they are a newer release's.
    """
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None:
        raise SchemaError("there is nothing of Velha's in it")
    if revision not in known_revisions():
        raise SchemaError(f"its tables are of a newer release than this code ({revision})")
    return revision


def known_revisions() -> list[str]:
    """All revisions that this code knows, oldest first."""
    scripts = ScriptDirectory.from_config(_config())
    return [script.revision for script in scripts.walk_revisions()][::-1]


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _refuse_foreign_file(connection: Connection) -> None:
    """Refuse another program's SQLite file; a PostgreSQL database may well be shared."""
    tables = inspect(connection).get_table_names()
    if connection.dialect.name == "sqlite" and tables and "alembic_version" not in tables:
        raise SchemaError(f"it is another program's file, with a table named {tables[0]!r}")

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


def migrate(connection: Connection) -> None:
    """Bring the tables up to date, within the connection's transaction.

    Raises:
        SchemaError: They are another program's, or a newer release's.
    """
    _refuse_foreign_file(connection)
    config = _config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise SchemaError(f"its tables are of another release than this code: {error}") from None


def revision(connection: Connection) -> tuple[str | None, str | None]:
    """The revision found in the database, None if there is none, and that of this release."""
    found = MigrationContext.configure(connection).get_current_revision()
    return found, ScriptDirectory.from_config(_config()).get_current_head()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    return config


def _refuse_foreign_file(connection: Connection) -> None:
    """Refuse another program's SQLite file; a PostgreSQL database may well be shared."""
    tables = inspect(connection).get_table_names()
    if connection.dialect.name == "sqlite" and tables and "alembic_version" not in tables:
        raise SchemaError(f"it is another program's file, with a table named {tables[0]!r}")

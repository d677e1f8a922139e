"""Alembic's entry point: run by `migrate` at start, and by the `alembic` command."""

from alembic import context
from alembic.util.exc import CommandError
from sqlalchemy import Connection

from bot.config import read_database_url
from bot.environment import ConfigError
from bot.store.database import Database, create_engine
from bot.store.migrations import lock
from bot.store.schema import metadata


def run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


def run_by_command() -> None:
    try:
        url = read_database_url()
    except ConfigError as problem:
        raise CommandError(str(problem)) from None
    connections = Database(create_engine(url))
    with connections.transaction() as connection:
        lock(connection)
        run(connection)
    connections.close()


connection = context.config.attributes.get("connection")
if connection is not None:
    run(connection)
else:
    run_by_command()

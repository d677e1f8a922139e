"""Alembic's entry point: run by `migrate` at start, and by the `alembic` command."""

from alembic import context
from alembic.util.exc import CommandError
from sqlalchemy import Connection

from bot.config import read_database_url
from bot.environment import ConfigError, read_environment
from bot.store.database import Database, create_engine
from bot.store.schema import metadata

_LOCK_KEY = 0x76656C6861  # "velha": processes that start together migrate one by one


def run(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")  # a large table takes long
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK_KEY})")
    context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


def run_by_command() -> None:
    try:
        url = read_database_url(read_environment())
    except ConfigError as problem:
        raise CommandError(str(problem)) from None
    connections = Database(create_engine(url))
    with connections.transaction() as connection:
        run(connection)
    connections.close()


connection = context.config.attributes.get("connection")
if connection is not None:
    run(connection)
else:
    run_by_command()

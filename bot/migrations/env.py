"""Alembic's entry: run by `migrate` at start, and by the `alembic` command when developing."""

import os

from alembic import context
from sqlalchemy import Connection

from bot.store.database import Connections, create_engine, parse_url
from bot.store.schema import metadata

_LOCK_KEY = 0x76656C6861  # "velha": so that processes starting together migrate one by one


def run(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")  # a large table takes long
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK_KEY})")
    context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


connection = context.config.attributes.get("connection")
if connection is not None:
    run(connection)
else:
    url = parse_url(os.environ.get("DATABASE_URL", "sqlite:///velha.db"))
    connections = Connections(create_engine(url))
    with connections.whole() as connection:
        run(connection)
    connections.close()

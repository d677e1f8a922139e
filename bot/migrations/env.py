"""Alembic's entry: run by `migrate` at start, and by the `alembic` command when developing."""

import asyncio
import os

from alembic import context
from sqlalchemy import Connection

from bot.store.database import async_url, create_engine
from bot.store.schema import metadata

_LOCK_KEY = 0x76656C6861  # "velha": so that processes starting together migrate one by one


def run(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK_KEY})")
    context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


async def connect_and_run() -> None:
    engine = create_engine(async_url(os.environ.get("DATABASE_URL", "sqlite:///velha.db")))
    async with engine.begin() as connection:
        await connection.run_sync(run)
    await engine.dispose()


connection = context.config.attributes.get("connection")
if connection is not None:
    run(connection)
else:
    asyncio.run(connect_and_run())

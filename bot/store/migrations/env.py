"""Alembic's entry point: run by `migrate` at start, and by the `alembic` command."""

from alembic import context
from alembic.operations import Operations, toimpl
from alembic.operations.ops import AddColumnOp, CreateIndexOp, CreateTableOp
from alembic.util.exc import CommandError
from sqlalchemy import Connection, inspect

from bot.config import read_database_url
from bot.environment import ConfigError
from bot.store.database import Database, create_engine
from bot.store.migrations import lock
from bot.store.schema import metadata

# What a revision adds may be there: going back to 1.1.0 changes only the revision's number.


@Operations.implementation_for(AddColumnOp, replace=True)
def add_missing_column(operations: Operations, operation: AddColumnOp) -> None:
    columns = inspect(operations.get_bind()).get_columns(operation.table_name)
    if operation.column.name not in {column["name"] for column in columns}:
        toimpl.add_column(operations, operation)


@Operations.implementation_for(CreateTableOp, replace=True)
def create_missing_table(operations: Operations, operation: CreateTableOp) -> object:
    operation.if_not_exists = True
    return toimpl.create_table(operations, operation)


@Operations.implementation_for(CreateIndexOp, replace=True)
def create_missing_index(operations: Operations, operation: CreateIndexOp) -> None:
    operation.if_not_exists = True
    toimpl.create_index(operations, operation)


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

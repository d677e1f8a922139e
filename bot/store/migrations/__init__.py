"""The history of the tables, one Alembic revision a file in `versions/`."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

_HERE = Path(__file__).parent


def migrate(connection: Connection) -> None:
    """Bring the tables up to date, within the connection's transaction."""
    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

"""Where matches are kept: one database, a class for each of its tables."""

from bot.store.copying import Counts, copy
from bot.store.database import DatabaseUrlError, StoreError, cause_of, parse_url
from bot.store.facts import FactTable
from bot.store.servers import ServerTable
from bot.store.store import Store

__all__ = [
    "Counts",
    "DatabaseUrlError",
    "FactTable",
    "ServerTable",
    "Store",
    "StoreError",
    "cause_of",
    "copy",
    "parse_url",
]

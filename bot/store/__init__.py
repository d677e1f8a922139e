"""Storage: one database, with a class for each of its tables."""

from bot.store.copying import Counts, copy
from bot.store.database import StoreError, cause_of
from bot.store.facts import FactTable
from bot.store.servers import ServerTable
from bot.store.store import Store
from bot.store.urls import DatabaseUrlError, parse_url

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

"""Where matches are kept: one database, reached through one class."""

from bot.store.database import DatabaseUrlError, StoreError, cause_of, parse_url
from bot.store.store import Store

__all__ = ["DatabaseUrlError", "Store", "StoreError", "cause_of", "parse_url"]

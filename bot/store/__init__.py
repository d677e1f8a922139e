"""Where matches are kept: one database, reached through one class."""

from bot.store.database import DatabaseUrlError, StoreError, async_url, cause_of
from bot.store.store import Store

__all__ = ["DatabaseUrlError", "Store", "StoreError", "async_url", "cause_of"]

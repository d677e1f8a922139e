"""Faults of the database at the start: whether waiting can help."""

from __future__ import annotations

import re

from bot.store.database import SchemaError, StoreError, driver_message
from bot.store.sqlite_file import UnopenableError

_PERMANENT_SQLITE_ERRORS = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_READONLY", "SQLITE_PERM")

_PERMANENT_STATES = ("28", "3D000", "3F000", "42501", "XX001", "XX002")
"""Beginnings of SQLSTATE: login, database, schema, rights, and damage."""

_PERMANENT_TEXTS = re.compile(
    r"(password|SASL) authentication failed|no password supplied|no pg_hba\.conf entry"
    r"|(database|role) \".*\" does not exist|no such (database|user)|is not permitted to log in"
    r"|permission denied for"
    r"|invalid connection option|invalid \S+ value|invalid (integer|port)"
    r"|unrecognized configuration parameter"
    r"|does not support SSL|certificate verify failed|root certificate"
    r"|certificate .*does not match"
)
"""While it connects, libpq gives no code, only texts, which are known here in English."""


def is_permanent(error: StoreError) -> bool:
    """Whether somebody has to change something before the database can be used.

    That is rights, damage, a wrong login or option, and another program's tables. A server that is
    away may come back, and a folder that is missing may be a disk that is mounted later.
    """
    if isinstance(error, UnopenableError):
        return error.is_permanent
    driver_error = getattr(error, "orig", None)
    sqlite_name = getattr(driver_error, "sqlite_errorname", None) or ""
    state = getattr(driver_error, "sqlstate", None) or ""
    return (
        isinstance(error, SchemaError)
        or sqlite_name.startswith(_PERMANENT_SQLITE_ERRORS)
        or state.startswith(_PERMANENT_STATES)
        or _PERMANENT_TEXTS.search(driver_message(error)) is not None
    )

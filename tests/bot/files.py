"""What other users of a machine may do with files."""

from __future__ import annotations

import os
import sqlite3  # noqa: F401 - before rights are dropped: root's own Python may be closed to others
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

_NOBODY = 65534


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """Do without root's rights, to which no file is closed; the folder is then the user's own."""
    if os.geteuid() != 0:
        yield
        return
    for module in ("bot.ops.backups", "bot.ops.restore"):
        import_module(module)  # main does, when the checkout may be closed to it
    for path in [folder, *folder.iterdir()]:
        os.chown(path, _NOBODY, _NOBODY)
    for parent in folder.parents:
        if parent.owner() == "root":
            parent.chmod(parent.stat().st_mode | stat.S_IXGRP | stat.S_IXOTH)
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)

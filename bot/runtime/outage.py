"""What is logged of an outage of the database: its beginning, and its end."""

from __future__ import annotations

import logging

_log = logging.getLogger(__name__)


class Outage:
    """Logs once that reads fail, once that writes fail, and once that neither does any longer.

    On a full disk reads succeed, and some writes too. So it ends at a successful health check, if
    nothing has failed since the one before.
    """

    def __init__(self) -> None:
        self._failed_reads = 0
        self._failed_writes = 0
        self._failed_lately = False

    def record_failure(self, error: Exception) -> None:
        self._failed_lately = True
        if _is_about_writing(error):
            if not self._failed_writes:
                _log.error("The database takes no writes: %s", error)
            self._failed_writes += 1
        else:
            if not self._failed_reads:
                _log.error("The database does not answer: %s", error)
            self._failed_reads += 1

    def record_healthy(self) -> None:
        if not self._failed_lately and (self._failed_reads or self._failed_writes):
            counts = (self._failed_reads, self._failed_writes)
            _log.warning("The database is well again; %d reads and %d writes had failed.", *counts)
            self._failed_reads = self._failed_writes = 0
        self._failed_lately = False


def _is_about_writing(error: Exception) -> bool:
    """Whether it was a statement that writes, or takes locks, which failed."""
    statement = getattr(error.__cause__, "statement", None) or "SELECT"
    only_reads = statement == "BEGIN" or statement.startswith("SELECT")
    return not only_reads or "FOR UPDATE" in statement

"""A clock that follows Discord's time, so that deadlines do not depend on the host's clock."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

_WARN_SKEW_SECONDS = 30

_MAX_TRUSTED_SKEW_SECONDS = 120

_log = logging.getLogger(__name__)


def _monotonic_seconds() -> float:
    return time.monotonic()  # looked up at each call: a simulation replaces it


class Clock:
    """Discord's time, as an offset to the monotonic clock.

    It is set by the Date of Discord's responses, which are new when they arrive. Interactions are
    not: after an outage, Discord sends those of the last minutes.
    """

    def __init__(
        self, host_time: Callable[[], datetime], monotonic: Callable[[], float] = _monotonic_seconds
    ) -> None:
        self._host_time = host_time
        self._monotonic = monotonic
        self._offset: float | None = None
        self._has_warned = False

    def observe(self, timestamp: datetime) -> None:
        """Set the clock to the time of a response that has just arrived."""
        self._offset = timestamp.timestamp() - self._monotonic()
        self._warn_once()

    def now(self) -> datetime:
        """Discord's time; the host's until a first timestamp is observed."""
        if self._offset is None:
            return self._host_time()
        return datetime.fromtimestamp(self._offset + self._monotonic(), UTC)

    def trusted_now(self) -> datetime | None:
        """Discord's time, by which matches end and old ones are deleted; None if it is uncertain.

        It is uncertain until a first timestamp is observed, and while it is far from the host's.
        """
        if self._offset is None or abs(self.skew_seconds()) > _MAX_TRUSTED_SKEW_SECONDS:
            return None
        return self.now()

    def skew_seconds(self) -> float:
        """By how many seconds the host's clock is fast; negative if it is slow."""
        return (self._host_time() - self.now()).total_seconds()

    def skew_warning(self) -> str | None:
        """What to say of the host's clock if it is wrong."""
        skew_seconds = self.skew_seconds()
        if abs(skew_seconds) <= _WARN_SKEW_SECONDS:
            return None
        return f"This host's clock is {skew_seconds:+.0f} seconds off: set it by NTP."

    def _warn_once(self) -> None:
        """Warn that the host's clock is wrong, and not again until it is right."""
        warning = self.skew_warning()
        if warning and not self._has_warned:
            _log.warning("%s", warning)
        self._has_warned = warning is not None

"""Discord's time: deadlines are kept by it, whatever the host's clock says."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime

_MAX_SAMPLES = 20

_WARN_SKEW_SECONDS = 30

_MAX_TRUSTED_SKEW_SECONDS = 120

_log = logging.getLogger(__name__)


def _monotonic_seconds() -> float:
    return time.monotonic()  # looked up at each call: a simulation replaces it


class Clock:
    """Discord's time, as an offset to the monotonic clock.

    A timestamp of Discord's is already past when it arrives, so the greatest of the last few
    offsets is the best; an interaction that comes late, or twice, changes nothing.
    """

    def __init__(
        self, host_time: Callable[[], datetime], seconds: Callable[[], float] = _monotonic_seconds
    ) -> None:
        self._host_time = host_time
        self._seconds = seconds
        self._observed: deque[float] = deque(maxlen=_MAX_SAMPLES)
        self._offset: float | None = None
        self._has_warned = False

    def observe(self, at_discord: datetime) -> None:
        """Note a timestamp of Discord's: when it made an id, or sent an answer."""
        self._observed.append(at_discord.timestamp() - self._seconds())
        self._offset = max(self._observed)
        self._warn_host()

    def now(self) -> datetime:
        """Discord's time; the host's until a first timestamp is noted."""
        if self._offset is None:
            return self._host_time()
        return datetime.fromtimestamp(self._offset + self._seconds(), UTC)

    def trusted_now(self) -> datetime | None:
        """Discord's time, to end matches and delete old ones by; None while it is not certain.

        It is not until a first timestamp is noted, nor while it is far from the host's.
        """
        is_far = abs(self.skew_seconds()) > _MAX_TRUSTED_SKEW_SECONDS
        return None if self._offset is None or is_far else self.now()

    def skew_seconds(self) -> float:
        """How many seconds the host's clock is fast; negative if it is slow."""
        return (self._host_time() - self.now()).total_seconds()

    def _warn_host(self) -> None:
        """Warn once that the clock is wrong, until it is right again."""
        off = self.skew_seconds()
        is_wrong = abs(off) > _WARN_SKEW_SECONDS
        if is_wrong and not self._has_warned:
            _log.warning("This host's clock is %+.0f seconds off: set it by NTP.", off)
        self._has_warned = is_wrong

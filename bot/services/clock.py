"""Discord's time: deadlines are kept by it, whatever the host's clock says."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime

_OBSERVED = 20

_WORTH_A_WARNING_SECONDS = 30

_TOO_FAR_APART_SECONDS = 120

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
        self._observed: deque[float] = deque(maxlen=_OBSERVED)
        self._offset: float | None = None
        self._was_told = False

    def observe(self, at_discord: datetime) -> None:
        """Note a timestamp of Discord's: when it made an id, or sent an answer."""
        self._observed.append(at_discord.timestamp() - self._seconds())
        self._offset = max(self._observed)
        self._tell_host()

    def now(self) -> datetime:
        """Discord's time; the host's until a first timestamp is noted."""
        if self._offset is None:
            return self._host_time()
        return datetime.fromtimestamp(self._offset + self._seconds(), UTC)

    def trusted(self) -> datetime | None:
        """Discord's time, to end matches and delete old ones by; None while it is not certain.

        It is not until a first timestamp is noted, nor while it is far from the host's.
        """
        is_far = abs(self.ahead_seconds()) > _TOO_FAR_APART_SECONDS
        return None if self._offset is None or is_far else self.now()

    def ahead_seconds(self) -> float:
        """How many seconds the host's clock is fast; negative if it is slow."""
        return (self._host_time() - self.now()).total_seconds()

    def _tell_host(self) -> None:
        """Warn once that the clock is wrong, until it is right again."""
        off = self.ahead_seconds()
        is_wrong = abs(off) > _WORTH_A_WARNING_SECONDS
        if is_wrong and not self._was_told:
            _log.warning("This host's clock is %+.0f seconds off: set it by NTP.", off)
        self._was_told = is_wrong

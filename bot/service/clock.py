"""What time it is at Discord: deadlines are kept by it, whatever the host's clock says."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

LONG_AGO = datetime(2015, 1, 1, tzinfo=UTC)
"""Discord's ids count from here: nothing of ours is older."""

_OBSERVED = 20
_WORTH_A_WARNING = timedelta(seconds=30)
_TOO_FAR_APART = timedelta(minutes=2)

_log = logging.getLogger(__name__)


def _monotonic_seconds() -> float:
    return time.monotonic()  # looked up anew each time: a simulation has one of its own


class Clock:
    """Discord's time, counted on from what its ids and answers said.

    What they say has passed by the time we hear of it, so the latest of the last few is right;
    an interaction that comes late, or twice, changes nothing. In between, seconds are counted by
    a clock that nobody sets.
    """

    def __init__(
        self,
        host_time: Callable[[], datetime],
        seconds: Callable[[], float] = _monotonic_seconds,
    ) -> None:
        self._host_time = host_time
        self._seconds = seconds
        self._observed: deque[float] = deque(maxlen=_OBSERVED)
        self._offset: float | None = None
        self._was_told = False

    def observe(self, at_discord: datetime) -> None:
        """Note a moment that has passed at Discord: an id was made then, or an answer sent."""
        self._observed.append(at_discord.timestamp() - self._seconds())
        self._offset = max(self._observed)
        self._tell_host()

    def now(self) -> datetime:
        """Discord's time; the host's, as long as nothing was heard from Discord."""
        if self._offset is None:
            return self._host_time()
        return datetime.fromtimestamp(self._offset + self._seconds(), UTC)

    def passed(self) -> datetime:
        """A moment that has passed for certain: whatever was due by then is late.

        That is long ago while Discord's time is not known, or the host's is far from it.
        """
        is_known = self._offset is not None and self._apart() <= _TOO_FAR_APART
        return self.now() if is_known else LONG_AGO

    def ahead_seconds(self) -> float:
        """By how much the host's clock is fast; slow where it is negative."""
        return (self._host_time() - self.now()).total_seconds()

    def _apart(self) -> timedelta:
        return abs(self._host_time() - self.now())

    def _tell_host(self) -> None:
        """Once, until the clock is right again."""
        is_wrong = self._apart() > _WORTH_A_WARNING
        if is_wrong and not self._was_told:
            off = self.ahead_seconds()
            _log.warning("This host's clock is %+.0f seconds off: set it by NTP.", off)
        self._was_told = is_wrong


def first_id_at(moment: datetime) -> int:
    """The least id that Discord gives out at a moment: its ids begin with the milliseconds."""
    return int((moment - LONG_AGO).total_seconds() * 1000) << 22

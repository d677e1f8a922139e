"""Other processes with this bot's token: on its database, or on another one."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping

_ALONE_SECONDS = 60
_MEMORY_SECONDS = 10 * 60
_WARN_AGAIN_SECONDS = 60 * 60

_MIN_ANSWERS = 2
"""One may be our own, sent again after its response was lost."""

_SENTENCE = (
    "another bot with this token answers, with a database of its own: people get answers from"
    " either; stop one of the two"
)

_log = logging.getLogger(__name__)


class Neighbours:
    """Warns of other processes: of one on this database once, of one on another every hour."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._others: Mapping[str, int] = {}
        self._known = set[str]()
        self._with_others_at = monotonic()
        self._answered_elsewhere = 0
        self._answers = deque[float]()
        self._warned_at: float | None = None

    def observe(self, others: Mapping[str, int], answered_elsewhere: int) -> None:
        """Take note of the other processes in the database, by when each was seen there.

        `answered_elsewhere` counts the interactions that other processes were faster to answer.
        """
        now = self._monotonic()
        for name, seen_at in others.items():
            # One that was killed is not seen again.
            if name not in self._known and seen_at > self._others.get(name, seen_at):
                self._known.add(name)
                _log.warning(
                    "Another process runs on this database, %s: that is right for a deploy, and"
                    " where each has shards of its own.",
                    name,
                )
        self._known &= others.keys()
        self._others = others
        if others:
            self._with_others_at = now
        news = answered_elsewhere - self._answered_elsewhere
        self._answered_elsewhere = answered_elsewhere
        if now - self._with_others_at >= _ALONE_SECONDS:
            self._answers.extend([now] * news)
        else:
            self._answers.clear()
        while self._answers and now - self._answers[0] > _MEMORY_SECONDS:
            self._answers.popleft()

    def problems(self) -> list[str]:
        """What is wrong; it is logged, too."""
        if len(self._answers) < _MIN_ANSWERS:
            return []
        now = self._monotonic()
        if self._warned_at is None or now - self._warned_at >= _WARN_AGAIN_SECONDS:
            self._warned_at = now
            _log.warning("%s.", _SENTENCE[0].upper() + _SENTENCE[1:])
        return [_SENTENCE]

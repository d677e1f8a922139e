"""Background work: nobody waits for it, so its failures are only logged."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bot.game.refusal import LeavingError, OutageError
from bot.replies.failures import DISCORD_ERRORS, cause_of

_log = logging.getLogger(__name__)


@contextmanager
def logged(failed: str) -> Iterator[None]:
    """Log and suppress errors in background work; each message starts with `failed`."""
    try:
        yield
    except LeavingError:
        pass
    except OutageError as error:
        _log.error("%s: %s", failed, error)
    except DISCORD_ERRORS as error:
        _log.warning("%s: %s", failed, cause_of(error))
    except Exception:  # noqa: BLE001 - nobody else would hear of it
        _log.exception("%s.", failed)

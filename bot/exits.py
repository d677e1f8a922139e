"""Why the bot ends: for each error an exit code, and a sentence that tells the host."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import aiohttp
import discord
from sqlalchemy import URL

from bot.client.reconnect import MAX_REFUSED_SECONDS, must_slow_down
from bot.client.responses import NotDiscordError
from bot.store.database import StoreError, driver_message, full_disk_hint
from bot.store.faults import is_permanent

CANNOT_START = 1
"""To be started again: it may work by then."""

WRONG_SETTING = 2
"""Not to be started again before somebody has changed something."""

ENDING_ERRORS = (discord.DiscordException, StoreError, aiohttp.ClientError, OSError)
"""What ends the bot; any other exception is a fault of its own."""

_TOKEN_REFUSED = 4004
_SHARDING_REFUSED = {4010, 4011}
_VERSION_REFUSED = {4012, 4013, 50041}
"""Discord's codes for a version of its API, or intents, that it does not know (any longer)."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How to end: by which code, with which sentence, and after how many seconds."""

    code: int
    sentence: str
    delay_seconds: int = 0


def exit_because_of(error: Exception, database: URL) -> Exit:  # noqa: PLR0911 - one for each
    """How to end after one of the `ENDING_ERRORS`."""
    if isinstance(error, StoreError):
        is_for_good = is_permanent(error)
        sentence = _database_sentence(error, database)
        return Exit(WRONG_SETTING if is_for_good else CANNOT_START, sentence)
    if isinstance(error, NotDiscordError):
        return Exit(
            CANNOT_START,
            f"It is not Discord that answers, but maybe a proxy or a login page: {error}",
        )
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        sentence = (
            "What answers as Discord has no certificate that is trusted. Is the clock right, are"
            f" the CA certificates there, does a proxy read along? {error.certificate_error}"
        )
        return Exit(CANNOT_START, sentence)
    code = error.code if isinstance(error, (discord.HTTPException, discord.ConnectionClosed)) else 0
    if isinstance(error, discord.LoginFailure) or code == _TOKEN_REFUSED:
        sentence = "Discord refused DISCORD_TOKEN: reset it in the developer portal."
        return Exit(WRONG_SETTING, sentence)
    if code in _SHARDING_REFUSED:
        sentence = "Discord refused SHARD_COUNT and SHARD_IDS: it wants more shards."
        return Exit(WRONG_SETTING, sentence)
    if code in _VERSION_REFUSED:
        sentence = f"Discord does not speak with this release any longer: update it. ({error})"
        return Exit(WRONG_SETTING, sentence)
    if must_slow_down(error):
        sentence = f"Discord refuses to be asked, as if this address had asked too often: {error}"
        return Exit(CANNOT_START, sentence, MAX_REFUSED_SECONDS)
    return Exit(CANNOT_START, f"Discord cannot be reached: {str(error) or type(error).__name__}")


def _database_sentence(error: StoreError, database: URL) -> str:
    backend = database.get_backend_name()
    sentence = f"DATABASE_URL: this {backend} database cannot be used: {driver_message(error)}"
    if backend == "sqlite":
        sentence += full_disk_hint(Path(str(database.database)).parent)
    return sentence

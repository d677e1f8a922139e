"""A word to the owner: posts to the webhook of OWNER_WEBHOOK_URL, if it is set."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Self

from aiohttp import ClientSession
from discord import AllowedMentions, Webhook
from discord.http import Route
from yarl import URL

from bot.config import Config
from bot.logs import masker
from bot.messaging.errors import DISCORD_ERRORS, error_summary

_POST_SECONDS = 10
_LAST_WORD_SECONDS = 3
_MAX_LENGTH = 2000

_log = logging.getLogger(__name__)


class Owner:
    """Posts sentences to the webhook at a URL; nothing where that is None."""

    def __init__(
        self, url: str | None, proxy: str | None = None, secrets: Sequence[str] = ()
    ) -> None:
        self._url = url
        self._proxy = proxy
        self._mask = masker(secrets)
        self._posts = set[asyncio.Task[None]]()

    @classmethod
    def of(cls, config: Config) -> Self:
        proxy = config.proxy_to(URL(Route.BASE).host or "")
        return cls(config.owner_webhook_url, proxy, config.secrets())

    def tell(self, sentence: str) -> None:
        """Post a sentence, for which nobody waits."""
        post = asyncio.create_task(self._post(sentence, _POST_SECONDS))
        self._posts.add(post)
        post.add_done_callback(self._posts.discard)

    async def tell_last(self, sentence: str) -> None:
        """Post a sentence before the bot ends."""
        await self._post(sentence, _LAST_WORD_SECONDS)

    async def _post(self, sentence: str, seconds: float) -> None:
        if self._url is None:
            return
        try:
            async with asyncio.timeout(seconds), ClientSession(proxy=self._proxy) as session:
                webhook = Webhook.from_url(self._url, session=session)
                text = self._mask(f"Velha: {sentence}")[:_MAX_LENGTH]
                await webhook.send(text, allowed_mentions=AllowedMentions.none())
        except DISCORD_ERRORS as error:
            _log.warning("OWNER_WEBHOOK_URL: nothing was posted: %s", error_summary(error))

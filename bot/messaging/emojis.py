"""The bot's own emojis for the two marks, which differ in shape and colour on any theme.

They are application emojis. When they are not available, ❌ and ⭕ are shown instead.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import discord
from discord import ui
from discord.ext import commands

from bot.messaging.errors import DISCORD_ERRORS, error_summary
from bot.views.i18n import PLAIN_SYMBOLS, Symbols
from engine import Mark

Result = TypeVar("Result")

_FOLDER = Path(__file__).parent / "images"

IMAGES = {mark: _FOLDER / f"velha_{mark.value}.png" for mark in Mark}
"""The image of each mark's emoji; `make picture` renders it from the SVG beside it."""

_INVALID_FORM = 50035

_LOADING_SECONDS = 10

_log = logging.getLogger(__name__)


Draw = Callable[[Symbols], ui.LayoutView]
"""Draws a message with the given symbols."""


class Emojis:
    """The symbols with which messages are drawn: our emojis, or ❌ and ⭕."""

    def __init__(self) -> None:
        self.symbols = PLAIN_SYMBOLS

    async def load(self, bot: commands.AutoShardedBot) -> None:
        """Fetch our emojis, and upload those that are missing; on failure, do without them."""
        try:
            async with asyncio.timeout(_LOADING_SECONDS):
                known = await _fetch_by_name(bot)
                missing = [image for image in IMAGES.values() if image.stem not in known]
                for image in missing:
                    with suppress(discord.HTTPException):  # another process was faster
                        await bot.create_application_emoji(
                            name=image.stem, image=image.read_bytes()
                        )
                if missing:
                    known = await _fetch_by_name(bot)
                x, o = (str(known[IMAGES[mark].stem]) for mark in (Mark.X, Mark.O))
                self.symbols = Symbols(x, o)
        except (*DISCORD_ERRORS, KeyError) as error:
            _log.warning(
                "The marks are ❌ and ⭕, as our own emojis are unavailable: %s",
                error_summary(error),
            )

    async def send(
        self, draw: Draw, deliver: Callable[[ui.LayoutView], Awaitable[Result]]
    ) -> Result:
        """Draw a message and send it; if our emojis were deleted, draw it again with ❌ and ⭕."""
        symbols = self.symbols
        try:
            return await deliver(draw(symbols))
        except discord.HTTPException as error:
            if symbols == PLAIN_SYMBOLS or not _is_about_emojis(error):
                raise
        if self.symbols != PLAIN_SYMBOLS:  # another message may have noticed it first
            _log.warning("Our own emojis were deleted: from now on the marks are ❌ and ⭕.")
            self.symbols = PLAIN_SYMBOLS
        return await deliver(draw(PLAIN_SYMBOLS))


async def _fetch_by_name(bot: commands.AutoShardedBot) -> dict[str, discord.PartialEmoji]:
    emojis = await bot.fetch_application_emojis()
    return {emoji.name: discord.PartialEmoji(name=emoji.name, id=emoji.id) for emoji in emojis}


def _is_about_emojis(error: discord.HTTPException) -> bool:
    return error.code == _INVALID_FORM and "emoji" in error.text.lower()

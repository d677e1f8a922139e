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
from bot.views.i18n import SYMBOLS

Result = TypeVar("Result")

_FOLDER = Path(__file__).parent / "images"

IMAGES = {symbol: _FOLDER / f"velha_{mark.value}.png" for mark, symbol in SYMBOLS.items()}
"""The image of each symbol's emoji; `make picture` renders it from the SVG beside it."""

_INVALID_FORM = 50035

_LOADING_SECONDS = 10

_log = logging.getLogger(__name__)


class Emojis:
    """Replaces ❌ and ⭕ in messages with our emojis."""

    def __init__(self) -> None:
        self._by_symbol: dict[str, discord.PartialEmoji] = {}

    async def load(self, bot: commands.AutoShardedBot) -> None:
        """Fetch our emojis, and upload those that are missing; on failure, do without them."""
        try:
            async with asyncio.timeout(_LOADING_SECONDS):
                known = await _known(bot)
                missing = [image for image in IMAGES.values() if image.stem not in known]
                for image in missing:
                    with suppress(discord.HTTPException):  # another process was faster
                        await bot.create_application_emoji(
                            name=image.stem, image=image.read_bytes()
                        )
                if missing:
                    known = await _known(bot)
                self._by_symbol = {sign: known[image.stem] for sign, image in IMAGES.items()}
        except (*DISCORD_ERRORS, KeyError) as error:
            _log.warning(
                "The marks are ❌ and ⭕, for our own cannot be had: %s", error_summary(error)
            )

    async def show(self, view: ui.LayoutView, show: Callable[[], Awaitable[Result]]) -> Result:
        """Show a view with our emojis; if somebody has deleted them, retry with ❌ and ⭕."""
        marks = self._by_symbol
        for symbol, emoji in marks.items():
            _replace(view, discord.PartialEmoji(name=symbol), emoji)
        try:
            return await show()
        except discord.HTTPException as error:
            if not marks or not _is_about_emojis(error):
                raise
        if self._by_symbol:  # another message may have noticed it first
            _log.warning("Our own marks are gone: from now on they are ❌ and ⭕.")
            self._by_symbol = {}
        for symbol, emoji in marks.items():
            _replace(view, emoji, discord.PartialEmoji(name=symbol))
        return await show()


async def _known(bot: commands.AutoShardedBot) -> dict[str, discord.PartialEmoji]:
    emojis = await bot.fetch_application_emojis()
    return {emoji.name: discord.PartialEmoji(name=emoji.name, id=emoji.id) for emoji in emojis}


def _is_about_emojis(error: discord.HTTPException) -> bool:
    return error.code == _INVALID_FORM and "emoji" in error.text.lower()


def _replace(view: ui.LayoutView, old: discord.PartialEmoji, new: discord.PartialEmoji) -> None:
    for item in view.walk_children():
        if isinstance(item, ui.TextDisplay):
            item.content = item.content.replace(str(old), str(new))
        elif isinstance(item, ui.Button) and item.emoji == old:
            item.emoji = new

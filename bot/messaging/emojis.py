"""The bot's own emojis for the cells of a board, which make its columns straight.

They are application emojis. Until all of them are there, boards have labels, and ❌ and ⭕.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import discord
from discord.ext import commands

from bot.domain.matches import MAX_BOARD_SIZE
from bot.messaging.errors import DISCORD_ERRORS, error_summary
from bot.messaging.waiting import wait_for_discord
from bot.views.symbols import PLAIN_SYMBOLS, CellState, Symbols, mark_emoji
from engine import Mark, Rules

_FOLDER = Path(__file__).parent / "images"
_LARGEST_BOARD = Rules(MAX_BOARD_SIZE, MAX_BOARD_SIZE, MAX_BOARD_SIZE)

_EMOJI_NAMES = [
    *map(_LARGEST_BOARD.coordinate, _LARGEST_BOARD.cells),
    *(mark_emoji(mark, state) for mark in Mark for state in CellState),
]

IMAGES = {name: _FOLDER / f"{name}.png" for name in _EMOJI_NAMES}
"""The image of each emoji by its name; `make picture` draws those that are missing.

Images are uploaded once and never replaced, as boards in channels still show them: one that is to
change gets another name. An emoji that was replaced by hand is used by its name as well.
"""

_INVALID_FORM_BODY = 50035
_LOADING_SECONDS = 10

_UPLOAD_PAUSE_SECONDS = 1
"""Between uploads. Discord publishes no limit for applications; discord.py obeys its answers."""

_log = logging.getLogger(__name__)


class Emojis:
    """The symbols with which messages are drawn: all of our emojis, or none."""

    def __init__(self) -> None:
        self.symbols = PLAIN_SYMBOLS
        self._last_problem = ""

    async def load(self, bot: commands.AutoShardedBot, *, uploads: bool) -> None:
        """Use our emojis once they are all there; `uploads` says whether to upload those missing.

        A problem is logged once, and left to the next call: also that another process was faster.
        """
        if self.symbols is not PLAIN_SYMBOLS:
            return
        try:
            emojis = await wait_for_discord(bot.fetch_application_emojis(), _LOADING_SECONDS)
            markup_by_name = {emoji.name: str(emoji) for emoji in emojis}
            for name, file in IMAGES.items():
                if uploads and name not in markup_by_name:
                    image = await asyncio.to_thread(file.read_bytes)
                    emoji = await bot.create_application_emoji(name=name, image=image)
                    markup_by_name[name] = str(emoji)
                    await asyncio.sleep(_UPLOAD_PAUSE_SECONDS)
        except DISCORD_ERRORS as error:
            problem = error_summary(error)
            if problem != self._last_problem:
                _log.warning("Boards have labels, as our own emojis are unavailable: %s", problem)
            self._last_problem = problem
            return
        if markup_by_name.keys() >= IMAGES.keys():
            self.symbols = Symbols({name: markup_by_name[name] for name in IMAGES})
            self._last_problem = ""

    def check(self, error: Exception) -> None:
        """Draw without our emojis from now on, if an error says that they were deleted.

        Whoever presses next gets the board with labels.
        """
        if self.symbols is PLAIN_SYMBOLS or not isinstance(error, discord.HTTPException):
            return
        if error.code == _INVALID_FORM_BODY and "emoji" in error.text.lower():
            _log.warning("Our own emojis were deleted: boards have labels until they are back.")
            self.symbols = PLAIN_SYMBOLS

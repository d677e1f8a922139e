"""The bot's own emojis for the marks: easy to see, and never in the way of a board."""

from __future__ import annotations

import re
from pathlib import Path

import aiohttp
import pytest

from bot.messaging.emojis import IMAGES
from tests.bot.simulated_guild import SimulatedGuild

OURS = ["velha_o", "velha_x"]
LARGEST_BYTES = 256 * 1024


def uploaded_emojis(guild: SimulatedGuild) -> list[str]:
    return sorted(emoji.name for emoji in guild.env.backend.application_emojis.values())


def emojis_on_board(guild: SimulatedGuild) -> list[str]:
    emojis = [button.get("emoji") for row in guild.newest().rows for button in row]
    return sorted({emoji["name"] for emoji in emojis if emoji})


async def test_emojis_are_uploaded_once(guild: SimulatedGuild) -> None:
    assert uploaded_emojis(guild) == OURS
    await guild.restart()
    assert uploaded_emojis(guild) == OURS


async def test_boards_and_their_text_show_the_emojis(guild: SimulatedGuild) -> None:
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    assert emojis_on_board(guild) == OURS
    text = str(guild.newest().payload["components"])
    assert "<:velha_x:" in text
    assert "❌" not in text


async def test_a_board_is_shown_without_emojis_that_were_deleted(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    guild.refuse_emojis()
    await guild.play((guild.ana, "B2"), (guild.ben, "A1"))
    assert guild.board() == "o.. .x. ..."
    assert emojis_on_board(guild) == ["❌", "⭕"]
    assert "<:velha_x:" not in str(guild.newest().payload)


async def test_two_boards_refused_for_their_emojis_at_once_are_both_shown(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    for _ in range(2):
        guild.refuse_emojis("/interactions/*")
    await guild.press_at_once((guild.ana, "A1"), (guild.ana, "A1"))
    assert guild.board() == "x.. ... ..."


async def test_a_board_edited_by_message_id_is_shown_without_deleted_emojis(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    await guild.press(guild.ana, "B2")
    guild.refuse_emojis("/channels/*/messages/*")
    await guild.ana.slash(guild.channel, "velha stop")
    assert "resigned" in guild.text()
    assert emojis_on_board(guild) == ["❌"]


@pytest.mark.parametrize("fault", [(403, 0), (500, 0), aiohttp.ServerDisconnectedError])
async def test_the_bot_starts_and_plays_without_emojis_if_it_cannot_get_them(
    guild: SimulatedGuild, fault: tuple[int, int] | type[Exception]
) -> None:
    guild.fail("/applications/*/emojis", fault)
    await guild.restart()
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    assert emojis_on_board(guild) == ["❌", "⭕"]


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb, as WCAG 2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("image", IMAGES.values(), ids=lambda image: image.stem)
def test_an_emoji_contrasts_more_than_a_label_on_a_button(image: Path) -> None:
    plate, glyph = re.findall("#[0-9a-f]{6}", image.with_suffix(".svg").read_text())
    assert (luminance(glyph) + 0.05) / (luminance(plate) + 0.05) > 9.5
    assert image.read_bytes().startswith(b"\x89PNG")
    assert image.stat().st_size < LARGEST_BYTES

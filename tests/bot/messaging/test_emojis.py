"""The bot's own emojis for the marks: easy to see, and never in the way of a board."""

from __future__ import annotations

import re
from pathlib import Path

import aiohttp
import pytest

from bot.messaging.emojis import IMAGES
from tests.bot.house import SimulatedGuild

OURS = ["velha_o", "velha_x"]
LARGEST_BYTES = 256 * 1024


def uploaded(house: SimulatedGuild) -> list[str]:
    return sorted(emoji.name for emoji in house.env.backend.application_emojis.values())


def drawn_with(house: SimulatedGuild) -> list[str]:
    emojis = [button.get("emoji") for row in house.seen().rows for button in row]
    return sorted({emoji["name"] for emoji in emojis if emoji})


async def test_emojis_are_uploaded_once(house: SimulatedGuild) -> None:
    assert uploaded(house) == OURS
    await house.restart()
    assert uploaded(house) == OURS


async def test_boards_and_their_text_show_the_emojis(house: SimulatedGuild) -> None:
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    assert drawn_with(house) == OURS
    text = str(house.seen().payload["components"])
    assert "<:velha_x:" in text
    assert "❌" not in text


async def test_a_board_is_shown_without_emojis_that_were_deleted(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    house.refuse_emojis()
    await house.play((house.ana, "B2"), (house.ben, "A1"))
    assert house.board() == "o.. .x. ..."
    assert drawn_with(house) == ["❌", "⭕"]
    assert "<:velha_x:" not in str(house.seen().payload)


async def test_two_boards_refused_for_their_emojis_at_once_are_both_shown(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    for _ in range(2):
        house.refuse_emojis("/interactions/*")
    await house.press_at_once((house.ana, "A1"), (house.ana, "A1"))
    assert house.board() == "x.. ... ..."


async def test_a_board_edited_by_message_id_is_shown_without_deleted_emojis(
    house: SimulatedGuild,
) -> None:
    await house.challenge()
    await house.press(house.ana, "B2")
    house.refuse_emojis("/channels/*/messages/*")
    await house.ana.slash(house.channel, "velha stop")
    assert "resigned" in house.text()
    assert drawn_with(house) == ["❌"]


@pytest.mark.parametrize("fault", [(403, 0), (500, 0), aiohttp.ServerDisconnectedError])
async def test_the_bot_starts_and_plays_without_emojis_if_it_cannot_get_them(
    house: SimulatedGuild, fault: tuple[int, int] | type[Exception]
) -> None:
    house.fail("/applications/*/emojis", fault)
    await house.restart()
    await house.start(house.ana)
    await house.press(house.ana, "B2")
    assert drawn_with(house) == ["❌", "⭕"]


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

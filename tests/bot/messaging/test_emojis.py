"""The bot's own emojis: easy to see, all of them or none, and never in the way of a board."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import aiohttp
import pytest
from PIL import Image

from bot.messaging.emojis import IMAGES, Emojis
from bot.views.symbols import PLAIN_SYMBOLS
from tests.bot.simulated_guild import SimulatedGuild, private_text

MOST_IMAGES = 50
MOST_BYTES = 20_000
"""An image is seen at twenty pixels or so; Discord takes 256 KB."""

BACKGROUNDS = {
    "dark, a message": "#1a1a1e",
    "dark, a button": "#29292e",
    "ash, a message": "#323339",
    "ash, a button": "#3e3f45",
    "light, a message": "#ffffff",
    "light, a button": "#f2f2f3",
}
"""Discord's themes since 2025, as its style sheet has them: a secondary button lays
`--control-secondary-background-default`, hsl(240 4% 60.784% / 0.1216), on the message."""

UPLOAD_MINUTES = 11
"""How soon what was missing has been uploaded."""

COORDINATES = [f"{column}{row}" for row in range(1, 6) for column in "ABCDE"]
MARKS = [f"{mark}_{state}" for mark in "XO" for state in ("", "last", "line", "vanishing")]
EMOJIS = "/applications/*/emojis"
OTHERS = ["velha_o", "velha_x"]
"""Emojis of the application that are not the bot's."""


def uploaded_emojis(guild: SimulatedGuild) -> list[str]:
    return sorted(emoji.name for emoji in guild.env.backend.application_emojis.values())


def faces(guild: SimulatedGuild) -> list[str]:
    """What the cells of the newest board show."""
    return [
        button["emoji"]["name"] if button.get("emoji") else button["label"]
        for row in guild.newest().rows[:3]
        for button in row
    ]


def delete_emojis(guild: SimulatedGuild, names: Iterable[str]) -> None:
    emojis = guild.env.backend.application_emojis
    for emoji_id in [emoji.id for emoji in emojis.values() if emoji.name in names]:
        del emojis[emoji_id]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    records = [record for record in caplog.records if record.name == "bot.messaging.emojis"]
    assert {record.levelno for record in records} <= {logging.WARNING}
    return [record.getMessage() for record in records]


# What boards show


async def test_every_cell_of_a_board_is_an_emoji(guild: SimulatedGuild) -> None:
    await guild.challenge()
    assert faces(guild) == ["A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"]
    await guild.play((guild.ana, "B2"), (guild.ben, "A1"))
    assert faces(guild) == ["O_last", "B1", "C1", "A2", "X_", "C2", "A3", "B3", "C3"]
    assert "<:X_:" in str(guild.newest().payload["components"])
    assert "❌" not in str(guild.newest().payload["components"])


async def test_boards_have_their_emojis_before_the_first_upload(guild: SimulatedGuild) -> None:
    """Those that are there are asked for at the start, and again if that failed."""
    guild.fail(EMOJIS, (403, 0), method="GET", times=1)
    await guild.restart()
    await guild.challenge()
    assert faces(guild)[0] == "A1"
    assert "emoji" in guild.newest().rows[0][0]


async def test_a_line_is_told_by_the_marks_in_it(guild: SimulatedGuild) -> None:
    await guild.challenge()
    for number, cell in enumerate(("A1", "A2", "B1", "B2", "C1")):
        await guild.press(guild.ben if number % 2 else guild.ana, cell)
    assert faces(guild) == ["X_line", "X_line", "X_line", "O_", "O_", "C2", "A3", "B3", "C3"]


async def test_the_mark_that_vanishes_next_is_told_and_not_dimmed(guild: SimulatedGuild) -> None:
    await guild.challenge(board="infinite")
    for number, cell in enumerate(("A1", "B1", "B2", "C3", "C1", "A3")):
        await guild.press(guild.ben if number % 2 else guild.ana, cell)
    assert faces(guild)[0] == "X_vanishing"
    assert not guild.newest().buttons["A1"].get("disabled")
    said = private_text(await guild.press(guild.ana, "A1"))
    assert said == "Essa casa já está ocupada. Aperte uma livre."


# Uploads


async def test_the_bot_plays_at_once_and_switches_when_all_emojis_are_there(
    guild: SimulatedGuild,
) -> None:
    delete_emojis(guild, IMAGES)
    for name in OTHERS:
        guild.env.backend.create_application_emoji(name)
    guild.fail(EMOJIS, (500, 0), method="POST")
    await guild.restart()
    await guild.challenge()
    await guild.press(guild.ana, "B2")
    assert faces(guild)[4] == "❌"
    assert guild.newest().buttons["A1"]["label"] == "A1"
    guild.sql("UPDATE matches SET deadline_at = deadline_at + 9999")
    guild.recover()
    await guild.advance_time(minutes=UPLOAD_MINUTES)
    assert uploaded_emojis(guild) == sorted([*IMAGES, *OTHERS]), "none was deleted"
    await guild.press(guild.ben, "A1", guild.newest())
    assert faces(guild)[:5] == ["O_last", "B1", "C1", "A2", "X_"]
    assert "label" not in guild.newest().buttons["C3"]


async def test_emojis_are_uploaded_once(guild: SimulatedGuild) -> None:
    await guild.restart()
    await guild.env.advance_time(60)
    assert uploaded_emojis(guild) == sorted(IMAGES)


async def test_half_a_set_is_not_shown_which_is_logged_once_and_an_upload_is_tried_again(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    """As at the limit of emojis that an application can have."""
    guild.stop_background_tasks()
    delete_emojis(guild, ["E4", "E5"])
    guild.fail(EMOJIS, (400, 30008), method="POST")
    emojis = Emojis()
    for _ in range(3):
        await emojis.load(guild.bots[-1], uploads=True)
    (warning,) = warnings(caplog)
    assert warning.startswith("Boards have labels, as our own emojis are unavailable: 400")
    assert emojis.symbols is PLAIN_SYMBOLS
    guild.recover()
    uploading = asyncio.create_task(emojis.load(guild.bots[-1], uploads=True))
    while not uploading.done():
        await guild.env.advance_time(2)
    assert uploaded_emojis(guild) == sorted(IMAGES)
    assert emojis.symbols is not PLAIN_SYMBOLS


async def test_of_two_processes_that_upload_at_once_the_slower_one_uses_what_the_other_has(
    guild: SimulatedGuild,
) -> None:
    """Discord refuses a name that an application has already."""
    guild.stop_background_tasks()
    delete_emojis(guild, ["E4", "E5"])
    guild.fail(EMOJIS, (400, 50035), method="POST")
    slower = Emojis()
    await slower.load(guild.bots[-1], uploads=True)
    assert slower.symbols is PLAIN_SYMBOLS
    guild.recover()
    for name in ("E4", "E5"):
        guild.env.backend.create_application_emoji(name)
    await slower.load(guild.bots[-1], uploads=True)
    assert slower.symbols is not PLAIN_SYMBOLS
    assert uploaded_emojis(guild) == sorted(IMAGES)


async def test_an_emoji_replaced_by_hand_is_used_by_its_name(guild: SimulatedGuild) -> None:
    delete_emojis(guild, ["A1"])
    replaced = guild.env.backend.create_application_emoji("A1")
    await guild.restart()
    await guild.start(guild.ana)
    assert int(guild.newest().buttons["A1"]["emoji"]["id"]) == replaced.id


# Deleted emojis


async def test_a_board_is_shown_without_emojis_that_were_deleted_until_they_are_back(
    guild: SimulatedGuild,
) -> None:
    await guild.challenge()
    delete_emojis(guild, ["A1", "X_"])
    guild.refuse_emojis()
    await guild.play((guild.ana, "B2"), (guild.ben, "A1"))
    assert guild.board() == "o.. .x. ..."
    assert set(faces(guild)) <= {*COORDINATES, "❌", "⭕"}
    assert "<:" not in str(guild.newest().payload)
    await guild.advance_time(minutes=UPLOAD_MINUTES)
    assert uploaded_emojis(guild) == sorted(IMAGES)
    await guild.start(guild.ana)
    assert "label" not in guild.newest().buttons["A1"]


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
    await guild.stop(guild.ana)
    assert "resigned" in guild.text()
    assert faces(guild)[4] == "❌"


async def test_a_page_with_deleted_emojis_is_refused_once_and_then_drawn_without(
    guild: SimulatedGuild, caplog: pytest.LogCaptureFixture
) -> None:
    await guild.start(guild.ana)
    guild.refuse_emojis()
    refused = await guild.press(guild.ana, "Hint")
    assert "Algo deu errado" in private_text(refused)
    await guild.press(guild.ana, "Hint")
    assert "label" in guild.page().buttons["A1"]
    assert "Our own emojis were deleted" in str(warnings(caplog))


@pytest.mark.parametrize("fault", [(403, 0), aiohttp.ServerDisconnectedError])
async def test_the_bot_starts_and_plays_without_emojis_if_it_cannot_get_them(
    guild: SimulatedGuild, fault: tuple[int, int] | type[Exception]
) -> None:
    guild.fail(EMOJIS, fault)
    await guild.restart()
    await guild.start(guild.ana)
    await guild.press(guild.ana, "B2")
    assert {*faces(guild)} - {*COORDINATES} == {"❌", "⭕"}


# Images


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb, as WCAG 2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """WCAG 2's contrast ratio, from 1 to 21."""
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def opaque_colours(image: Path) -> list[str]:
    """The two colours of an image, its outline and its fill, the more frequent first."""
    with Image.open(image) as opened:
        pixels = opened.convert("RGBA").tobytes().hex(" ", 4).split()
    counts = Counter(pixel for pixel in pixels if pixel.endswith("ff"))
    return [f"#{pixel[:6]}" for pixel, _ in counts.most_common(2)]


def test_images_can_be_read_on_both_themes_by_their_fill_or_their_outline() -> None:
    for name, image in IMAGES.items():
        least = 3 if name in COORDINATES else 4.5
        fill, outline = opaque_colours(image)
        assert contrast(fill, outline) >= least, name
        for where, background in BACKGROUNDS.items():
            best = max(contrast(fill, background), contrast(outline, background))
            assert best >= least, (name, where)


def test_there_is_an_image_for_each_cell_and_each_kind_of_mark() -> None:
    assert sorted(IMAGES) == sorted([*COORDINATES, *MARKS])
    assert len(IMAGES) <= MOST_IMAGES


def test_images_are_small_square_and_on_no_tile() -> None:
    for name, image in IMAGES.items():
        assert image.stat().st_size < MOST_BYTES, name
        with Image.open(image) as opened:
            assert opened.size == (128, 128), name
            alpha = opened.getchannel("A")
            corners = {alpha.getpixel((x, y)) for x in (0, 127) for y in (0, 127)}
            assert corners == {0}, name


def test_marks_in_different_states_differ_by_shape() -> None:
    """By their alpha channels alone, in which no colour is left."""
    for mark in "XO":
        shapes = []
        for name in (name for name in MARKS if name.startswith(mark)):
            with Image.open(IMAGES[name]) as opened:
                shapes.append(opened.getchannel("A").resize((20, 20)).tobytes())
        for one, other in pairwise(shapes):
            different = sum(abs(a - b) > 64 for a, b in zip(one, other, strict=True))
            assert different > 0.1 * len(one), mark

"""Takes the pictures of the README and the docs: real games and lessons in the playground.

make picture        needs Chromium or Chrome; installs the rest
"""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import discord
from discord.components import Button
from PIL import Image
from playwright.async_api import Browser, Locator, Page, ViewportSize
from simcord.preview import Preview

from bot.client.bot import VelhaBot
from bot.domain.analysis import RetryPage, ReviewPage
from bot.domain.match_actions import MatchAction, Press
from bot.domain.matches import Match
from bot.domain.tutorial import STEPS, Chapter
from bot.playground import playground
from bot.store.matches import live_in
from engine import Board, Cell, Level, Value
from engine.solver import analyse
from engine.variants import MARKS_KEPT
from tests.bot.custom_ids import parse_page
from tests.bot.databases import call
from tests.browser import NoBrowserError, launched_browser
from tests.images import draw_missing

PICTURES = Path(__file__).parents[1] / ".github" / "pictures"
SETTLE_MILLISECONDS = 300
WINDOW: ViewportSize = {"width": 940, "height": 1720}
PHONE: ViewportSize = {"width": 390, "height": 1720}
FILM: ViewportSize = {"width": 390, "height": 860}
SCALE_FACTOR = 2
FILM_COLOURS = 128
"""More of them make the file larger without making it look better."""
NO_DITHER = Image.Dither.NONE
BACKGROUND = "#323338"
PRESSED_STYLE = "outline: 3px solid white; outline-offset: 2px"
EMOJIS_ARE_LOADED = """() =>
    [...document.querySelectorAll(".custom-emoji")].every(image => image.naturalWidth > 0)"""
UNAVAILABLE_EMOJIS = ".emoji-unavailable"
"""SimCord decodes one image at a time, for at most eight requests at once, and drops others."""
RATE_LIMIT_SECONDS = 60
"""After so long, a person who opened many boards may open more."""
MAX_FILM_MILLISECONDS = 8000
PRESS_MILLISECONDS = 250


@dataclass(frozen=True)
class Reader:
    """Somebody for whom the pictures are taken, with the labels of two buttons of a lesson."""

    language: str
    next_label: str
    next_cut_label: str


READERS = [Reader("pt-BR", "Avançar", "Ao corte"), Reader("en-US", "Next", "Next cut")]

Predicate = Callable[[object], bool]
"""Selects the button to press by its target: a press on a match, or a page."""


async def main() -> None:
    try:
        async with launched_browser() as browser:
            await draw_missing(await browser.new_page())
            for reader in READERS:
                await take_pictures(browser, reader)
    except NoBrowserError as error:
        raise SystemExit(str(error)) from None
    print(PICTURES)


async def take_pictures(browser: Browser, reader: Reader) -> None:
    async with playground(reader.language) as (env, preview):
        env.backend.get_guild(preview.viewers[0].guild.id).preferred_locale = reader.language
        film_page = await browser.new_page(viewport=FILM, device_scale_factor=SCALE_FACTOR)
        film_camera = Camera(preview, film_page, reader)
        await film_camera.stop()
        await film_a_loss_and_a_win(film_camera)
        phone_page = await browser.new_page(viewport=PHONE)
        camera = Camera(preview, await browser.new_page(), reader, phone_page)
        await env.advance_time(RATE_LIMIT_SECONDS)
        await picture_lessons(camera)
        await env.advance_time(RATE_LIMIT_SECONDS)
        await picture_infinite_game(camera)
        camera.save_phone_strip("phone")


async def film_a_loss_and_a_win(camera: Camera) -> None:
    """Film a game that is lost, its review, the mistake corrected, and the end of a game won."""
    film, better = await film_loss(camera)
    await camera.film(film, 900, is_review)
    await camera.film(film, 900, is_retry)
    await camera.film(film, 500, tries(better))
    await camera.film(film, 900)
    await film_win(camera, film)
    film.save(camera.path("game", "gif"))


async def film_loss(camera: Camera) -> tuple[Film, Cell]:
    """Film a loss by one mistake, against the easy level; start over if a game goes otherwise.

    Returns:
        The film, and a move that would have been better.
    """
    while True:
        film = Film()
        camera.clear_channel()
        await camera.type("velha start", level=Level.EASY.name)
        for value in (Value.DRAW, Value.DRAW, Value.LOSS):
            match = camera.match
            assert match is not None
            moves = moves_of_value(match.board, value)
            if not moves or moves_of_value(match.board, Value.WIN):
                break
            await camera.film(film, 300, has_action(MatchAction.PLAY, random.choice(moves)))
            if camera.match is None:
                return film, best_move(match.board)
        await camera.stop()
        await camera.preview.env.advance_time(RATE_LIMIT_SECONDS)


async def film_win(camera: Camera, film: Film) -> None:
    """Play the easy level until a game is won, and film its last move."""
    while True:
        await camera.preview.env.advance_time(RATE_LIMIT_SECONDS)
        await camera.type("velha start", level=Level.EASY.name)
        while match := camera.match:
            move = best_move(match.board)
            if analyse(match.board)[move].rank == (Value.WIN, -1):
                await camera.film(film, 500, has_action(MatchAction.PLAY, move))
                await camera.film(film, 1500)
                return
            await camera.press(has_action(MatchAction.PLAY, move))


async def picture_lessons(camera: Camera) -> None:
    """Take a hint on 4x4, the review of that match, a puzzle, and the tutorial's search."""
    await camera.type("velha start", board="4x4x3")
    assert camera.match is not None
    first, *_, last = camera.match.board.rules.cells
    await camera.press(has_action(MatchAction.PLAY, first), has_action(MatchAction.HINT))
    await camera.picture("hint")
    await camera.press_on_board(has_action(MatchAction.PLAY, last))
    await camera.stop()
    await camera.press_on_board(is_review)
    await camera.picture("review")
    await camera.type("velha puzzle")
    await camera.picture("puzzle")
    await camera.type("velha learn")
    for _ in range(STEPS.index(Chapter.WATCH)):
        await camera.preview.viewers[0].click(camera.message, label=camera.reader.next_label)
    await camera.preview.viewers[0].click(camera.message, label=camera.reader.next_cut_label)
    await camera.picture("learn")


async def picture_infinite_game(camera: Camera) -> None:
    """Take a hint in the infinite game, played by hints until a mark is about to vanish."""
    await camera.type("velha start", board="infinite", level=Level.IMPOSSIBLE.name)
    for _ in range(MARKS_KEPT):
        await camera.press_on_board(has_action(MatchAction.HINT))
        await camera.press(has_action(MatchAction.PLAY))
    await camera.press_on_board(has_action(MatchAction.HINT))
    await camera.picture("infinite")


@dataclass
class Film:
    """Frames of an animated GIF, each shown for some milliseconds."""

    frames: list[tuple[Image.Image, int]] = field(default_factory=list)

    def add(self, png: bytes, milliseconds: int) -> None:
        self.frames.append((Image.open(io.BytesIO(png)), milliseconds))

    def save(self, path: Path) -> None:
        """Save it with one palette for all frames, so that each stores only what has changed."""
        durations = [milliseconds for _, milliseconds in self.frames]
        assert sum(durations) <= MAX_FILM_MILLISECONDS
        images = [frame.convert("RGB") for frame, _ in self.frames]
        width, height = images[0].size
        combined = Image.new("RGB", (width, height * len(images)))
        for number, image in enumerate(images):
            combined.paste(image, (0, height * number))
        palette = combined.quantize(FILM_COLOURS, dither=NO_DITHER)
        first, *others = (image.quantize(palette=palette, dither=NO_DITHER) for image in images)
        first.save(path, save_all=True, append_images=others, duration=durations, loop=0)


@dataclass
class Camera:
    """A browser page that shows a playground to its first viewer."""

    preview: Preview
    page: Page
    reader: Reader
    phone_page: Page | None = None
    phone_images: list[Image.Image] = field(default_factory=list)

    @property
    def message(self) -> discord.Message:
        """The newest message that the viewer sees."""
        return self.preview.channel.history(viewer=self.preview.viewers[0])[-1]

    @property
    def board(self) -> discord.Message:
        """The newest message that everybody sees."""
        messages = self.preview.channel.history()
        return next(message for message in reversed(messages) if not message.flags.ephemeral)

    @property
    def match(self) -> Match | None:
        """The match in play."""
        bot = self.preview.env.bot
        assert isinstance(bot, VelhaBot)
        return call(bot.store, live_in, self.preview.channel.id)

    async def type(self, command: str, **options: str) -> None:
        await self.preview.viewers[0].slash(self.preview.channel, command, **options)

    async def stop(self) -> None:
        """End the match in play, as its player."""
        await self.type("velha stop")
        await self.press(has_action(MatchAction.CONCEDE))

    async def press(self, *predicates: Predicate) -> None:
        """Press buttons of the newest message, one after the other."""
        for predicate in predicates:
            await self._press_on(self.message, predicate)

    async def press_on_board(self, predicate: Predicate) -> None:
        await self._press_on(self.board, predicate)

    async def _press_on(self, message: discord.Message, predicate: Predicate) -> None:
        button = find_button(message, predicate)
        await self.preview.viewers[0].click(message, custom_id=button.custom_id)

    async def picture(self, name: str) -> None:
        """Save the whole of the newest message; keep it as a phone shows it, if there is one."""
        await self.page.set_viewport_size(WINDOW)
        await self.reload()
        await self.container().screenshot(path=self.path(name, "png"))
        if self.phone_page is not None:
            phone = replace(self, page=self.phone_page)
            await phone.reload()
            png = await phone.container().screenshot()
            self.phone_images.append(Image.open(io.BytesIO(png)))

    def save_phone_strip(self, name: str) -> None:
        """Save all pictures as a phone shows them, side by side."""
        widths, heights = zip(*(image.size for image in self.phone_images), strict=True)
        strip = Image.new("RGB", (sum(widths), max(heights)), BACKGROUND)
        for number, image in enumerate(self.phone_images):
            strip.paste(image, (sum(widths[:number]), 0))
        strip.quantize(dither=NO_DITHER).save(self.path(name, "png"))

    async def film(self, film: Film, milliseconds: int, press: Predicate | None = None) -> None:
        """Add the conversation to a film; then press a button, if one is named, and show that."""
        await self.reload()
        film.add(await self.conversation(), milliseconds)
        if press is None:
            return
        button = find_button(self.message, press)
        key = f"message:{self.message.id}:component:{button.id}"
        control = self.page.locator(f'[data-control-key="{key}"]')
        await control.evaluate(f"button => button.style = '{PRESSED_STYLE}'")
        film.add(await self.conversation(), PRESS_MILLISECONDS)
        await self.press(press)

    async def reload(self) -> None:
        """Open the page, until all emojis are shown."""
        await self._open()
        while await self.page.locator(UNAVAILABLE_EMOJIS).count():
            await self._open()

    async def _open(self) -> None:
        await self.preview.refresh()
        await self.page.goto("about:blank")
        await self.page.goto(self.preview.url)
        await self.container().wait_for()
        await self.page.locator("#preview-app[aria-busy='false']").wait_for()
        await self.page.wait_for_timeout(SETTLE_MILLISECONDS)
        await self.page.wait_for_function(EMOJIS_ARE_LOADED)

    def container(self) -> Locator:
        """The newest message of the bot, without the page around it."""
        return self.page.locator("section.component-container").last

    async def conversation(self) -> bytes:
        """The end of the conversation, as much as fits on a phone, as a PNG."""
        timeline = self.page.locator("#channel-timeline")
        await timeline.evaluate("timeline => timeline.scrollTop = timeline.scrollHeight")
        return bytes(await timeline.screenshot())

    def path(self, name: str, extension: str) -> Path:
        language = self.reader.language.removesuffix("-US")
        return PICTURES / f"{name}.{language}.{extension}"

    def clear_channel(self) -> None:
        """Delete all messages."""
        channel = self.preview.channel
        for message in channel.history(viewer=self.preview.viewers[0]):
            self.preview.env.backend.delete_message(channel.id, message.id)


def find_button(message: discord.Message, predicate: Predicate) -> Button:
    """The first button of a message whose target a predicate accepts."""
    (container,) = (c for c in message.components if isinstance(c, discord.Container))
    rows = [item for item in container.children if isinstance(item, discord.ActionRow)]
    buttons = [item for row in rows for item in row.children if isinstance(item, Button)]
    return next(button for button in buttons if predicate(target_of(button)))


def target_of(button: Button) -> object:
    custom_id = button.custom_id or ""
    return Press.parse(custom_id) or parse_page(custom_id)


def has_action(action: MatchAction, cell: Cell | None = None) -> Predicate:
    """Accepts presses on a match with an action, and on a cell if one is named."""

    def predicate(target: object) -> bool:
        if not isinstance(target, Press) or target.action is not action:
            return False
        return cell is None or target.cell == cell

    return predicate


def is_review(target: object) -> bool:
    return isinstance(target, ReviewPage)


def is_retry(target: object) -> bool:
    return isinstance(target, RetryPage) and target.cell is None


def tries(cell: Cell) -> Predicate:
    """Accepts tries of a cell in place of a mistake."""
    return lambda target: isinstance(target, RetryPage) and target.cell == cell


def best_move(board: Board) -> Cell:
    worths = analyse(board)
    return max(worths, key=lambda cell: worths[cell].rank)


def moves_of_value(board: Board, value: Value) -> list[Cell]:
    worths = analyse(board)
    return [cell for cell in worths if worths[cell].value is value]


if __name__ == "__main__":
    asyncio.run(main())

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
from bot.domain.tutorial import STEPS, UNREAD_NAMES, Chapter
from bot.playground import playground
from engine import Board, Cell, Level, Value
from engine.infinite import MARKS_KEPT
from engine.solver import analyse
from tests.bot.custom_ids import parse_page
from tests.browser import NoBrowserError, launched_browser
from tests.emoji_images import draw_missing

PICTURES = Path(__file__).parents[1] / ".github" / "pictures"
SETTLE_MILLISECONDS = 300
WINDOW: ViewportSize = {"width": 940, "height": 1720}
PHONE: ViewportSize = {"width": 390, "height": 1720}
FILM: ViewportSize = {"width": 390, "height": 860}
SHARPNESS = 2
COLOURS = 128
"""In the film: more of them make the file larger and nothing finer."""
NO_DITHER = Image.Dither.NONE
BACKGROUND = "#323338"
PRESSED = "outline: 3px solid white; outline-offset: 2px"
EMOJIS_ARE_LOADED = """() =>
    [...document.querySelectorAll(".custom-emoji")].every(image => image.naturalWidth > 0)"""
UNAVAILABLE_EMOJIS = ".emoji-unavailable"
"""SimCord decodes one image at a time, for at most eight requests at once, and gives others up."""
A_MINUTE = 60
FILM_MILLISECONDS = 8000
PRESS_MILLISECONDS = 250


@dataclass(frozen=True)
class Reader:
    """Somebody who looks at boards and lessons, and what a lesson's button says to them."""

    language: str
    next: str = "Next"


READERS = [Reader("pt-BR", "Avançar"), Reader("en-US")]

Wanted = Callable[[object], bool]
"""Tells the button to press by what it asks for: a press on a match, or a page."""


@dataclass
class Film:
    """Pictures that follow each other, each for a time, over and over."""

    frames: list[tuple[Image.Image, int]] = field(default_factory=list)

    def add(self, png: bytes, milliseconds: int) -> None:
        self.frames.append((Image.open(io.BytesIO(png)), milliseconds))

    def save(self, path: Path) -> None:
        """Save it with one palette for all frames, so that each holds only what has changed."""
        times = [milliseconds for _, milliseconds in self.frames]
        assert sum(times) <= FILM_MILLISECONDS
        pictures = [frame.convert("RGB") for frame, _ in self.frames]
        width, height = pictures[0].size
        reel = Image.new("RGB", (width, height * len(pictures)))
        for number, picture in enumerate(pictures):
            reel.paste(picture, (0, height * number))
        palette = reel.quantize(COLOURS, dither=NO_DITHER)
        drawn = [picture.quantize(palette=palette, dither=NO_DITHER) for picture in pictures]
        drawn[0].save(path, save_all=True, append_images=drawn[1:], duration=times, loop=0)


@dataclass
class Camera:
    """A browser in which a reader looks at a playground."""

    preview: Preview
    page: Page
    reader: Reader
    phone: Page | None = None
    on_phone: list[Image.Image] = field(default_factory=list)

    @property
    def message(self) -> discord.Message:
        """The newest message that the reader sees."""
        return self.preview.channel.history(viewer=self.preview.viewers[0])[-1]

    @property
    def board(self) -> discord.Message:
        """The newest message that everybody sees."""
        return next(m for m in reversed(self.preview.channel.history()) if not m.flags.ephemeral)

    @property
    def match(self) -> Match | None:
        """The match in play."""
        bot = self.preview.env.bot
        assert isinstance(bot, VelhaBot)
        return bot.store.matches.live_in(self.preview.channel.id)

    async def type(self, command: str, **options: str) -> None:
        await self.preview.viewers[0].slash(self.preview.channel, command, **options)

    async def press(self, *pressed: Wanted) -> None:
        """Press buttons of the newest message, one after the other."""
        for wanted in pressed:
            await self._press_on(self.message, wanted)

    async def press_on_board(self, wanted: Wanted) -> None:
        await self._press_on(self.board, wanted)

    async def _press_on(self, message: discord.Message, wanted: Wanted) -> None:
        custom_id = button(message, wanted).custom_id
        await self.preview.viewers[0].click(message, custom_id=custom_id)

    async def look(self) -> None:
        await self._open()
        while await self.page.locator(UNAVAILABLE_EMOJIS).count():
            await self._open()

    async def _open(self) -> None:
        await self.preview.refresh()
        await self.page.goto("about:blank")
        await self.page.goto(self.preview.url)
        await self.box().wait_for()
        await self.page.locator("#preview-app[aria-busy='false']").wait_for()
        await self.page.wait_for_timeout(SETTLE_MILLISECONDS)
        await self.page.wait_for_function(EMOJIS_ARE_LOADED)

    async def newest(self, name: str) -> None:
        """What the newest message holds, all of it at once: as wide as a phone, and wider."""
        await self.page.set_viewport_size(WINDOW)
        await self.look()
        await self.box().screenshot(path=self.path(name, "png"))
        if self.phone is not None:
            small = replace(self, page=self.phone)
            await small.look()
            self.on_phone.append(Image.open(io.BytesIO(await small.box().screenshot())))

    def save_strip(self, name: str) -> None:
        """All that was taken, as a phone shows it, side by side."""
        widths, heights = zip(*(image.size for image in self.on_phone), strict=True)
        strip = Image.new("RGB", (sum(widths), max(heights)), BACKGROUND)
        for number, image in enumerate(self.on_phone):
            strip.paste(image, (sum(widths[:number]), 0))
        strip.quantize(dither=NO_DITHER).save(self.path(name, "png"))

    def box(self) -> Locator:
        """What the bot drew, without the window and the words of the preview around it."""
        return self.page.locator("section.component-container").last

    def path(self, name: str, kind: str) -> Path:
        return PICTURES / f"{name}.{self.reader.language.removesuffix('-US')}.{kind}"

    async def film(self, film: Film, milliseconds: int, pressed: Wanted | None = None) -> None:
        """Film the newest message, and then a button that is pressed."""
        await self.look()
        film.add(await self.conversation(), milliseconds)
        if pressed is not None:
            component = f"message:{self.message.id}:component:{button(self.message, pressed).id}"
            control = self.page.locator(f'[data-control-key="{component}"]')
            await control.evaluate(f"button => button.style = '{PRESSED}'")
            film.add(await self.conversation(), PRESS_MILLISECONDS)
            await self.press(pressed)

    async def conversation(self) -> bytes:
        """The end of the conversation, as much as fits on a phone."""
        timeline = self.page.locator("#channel-timeline")
        await timeline.evaluate("timeline => timeline.scrollTop = timeline.scrollHeight")
        return bytes(await timeline.screenshot())

    def clear(self) -> None:
        """Delete what stands in the channel."""
        channel = self.preview.channel
        for message in channel.history(viewer=self.preview.viewers[0]):
            self.preview.env.backend.delete_message(channel.id, message.id)


def button(message: discord.Message, wanted: Wanted) -> Button:
    """The first button of a message that asks for what is wanted."""
    (box,) = (part for part in message.components if isinstance(part, discord.Container))
    rows = (part for part in box.children if isinstance(part, discord.ActionRow))
    buttons = [part for row in rows for part in row.children if isinstance(part, Button)]
    return next(found for found in buttons if wanted(request(found)))


def request(found: Button) -> object:
    custom_id = found.custom_id or ""
    return Press.parse(custom_id) or parse_page(custom_id)


def action(wanted: MatchAction, cell: Cell | None = None) -> Wanted:
    """Buttons of a match with an action, on a cell if one is given."""
    return lambda asked: (
        isinstance(asked, Press) and asked.action is wanted and cell in {None, asked.cell}
    )


def review(asked: object) -> bool:
    return isinstance(asked, ReviewPage)


def retry(asked: object) -> bool:
    return isinstance(asked, RetryPage) and asked.cell is None


def correct(asked: object) -> bool:
    """Buttons that try the best move in place of a mistake."""
    if not isinstance(asked, RetryPage):
        return False
    return asked.cell == best(asked.board)


def best(board: Board) -> Cell:
    worths = analyse(board)
    return max(worths, key=lambda cell: worths[cell].rank)


def moves_of_value(board: Board, value: Value) -> list[Cell]:
    worths = analyse(board)
    return [cell for cell in worths if worths[cell].value is value]


async def play_and_learn(camera: Camera) -> None:
    """A film: a game is lost and reviewed, the mistake is put right, and the next game won."""
    film = await lose(camera)
    await camera.film(film, 900, review)
    await camera.film(film, 900, retry)
    await camera.film(film, 500, correct)
    await camera.film(film, 900)
    await win(camera, film)
    film.save(camera.path("game", "gif"))


async def lose(camera: Camera) -> Film:
    """Film a loss by one mistake, against the easy level; other games are given up."""
    while True:
        film = Film()
        camera.clear()
        await camera.type("velha start", level=Level.EASY.name)
        for value in (Value.DRAW, Value.DRAW, Value.LOSS):
            match = camera.match
            assert match is not None
            moves = moves_of_value(match.board, value)
            if not moves or moves_of_value(match.board, Value.WIN):
                break
            await camera.film(film, 300, action(MatchAction.PLAY, random.choice(moves)))
            if camera.match is None:
                return film
        await camera.type("velha stop")
        await camera.preview.env.advance_time(A_MINUTE)  # nobody may open many boards at once


async def win(camera: Camera, film: Film) -> None:
    """Win against the easy level, however many games it takes, and film the last move."""
    while True:
        await camera.preview.env.advance_time(A_MINUTE)
        await camera.type("velha start", level=Level.EASY.name)
        while match := camera.match:
            worths = analyse(match.board)
            move = best(match.board)
            if worths[move].rank == (Value.WIN, -1):
                await camera.film(film, 500, action(MatchAction.PLAY, move))
                await camera.film(film, 1500)
                return
            await camera.press(action(MatchAction.PLAY, move))


async def lessons(camera: Camera) -> None:
    """A hint on a larger board, the review of the match, a puzzle, and what the lesson prunes."""
    await camera.type("velha start", board="4x4x3")
    assert camera.match is not None
    first, *_others, last = camera.match.board.rules.cells
    await camera.press(action(MatchAction.PLAY, first), action(MatchAction.HINT))
    await camera.newest("hint")
    await camera.press_on_board(action(MatchAction.PLAY, last))
    await camera.type("velha stop")
    await camera.press_on_board(review)
    await camera.newest("review")
    await camera.type("velha puzzle")
    await camera.newest("puzzle")
    await camera.type("velha learn")
    for _ in STEPS[1 : STEPS.index(Chapter.PRUNING) + 1]:
        await camera.preview.viewers[0].click(camera.message, label=camera.reader.next)
    await camera.preview.viewers[0].click(camera.message, label=UNREAD_NAMES[0])
    await camera.newest("learn")


async def infinite(camera: Camera) -> None:
    """A hint in the infinite game, once a mark is about to vanish: three were followed before."""
    await camera.type("velha start", board="infinite", level=Level.IMPOSSIBLE.name)
    for _ in range(MARKS_KEPT):
        await camera.press_on_board(action(MatchAction.HINT))
        await camera.press(action(MatchAction.PLAY))
    await camera.press_on_board(action(MatchAction.HINT))
    await camera.newest("infinite")


async def take_pictures(browser: Browser, reader: Reader) -> None:
    async with playground(reader.language) as (env, preview):
        env.backend.get_guild(preview.viewers[0].guild.id).preferred_locale = reader.language
        fine = await browser.new_page(viewport=FILM, device_scale_factor=SHARPNESS)
        filmed = Camera(preview, fine, reader)
        await filmed.type("velha stop")
        await play_and_learn(filmed)
        phone = await browser.new_page(viewport=PHONE)
        camera = Camera(preview, await browser.new_page(), reader, phone)
        await env.advance_time(A_MINUTE)
        await lessons(camera)
        await env.advance_time(A_MINUTE)
        await infinite(camera)
        camera.save_strip("phone")


async def main() -> None:
    try:
        async with launched_browser() as browser:
            await draw_missing(await browser.new_page())
            for reader in READERS:
                await take_pictures(browser, reader)
    except NoBrowserError as missing:
        raise SystemExit(str(missing)) from None
    print(PICTURES)


if __name__ == "__main__":
    asyncio.run(main())

"""Takes the pictures of the README and the docs: real games and lessons in the playground.

make picture        needs Chromium or Chrome; installs the rest
"""

from __future__ import annotations

import asyncio
import io
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import discord
from PIL import Image
from playwright.async_api import Browser, Locator, Page, ViewportSize, async_playwright
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.preview import Preview

from bot.domain.tutorial import UNREAD_NAMES
from bot.playground import playground
from engine import Board, Cell, Level, Value
from engine.infinite import MARKS_KEPT
from engine.solver import analyse
from tests.emoji_images import draw_missing

PICTURES = Path(__file__).parents[1] / ".github" / "pictures"
SETTLE_MILLISECONDS = 1500
WINDOW: ViewportSize = {"width": 940, "height": 1720}
FILM: ViewportSize = {"width": 460, "height": 1200}
PHONE: ViewportSize = {"width": 390, "height": 1720}
SHARPNESS = 2
COLOURS = 96
"""In a frame of the film: more of them make the file larger and nothing finer."""
BACKGROUND = "#323338"
PRESSED = "outline: 3px solid white; outline-offset: 2px"
EMOJIS_ARE_LOADED = """() => document.querySelector(".emoji-unavailable") === null
    && [...document.querySelectorAll(".custom-emoji")].every(image => image.naturalWidth > 0)"""
"""SimCord decodes one image at a time, for at most eight requests at once."""
A_MINUTE = 60
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@dataclass(frozen=True)
class Reader:
    """Somebody who looks at boards and lessons, and what the buttons say to them."""

    viewer: str
    language: str
    hint: str = "Hint"
    review: str = "Review"
    next: str = "Next"
    play: str = "Play"


READERS = [Reader("Ana", "pt-BR", "Dica", "Análise", "Avançar", "Jogar"), Reader("Ben", "en-US")]


@dataclass
class Film:
    """Pictures that follow each other, each for a time, over and over."""

    frames: list[tuple[Image.Image, int]] = field(default_factory=list)

    def add(self, png: bytes, milliseconds: int) -> None:
        self.frames.append((Image.open(io.BytesIO(png)), milliseconds))

    def save(self, path: Path) -> None:
        sizes = [frame.size for frame, _ in self.frames]
        size = max(width for width, _ in sizes), max(height for _, height in sizes)
        drawn = [self._on_background(frame, size) for frame, _ in self.frames]
        times = [milliseconds for _, milliseconds in self.frames]
        drawn[0].save(path, save_all=True, append_images=drawn[1:], duration=times, loop=0)

    @staticmethod
    def _on_background(frame: Image.Image, size: tuple[int, int]) -> Image.Image:
        canvas = Image.new("RGB", size, BACKGROUND)
        canvas.paste(frame)
        return canvas.quantize(COLOURS, dither=Image.Dither.NONE)


@dataclass
class Camera:
    """A browser in which a reader looks at a playground."""

    preview: Preview
    page: Page
    reader: Reader
    phone: Page | None = None
    on_phone: list[Image.Image] = field(default_factory=list)

    async def look(self) -> None:
        await self.preview.refresh()
        await self.page.goto(self.preview.url)
        await self.page.wait_for_timeout(SETTLE_MILLISECONDS)
        await self.page.locator("select").first.select_option(label=self.reader.viewer)
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
        strip.quantize(dither=Image.Dither.NONE).save(self.path(name, "png"))

    def box(self) -> Locator:
        """What the bot drew, without the window and the words of the preview around it."""
        return self.page.locator("section.component-container").last

    def path(self, name: str, kind: str) -> Path:
        return PICTURES / f"{name}.{self.reader.language.removesuffix('-US')}.{kind}"

    async def film(self, film: Film, milliseconds: int, pressed: str | None = None) -> None:
        """What the newest message holds, and then the button that is about to be pressed."""
        await self.page.set_viewport_size(FILM)
        await self.look()
        board = self.box()
        film.add(await board.screenshot(), milliseconds)
        if pressed is not None:
            button = board.get_by_role("button", name=pressed, exact=True)
            await button.evaluate(f"button => button.style = '{PRESSED}'")
            film.add(await board.screenshot(), 500)

    async def advice(self) -> str:
        """What the newest hint says on the button that plays it."""
        await self.look()
        play = self.page.get_by_role("button", name=self.reader.play)
        return str(await play.last.inner_text())


async def press(channel: ChannelHandle, who: MemberActor, *labels: str) -> None:
    """Press buttons of the newest message that everybody sees, or its free cells."""
    for label in labels:
        message = newest_board(channel)
        (button,) = (button for button in buttons_of(message) if label in faces(button))
        await who.click(message, custom_id=button.custom_id)


def newest_board(channel: ChannelHandle) -> discord.Message:
    return next(m for m in reversed(channel.history()) if not m.flags.ephemeral)


async def fall_into_a_trap(camera: Camera, who: MemberActor) -> None:
    """A film: the bot begins, and one careless move later it makes two threats at once."""
    channel, film = camera.preview.channel, Film()
    await who.slash(channel, "velha start", first="opponent")
    while not (board := position(newest_board(channel))).is_terminal:
        move = board.rules.coordinate(careless(board))
        await camera.film(film, 1200, move)
        await press(channel, who, move)
    await camera.film(film, 4000)
    film.save(camera.path("game", "gif"))


def position(message: discord.Message) -> Board:
    """The position on a board of three rows, by the marks on its buttons."""
    marks = [*map(mark_on, buttons_of(message)[:9])]
    return Board.parse(" ".join("".join(marks[start : start + 3]) for start in (0, 3, 6)))


def buttons_of(message: discord.Message) -> list[discord.components.Button]:
    (box,) = (part for part in message.components if isinstance(part, discord.Container))
    rows = [part for part in box.children if isinstance(part, discord.ActionRow)]
    items = [item for row in rows for item in row.children]
    return [item for item in items if isinstance(item, discord.components.Button)]


def faces(button: discord.components.Button) -> tuple[str | None, str | None]:
    """What a button shows: a label, or the name of an emoji."""
    return button.label, button.emoji.name if button.emoji else None


def mark_on(button: discord.components.Button) -> str:
    _, emoji = faces(button)
    return emoji[0].lower() if emoji and emoji[1] == "_" else "."


def careless(board: Board) -> Cell:
    """A move that loses, as late as can be; so it blocks, once there is something to block."""
    worths = analyse(board)
    losing = [cell for cell in worths if worths[cell].value is Value.LOSS]
    return max(losing, key=lambda cell: worths[cell].plies_to_end)


async def lessons(camera: Camera, who: MemberActor) -> None:
    """A hint on a larger board, the review of the match, a puzzle, and what the lesson prunes."""
    channel, reader = camera.preview.channel, camera.reader
    await who.slash(channel, "velha start", board="4x4x3")
    await press(channel, who, "A1", reader.hint)
    await camera.newest("hint")
    await press(channel, who, "D4")
    await who.slash(channel, "velha stop")
    await press(channel, who, reader.review)
    await camera.newest("review")
    await who.slash(channel, "velha puzzle")
    await camera.newest("puzzle")
    lesson = await who.slash(channel, "velha learn")
    assert lesson.response is not None
    for label in (reader.next, reader.next, UNREAD_NAMES[0]):
        await who.click(lesson.response, label=label)
    await camera.newest("learn")


async def infinite(camera: Camera, who: MemberActor) -> None:
    """A hint in the infinite game, once a mark is about to vanish: three were followed before."""
    channel = camera.preview.channel
    await who.slash(channel, "velha start", board="infinite", level=Level.IMPOSSIBLE.name)
    for _ in range(MARKS_KEPT):
        hint = await who.click(newest_board(channel), label=camera.reader.hint)
        assert hint.response is not None
        await who.click(hint.response, label=await camera.advice())
    await press(channel, who, camera.reader.hint)
    await camera.newest("infinite")


async def take_pictures(browser: Browser, reader: Reader) -> None:
    async with playground() as (env, preview):
        preview.locale = reader.language
        who = next(actor for actor in preview.viewers if actor.name == reader.viewer.lower())
        env.backend.get_guild(who.guild.id).preferred_locale = reader.language
        fine = await browser.new_page(device_scale_factor=SHARPNESS)
        await fall_into_a_trap(Camera(preview, fine, reader), who)
        await fine.close()
        phone = await browser.new_page(viewport=PHONE)
        camera = Camera(preview, await browser.new_page(), reader, phone)
        await lessons(camera, who)
        await env.advance_time(A_MINUTE)  # nobody may ask for more at once
        await infinite(camera, who)
        camera.save_strip("phone")


async def main() -> None:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit(f"No browser found: install one of {', '.join(BROWSERS)}.")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        await draw_missing(await browser.new_page())
        for reader in READERS:
            await take_pictures(browser, reader)
        await browser.close()
    print(PICTURES)


if __name__ == "__main__":
    asyncio.run(main())

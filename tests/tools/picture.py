"""Takes the pictures of the README and the docs: real games and lessons in the playground.

It also draws the images of the bot that are missing: its emojis, and its face.

make picture        needs Chromium or Chrome; installs the rest
"""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
from discord.components import Button
from PIL import Image
from playwright.async_api import Browser, Locator, Page, ViewportSize
from playwright.async_api import TimeoutError as WaitedInVain
from simcord.preview import Preview

from bot.client.bot import VelhaBot
from bot.domain.analysis import ReviewPage
from bot.domain.match_actions import ConcedePage, HintMovePage, HintPage, MatchAction, Press
from bot.domain.matches import Match
from bot.domain.mistakes import MistakePage
from bot.domain.path import STOPS
from bot.domain.puzzles import PuzzlePage, SharePage
from bot.domain.tutorial import STEPS, Chapter
from bot.playground import playground, serve
from bot.store.matches import live_in
from bot.views.i18n import Language, language_for
from bot.views.tutorial import NEXT_CUT
from bot.views.tutorial_texts import NEXT
from engine import Board, Cell, Level, Value, daily_puzzle
from engine.solver import analyse
from engine.variants import MARKS_KEPT
from tests.bot.custom_ids import parse_page
from tests.bot.databases import call
from tests.browser import NoBrowserError, launched_browser
from tests.tools.images import draw_missing

PICTURES = Path(__file__).parents[2] / ".github" / "pictures"
SETTLE_MILLISECONDS = 300
WINDOW: ViewportSize = {"width": 940, "height": 1720}
PHONE: ViewportSize = {"width": 390, "height": 800}
FILM: ViewportSize = {"width": 390, "height": 610}
SCALE_FACTOR = 2
FILM_COLOURS = 128
"""More of them make the file larger without making it look better."""
NO_DITHER = Image.Dither.NONE
PRESSED_STYLE = "outline: 3px solid white; outline-offset: 2px"
EMOJIS_ARE_LOADED = """() =>
    [...document.querySelectorAll(".custom-emoji")].every(image => image.naturalWidth > 0)"""
UNAVAILABLE_EMOJIS = ".emoji-unavailable"
"""SimCord decodes one image at a time, for at most eight requests at once, and drops others."""
FILLS_THE_WINDOW = """() =>
    document.getElementById("preview-app").style.width === `${window.innerWidth}px`"""
RESIZE_MILLISECONDS = 5000
RATE_LIMIT_SECONDS = 60
"""After so long, a person who opened many boards may open more."""
MAX_FILM_MILLISECONDS = 23_000
PRESS_MILLISECONDS = 500
BOARD_MILLISECONDS = 600
READ_MILLISECONDS = 1_800
"""How long a screen is shown that has a sentence to read."""
STOPS_PASSED = 3
MANY_MARKS = 14
"""From so many on, 5x5 looks like a match, and not like its beginning."""
FORKED: tuple[Cell, ...] = (0, 4, 8, 2, 6)
"""❌ threatens two lines at once."""
PANEL_GAP = 24
PANEL_BACKGROUND = "#1e1f22"

LOCALES = ["pt-BR", "en-US"]
LESSON_LOCALES = ["es-ES"]
"""In these, only the page on how the bot thinks has its picture."""

Predicate = Callable[[object], bool]
"""Selects the button to press by its target: a press on a match, or a page."""


async def main() -> None:
    try:
        async with launched_browser() as browser:
            await draw_missing(await browser.new_page())
            for locale in LOCALES:
                async with opened(browser, locale) as cameras:
                    await take_pictures(cameras)
            for locale in LESSON_LOCALES:
                async with opened(browser, locale) as cameras:
                    await picture_search(cameras.window)
    except NoBrowserError as error:
        raise SystemExit(str(error)) from None
    print(PICTURES)


@asynccontextmanager
async def opened(browser: Browser, locale: str) -> AsyncIterator[Cameras]:
    """Open a playground for readers of a locale, and look at it in windows of three sizes."""
    language = language_for(locale)
    async with (
        playground(locale) as (env, preview),
        serve(preview, language) as server,
    ):
        env.backend.get_guild(preview.viewers[0].guild.id).preferred_locale = locale
        pages = [
            await browser.new_page(viewport=WINDOW),
            await browser.new_page(viewport=PHONE, device_scale_factor=SCALE_FACTOR),
            await browser.new_page(viewport=FILM, device_scale_factor=SCALE_FACTOR),
        ]
        yield Cameras(*(Camera(preview, server.url, page, language) for page in pages))


async def take_pictures(cameras: Cameras) -> None:
    env = cameras.window.preview.env
    await cameras.film.stop()
    await picture_path(cameras.window)
    film = Film()
    for scene in (film_infinite, film_loss, film_friends):
        await scene(cameras.film, film)
        await env.advance_time(RATE_LIMIT_SECONDS)
    await picture_puzzle(cameras.window)
    await film_puzzle(cameras.film, film)
    film.save(cameras.film.path("game", "gif"))
    await picture_hint(cameras.window)
    await picture_review(cameras.window)
    await env.advance_time(RATE_LIMIT_SECONDS)
    await picture_infinite_game(cameras.window)
    await env.advance_time(RATE_LIMIT_SECONDS)
    board = await large_board_on_phone(cameras.phone)
    await picture_search(cameras.window)
    lesson = await cameras.phone.conversation()
    save_side_by_side([board, lesson], cameras.phone.path("phone", "png"))


async def picture_path(camera: Camera) -> None:
    """Win at the first stops of the path, and show the results."""
    for stop in [*STOPS][:STOPS_PASSED]:
        while True:
            await camera.type("velha start", board=stop.rules.name, level=stop.level.name)
            while match := camera.match:
                await camera.press_on_board(has_action(MatchAction.PLAY, best_move(match.board)))
            await camera.preview.env.advance_time(RATE_LIMIT_SECONDS)
            if "🏆" in text_of(camera.board):
                break
    await camera.type("velha stats")
    await camera.picture("path")
    camera.preview.env.backend.delete_message(camera.preview.channel.id, camera.message.id)


async def film_infinite(camera: Camera, film: Film) -> None:
    """Film a move that makes a mark vanish; start over if a match ends before."""
    while True:
        scene = Film()
        await camera.type("velha start", board="infinite", level=Level.EASY.name)
        while (match := camera.match) and match.board.vanishing is None:
            move = has_action(MatchAction.PLAY, quiet_move(match.board))
            await camera.press_on_board(move)
        if match is not None:
            press = has_action(MatchAction.PLAY, quiet_move(match.board))
            await camera.film(scene, BOARD_MILLISECONDS, press)
        if camera.match is not None:
            await camera.film(scene, READ_MILLISECONDS)
            film.frames += scene.frames
            await camera.stop()
            return
        await camera.preview.env.advance_time(RATE_LIMIT_SECONDS)


async def film_loss(camera: Camera, film: Film) -> None:
    """Film a match that is lost by one mistake, its review, and the mistake put right."""
    lost, better = await lose(camera)
    film.frames += lost.frames
    await camera.film(film, READ_MILLISECONDS, is_review)
    await camera.film(film, READ_MILLISECONDS, is_mistake)
    await camera.film(film, READ_MILLISECONDS, tries(better))
    await camera.film(film, READ_MILLISECONDS)


async def lose(camera: Camera) -> tuple[Film, Cell]:
    """Film a loss by one mistake, against the easy level; start over if a game goes otherwise.

    Returns:
        The film, and a move that would have been better.
    """
    while True:
        film = Film()
        await camera.type("velha start", level=Level.EASY.name)
        for value in (Value.DRAW, Value.DRAW, Value.LOSS):
            board = camera.live_match.board
            moves = moves_of_value(board, value)
            if not moves or moves_of_value(board, Value.WIN):
                break
            press = has_action(MatchAction.PLAY, random.choice(moves))
            await camera.film(film, BOARD_MILLISECONDS, press)
            if camera.match is None:
                return film, best_move(board)
        await camera.stop()
        await camera.preview.env.advance_time(RATE_LIMIT_SECONDS)


async def film_friends(camera: Camera, film: Film) -> None:
    """Film a challenge, and the fork that a friend walks into."""
    me, friend = camera.preview.viewers[0], camera.preview.viewers[-1]
    await camera.type("velha start", opponent=friend)
    await camera.film(film, READ_MILLISECONDS)
    await camera.press_as(friend, has_action(MatchAction.ACCEPT))
    for cell in FORKED:
        match = camera.live_match
        player = me if match.players[match.board.to_move].user_id == me.id else friend
        await camera.press_as(player, has_action(MatchAction.PLAY, cell))
    await camera.film(film, READ_MILLISECONDS)
    await camera.picture("friends")
    await camera.stop()


async def picture_puzzle(camera: Camera) -> None:
    """The puzzle of the day, after the warm-up that comes before one's first."""
    await camera.type("velha puzzle")
    await camera.press(solves, is_day)
    await camera.picture("puzzle")


async def film_puzzle(camera: Camera, film: Film) -> None:
    """Film the puzzle of the day solved at once, and what its player shares of it."""
    await camera.press(solves)
    await camera.film(film, READ_MILLISECONDS, is_share)
    await camera.film(film, READ_MILLISECONDS)


async def picture_hint(camera: Camera) -> None:
    """Ask on 4x4 what each move is worth, where some win and others lose."""
    await camera.type("velha start", board="4x4x3")
    first, *_ = camera.live_match.board.rules.cells
    await camera.press(has_action(MatchAction.PLAY, first), has_action(MatchAction.HINT))
    await camera.press(leads_to(HintPage))
    await camera.picture("hint")
    await camera.stop()


async def picture_review(camera: Camera) -> None:
    """Review a match on 4x4 in which a win became a loss, and which was played to its end."""
    await camera.type("velha start", board="4x4x3", level=Level.IMPOSSIBLE.name)
    while match := camera.match:
        losing = moves_of_value(match.board, Value.LOSS)
        move = losing[-1] if match.board.plies and losing else best_move(match.board)
        await camera.press_on_board(has_action(MatchAction.PLAY, move))
    await camera.press_on_board(is_review)
    await camera.picture("review")


async def picture_search(camera: Camera) -> None:
    """Step through the lesson's search to its first cut."""
    await camera.type("velha learn")
    for _ in range(STEPS.index(Chapter.WATCH)):
        await camera.press_labelled(camera.language.say(NEXT))
    await camera.press_labelled(camera.language.say(NEXT_CUT))
    await camera.picture("learn")


async def large_board_on_phone(camera: Camera) -> bytes:
    """Win on 5x5, late in a match; start over if it is not won."""
    while True:
        camera.clear_channel()
        await camera.type("velha start", board="5x5x4", level=Level.CHILD.name)
        while match := camera.match:
            is_early = match.board.plies < MANY_MARKS
            move = quiet_move(match.board) if is_early else best_move(match.board)
            await camera.press_on_board(has_action(MatchAction.PLAY, move))
        if "🏆" in text_of(camera.board):
            return await camera.conversation()
        await camera.preview.env.advance_time(RATE_LIMIT_SECONDS)


def save_side_by_side(pngs: list[bytes], path: Path) -> None:
    """Save screens of a phone beside each other, as wide as a page on GitHub."""
    images = [Image.open(io.BytesIO(png)) for png in pngs]
    gap = PANEL_GAP * SCALE_FACTOR
    width = sum(image.width + gap for image in images) - gap
    whole = Image.new("RGB", (width, max(image.height for image in images)), PANEL_BACKGROUND)
    left = 0
    for image in images:
        whole.paste(image, (left, 0))
        left += image.width + gap
    whole.quantize(dither=NO_DITHER).save(path, optimize=True)


async def picture_infinite_game(camera: Camera) -> None:
    """Take a hint in the infinite game, played by hints until a mark is about to vanish."""
    await camera.type("velha start", board="infinite", level=Level.IMPOSSIBLE.name)
    for _ in range(MARKS_KEPT):
        await camera.press_on_board(has_action(MatchAction.HINT))
        await camera.press(leads_to(HintMovePage))
    await camera.press_on_board(has_action(MatchAction.HINT))
    await camera.picture("infinite")
    await camera.stop()


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
class Cameras:
    """Windows of three sizes on the same playground."""

    window: Camera
    phone: Camera
    film: Camera


@dataclass
class Camera:
    """A browser page that shows a playground to its first viewer."""

    preview: Preview
    url: str
    page: Page
    language: Language

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

    @property
    def live_match(self) -> Match:
        match = self.match
        assert match is not None
        return match

    async def type(self, command: str, **options: Any) -> None:
        await self.preview.viewers[0].slash(self.preview.channel, command, **options)

    async def stop(self) -> None:
        """End the match in play, as its player."""
        await self.type("velha stop")
        await self.press(leads_to(ConcedePage))

    async def press(self, *predicates: Predicate) -> None:
        """Press buttons of the newest message, one after the other."""
        for predicate in predicates:
            await self._press_on(self.message, predicate)

    async def press_as(self, viewer: Any, predicate: Predicate) -> None:
        """Press a button of the newest board as another viewer."""
        button = find_button(self.board, predicate)
        await viewer.click(self.board, custom_id=button.custom_id)

    async def press_labelled(self, label: str) -> None:
        """Press the button of the newest message that has a label."""
        await self.preview.viewers[0].click(self.message, label=label)

    async def press_on_board(self, predicate: Predicate) -> None:
        await self._press_on(self.board, predicate)

    async def _press_on(self, message: discord.Message, predicate: Predicate) -> None:
        button = find_button(message, predicate)
        await self.preview.viewers[0].click(message, custom_id=button.custom_id)

    async def picture(self, name: str) -> None:
        """Save the whole of the newest message."""
        await self.reload()
        await self.container().screenshot(path=self.path(name, "png"))

    async def film(self, film: Film, milliseconds: int, press: Predicate | None = None) -> None:
        """Add the conversation to a film; then press a button, if one is named, and show that."""
        film.add(await self.conversation(), milliseconds)
        if press is None:
            return
        button = find_button(self.message, press)
        key = f"message:{self.message.id}:component:{button.id}"
        control = self.page.locator(f'[data-control-key="{key}"]')
        await control.evaluate(f"button => button.style = '{PRESSED_STYLE}'")
        film.add(await self._screenshot(), PRESS_MILLISECONDS)
        await self.press(press)

    async def reload(self) -> None:
        """Open the page, until it fills the window and all emojis are shown."""
        while True:
            await self._open()
            fills_the_window = await self.page.evaluate(FILLS_THE_WINDOW)
            if fills_the_window and not await self.page.locator(UNAVAILABLE_EMOJIS).count():
                return

    async def _open(self) -> None:
        await self.preview.refresh()
        await self.page.goto("about:blank")
        await self.page.goto(self.url)
        await self.container().wait_for()
        with suppress(WaitedInVain):  # SimCord drops that, too
            await self.page.wait_for_function(FILLS_THE_WINDOW, timeout=RESIZE_MILLISECONDS)
        await self.page.locator("#preview-app[aria-busy='false']").wait_for()
        await self.page.wait_for_timeout(SETTLE_MILLISECONDS)
        await self.page.wait_for_function(EMOJIS_ARE_LOADED)

    def container(self) -> Locator:
        """The newest message of the bot, without the page around it."""
        return self.page.locator("section.component-container").last

    async def conversation(self) -> bytes:
        """The end of the conversation, as much as fits the window, as a PNG."""
        await self.reload()
        return await self._screenshot()

    async def _screenshot(self) -> bytes:
        timeline = self.page.locator("#channel-timeline")
        await timeline.evaluate("timeline => timeline.scrollTop = timeline.scrollHeight")
        return bytes(await timeline.screenshot())

    def path(self, name: str, extension: str) -> Path:
        return PICTURES / f"{name}.{self.language.code.replace('_', '-')}.{extension}"

    def clear_channel(self) -> None:
        """Delete all messages."""
        channel = self.preview.channel
        for message in channel.history(viewer=self.preview.viewers[0]):
            self.preview.env.backend.delete_message(channel.id, message.id)


def text_of(message: discord.Message) -> str:
    """The texts of a message of one container."""
    (container,) = (c for c in message.components if isinstance(c, discord.Container))
    texts = [item for item in container.children if isinstance(item, discord.TextDisplay)]
    return "\n".join(text.content for text in texts)


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


def leads_to(page_class: type[HintPage | HintMovePage | ConcedePage]) -> Predicate:
    return lambda target: isinstance(target, page_class)


def is_review(target: object) -> bool:
    return isinstance(target, ReviewPage)


def is_mistake(target: object) -> bool:
    return isinstance(target, MistakePage) and not target.tries


def is_share(target: object) -> bool:
    return isinstance(target, SharePage)


def is_day(target: object) -> bool:
    """Accepts what leads from a warm-up to the puzzle of the day."""
    return isinstance(target, PuzzlePage) and str(target) == str(PuzzlePage(target.day))


def solves(target: object) -> bool:
    """Accepts the first try that solves a puzzle."""
    if not isinstance(target, PuzzlePage) or len(target.tries) != 1:
        return False
    return target.tries[0] == daily_puzzle(target.day).solution


def tries(cell: Cell) -> Predicate:
    """Accepts tries of a cell in place of a mistake."""
    return lambda target: isinstance(target, MistakePage) and target.tries == (cell,)


def best_move(board: Board) -> Cell:
    worths = analyse(board)
    return max(worths, key=lambda cell: worths[cell].rank)


def quiet_move(board: Board) -> Cell:
    """A move that neither wins at once nor loses, if there is one."""
    worths = analyse(board)
    quiet = [
        cell
        for cell, worth in worths.items()
        if worth.value is not Value.LOSS and worth.distance_plies != 1
    ]
    return random.choice(quiet or list(worths))


def moves_of_value(board: Board, value: Value) -> list[Cell]:
    worths = analyse(board)
    return [cell for cell in worths if worths[cell].value is value]


if __name__ == "__main__":
    asyncio.run(main())

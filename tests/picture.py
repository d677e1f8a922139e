"""Takes the README's pictures: real games and lessons in the playground, in a real browser.

make picture        needs Chromium or Chrome; installs the rest
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from pathlib import Path

import discord
from playwright.async_api import Page, ViewportSize, async_playwright
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.preview import Preview

from bot.game.sketch import UNREAD
from bot.playground import playground
from bot.replies.emojis import IMAGES
from engine import Level
from engine.infinite import KEPT

PICTURES = Path(__file__).parents[1] / ".github" / "pictures"
SETTLE_MILLISECONDS = 1500
EMOJI_PIXELS = 128
WINDOW: ViewportSize = {"width": 940, "height": 860}
A_MINUTE = 60
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
HINT, REVIEW, ACCEPT = "Dica", "Análise", "Aceitar"
"""What the buttons of a board say: the playground's server speaks Portuguese."""


@dataclass(frozen=True)
class Reader:
    """Somebody who looks at lessons, in a language of their own."""

    viewer: str
    language: str
    next_button: str
    play_button: str


READERS = [Reader("Ana", "pt-BR", "Avançar", "Jogar"), Reader("Ben", "en", "Next", "Play")]


@dataclass
class Camera:
    """A browser that looks at a playground."""

    preview: Preview
    page: Page

    async def look(self, viewer: str) -> None:
        await self.preview.refresh()
        await self.page.goto(self.preview.url)
        await self.page.wait_for_timeout(SETTLE_MILLISECONDS)
        await self.page.locator("select").first.select_option(label=viewer)
        await self.page.wait_for_timeout(SETTLE_MILLISECONDS)

    async def everything(self, name: str) -> None:
        await self.page.set_viewport_size(WINDOW)
        await self.look(READERS[0].viewer)
        await self.page.screenshot(path=PICTURES / f"{name}.png")

    async def newest(self, name: str, reader: Reader) -> None:
        """The newest message, as somebody sees it, all of it at once."""
        await self.page.set_viewport_size({**WINDOW, "height": 2 * WINDOW["height"]})
        await self.look(reader.viewer)
        message = self.page.locator("article.channel-message").last
        await message.screenshot(path=PICTURES / f"{name}.{reader.language}.png")

    async def advice(self, reader: Reader) -> str:
        """What the newest hint says on the button that plays it."""
        await self.look(reader.viewer)
        play = self.page.get_by_role("button", name=reader.play_button)
        return str(await play.last.inner_text())


async def press(channel: ChannelHandle, who: MemberActor, *labels: str) -> None:
    """Press buttons of the newest message that everybody sees."""
    for label in labels:
        await who.click(newest_board(channel), label=label)


def newest_board(channel: ChannelHandle) -> discord.Message:
    return next(m for m in reversed(channel.history()) if not m.flags.ephemeral)


async def two_games(channel: ChannelHandle, ana: MemberActor, ben: MemberActor) -> None:
    """Ana beats Ben, and then plays the bot."""
    await ana.slash(channel, "velha start", opponent=ben)
    await press(channel, ben, ACCEPT)
    for who, cell in ((ana, "B2"), (ben, "B1"), (ana, "A1"), (ben, "A2"), (ana, "C3")):
        await press(channel, who, cell)
    await ana.slash(channel, "velha start")
    await press(channel, ana, "B2")


async def lessons(camera: Camera, channel: ChannelHandle, who: MemberActor, reader: Reader) -> None:
    """A hint on a larger board, the review of the match, a puzzle, and what the lesson prunes."""
    await who.slash(channel, "velha start", board="4x4x3")
    await press(channel, who, "A1", HINT)
    await camera.newest("hint", reader)
    await press(channel, who, "D4")
    await who.slash(channel, "velha stop")
    await press(channel, who, REVIEW)
    await camera.newest("review", reader)
    await who.slash(channel, "velha puzzle")
    await camera.newest("puzzle", reader)
    lesson = await who.slash(channel, "velha learn")
    assert lesson.response is not None
    for label in (reader.next_button, reader.next_button, UNREAD[0]):
        await who.click(lesson.response, label=label)
    await camera.newest("learn", reader)


async def infinite(
    camera: Camera, channel: ChannelHandle, who: MemberActor, reader: Reader
) -> None:
    """A hint in the infinite game, once a mark is about to vanish: three were followed before."""
    await who.slash(channel, "velha start", board="infinite", level=Level.IMPOSSIBLE.name)
    for _ in range(KEPT):
        hint = await who.click(newest_board(channel), label=HINT)
        assert hint.response is not None
        await who.click(hint.response, label=await camera.advice(reader))
    await press(channel, who, HINT)
    await camera.newest("infinite", reader)
    await who.slash(channel, "velha stop")


async def draw_emojis(page: Page) -> None:
    """The bot's own marks, from SVG to the PNG that Discord takes."""
    for image in IMAGES.values():
        drawing = image.with_suffix(".svg").read_text(encoding="utf-8")
        await page.set_viewport_size({"width": EMOJI_PIXELS, "height": EMOJI_PIXELS})
        await page.set_content(f"<style>* {{ margin: 0 }}</style>{drawing}")
        await page.screenshot(path=image, omit_background=True)


async def main() -> None:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit(f"No browser found: install one of {', '.join(BROWSERS)}.")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        await draw_emojis(await browser.new_page())
        async with playground() as (env, preview):
            page = await browser.new_page()
            camera, (ana, ben, _rui) = Camera(preview, page), preview.viewers
            await two_games(preview.channel, ana, ben)
            await camera.everything("playground")
            await ana.slash(preview.channel, "velha stop")
            for who, reader in zip((ana, ben), READERS, strict=True):
                await lessons(camera, preview.channel, who, reader)
                await env.advance_time(A_MINUTE)  # nobody may ask for more at once
                await infinite(camera, preview.channel, who, reader)
        await browser.close()
    print(PICTURES)


if __name__ == "__main__":
    asyncio.run(main())

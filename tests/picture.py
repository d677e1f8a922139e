"""Takes the README's picture: a real game in the playground, seen by a real browser.

make picture        needs Chromium or Chrome; installs the rest
"""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from playwright.async_api import async_playwright
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.playground import playground

PICTURE = Path(__file__).parents[1] / ".github" / "pictures" / "playground.png"
SETTLE_MILLISECONDS = 1500
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


async def play(channel: ChannelHandle, ana: MemberActor, ben: MemberActor) -> None:
    """Ana beats Ben, and then plays the bot."""
    await ana.slash(channel, "velha start", opponent=ben)
    await press(channel, ben, "Aceitar")
    for who, cell in ((ana, "B2"), (ben, "B1"), (ana, "A1"), (ben, "A2"), (ana, "C3")):
        await press(channel, who, cell)
    await ana.slash(channel, "velha start")
    await press(channel, ana, "B2")


async def press(channel: ChannelHandle, who: MemberActor, label: str) -> None:
    message = channel.last_message
    assert message is not None
    await who.click(message, label=label)


async def photograph(url: str) -> None:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit(f"No browser found: install one of {', '.join(BROWSERS)}.")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 940, "height": 940})
        await page.goto(url)
        await page.get_by_role("button", name="Desistir", disabled=False).wait_for()
        await page.wait_for_timeout(SETTLE_MILLISECONDS)
        await page.screenshot(path=PICTURE)
        await browser.close()


async def main() -> None:
    async with playground() as (_env, preview):
        ana, ben, _rui = preview.viewers
        await play(preview.channel, ana, ben)
        await preview.refresh()
        await photograph(preview.url)
    print(PICTURE)


if __name__ == "__main__":
    asyncio.run(main())

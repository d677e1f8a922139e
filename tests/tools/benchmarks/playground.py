"""What people wait for in the playground: from a press, or from `make play`, to the picture.

    python -m tests.tools.benchmarks.playground [--busy 2] [--list]

An evening of thirty presses in headless Chromium, in a wide window and on a phone. A press is over
once the conversation says what it goes on saying, with all pictures in view decoded and drawn;
beside it stands when the bot had answered. `--busy` adds processes that keep a core busy each. It
needs `make browser`, and Linux's `/proc`.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import re
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from playwright.async_api import Browser, Page, ViewportSize

import bot.playground
from tests.browser import launched_browser

WINDOWS: list[ViewportSize] = [{"width": 940, "height": 720}, {"width": 390, "height": 844}]
QUIET_SECONDS = 1.5
ANSWERED = "answered"
PATIENCE_MILLISECONDS = 120_000

WATCH = """
const seen = window.seen = { pressed: 0, changed: 0, painted: 0, last: 0, content: "" };
const now = () => performance.timeOrigin + performance.now();
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
let changes = 0;

const look = async () => {
  const change = ++changes;
  seen.changed = now();
  const timeline = document.getElementById("channel-timeline")?.getBoundingClientRect();
  const pictures = [...document.querySelectorAll("#channel-message-list img")].filter((image) => {
    const place = image.getBoundingClientRect();
    return place.bottom > timeline.top && place.top < timeline.bottom;
  });
  const areLoaded = pictures.every((image) => image.complete && image.naturalWidth > 0);
  const hasFont = [...document.fonts].some((font) =>
      font.family.includes("Noto Sans") && font.status === "loaded");
  if (!pictures.length || !areLoaded || !hasFont) return;
  await Promise.all(pictures.map((image) => image.decode().catch(() => {})));
  await frame();
  await frame();
  if (change !== changes) return;
  seen.last = now();
  const list = document.getElementById("channel-message-list");
  const content = [list.innerText, ...pictures.map((image) => image.alt)].join();
  if (content !== seen.content || seen.painted < seen.pressed) seen.painted = seen.last;
  seen.content = content;
};

for (const event of ["click", "keydown"]) {
  addEventListener(event, (pressed) => {
    const isPress = event === "click" || pressed.key === "Enter";
    if (isPress) seen.pressed = performance.timeOrigin + pressed.timeStamp;
  }, true);
}
addEventListener("DOMContentLoaded", () => {
  const options = { childList: true, subtree: true, attributeFilter: ["src"] };
  new MutationObserver(look).observe(document.getElementById("channel-message-list"), options);
  document.fonts.addEventListener("loadingdone", look);
});
document.addEventListener("load", (event) => { if (event.target.tagName === "IMG") look(); }, true);
"""
"""Notes, in milliseconds since 1970, the newest press, change and finished picture, and when the
picture became what it is."""

FIND = """([label, number, beside]) => {
    const names = (button) => button.innerText.trim()
        || [...button.querySelectorAll("img")].map((image) => image.alt).join();
    for (const message of [...document.querySelectorAll(".channel-message")].reverse()) {
        const buttons = [...message.querySelectorAll("button:enabled")];
        if (beside && !buttons.some((button) => names(button) === beside)) continue;
        const found = buttons.filter((button) =>
            label === "cell" ? /^[A-E][1-5]$/.test(names(button)) : names(button) === label);
        if (found.length) return found.at(number);
    }
    return null;
}"""
"""A button by its label, or a free cell, in the newest message that has it and one beside it."""

IS_OVER = """quiet =>
    seen.last > Math.max(seen.pressed, seen.changed) && Date.now() - seen.last > quiet"""


@dataclass
class Wait:
    """One press: its kind, and the seconds until the bot's answer and until the picture."""

    kind: str
    answer: float
    picture: float


class Transcript(list[Any]):
    """SimCord's list of what happened, which prints when the bot answers."""

    def append(self, item: Any) -> None:
        super().append(item)
        kind, name, _ = item
        if kind == "HTTP" and ("/callback" in name or "/webhooks/" in name):
            print(ANSWERED, time.time(), flush=True)


def serve() -> None:
    """Run the playground as `make play` does, and print when the bot answers."""
    open_playground = bot.playground.playground

    @asynccontextmanager
    async def open_with_transcript(locale: str) -> AsyncIterator[tuple[Any, Any]]:
        async with open_playground(locale) as (env, preview):
            env.backend.transcript = Transcript()
            yield env, preview

    with patch.object(bot.playground, "playground", open_with_transcript):
        bot.playground.main("en")


@dataclass
class Playground:
    """A playground in a process of its own, from its start on."""

    process: asyncio.subprocess.Process
    url: str
    seconds_to_url: float
    answers: list[float] = field(default_factory=list)

    async def read_answers(self) -> None:
        """Note when the bot answers, until the process ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            word, _, at = line.decode().partition(" ")
            if word == ANSWERED:
                self.answers.append(float(at))

    def cpu_seconds(self) -> float:
        stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def opened() -> AsyncIterator[Playground]:
    began = time.time()
    # With -c, as with -m, the bot's own processes import nothing of this module.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", f"import {__spec__.name} as here; here.serve()"),
        env=os.environ | {"BROWSER": "true"},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        url = None
        while not url and (line := await process.stdout.readline()):
            url = re.search(r"http://\S+", line.decode())
        if not url:
            raise SystemExit("The playground printed no address.")
        playground = Playground(process, url[0], time.time() - began)
        reading = asyncio.create_task(playground.read_answers())
        yield playground
    finally:
        process.terminate()
        await process.wait()
    await reading


@dataclass
class Evening:
    """Somebody who presses, and whose waits are noted."""

    page: Page
    answers: list[float]
    waits: list[Wait] = field(default_factory=list)

    async def move(self, kind: str, number: int = 0) -> bool:
        """Press a free cell of the newest board in play; False if there is none."""
        return await self.press(kind, "cell", number, beside="Hint")

    async def press(self, kind: str, label: str, number: int = 0, *, beside: str = "") -> bool:
        """Press a button, or a free "cell", of the newest message that has it.

        Returns:
            Whether there was one.
        """
        found = await self.page.evaluate_handle(FIND, [label, number, beside])
        button = found.as_element()
        if button is None:
            return False
        await button.scroll_into_view_if_needed()
        await self._wait(kind, button.click)
        return True

    async def command(self, kind: str, name: str, **options: str) -> None:
        """Type a command, choose its options, and send it."""
        await self.page.locator("#channel-composer-input").press_sequentially(f"/velha {name}")
        await self.page.locator(".command-entry").first.wait_for()
        await self.page.keyboard.press("Enter")
        await self.page.locator(".command-chip:focus").wait_for()
        for text in (text for option in options.items() for text in option):
            await self.page.locator(".command-suggestion", has_text=text).first.click()
        await self._wait(kind, lambda: self.page.keyboard.press("Enter"))

    async def _wait(self, kind: str, press: Callable[[], Awaitable[None]]) -> None:
        answered = len(self.answers)
        await press()
        while True:
            await self.page.wait_for_function(
                IS_OVER, arg=1000 * QUIET_SECONDS, timeout=PATIENCE_MILLISECONDS
            )
            seen = await self.page.evaluate("seen")
            pressed, painted = seen["pressed"] / 1000, seen["painted"] / 1000
            if answers := [at for at in self.answers[answered:] if at < painted]:
                break
        self.waits.append(Wait(kind, answers[-1] - pressed, painted - pressed))


async def spend(evening: Evening) -> None:
    """Press what people press in an evening, some thirty times."""
    await evening.move("move", 4)
    await evening.press("hint", "Hint")
    await evening.press("hint", "Why?")
    while await evening.move("move"):
        pass
    await evening.press("review", "Review")
    await evening.press("review", "→")
    await evening.press("rematch", "Rematch")
    await evening.move("move", 4)
    await evening.command("stats", "stats")
    await evening.command("puzzle", "puzzle")
    await evening.press("puzzle", "cell")
    await evening.press("puzzle", "Today's puzzle")
    await evening.press("puzzle", "cell")
    await evening.command("help", "help")
    await evening.command("lesson", "learn")
    await evening.press("lesson", "Next")
    await evening.command("resign", "stop")
    await evening.press("resign", "Resign")
    await evening.command("5x5", "start", board="5x5, 4 in a row")
    for number in (12, 6, 8):
        await evening.move("5x5", number)
    await evening.command("resign", "stop")
    await evening.press("resign", "Resign")
    await evening.command("infinite", "start", board="infinite")
    for number in (4, 0, 1, 0):
        await evening.move("infinite", number)
    await evening.command("settings", "settings")
    await evening.press("settings", "Puzzle and ranking")
    await evening.press("settings", "Boards")


async def opened_page(browser: Browser, playground: Playground, window: ViewportSize) -> Page:
    """Open the page, and wait until it shows its picture."""
    page = await browser.new_page(viewport=window)
    await page.add_init_script(WATCH)
    await page.goto(playground.url)
    await page.wait_for_function(IS_OVER, arg=1000 * QUIET_SECONDS, timeout=PATIENCE_MILLISECONDS)
    return page


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    processes = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()


def _spin() -> None:
    while True:
        pass


def print_table(waits: list[Wait], *, by_press: bool) -> None:
    print("| press | n | answer, median | picture, median | picture, longest |")
    print("|---|---|---|---|---|")
    kinds = dict.fromkeys(wait.kind for wait in waits)
    for kind in kinds:
        print_row(kind, [wait for wait in waits if wait.kind == kind])
    print_row("**all**", waits)
    if by_press:
        for wait in waits:
            print(f"{wait.kind:10} {wait.answer:6.2f} {wait.picture:6.2f}")


def print_row(kind: str, waits: list[Wait]) -> None:
    answer = statistics.median(wait.answer for wait in waits)
    pictures = [wait.picture for wait in waits]
    median, longest = statistics.median(pictures), max(pictures)
    print(f"| {kind} | {len(waits)} | {answer:.2f} s | {median:.2f} s | {longest:.2f} s |")


async def measure(busy: int, *, by_press: bool) -> None:
    with busy_processes(busy):
        async with launched_browser() as browser:
            for window in WINDOWS:
                print(f"\n{window['width']} px wide:", end=" ")
                async with opened() as playground:
                    page = await opened_page(browser, playground, window)
                    picture = await page.evaluate("seen.painted - performance.timeOrigin") / 1000
                    print(f"address after {playground.seconds_to_url:.2f} s", end=", ")
                    print(f"board {picture:.2f} s after that", end=", ", flush=True)
                    evening = Evening(page, playground.answers)
                    before = playground.cpu_seconds()
                    await spend(evening)
                    print(f"{playground.cpu_seconds() - before:.1f} s of CPU for all presses\n")
                    print_table(evening.waits, by_press=by_press)
                    await page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--busy", type=int, default=0, help="how many cores are kept busy")
    parser.add_argument("--list", action="store_true", help="print each press, too")
    options = parser.parse_args()
    asyncio.run(measure(options.busy, by_press=options.list))


if __name__ == "__main__":
    main()

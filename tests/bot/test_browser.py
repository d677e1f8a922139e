"""The playground as people meet it, in a browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import simcord
from simcord.preview import Preview

from bot.client.bot import VelhaBot
from bot.domain.matches import Match
from bot.playground import playground, serve
from bot.playground.server import Server
from bot.store.matches import live_in
from bot.views.i18n import language_for
from engine import Level
from tests.bot.databases import call
from tests.bot.simulated_guild import stop

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page, Route, ViewportSize

playwright = pytest.importorskip("playwright.async_api", reason="`make browser` installs it")
browsers = pytest.importorskip("tests.browser")

BOX = "section.component-container"
WIDE: ViewportSize = {"width": 940, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
PATIENCE = 60_000
"""In milliseconds: the machine may be busy."""

playwright.expect.set_options(timeout=PATIENCE)

CENTRE = 4
FACE_WIDTH = 512


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    try:
        async with browsers.launched_browser() as browser:
            yield browser
    except browsers.NoBrowserError as missing:
        pytest.skip(str(missing))


@dataclass
class Tab:
    """A tab in which somebody looks at the playground."""

    page: Page

    async def open(self, url: str) -> None:
        await self.page.goto(url)
        await self.settle()

    async def settle(self) -> None:
        await self.page.locator(BOX).first.wait_for()

    @property
    def conversation(self) -> Locator:
        return self.page.locator("#channel-timeline")

    @property
    def newest(self) -> Locator:
        return self.page.locator(BOX).last

    def cell(self, number: int) -> Locator:
        """A cell of the newest board, counted from 0."""
        return self.newest.get_by_role("button").nth(number)

    async def type_command(self, text: str) -> None:
        await self.page.locator("#channel-composer-input").press_sequentially(text)
        await self.page.locator(".command-entry").first.wait_for()

    async def choose_command(self, text: str) -> None:
        await self.type_command(text)
        await self.page.keyboard.press("Enter")
        await self.page.locator(".command-chip:focus").wait_for()

    async def choose_suggestion(self, text: str) -> None:
        """Go down to a suggestion with the arrow key, and choose it."""
        suggestion = self.page.locator(".command-suggestion", has_text=text)
        position = await suggestion.evaluate("item => [...item.parentNode.children].indexOf(item)")
        for _ in range(position):
            await self.page.keyboard.press("ArrowDown")
        await self.page.keyboard.press("Enter")

    async def send_command(self, text: str) -> None:
        await self.choose_command(text)
        await self.page.keyboard.press("Enter")
        await self.page.locator("#channel-composer-input").wait_for()


@dataclass
class Opened:
    """A playground, and what serves its page."""

    env: simcord.Env
    preview: Preview
    server: Server

    def match(self) -> Match | None:
        bot = self.env.bot
        assert isinstance(bot, VelhaBot)
        return call(bot.store, live_in, self.preview.channel.id)

    async def match_after(self, *, moves: int) -> Match:
        """Wait until a match is live in the channel, and has that many moves."""
        for _ in range(PATIENCE // 100):
            match = await asyncio.to_thread(self.match)
            if match and len(match.record.moves) == moves:
                return match
            await asyncio.sleep(0.1)
        raise AssertionError(f"no match with {moves} moves")


@asynccontextmanager
async def opened(locale: str) -> AsyncIterator[Opened]:
    language = language_for(locale)
    async with playground(locale) as (env, preview), serve(preview, language) as server:
        yield Opened(env, preview, server)


@pytest.mark.parametrize(
    ("locale", "press"), [("pt-BR", "aperte uma casa"), ("en-US", "press a square")]
)
async def test_it_opens_with_a_board_that_can_be_pressed_and_says_so(
    browser: Browser, locale: str, press: str
) -> None:
    async with opened(locale) as here:
        for size in (WIDE, PHONE):
            tab = Tab(await browser.new_page(viewport=size))
            await tab.open(here.server.url)
            await playwright.expect(tab.conversation.get_by_text(press)).to_be_in_viewport()
            await playwright.expect(tab.cell(CENTRE)).to_be_in_viewport()
            face = tab.conversation.locator(".message-avatar img").last
            await playwright.expect(face).to_have_js_property("naturalWidth", FACE_WIDTH)
        await tab.cell(CENTRE).click()
        await here.match_after(moves=2)


async def test_commands_are_described_in_the_reader_s_language(browser: Browser) -> None:
    async with opened("pt-BR") as here:
        tab = Tab(await browser.new_page())
        await tab.open(here.server.url)
        await tab.type_command("/velha start")
        await playwright.expect(tab.page.locator(".command-entry").first).to_contain_text("partida")


async def test_enter_chooses_a_command_and_enter_again_sends_it(
    browser: Browser,
) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page())
        await tab.open(here.server.url)
        await tab.send_command("/velha help")
        await playwright.expect(tab.newest).to_contain_text("/velha puzzle")
        await tab.send_command("/velha stop")
        await tab.newest.get_by_role("button", name="Resign").click()
        await playwright.expect(tab.conversation).to_contain_text("You resigned.")
        await tab.send_command("/velha start")
        await playwright.expect(tab.page.locator(BOX)).to_have_count(4)
        await here.match_after(moves=0)
        await playwright.expect(tab.cell(CENTRE)).to_be_in_viewport()


async def test_arrow_keys_choose_an_option_and_its_value(browser: Browser) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page())
        await stop(here.preview.viewers[0], here.preview.channel)
        await tab.open(here.server.url)
        await tab.choose_command("/velha start")
        await tab.choose_suggestion("level")
        await tab.choose_suggestion("easy")
        await tab.page.keyboard.press("Enter")
        match = await here.match_after(moves=0)
        assert match.bot_level is Level.EASY


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_a_command_being_typed_can_be_sent_or_taken_back(
    browser: Browser, size: ViewportSize
) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page(viewport=size))
        await tab.open(here.server.url)
        await tab.choose_command("/velha start")
        await tab.choose_suggestion("board")
        await tab.page.keyboard.type("infinite: your fourth mark makes your oldest vanish")
        for name in ("Exit command mode", "Send"):
            button = tab.page.get_by_role("button", name=name, exact=True)
            await playwright.expect(button).to_be_in_viewport(ratio=1)
        await tab.page.keyboard.press("Escape")
        await playwright.expect(tab.page.locator(".command-popup")).to_be_hidden()
        await playwright.expect(tab.page.locator(".command-option-input")).to_be_visible()
        await tab.page.keyboard.press("Escape")
        field = tab.page.locator("#channel-composer-input")
        await playwright.expect(field).to_be_focused()
        await playwright.expect(field).to_have_value("")


async def test_each_page_of_the_settings_shows_its_own_values(browser: Browser) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page(viewport=WIDE))
        await tab.open(here.server.url)
        await tab.send_command("/velha settings")
        chosen = tab.newest.get_by_role("combobox")
        await playwright.expect(chosen).to_have_count(5)
        boards = await chosen.all_inner_texts()
        await tab.newest.get_by_role("button", name="Puzzle and ranking").click()
        await playwright.expect(chosen).to_have_count(2)
        await playwright.expect(chosen.first).to_have_text("none")
        await playwright.expect(chosen.last).to_have_text("12:00 UTC")
        await tab.newest.get_by_role("button", name="Boards").click()
        await playwright.expect(chosen).to_have_count(5)
        assert await chosen.all_inner_texts() == boards


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_each_answer_comes_into_view(browser: Browser, size: ViewportSize) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page(viewport=size))
        await tab.open(here.server.url)
        messages = tab.conversation.locator(".channel-message")
        for number, command in enumerate(("help", "stats", "help", "ranking", "settings"), start=3):
            await tab.send_command(f"/velha {command}")
            await playwright.expect(messages).to_have_count(number)
            beginning = messages.last.get_by_text("Only you can see this")
            await playwright.expect(beginning).to_be_in_viewport(ratio=1)
            await tab.type_command("/velha")  # the field grows
            await playwright.expect(beginning).to_be_in_viewport(ratio=1)
            await tab.page.locator("#channel-composer-input").fill("")
        await tab.page.reload()
        await tab.settle()
        await playwright.expect(beginning).to_be_in_viewport(ratio=1)


async def test_a_page_that_is_leafed_through_stays_in_view_to_its_last_row(
    browser: Browser,
) -> None:
    async def send_slowly(route: Route) -> None:
        await asyncio.sleep(0.5)
        await route.continue_()

    async with opened("en-US") as here:
        tab = Tab(await browser.new_page(viewport=PHONE))
        await tab.page.route("**/api/assets/**", send_slowly)
        await tab.open(here.server.url)
        await tab.send_command("/velha learn")
        for number in range(2, 5):
            button = tab.newest.get_by_role("button", name="Next", exact=True)
            await button.click()
            await playwright.expect(tab.newest).to_contain_text(f"{number}/5")
            await tab.page.locator("#preview-app[aria-busy='false']").wait_for()
            await playwright.expect(button).to_be_in_viewport(ratio=1)


async def test_a_board_fits_a_phone_before_its_emojis_are_loaded(browser: Browser) -> None:
    async with opened("en-US") as here:
        reader, channel = here.preview.viewers[0], here.preview.channel
        await stop(reader, channel)
        await reader.slash(channel, "velha start", board="5x5x4")
        tab = Tab(await browser.new_page(viewport=PHONE))
        await tab.page.route("**/api/assets/**", lambda _route: None)
        await tab.open(here.server.url)
        await playwright.expect(tab.page.locator("#preview-app")).to_have_css("width", "390px")
        boxes = [await tab.cell(number).bounding_box() for number in range(25)]
        assert len({round(box["y"]) for box in boxes if box}) == 5


async def test_a_link_to_the_board_stays_in_the_page(browser: Browser) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page(viewport=PHONE))
        await tab.open(here.server.url)
        board = tab.page.locator(BOX).first
        await tab.cell(CENTRE).click()
        await here.match_after(moves=2)
        await tab.send_command("/velha help")
        await tab.send_command("/velha start")
        await playwright.expect(board).not_to_be_in_viewport()
        await tab.newest.get_by_role("link", name="Go to the board").click()
        await playwright.expect(board).to_be_in_viewport()
        assert len(tab.page.context.pages) == 1


async def test_a_wait_of_more_than_three_seconds_is_mentioned(browser: Browser) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page(viewport=PHONE))
        await tab.open(here.server.url)
        sentence = tab.page.get_by_text("This is taking longer than usual")
        await playwright.expect(sentence).to_be_hidden()
        is_seen = asyncio.Event()

        async def hold(route: Route) -> None:
            await is_seen.wait()
            await route.continue_()

        await tab.page.route("**/api/action", hold)
        await tab.cell(CENTRE).click()
        await playwright.expect(sentence).to_be_in_viewport()
        is_seen.set()
        await playwright.expect(sentence).to_be_hidden()
        await here.match_after(moves=2)


async def test_two_tabs_play_the_same_match(browser: Browser) -> None:
    async with opened("en-US") as here:
        tabs = [Tab(await browser.new_page()) for _ in range(2)]
        for tab in tabs:
            await tab.open(here.server.url)
        await tabs[1].cell(CENTRE).click()
        match = await here.match_after(moves=2)
        free = next(cell for cell in range(9) if cell not in match.record.moves)
        await tabs[0].cell(free).click()
        await here.match_after(moves=4)


async def test_a_tab_whose_page_was_forgotten_opens_another(browser: Browser) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page())
        await tab.open(here.server.url)
        await tab.page.evaluate(
            """() => fetch(`/api/pages/${simcordPreview.contextId}`, {
                method: "DELETE",
                headers: {
                    "X-Simcord-Capability": location.hash.slice(1),
                    "X-Simcord-Context": simcordPreview.contextId,
                },
            })"""
        )
        await tab.page.wait_for_event("load", timeout=PATIENCE)
        await tab.settle()
        await tab.cell(CENTRE).click()
        await here.match_after(moves=2)


async def test_a_reload_shows_the_newest_board(browser: Browser) -> None:
    async with opened("en-US") as here:
        tab = Tab(await browser.new_page(viewport=PHONE))
        await tab.open(here.server.url)
        reader, channel = here.preview.viewers[0], here.preview.channel
        for _ in range(2):
            await stop(reader, channel)
            await reader.slash(channel, "velha start")
        await tab.page.reload()
        await tab.settle()
        await playwright.expect(tab.cell(CENTRE)).to_be_in_viewport()


async def test_a_browser_that_crashed_keeps_nobody_out(browser: Browser) -> None:
    async with opened("en-US") as here:
        crashed, other = [Tab(await browser.new_page()) for _ in range(2)]
        await crashed.open(here.server.url)
        with suppress(playwright.Error):  # the page is gone before it answers
            await crashed.page.goto("chrome://crash", timeout=PATIENCE)
        await other.open(here.server.url)
        await other.cell(CENTRE).click()
        await here.match_after(moves=2)


async def test_a_page_whose_playground_has_ended_says_so(browser: Browser) -> None:
    async with opened("pt-BR") as here:
        tab = Tab(await browser.new_page())
        await tab.open(here.server.url)
        closed = tab.page.get_by_text("O playground está fechado.")
        await playwright.expect(closed).to_be_hidden()
    await playwright.expect(closed).to_be_visible()

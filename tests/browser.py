"""Starts Chromium for the tests that need a browser, and for `make picture`."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright

_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class NoBrowserError(Exception):
    """Neither Chromium nor Chrome is installed."""


@asynccontextmanager
async def launched_browser() -> AsyncIterator[Browser]:
    """Start Chromium or Chrome.

    Raises:
        NoBrowserError: Neither is installed.
    """
    path = next(filter(None, map(shutil.which, _COMMANDS)), None)
    if path is None:
        raise NoBrowserError(f"No browser found: install one of {', '.join(_COMMANDS)}.")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()

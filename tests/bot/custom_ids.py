"""Reading what a button leads to."""

from __future__ import annotations

from functools import cache

from bot.client import button_router

parse_page = cache(button_router.parse_page)

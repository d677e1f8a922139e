"""Reads the custom_ids of buttons."""

from __future__ import annotations

from functools import cache

from bot.client import button_router

parse_page = cache(button_router.parse_page)

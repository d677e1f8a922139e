"""Reads the custom_ids of buttons."""

from __future__ import annotations

from functools import cache

from bot.client import routes

parse_page = cache(routes.parse_page)

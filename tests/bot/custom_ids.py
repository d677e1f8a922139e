"""Reading what a button leads to."""

from __future__ import annotations

from functools import cache

from bot.client import button_router


@cache
def parse_page(custom_id: str) -> object:
    """The page to which a button leads; None if it leads to none."""
    parsed = button_router.parse_page(custom_id)
    return parsed and parsed[1]

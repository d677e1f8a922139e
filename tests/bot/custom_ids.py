"""Reading what a button leads to."""

from __future__ import annotations

from bot.client import button_router


def parse_page(custom_id: str) -> object:
    """The page to which a button leads; None if it leads to none."""
    parsed = button_router.parse_page(custom_id)
    return parsed and parsed[1]

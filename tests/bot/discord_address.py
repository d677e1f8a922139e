"""Changes the address at which discord.py looks for Discord."""

from __future__ import annotations

from collections.abc import Callable

from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL


def use_discord_at(address: str, assign: Callable[[object, str, object], None] = setattr) -> None:
    """Have discord.py connect to this address instead of Discord's."""
    assign(Route, "BASE", address)
    assign(DiscordWebSocket, "DEFAULT_GATEWAY", URL(address).with_scheme("ws") / "gateway")

"""Where discord.py looks for Discord."""

from __future__ import annotations

from collections.abc import Callable

from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL


def speak_to(address: str, assign: Callable[[object, str, object], None] = setattr) -> None:
    """Have discord.py take this address for Discord's."""
    assign(Route, "BASE", address)
    assign(DiscordWebSocket, "DEFAULT_GATEWAY", URL(address).with_scheme("ws") / "gateway")

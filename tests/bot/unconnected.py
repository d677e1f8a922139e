"""A client that is not connected to Discord."""

from __future__ import annotations

from functools import cache
from typing import Any

import discord
from discord.ext import commands

from tests.bot.example_matches import VELHA


@cache
def unconnected_client() -> commands.AutoShardedBot:
    client = commands.AutoShardedBot("/", intents=discord.Intents.none())
    state: Any = client._connection
    user: Any = {"id": str(VELHA), "username": "Velha", "discriminator": "0", "avatar": None}
    state.user = discord.ClientUser(state=state, data=user)
    return client

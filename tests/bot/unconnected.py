"""A client that is not connected to Discord, as if it had been logged in."""

from __future__ import annotations

from functools import cache
from typing import Any

import discord
from discord.ext import commands

from tests.bot.example_matches import VELHA
from tests.bot.fake_discord import APPLICATION


@cache
def unconnected_client() -> commands.AutoShardedBot:
    client = commands.AutoShardedBot("/", intents=discord.Intents.none())
    state: Any = client._connection
    user: Any = {"id": str(VELHA), "username": "Velha", "discriminator": "0", "avatar": None}
    state.user = discord.ClientUser(state=state, data=user)
    application: Any = APPLICATION
    client._application = discord.AppInfo(state, application)
    return client

"""The same bot in a local browser: a simulated Discord with a channel and three members.

Nothing else in the bot knows of this module. SimCord is a development dependency, so only
`python -m bot playground` and the tests import it.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
import webbrowser
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import discord

try:
    import simcord
    from simcord.backend.cdn import CDN_BASE
    from simcord.backend.errors import SetupError
    from simcord.preview import Preview
except ImportError as missing:
    raise SystemExit(f"The playground needs requirements-dev.txt installed: {missing}") from None

from bot.client.bot import VelhaBot
from bot.config import Config
from bot.environment import read_environment
from bot.messaging.emojis import IMAGES
from bot.playground.guide import Guide
from bot.playground.tabs import serve_one_tab
from bot.playground.texts import PlaygroundTexts
from bot.playground.world import World
from bot.views.catalogues import LANGUAGE_BY_LOCALE, SOURCE_LANGUAGE, nearest_language
from bot.views.i18n import language_for
from engine.terminal.language import locales_of

__all__ = ["World", "main", "playground", "serve_one_tab"]

_TICK_SECONDS = 1
_QUIET_SECONDS = 30
_SETTLE_SECONDS = 60
"""The bot answers within three seconds, but a busy machine starts its processes slowly."""


def main(language: str | None = None) -> int:
    """Run until Ctrl-C, or until the session is ended in the browser.

    `language` is a language's code, such as "pt_BR"; by default it is the system's.

    Raises:
        ConfigError: One of the limits is malformed.
    """
    locale = _locale_of(language or _system_language())
    texts = PlaygroundTexts(language_for(locale))
    with suppress(KeyboardInterrupt):
        asyncio.run(_stay_open(locale, texts))
    print(texts.closed())
    return 0


def _system_language() -> str:
    languages = map(nearest_language, locales_of(os.environ))
    return next((language for language in languages if language), SOURCE_LANGUAGE)


def _locale_of(language: str) -> str:
    """The Discord locale of a language: Discord has no plain English."""
    return next(
        (locale for locale, name in LANGUAGE_BY_LOCALE.items() if name == language), "en-US"
    )


async def _stay_open(locale: str, texts: PlaygroundTexts) -> None:
    async with playground(locale) as (env, preview), serve_one_tab(preview, texts) as url:
        reader = preview.viewers[0].name.title()
        print(texts.welcome(url, reader), flush=True)
        webbrowser.open(url)
        await _let_time_pass(env, preview)


@asynccontextmanager
async def playground(locale: str) -> AsyncIterator[tuple[simcord.Env, Preview]]:
    """Run the bot in a simulated server, with a temporary database, and preview it in a browser.

    The first viewer reads that locale, owns the server, and has a board open.
    """
    world = World()
    with tempfile.TemporaryDirectory() as folder, world.patch_simcord():
        database = f"sqlite:///{Path(folder, 'playground.db').as_posix()}"
        environment = read_environment()
        limits = {name: environment.get(name) for name in ("TURN_MINUTES", "CHALLENGE_MINUTES")}
        settings = {"DISCORD_TOKEN": "none", "DATABASE_URL": database}
        bot = VelhaBot(Config.from_env(limits | settings))
        env = simcord.Env(bot, shard_count=1, check_errors=False, settle_timeout=_SETTLE_SECONDS)
        env.backend.advance_clock((discord.utils.utcnow() - env.now()).total_seconds())
        for name in IMAGES:  # as if it had run before: uploading takes its time
            env.backend.create_application_emoji(name)
        await env.start()
        try:
            async with _create_server(env, world, locale) as preview:
                Guide(env, preview.channel, world.locales).greet(locale)
                await preview.viewers[0].slash(preview.channel, "velha start")
                await preview.refresh()
                yield env, preview
        finally:
            await env.shutdown()
            await bot.close()


def _create_server(env: simcord.Env, world: World, locale: str) -> Preview:
    """A server with Ana, who reads Portuguese, Ben, who reads English, and Rui.

    Rui reads the given locale. The first who does owns the server, and is the first viewer.
    """
    env.backend.edit_bot_profile("Velha")
    locales = {"Ana": "pt-BR", "Ben": "en-US", "Rui": locale}
    readers = [name for name in locales if locales[name] == locale]
    names = [*readers, *(name for name in locales if name not in readers)]
    users = [env.create_user(name.lower(), global_name=name) for name in names]
    for user, name in zip(users, names, strict=True):
        world.locales[user.id] = locales[name]
    guild = env.create_guild("Praça da Velha", owner=users[0])
    channel = guild.create_text_channel("jogo-da-velha")
    members = [guild.add_member(user) for user in users]
    return env.preview(
        channel, viewers=members, layout="channel", locale=locale, assets=dict(_images(env))
    )


def _images(env: simcord.Env) -> Iterator[tuple[str, tuple[str, bytes]]]:
    """The bot's emojis by URL, as SimCord does not keep uploaded images."""
    for emoji in env.backend.application_emojis.values():
        image = IMAGES[emoji.name]
        yield f"{CDN_BASE}/emojis/{emoji.id}.png", (image.name, image.read_bytes())


async def _let_time_pass(env: simcord.Env, preview: Preview) -> None:
    """Advance the simulated clock with the real one, until the playground is closed.

    What changes with time alone is shown only after `_QUIET_SECONDS` without an event: SimCord
    does one thing at a time, and a press while it is busy would be lost.
    """
    last_tick = time.monotonic()
    quiet_since = last_tick
    event_count = 0
    closed = asyncio.create_task(preview.wait_closed())
    while not closed.done():
        await asyncio.wait([closed], timeout=_TICK_SECONDS)
        now = time.monotonic()
        env.backend.advance_clock(now - last_tick)
        last_tick = now
        preview.capture_time = env.now()
        if event_count != len(env.backend.transcript):
            event_count = len(env.backend.transcript)
            quiet_since = now
        elif now - quiet_since >= _QUIET_SECONDS:
            quiet_since = now
            with suppress(SetupError):  # somebody is just pressing a button
                await env.settle()
                await preview.refresh()

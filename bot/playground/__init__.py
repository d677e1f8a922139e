"""The playground: the bot in a local browser, on a simulated Discord with three members.

It needs SimCord, a development dependency, so only `python -m bot playground` and the tests import
this package.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
import webbrowser
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

import discord

try:
    import simcord
    from simcord.backend.cdn import CDN_BASE
    from simcord.preview import Preview
except ImportError as error:
    raise SystemExit(f"The playground needs requirements-play.txt installed: {error}") from None

from bot.client.bot import BotLimits, VelhaBot
from bot.config import Config
from bot.domain.refusals import UnavailableError
from bot.environment import read_environment
from bot.messaging.emojis import IMAGES
from bot.playground import texts
from bot.playground.guide import Guide
from bot.playground.server import Server, serve
from bot.playground.simcord_patches import (
    World,
    decode_pictures_in_threads,
    forget_page_of_python,
    limit_waits_for_timers,
    reuse_markdown_parsers,
    set_clock_at_start,
)
from bot.runtime.engine_pool import LESSONS, EnginePool
from bot.views.catalogues import LANGUAGE_BY_LOCALE, SOURCE_LANGUAGE, nearest_language
from bot.views.i18n import language_for
from engine import INFINITE, Board, Level, Record, Rules
from engine.terminal.language import locales_of

__all__ = ["AVATAR", "World", "main", "playground", "serve"]

AVATAR = Path(__file__).with_name("avatar.png")
"""The bot's face; on Discord, whoever hosts it uploads that. `make picture` draws it."""

_TICK_SECONDS = 1

_REFRESH_SECONDS = 30
"""How often the page is refreshed although nothing happens, for what time alone changes."""

_LONGEST_TIMER_SECONDS = 0.05
"""What the bot does later than that, a command does not wait for; it has answered before."""

_SETTLE_TIMEOUT_SECONDS = 60
"""The bot answers within three seconds, but a busy machine starts its processes slowly."""


def main(language: str | None = None) -> int:
    """Run until Ctrl-C or SIGTERM, or until the playground is closed in the browser.

    `language` is the code of a language, such as "pt_BR"; the default is the system's.

    Raises:
        ConfigError: TURN_MINUTES, CHALLENGE_MINUTES or SOURCE_URL is malformed.
    """
    locale = _locale_of(language or _system_language())
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_run(locale))
    print(texts.closed(language_for(locale)))
    return 0


def _system_language() -> str:
    languages = map(nearest_language, locales_of(os.environ))
    return next((language for language in languages if language), SOURCE_LANGUAGE)


def _locale_of(language: str) -> str:
    """The Discord locale of a language; en-US for English, as Discord has no "en"."""
    return next(
        (locale for locale, name in LANGUAGE_BY_LOCALE.items() if name == language), "en-US"
    )


async def _run(locale: str) -> None:
    task = asyncio.current_task()
    assert task is not None, "a coroutine runs in a task"
    with suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    language = language_for(locale)
    async with playground(locale) as (env, preview), serve(preview, language) as server:
        assert isinstance(env.bot, VelhaBot), "it is what `playground` has started"
        owner = preview.viewers[0].name.title()
        print(texts.welcome(language, server.url, owner), flush=True)
        # A browser in the terminal holds its thread until it is closed.
        Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(_tick(env, preview, server)),
                group.create_task(_start_processes(env.bot.engine)),
            ]
            await preview.wait_closed()
            for task in tasks:
                task.cancel()


@asynccontextmanager
async def playground(locale: str) -> AsyncIterator[tuple[simcord.Env, Preview]]:
    """Run the bot in a simulated server, with a temporary database, and yield a preview of it.

    The first viewer reads `locale`, owns the server, and has a board open.
    """
    world = World()
    with (
        tempfile.TemporaryDirectory() as folder,
        world.patch_simcord(),
        limit_waits_for_timers(_LONGEST_TIMER_SECONDS),
        decode_pictures_in_threads(),
        reuse_markdown_parsers(),
    ):
        database = f"sqlite:///{Path(folder, 'playground.db').as_posix()}"
        environment = read_environment()
        names = ("TURN_MINUTES", "CHALLENGE_MINUTES", "SOURCE_URL")
        chosen = {name: environment.get(name) for name in names}
        settings = {"DISCORD_TOKEN": "none", "DATABASE_URL": database}
        # SimCord shows an answer once all jobs are done; those at a low priority take long to be.
        limits = BotLimits(lessons=replace(LESSONS, niceness=0))
        bot = VelhaBot(Config.from_env(chosen | settings), limits=limits)
        env = simcord.Env(
            bot, shard_count=1, check_errors=False, settle_timeout=_SETTLE_TIMEOUT_SECONDS
        )
        env.backend.advance_clock((discord.utils.utcnow() - env.now()).total_seconds())
        for name in IMAGES:  # saves the bot from uploading them
            env.backend.create_application_emoji(name)
        set_clock_at_start(bot)
        await env.start()
        try:
            async with _create_server(env, world, locale) as preview:
                forget_page_of_python(preview)
                Guide(env, preview.channel, world.locales).greet(locale)
                await preview.viewers[0].slash(preview.channel, "velha start")
                await preview.refresh()
                yield env, preview
        finally:
            await env.shutdown()
            await bot.close()


def _create_server(env: simcord.Env, world: World, locale: str) -> Preview:
    """Create a server with Ana, who reads Portuguese, Ben, who reads English, and Rui.

    Rui reads `locale`. The first of them who does owns the server, and is the first viewer.
    """
    env.backend.bot_user.avatar = AVATAR.stem
    env.backend.edit_bot_profile("Velha")
    locales = {"Ana": "pt-BR", "Ben": "en-US", "Rui": locale}
    names = sorted(locales, key=lambda name: locales[name] != locale)
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
    """Yield the bot's emojis and its face by URL: SimCord does not keep uploaded images."""
    for emoji in env.backend.application_emojis.values():
        image = IMAGES[emoji.name]
        yield f"{CDN_BASE}/emojis/{emoji.id}.png", (image.name, image.read_bytes())
    bot = env.backend.bot_user
    yield f"{CDN_BASE}/avatars/{bot.id}/{bot.avatar}.png", (AVATAR.name, AVATAR.read_bytes())


async def _start_processes(engine: EnginePool) -> None:
    """Start the processes that think, as the first match of infinite and the first lesson would.

    That match would also wait for a table of all its positions.
    """
    with suppress(UnavailableError):  # the bot is closing
        await engine.choose(Board(INFINITE), Level.IMPOSSIBLE)
        await engine.review(Record(Rules(5, 5, 4), (0,)))


async def _tick(env: simcord.Env, preview: Preview, server: Server) -> None:
    """Advance the simulated clock with the real one, and refresh the page when that is due."""
    shown_events = 0
    ticked_at = shown_at = time.monotonic()
    while True:
        await asyncio.sleep(_TICK_SECONDS)
        now = time.monotonic()
        env.backend.advance_clock(now - ticked_at)
        ticked_at = now
        preview.capture_time = env.now()
        has_news = len(env.backend.transcript) != shown_events
        is_due = now >= shown_at + _REFRESH_SECONDS
        if (has_news or is_due) and await server.refresh():
            shown_events = len(env.backend.transcript)
            shown_at = now

"""The /velha commands, and the one place that answers a press."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

import aiohttp
import discord
from discord import app_commands, ui
from discord.app_commands import Choice, locale_str
from discord.ext import commands, tasks

from bot.arena import Answer, Arena, Pressed
from bot.board_view import match_view, moved_view
from bot.circumstances import (
    Interaction,
    missing_permission,
    place_of,
    reader_of,
    refuse_opponent,
)
from bot.match import Match, Place, Player, Refusal
from bot.press import Press
from bot.store import StoreError, cause_of
from bot.texts import texts_for
from engine import Level

Result = TypeVar("Result")


class NoAnswerInTimeError(Exception):
    """The arena took longer than Discord waits."""


_SWEEP_SECONDS = 15
_ANSWER_SECONDS = 2.4  # Discord waits three seconds for an answer
_DISCORD_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)

_log = logging.getLogger(__name__)


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Velha(
    commands.GroupCog,
    group_name="velha",
    group_description=locale_str("Tic-tac-toe on buttons"),
):
    """Between Discord and the arena: it asks, shows, and says; it decides nothing."""

    def __init__(self, bot: commands.AutoShardedBot, arena: Arena, rng: random.Random) -> None:
        self._bot = bot
        self._arena = arena
        self._rng = rng
        self._at_work: set[asyncio.Task[Any]] = set()

    async def cog_load(self) -> None:
        self._sweep.start()

    async def cog_unload(self) -> None:
        self._sweep.cancel()

    async def finish(self, timeout_seconds: float) -> None:
        """Wait for the answers under way."""
        if self._at_work:
            await asyncio.wait(self._at_work, timeout=timeout_seconds)

    # Commands

    @app_commands.command(description=locale_str("Start a match against me or another member"))
    @app_commands.rename(
        opponent=locale_str("opponent"), level=locale_str("level"), first=locale_str("first")
    )
    @app_commands.describe(
        opponent=locale_str("Whom to challenge; without it you play against me"),
        level=locale_str("How strong I play; impossible unless you say otherwise"),
        first=locale_str("Who begins, as ❌; you unless you say otherwise"),
    )
    @app_commands.choices(
        level=[
            Choice(name=locale_str("easy"), value=Level.EASY.name),
            Choice(name=locale_str("medium"), value=Level.MEDIUM.name),
            Choice(name=locale_str("impossible"), value=Level.IMPOSSIBLE.name),
        ],
        first=[
            Choice(name=locale_str("me"), value="me"),
            Choice(name=locale_str("my opponent"), value="opponent"),
            Choice(name=locale_str("random"), value="random"),
        ],
    )
    async def start(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        level: str = Level.IMPOSSIBLE.name,
        first: str = "me",
    ) -> None:
        async with self._answering(interaction):
            if flag := missing_permission(interaction):
                return await _say(interaction, reader_of(interaction).missing_permission(flag))
            match = self._new_match(interaction, opponent, Level[level], first)
            if refusal := refuse_opponent(interaction, match, opponent):
                return await _refuse(interaction, Answer(match, refusal))
            answer = await self._in_time(self._arena.open(match))
            if answer.match is None or answer.refusal is not None:
                return await _refuse(interaction, answer)
            await self._post_new(interaction, answer.match)

    @app_commands.command(description=locale_str("Bring this channel's board down here again"))
    async def board(self, interaction: Interaction) -> None:
        async with self._answering(interaction):
            match = await self._in_time(self._arena.live_match(place_of(interaction).channel_id))
            if match is None:
                return await _refuse(interaction, Answer(refusal=Refusal.NO_MATCH_HERE))
            posted = await self._post(interaction, match, pinged=[])
            if match.place.message_id is not None:
                moved = moved_view(posted, texts_for(match.place.locale))
                await self._edit(match.place, moved)

    @app_commands.command(description=locale_str("Resign, or end the match as a moderator"))
    async def stop(self, interaction: Interaction) -> None:
        async with self._answering(interaction):
            answer = await self._in_time(
                self._arena.stop(
                    place_of(interaction).channel_id,
                    interaction.user.id,
                    is_moderator=interaction.permissions.manage_messages,
                )
            )
            if answer.match is None:
                return await _refuse(interaction, answer)
            await _say(interaction, reader_of(interaction).stopped(answer.match.place.link))
            if not await self._redraw(answer.match):
                await interaction.followup.send(view=_drawn(answer.match))

    @app_commands.command(description=locale_str("What I can do, and how to play"))
    async def help(self, interaction: Interaction) -> None:
        async with self._answering(interaction):
            await _say(interaction, reader_of(interaction).help())

    # Presses and deadlines

    @commands.Cog.listener()
    async def on_press(self, interaction: Interaction, press: Press | None) -> None:
        async with self._answering(interaction):
            assert interaction.message is not None, "a button is part of a message"
            if press is None:
                return await _refuse(interaction, Answer(refusal=Refusal.UNKNOWN_BUTTON))
            by = Pressed(interaction.user.id, interaction.message.id, new_id=interaction.id)
            answer = await self._in_time(self._arena.press(press, by))
            if answer.match and answer.refusal is not Refusal.CHANNEL_BUSY:
                await self._update(interaction, answer)
            if answer.refusal:
                await _refuse(interaction, answer)

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _sweep(self) -> None:
        try:
            await self._arena.sweep()
            await self._show_ended_by_time()
        except StoreError as error:
            _log.error("The store failed a sweep: %s", cause_of(error))
        except Exception:  # noqa: BLE001 - whatever it was, the next sweep may well succeed
            _log.exception("A sweep for matches whose time is up failed.")

    @_sweep.before_loop
    async def _until_ready(self) -> None:
        await self._bot.wait_until_ready()

    # Answering

    @asynccontextmanager
    async def _answering(self, interaction: Interaction) -> AsyncIterator[None]:
        """Whatever goes wrong inside is logged once, and the person is told in a sentence."""
        task = asyncio.current_task()
        assert task is not None
        self._at_work.add(task)
        try:
            yield
            await self._show_ended_by_time()
        except (StoreError, NoAnswerInTimeError) as error:
            _log.error("The store did not answer: %s", cause_of(error))
            await _apologize(interaction, Refusal.STORE_UNAVAILABLE)
        except Exception:  # noqa: BLE001 - the one place that catches what nobody foresaw
            _log.exception("An interaction could not be answered.")
            await _apologize(interaction, Refusal.BROKEN)
        finally:
            self._at_work.discard(task)

    async def _in_time(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The arena's answer, unless it comes too late to be of use.

        Late work is cancelled but not waited for: a database that hangs delays that as well.
        """
        task = asyncio.create_task(work)
        await asyncio.wait({task}, timeout=_ANSWER_SECONDS)
        if task.done():
            return task.result()
        self._at_work.add(task)
        task.add_done_callback(self._forget)
        task.cancel()
        raise NoAnswerInTimeError(f"not within {_ANSWER_SECONDS} seconds")

    def _forget(self, late: asyncio.Task[Any]) -> None:
        """Nobody waits for late work any more, nor for how it failed."""
        self._at_work.discard(late)
        if not late.cancelled():
            late.exception()

    async def _show_ended_by_time(self) -> None:
        for match in self._arena.take_ended_by_time():
            await self._redraw(match)

    async def _update(self, interaction: Interaction, answer: Answer) -> None:
        """Redraw the message that was pressed, by its interaction or else by its id."""
        assert answer.match is not None
        view = _drawn(answer.match)
        if answer.refusal is Refusal.BOARD_MOVED:
            view = moved_view(answer.match, texts_for(answer.match.place.locale))
        try:
            await interaction.response.edit_message(view=view)
        except _DISCORD_FAILED as error:
            _log.warning("Match %d could not be shown in answer: %s", answer.match.id, error)
            await self._redraw(answer.match)

    async def _post_new(self, interaction: Interaction, match: Match) -> None:
        """Post a match for the first time: a challenge pings the one challenged, and only then."""
        pinged = [] if match.accepted else [discord.Object(match.challenged)]
        try:
            await self._post(interaction, match, pinged)
        except _DISCORD_FAILED:
            await self._arena.abandon(match)
            raise

    async def _post(
        self, interaction: Interaction, match: Match, pinged: list[discord.Object]
    ) -> Match:
        """Answer with the match's message, and note which message that is."""
        response = await interaction.response.send_message(
            view=_drawn(match), allowed_mentions=discord.AllowedMentions(users=pinged)
        )
        assert response.message_id is not None, "a message was sent"
        await self._arena.shown(match, response.message_id)
        return replace(match, place=replace(match.place, message_id=response.message_id))

    async def _redraw(self, match: Match) -> bool:
        return await self._edit(match.place, _drawn(match))

    async def _edit(self, place: Place, view: ui.LayoutView) -> bool:
        """Edit a board's message outside any interaction.

        Returns:
            Whether it was possible: the message may be gone, or in a channel the bot is not in.
        """
        if place.message_id is None:
            return False
        channel = self._bot.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
        try:
            await channel.get_partial_message(place.message_id).edit(view=view)
        except _DISCORD_FAILED as error:
            _log.info("Message %d could not be edited: %s", place.message_id, error)
            return False
        return True

    def _new_match(
        self, interaction: Interaction, opponent: discord.User | None, level: Level, first: str
    ) -> Match:
        assert self._bot.user is not None, "interactions come after login"
        person = Player(interaction.user.id)
        if opponent is None or opponent.id == self._bot.user.id:
            other = Player(self._bot.user.id, level)
        else:
            other = Player(opponent.id)
        if first == "random":
            first = self._rng.choice(["me", "opponent"])
        x, o = (person, other) if first == "me" else (other, person)
        return Match(
            id=interaction.id,
            place=place_of(interaction),
            x=x,
            o=o,
            opened_by=person.user_id,
            accepted=other.is_bot,
            deadline_at=self._arena.deadline(accepted=other.is_bot),
        )


def _drawn(match: Match) -> ui.LayoutView:
    return match_view(match, texts_for(match.place.locale))


async def _refuse(interaction: Interaction, answer: Answer) -> None:
    assert answer.refusal is not None
    await _say(interaction, reader_of(interaction).refusal(answer.refusal, answer.match))


async def _say(interaction: Interaction, sentence: str) -> None:
    if interaction.response.is_done():
        await interaction.followup.send(sentence, ephemeral=True)
    else:
        await interaction.response.send_message(sentence, ephemeral=True)


async def _apologize(interaction: Interaction, refusal: Refusal) -> None:
    with suppress(*_DISCORD_FAILED):
        await _refuse(interaction, Answer(refusal=refusal))

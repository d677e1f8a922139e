"""The /velha commands, and the one place that answers a press."""

from __future__ import annotations

import asyncio
import logging
import math
import random
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands, tasks
from discord.ext.commands import Cooldown, CooldownMapping

from bot.arena import Answer, Arena
from bot.circumstances import (
    Interaction,
    missing_permission,
    place_of,
    pressed_by,
    reader_of,
    refuse_opponent,
)
from bot.match import Match, Player, Refusal
from bot.press import Press
from bot.screen import (
    DISCORD_FAILED,
    Screen,
    apologize,
    drawn,
    refuse,
    say,
    was_answered_elsewhere,
)
from bot.store import StoreError, cause_of
from bot.threads import NoAnswerInTimeError, Threads
from engine import Level

_SWEEP_SECONDS = 15
_POSTS_IN_SECONDS = (5, 60)  # so many boards a person may post, within so long

_log = logging.getLogger(__name__)


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Velha(
    commands.GroupCog,
    group_name="velha",
    group_description=locale_str("Tic-tac-toe on buttons"),
):
    """Between Discord and the arena: it asks, shows, and says; it decides nothing."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        arena: Arena,
        rng: random.Random,
        *,
        keep: timedelta | None,
    ) -> None:
        self._bot = bot
        self._arena = arena
        self._rng = rng
        self._keep = keep
        self._screen = Screen(bot)
        self._threads = Threads(self._show_late, arena.break_off)
        self._at_work: set[asyncio.Task[Any]] = set()
        self._haste = CooldownMapping[Interaction](Cooldown(*_POSTS_IN_SECONDS), _user_id)

    async def cog_load(self) -> None:
        self._sweep.start()

    async def cog_unload(self) -> None:
        self._sweep.cancel()

    async def finish(self, timeout_seconds: float) -> None:
        """Wait for the answers under way, and begin no more."""
        await self._threads.finish(self._at_work, timeout_seconds)

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
            if until := self._too_fast_until(interaction):
                return await say(interaction, reader_of(interaction).too_fast(until))
            if flag := missing_permission(interaction):
                return await say(interaction, reader_of(interaction).missing_permission(flag))
            match = self._new_match(interaction, opponent, Level[level], first)
            if refusal := refuse_opponent(interaction, match, opponent):
                return await refuse(interaction, Answer(match, refusal))
            answer = await self._threads.do_in_time(self._arena.open, match)
            if answer.match is None or answer.refusal is not None:
                return await refuse(interaction, answer)
            await self._post_new(interaction, answer.match)

    @app_commands.command(description=locale_str("Bring this channel's board down here again"))
    async def board(self, interaction: Interaction) -> None:
        async with self._answering(interaction):
            if until := self._too_fast_until(interaction):
                return await say(interaction, reader_of(interaction).too_fast(until))
            match = await self._threads.do_in_time(
                self._arena.live_match, place_of(interaction).channel_id
            )
            if match is None:
                return await refuse(interaction, Answer(refusal=Refusal.NO_MATCH_HERE))
            posted = await self._post(interaction, match)
            await self._screen.retire(match.place, posted)

    @app_commands.command(description=locale_str("Resign, or end the match as a moderator"))
    async def stop(self, interaction: Interaction) -> None:
        async with self._answering(interaction):
            answer = await self._threads.do_in_time(
                self._arena.stop,
                place_of(interaction).channel_id,
                interaction.user.id,
                is_moderator=interaction.permissions.manage_messages,
            )
            if answer.match is None:
                return await refuse(interaction, answer)
            try:
                await say(interaction, reader_of(interaction).stopped(answer.match.place.link))
            finally:  # it is stored, so it is shown, whatever became of the sentence
                is_shown = await self._screen.redraw(answer.match)
            if not is_shown:
                await interaction.followup.send(view=drawn(answer.match))

    @app_commands.command(description=locale_str("What I can do, and how to play"))
    async def help(self, interaction: Interaction) -> None:
        async with self._answering(interaction):
            await say(interaction, reader_of(interaction).help())

    # Presses and deadlines

    @commands.Cog.listener()
    async def on_press(self, interaction: Interaction, press: Press | None) -> None:
        async with self._answering(interaction):
            if press is None:
                return await refuse(interaction, Answer(refusal=Refusal.UNKNOWN_BUTTON))
            answer = await self._threads.do_in_time(
                self._arena.press, press, pressed_by(interaction)
            )
            if answer.match and answer.refusal is not Refusal.CHANNEL_BUSY:
                await self._screen.update(interaction, answer)
            if answer.refusal:
                await refuse(interaction, answer)

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _sweep(self) -> None:
        try:
            await self._threads.do(self._arena.sweep)
            await self._show_ended_by_time()
            if self._keep is not None:
                kept_from = discord.utils.utcnow() - self._keep
                before_id = discord.utils.time_snowflake(kept_from)
                await self._threads.do(self._arena.prune, kept_from, before_id)
        except (StoreError, NoAnswerInTimeError) as error:
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
            await apologize(interaction, Refusal.STORE_UNAVAILABLE)
        except DISCORD_FAILED as error:
            if was_answered_elsewhere(error):
                _log.info("Interaction %d was answered by another process.", interaction.id)
            else:
                _log.warning("Discord did not take an answer: %s", cause_of(error))
                await apologize(interaction, Refusal.BROKEN)
        except Exception:  # noqa: BLE001 - the one place that catches what nobody foresaw
            _log.exception("An interaction could not be answered.")
            await apologize(interaction, Refusal.BROKEN)
        finally:
            self._at_work.discard(task)

    async def _show_late(self, late: Awaitable[object]) -> None:
        """What was done too late to be said in answer is shown all the same, or taken back."""
        try:
            answer = await late
            match = answer.match if isinstance(answer, Answer) and not answer.refusal else None
            if match is None:
                return
            if match.place.message_id is not None:
                await self._screen.redraw(match)
            elif match.is_live:
                await self._threads.do(self._arena.abandon, match)
        except (StoreError, NoAnswerInTimeError) as error:
            _log.info("What was late has failed: %s", cause_of(error))
        except Exception:  # noqa: BLE001 - nobody else would hear of it
            _log.exception("What was late could not be shown.")

    async def _show_ended_by_time(self) -> None:
        if ended := self._arena.take_ended_by_time():
            await asyncio.gather(*map(self._screen.redraw, ended))

    async def _post_new(self, interaction: Interaction, match: Match) -> None:
        """Post a match for the first time: a challenge pings the one challenged, and only then."""
        try:
            await self._post(interaction, match, pings=not match.accepted)
        except DISCORD_FAILED as error:
            if not was_answered_elsewhere(error):
                await self._threads.do(self._arena.abandon, match)
            raise

    async def _post(self, interaction: Interaction, match: Match, *, pings: bool = False) -> Match:
        posted = await self._screen.post(interaction, match, pings=pings)
        assert posted.place.message_id is not None, "it has just been posted"
        await self._threads.do(self._arena.shown, match, posted.place.message_id)
        return posted

    def _too_fast_until(self, interaction: Interaction) -> datetime | None:
        """Until when somebody who posts board after board has to wait, if they have to."""
        asked_at = interaction.created_at
        wait_seconds = self._haste.update_rate_limit(interaction, asked_at.timestamp())
        return asked_at + timedelta(seconds=math.ceil(wait_seconds)) if wait_seconds else None

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


def _user_id(interaction: Interaction) -> int:
    return interaction.user.id

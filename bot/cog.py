"""The /velha commands, and the one place that answers a press."""

from __future__ import annotations

import asyncio
import math
import random
from datetime import timedelta

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands, tasks
from discord.ext.commands import Cooldown, CooldownMapping

from bot.arena import Answer, Arena, Opened, Turn
from bot.circumstances import (
    Interaction,
    missing_permission,
    place_of,
    pressed_by,
    reader_of,
    refuse_opponent,
)
from bot.clock import Clock
from bot.desk import Desk
from bot.lessons import Lessons
from bot.match import Match, Player, Refusal
from bot.mind import Mind
from bot.options import BOARDS, FIRSTS, LEVELS, is_offered
from bot.page import HintPage, LearnPage, Page, PuzzlePage, ReviewPage
from bot.press import Press, Verb
from bot.screen import Screen, drawn, patiently, refuse, say
from engine import Level, Record, Rules

_SWEEP_SECONDS = 15
_TAKING_LEAVE_SECONDS = 0.5
_IN_THE_WAY = (Refusal.CHANNEL_BUSY, Refusal.CHALLENGE_HERE)
_ASKED_IN_SECONDS = (5, 60)  # so many commands for boards and lessons, within so long


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
        clock: Clock,
        rng: random.Random,
        *,
        keep: timedelta | None,
    ) -> None:
        self._bot = bot
        self._arena = arena
        self._rng = rng
        self._mind = Mind(rng)
        self._lessons = Lessons(self._mind)
        self._screen = Screen(bot)
        self._desk = Desk(arena, self._screen, clock, keep)
        self._haste = CooldownMapping[Interaction](Cooldown(*_ASKED_IN_SECONDS), _user_id)

    async def cog_load(self) -> None:
        self._bot.tree.error(self._refuse_what_is_no_command)
        self._sweep.start()

    async def cog_unload(self) -> None:
        self._sweep.cancel()

    async def finish(self, timeout_seconds: float) -> None:
        """Wait for the answers under way, and begin no more."""
        await self._desk.finish(timeout_seconds)
        self._mind.close()
        await self._desk.finish(_TAKING_LEAVE_SECONDS)  # who still waited is told

    # Commands

    @app_commands.command(description=locale_str("Start a match against me or another member"))
    @app_commands.rename(
        opponent=locale_str("opponent"),
        board=locale_str("board"),
        level=locale_str("level"),
        first=locale_str("first"),
    )
    @app_commands.describe(
        opponent=locale_str("Whom to challenge; without it you play against me"),
        board=locale_str("How large the board is, and how many in a row win; if left out, 3x3"),
        level=locale_str(
            "How strong I play (the odds are for 3x3); if left out, as this server has chosen"
        ),
        first=locale_str("Who begins, as ❌; you unless you say otherwise"),
    )
    @app_commands.choices(board=BOARDS, level=LEVELS, first=FIRSTS)
    async def start(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        board: str = "3x3x3",
        level: str | None = None,
        first: str = "me",
    ) -> None:
        async with self._desk.answering(interaction):
            if await self._is_too_fast(interaction):
                return None
            if flag := missing_permission(interaction):
                return await say(interaction, reader_of(interaction).missing_permission(flag))
            offered = [(BOARDS, board), (LEVELS, level), (FIRSTS, first)]
            is_whole = isinstance(opponent, discord.User | discord.Member | None)
            if not is_whole or not all(is_offered(*option) for option in offered):
                return await refuse(interaction, Answer(refusal=Refusal.UNKNOWN_OPTION))
            strength = Level[level] if level else None
            match = self._new_match(interaction, opponent, Rules.parse(board), strength, first)
            if refusal := refuse_opponent(interaction, match, opponent):
                return await refuse(interaction, Answer(match, refusal))
            opened = await self._desk.do_in_time(
                self._arena.open, match, at_level_of_server=strength is None
            )
            if isinstance(opened, Answer):
                return await refuse(interaction, opened)
            await self._desk.post_new(interaction, opened)

    @app_commands.command(description=locale_str("Bring this channel's board down here again"))
    async def board(self, interaction: Interaction) -> None:
        async with self._desk.answering(interaction):
            if await self._is_too_fast(interaction):
                return None
            match = await self._desk.do_in_time(
                self._arena.live_match, place_of(interaction).channel_id
            )
            if match is None:
                return await refuse(interaction, Answer(refusal=Refusal.NO_MATCH_HERE))
            posted = await self._desk.post(interaction, match)
            await self._screen.retire(match.place, posted)

    @app_commands.command(description=locale_str("Resign, or end the match as a moderator"))
    async def stop(self, interaction: Interaction) -> None:
        async with self._desk.answering(interaction):
            answer = await self._desk.do_in_time(
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
                is_shown = await self._desk.redraw(answer.match)
            if not is_shown:
                await interaction.followup.send(view=drawn(answer.match))

    @app_commands.command(description=locale_str("What was good and bad in the last match here"))
    async def review(self, interaction: Interaction) -> None:
        async with self._desk.answering(interaction):
            if await self._is_too_fast(interaction):
                return None
            channel_id = place_of(interaction).channel_id
            match = await self._desk.do_in_time(self._arena.last_played, channel_id)
            if match is None:
                return await refuse(interaction, Answer(refusal=Refusal.NOTHING_TO_REVIEW))
            await self._show_page(interaction, ReviewPage(match.record))

    @app_commands.command(description=locale_str("Walk through a finished match by its code"))
    @app_commands.rename(code=locale_str("code"))
    @app_commands.describe(code=locale_str("It stands above the board of every finished match"))
    async def replay(self, interaction: Interaction, code: str) -> None:
        async with self._desk.answering(interaction):
            try:
                record = Record.read(code)
            except ValueError:
                record = Record()
            if not record.moves:
                return await refuse(interaction, Answer(refusal=Refusal.NO_SUCH_GAME))
            if not await self._is_too_fast(interaction):
                await self._show_page(interaction, ReviewPage(record, ply=0))

    @app_commands.command(description=locale_str("Find the only good move: a new puzzle every day"))
    async def puzzle(self, interaction: Interaction) -> None:
        async with self._desk.answering(interaction):
            if await self._is_too_fast(interaction):
                return
            await self._show_page(interaction, PuzzlePage(interaction.created_at.date()))

    @app_commands.command(description=locale_str("How I think: minimax in four screens"))
    async def learn(self, interaction: Interaction) -> None:
        async with self._desk.answering(interaction):
            if await self._is_too_fast(interaction):
                return
            channel_id = place_of(interaction).channel_id
            record = await self._desk.do_in_time(
                self._arena.open_lesson, channel_id, interaction.user.id
            )
            await self._show_page(interaction, LearnPage(record))

    @app_commands.command(description=locale_str("How strong I play in this server"))
    @app_commands.rename(level=locale_str("level"))
    @app_commands.describe(level=locale_str("The level where nobody asks for another"))
    @app_commands.choices(level=LEVELS)
    async def settings(self, interaction: Interaction, level: str | None = None) -> None:
        async with self._desk.answering(interaction):
            reader, guild_id = reader_of(interaction), interaction.guild_id
            if guild_id is None:
                return await refuse(interaction, Answer(refusal=Refusal.NO_SERVER_HERE))
            if level is None:
                here = await self._desk.do_in_time(self._arena.level_in, guild_id)
                return await say(interaction, reader.level_here(here, changed=False))
            if not interaction.permissions.manage_guild:
                return await refuse(interaction, Answer(refusal=Refusal.NOT_YOURS_TO_SET))
            if not is_offered(LEVELS, level):
                return await refuse(interaction, Answer(refusal=Refusal.UNKNOWN_OPTION))
            await self._desk.do_in_time(self._arena.set_level_in, guild_id, Level[level])
            await say(interaction, reader.level_here(Level[level], changed=True))

    @app_commands.command(description=locale_str("What I can do, and how to play"))
    async def help(self, interaction: Interaction) -> None:
        async with self._desk.answering(interaction):
            await say(interaction, reader_of(interaction).help())

    # Presses and deadlines

    @commands.Cog.listener()
    async def on_press(self, interaction: Interaction, press: Press | Page | None) -> None:
        async with self._desk.answering(interaction):
            if press is None:
                return await refuse(interaction, Answer(refusal=Refusal.UNKNOWN_BUTTON))
            if not isinstance(press, Press):
                return await self._show_page(interaction, press)
            if press.verb is Verb.REMATCH and await self._is_too_fast(interaction):
                return None
            answer = await self._obey(interaction, press)
            if isinstance(answer, Match):
                return await self._show_page(interaction, HintPage(answer.record))
            if isinstance(answer, Opened):
                return await self._desk.post_new(interaction, answer)
            if answer.match and answer.refusal not in _IN_THE_WAY:
                await self._desk.show(interaction, answer)
            if answer.refusal:
                await refuse(interaction, answer)

    @tasks.loop(seconds=_SWEEP_SECONDS)
    async def _sweep(self) -> None:
        await self._desk.sweep()

    @_sweep.before_loop
    async def _until_ready(self) -> None:
        await self._bot.wait_until_ready()

    async def _refuse_what_is_no_command(
        self, interaction: Interaction, _error: app_commands.AppCommandError
    ) -> None:
        """A command of another release, or an option of another kind."""
        async with self._desk.answering(interaction):
            await refuse(interaction, Answer(refusal=Refusal.UNKNOWN_OPTION))

    # How it is done

    async def _obey(self, interaction: Interaction, press: Press) -> Match | Answer | Opened:
        """Do what a press asks, with time for the bot to think; a match is there for its hint."""
        by = pressed_by(interaction)
        if press.verb is Verb.HINT:
            return await self._desk.do_in_time(self._arena.hint, press, by)
        answer = await self._desk.do_in_time(self._arena.press, press, by)
        if isinstance(answer, Turn):
            thought = asyncio.create_task(self._reply(answer))
            await patiently(interaction, thought, in_place=True)
            return thought.result()
        return answer

    async def _reply(self, turn: Turn) -> Answer | Opened:
        answer: Answer | Opened | Turn = turn
        while isinstance(answer, Turn):
            cell = await self._mind.choose(answer.match.board, answer.level)
            answer = await self._desk.do_in_time(self._arena.keep, answer, cell)
        return answer

    async def _show_page(self, interaction: Interaction, page: Page) -> None:
        if refusal := await self._lessons.show(interaction, page):
            await refuse(interaction, Answer(refusal=refusal))

    async def _is_too_fast(self, interaction: Interaction) -> bool:
        """Whether somebody asks for one thing after the other, who is then told until when."""
        asked_at = interaction.created_at
        wait_seconds = self._haste.update_rate_limit(interaction, asked_at.timestamp())
        if wait_seconds is None:
            return False
        until = asked_at + timedelta(seconds=math.ceil(wait_seconds))
        await say(interaction, reader_of(interaction).too_fast(until))
        return True

    def _new_match(
        self,
        interaction: Interaction,
        opponent: discord.User | None,
        rules: Rules,
        level: Level | None,
        first: str,
    ) -> Match:
        assert self._bot.user is not None, "interactions come after login"
        person = Player(interaction.user.id)
        if opponent is None or opponent.id == self._bot.user.id:
            other = Player(self._bot.user.id, level or Level.IMPOSSIBLE)
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
            rules=rules,
        )


def _user_id(interaction: Interaction) -> int:
    return interaction.user.id

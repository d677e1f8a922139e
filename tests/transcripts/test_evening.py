"""One evening in a server's channel: all that people do there, and what each of them sees."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import discord
import pytest
from syrupy.assertion import SnapshotAssertion

from bot.config import Config
from bot.views.catalogues import language_of
from tests.bot.simulated_guild import SimulatedGuild
from tests.bot.translations import own_name
from tests.transcripts.story import Story
from tests.transcripts.transcript import LOCALE


@pytest.fixture
def starts_at() -> datetime:
    """Shortly before the next puzzle, on a day whose puzzle is on 3x3."""
    return datetime(2026, 1, 2, 23, 40, tzinfo=UTC)


@pytest.fixture
def settings(settings: Config) -> Config:
    return replace(settings, turn_minutes=30)


async def test_evening(guild: SimulatedGuild, snapshot: SnapshotAssertion) -> None:
    """Ana and Rui read Portuguese, Ben English; so does the server, until Rui changes that."""
    guild.world.locales |= {guild.ana.id: LOCALE, guild.rui.id: LOCALE}
    story = Story("One evening", guild)
    await _ana_plays_the_bot(story)
    await _ben_wins_without_a_hint(story)
    await _ben_and_ana_play(story)
    await _they_review_the_match(story)
    await _a_rematch(story)
    await _the_puzzle_of_the_day(story)
    await _ben_learns_how_the_bot_thinks(story)
    await _results(story)
    await _rui_changes_the_settings(story, guild)
    await _ben_leaves(story)
    await _midnight(story)
    assert str(story) == snapshot


async def _ana_plays_the_bot(story: Story) -> None:
    ana, ben = story.ana, story.ben
    story.heading("Ana plays the bot")
    await story.types(ana, "help")
    await story.types(ana, "start", level="EASY")
    await story.types(ben, "start")
    await story.presses(ben, "B2")
    await story.presses(ana, "B2", "B1", "As text", "Hint")
    await story.presses_alone(ana, "Why?", "C3", "Play C3")
    await story.plays((ana, "A3"), (ana, "C1"))
    await story.presses(ana, "Rematch")
    await story.presses(ana, "Resign")
    await story.presses_alone(ana, "Resign")


async def _ben_wins_without_a_hint(story: Story) -> None:
    ben = story.ben
    story.heading("Ben wins without a hint")
    await story.later(minutes=2)
    await story.types(ben, "start", level="CHILD")
    await story.plays((ben, "B2"), (ben, "C1"), (ben, "A3"))


async def _ben_and_ana_play(story: Story) -> None:
    ana, ben = story.ana, story.ben
    story.heading("Ben and Ana play")
    await story.types(ben, "start", opponent=ana)
    await story.presses(ben, "Accept")
    await story.presses(ana, "Decline")
    await story.picks(ana, "Challenge to tic-tac-toe", ben)
    await story.presses(ben, "Accept", "B2")
    await story.presses(ana, "A1")
    await story.presses(ben, "B2")
    await story.presses(ana, "Remind me", "Remind me", "B2")
    await story.plays((ana, "C3"), (ben, "C1"))
    await story.types(ben, "board")
    await story.plays((ana, "A3"), (ben, "A2"), (ana, "B3"))


async def _they_review_the_match(story: Story) -> None:
    ana, ben = story.ana, story.ben
    story.heading("They review the match")
    await story.presses(ben, "Review")
    await story.presses_alone(ben, "Try again", "A3", "B1", "Back to the review", "→")
    await story.types(ana, "review")
    await story.types(ana, "replay", code="3J1FR87")


async def _a_rematch(story: Story) -> None:
    ana, ben = story.ana, story.ben
    story.heading("A rematch")
    await story.presses(ana, "Rematch", "Rematch")
    await story.presses(ben, "Rematch")
    await story.plays((ben, "B2"), (ana, "A1"), (ben, "B1"), (ana, "B3"))
    await story.plays((ben, "A3"), (ana, "C1"), (ben, "A2"), (ana, "C2"), (ben, "C3"))


async def _the_puzzle_of_the_day(story: Story) -> None:
    ana, ben = story.ana, story.ben
    story.heading("The puzzle of the day")
    await story.later(minutes=2)
    await story.types(ana, "puzzle")
    await story.presses_alone(ana, "Today's puzzle", "A2", "B3", "Show me how", "→", "←", "←")
    await story.presses_alone(ana, "Share", "Share")
    await story.presses(ben, "Try it too")
    await story.presses_alone(ben, "A2", "C1", "A3", "Show me how", "Practice")


async def _ben_learns_how_the_bot_thinks(story: Story) -> None:
    story.heading("Ben learns how the bot thinks")
    await story.later(minutes=2)
    await story.types(story.ben, "learn")
    await story.presses_alone(story.ben, "A draw", "Next", "+1", "0", "Next")
    await story.presses_alone(story.ben, "Next cut", "◀", "Skip it")


async def _results(story: Story) -> None:
    ana, ben = story.ana, story.ben
    story.heading("Results")
    await story.later(minutes=2)
    await story.types(ana, "stats")
    await story.presses_alone(ana, "Show everyone")
    await story.types(ben, "stats", member=ana)
    await story.types(ben, "ranking")
    await story.presses_alone(ben, "This month")
    await story.types(ana, "ranking")


async def _rui_changes_the_settings(story: Story, guild: SimulatedGuild) -> None:
    """Boards are in Portuguese from now on, and the puzzle is posted at midnight UTC."""
    story.heading("Rui changes the settings")
    await story.types(story.ben, "settings")
    role = guild.handle.create_role("Owners", permissions=discord.Permissions(manage_guild=True))
    guild.env.backend.get_guild(guild.handle.id).members[story.rui.id].role_ids.append(role.id)
    await story.types(story.rui, "settings")
    await story.chooses(story.rui, own_name(language_of(LOCALE)), "infinite")
    await story.presses_alone(story.rui, "Puzzle and ranking")
    await story.chooses(story.rui, "00:00 UTC", guild.channel)
    await story.later(minutes=2)


async def _ben_leaves(story: Story) -> None:
    ana, ben = story.ana, story.ben
    story.heading("Ben leaves")
    await story.types(ben, "start")
    await story.types(story.rui, "stop")
    await story.types(ben, "start")
    await story.presses(ana, "Join")
    await story.plays((ben, "B1"), (ana, "B2"), (ben, "A1"), (ana, "C1"), (ben, "A3"))
    await story.plays((ana, "A2"), (ben, "C2"))
    await story.types(ben, "privacy")
    await story.presses_alone(ben, "Download", "No challenges")
    await story.later(minutes=2)
    await story.types(ana, "start", opponent=ben)
    await story.presses_alone(ben, "Delete…", "Delete")
    await story.types(ben, "stats")
    await story.presses(ana, "Review")
    await story.types(ana, "ranking")


async def _midnight(story: Story) -> None:
    story.heading("Midnight")
    await story.until(datetime(2026, 1, 3, 0, 0, 20, tzinfo=UTC))
    await story.presses(story.ben, "Solve")

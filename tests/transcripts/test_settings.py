"""A server's settings: the form, and what those see who may not change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from syrupy.assertion import SnapshotAssertion

from bot.domain.checks import Check, CheckPage, Report
from bot.domain.settings import GuildSettings, SettingsForm, Tab
from bot.views.checks import checks_view
from bot.views.settings import settings_view
from engine import Level, Rules
from tests.bot.example_matches import ANA, NOON
from tests.transcripts.transcript import Transcript

GAMES, BOTS, NEWS = 31, 32, 33
"""Channels."""
DEFAULT = SettingsForm(GuildSettings(), default_turn_minutes=30, today=NOON.date(), may_change=True)
CHOSEN = replace(
    DEFAULT,
    settings=GuildSettings(
        language="pt_BR",
        rules=Rules(5, 5, 4),
        level=Level.HARD,
        turn_minutes=180,
        channels=(GAMES, BOTS),
        has_ranking=False,
        puzzle_channel=NEWS,
        puzzle_hour=9,
    ),
)
SCREENS: Mapping[str, SettingsForm] = {
    "Boards: nothing chosen": DEFAULT,
    "Boards: everything chosen": CHOSEN,
    "Daily: nothing chosen": replace(DEFAULT, tab=Tab.DAILY),
    "Daily: everything chosen": replace(
        CHOSEN, tab=Tab.DAILY, next_post_at=NOON + timedelta(hours=21)
    ),
    "Daily: the bot may not post there": replace(CHOSEN, tab=Tab.DAILY, gave_up_posting=True),
    "For members: nothing chosen": replace(DEFAULT, may_change=False),
    "For members: everything chosen": replace(CHOSEN, may_change=False),
}


SOON = NOON + timedelta(hours=1)
CHECKS: Mapping[str, Report] = {
    "Check: all is well": Report(
        CheckPage(),
        GAMES,
        {check: True for check in Check if check is not Check.APPS_MAY_POST},
        member_id=ANA,
    ),
    "Check: nothing is": Report(
        CheckPage(GAMES),
        GAMES,
        dict.fromkeys(Check, False),
        bot_until=SOON,
        channels=(BOTS, NEWS),
        member_id=ANA,
        member_until=SOON,
    ),
    "Check: of a server where the bot is no member": Report(
        CheckPage(), GAMES, {Check.APPS_MAY_POST: True, Check.BOARDS_ALLOWED: True}
    ),
}


def test_settings(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Settings")
    transcript.show_all(SCREENS, settings_view)
    transcript.show_all(CHECKS, checks_view)
    assert str(transcript) == snapshot

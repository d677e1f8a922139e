"""What releases have written on buttons and in the database is read as it was meant."""

from __future__ import annotations

from enum import Enum

import pytest

from bot.client.routes import PAGES
from bot.domain.match_actions import MatchAction
from bot.domain.matches import EndReason, FirstPlayer, MatchResult
from bot.domain.mistakes import MistakeStep
from bot.domain.pages import Shortcut
from bot.domain.privacy import PrivacyAction
from bot.domain.settings import Setting, Tab
from bot.domain.stats import Leaderboard
from engine import Level

WRITTEN: dict[type[Enum], str] = {
    MatchAction: """
        play hint resign rematch easier next accept decline cancel challenge join describe
        remind
    """,
    EndReason: """
        won drawn resigned timed_out=timed.out called_off=called.off stopped left declined cancelled
        lapsed
    """,
    MatchResult: "won drawn lost",
    FirstPlayer: "opener=me opponent random",
    PrivacyAction: """
        show download refuse_challenges=refuse take_challenges=take hide unhide ask_to_delete=ask
        delete ask_to_delete_server=askserver delete_server=deleteserver
        remind remind_no_more=unremind
    """,
    Tab: "boards daily",
    Setting: """
        language board=rules level turn=turn_minutes channels ranking=has_ranking puzzle_channel
        puzzle_hour
    """,
    Leaderboard: "month ever friends",
    MistakeStep: "try show next",
    Shortcut: "start last_matches=lastmatches stats puzzle",
}
"""The members, and what is written of each where that is not its name."""


@pytest.mark.parametrize("kind", WRITTEN)
def test_every_name_that_was_written_is_known(kind: type[Enum]) -> None:
    for name, _, written in (entry.partition("=") for entry in WRITTEN[kind].split()):
        assert kind((written or name).replace(".", " ")) is kind[name.upper()]


def test_every_kind_of_page_that_was_written_is_known() -> None:
    kinds = """
        hint move concede rematch review learn puzzle practice share moment find privacy stats
        ranking mistake settings restart shortcut words
    """
    assert set(kinds.split()) <= {page.kind for page in PAGES}


def test_levels_are_stored_by_their_names() -> None:
    names = "CHILD EASY MEDIUM HARD EXPERT PERFECT IMPOSSIBLE"
    assert set(names.split()) <= set(Level.__members__)

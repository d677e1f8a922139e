"""The table of servers' settings."""

from __future__ import annotations

from bot.domain.settings import GuildSettings, Setting
from bot.store.store import Store
from engine import MISERE, Level


def test_a_level_is_stored_per_server_and_can_be_changed(store: Store) -> None:
    for level in (Level.EASY, Level.HARD):
        store.settings.update(2, {"level": level})
        assert store.settings.load(2).level is level
    assert store.settings.load(3) == GuildSettings()


def test_every_setting_of_a_server_is_stored(store: Store) -> None:
    chosen = GuildSettings(
        language="pt_BR",
        rules=MISERE,
        level=Level.EASY,
        turn_minutes=1440,
        channels=(2**63 - 1, 5),
        has_ranking=False,
        puzzle_channel=2**63 - 1,
        puzzle_hour=23,
    )
    store.settings.update(2, {setting.value: getattr(chosen, setting.value) for setting in Setting})
    assert store.settings.load(2) == chosen


def test_a_language_that_this_release_lacks_reads_as_none_chosen(store: Store) -> None:
    store.settings.update(2, {"language": "es", "level": Level.EASY})
    assert store.settings.load(2) == GuildSettings(level=Level.EASY)

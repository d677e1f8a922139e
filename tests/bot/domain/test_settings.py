"""What a server may choose, and how selects and buttons name it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from bot.client import command_choices
from bot.domain.matches import BOARDS
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import (
    MAX_CHANNELS,
    GuildSettings,
    Setting,
    encode_value,
    options_for,
    parse_value,
)
from engine import MISERE, Level

LANGUAGES = ("en", "pt_BR")
OF_CHANNELS = (Setting.CHANNELS, Setting.PUZZLE_CHANNEL)


def test_each_field_has_a_setting() -> None:
    assert [setting.value for setting in Setting] == [field.name for field in fields(GuildSettings)]


@pytest.mark.parametrize("setting", [s for s in Setting if s not in OF_CHANNELS])
def test_each_option_is_found_by_its_name_as_is_the_default(setting: Setting) -> None:
    values = options_for(setting, LANGUAGES)
    for value in values:
        assert parse_value(setting, [encode_value(value)], LANGUAGES) == value
    assert getattr(GuildSettings(), setting.value) in values
    assert len(values) <= 25, "a select takes no more"


def test_the_form_offers_the_boards_and_levels_that_the_command_does() -> None:
    assert [rules.name for rules in BOARDS] == [choice.value for choice in command_choices.BOARDS]
    assert [level.name for level in Level] == [choice.value for choice in command_choices.LEVELS]


@pytest.mark.parametrize(
    ("setting", "names", "found"),
    [
        (Setting.BOARD, ["misere"], MISERE),
        (Setting.LANGUAGE, ["default"], None),
        (Setting.CHANNELS, [], ()),
        (Setting.CHANNELS, ["7", "8"], (7, 8)),
        (Setting.PUZZLE_CHANNEL, [], None),
        (Setting.PUZZLE_CHANNEL, ["7"], 7),
    ],
)
def test_names_are_parsed_as_values(setting: Setting, names: list[str], found: object) -> None:
    assert parse_value(setting, names, LANGUAGES) == found


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        (Setting.LEVEL, ["GODLIKE"]),
        (Setting.LEVEL, []),
        (Setting.LEVEL, ["EASY", "HARD"]),
        (Setting.LANGUAGE, ["tlh"]),
        (Setting.BOARD, ["9x9x9"]),
        (Setting.TURN, ["31"]),
        (Setting.TURN, ["-30"]),
        (Setting.PUZZLE_HOUR, ["24"]),
        (Setting.RANKING, ["true"]),
        (Setting.CHANNELS, [""]),
        (Setting.CHANNELS, ["-7"]),
        (Setting.CHANNELS, [str(2**63)]),
        (Setting.CHANNELS, [str(number) for number in range(MAX_CHANNELS[Setting.CHANNELS] + 1)]),
        (Setting.PUZZLE_CHANNEL, ["7", "8"]),
    ],
)
def test_values_that_are_not_offered_are_refused(setting: Setting, names: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        parse_value(setting, names, LANGUAGES)
    assert refused.value.reason is RefusalReason.UNKNOWN_OPTION


@pytest.mark.parametrize(
    ("channels", "channel_id", "parent_id", "allowed"),
    [
        ((), 1, None, True),
        ((1, 2), 2, None, True),
        ((1, 2), 3, None, False),
        ((1, 2), 3, 1, True),
        ((1, 2), 3, 4, False),
    ],
)
def test_boards_may_be_opened_anywhere_or_in_channels_and_their_threads(
    channels: tuple[int, ...], channel_id: int, parent_id: int | None, *, allowed: bool
) -> None:
    assert GuildSettings(channels=channels).allows_boards_in(channel_id, parent_id) is allowed

"""What the options say of boards and levels is what the solver proves."""

from __future__ import annotations

import pytest
from discord.app_commands import Choice

from bot.client.command_choices import BOARDS, FIRSTS, LEVELS
from bot.views.catalogues import LANGUAGES
from bot.views.i18n import LEVELS as LEVEL_NAMES
from bot.views.i18n import language_for
from engine import TIC_TAC_TOE, VARIANTS, Board, Level, Rules, Value, rules_named, solve

FIRST_WINS = "the first player can always win"


def name_in(language: str, choice: Choice[str]) -> str:
    return language_for(language).say(choice.name)


@pytest.mark.parametrize("choice", BOARDS)
def test_what_the_options_say_of_a_board_is_proven(choice: Choice[str]) -> None:
    rules = rules_named(choice.value)
    value = solve(Board(rules)).value
    assert value is not None
    name = name_in("en", choice)
    if rules in VARIANTS.values():
        assert FIRST_WINS not in name
        return
    size = f"{rules.columns}x{rules.rows}"
    said = size if rules == TIC_TAC_TOE else f"{size}, {rules.in_a_row} in a row"
    assert name == (f"{said} ({FIRST_WINS})" if value is Value.WIN else said)


def test_boards_of_three_sizes_are_offered_the_usual_one_first() -> None:
    offered = [rules_named(choice.value) for choice in BOARDS]
    assert offered[0] == TIC_TAC_TOE
    assert len(set(offered)) == len(offered)
    assert {(rules.columns, rules.rows) for rules in offered} == {(3, 3), (4, 4), (5, 5)}


def test_a_choice_of_board_is_columns_rows_and_marks_in_a_row() -> None:
    assert rules_named("5x4x3") == Rules(columns=5, rows=4, in_a_row=3)


def test_every_level_is_offered_by_its_name_and_no_other() -> None:
    assert [choice.value for choice in LEVELS] == [level.name for level in Level]
    language = language_for("pt_BR")
    for stars, (choice, level) in enumerate(zip(LEVELS, Level, strict=True), 1):
        assert name_in("pt_BR", choice) == f"{language.say(LEVEL_NAMES[level])} {'★' * stars}"


@pytest.mark.parametrize("choices", [BOARDS, LEVELS, FIRSTS])
def test_choices_fit_into_discord_and_are_distinct(choices: list[Choice[str]]) -> None:
    assert all(1 <= len(choice.value) <= 100 for choice in choices)
    assert len({choice.value for choice in choices}) == len(choices) <= 25
    for language in LANGUAGES:
        names = [name_in(language, choice) for choice in choices]
        assert all(1 <= len(name) <= 100 for name in names), names
        assert len(set(names)) == len(names), names

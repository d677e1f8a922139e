"""The catalogues: by Discord's locales, in the formats of their language, and broken ones."""

from __future__ import annotations

import re
from datetime import date

import pytest
from babel.messages import Catalog
from discord import Locale

from bot.views.catalogues import LANGUAGE_BY_LOCALE, language_of
from engine import TIC_TAC_TOE, Rules
from tests.bot.languages import language_with


def test_every_locale_of_discord_has_a_language() -> None:
    assert {*LANGUAGE_BY_LOCALE} == {str(locale) for locale in Locale}


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("es-ES", "es"),
        ("es-419", "es"),
        ("no", "nb"),
        ("zh-CN", "zh_Hans"),
        ("zh-TW", "zh_Hant"),
        ("sv-SE", "sv"),
        ("en-GB", "en"),
        ("pt-PT", "pt_BR"),
        ("zh_Hant", "zh_Hant"),
        ("tlh", "en"),
        ("", "en"),
    ],
)
def test_a_locale_has_the_nearest_language(locale: str, language: str) -> None:
    languages = ("en", *sorted({*LANGUAGE_BY_LOCALE.values()} - {"en"}))
    assert language_of(locale, languages) == language


def test_chinese_is_read_in_the_other_script_where_one_is_missing() -> None:
    assert language_of("zh-TW", ("en", "zh_Hans")) == "zh_Hans"


each_language = pytest.mark.parametrize("name", sorted({*LANGUAGE_BY_LOCALE.values()}))


@each_language
def test_a_duration_is_in_words_of_the_language(name: str) -> None:
    language = language_with(Catalog(name))
    for minutes, number in ((1, 1), (5, 5), (60, 1), (90, 90), (1440, 24)):
        assert re.fullmatch(rf"{number}\s?\D+", language.duration(minutes))


@each_language
def test_a_list_has_every_cell_and_other_words_only_between_alternatives(name: str) -> None:
    language = language_with(Catalog(name))
    for count in (1, 2, 3, 25):
        cells = language.cells(Rules(5, 5, 5), range(count))
        alternatives = language.any_cell(Rules(5, 5, 5), range(count))
        for listed in (cells, alternatives):
            assert len(re.findall("[A-E][1-5]", listed)) == count
        assert re.fullmatch("([A-E][1-5](, |、)?)+", cells)
        assert (alternatives != cells) is (count > 1)


@pytest.mark.parametrize(
    ("name", "cells", "alternatives"),
    [
        ("en", "A1, B1, C1", "A1, B1 or C1"),
        ("ja", "A1、B1、C1", "A1、B1、またはC1"),
        ("th", "A1, B1, C1", "A1, B1 หรือ C1"),
        ("zh_Hans", "A1、B1、C1", "A1、B1 或 C1"),
    ],
)
def test_letters_stand_apart_from_the_words_of_a_list(
    name: str, cells: str, alternatives: str
) -> None:
    language = language_with(Catalog(name))
    assert language.cells(TIC_TAC_TOE, range(3)) == cells
    assert language.any_cell(TIC_TAC_TOE, range(3)) == alternatives


@pytest.mark.parametrize(
    ("name", "first", "third"),
    [
        ("en", "1 May 2026", "3 May 2026"),
        ("fr", "1er mai 2026", "3 mai 2026"),
        ("it", "1º maggio 2026", "3 maggio 2026"),
        ("pt_BR", "1º de maio de 2026", "3 de maio de 2026"),
        ("th", "1 พฤษภาคม 2026", "3 พฤษภาคม 2026"),
    ],
)
def test_a_day_is_written_as_people_write_it(name: str, first: str, third: str) -> None:
    language = language_with(Catalog(name))
    assert [language.day(date(2026, 5, day)) for day in (1, 3)] == [first, third]


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("en", ["999", "1,234", "40,320"]),
        ("pt_BR", ["999", "1.234", "40.320"]),
        ("es", ["999", "1234", "40\N{NARROW NO-BREAK SPACE}320"]),
        ("pl", ["999", "1234", "40\N{NO-BREAK SPACE}320"]),
    ],
)
def test_a_number_is_written_as_all_readers_of_a_language_read_it(
    name: str, numbers: list[str]
) -> None:
    language = language_with(Catalog(name))
    assert [language.number(number) for number in (999, 1_234, 40_320)] == numbers

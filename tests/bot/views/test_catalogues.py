"""The catalogues: by Discord's locales, in the formats of their language, and broken ones."""

from __future__ import annotations

import re

import pytest
from babel.messages import Catalog
from discord import Locale

from bot.views.catalogues import LANGUAGE_BY_LOCALE, language_of
from engine import Rules
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
@pytest.mark.parametrize(("minutes", "number"), [(1, 1), (5, 5), (60, 1), (90, 90), (1440, 24)])
def test_a_duration_is_in_words_of_the_language(name: str, minutes: int, number: int) -> None:
    duration = language_with(Catalog(name)).duration(minutes)
    assert re.fullmatch(rf"{number}\s?\D+", duration)
    assert "duration" not in duration


@each_language
def test_a_list_is_joined_as_the_language_does(name: str) -> None:
    language = language_with(Catalog(name))
    for style in ("standard", "or"):
        for count in (1, 2, 3, 25):
            cells = language.cells(Rules(5, 5, 5), range(count), style)
            assert len(re.findall("[A-E][1-5]", cells)) == count

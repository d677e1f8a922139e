"""Days as people type them."""

from __future__ import annotations

from datetime import date

import pytest
from babel.dates import format_date

from bot.views.catalogues import LANGUAGE_BY_LOCALE
from bot.views.days import parse_day
from bot.views.i18n import language_for

NINTH = date(2026, 11, 9)
TWENTY_FIRST = date(2026, 11, 21)
SEPTEMBER = date(2026, 9, 11)


@pytest.mark.parametrize("locale", ["en-US", "de", "ja", "a-new-one"])
@pytest.mark.parametrize(
    "text",
    [
        *("2026-11-21", " 2026-11-21 ", "20261121", "2026/11/21", "2026.11.21", "2026 11 21"),
        *("21/11/2026", "21.11.2026", "21-11-2026", "November 21, 2026", "21 nov 2026"),
    ],
)
def test_a_day_that_can_only_be_one_is_understood_everywhere(text: str, locale: str) -> None:
    assert parse_day(text, locale) == TWENTY_FIRST


@pytest.mark.parametrize(
    ("text", "locale", "day"),
    [
        ("2026-11-9", "en-US", NINTH),
        ("9/11/2026", "pt-BR", NINTH),
        ("09/11/26", "pt-BR", NINTH),
        ("9.11.2026", "de", NINTH),
        ("9/11/2026", "en-GB", NINTH),
        ("9/11/2026", "en-US", SEPTEMBER),
        ("11/9/2026", "en-US", NINTH),
        ("9.11.2026", "en-US", NINTH),
        ("26/11/9", "ja", NINTH),
        ("9/11/2026", "ja", NINTH),
        ("2026年11月9日", "ja", NINTH),
        ("9 de nov. de 2026", "pt-BR", NINTH),
    ],
)
def test_day_and_month_are_in_the_order_of_the_reader_s_locale(
    text: str, locale: str, day: date
) -> None:
    assert parse_day(text, locale) == day


@pytest.mark.parametrize("locale", LANGUAGE_BY_LOCALE)
def test_what_the_bot_and_people_s_calendars_show_is_understood(locale: str) -> None:
    language = language_for(locale)
    for month in range(1, 13):
        day = date(2026, month, 9)
        assert parse_day(language.day(day), locale) == day
        for style in ("short", "medium", "long"):
            if language.code != "en":
                assert parse_day(format_date(day, style, language.code), locale) == day


@pytest.mark.parametrize(
    "text",
    [
        *("", "tomorrow", "may", "21/11", "31/2/2026", "13/13/2026", "2026-02-31", "1/1/99999"),
        *("21/11/2026/5", "9" * 5_000, "may " + "9" * 5_000),
    ],
)
def test_anything_else_is_no_day(text: str) -> None:
    assert parse_day(text, "en-US") is None

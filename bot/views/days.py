"""Days as people type them, in the order and with the names of months of their locale."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date

from babel import Locale, UnknownLocaleError
from babel.dates import get_date_format, get_month_names, parse_date

from bot.views.catalogues import SOURCE_LANGUAGE, language_of

_YEAR_FIRST = "y-M-d"

_DAY_FIRST = "d/M/y"


def parse_day(text: str, locale: str) -> date | None:
    """A day as somebody with a Discord locale writes it; None if the text is none.

    `2026-11-9` and `9/11/2026` are the same day. In en-US that is `11/9/2026`; what is no date in
    the order of a locale, as is `21/11/2026` there, is read in the other.
    """
    text = text.strip()
    with suppress(ValueError):
        return date.fromisoformat(text)
    babel_locale = _babel_locale(locale)
    if month := _named_month(text.casefold(), babel_locale):
        return _with_month(text, month)
    if not re.fullmatch(r"\d{1,4}\D+\d{1,2}\D+\d{1,4}\D*", text):
        return None
    with suppress(ValueError):
        return parse_date(text, babel_locale, _order(text, babel_locale))
    return None


def _babel_locale(locale: str) -> Locale:
    try:
        return Locale.parse(locale, sep="-")
    except (ValueError, UnknownLocaleError):
        return Locale.parse(language_of(locale))


def _named_month(text: str, locale: Locale) -> int | None:
    """The month whose name is in a text, in the language of a locale or in English."""
    for language in (locale, SOURCE_LANGUAGE):
        for width in ("wide", "abbreviated"):
            for month, name in get_month_names(width, locale=language).items():
                if name.casefold().rstrip(".") in text and not re.search(r"\d", name):
                    return int(month)
    return None


def _with_month(text: str, month: int) -> date | None:
    """The day of a month that the numbers in a text make, the greater of which is the year."""
    with suppress(ValueError):
        day, year = sorted(map(int, re.findall(r"\d{1,4}", text)))
        return date(year, month, day)
    return None


def _order(text: str, locale: Locale) -> str:
    """The order of year, month and day: the locale's, unless the text itself shows another."""
    order = get_date_format("short", locale).pattern
    if re.match(r"\d{4}", text):
        return _YEAR_FIRST
    is_year_last = re.search(r"\d{4}\D*$", text) is not None
    if (order.startswith("y") and is_year_last) or (order.startswith("M") and "." in text):
        return _DAY_FIRST
    return order

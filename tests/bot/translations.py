"""Finds the translation of a sentence that is shown in English, placeholders filled."""

from __future__ import annotations

import re
from functools import cache

from babel import Locale

from bot.views.catalogues import FOLDER, SOURCE_LANGUAGE
from tests.tools.make_texts import read_catalogue, sources_of, translations_of

_PLACEHOLDER = re.compile(r"\\?{(\w+)\\?}")


def own_name(language: str) -> str:
    """The name of a language in that language."""
    name = str(Locale.parse(language).display_name)
    return name[:1].upper() + name[1:]


def translate(language: str, english: str) -> str:
    """Translate a text; the text itself if it is no sentence of the bot."""
    return min(translations(language, english))


def translations(language: str, english: str) -> set[str]:
    """Translate a text, with the translations of all contexts in which it is used."""
    matches = [
        (len(_PLACEHOLDER.sub("", source)), match, translation)
        for source, translation in _sentences(language)
        if (match := _pattern(source).fullmatch(english))
    ]
    if not matches:
        return {english}
    # Of the sentences that fit, the one with the longest fixed text is meant.
    longest = max(length for length, _match, _translation in matches)
    return {
        translation.format_map(
            {name: translate(language, value) for name, value in match.groupdict().items()}
        )
        for length, match, translation in matches
        if length == longest
    }


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """A regular expression that matches a sentence with any values for its placeholders."""
    return re.compile(_PLACEHOLDER.sub(r"(?P<\1>.+)", re.escape(source)))


@cache
def _sentences(language: str) -> list[tuple[str, str]]:
    """The sentences of the bot with their translations; of numbers, the plural.

    Where a language lags behind, English shows.
    """
    if language == SOURCE_LANGUAGE:
        return []
    catalogue = read_catalogue(FOLDER / language / "LC_MESSAGES" / "velha.po", language)
    return [
        (sources_of(message)[-1], translations_of(message)[-1] or sources_of(message)[-1])
        for message in catalogue
        if message.id and re.search(r"\w", _PLACEHOLDER.sub("", sources_of(message)[-1]))
    ]

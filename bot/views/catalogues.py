"""The catalogues of translations, found by Discord's locales and read when first needed.

People edit `velha.po` in a folder of `bot/locales`; `make texts` compiles it into `velha.mo`, which
is read here. What is missing in a catalogue shows in English.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

SOURCE_LANGUAGE = "en"

FOLDER = Path(__file__).parents[1] / "locales"

_FILE = Path("LC_MESSAGES", "velha.mo")

LANGUAGES = (SOURCE_LANGUAGE, *sorted(path.parts[-3] for path in FOLDER.glob(f"*/{_FILE}")))
"""The languages that people can read, by gettext's names."""

LANGUAGE_BY_LOCALE: Mapping[str, str] = {
    "bg": "bg",
    "cs": "cs",
    "da": "da",
    "de": "de",
    "el": "el",
    "en-US": "en",
    "en-GB": "en",
    "es-419": "es",
    "es-ES": "es",
    "fi": "fi",
    "fr": "fr",
    "hi": "hi",
    "hr": "hr",
    "hu": "hu",
    "id": "id",
    "it": "it",
    "ja": "ja",
    "ko": "ko",
    "lt": "lt",
    "nl": "nl",
    "no": "nb",
    "pl": "pl",
    "pt-BR": "pt_BR",
    "ro": "ro",
    "ru": "ru",
    "sv-SE": "sv",
    "th": "th",
    "tr": "tr",
    "uk": "uk",
    "vi": "vi",
    "zh-CN": "zh_Hans",
    "zh-TW": "zh_Hant",
}
"""Discord's locales, and gettext's names of their languages."""


class Catalogue:
    """The translations into one language."""

    def __init__(self, language: str, translations: gettext.NullTranslations) -> None:
        self.language = language
        self._translations = translations

    def gettext(self, english: str, values: Mapping[str, object]) -> str:
        """A sentence in this language, with its placeholders filled."""
        return self._translations.gettext(english).format_map(values)

    def pgettext(self, context: str, english: str, values: Mapping[str, object]) -> str:
        """A sentence with more than one meaning, of which `context` is one."""
        return self._translations.pgettext(context, english).format_map(values)

    def ngettext(self, singular: str, plural: str, n: int, values: Mapping[str, object]) -> str:
        """The singular or plural form for `n`, with its placeholders filled."""
        return self._translations.ngettext(singular, plural, n).format_map(values)


def language_of(locale: str, languages: Sequence[str] = LANGUAGES) -> str:
    """The nearest of the languages for a Discord locale such as `pt-BR`; English if none is near.

    A locale that Discord has added since is taken for a locale of gettext's.
    """
    return nearest_language(LANGUAGE_BY_LOCALE.get(locale, locale), languages) or SOURCE_LANGUAGE


def nearest_language(name: str, languages: Sequence[str] = LANGUAGES) -> str | None:
    """The language of a locale such as `pt_BR`, or one that is its like; None if there is none."""
    code = name.replace("-", "_")
    if code in languages:
        return code
    base = code.split("_")[0].lower()
    return next((language for language in languages if language.split("_")[0] == base), None)


@cache
def catalogue_of(language: str) -> Catalogue:
    """The catalogue of one of the `LANGUAGES`, kept once it is read."""
    return load_catalogue(language)


def catalogue_file(language: str) -> Path | None:
    """The compiled catalogue of a language; English has none."""
    return None if language == SOURCE_LANGUAGE else FOLDER / language / _FILE


def load_catalogue(language: str) -> Catalogue:
    """Read the catalogue of one of the `LANGUAGES`."""
    file = catalogue_file(language)
    if file is None:
        return Catalogue(language, gettext.NullTranslations())
    with file.open("rb") as compiled:
        return Catalogue(language, gettext.GNUTranslations(compiled))

"""The user's language, from the environment or by name.

The sentences in the code are English. The catalogues in this folder translate them: people edit
`.po` files, and `make texts` compiles each into an `.mo`, which the standard library reads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, *sorted(path.stem for path in FOLDER.glob("*.mo")))

# gettext's usual marker, by which `make texts` finds sentences; `Language.say` translates them.
N_ = str


class Language:
    """A language: its sentences and number format."""

    def __init__(self, code: str, catalogue: NullTranslations) -> None:
        self.code = code
        self._catalogue = catalogue

    def say(self, sentence: str, **values: object) -> str:
        """A sentence in this language, with its placeholders filled; English if not translated."""
        return self._catalogue.gettext(sentence).format(**values)

    def ngettext(self, singular: str, plural: str, n: int, **values: object) -> str:
        """The singular or plural form for `n`, with its placeholders filled, `{n}` among them."""
        return self._catalogue.ngettext(singular, plural, n).format(n=self.number(n), **values)

    # Translators, from here on: how a language writes lists and numbers.
    def items(self, items: Sequence[str]) -> str:
        """A list on one line."""
        listed = items[0]
        for item in items[1:]:
            # Translators: a list, which grows by one item at a time; only the comma is yours.
            listed = self.say(N_("{list}, {item}"), list=listed, item=item)
        return listed

    def number(self, number: int) -> str:
        # Translators, from here on: a number, for the sign between its thousands. Write 1000 or
        # 10000 if there is none.
        example = self.say(N_("1,000") if number < 10_000 else N_("10,000"))
        separator = example.strip("01")
        return f"{number:,}".replace(",", separator)


def words(sentence: str) -> frozenset[str]:
    """The words that a sentence lists, in all languages together, as `typed_word` writes them."""
    listed = [_read_language(code).say(sentence).split() for code in LANGUAGES]
    return frozenset(typed_word(word) for words in listed for word in words)


def typed_word(text: str) -> str:
    """What somebody typed, in small letters and without accents, to be looked up."""
    letters = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def language_named(name: str) -> Language | None:
    """The language of a locale such as `pt_BR.UTF-8` or `pt`; None if there is no catalogue."""
    locale = _without_encoding(name).replace("-", "_").lower()
    language = locale.partition("_")[0]
    codes = [code for code in LANGUAGES if code.partition("_")[0] == language]
    codes.sort(key=lambda code: code.lower() != locale)
    return _read_language(codes[0]) if codes else None


def language_of(environment: Mapping[str, str]) -> Language:
    """The language that the environment sets, in gettext's order; otherwise English."""
    for locale in locales_of(environment):
        language = language_named(locale)
        if language is not None:
            return language
    return ENGLISH


def locales_of(environment: Mapping[str, str]) -> list[str]:
    """The locales that the environment sets, such as `pt_BR`, the preferred one first."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if names := environment.get(variable):
            return [_without_encoding(name) for name in names.split(":")]
    return []


def _without_encoding(locale: str) -> str:
    return re.split(r"[.@]", locale)[0]


def _read_language(code: str) -> Language:
    if code == SOURCE_LANGUAGE:
        return ENGLISH
    with (FOLDER / f"{code}.mo").open("rb") as compiled:
        return Language(code, GNUTranslations(compiled))


ENGLISH = Language(SOURCE_LANGUAGE, NullTranslations())

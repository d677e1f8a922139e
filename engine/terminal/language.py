"""The user's language, from the environment or by name.

The sentences in the code are English. The catalogues in this folder, such as `pt_BR.po`, translate
them. They are gettext's text files, maintained with `make texts`, and are read without compiling.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, *sorted(path.stem for path in FOLDER.glob("*.po")))

# Only marks a sentence for `make texts`, as usual with gettext; `Language.say` translates it.
N_ = str

_ENTRY = re.compile(r'^msgid((?:\s*".*")+)\s*^msgstr((?:\s*".*")+)', re.MULTILINE)


class Language:
    """A language: its sentences and number format."""

    def __init__(self, code: str, translations: Mapping[str, str]) -> None:
        self.code = code
        self._translations = translations

    def say(self, sentence: str, **values: object) -> str:
        """A sentence in this language, with its placeholders filled; English if not translated."""
        return (self._translations.get(sentence) or sentence).format(**values)

    def count(self, singular: str, plural: str, n: int, **values: object) -> str:
        """The singular or the plural, with `n` as a placeholder value."""
        return self.say(singular if n == 1 else plural, n=self.number(n), **values)

    def number(self, number: int) -> str:
        # Translators: a number, for the sign between its thousands.
        separator = self.say(N_("1,000"))[1]
        return f"{number:,}".replace(",", separator)


def language_named(name: str) -> Language | None:
    """The language of a locale such as `pt_BR.UTF-8` or `pt`; None if there is no catalogue."""
    name = name.replace("-", "_")
    language = re.split(r"[_.@]", name.lower())[0]
    if language in {"c", "posix"}:
        language = SOURCE_LANGUAGE
    codes = [code for code in LANGUAGES if code.split("_")[0] == language]
    if not codes:
        return None
    code = next((code for code in codes if name.startswith(code)), codes[0])
    if code == SOURCE_LANGUAGE:
        return ENGLISH
    return Language(code, read_catalogue((FOLDER / f"{code}.po").read_text(encoding="utf-8")))


def language_of(environment: Mapping[str, str]) -> Language:
    """The language that the environment sets, in gettext's order; otherwise English."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if names := environment.get(variable):
            languages = map(language_named, names.split(":"))
            return next((language for language in languages if language), ENGLISH)
    return ENGLISH


def read_catalogue(text: str) -> dict[str, str]:
    """The translations in a catalogue, by their English sentences."""
    return {_unquote(source): _unquote(target) for source, target in _ENTRY.findall(text)}


def _unquote(lines: str) -> str:
    return "".join(ast.literal_eval(line) for line in lines.split("\n") if line.strip())


ENGLISH = Language(SOURCE_LANGUAGE, {})

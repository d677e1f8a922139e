"""The learner's language, by the environment or by name: nothing to install, nothing to compile.

The sentences in the code are English. Catalogues beside it, such as `pt_BR.po`, translate them.
They are gettext's text files, as `make texts` and translators' tools keep them, read directly.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, *sorted(path.stem for path in FOLDER.glob("*.po")))

# Only marks a sentence for `make texts`, as is usual with gettext; `Language.say` translates it.
N_ = str

_ENTRY = re.compile(r'^msgid((?:\s*".*")+)\s*^msgstr((?:\s*".*")+)', re.MULTILINE)


class Language:
    """One language: its sentences, and its way to write numbers."""

    def __init__(self, code: str, translations: Mapping[str, str]) -> None:
        self.code, self._translations = code, translations

    def say(self, sentence: str, **values: object) -> str:
        """A sentence in this language, with its placeholders filled; English if not translated."""
        return (self._translations.get(sentence) or sentence).format(**values)

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """The singular or the plural, which may name `n`."""
        return self.say(one if n == 1 else many, n=self.number(n), **values)

    def number(self, number: int) -> str:
        # Translators: a number, for the sign between its thousands.
        return f"{number:,}".replace(",", self.say(N_("1,000"))[1])


def language_named(name: str) -> Language | None:
    """The language of a locale such as `pt_BR.UTF-8` or `pt`; None if there is no catalogue."""
    spoken = re.split(r"[_.@]", name.lower().replace("-", "_"))[0]
    spoken = SOURCE_LANGUAGE if spoken in {"c", "posix"} else spoken
    wanted = name.replace("-", "_")
    codes = [code for code in LANGUAGES if code.split("_")[0] == spoken]
    if not codes:
        return None
    code = next((code for code in codes if wanted.startswith(code)), codes[0])
    if code == SOURCE_LANGUAGE:
        return ENGLISH
    return Language(code, read_catalogue((FOLDER / f"{code}.po").read_text(encoding="utf-8")))


def language_of(environment: Mapping[str, str]) -> Language:
    """The language that the environment asks for, in gettext's order; otherwise English."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if names := environment.get(variable):
            spoken = map(language_named, names.split(":"))
            return next((language for language in spoken if language), ENGLISH)
    return ENGLISH


def read_catalogue(text: str) -> dict[str, str]:
    """The translations in a catalogue, by their English sentences."""
    return {_unquoted(english): _unquoted(other) for english, other in _ENTRY.findall(text)}


def _unquoted(lines: str) -> str:
    return "".join(ast.literal_eval(line) for line in lines.split("\n") if line.strip())


ENGLISH = Language(SOURCE_LANGUAGE, {})

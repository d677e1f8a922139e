"""The gettext catalogues, compiled in memory, so that no compiled file can be out of date."""

from __future__ import annotations

import gettext
import io
from functools import cache, lru_cache
from pathlib import Path
from typing import BinaryIO

from babel import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.texts.words import Language

FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, *sorted(path.parent.name for path in FOLDER.glob("*/velha.po")))


@lru_cache(maxsize=64)  # Discord has some thirty locales
def language_for(locale: str) -> Language:
    """The language for a Discord locale such as `pt-BR`; English where we have no better."""
    return _language(negotiate_locale([locale.replace("-", "_")], LANGUAGES) or SOURCE_LANGUAGE)


@cache
def _language(code: str) -> Language:
    if code == SOURCE_LANGUAGE:
        return Language(code, gettext.NullTranslations())
    with (FOLDER / code / "velha.po").open("rb") as written:
        return read_language(code, written)


def read_language(code: str, written: BinaryIO) -> Language:
    """Read a language from its catalogue; what is not translated there stays English."""
    compiled = io.BytesIO()
    write_mo(compiled, read_po(written, locale=code))
    compiled.seek(0)
    return Language(code, gettext.GNUTranslations(compiled))

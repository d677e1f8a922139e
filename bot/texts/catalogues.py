"""The catalogues: read as they are written, with no compiled file to forget."""

from __future__ import annotations

import gettext
import io
from functools import cache
from pathlib import Path
from typing import TypeVar

from babel import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.texts.lessons import LessonTexts
from bot.texts.texts import Texts
from bot.texts.words import Words

Spoken = TypeVar("Spoken", bound=Words)

FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, *sorted(path.parent.name for path in FOLDER.glob("*/velha.po")))


def texts_for(locale: str) -> Texts:
    """The sentences for a Discord locale such as `pt-BR`; English where we have no better."""
    return _in(Texts, locale)


def lesson_texts_for(locale: str) -> LessonTexts:
    """The sentences of lessons, likewise."""
    return _in(LessonTexts, locale)


def _in(texts: type[Spoken], locale: str) -> Spoken:
    language = negotiate_locale([locale.replace("-", "_")], LANGUAGES) or SOURCE_LANGUAGE
    return texts(_catalogue(language), language)


def translate(sentence: str, locale: str) -> str:
    """A sentence of the catalogues by its English words, as the command descriptions need it."""
    return texts_for(locale).gettext(sentence)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    compiled = io.BytesIO()
    with (FOLDER / language / "velha.po").open("rb") as written:
        write_mo(compiled, read_po(written, locale=language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)

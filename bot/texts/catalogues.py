"""The catalogues: read as they are written, with no compiled file to forget."""

from __future__ import annotations

import gettext
import io
from functools import cache, lru_cache
from pathlib import Path
from typing import BinaryIO

from babel import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.texts.help import HelpTexts
from bot.texts.lessons import LessonTexts
from bot.texts.playground import PlaygroundTexts
from bot.texts.privacy import PrivacyTexts
from bot.texts.ranking import RankingTexts
from bot.texts.server import ServerTexts
from bot.texts.stats import StatsTexts
from bot.texts.texts import Texts
from bot.texts.words import Language

FOLDER = Path(__file__).parent
SOURCE_LANGUAGE = "en"
LANGUAGES = (SOURCE_LANGUAGE, *sorted(path.parent.name for path in FOLDER.glob("*/velha.po")))


def texts_for(locale: str) -> Texts:
    """The sentences for a Discord locale such as `pt-BR`; English where we have no better."""
    return Texts(language_for(locale))


def lesson_texts_for(locale: str) -> LessonTexts:
    """The sentences of lessons, likewise."""
    return LessonTexts(language_for(locale))


def help_texts_for(locale: str) -> HelpTexts:
    """What Velha says of itself, likewise."""
    return HelpTexts(language_for(locale))


def privacy_texts_for(locale: str) -> PrivacyTexts:
    """The sentences about what is kept, likewise."""
    return PrivacyTexts(language_for(locale))


def server_texts_for(locale: str) -> ServerTexts:
    """The sentences about what a server has chosen, likewise."""
    return ServerTexts(language_for(locale))


def stats_texts_for(locale: str) -> StatsTexts:
    """The sentences about what people have come to, likewise."""
    return StatsTexts(language_for(locale))


def ranking_texts_for(locale: str) -> RankingTexts:
    """The sentences about who does best, likewise."""
    return RankingTexts(language_for(locale))


def playground_texts_for(locale: str) -> PlaygroundTexts:
    """The sentences of the playground, likewise."""
    return PlaygroundTexts(language_for(locale))


def translate(sentence: str, locale: str) -> str:
    """A sentence of the catalogues by its English words, as the command descriptions need it."""
    return language_for(locale).gettext(sentence)


@lru_cache(maxsize=64)  # Discord knows some thirty
def language_for(locale: str) -> Language:
    return _language(negotiate_locale([locale.replace("-", "_")], LANGUAGES) or SOURCE_LANGUAGE)


@cache
def _language(code: str) -> Language:
    if code == SOURCE_LANGUAGE:
        return Language(code, gettext.NullTranslations())
    with (FOLDER / code / "velha.po").open("rb") as written:
        return read_language(code, written)


def read_language(code: str, written: BinaryIO) -> Language:
    """A language by its catalogue; what is not translated there is said in English."""
    compiled = io.BytesIO()
    write_mo(compiled, read_po(written, locale=code))
    compiled.seek(0)
    return Language(code, gettext.GNUTranslations(compiled))

"""The catalogues: by Discord's locales, in the formats of their language, and broken ones."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from discord import Locale

from bot.views.catalogues import LANGUAGE_BY_LOCALE, language_of, read_catalogue
from bot.views.i18n import Language
from engine import TIC_TAC_TOE, Rules
from tests.bot.languages import language_with


def test_every_locale_of_discord_has_a_language() -> None:
    assert {*LANGUAGE_BY_LOCALE} == {str(locale) for locale in Locale}


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("es-ES", "es"),
        ("es-419", "es"),
        ("no", "nb"),
        ("zh-CN", "zh_Hans"),
        ("zh-TW", "zh_Hant"),
        ("sv-SE", "sv"),
        ("en-GB", "en"),
        ("pt-PT", "pt_BR"),
        ("zh_Hant", "zh_Hant"),
        ("tlh", "en"),
        ("", "en"),
    ],
)
def test_a_locale_has_the_nearest_language(locale: str, language: str) -> None:
    languages = ("en", *sorted({*LANGUAGE_BY_LOCALE.values()} - {"en"}))
    assert language_of(locale, languages) == language


def test_chinese_is_read_in_the_other_script_where_one_is_missing() -> None:
    assert language_of("zh-TW", ("en", "zh_Hans")) == "zh_Hans"


each_language = pytest.mark.parametrize("name", sorted({*LANGUAGE_BY_LOCALE.values()}))


@each_language
@pytest.mark.parametrize(("minutes", "number"), [(1, 1), (5, 5), (60, 1), (90, 90), (1440, 24)])
def test_a_duration_is_in_words_of_the_language(name: str, minutes: int, number: int) -> None:
    duration = language_with(Catalog(name)).duration(minutes)
    assert re.fullmatch(rf"{number}\s?\D+", duration)
    assert "duration" not in duration


@each_language
def test_a_list_is_joined_as_the_language_does(name: str) -> None:
    language = language_with(Catalog(name))
    for style in ("standard", "or"):
        for count in (1, 2, 3, 25):
            cells = language.cells(Rules(5, 5, 5), range(count), style)
            assert len(re.findall("[A-E][1-5]", cells)) == count


def test_a_broken_placeholder_shows_in_english_and_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    catalogue = Catalog("es")
    catalogue.add("with {n} hint", "x")
    catalogue.add("{columns}x{rows}, {in_a_row} in a row wins", "{columnas}x{rows")
    broken = language_with(catalogue)
    for _ in range(2):
        assert broken.rules(TIC_TAC_TOE) == "3x3, 3 in a row wins"
    assert caplog.text.count("es: ") == 1


@pytest.mark.parametrize("content", [b"", b"not a catalogue", b"\xde\x12\x04\x95\0\0\0\0"])
def test_a_broken_catalogue_shows_in_english_and_is_logged(
    content: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "velha.mo"
    file.write_bytes(content)
    assert Language(read_catalogue("es", file)).rules(TIC_TAC_TOE) == "3x3, 3 in a row wins"
    assert len(caplog.records) == 1
    assert str(file) in caplog.text


def test_a_broken_plural_header_is_a_broken_catalogue(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "velha.mo"
    header = b'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=n ===;\\n"\n'
    with file.open("wb") as compiled_file:
        write_mo(compiled_file, read_po(BytesIO(header), "es"))
    assert Language(read_catalogue("es", file)).rules(TIC_TAC_TOE) == "3x3, 3 in a row wins"
    assert len(caplog.records) == 1

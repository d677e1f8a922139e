"""Every sentence, in every language."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from bot.match import Refusal
from bot.texts import LANGUAGES, Texts, texts_for
from bot.texts.catalogues import FOLDER
from engine import Level
from tests.bot.test_buttons import a_match, every_kind_of_match

TRANSLATED = [language for language in LANGUAGES if language != "en"]


def catalogue(language: str) -> Catalog:
    return read_po(BytesIO((FOLDER / language / "velha.po").read_bytes()), locale=language)


def source_sentences() -> set[str]:
    keywords = {"_": None, "locale_str": None}
    found = extract_from_dir(FOLDER.parent, keywords=keywords)
    return {message for _, _, message, _, _ in found if isinstance(message, str)}


def placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", sentence))


def test_portuguese_and_english_are_spoken() -> None:
    assert {"en", "pt_BR"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_translates_every_sentence_and_no_other(language: str) -> None:
    translated = {str(m.id) for m in catalogue(language) if m.id and m.string and not m.fuzzy}
    assert translated == source_sentences(), "run `make texts`, then translate what is new"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_placeholders_of_its_source(language: str) -> None:
    for message in catalogue(language):
        if message.id:
            assert placeholders(str(message.string)) == placeholders(str(message.id)), message.id


@pytest.mark.parametrize(
    ("locale", "draw"),
    [
        ("pt-BR", "Deu velha: empate!"),
        ("en-US", "It's a draw!"),
        ("en-GB", "It's a draw!"),
        ("ja", "It's a draw!"),
        ("", "It's a draw!"),
    ],
)
def test_a_locale_gets_its_language_or_english(locale: str, draw: str) -> None:
    drawn = a_match((0, 1, 2, 4, 3, 5, 7, 6, 8))
    assert texts_for(locale).status(drawn) == draw


def every_sentence(texts: Texts) -> list[str]:
    matches = every_kind_of_match()
    flags = ["view_channel", "send_messages", "send_messages_in_threads", "use_external_apps"]
    return [
        *(texts.status(match) for match in matches),
        *(texts.players(match) for match in matches),
        texts.challenge(replace(matches[0], accepted=False)),
        *(texts.refusal(refusal, matches[0]) for refusal in Refusal),
        *(texts.missing_permission(flag) for flag in flags),
        *(texts.level(level) for level in Level),
        texts.board_moved("link"),
        texts.stopped("link"),
        texts.help(),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_placeholder_is_left_unfilled(language: str) -> None:
    for sentence in every_sentence(texts_for(language)):
        assert sentence.strip()
        assert not placeholders(sentence), sentence


def test_the_languages_differ_in_every_sentence() -> None:
    pairs = zip(every_sentence(texts_for("pt-BR")), every_sentence(texts_for("en")), strict=True)
    same = [english for portuguese, english in pairs if portuguese == english]
    assert same == []

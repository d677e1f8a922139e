"""The terminal speaks the learner's language, with nothing installed."""

from __future__ import annotations

import pytest
from babel.messages import Catalog

from engine.__main__ import main
from engine.terminal.drawing import columns, ljust, rjust
from engine.terminal.language import ENGLISH, Language, language_named, language_of
from tests.catalogues import compiled


def language_with(catalogue: Catalog) -> Language:
    return Language(str(catalogue.locale_identifier), compiled(catalogue))


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_PT.UTF-8"}, "pt_BR"),
        ({"LC_ALL": "pt_BR", "LANG": "en_US.UTF-8"}, "pt_BR"),
        ({"LC_ALL": "C", "LANG": "pt_BR.UTF-8"}, "en"),
        ({"LC_MESSAGES": "pt_BR.UTF-8", "LANG": "en_US.UTF-8"}, "pt_BR"),
        ({"LANGUAGE": "pt_BR:en", "LC_ALL": "en_US.UTF-8"}, "pt_BR"),
        ({"LANGUAGE": "ja:pt:en"}, "pt_BR"),
        ({"LANGUAGE": "en:pt_BR"}, "en"),
        ({"LANGUAGE": "", "LANG": "pt_BR@euro"}, "pt_BR"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({"LANG": "ptolemaic"}, "en"),
    ],
)
def test_the_environment_sets_the_language(environment: dict[str, str], code: str) -> None:
    assert language_of(environment).code == code


@pytest.mark.parametrize("name", ["pt", "pt_BR", "pt-br", "PT_BR.UTF-8"])
def test_a_language_has_several_names(name: str) -> None:
    language = language_named(name)
    assert language is not None
    assert language.code == "pt_BR"
    assert language.number(5478) == "5.478"


def test_the_language_option_may_stand_anywhere(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--language", "pt", "tree"], ["tree", "--language=pt"]):
        assert main(arguments) == 0
        assert "X escolhe" in capsys.readouterr().out


def test_untranslated_sentences_are_in_english() -> None:
    catalogue = Catalog("es")
    catalogue.add("You lose.", "")
    catalogue.add(("{n} visit", "{n} visits"), ("", ""))
    lagging = language_with(catalogue)
    assert lagging.say("You lose.") == ENGLISH.say("You lose.") == "You lose."
    assert lagging.ngettext("{n} visit", "{n} visits", 1) == "1 visit"
    assert lagging.ngettext("{n} visit", "{n} visits", 5478) == "5,478 visits"


def test_a_language_has_as_many_plural_forms_as_it_needs() -> None:
    catalogue = Catalog("ru")
    catalogue.add(("{n} visit", "{n} visits"), ("{n} визит", "{n} визита", "{n} визитов"))
    russian = language_with(catalogue)
    counted = [russian.ngettext("{n} visit", "{n} visits", n) for n in (1, 3, 5, 21)]
    assert counted == ["1 визит", "3 визита", "5 визитов", "21 визит"]


@pytest.mark.parametrize(
    ("one_thousand", "ten_thousand", "numbers"),
    [
        ("1.000", "10.000", ["478", "5.478", "65.478", "1.265.478"]),
        ("1000", "10\u202f000", ["478", "5478", "65\u202f478", "1\u202f265\u202f478"]),
        ("1000", "10000", ["478", "5478", "65478", "1265478"]),
    ],
)
def test_numbers_are_written_as_the_catalogue_says(
    one_thousand: str, ten_thousand: str, numbers: list[str]
) -> None:
    catalogue = Catalog("fr")
    catalogue.add("1,000", one_thousand)
    catalogue.add("10,000", ten_thousand)
    language = language_with(catalogue)
    assert [language.number(number) for number in (478, 5_478, 65_478, 1_265_478)] == numbers


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("é", 1),
        ("e\u0301", 1),
        ("e\u20dd", 1),
        ("a\u200db", 2),
        ("漢字", 4),
        ("\uff21", 2),
    ],
)
def test_wide_letters_take_two_columns_and_accents_none(text: str, width: int) -> None:
    assert columns(text) == width
    assert ljust(text, 5) == text + (5 - width) * " "
    assert rjust(text, 5) == (5 - width) * " " + text

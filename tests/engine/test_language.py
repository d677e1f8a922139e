"""The terminal speaks the learner's language, with nothing installed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from engine.__main__ import main
from engine.terminal.language import (
    ENGLISH,
    FOLDER,
    LANGUAGES,
    Language,
    language_named,
    language_of,
    read_catalogue,
)

TRANSLATED = [code for code in LANGUAGES if code != "en"]


def catalogue(code: str) -> dict[str, str]:
    return read_catalogue((FOLDER / f"{code}.po").read_text("utf-8"))


def marked_sentences() -> Iterator[str]:
    """What the code marks, read as Python reads it."""
    for path in FOLDER.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "N_":
                yield ast.literal_eval(node.args[0])


def placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"{\w+(?:!r)?}", sentence))


def test_portuguese_translates_exactly_the_marked_sentences() -> None:
    translated = {english for english, other in catalogue("pt_BR").items() if english and other}
    assert translated == {*marked_sentences()}, "run `make texts`, then translate what is new"


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_has_the_placeholders_of_its_source(code: str) -> None:
    for english, other in catalogue(code).items():
        assert not other or placeholders(other) == placeholders(english), english


def test_every_sentence_passed_to_say_is_marked_for_translation() -> None:
    """A sentence is marked where it stands, or comes out of a table of marked ones."""
    for path in FOLDER.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("say", "self._")):
                assert not isinstance(node.args[0], ast.Constant), ast.unparse(node)


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


def test_the_language_option_may_be_abbreviated(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--language", "--lang"):
        with pytest.raises(SystemExit):
            main([option, "pt", "--help"])
        assert "Jogue" in capsys.readouterr().out


def test_untranslated_sentences_are_in_english() -> None:
    lagging = Language("es", {"You lose.": ""})
    assert lagging.say("You lose.") == ENGLISH.say("You lose.") == "You lose."
    assert lagging.number(5478) == "5,478"


def test_a_catalogue_is_read_as_it_is_written() -> None:
    written = 'msgid ""\n"two lines, "\n"\\"quoted\\""\nmsgstr "duas linhas"\n'
    assert read_catalogue(written) == {'two lines, "quoted"': "duas linhas"}

"""Every sentence, in every language."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from io import BytesIO
from pathlib import Path
from shutil import copy, copytree, ignore_patterns, which
from subprocess import run

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po

from bot.domain.puzzles import DailyPuzzle, PuzzlePage
from bot.domain.refusals import Refusal, Refused
from bot.views.i18n import CATALOGUE, FOLDER, LANGUAGES, Language, language_for, read_catalogue
from bot.views.matches import MatchTexts
from bot.views.puzzles import PuzzleTexts
from bot.views.refusals import RefusalTexts
from engine import Board, Level
from engine.puzzles import puzzle_from
from tests.bot.views.test_components import a_match

MAKE = which("make") or ""
MARKED = {"_": 1, "N_": 1, "NC_": 2, "ngettext": 2, "locale_str": 1}
"""What marks a sentence, and how many of its arguments are one."""
TRANSLATED = [language for language in LANGUAGES if language != "en"]
LAGGING = """
msgctxt "level"
msgid "easy"
msgstr "llano"

msgid "It's not your turn."
msgstr ""

msgid "with {n} hint"
msgid_plural "with {n} hints"
msgstr[0] ""
msgstr[1] ""
"""

Key = tuple[str | None, str | tuple[str, ...]]
"""A sentence, or its singular and its plural, in its context."""


def catalogue(language: str) -> Catalog:
    return read_po(BytesIO((FOLDER / language / CATALOGUE).read_bytes()), locale=language)


def a_language_that_lags() -> Language:
    return Language("es", read_catalogue("es", BytesIO(LAGGING.encode())))


def is_complete(message: Message) -> bool:
    """Whether it is translated, in all its plural forms."""
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(forms) and not message.fuzzy


def source_sentences() -> set[Key]:
    """What the code says, read as Python reads it: `make texts` does not look into f-strings."""
    trees = (ast.parse(path.read_text("utf-8")) for path in FOLDER.parent.rglob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {key for node in nodes if isinstance(node, ast.Call) for key in marked_by(node)}


def marked_by(call: ast.Call) -> Iterator[Key]:
    """The sentence that stands in a call; none where it only names one that is marked elsewhere."""
    name = ast.unparse(call.func).rpartition(".")[2]
    given = call.args[: MARKED.get(name, 0)]
    literals = (word for word in given if isinstance(word, ast.Constant | ast.JoinedStr))
    match name, [ast.literal_eval(word) for word in literals]:
        case "NC_", [context, sentence]:
            yield context, sentence
        case "ngettext", [one, many]:
            yield None, (one, many)
        case _, [sentence]:
            yield None, sentence
        case _:
            pass


def placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", sentence))


def test_portuguese_and_english_are_spoken() -> None:
    assert {"en", "pt_BR"} <= set(LANGUAGES)


def test_portuguese_translates_every_sentence_and_no_other() -> None:
    translated = {(m.context, m.id) for m in catalogue("pt_BR") if m.id and is_complete(m)}
    assert translated == source_sentences(), "run `make texts`, then translate what is new"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_placeholders_of_its_source(language: str) -> None:
    for message in catalogue(language):
        if message.id and is_complete(message):
            assert placeholders(str(message.string)) == placeholders(str(message.id)), message.id


@pytest.mark.skipif(not MAKE, reason="there is no make here")
def test_make_texts_leaves_the_portuguese_catalogues_as_they_are(tmp_path: Path) -> None:
    root = FOLDER.parents[1]
    for package in ("bot", "engine"):
        copytree(root / package, tmp_path / package, ignore=ignore_patterns("__pycache__"))
    copy(root / "Makefile", tmp_path)
    here = [f"BIN={Path(sys.executable).parent}", "POT=velha.pot"]
    run([MAKE, "-o", ".venv/installed", "texts", *here], cwd=tmp_path, check=True)
    for catalogue in ("bot/locales/pt_BR/LC_MESSAGES/velha.po", "engine/terminal/pt_BR.po"):
        assert (tmp_path / catalogue).read_text("utf-8") == (root / catalogue).read_text("utf-8")


def test_a_language_that_lags_says_in_english_what_it_lacks() -> None:
    language = a_language_that_lags()
    texts, refused = MatchTexts(language), Refused(Refusal.NOT_YOUR_TURN)
    assert texts.level(Level.EASY) == "llano"
    assert texts.level(Level.HARD) == "hard"
    assert RefusalTexts(language).refusal(refused) == "It's not your turn."
    for hints, counted in ((1, "with 1 hint"), (2, "with 2 hints")):
        over = replace(a_match((0, 3, 1, 4, 2)), hints=hints)
        assert (texts.footnote(over) or "").endswith(counted)


def test_a_puzzle_and_a_level_need_not_be_easy_in_the_same_word() -> None:
    easy = puzzle_from(Board.parse("..o ..x x.o"))
    assert easy is not None
    lesson = DailyPuzzle(PuzzlePage(date(2026, 5, 1)), easy)
    said = PuzzleTexts(a_language_that_lags()).puzzle(lesson)
    assert "★☆☆ easy" in said.splitlines()


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
    assert MatchTexts(language_for(locale)).status(drawn) == f"## 🤝 {draw}"

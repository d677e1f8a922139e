"""Every sentence, in every language."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from shutil import copy, copytree, ignore_patterns, which
from subprocess import run

import pytest
from babel.messages import Catalog, Message
from babel.messages.pofile import read_po

from bot.game.match import Ending, How
from bot.game.outcome import Refused
from bot.game.refusal import Refusal
from bot.texts import LANGUAGES, AnswerTexts, BoardTexts, language_for
from bot.texts.board import BUTTONS
from bot.texts.catalogues import FOLDER, read_language
from bot.texts.words import Language
from engine import Level
from tests.bot.views.test_controls import a_match, every_kind_of_match

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
    return read_po(BytesIO((FOLDER / language / "velha.po").read_bytes()), locale=language)


def a_language_that_lags() -> Language:
    return read_language("es", BytesIO(LAGGING.encode()))


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
    for catalogue in ("bot/texts/pt_BR/velha.po", "engine/terminal/pt_BR.po"):
        assert (tmp_path / catalogue).read_text("utf-8") == (root / catalogue).read_text("utf-8")


def test_a_language_that_lags_says_in_english_what_it_lacks() -> None:
    language = a_language_that_lags()
    texts, refused = BoardTexts(language), Refused(Refusal.NOT_YOUR_TURN)
    assert texts.level(Level.EASY) == "llano"
    assert texts.level(Level.HARD) == "hard"
    assert AnswerTexts(language).refusal(refused) == "It's not your turn."
    for hints, counted in ((1, "with 1 hint"), (2, "with 2 hints")):
        over = replace(a_match((0, 3, 1, 4, 2)), hints=hints)
        assert (texts.footnote(over) or "").endswith(counted)


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
    assert BoardTexts(language_for(locale)).status(drawn) == f"## 🤝 {draw}"


def every_sentence(locale: str) -> list[str]:
    matches, language = every_kind_of_match(), language_for(locale)
    texts, answers = BoardTexts(language), AnswerTexts(language)
    return [
        *(texts.status(match) for match in matches),
        *(texts.players(match) for match in matches),
        texts.challenge(replace(matches[0], accepted=False)),
        *(answers.refusal(Refused(refusal, matches[0], channels=(5,))) for refusal in Refusal),
        *(texts.level(level) for level in Level),
        *(
            texts.footnote(replace(matches[-1], moves=(4,), hints=hints)) or ""
            for hints in (0, 1, 2)
        ),
        texts.rematch_asked(11),
        *(texts.button(verb, Level.HARD) for verb in BUTTONS),
        texts.review_button(),
        answers.lesson_question(),
        answers.example_button(),
        answers.my_match_button(),
        answers.play_in_a_thread(),
        *(answers.resign_question(match) for match in (matches[0], replace(matches[0], moves=()))),
        answers.resign_button(),
        texts.board_moved("link"),
        *(
            answers.stopped(replace(matches[0], early_ending=Ending(how)))
            for how in (How.RESIGNED, How.CANCELLED, How.DECLINED, How.STOPPED)
        ),
        answers.played("B2", "link"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_placeholder_is_left_unfilled(language: str) -> None:
    for sentence in every_sentence(language):
        assert sentence.strip()
        assert not placeholders(sentence), sentence


def test_the_languages_differ_in_every_sentence() -> None:
    pairs = zip(
        every_sentence("pt-BR"),
        every_sentence("en"),
        strict=True,
    )
    same = [english for portuguese, english in pairs if portuguese == english]
    assert same == []


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (Refusal.NOT_A_PLAYER, "This isn't your match."),
        (Refusal.MAY_JOIN, "This isn't your match yet."),
        (Refusal.NOT_YOUR_TURN, "It's not your turn."),
        (Refusal.CELL_TAKEN, "That cell is taken."),
        (Refusal.MATCH_OVER, "This match is over."),
        (Refusal.MATCH_GOING_ON, "This match is still going on."),
        (Refusal.OPEN_CHALLENGE, "The challenge hasn't been accepted yet."),
        (Refusal.NOT_THE_CHALLENGED, "Only the challenged player can answer."),
        (Refusal.NOT_THE_CHALLENGER, "Only the challenger can cancel the challenge."),
        (Refusal.REMATCH_ASKED, "You've already asked"),
        (Refusal.OUTDATED, "That board was out of date"),
        (Refusal.HINT_BETWEEN_PEOPLE, "Hints are for matches against me."),
        (Refusal.HINT_OLD, "This hint is old: the match has moved on."),
        (Refusal.TIME_IS_UP, "Too late"),
        (Refusal.UNKNOWN_MATCH, "I don't know this match."),
        (Refusal.UNKNOWN_BUTTON, "This button no longer works."),
        (Refusal.ONLY_TO_LOOK_AT, "That one is just for show."),
        (Refusal.NO_MATCH_HERE, "There's no match in this channel."),
        (Refusal.SUPERSEDED, "You've asked for something newer, so I skipped this."),
    ],
)
def test_every_refusal_says_what_is_the_matter(refusal: Refusal, sentence: str) -> None:
    assert AnswerTexts(language_for("en-US")).refusal(Refused(refusal)).startswith(sentence)

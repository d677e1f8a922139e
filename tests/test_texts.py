"""The catalogues are complete where they have to be, and compiled."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from tests.catalogues import (
    ROOT,
    calls,
    faults,
    source_sentences,
    translated_sentences,
)
from tests.tools import make_texts
from tests.tools.make_texts import Domain, domains, read_catalogue, sources_of, translations_of

DOMAINS = domains(ROOT)
CATALOGUES = [(language, path) for each in DOMAINS for language, path in each.catalogues.items()]

each_domain = pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.package.name)
each_catalogue = pytest.mark.parametrize(("language", "path"), CATALOGUES)


@each_domain
def test_portuguese_translates_every_sentence_and_no_other(domain: Domain) -> None:
    portuguese = read_catalogue(domain.catalogues["pt_BR"], "pt_BR")
    said = source_sentences(domain.package)
    assert translated_sentences(portuguese) == said, "run `make texts`, then translate what is new"


@each_domain
def test_every_sentence_has_a_comment_for_translators(domain: Domain) -> None:
    template = read_catalogue(domain.template)
    assert not [message.id for message in template if message.id and not message.auto_comments]


@each_catalogue
def test_nothing_is_wrong_in_a_catalogue(language: str, path: Path) -> None:
    assert not [*faults(path, language)]


def test_no_line_breaks_before_a_sign_in_french() -> None:
    french = read_catalogue(ROOT / "bot" / "locales" / "fr" / "LC_MESSAGES" / "velha.po", "fr")
    forms = [form for message in french if message.id for form in translations_of(message)]
    assert not [form for form in forms if re.search("« | [:;?!»]", form)]


HEADER = """\
msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""
BUTTON = 'msgctxt "button"\nmsgid "Play"\nmsgstr "{}"\n'
DESCRIPTION = '#: bot/client/cog.py\nmsgid "Play"\nmsgstr "{}"\n'
ONE_OR_MANY = 'msgid "{n} win"\nmsgid_plural "{n} wins"\n'


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        (HEADER + 'msgid "{a} wins"\nmsgstr "gana {b}"\n', 5, "other placeholders"),
        (HEADER + 'msgid "{a} wins"\nmsgstr "gana {a"\n', 5, "other placeholders"),
        (HEADER + 'msgid "{a} wins"\nmsgstr "gana"\n', 5, "other placeholders"),
        (HEADER + ONE_OR_MANY + 'msgstr[0] "{n}"\nmsgstr[1] "muchas"\n', 5, "other placeholders"),
        (HEADER + 'msgid "I win this time."\nmsgstr "I win this time."\n', 5, "still English"),
        (HEADER + BUTTON.format("!" * 35), 6, "too long"),
        (HEADER + DESCRIPTION.format("!" * 101), 6, "too long"),
        (HEADER.replace("n != 1", "n !="), 3, "plural"),
        (HEADER.replace("=2", "=two"), 3, "two"),
    ],
)
def test_what_is_wrong_in_a_catalogue_is_told_with_its_line(
    text: str, line: int, fault: str, tmp_path: Path
) -> None:
    path = tmp_path / "velha.po"
    path.write_text(text, "utf-8")
    (told,) = faults(path, "es")
    assert told.startswith(f"{path}:{line}: ")
    assert fault in told


@pytest.mark.parametrize(
    "text",
    [
        HEADER + ONE_OR_MANY + 'msgstr[0] "una victoria"\nmsgstr[1] "{n} victorias"\n',
        HEADER + ONE_OR_MANY + 'msgstr[0] ""\nmsgstr[1] ""\n',
        HEADER + 'msgid "Normal"\nmsgstr "Normal"\n',
        HEADER + BUTTON.format("!" * 34),
        HEADER + DESCRIPTION.format("!" * 100),
    ],
)
def test_what_is_right_in_a_catalogue(text: str, tmp_path: Path) -> None:
    path = tmp_path / "velha.po"
    path.write_text(text, "utf-8")
    assert not [*faults(path, "es")]


@each_domain
def test_no_sentence_spells_the_label_of_a_button(domain: Domain) -> None:
    """It is filled in: a board may be in another language than the sentence."""
    template = [message for message in read_catalogue(domain.template) if message.id]
    labels = {message.id for message in template if message.context}
    sentences = " ".join(source for message in template for source in sources_of(message))
    assert labels.isdisjoint(re.findall(r"\*\*([^*{}]+)\*\*", sentences))


@each_domain
def test_every_sentence_is_marked_for_translation(domain: Domain) -> None:
    """A sentence is marked where it stands, or comes out of a table of marked ones."""
    for call in calls(domain.package):
        if ast.unparse(call.func).endswith("say") and call.args:
            assert not isinstance(call.args[0], ast.Constant | ast.JoinedStr), ast.unparse(call)


def test_the_catalogues_and_what_is_compiled_of_them_are_up_to_date(tmp_path: Path) -> None:
    for package in ("bot", "engine"):
        copytree(ROOT / package, tmp_path / package, ignore=ignore_patterns("__pycache__"))
    make_texts.main(tmp_path)
    kept = [path for kind in ("po", "pot", "mo") for path in tmp_path.rglob(f"*.{kind}")]
    assert len(kept) > 4
    for path in kept:
        before = ROOT / path.relative_to(tmp_path)
        assert path.read_bytes() == before.read_bytes(), "run `make texts`"

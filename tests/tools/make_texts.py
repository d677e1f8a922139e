"""`make texts`: updates the catalogues with the sentences in the code.

A template has the English sentences, with the comments that begin with "Translators:". In each
catalogue, new sentences are added and old ones removed; then it is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

CREATED = datetime(2026, 11, 23, tzinfo=UTC)  # constant, so that only sentences change a file

SHARED_COMMENT = "# Translators, from here on:"
"""Begins a comment on all sentences below it, up to the next such comment."""

KEYWORDS = {**DEFAULT_KEYWORDS, "locale_str": None, "NC_": ((1, "c"), 2)}


@dataclass(frozen=True)
class Domain:
    """A package, and the files for its sentences."""

    package: Path
    template: Path
    catalogues: dict[str, Path]
    """By language, such as `pt_BR`."""


def main(root: Path) -> None:
    for domain in domains(root):
        template = extract(domain)
        write_catalogue(template, domain.template)
        for language, path in domain.catalogues.items():
            is_new = path.stat().st_size == 0
            catalogue = new_catalogue(language) if is_new else read_catalogue(path, language)
            catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
            write_catalogue(catalogue, path)
            compile_catalogue(catalogue, path)
            missing = len([*untranslated(catalogue)])
            print(f"{path.relative_to(root)}: {len(template)} sentences, {missing} untranslated")


def domains(root: Path) -> list[Domain]:
    """The bot's sentences and the terminal's."""
    locales, terminal = root / "bot" / "locales", root / "engine" / "terminal"
    bot = {path.parts[-3]: path for path in sorted(locales.glob("*/LC_MESSAGES/velha.po"))}
    engine = {path.stem: path for path in sorted(terminal.glob("*.po"))}
    return [
        Domain(root / "bot", locales / "velha.pot", bot),
        Domain(root / "engine", terminal / "terminal.pot", engine),
    ]


def read_catalogue(path: Path, language: str | None = None) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language)


def new_catalogue(language: str | None = None) -> Catalog:
    """An empty catalogue, or an empty template if there is no language."""
    return Catalog(
        language,
        header_comment="# Velha's sentences. docs/en/TRANSLATING.md says how to translate them.",
        project="Velha",
        version="1",
        creation_date=CREATED,
    )


def extract(domain: Domain) -> Catalog:
    """Make a template of the sentences in the code of a package."""
    template = new_catalogue()
    shared = cache(lambda file: shared_comments((domain.package / file).read_text("utf-8")))
    for file, line, sentence, comments, context in extract_from_dir(
        domain.package,
        keywords=KEYWORDS,
        comment_tags=["Translators:"],
        strip_comment_tags=True,
    ):
        locations = [(f"{domain.package.name}/{file}", 0)]
        all_comments = [*filter(None, [shared(file).get(line)]), *comments]
        template.add(sentence, locations=locations, auto_comments=all_comments, context=context)
    return template


def shared_comments(source: str) -> dict[int, str]:
    """The shared comment that applies to each line of a file, by line number."""
    comments: dict[int, str] = {}
    comment = ""
    is_in_comment = False
    for number, line in enumerate(source.splitlines(), start=1):
        text = line.strip()
        if text.startswith(SHARED_COMMENT):
            comment = text.removeprefix(SHARED_COMMENT).strip()
            is_in_comment = True
        elif is_in_comment and text.startswith("# ") and not text.startswith("# Translators"):
            comment += text.removeprefix("#")
        else:
            is_in_comment = False
        comments[number] = comment
    return comments


def write_catalogue(catalogue: Catalog, path: Path) -> None:
    catalogue.fuzzy = False
    with path.open("wb") as file:
        write_po(file, catalogue, width=0, include_lineno=False, ignore_obsolete=True)


def compile_catalogue(catalogue: Catalog, path: Path) -> None:
    """Write the `.mo` file of a catalogue beside its `.po` file."""
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


def sources_of(message: Message) -> list[str]:
    """The English sentence, or its singular and its plural."""
    return [message.id] if isinstance(message.id, str) else [*message.id]


def translations_of(message: Message) -> list[str]:
    """The translation, or its plural forms; one that is missing is empty."""
    if isinstance(message.string, list | tuple):
        return [*message.string]
    return [message.string or ""]


def is_translated(message: Message) -> bool:
    """Whether a sentence is translated, in all its plural forms."""
    return all(translations_of(message)) and not message.fuzzy


def untranslated(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id and not is_translated(message))


if __name__ == "__main__":
    main(Path.cwd())

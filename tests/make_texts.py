"""Bring the catalogues up to date with the sentences in the code: `make texts`.

Each template has the English sentences, with the comments that begin with "Translators:". Each
catalogue gets what is new, loses what has gone, and is compiled beside its source.
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

CREATED = datetime(2026, 11, 23, tzinfo=UTC)  # a constant: the files change with the sentences

SHARED = "# Translators, from here on:"
"""Begins a comment on all sentences of a file up to the next such comment."""

KEYWORDS = {**DEFAULT_KEYWORDS, "locale_str": None, "NC_": ((1, "c"), 2)}


@dataclass(frozen=True)
class Domain:
    """The sentences of a package, and where their catalogues are."""

    package: Path
    template: Path
    catalogues: dict[str, Path]
    """By gettext's name of the language, such as `pt_BR`."""


def domains(root: Path) -> list[Domain]:
    """The bot's sentences and the terminal's."""
    locales, terminal = root / "bot" / "locales", root / "engine" / "terminal"
    of_bot = {path.parts[-3]: path for path in sorted(locales.glob("*/LC_MESSAGES/velha.po"))}
    of_terminal = {path.stem: path for path in sorted(terminal.glob("*.po"))}
    return [
        Domain(root / "bot", locales / "velha.pot", of_bot),
        Domain(root / "engine", terminal / "terminal.pot", of_terminal),
    ]


def read_catalogue(path: Path, language: str | None = None) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=language)


def new_catalogue(language: str | None = None) -> Catalog:
    """A catalogue without sentences; a template if it is of no language."""
    return Catalog(
        language,
        header_comment="# Velha's sentences. docs/TRANSLATING.md says how to translate them.",
        project="Velha",
        version="1",
        creation_date=CREATED,
    )


def extract(domain: Domain) -> Catalog:
    """The sentences in the code of a package."""
    template = new_catalogue()
    shared = cache(lambda file: shared_comments((domain.package / file).read_text("utf-8")))
    for file, line, sentence, comments, context in extract_from_dir(
        domain.package,
        keywords=KEYWORDS,
        comment_tags=["Translators:"],
        strip_comment_tags=True,
    ):
        locations = [(f"{domain.package.name}/{file}", 0)]
        told = [*filter(None, [shared(file).get(line)]), *comments]
        template.add(sentence, locations=locations, auto_comments=told, context=context)
    return template


def shared_comments(source: str) -> dict[int, str]:
    """The comments that hold for all sentences up to the next such comment, by lines."""
    comments: dict[int, str] = {}
    shared, is_open = "", False
    for number, line in enumerate(source.splitlines(), start=1):
        text = line.strip()
        if text.startswith(SHARED):
            shared, is_open = text.removeprefix(SHARED).strip(), True
        elif is_open and text.startswith("# ") and not text.startswith("# Translators"):
            shared += text.removeprefix("#")
        else:
            is_open = False
        comments[number] = shared
    return comments


def write_catalogue(catalogue: Catalog, path: Path) -> None:
    catalogue.fuzzy = False
    with path.open("wb") as file:
        write_po(file, catalogue, width=0, include_lineno=False, ignore_obsolete=True)


def compile_catalogue(catalogue: Catalog, path: Path) -> None:
    """Write what programs read: the complete translations, beside their source."""
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


def sources_of(message: Message) -> list[str]:
    """The English sentence, or its singular and its plural."""
    return [message.id] if isinstance(message.id, str) else [*message.id]


def translations_of(message: Message) -> list[str]:
    """The translation, or all its plural forms; empty where there is none."""
    if isinstance(message.string, list | tuple):
        return [*message.string]
    return [message.string or ""]


def is_translated(message: Message) -> bool:
    """Whether a sentence is translated, in all its plural forms."""
    return all(translations_of(message)) and not message.fuzzy


def untranslated(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id and not is_translated(message))


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
            lacking = len([*untranslated(catalogue)])
            print(f"{path.relative_to(root)}: {len(template)} sentences, {lacking} untranslated")


if __name__ == "__main__":
    main(Path.cwd())

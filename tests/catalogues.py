"""What the code says, and what is wrong in a catalogue, for both: the bot's and the terminal's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo

from tests.make_texts import is_translated, sources_of, translations_of

ROOT = Path(__file__).parents[1]

MARKED = {"_": 1, "N_": 1, "NC_": 2, "ngettext": 2, "locale_str": 1}
"""What marks a sentence, and how many of its arguments are one."""

Key = tuple[str | None, str | tuple[str, ...]]
"""A sentence, or its singular and its plural, in its context."""


def calls(package: Path) -> Iterator[ast.Call]:
    """All calls in the code of a package."""
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield node


def source_sentences(package: Path) -> set[Key]:
    """What the code says, read as Python reads it: `make texts` does not look into f-strings."""
    return {key for call in calls(package) for key in _marked_by(call)}


def _marked_by(call: ast.Call) -> Iterator[Key]:
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


def translated_sentences(catalogue: Catalog) -> set[Key]:
    """The sentences that a catalogue translates, in all their plural forms."""
    translated = (message for message in catalogue if message.id and is_translated(message))
    return {(message.context, _key(message)) for message in translated}


def _key(message: Message) -> str | tuple[str, ...]:
    return message.id if isinstance(message.id, str) else tuple(message.id)


def placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"{\w+(?:!r)?}", sentence))


def wrong_placeholders(catalogue: Catalog) -> Iterator[str]:
    """The sentences that are translated with other placeholders than their own."""
    for message in catalogue:
        if message.id and is_translated(message):
            source, translation = sources_of(message), translations_of(message)
            if placeholders(" ".join(source)) != placeholders(" ".join(translation)):
                yield f"{message.lineno}: {message.id}"


def compiled(catalogue: Catalog) -> GNUTranslations:
    """A catalogue as programs read it."""
    file = BytesIO()
    write_mo(file, catalogue)
    file.seek(0)
    return GNUTranslations(file)

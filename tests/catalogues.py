"""What the code says, and what is wrong in a catalogue, for both: the bot's and the terminal's."""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError

from engine.terminal.columns import columns
from tests.make_texts import is_translated, read_catalogue, sources_of, translations_of

ROOT = Path(__file__).parents[1]

MARKED = {"_": 1, "N_": 1, "NC_": 2, "ngettext": 2, "locale_str": 1}
"""What marks a sentence, and how many of its arguments are one."""

_PLACEHOLDER = re.compile(r"{[^{}]*}|[{}]")

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


def faults(path: Path, language: str) -> Iterator[str]:
    """What is wrong in a catalogue, each with its file and line."""
    try:
        catalogue = read_catalogue(path, language)
        plural_index = compiled(catalogue).plural  # type: ignore[attr-defined] # not in typeshed
    except (ValueError, PoFileError) as error:
        yield f"{path}:{_line_of('Plural-Forms', path)}: {error}"
        return
    for message in catalogue:
        if message.id and is_translated(message):
            for fault in _faults_of(message, Counter(map(plural_index, range(200)))):
                yield f"{path}:{message.lineno}: {fault}"


def _faults_of(message: Message, numbers_by_form: Counter[int]) -> Iterator[str]:
    """What is wrong in a translation; a form for one number alone need not name it."""
    source, forms = sources_of(message), translations_of(message)
    if len(source) > 1 and len(forms) != len(numbers_by_form):
        yield f"{len(forms)} plural forms, not {len(numbers_by_form)}: {forms}"
    for index, form in enumerate(forms):
        needed = placeholders(source[-1])
        optional = {"{n}"} if len(source) > 1 and numbers_by_form[index] == 1 else set()
        if not needed - optional <= placeholders(form) <= needed:
            yield f"other placeholders than in English: {form}"
        if form in source and len(_words(form)) > 2:
            yield f"still English: {form}"
        if columns(_PLACEHOLDER.sub("", form)) > _most_columns(message):
            yield f"too long: {form}"


def placeholders(sentence: str) -> set[str]:
    """The placeholders of a sentence, and whatever else is wrong with its braces."""
    return set(_PLACEHOLDER.findall(sentence))


def _words(sentence: str) -> list[str]:
    """The words that a translation should not share with English; a name or two it may."""
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"{.*?}|`.*?`", "", sentence))


def _most_columns(message: Message) -> float:
    """The room for a sentence: a row of buttons on a phone, and what Discord takes of commands."""
    if message.context == "button":
        return 34
    is_of_command = any(file.startswith("bot/client/") for file, _line in message.locations)
    return 100 if is_of_command else math.inf


def _line_of(text: str, path: Path) -> int:
    lines = path.read_text("utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if text in line), 1)


def compiled(catalogue: Catalog) -> GNUTranslations:
    """A catalogue as programs read it."""
    file = BytesIO()
    write_mo(file, catalogue)
    file.seek(0)
    return GNUTranslations(file)

"""The sentences in the code, and the faults in a catalogue: for the bot and for the terminal."""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError

from engine.terminal.drawing import columns
from tests.tools.make_texts import is_translated, read_catalogue, sources_of, translations_of

ROOT = Path(__file__).parents[1]

MARKERS = {"_": 1, "N_": 1, "NC_": 2, "ngettext": 2, "locale_str": 1}
"""The functions that mark sentences, with the number of their arguments that are translated."""

_PLACEHOLDER = re.compile(r"{[^{}]*}|[{}]")

Key = tuple[str | None, str | tuple[str, ...]]
"""The context of a sentence, and the sentence or its singular and plural."""


@cache
def calls(package: Path) -> list[ast.Call]:
    """All calls in the code of a package."""
    trees = (ast.parse(path.read_text("utf-8")) for path in package.rglob("*.py"))
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]


def source_sentences(package: Path) -> set[Key]:
    """The sentences in the code of a package, also those in f-strings, which Babel misses."""
    keys = map(_marked_sentence, calls(package))
    return {key for key in keys if key is not None}


def _marked_sentence(call: ast.Call) -> Key | None:
    """The sentence that a call marks; None if it marks none, or gets it from a variable."""
    name = ast.unparse(call.func).rpartition(".")[2]
    arguments = call.args[: MARKERS.get(name, 0)]
    literals = [node for node in arguments if isinstance(node, ast.Constant | ast.JoinedStr)]
    match name, [ast.literal_eval(node) for node in literals]:
        case "NC_", [context, sentence]:
            return context, sentence
        case "ngettext", [singular, plural]:
            return None, (singular, plural)
        case _, [sentence]:
            return None, sentence
        case _:
            return None


def translated_sentences(catalogue: Catalog) -> set[Key]:
    """The sentences that a catalogue translates, in all their plural forms."""
    translated = (message for message in catalogue if message.id and is_translated(message))
    return {(message.context, _key(message)) for message in translated}


def _key(message: Message) -> str | tuple[str, ...]:
    return message.id if isinstance(message.id, str) else tuple(message.id)


def faults(path: Path, language: str) -> Iterator[str]:
    """Yield what is wrong in a catalogue, with the file and the line."""
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
    """Yield what is wrong in a translation; a form for one number alone may omit `{n}`."""
    source, forms = sources_of(message), translations_of(message)
    if len(source) > 1 and len(forms) != len(numbers_by_form):
        yield f"{len(forms)} plural forms, not {len(numbers_by_form)}: {forms}"
    for index, form in enumerate(forms):
        needed = placeholders(source[-1])
        optional = {"{n}"} if len(source) > 1 and numbers_by_form[index] == 1 else set()
        if not needed - optional <= placeholders(form) <= needed:
            yield f"other placeholders than in English: {form}"
        if form in source and len(_words(form)) > 2:  # one or two may be names
            yield f"still English: {form}"
        if columns(_PLACEHOLDER.sub("", form)) > _max_columns(message):
            yield f"too long: {form}"


def placeholders(sentence: str) -> set[str]:
    """The placeholders of a sentence, and any single brace."""
    return set(_PLACEHOLDER.findall(sentence))


def _words(sentence: str) -> list[str]:
    """The words of a sentence, without placeholders and code."""
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"{.*?}|`.*?`", "", sentence))


def _max_columns(message: Message) -> float:
    """The room for a sentence: on a phone's button, or in the description of a command."""
    if message.context == "button":
        return 34
    is_of_command = any(file.startswith("bot/client/") for file, _line in message.locations)
    return 100 if is_of_command else math.inf


def _line_of(text: str, path: Path) -> int:
    lines = path.read_text("utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if text in line), 1)


def compiled(catalogue: Catalog) -> GNUTranslations:
    """Compile a catalogue in memory."""
    file = BytesIO()
    write_mo(file, catalogue)
    file.seek(0)
    return GNUTranslations(file)

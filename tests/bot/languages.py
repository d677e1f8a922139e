"""Made-up languages, and the limits that Discord sets to a message in any language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from discord import ui

from bot.views import i18n
from bot.views.catalogues import LANGUAGES, Catalogue, catalogue_file
from bot.views.i18n import Language, language_for
from tests.bot.translations import own_name
from tests.catalogues import ROOT, compiled
from tests.tools.make_texts import read_catalogue, sources_of

LONGEST_MARK = f"<:X_:{10**19 - 1}>"
"""A mark as it is sent: the bot's own emoji, here with the longest id."""

_TEMPLATE = ROOT / "bot" / "locales" / "velha.pot"

_NUMBERS = range(200)
"""They include a number for each plural form of every language."""

_UNTRANSLATABLE = re.compile(r"{\w+(?:!r)?}|`[^`]*`|https?://\S+|\n")
"""The parts of a sentence that a translation keeps."""

_OWN_NAMES = [own_name(language) for language in LANGUAGES]

_NOT_WORDS = re.compile(
    r"```.*?```|`[^`]*`|<[^>]*>|\]\([^)]*\)|https?://\S+|\b[A-E][1-5]\b"
    rf"|\b(?:Velha|Ana|UTC|alpha|beta|max|min)\b|{'|'.join(map(re.escape, _OWN_NAMES))}",
    re.DOTALL,
)
"""The parts of a text that are the same in every language: code, mentions, links, cells and names,
and what stands in Latin letters in the picture of a tree."""


def language_with(catalogue: Catalog) -> Language:
    return Language(Catalogue(str(catalogue.locale_identifier), compiled(catalogue)))


def long_catalogue(template: Path) -> Catalog:
    """Make a German in which every sentence is 40 % longer than in English."""
    return _make_catalogue("de", template, lambda message: _lengthen(sources_of(message)[-1]))


def wide_catalogue(template: Path) -> Catalog:
    """Make a Japanese of wide letters, each of which takes two columns of a terminal."""
    return _make_catalogue("ja", template, lambda message: _widen(sources_of(message)[-1]))


@contextmanager
def spoken_by_all(made_up: Language) -> Iterator[Language]:
    """Use a made-up language within the block, whatever the locale."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(i18n, "catalogue_of", lambda _language: made_up._catalogue)
        language_for.cache_clear()
        try:
            yield language_for("en")
        finally:
            language_for.cache_clear()


def check_limits(view: ui.LayoutView) -> None:
    """Check that Discord would accept a message, and that its buttons never expire."""
    assert view.timeout is None
    assert view.total_children_count <= 40
    text = re.sub("[❌⭕]", LONGEST_MARK, "".join(contents_of(view)))
    assert 0 < len(text) <= 4000, text
    items = [*view.walk_children()]
    ids = [item.custom_id for item in items if isinstance(item, ui.Button) and item.custom_id]
    assert len(set(ids)) == len(ids)
    assert all(len(custom_id) <= 100 for custom_id in ids)
    for item in items:
        if isinstance(item, ui.ActionRow):
            assert 1 <= len(item.children) <= 5
        elif isinstance(item, ui.Button):
            assert item.label or item.emoji
            assert len(item.label or "") <= 80, item.label
        elif isinstance(item, ui.Select):
            assert len(item.placeholder or "") <= 150, item.placeholder
            assert len(item.options) <= 25
            assert all(1 <= len(option.label) <= 100 for option in item.options), item.options
        elif isinstance(item, ui.MediaGallery):
            assert all(0 < len(each.description or "") <= 1024 for each in item.items)


def texts_of(view: ui.LayoutView) -> Iterator[str]:
    """Yield everything that can be read in a message."""
    yield from contents_of(view)
    for item in view.walk_children():
        if isinstance(item, ui.Button):
            yield item.label or ""
        elif isinstance(item, ui.Select):
            yield item.placeholder or ""
            yield from (option.label for option in item.options)
        elif isinstance(item, ui.MediaGallery):
            yield from (picture.description or "" for picture in item.items)


def contents_of(view: ui.LayoutView) -> Iterator[str]:
    return (item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay))


def english_in(text: str) -> list[str]:
    """The words of a text in plain Latin letters, which `WIDE` does not have."""
    return re.findall(r"[A-Za-z]{2,}", _NOT_WORDS.sub(" ", text))


def _make_catalogue(name: str, template: Path, translate: Callable[[Message], str]) -> Catalog:
    catalogue = Catalog(name)
    for message in read_catalogue(template):
        if message.id:
            forms = [translate(message)] * catalogue.num_plurals
            is_plural = len(sources_of(message)) > 1
            catalogue.add(message.id, forms if is_plural else forms[0], context=message.context)
    return catalogue


def _lengthen(sentence: str) -> str:
    """Add letters to the end of a sentence: a word, or to the word if it is one."""
    stem = sentence.rstrip("\n")
    line_ends = sentence[len(stem) :]
    count = -(-2 * len(_UNTRANSLATABLE.sub("", sentence)) // 5)
    letters = f" {'ß' * (count - 1)}" if " " in stem else "ß" * count
    return stem + letters + line_ends


def _widen(sentence: str) -> str:
    """Replace the letters of a sentence by those that Asian fonts have for English words."""
    kept = [match.span() for match in _UNTRANSLATABLE.finditer(sentence)]
    return "".join(
        letter if any(start <= index < end for start, end in kept) else _wide(letter)
        for index, letter in enumerate(sentence)
    )


def _wide(letter: str) -> str:
    if letter.isascii() and letter.isalpha():
        return chr(ord(letter) + 0xFEE0)
    return letter


def _longest(message: Message) -> str:
    """The longest translation of a sentence; one 40 % longer than English if all are shorter."""
    return max([_lengthen(sources_of(message)[-1]), *_translations_of(message)], key=len)


def _translations_of(message: Message) -> Iterator[str]:
    for translations in _all_translations():
        match sources_of(message):
            case [singular, plural]:
                yield from (translations.ngettext(singular, plural, n) for n in _NUMBERS)
            case [sentence, *_] if message.context:
                yield translations.pgettext(message.context, sentence)
            case [*sentences]:
                yield from map(translations.gettext, sentences)


@cache
def _all_translations() -> list[GNUTranslations]:
    files = filter(None, map(catalogue_file, LANGUAGES))
    return [GNUTranslations(BytesIO(file.read_bytes())) for file in files]


LONG = language_with(long_catalogue(_TEMPLATE))
WIDE = language_with(wide_catalogue(_TEMPLATE))
LONGEST = language_with(_make_catalogue("de", _TEMPLATE, _longest))
"""A message that has room for this language has room for every language there is."""

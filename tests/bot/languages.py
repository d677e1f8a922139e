"""Made-up languages, and what Discord allows of a screen in any language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel import Locale
from babel.messages import Catalog, Message
from discord import ui

from bot.views import i18n
from bot.views.catalogues import FOLDER, LANGUAGES, SOURCE_LANGUAGE, Catalogue, catalogue_file
from bot.views.i18n import Language, language_for
from tests.catalogues import ROOT, compiled
from tests.make_texts import read_catalogue, sources_of, translations_of

OWN_MARK = f"<:X_:{10**19 - 1}>"
"""What stands for a mark in what is sent: the bot's own emoji, by the longest id."""

_KEPT = re.compile(r"{\w+(?:!r)?}|`[^`]*`|https?://\S+|\n")
"""What a translation keeps: placeholders, what is typed, addresses, and the ends of lines."""


def own_name(language: str) -> str:
    """What a language calls itself."""
    name = str(Locale.parse(language).display_name)
    return name[:1].upper() + name[1:]


_NUMBERS = 200
"""Among so many are all that have a plural form of their own."""

_PLACEHOLDER = re.compile(r"\\?{(\w+)\\?}")

_OWN_NAMES = [own_name(language) for language in LANGUAGES]

_NOT_WORDS = re.compile(
    r"```.*?```|`[^`]*`|<[^>]*>|\]\([^)]*\)|https?://\S+|\b[A-E][1-5]\b"
    rf"|\b(?:Velha|Ana|UTC|alpha|beta)\b|{'|'.join(map(re.escape, _OWN_NAMES))}",
    re.DOTALL,
)
"""What is the same in every language: what is typed, mentions, addresses, cells, names, and the
letters in the picture of a tree."""


def language_with(catalogue: Catalog) -> Language:
    return Language(Catalogue(str(catalogue.locale_identifier), compiled(catalogue)))


def long_catalogue(template: Path) -> Catalog:
    """A German in which every sentence is 40 % longer than in English."""
    return _made_up("de", template, lambda message: _lengthened(sources_of(message)[-1]))


def wide_catalogue(template: Path) -> Catalog:
    """A Japanese of wide letters, each of which takes two columns of a terminal."""
    return _made_up("ja", template, lambda message: _widened(sources_of(message)[-1]))


def _made_up(name: str, template: Path, translate: Callable[[Message], str]) -> Catalog:
    catalogue = Catalog(name)
    for message in read_catalogue(template):
        if message.id:
            forms = [translate(message)] * catalogue.num_plurals
            is_plural = len(sources_of(message)) > 1
            catalogue.add(message.id, forms if is_plural else forms[0], context=message.context)
    return catalogue


def _lengthened(sentence: str) -> str:
    """Longer by its end, as the next word or within the last one."""
    count = -(-2 * len(_KEPT.sub("", sentence)) // 5)
    stem = sentence.rstrip("\n")
    end = sentence[len(stem) :]
    return stem + ("ß" * count if " " not in stem else f" {'ß' * (count - 1)}") + end


def _widened(sentence: str) -> str:
    """The same in letters that Asian fonts have for English words."""
    kept = [match.span() for match in _KEPT.finditer(sentence)]
    return "".join(
        chr(ord(letter) + 0xFEE0)
        if letter.isascii() and letter.isalpha() and not any(a <= i < b for a, b in kept)
        else letter
        for i, letter in enumerate(sentence)
    )


_TEMPLATE = ROOT / "bot" / "locales" / "velha.pot"


def said_in(language: str, english: str) -> str:
    """What is on the screen in English, placeholders filled, as another language has it."""
    return min(ways_to_say(language, english))


def ways_to_say(language: str, english: str) -> set[str]:
    """The same in each context in which it is said."""
    found = [
        (len(_PLACEHOLDER.sub("", source)), match, translation)
        for source, translation in _translations_into(language)
        if (match := re.fullmatch(_PLACEHOLDER.sub(r"(?P<\1>.+)", re.escape(source)), english))
    ]
    most_literal = max((length for length, _match, _translation in found), default=0)
    return {
        translation.format_map(
            {name: said_in(language, value) for name, value in match.groupdict().items()}
        )
        for length, match, translation in found
        if length == most_literal
    } or {english}


@cache
def _translations_into(language: str) -> list[tuple[str, str]]:
    """The sentences of the bot with their translations; of numbers, the plural."""
    if language == SOURCE_LANGUAGE:
        return []
    catalogue = read_catalogue(FOLDER / language / "LC_MESSAGES" / "velha.po", language)
    return [
        (sources_of(message)[-1], translations_of(message)[-1])
        for message in catalogue
        if message.id and re.search(r"\w", _PLACEHOLDER.sub("", sources_of(message)[-1]))
    ]


def _longest(message: Message) -> str:
    """The longest of a sentence's translations, if that is 40 % longer than English."""
    return max([_lengthened(sources_of(message)[-1]), *_translations_of(message)], key=len)


def _translations_of(message: Message) -> Iterator[str]:
    for translations in _all_translations():
        match sources_of(message):
            case [one, many]:
                yield from (translations.ngettext(one, many, n) for n in range(_NUMBERS))
            case [sentence, *_] if message.context:
                yield translations.pgettext(message.context, sentence)
            case [*sentences]:
                yield from map(translations.gettext, sentences)


@cache
def _all_translations() -> list[GNUTranslations]:
    files = filter(None, map(catalogue_file, LANGUAGES))
    return [GNUTranslations(BytesIO(file.read_bytes())) for file in files]


LONGEST = language_with(_made_up("de", _TEMPLATE, _longest))
"""What has room for it has room for every language there is, however many."""

LONG = language_with(long_catalogue(_TEMPLATE))
WIDE = language_with(wide_catalogue(_TEMPLATE))


@contextmanager
def spoken_by_all(made_up: Language) -> Iterator[Language]:
    """Everybody's language, whatever the locale."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(i18n, "catalogue_of", lambda _language: made_up._catalogue)
        language_for.cache_clear()
        try:
            yield language_for("en")
        finally:
            language_for.cache_clear()


def contents_of(view: ui.LayoutView) -> Iterator[str]:
    return (item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay))


def texts_of(view: ui.LayoutView) -> Iterator[str]:
    """All that is written in a message: its texts, labels, options and placeholders."""
    yield from contents_of(view)
    for item in view.walk_children():
        if isinstance(item, ui.Button):
            yield item.label or ""
        elif isinstance(item, ui.Select):
            yield item.placeholder or ""
            yield from (option.label for option in item.options)
        elif isinstance(item, ui.MediaGallery):
            yield from (picture.description or "" for picture in item.items)


def check_limits(view: ui.LayoutView) -> None:
    """Discord refuses a message that is larger than this, or whose ids are not unique."""
    assert view.total_children_count <= 40
    with_own_marks = re.sub("[❌⭕]", OWN_MARK, "".join(contents_of(view)))
    assert 0 < len(with_own_marks) <= 4000, with_own_marks
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


def english_in(text: str) -> list[str]:
    """The words in plain Latin letters, which the wide language has not."""
    return re.findall(r"[A-Za-z]{2,}", _NOT_WORDS.sub(" ", text))

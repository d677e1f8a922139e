"""Pages: what buttons and selects lead to. The fields of a page are its custom_id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import date
from enum import Enum
from functools import reduce
from operator import attrgetter, or_
from typing import Any, ClassVar, Self, get_args, get_type_hints

from bot.domain.ids import MAX_ID, decode_cells, encode_cells
from bot.domain.matches import BOARDS_BY_NAME, AnyGame, PrivateMatch
from engine import Cell, Level, Record, Rules

INERT_PREFIX = "velha:still:"
"""Prefix of the custom_ids of cells that do nothing. They are not disabled, because Discord would
dim them."""

_MATCH_SIGN = "#"
"""Comes before the id of a match, which could otherwise be the code of a game."""


class Page:
    """The base class of pages, which are frozen dataclasses. `str(page)` is `KIND:FIELD:...`.

    `kind` is stored in messages for years, so it never changes. `optional` names the last fields:
    from the end, they are left out while they have their defaults. So a page has one spelling, and
    a later release may add a field.
    """

    __slots__ = ()

    kind: ClassVar[str]
    optional: ClassVar[tuple[str, ...]] = ()

    def check(self) -> None:
        """Raise ValueError if no button leads to this page."""

    def __str__(self) -> str:
        return ":".join((self.kind, *_codec(type(self)).write(self)))

    @classmethod
    def parse(cls, texts: Sequence[str]) -> Self:
        """Read the fields of a page.

        Raises:
            ValueError: They are malformed, or no button leads to the page.
        """
        codec = _codec(cls)
        page = cls(*codec.read(texts))
        page.check()
        if codec.write(page) != texts:  # no other spelling of a page is ever sent
            raise ValueError(f"a page is never written like this: {texts}")
        return page


def custom_id(page: Page, button: int) -> str:
    """The custom_id of a button that leads to a page.

    Discord wants the custom_ids in a message to differ, also where buttons lead to the same page:
    each gets a `button` number of its own.
    """
    return f"velha:{page}:{button}"


class Shortcut(Enum):
    """A command that a button stands for.

    `STATS` and `LAST_MATCHES` show what belongs to the user who presses.
    """

    START = "start"
    LAST_MATCHES = "lastmatches"
    STATS = "stats"
    PUZZLE = "puzzle"


@dataclass(frozen=True, slots=True)
class ShortcutPage(Page):
    """A button that does what a command does."""

    kind = "shortcut"

    command: Shortcut


Write = Callable[[Any], str]

Read = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class _Codec:
    """How the fields of a class of pages are written and read; `required` are never left out."""

    get: Callable[[Any], tuple[Any, ...]]
    writers: tuple[Write, ...]
    readers: tuple[Read, ...]
    defaults: tuple[Any, ...]
    required: int

    def write(self, page: Page) -> list[str]:
        values = self.get(page)
        length = len(values)
        while length > self.required and values[length - 1] == self.defaults[length - 1]:
            length -= 1
        return [write(value) for write, value in zip(self.writers[:length], values, strict=False)]

    def read(self, texts: Sequence[str]) -> list[Any]:
        if not self.required <= len(texts) <= len(self.readers):
            raise ValueError(f"too few fields, or too many: {texts}")
        return [read(text) for read, text in zip(self.readers, texts, strict=False)]


_codecs: dict[type[Page], _Codec] = {}  # `functools.cache` takes no such class, says mypy


def _codec(page_class: type[Page]) -> _Codec:
    """The codec of a class; made once, as that takes longer than to use it."""
    if page_class not in _codecs:
        _codecs[page_class] = _make_codec(page_class)
    return _codecs[page_class]


def _make_codec(page_class: type[Page]) -> _Codec:
    own = fields(page_class)  # type: ignore[arg-type] # every page is a dataclass
    types = get_type_hints(page_class)
    codecs = [_field_codec(types[field.name]) for field in own]
    return _Codec(
        get=lambda page: tuple(getattr(page, field.name) for field in own),
        writers=tuple(write for write, _read in codecs),
        readers=tuple(read for _write, read in codecs),
        defaults=tuple(field.default for field in own),
        required=len(own) - len(page_class.optional),
    )


def _field_codec(field_type: Any) -> tuple[Write, Read]:
    """How values of a type are written and read."""
    if type(None) in (options := get_args(field_type)):
        value_type = reduce(or_, (option for option in options if option is not type(None)))
        return _optional(*_field_codec(value_type))
    if field_type in _CODECS:
        return _CODECS[field_type]
    if issubclass(field_type, Enum):
        return _enum_codec(field_type)
    return str, field_type.parse


def _optional(write: Write, read: Read) -> tuple[Write, Read]:
    """None is written as an empty text."""
    return (
        lambda value: "" if value is None else write(value),
        lambda text: read(text) if text else None,
    )


def _enum_codec(enum: type[Enum]) -> tuple[Write, Read]:
    """Members are written by their values."""
    members = {str(member.value): member for member in enum}
    return lambda member: str(member.value), _reader_of(members)


def _reader_of(values: Any) -> Read:
    def read(text: str) -> Any:
        if text not in values:
            raise ValueError(f"there is no {text!r} among {', '.join(values)}")
        return values[text]

    return read


def _read_int(text: str) -> int:
    """Read a cell, a ply or an id: PostgreSQL stores none that is greater."""
    number = int(text)
    if not 0 <= number <= MAX_ID:
        raise ValueError(f"not in an id's range: {number}")
    return number


def _write_game(game: AnyGame) -> str:
    if isinstance(game, int):
        return f"{_MATCH_SIGN}{game}"
    return game.code if isinstance(game, Record) else str(game)


def _read_game(text: str) -> AnyGame:
    """Read a game, which is the id of a match, the code of its moves, or a private match."""
    if text.startswith(_MATCH_SIGN):
        return _read_int(text.removeprefix(_MATCH_SIGN))
    return PrivateMatch.parse(text) if "." in text else Record.read(text)


_CODECS: dict[Any, tuple[Write, Read]] = {
    str: (str, str),
    int: (str, _read_int),
    bool: ("{:d}".format, _reader_of({"0": False, "1": True})),
    date: (str, date.fromisoformat),
    tuple[Cell, ...]: (encode_cells, decode_cells),
    Record: (attrgetter("code"), Record.read),
    AnyGame: (_write_game, _read_game),
    Level: (attrgetter("name"), _reader_of(Level.__members__)),
    Rules: (attrgetter("name"), _reader_of(BOARDS_BY_NAME)),
}
"""By the type of a field; enums are written by their values, other classes have `parse`."""

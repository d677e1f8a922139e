"""What people see, as text: English on the left, Portuguese or a language asked for on the right.

A view is drawn as its accent colour, its texts, and its rows: `[Rematch:blue]` is a button with its
style, where it is not grey; `(A1)` is a disabled one; `⟨...⟩` is a select.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any
from unicodedata import category, east_asian_width

import discord
from discord import ButtonStyle, ComponentType, ui

from bot.views.catalogues import LANGUAGE_BY_LOCALE, LANGUAGES
from bot.views.i18n import Language, language_for
from tests.bot.languages import (
    LONG,
    LONGEST,
    WIDE,
    check_limits,
    english_in,
    spoken_by_all,
    texts_of,
)

_COLUMN = 72
_ASKED = os.environ.get("SCREENS_IN") or "pt_BR"
LOCALE = next((locale for locale, name in LANGUAGE_BY_LOCALE.items() if name == _ASKED), _ASKED)
"""Discord's locale of what is read beside English: Portuguese, or what `make screens` asks for."""

_LANGUAGES = [language_for("en"), language_for(LOCALE)]
_NAMES = {
    "<@1>": "@Ana",
    "<@2>": "@Ben",
    "<@3>": "@Rui",
    "<@4>": "@Eve",
    "<@9>": "@Velha",
    "<#31>": "#games",
    "<#32>": "#bots",
    "<#33>": "#news",
}
_TIMESTAMP = re.compile(r"<t:(\d+):(\w)>")
_COLOURS = {
    discord.Colour.blurple().value: "blurple",
    discord.Colour.green().value: "green",
    discord.Colour.light_grey().value: "grey",
    discord.Colour.gold().value: "gold",
}
_STYLES = {
    ButtonStyle.primary: "blue",
    ButtonStyle.secondary: "",
    ButtonStyle.success: "green",
    ButtonStyle.danger: "red",
    ButtonStyle.link: "link",
}

_OTHER_LANGUAGES = {*LANGUAGES} - {language.code for language in _LANGUAGES}

Screen = str | ui.LayoutView | Iterable[str]
"""What somebody sees: a sentence, a message, or lines."""


class Transcript:
    """Screens under headings, one below the other."""

    unfilled = re.compile(r"{\w+}|\bNone\b")
    """What no screen may show."""

    def __init__(self, title: str) -> None:
        self._lines = [title, "=" * len(title)]

    def heading(self, text: str) -> None:
        self._lines += ["", "", text, "-" * len(text)]

    def show(self, title: str, draw: Callable[[Language], Screen]) -> None:
        """Add a screen as people see it in two languages; check that others have room."""
        english, other = (_lines_of(draw(language)) for language in _LANGUAGES)
        assert not self.unfilled.search("\n".join(english + other)), title
        self._check_others(draw)
        self._lines += ["", f"# {title}", "", *_side_by_side(english, other)]

    def _check_others(self, draw: Callable[[Language], Screen]) -> None:
        """Every language there is, and two made-up ones: of long sentences and of wide letters."""
        with spoken_by_all(WIDE) as language:
            screen = draw(language)
            _check_limits(screen)
            english = english_in("\n".join(_texts_of(screen)))
            assert not english, f"not translated: {english}"
        with spoken_by_all(LONGEST) as language, suppress(AssertionError):
            _check_limits(draw(language))
            return
        with spoken_by_all(LONG) as language:
            _check_limits(draw(language))
        for language in map(language_for, LANGUAGES):  # none may have all that is longest
            _check_limits(draw(language))

    def write(self, *lines: str) -> None:
        """Add lines as they are, the same for all readers."""
        self._lines += lines

    def __str__(self) -> str:
        return "\n".join(line.rstrip() for line in self._lines) + "\n"


def drawn_view(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A message's components, as they are sent to Discord, in lines."""
    for component in components:
        yield from _DRAW[ComponentType(component["type"])](component)


def _texts_of(screen: Screen) -> Iterable[str]:
    if isinstance(screen, ui.LayoutView):
        return texts_of(screen)
    return [screen] if isinstance(screen, str) else screen


def _check_limits(screen: Screen) -> None:
    if isinstance(screen, ui.LayoutView):
        check_limits(screen)
    else:
        assert len("\n".join(screen)) <= 4000


def _lines_of(screen: Screen) -> list[str]:
    if isinstance(screen, ui.LayoutView):
        return list(drawn_view(screen.to_components()))  # type: ignore[no-untyped-call]
    return screen.split("\n") if isinstance(screen, str) else list(screen)


def _side_by_side(left: list[str], right: list[str]) -> Iterator[str]:
    for one, other in zip_longest(left, right, fillvalue=""):
        for part, beside in zip_longest(_wrapped(one), _wrapped(other), fillvalue=""):
            yield f"{part}{' ' * (_COLUMN - _width(part))} │ {beside}"


def _wrapped(line: str) -> list[str]:
    for mention, name in _NAMES.items():
        line = line.replace(mention, name)
    line = _TIMESTAMP.sub(_at, line)
    columns = max(_COLUMN - (_width(line) - len(line)), _COLUMN // 2)
    return textwrap.wrap(line, columns, replace_whitespace=False, break_on_hyphens=False) or [""]


def _width(text: str) -> int:
    """The columns that a text takes in a terminal: an emoji takes two, what modifies it none."""
    return sum(
        0 if category(one) in {"Mn", "Me"} else 1 + (east_asian_width(one) in "WF") for one in text
    )


def _at(timestamp: re.Match[str]) -> str:
    """A timestamp with the moment spelt out, and the letter for how Discord writes it."""
    moment = datetime.fromtimestamp(int(timestamp[1]), UTC)
    return f"<{moment:%Y-%m-%d %H:%M}:{timestamp[2]}>"


def _container(component: Mapping[str, Any]) -> Iterator[str]:
    colour = component["accent_color"]
    yield f"▌{_COLOURS.get(colour, f'#{colour:06x}')}"
    yield from drawn_view(component["components"])


def _text(component: Mapping[str, Any]) -> Iterator[str]:
    yield from component["content"].split("\n")


def _row(component: Mapping[str, Any]) -> Iterator[str]:
    items = component["components"]
    if ComponentType(items[0]["type"]) is ComponentType.button:
        yield " ".join(map(_button, items))
    else:
        yield from drawn_view(items)


def _button(button: Mapping[str, Any]) -> str:
    emoji, label = button.get("emoji"), button.get("label")
    face = " ".join(filter(None, [emoji and emoji["name"], label]))
    style = _STYLES[ButtonStyle(button["style"])]
    inside = ":".join(filter(None, [face, style, button.get("url")]))
    return f"({inside})" if button.get("disabled") else f"[{inside}]"


def _select(select: Mapping[str, Any]) -> Iterator[str]:
    """Its options, the default one marked; or its placeholder, the limits and the channels chosen.

    Only Discord knows what there is to choose from among channels. Of languages, only those that
    are read here are shown.
    """
    if options := [o for o in select.get("options", ()) if o["value"] not in _OTHER_LANGUAGES]:
        yield f"⟨{' · '.join('● ' * bool(o.get('default')) + o['label'] for o in options)}⟩"
    else:
        chosen = [f"<#{channel['id']}>" for channel in select.get("default_values", [])]
        limits = f"{select['min_values']} to {select['max_values']}"
        yield " ".join([f"⟨{select['placeholder']}⟩", limits, *chosen])


def _gallery(component: Mapping[str, Any]) -> Iterator[str]:
    for item in component["items"]:
        yield f"[picture: {item.get('description') or ''}]"


def _separator(_component: Mapping[str, Any]) -> Iterator[str]:
    yield "───"


_DRAW: Mapping[ComponentType, Callable[[Mapping[str, Any]], Iterator[str]]] = {
    ComponentType.container: _container,
    ComponentType.text_display: _text,
    ComponentType.action_row: _row,
    ComponentType.select: _select,
    ComponentType.channel_select: _select,
    ComponentType.role_select: _select,
    ComponentType.user_select: _select,
    ComponentType.media_gallery: _gallery,
    ComponentType.separator: _separator,
}

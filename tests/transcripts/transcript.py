"""Transcripts of what people see: English on the left, Portuguese or another language on the right.

A view is written as its accent colour, its texts and its rows. `[Rematch:blue]` is a button with
its style, unless that is grey; `(A1)` is a disabled button; `⟨...⟩` is a select.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest
from typing import Any, TypeVar
from unicodedata import category, east_asian_width

import discord
from discord import ButtonStyle, ComponentType, ui

from bot.domain.matches import Match
from bot.domain.puzzles import PuzzlePost
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

_OTHER_LANGUAGE = os.environ.get("SCREENS_IN") or "pt_BR"
LOCALE = next(
    (locale for locale, name in LANGUAGE_BY_LOCALE.items() if name == _OTHER_LANGUAGE),
    _OTHER_LANGUAGE,
)
"""Discord's locale of the language on the right, which `make screens` may change."""

_COLUMN_WIDTH = 72
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

_HIDDEN_LANGUAGES = {*LANGUAGES} - {language.code for language in _LANGUAGES}
"""Languages that are left out of selects, so that a new one changes no transcript."""

Screen = str | ui.LayoutView | Iterable[str]
"""A sentence, a message, or lines."""

Thing = TypeVar("Thing")

Public = TypeVar("Public", Match, PuzzlePost)
"""What everybody in a channel sees, in the language of its place."""


class Transcript:
    """A text of screens under headings."""

    unfilled = re.compile(r"{\w+}|\bNone\b")
    """Matches what no screen may show."""

    def __init__(self, title: str) -> None:
        self._lines = [title, "=" * len(title)]

    def heading(self, text: str) -> None:
        self._lines += ["", "", text, "-" * len(text)]

    def show(self, title: str, draw: Callable[[Language], Screen]) -> None:
        """Add a screen in two languages; check that it has room for every language."""
        english, other = (_lines_of(draw(language)) for language in _LANGUAGES)
        assert not self.unfilled.search("\n".join(english + other)), title
        self._check_languages(draw)
        self._lines += ["", f"# {title}", "", *_side_by_side(english, other)]

    def show_all(
        self, things: Mapping[str, Thing], draw: Callable[[Thing, Language], Screen]
    ) -> None:
        """Add a screen of each thing, under its title."""
        for title, thing in things.items():
            self.show(title, partial(draw, thing))

    def _check_languages(self, draw: Callable[[Language], Screen]) -> None:
        """Check a screen in made-up languages, and in every real one if it has little room."""
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
        # Each real language is shorter than the longest translations of all of them.
        for language in map(language_for, LANGUAGES):
            _check_limits(draw(language))

    def write(self, *lines: str) -> None:
        """Add lines as they are."""
        self._lines += lines

    def __str__(self) -> str:
        return "\n".join(line.rstrip() for line in self._lines) + "\n"


def placed(public: Public, language: Language) -> Public:
    """A match or a post as it is where a language is spoken."""
    return replace(public, place=replace(public.place, locale=language.code))


def drawn_view(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Write the components of a message, as they are sent to Discord, as lines."""
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
        components = screen.to_components()  # type: ignore[no-untyped-call] # discord.py's
        return list(drawn_view(components))
    return screen.split("\n") if isinstance(screen, str) else list(screen)


def _side_by_side(left: list[str], right: list[str]) -> Iterator[str]:
    for line, other in zip_longest(left, right, fillvalue=""):
        for part, beside in zip_longest(_wrap(line), _wrap(other), fillvalue=""):
            yield f"{part}{' ' * (_COLUMN_WIDTH - _width(part))} │ {beside}"


def _wrap(line: str) -> list[str]:
    for mention, name in _NAMES.items():
        line = line.replace(mention, name)
    line = _TIMESTAMP.sub(_format_timestamp, line)
    wide_letters = _width(line) - len(line)
    width = max(_COLUMN_WIDTH - wide_letters, _COLUMN_WIDTH // 2)
    return textwrap.wrap(line, width, replace_whitespace=False, break_on_hyphens=False) or [""]


def _width(text: str) -> int:
    """The columns of a text in a terminal: an emoji takes two, and a modifier none."""
    visible = [character for character in text if category(character) not in {"Mn", "Me"}]
    return len(visible) + sum(east_asian_width(character) in "WF" for character in visible)


def _format_timestamp(timestamp: re.Match[str]) -> str:
    """Spell out the time of a timestamp, and keep the letter of its style."""
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
    text = " ".join(filter(None, [emoji and emoji["name"], label]))
    style = _STYLES[ButtonStyle(button["style"])]
    description = ":".join(filter(None, [text, style, button.get("url")]))
    return f"({description})" if button.get("disabled") else f"[{description}]"


def _select(select: Mapping[str, Any]) -> Iterator[str]:
    """Write the options, the default one marked, or the channels or members that are chosen."""
    options = select.get("options", ())
    labels = [_option(option) for option in options if option["value"] not in _HIDDEN_LANGUAGES]
    if labels:
        yield f"⟨{' · '.join(labels)}⟩"
    else:
        signs = {"channel": "#", "user": "@"}
        chosen = [f"<{signs[one['type']]}{one['id']}>" for one in select.get("default_values", [])]
        limits = f"{select['min_values']} to {select['max_values']}"
        yield " ".join([f"⟨{select['placeholder']}⟩", limits, *chosen])


def _option(option: Mapping[str, Any]) -> str:
    return f"● {option['label']}" if option.get("default") else str(option["label"])


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

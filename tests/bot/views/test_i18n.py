"""Every sentence in every language, and the bot's own symbols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from babel.messages import Catalog
from discord import ComponentType, ui

from bot.domain.matches import HeadToHead
from bot.domain.privacy import PrivacyChoices, PrivacySummary
from bot.domain.puzzles import DailyPuzzle, PuzzlePage, PuzzlePost, PuzzleResult, PuzzleStats
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.settings import GuildSettings, SettingsForm
from bot.domain.stats import Leaderboard, Standings, Stats
from bot.messaging.emojis import IMAGES
from bot.views.help import Help, help_view
from bot.views.i18n import LEVELS, Language, language_for
from bot.views.matches import match_view, moved_view, resign_question_view
from bot.views.privacy import delete_question_view, privacy_view
from bot.views.puzzles import post_view, puzzle_view
from bot.views.ranking import ranking_view
from bot.views.refusals import refusal_sentence
from bot.views.settings import settings_view
from bot.views.stats import stats_view
from bot.views.symbols import PLAIN_SYMBOLS, SYMBOLS, Symbols
from bot.views.tutorial import tutorial_view
from engine import INFINITE, Board, Level, Mark, daily_puzzle
from engine.puzzles import puzzle_from
from tests.bot.example_matches import ANA, BEN, DRAWN, UNPOSTED, X_WON, make_bot_match, make_match
from tests.bot.languages import language_with
from tests.bot.tutorial_contents import tutorial_contents
from tests.bot.views.examples import components_of, every_view, text_of

DAY = date(2026, 5, 1)
COORDINATES = {f"{column}{row}" for column in "ABCDE" for row in range(1, 6)}
OWN_SYMBOLS = Symbols({name: f"<:{name}:123456789012345678>" for name in IMAGES})


def a_language_that_lags() -> Language:
    catalogue = Catalog("es")
    catalogue.add("easy", "llano", context="level")
    catalogue.add("It's not your turn.", "")
    catalogue.add(("with {n} hint", "with {n} hints"), ("", ""))
    return language_with(catalogue)


def test_an_incomplete_language_falls_back_to_english() -> None:
    language = a_language_that_lags()
    refused = Refused(RefusalReason.NOT_YOUR_TURN)
    assert language.say(LEVELS[Level.EASY]) == "llano"
    assert language.say(LEVELS[Level.HARD]) == "hard"
    assert refusal_sentence(language, refused) == "It's not your turn."
    for hints, counted in ((1, "with 1 hint"), (2, "with 2 hints")):
        assert language.ngettext("with {n} hint", "with {n} hints", hints) == counted


def test_easy_can_be_translated_differently_for_puzzles_and_levels() -> None:
    easy = puzzle_from(Board.parse("..o ..x x.o"))
    assert easy is not None
    lesson = DailyPuzzle(PuzzlePage(DAY), easy)
    assert "-# ★☆☆ easy · " in text_of(puzzle_view(lesson, a_language_that_lags()))


@pytest.mark.parametrize(
    ("locale", "draw"),
    [
        ("pt-BR", "Deu velha: empate!"),
        ("en-US", "It's a draw!"),
        ("en-GB", "It's a draw!"),
        ("el", "It's a draw!"),
        ("", "It's a draw!"),
    ],
)
def test_a_locale_gets_its_language_or_english(locale: str, draw: str) -> None:
    drawn = make_match(DRAWN, place=replace(UNPOSTED, locale=locale))
    assert text_of(match_view(drawn)).startswith(f"## 🤝 {draw}\n")


# Symbols


def views_with(symbols: Symbols) -> Iterator[ui.LayoutView]:
    language = language_for("pt-BR", symbols)
    yield resign_question_view(make_match(), language)
    for match in (
        make_bot_match(),
        make_match("x.. .o. ...", accepted=False),
        make_match(X_WON, rematch_asked_by=ANA),
        make_match(DRAWN),
        make_match(moves=(0, 1, 2, 3, 4, 5), rules=INFINITE),
    ):
        yield match_view(match, symbols)
        yield moved_view(match, symbols)
    yield from every_view(language)
    chapters = {content.page.chapter: content for content in tutorial_contents()}
    for content in chapters.values():
        yield tutorial_view(content, language)
    post = PuzzlePost(UNPOSTED, DAY, yesterday=(PuzzleResult(ANA, 1, streak=2),))
    yield post_view(post, daily_puzzle(DAY), symbols)
    stats = Stats(ANA, BEN, {}, HeadToHead(won=1), PuzzleStats(), DAY)
    yield stats_view(stats, language, is_public=True)
    yield ranking_view(Standings(Leaderboard.FRIENDS, (), ANA), language)
    yield settings_view(SettingsForm(GuildSettings(), 30, may_change=True), language)
    yield privacy_view(PrivacySummary(PrivacyChoices(), 365), language)
    yield delete_question_view(language, of_server=False)
    yield help_view(Help("pt-BR"), language)


def without_own(component: dict[str, Any]) -> dict[str, Any]:
    """A component with ❌ and ⭕, or a cell's label, in place of our emojis."""
    if "components" in component:
        return component | {"components": [*map(without_own, component["components"])]}
    if component["type"] == ComponentType.text_display.value:
        for mark, plain in SYMBOLS.items():
            component["content"] = component["content"].replace(OWN_SYMBOLS.of(mark), plain)
    if (component.get("emoji") or {}).get("id") is None:
        return component
    name = component.pop("emoji")["name"]
    if name in COORDINATES:
        return component | {"label": name}
    symbol = {"id": None, "name": SYMBOLS[Mark(name[0].lower())]}
    is_dimmed = component["disabled"] or name.endswith("_vanishing")
    return component | {"emoji": symbol, "disabled": is_dimmed}


def test_own_symbols_replace_plain_ones_and_change_nothing_else() -> None:
    """What describes a picture is read aloud, and keeps the plain ones."""
    own = [components_of(view) for view in views_with(OWN_SYMBOLS)]
    plain = [components_of(view) for view in views_with(PLAIN_SYMBOLS)]
    assert plain != own
    assert plain == [[*map(without_own, view)] for view in own]


def test_a_language_is_made_once_for_each_pair_of_symbols() -> None:
    assert language_for("pt-BR", OWN_SYMBOLS) is language_for("pt-BR", OWN_SYMBOLS)
    assert language_for("pt-BR").symbols == PLAIN_SYMBOLS

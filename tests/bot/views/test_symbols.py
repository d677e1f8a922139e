"""The bot's own emojis for the marks: in every text and on every button, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from discord import ComponentType, PartialEmoji, ui

from bot.domain.matches import HeadToHead
from bot.domain.privacy import PrivacyChoices, PrivacySummary
from bot.domain.puzzles import DailyPuzzle, PuzzlePage, PuzzlePost, PuzzleResult, PuzzleStats
from bot.domain.settings import GuildSettings, SettingsForm
from bot.domain.stats import Leaderboard, Standings, Stats
from bot.views.help import Help, help_view
from bot.views.i18n import PLAIN_SYMBOLS, Symbols, language_for
from bot.views.matches import match_view, moved_view, resign_question
from bot.views.privacy import delete_question, privacy_view
from bot.views.puzzles import post_view
from bot.views.settings import settings_view
from bot.views.stats import ranking_view, stats_view
from bot.views.tutorial import lesson_question, tutorial_view
from engine import daily_puzzle
from tests.bot.drawn import ANA, BEN, UNSHOWN
from tests.bot.taught import taught
from tests.bot.views.test_analysis import WEEK, every_view
from tests.bot.views.test_components import every_kind_of_match

OWN_SYMBOLS = Symbols("<:velha_x:123456789012345678>", "<:velha_o:223456789012345678>")


def views_with(symbols: Symbols) -> Iterator[ui.LayoutView]:
    language = language_for("pt-BR", symbols)
    for match in every_kind_of_match():
        yield match_view(match, symbols)
        yield moved_view(match, symbols)
        yield resign_question(match, language)
    yield from every_view(language)
    for lesson in taught():
        yield tutorial_view(lesson, language)
    yield lesson_question(language)
    for day in WEEK:
        post = PuzzlePost(UNSHOWN, day, yesterday=(PuzzleResult(ANA, 1, streak=2),))
        yield post_view(post, DailyPuzzle(PuzzlePage(day), daily_puzzle(day)), symbols)
    stats = Stats(ANA, BEN, {}, HeadToHead(won=1), PuzzleStats(), WEEK[0])
    yield stats_view(stats, language, is_public=True)
    yield ranking_view(Standings(Leaderboard.LADDER, (), ANA), language)
    yield settings_view(SettingsForm(GuildSettings(), 30, may_change=True), language)
    yield privacy_view(PrivacySummary(PrivacyChoices()), language)
    yield delete_question(language, of_server=False)
    yield help_view(Help("pt-BR"), language)


def payload(view: ui.LayoutView) -> list[dict[str, Any]]:
    return [item.to_component_dict() for item in view.children]


def all_components(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from all_components(component.get("components", []))


def replace_symbols(component: dict[str, Any]) -> None:
    """Replace ❌ and ⭕ in a text, or as the emoji of a button."""
    is_text = component["type"] == ComponentType.text_display.value
    for plain, own in zip(PLAIN_SYMBOLS, OWN_SYMBOLS, strict=True):
        if is_text:
            component["content"] = component["content"].replace(plain, own)
        elif (component.get("emoji") or {}).get("name") == plain:
            component["emoji"] = PartialEmoji.from_str(own).to_dict()


@pytest.fixture(scope="module")
def own() -> list[list[dict[str, Any]]]:
    return [payload(view) for view in views_with(OWN_SYMBOLS)]


def test_own_symbols_take_the_place_of_plain_ones_and_change_nothing_else(
    own: list[list[dict[str, Any]]],
) -> None:
    plain = [payload(view) for view in views_with(PLAIN_SYMBOLS)]
    assert plain != own
    for view in plain:
        for component in all_components(view):
            replace_symbols(component)
    assert plain == own


def test_alternative_texts_are_read_aloud_so_they_keep_the_plain_symbols(
    own: list[list[dict[str, Any]]],
) -> None:
    galleries = [
        component
        for view in own
        for component in all_components(view)
        if component["type"] == ComponentType.media_gallery.value
    ]
    assert galleries
    for gallery in galleries:
        (picture,) = gallery["items"]
        assert "velha_" not in picture["description"]
        assert any(symbol in picture["description"] for symbol in PLAIN_SYMBOLS)


def test_a_language_is_made_once_for_each_pair_of_symbols() -> None:
    assert language_for("pt-BR", OWN_SYMBOLS) is language_for("pt-BR", OWN_SYMBOLS)
    assert language_for("pt-BR").symbols == PLAIN_SYMBOLS

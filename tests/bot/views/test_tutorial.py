"""The messages of the tutorial: short, pressable, and told in words as well as in pictures."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
from discord import ButtonStyle, ui

from bot.domain.pages import Shortcut, ShortcutPage
from bot.domain.tree_diagram import NodeStyle
from bot.domain.tutorial import (
    DEPTH_LIMIT_GAMES,
    EXAMPLE_GAME,
    STEPS,
    Chapter,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    question_of,
    shows_answer,
)
from bot.views.catalogues import LANGUAGES
from bot.views.i18n import Language, language_for
from bot.views.tutorial import TutorialTexts, picture_of, tutorial_view
from engine import Cell, Mark, Way
from engine.terminal.drawing import columns
from tests.bot.custom_ids import parse_page
from tests.bot.languages import LONG, WIDE
from tests.bot.tutorial_contents import LATE, content_of, tutorial_contents
from tests.bot.views.examples import EN, PT, buttons, is_inert, text_of

languages = pytest.mark.parametrize("language", [EN, LONG, WIDE], ids=["en", "long", "wide"])
MOST_WORDS = 40
LOST = "\N{MINUS SIGN}1"


def views(language: Language) -> list[tuple[TutorialContent, ui.LayoutView]]:
    return [(lesson, tutorial_view(lesson, language)) for lesson in tutorial_contents()]


def view_of(language: Language, chapter: Chapter, *rest: Any) -> ui.LayoutView:
    return tutorial_view(content_of(EXAMPLE_GAME, chapter, *rest), language)


def words(text: str) -> list[str]:
    """Whatever is read as a word or a number; the address of a link is not.

    A no-break space joins: some languages write it within numbers and before a colon.
    """
    without_addresses = re.sub(r"\]\([^)]*\)", "]", text)
    return [word for word in re.split(r"[ \n]", without_addresses) if any(map(str.isalnum, word))]


def gallery(view: ui.LayoutView) -> list[discord.MediaGalleryItem]:
    found = [item for item in view.walk_children() if isinstance(item, ui.MediaGallery)]
    return found[0].items if found else []


def button_at(view: ui.LayoutView, label: str) -> ui.Button[Any]:
    return next(button for button in buttons(view) if button.label == label)


def leads(view: ui.LayoutView, label: str) -> object:
    return parse_page(button_at(view, label).custom_id or "")


# Every screen


def test_no_screen_has_more_than_forty_words_in_any_language() -> None:
    for code in LANGUAGES:
        for lesson, view in views(language_for(code)):
            assert len(words(text_of(view))) <= MOST_WORDS, (code, lesson.page)


def test_the_words_of_a_screen_are_counted() -> None:
    assert len(words("## 1/9 · The **tree**:\n-# [it is](https://x.y/a_b) +1 ❌")) == 6


@languages
def test_every_screen_fits_into_a_message(language: Language) -> None:
    for lesson, view in views(language):
        assert view.total_children_count <= 40
        ids = [button.custom_id or "" for button in buttons(view)]
        assert len(set(ids)) == len(ids), lesson.page
        assert max(map(len, ids)) <= 100


@languages
def test_every_enabled_button_leads_to_a_page_except_on_boards_to_look_at(
    language: Language,
) -> None:
    for lesson, view in views(language):
        for button in buttons(view):
            if lesson.page.chapter in DEPTH_LIMIT_GAMES and is_inert(button):
                continue
            page, chapter = parse_page(button.custom_id or ""), lesson.page.chapter
            assert isinstance(page, TutorialPage) or (page, chapter) == (
                ShortcutPage(Shortcut.START),
                STEPS[-1],
            )
            assert not button.disabled or chapter is Chapter.TREE, "only where there is no page"


@languages
def test_chapters_follow_one_another(language: Language) -> None:
    texts = TutorialTexts(language)
    back, on = texts.back_button(), texts.next_button()
    record = LATE
    ways = [
        content_of(LATE, Chapter.TREE),
        content_of(LATE, Chapter.NUMBERS),
        content_of(LATE, Chapter.COMPARISON),
    ]
    for lesson in ways:
        view, chapter = tutorial_view(lesson, language), lesson.page.chapter
        before, after = leads(view, back), leads(view, on)
        assert isinstance(after, TutorialPage)
        assert isinstance(before, TutorialPage)
        number = STEPS.index(chapter)
        assert after.chapter == STEPS[number + 1]
        assert before.chapter == STEPS[number - 1] or button_at(view, back).disabled
        assert before.record == after.record == record
    first = leads(view_of(language, Chapter.TREE), on)
    assert first == TutorialPage(EXAMPLE_GAME, Chapter.NUMBERS, (0,)), "begins below the root"
    assert leads(view_of(language, Chapter.BOT), texts.play_button()) == ShortcutPage(
        Shortcut.START
    )
    titles = {text_of(view).splitlines()[0] for _, view in views(language)}
    assert {title.split()[1] for title in titles} == {f"{n}/10" for n in range(1, 11)}
    assert len(titles) == len(STEPS)


def test_the_button_to_press_next_is_highlighted_unless_a_question_is_open() -> None:
    texts = TutorialTexts(EN)
    up, forward = texts.up_button(), {texts.next_button(), texts.play_button()}
    for lesson, view in views(EN):
        styles = {button.label: button.style for button in buttons(view)}
        highlighted = {
            label
            for label in {up, *forward, texts.back_button()} & styles.keys()
            if styles[label] is ButtonStyle.primary
        }
        is_asking = question_of(lesson) is not None and not shows_answer(lesson)
        goes_up = lesson.page.chapter is Chapter.NUMBERS and up in styles
        expected = {up} if goes_up else forward & styles.keys()
        assert highlighted == (set() if is_asking else expected)


# Pictures


@languages
def test_a_diagram_has_a_description_of_what_it_shows(language: Language) -> None:
    for lesson, view in views(language):
        picture, items = picture_of(lesson), gallery(view)
        assert bool(picture) == bool(items)
        if picture is None:
            continue
        [item] = items
        assert item.media.url == "attachment://velha.png"
        told = item.description or ""
        assert 0 < len(told) <= 1024
        drawn = [*picture.root.walk()][1:]
        names = [one.board.rules.coordinate(one.action) for one in drawn if one.action is not None]
        cells = re.findall(r"[A-C][1-3]", told)
        assert cells[-len(names) :] == names, "in the same order"
        for caption in {caption for one in drawn for caption in one.captions}:
            assert caption.replace("-", "\N{MINUS SIGN}") in told


@pytest.mark.parametrize(
    ("language", "cut", "here"), [(EN, "cut", "you are here"), (PT, "cortado", "você está aqui")]
)
def test_the_description_says_what_is_cut_and_where_the_reader_is(
    language: Language, cut: str, here: str
) -> None:
    for lesson in tutorial_contents():
        if (picture := picture_of(lesson)) is None:
            continue
        told = TutorialTexts(language).alt_text(picture)
        looks = [one.style for one in picture.root.walk()]
        assert told.count(cut) == looks.count(NodeStyle.CUT)
        assert told.count(here) == looks.count(NodeStyle.CURRENT)


# Walking


@languages
def test_free_cells_lead_down_and_marks_back_to_where_they_were_made(language: Language) -> None:
    for lesson in tutorial_contents():
        if not isinstance(lesson, TreeWalk):
            continue
        page, board = lesson.page, lesson.page.board
        square = squares_of(tutorial_view(lesson, language), page)
        for cell in board.rules.cells:
            target = parse_page(square[cell].custom_id or "")
            ply = page.path.index(cell) if cell in page.path else 0
            path = page.path[:ply] if board[cell] else (*page.path, cell)
            free = board.actions()
            if board[cell] or cell in free:
                assert target == TutorialPage(page.record, page.chapter, path)
            assert not square[cell].disabled


def squares_of(view: ui.LayoutView, page: TutorialPage) -> dict[Cell, ui.Button[Any]]:
    cells = page.board.rules.cells
    answers = 3 if page.chapter is Chapter.NUMBERS else 0
    return dict(zip(cells, buttons(view)[answers:], strict=False))


def test_up_takes_back_a_move() -> None:
    below = view_of(EN, Chapter.NUMBERS, (0, 3))
    assert leads(below, "Up") == TutorialPage(EXAMPLE_GAME, Chapter.NUMBERS, (0,))


# Questions


@pytest.mark.parametrize(("language", "verdict"), [(EN, "Right!"), (PT, "Isso!")])
@pytest.mark.parametrize("path", [(), (0,), (2,), (0, 3), (2, 0)])
def test_every_number_is_asked_for_and_a_wrong_answer_gets_the_reason(
    language: Language, verdict: str, path: tuple[Cell, ...]
) -> None:
    for answer, number in enumerate((-1, 0)):
        lesson = content_of(EXAMPLE_GAME, Chapter.NUMBERS, path, answer)
        assert isinstance(lesson, TreeWalk)
        said, is_right = text_of(tutorial_view(lesson, language)), lesson.utility == number
        true = {-1: LOST, 0: "0", 1: "+1"}[lesson.utility]
        assert (verdict in said) is is_right
        if is_right:
            assert f"**{true}**" in said
        if lesson.verdicts:
            kind = "max" if lesson.page.board.to_move is Mark.X else "min"
            assert f"({kind})" in said


@languages
def test_text_and_diagram_agree_on_the_move_that_is_taken(language: Language) -> None:
    compared = 0
    for lesson, view in views(language):
        told, picture = shows_answer(lesson), picture_of(lesson)
        if isinstance(lesson, TreeWalk) and lesson.verdicts and told and picture:
            compared += 1
            (here,) = (one for one in picture.root.walk() if one.style is NodeStyle.CURRENT)
            (taken,) = (child.action for child in here.children if child.is_chosen)
            assert taken is not None
            assert f"**{lesson.page.board.rules.coordinate(taken)}**" in text_of(view)
    assert compared > 3


def test_of_the_least_value_there_is_nothing_less_is_expected() -> None:
    said = text_of(view_of(EN, Chapter.BETA, (), 0))
    assert f"**{LOST}**. ⭕ has that now." in said
    assert "less" not in said


# Costs


@languages
def test_the_costs_are_those_just_counted(language: Language) -> None:
    said = text_of(tutorial_view(content_of(LATE, Chapter.COMPARISON), language))
    table = said.split("```")[1].strip().splitlines()
    counted = [int(re.sub(r"\D", "", line.rsplit(maxsplit=1)[-1])) for line in table]
    ways = [Way.PLAIN, Way.PRUNED, Way.ORDERED, Way.WITH_MEMORY, Way.WITH_BOTH]
    assert counted == [way.search(LATE.boards[-1]).nodes for way in ways]
    assert len({columns(line) for line in table}) == 1

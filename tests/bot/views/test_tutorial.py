"""The messages of the tutorial: short, pressable, and told in words as well as in pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import ButtonStyle, ui

from bot.domain.pages import Shortcut, ShortcutPage
from bot.domain.tree_diagram import DiagramNode, LabelledBoard, NodeStyle
from bot.domain.tutorial import (
    EXAMPLE_GAME,
    STEPS,
    Chapter,
    OwnNumbers,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    WatchedSearch,
)
from bot.views.catalogues import LANGUAGES
from bot.views.i18n import PLAY, Language, language_for, with_minus
from bot.views.tutorial import BACK, NEXT, STEP_ON, UP, tutorial_view
from bot.views.tutorial_texts import GUIDES, VISITS_ON_EMPTY_BOARD, alt_text
from engine import Board, Cell, EventKind, Mark, Way
from engine.lessons import reachable_positions, size_of_tree
from tests.bot.custom_ids import parse_page
from tests.bot.languages import LONG, WIDE
from tests.bot.tutorial_contents import LATE, content_of, tutorial_contents
from tests.bot.views.examples import EN, PT, buttons, text_of

languages = pytest.mark.parametrize("language", [EN, LONG, WIDE], ids=["en", "long", "wide"])
MOST_WORDS = 40
LOST = "\N{MINUS SIGN}1"


def views(language: Language) -> list[tuple[TutorialContent, ui.LayoutView]]:
    return [(lesson, tutorial_view(lesson, language)) for lesson in tutorial_contents()]


def view_of(language: Language, chapter: Chapter, *rest: Any) -> ui.LayoutView:
    return tutorial_view(content_of(EXAMPLE_GAME, chapter, *rest), language)


def words(text: str) -> list[str]:
    """Whatever is read as a word or a number; the address of a link is not, nor is a program.

    A no-break space joins: some languages write it within numbers and before a colon.
    """
    without_addresses = re.sub(r"\]\([^)]*\)", "]", text)
    said = re.sub(r"```.*?```", "", without_addresses, flags=re.DOTALL)
    return [word for word in re.split(r"[ \n]", said) if any(map(str.isalnum, word))]


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
def test_every_enabled_button_leads_to_a_page(language: Language) -> None:
    for lesson, view in views(language):
        for button in buttons(view):
            page, chapter = parse_page(button.custom_id or ""), lesson.page.chapter
            assert isinstance(page, TutorialPage) or (page, chapter) == (
                ShortcutPage(Shortcut.START),
                STEPS[-1],
            )
            is_at_an_end = chapter is Chapter.TREE or isinstance(lesson, WatchedSearch)
            assert not button.disabled or is_at_an_end, "only where there is no page"


@languages
def test_chapters_follow_one_another(language: Language) -> None:
    back, on = language.say(BACK), language.say(NEXT)
    record = LATE
    for chapter in (Chapter.TREE, Chapter.NUMBERS, Chapter.MEMORY):
        view = tutorial_view(content_of(LATE, chapter), language)
        before, after = leads(view, back), leads(view, on)
        assert isinstance(after, TutorialPage)
        assert isinstance(before, TutorialPage)
        number = STEPS.index(chapter)
        assert after.chapter == STEPS[number + 1]
        assert before.chapter == STEPS[number - 1] or button_at(view, back).disabled
        assert before.record == after.record == record
    first = leads(view_of(language, Chapter.TREE), on)
    assert first == TutorialPage(EXAMPLE_GAME, Chapter.NUMBERS, (0,)), "begins below the root"
    play = leads(view_of(language, Chapter.WRITE), language.say(PLAY))
    assert play == ShortcutPage(Shortcut.START)
    titles = {text_of(view).splitlines()[0] for _, view in views(language)}
    assert {title.split()[1] for title in titles} == {f"{n}/7" for n in range(1, 8)}
    assert len(titles) == len(STEPS)


def test_the_button_to_press_next_is_highlighted_unless_a_question_is_open() -> None:
    up, forward = EN.say(UP), {EN.say(NEXT), EN.say(PLAY)}
    for lesson, view in views(EN):
        styles = {button.label: button.style for button in buttons(view)}
        highlighted = {
            label
            for label in {up, STEP_ON, *forward, EN.say(BACK)} & styles.keys()
            if styles[label] is ButtonStyle.primary
        }
        is_asking = lesson.question is not None and not lesson.is_answered
        expected = forward & styles.keys()
        if lesson.page.chapter is Chapter.NUMBERS and up in styles:
            expected = {up}
        elif isinstance(lesson, WatchedSearch) and not lesson.is_over:
            expected = {STEP_ON}
        assert highlighted == (set() if is_asking else expected)


# Pictures


@languages
def test_a_picture_has_a_description_of_what_it_shows(language: Language) -> None:
    for lesson, view in views(language):
        items = gallery(view)
        assert bool(lesson.diagram) == bool(items)
        if not items:
            continue
        [item] = items
        assert item.media.url == "attachment://velha.png"
        told = item.description or ""
        assert 0 < len(told) <= 1024
        if not isinstance(lesson, WatchedSearch):
            for part in lesson.diagram:
                assert_told(part, told)


def assert_told(part: DiagramNode | LabelledBoard, told: str) -> None:
    if isinstance(part, LabelledBoard):
        for cell, text in part.texts:
            assert f"{part.board.rules.coordinate(cell)} {with_minus(text)}" in told
        return
    drawn = [*part.walk()][1:]
    names = [one.board.rules.coordinate(one.action or 0) for one in drawn if one.board]
    cells = re.findall(r"[A-C][1-3]", told)
    assert not names or cells[-len(names) :] == names, "in the same order"
    for caption in {one.caption for one in drawn}:
        assert with_minus(caption) in told


@languages
def test_the_picture_of_a_search_is_described_by_what_happens(language: Language) -> None:
    for lesson, view in views(language):
        if isinstance(lesson, WatchedSearch):
            [item] = gallery(view)
            _title, *lines = text_of(view).split("```")[0].strip().splitlines()
            assert item.description == language.sentences(*lines).replace("**", "")


@pytest.mark.parametrize(
    ("language", "cut", "here"), [(EN, "cut", "you are here"), (PT, "cortado", "você está aqui")]
)
def test_the_description_says_what_is_cut_and_where_the_reader_is(
    language: Language, cut: str, here: str
) -> None:
    for lesson in tutorial_contents():
        parts = [part for part in lesson.diagram if isinstance(part, DiagramNode)]
        if isinstance(lesson, WatchedSearch) or not parts:
            continue
        told = alt_text(lesson, language)
        looks = [one.style for part in parts for one in part.walk()]
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
    answers = 3 if page.chapter is Chapter.NUMBERS or not page.path else 0
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
        is_walk = isinstance(lesson, TreeWalk) and lesson.page.chapter is Chapter.NUMBERS
        if not (is_walk and lesson.is_answered and lesson.diagram):
            continue
        assert isinstance(lesson, TreeWalk)
        [tree] = lesson.diagram
        if lesson.verdicts and isinstance(tree, DiagramNode):
            compared += 1
            (here,) = (one for one in tree.walk() if one.style is NodeStyle.CURRENT)
            (taken,) = (child.action for child in here.children if child.is_chosen)
            assert taken is not None
            assert f"**{lesson.page.board.rules.coordinate(taken)}**" in text_of(view)
    assert compared > 3


# A search that is watched


@languages
def test_the_line_of_the_program_that_is_at_work_is_marked(language: Language) -> None:
    lines = {
        EventKind.LEAF: "if leaf",
        EventKind.VISIT: "for v",
        EventKind.BETTER: "= m",
        EventKind.NO_BETTER: "= m",
        EventKind.CUT: "break",
    }
    for lesson, view in views(language):
        if isinstance(lesson, WatchedSearch):
            [marked] = [line for line in text_of(view).splitlines() if line.startswith("▶")]
            assert lines[lesson.event.kind] in marked
            if lesson.event.kind in (EventKind.BETTER, EventKind.NO_BETTER):
                assert ("alpha = max" in marked) is (lesson.to_move is Mark.X)


def test_no_line_of_a_program_is_wider_than_a_phone() -> None:
    for lesson, view in views(EN):
        if isinstance(lesson, WatchedSearch):
            assert max(map(len, text_of(view).split("```")[1].splitlines())) <= 26


# What is claimed


def test_the_numbers_of_the_empty_board_are_those_that_are_counted() -> None:
    assert {
        "plain": size_of_tree(Board()),
        "boards": len(reachable_positions(Board())),
        "pruned": Way.PRUNED.search(Board()).nodes,
        "ordered": Way.ORDERED.search(Board()).nodes,
    } == VISITS_ON_EMPTY_BOARD


def test_there_is_a_guide_in_each_language_that_has_one() -> None:
    docs = Path(__file__).parents[3] / "docs"
    assert {"en", *GUIDES.values()} == {
        path.parent.name for path in docs.glob("*/WRITE-YOUR-OWN.md")
    }


def test_a_number_is_chosen_by_pressing_it() -> None:
    view = tutorial_view(content_of(EXAMPLE_GAME, Chapter.OWN_NUMBERS), EN)
    chosen = [button.style is ButtonStyle.primary for button in buttons(view)[:9]]
    assert chosen == [True, *[False] * 8]
    page = parse_page(buttons(view)[8].custom_id or "")
    assert page == TutorialPage(EXAMPLE_GAME, Chapter.OWN_NUMBERS, (8,))
    assert isinstance(content_of(EXAMPLE_GAME, Chapter.OWN_NUMBERS), OwnNumbers)

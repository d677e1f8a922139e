"""The messages of the tutorial: short, and where their buttons lead."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from discord import ButtonStyle, ui

from bot.domain.pages import Shortcut, ShortcutPage
from bot.domain.tree_diagram import DiagramNode
from bot.domain.tutorial import (
    EXAMPLE_GAME,
    STEPPABLE,
    STEPS,
    Chapter,
    TreeWalk,
    TutorialPage,
    WatchedSearch,
)
from bot.views.catalogues import LANGUAGES
from bot.views.i18n import language_for
from bot.views.tutorial import tutorial_view
from bot.views.tutorial_texts import GUIDES, alt_text, program, screen
from tests.bot.custom_ids import parse_page
from tests.bot.tutorial_contents import LATE, content_of, tutorial_contents
from tests.bot.views.examples import EN, buttons, targets, text_of

MOST_WORDS = 40
WIDTH_OF_PROGRAM = 26
"""How many letters of code fit side by side on a phone."""


def view_of(chapter: Chapter, *rest: Any, **named: Any) -> ui.LayoutView:
    return tutorial_view(content_of(EXAMPLE_GAME, chapter, *rest, **named), EN)


def words(text: str) -> list[str]:
    """Whatever is read as a word or a number; the address of a link is not, nor is code.

    A no-break space joins: some languages write it within numbers and before a colon.
    """
    said = re.sub(r"```.*?```|(?<=\])\([^)]*\)", "", text, flags=re.DOTALL)
    return [word for word in re.split(r"[ \n]", said) if any(map(str.isalnum, word))]


def leads(view: ui.LayoutView, label: str) -> object:
    """The page that a button opens; None if it is disabled."""
    [page] = targets([button for button in buttons(view) if button.label == label])
    return page


# Every screen


def test_no_screen_has_more_than_forty_words_in_any_language() -> None:
    for language in map(language_for, LANGUAGES):
        for content in tutorial_contents():
            assert len(words(screen(content, language))) <= MOST_WORDS, (language.code, content)


def test_trees_that_look_different_are_described_differently() -> None:
    described = {each.diagram: alt_text(each, EN) for each in tutorial_contents() if each.diagram}
    trees = {tree: said for tree, said in described.items() if isinstance(tree, DiagramNode)}
    assert len({*trees.values()}) == len(trees) > 10


def test_the_words_of_a_screen_are_counted() -> None:
    assert len(words("## 1/5 · The **tree**:\n-# [it is](https://x.y/a_b) +1 ❌")) == 6


def test_no_line_of_a_program_is_wider_than_a_phone() -> None:
    programs = [program(each) for each in tutorial_contents() if isinstance(each, WatchedSearch)]
    assert max(len(line) for code in programs for line in code.splitlines()) <= WIDTH_OF_PROGRAM


def test_every_enabled_button_leads_to_a_page() -> None:
    for content in tutorial_contents():
        shown = buttons(tutorial_view(content, EN))
        is_at_an_end = content.page.chapter is Chapter.TREE or isinstance(content, WatchedSearch)
        assert is_at_an_end or not any(button.disabled for button in shown)
        pages = targets([button for button in shown if not button.disabled])
        if content.page.chapter is STEPS[-1]:
            assert pages.pop() == ShortcutPage(Shortcut.START)
        assert all(isinstance(page, TutorialPage) or page == content.play_on for page in pages)


def test_chapters_follow_one_another() -> None:
    assert leads(view_of(Chapter.TREE), "Back") is None
    first = leads(view_of(Chapter.TREE), "Next")
    assert first == TutorialPage(EXAMPLE_GAME, Chapter.NUMBERS, (0,)), "begins below the root"
    for before, chapter, after in zip(STEPS, STEPS[1:], STEPS[2:], strict=False):
        view = tutorial_view(content_of(LATE, chapter), EN)
        pages = [leads(view, "Back"), leads(view, "Next")]
        led = [(page.record, page.chapter) for page in pages if isinstance(page, TutorialPage)]
        assert led == [(LATE, before), (LATE, after)]
    assert leads(view_of(Chapter.WRITE), "Play") == ShortcutPage(Shortcut.START)


def test_titles_are_numbered_from_one_to_five() -> None:
    titles = {screen(content, EN).splitlines()[0] for content in tutorial_contents()}
    assert {title.split()[1] for title in titles} == {f"{number}/5" for number in range(1, 6)}
    assert len(titles) == len(STEPS)


# Walking and choosing


def test_free_cells_lead_down_and_marks_back_to_where_they_were_made() -> None:
    for content in tutorial_contents():
        if not isinstance(content, TreeWalk):
            continue
        page, board = content.page, content.page.board
        answers = len(content.question.choices) if content.question else 0
        square = buttons(tutorial_view(content, EN))[answers:]
        for cell in board.rules.cells:
            ply = page.path.index(cell) if cell in page.path else 0
            path = page.path[:ply] if board[cell] else (*page.path, cell)
            if board[cell] or cell in board.actions():
                assert targets([square[cell]]) == [TutorialPage(page.record, page.chapter, path)]


def test_up_takes_back_a_move() -> None:
    below = view_of(Chapter.NUMBERS, (0, 3))
    assert leads(below, "Up") == TutorialPage(EXAMPLE_GAME, Chapter.NUMBERS, (0,))


@pytest.mark.parametrize("chapter", STEPPABLE)
def test_the_program_of_a_search_is_shown_and_hidden_by_a_button(chapter: Chapter) -> None:
    hidden = TutorialPage(EXAMPLE_GAME, chapter, step=5)
    shown = replace(hidden, code=True)
    without, with_code = view_of(chapter, step=5), view_of(chapter, step=5, code=True)
    assert leads(without, "Code") == shown
    assert leads(with_code, "Code") == hidden
    assert "alpha >= beta" not in text_of(without)
    assert "alpha >= beta" in text_of(with_code)
    assert leads(with_code, "▶") == replace(shown, step=6), "it stays while one steps on"


def test_an_answer_is_grey_or_green_or_red_and_never_blue_as_what_leads_on() -> None:
    seen = set()
    for content in tutorial_contents():
        question = content.question
        if question is None:
            continue
        answers = buttons(tutorial_view(content, EN))[: len(question.choices)]
        styles = [answer.style for answer in answers]
        pressed = {content.page.answer, content.page.wrong_answer} - {None}
        for number, style in enumerate(styles):
            if content.is_answered and number == question.right:
                assert style is ButtonStyle.success
            else:
                wrong = number in pressed
                assert style is (ButtonStyle.danger if wrong else ButtonStyle.secondary)
        seen.update(styles)
    assert seen == {ButtonStyle.secondary, ButtonStyle.success, ButtonStyle.danger}


def test_a_number_is_chosen_by_pressing_it() -> None:
    numbers = buttons(view_of(Chapter.OWN_NUMBERS))[:9]
    assert [button.style is ButtonStyle.primary for button in numbers] == [True, *[False] * 8]
    page = parse_page(numbers[8].custom_id or "")
    assert page == TutorialPage(EXAMPLE_GAME, Chapter.OWN_NUMBERS, (8,))


# What is claimed


def test_there_is_a_guide_in_each_language_that_has_one() -> None:
    docs = Path(__file__).parents[3] / "docs"
    assert {"en", *GUIDES.values()} == {
        path.parent.name for path in docs.glob("*/WRITE-YOUR-OWN.md")
    }

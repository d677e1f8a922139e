"""The screens of the tutorial on minimax."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.tutorial import (
    READ,
    SKIP,
    STEPS,
    WALKABLE,
    WINNERS,
    Chapter,
    Leaves,
    OwnNumbers,
    Question,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    WatchedSearch,
    WriteYourOwn,
)
from bot.views.components import board_rows, button, container_view, play_on_button
from bot.views.i18n import NC_, PLAY, Language, Sentence, with_minus
from bot.views.symbols import Symbols
from bot.views.tutorial_texts import NEXT, UP, alt_text, guide_url, program, screen
from engine import Mark

# Translators, from here on: buttons under a lesson: about 12 letters.
# Translators: a button that turns to the screen before.
BACK = NC_("screen", "Back")

STEP_BACK, STEP_ON = "◀", "▶"

# Translators: leads to where the search next cuts a branch off.
NEXT_CUT = NC_("search", "Next cut")

# Translators: shows the program of the search, or hides it.
CODE = NC_("search", "Code")

# Translators: leads from a tree whose numbers one has changed to the search in it, step by step.
WATCH_IT = NC_("search", "Watch it")

# Translators: a link to a page that shows how to write such a program oneself.
WHOLE_WAY = NC_("search", "The full guide")

_ANSWERS: dict[str, Sentence] = {
    # Translators: answers to "Do I search the next branch, or skip it?"
    READ: NC_("search", "Search it"),
    SKIP: NC_("search", "Skip it"),
    # Translators: an answer to "Who wins?"
    WINNERS[1]: NC_("search", "A draw"),
}

PICTURE_NAME = "velha.png"

CHANGES = (-5, -1, 1, 5)
"""By how much a press changes a number of the reader's own tree."""

# Numbers that keep the custom_ids on a page different
_BACK_ID = 0
_NEXT_ID = 1
_UP_ID = 2
_FIRST_STEP_ID = 3
_CODE_ID = 7
_FIRST_CHOICE_ID = 10
_FIRST_CELL_ID = 20


def tutorial_view(content: TutorialContent, language: Language) -> ui.LayoutView:
    """A page: its picture, text, choices, what it lets one do, and navigation buttons."""
    items: list[ui.Item[Any]] = []
    if content.diagram:
        items.append(_gallery(content, language))
    if content.question is not None:
        items.append(_choice_row(content, content.question, language))
    match content:
        case TreeWalk():
            items += _walkable_board(content, language.symbols)
        case WatchedSearch():
            items.append(_step_row(content, language))
        case OwnNumbers():
            items += _number_rows(content)
        case _:
            pass
    items.append(ui.ActionRow(*_navigation(content, language)))
    text = screen(content, language)
    if isinstance(content, WatchedSearch) and content.page.code:
        return container_view(text, *items, program(content), symbols=language.symbols)
    return container_view(text, *items, symbols=language.symbols)


def _gallery(content: TutorialContent, language: Language) -> ui.MediaGallery[Any]:
    url = f"attachment://{PICTURE_NAME}"
    return ui.MediaGallery(discord.MediaGalleryItem(url, description=alt_text(content, language)))


def _choice_row(
    content: TutorialContent, question: Question, language: Language
) -> ui.ActionRow[Any]:
    """A button for each choice; wrong answers are red, and the right one is green once shown.

    None is blue, which leads on.
    """
    page = content.page
    styles = dict.fromkeys(range(len(question.choices)), ButtonStyle.secondary)
    for answer in (page.wrong_answer, page.answer):
        if answer in styles:
            styles[answer] = ButtonStyle.danger
    if content.is_answered:
        styles[question.right] = ButtonStyle.success
    buttons = []
    for number, choice in enumerate(question.choices):
        target = custom_id(question.answered(page, number), _FIRST_CHOICE_ID + number)
        if choice in {mark.value for mark in Mark}:
            symbol = language.symbols.of(Mark(choice))
            buttons.append(button(target, emoji=symbol, style=styles[number]))
            continue
        label = language.say(_ANSWERS[choice]) if choice in _ANSWERS else with_minus(choice)
        buttons.append(button(target, label=label, style=styles[number]))
    return ui.ActionRow(*buttons)


def _step_row(watched: WatchedSearch, language: Language) -> ui.ActionRow[Any]:
    """One step back, one on, and to the next cut, or after the last one to the end."""
    last = len(watched.events) - 1
    is_asking = watched.question is not None and not watched.is_answered
    targets = (
        (STEP_BACK, max(watched.step - 1, 0)),
        (STEP_ON, min(watched.step + 1, last)),
        (language.say(NEXT_CUT), watched.next_cut),
    )
    buttons = []
    for number, (label, target) in enumerate(targets):
        page = replace(watched.page, step=target, answer=None, wrong_answer=None)
        is_next = number == 1 and not (is_asking or watched.is_over)
        buttons.append(
            button(
                custom_id(page, _FIRST_STEP_ID + number),
                label=label,
                style=ButtonStyle.primary if is_next else ButtonStyle.secondary,
                disabled=target == watched.step,
            )
        )
    return ui.ActionRow(*buttons)


def _number_rows(own: OwnNumbers) -> list[ui.Item[Any]]:
    """The numbers of the reader's own tree, one to be pressed; and what changes it."""
    page = own.page
    buttons = [
        button(
            custom_id(replace(page, path=(index,)), _FIRST_CELL_ID + index),
            label=with_minus(str(number)),
            style=ButtonStyle.primary if index == page.leaf else ButtonStyle.secondary,
        )
        for index, number in enumerate(page.leaves.numbers)
    ]
    changes = [
        button(
            custom_id(
                replace(page, leaves=page.leaves.with_change(page.leaf, change)),
                _FIRST_STEP_ID + number,
            ),
            label=with_minus(f"{change:+d}"),
        )
        for number, change in enumerate(CHANGES)
    ]
    starts = range(0, len(buttons), Leaves.per_branch)
    rows = [buttons[start : start + Leaves.per_branch] for start in starts]
    return [ui.ActionRow(*row) for row in [*rows, changes]]


def _walkable_board(walk: TreeWalk, symbols: Symbols) -> list[ui.Item[Any]]:
    """Free cells lead down the tree; marks lead back up, to before their move or to the start."""
    page = walk.page
    board = page.board
    start = TutorialPage(page.record, page.chapter)
    pages = dict.fromkeys(board.rules.cells, start)
    for ply, cell in enumerate(page.path):
        pages[cell] = replace(start, path=page.path[:ply])
    for cell in board.actions():
        pages[cell] = replace(start, path=(*page.path, cell))
    custom_ids = {cell: custom_id(target, _FIRST_CELL_ID + cell) for cell, target in pages.items()}
    return board_rows(board, {}, custom_ids, symbols)


def _navigation(content: TutorialContent, language: Language) -> Iterator[ui.Button[Any]]:
    """The buttons Back, or Up in a tree, and Next; the one to press next is highlighted.

    The program of a search is shown by a button; on the last page, buttons start a match and lead
    to the guide.
    """
    page = content.page
    is_asking = content.question is not None and not content.is_answered
    can_go_up = page.chapter in WALKABLE and bool(page.path)
    should_go_up = page.chapter is Chapter.NUMBERS and can_go_up and not is_asking
    is_watching = isinstance(content, WatchedSearch) and not content.is_over
    is_busy = is_asking or should_go_up or is_watching
    next_style = ButtonStyle.secondary if is_busy else ButtonStyle.primary
    previous_page = _adjacent_page(page, -1)
    next_page = _adjacent_page(page, 1)
    if can_go_up:
        yield button(
            custom_id(TutorialPage(page.record, page.chapter, page.path[:-1]), _UP_ID),
            label=language.say(UP),
            style=ButtonStyle.primary if should_go_up else ButtonStyle.secondary,
        )
    else:
        yield button(
            custom_id(previous_page or page, _BACK_ID),
            label=language.say(BACK),
            disabled=previous_page is None,
        )
    if next_page is not None:
        next_id = custom_id(next_page, _NEXT_ID)
        yield button(next_id, label=language.say(NEXT), style=next_style)
    if content.play_on is not None:
        yield play_on_button(content.play_on, language)
    if isinstance(content, WatchedSearch):
        code_id = custom_id(replace(page, code=not page.code), _CODE_ID)
        yield button(code_id, label=language.say(CODE))
    if isinstance(content, OwnNumbers):
        watch = TutorialPage(page.record, Chapter.NUMBER_TREE, leaves=page.leaves)
        yield button(custom_id(watch, _UP_ID), label=language.say(WATCH_IT))
    if isinstance(content, WriteYourOwn):
        start_id = custom_id(ShortcutPage(Shortcut.START), _NEXT_ID)
        yield button(start_id, label=language.say(PLAY), style=next_style)
        if content.source_url is not None:
            url = guide_url(content.source_url, language)
            yield ui.Button(label=language.say(WHOLE_WAY), url=url)


def _adjacent_page(page: TutorialPage, offset: int) -> TutorialPage | None:
    """The first page of the step before (-1) or after (+1); None if there is none.

    Between the steps on a tree of numbers, the reader's own numbers are kept.
    """
    index = STEPS.index(page.chapter) + offset
    if index not in range(len(STEPS)):
        return None
    adjacent_page = TutorialPage(page.record, STEPS[index])
    if adjacent_page.chapter is Chapter.NUMBERS:
        return adjacent_page.first_question
    if {page.chapter, adjacent_page.chapter} == {Chapter.NUMBER_TREE, Chapter.OWN_NUMBERS}:
        return replace(adjacent_page, leaves=page.leaves)
    return adjacent_page

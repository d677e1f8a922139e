"""The screens of the tutorial on minimax."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.tree_diagram import DiagramNode
from bot.domain.tutorial import (
    DEPTHS,
    EXAMPLE_GAME,
    STEPS,
    WALKABLE,
    Chapter,
    DepthLimitDemo,
    OwnTree,
    Question,
    TreeWalk,
    TutorialContent,
    TutorialPage,
)
from bot.views.components import CellStyle, board_rows, button, container_view, utility_styles
from bot.views.i18n import N_, NC_, PLAY, Language, with_minus, with_sign
from bot.views.symbols import Symbols
from bot.views.tutorial_texts import alt_text, screen
from engine import Cell

# Translators, from here on: buttons under a lesson: about 12 letters.
# Translators: buttons that turn to the screen before, and to the next.
BACK = NC_("screen", "Back")

NEXT = NC_("screen", "Next")

UP = NC_("tree", "Up")

PICTURE_NAME = "velha.png"

# Numbers that keep the custom_ids on a page different
_BACK_ID = 0
_NEXT_ID = 1
_UP_ID = 2
_FIRST_CHOICE_ID = 10  # of answers, or of depths
_FIRST_CELL_ID = 20


def tutorial_view(content: TutorialContent, language: Language) -> ui.LayoutView:
    """A page: its picture, text, choices, a board to walk on, and navigation buttons."""
    items: list[ui.Item[Any]] = []
    if content.diagram is not None:
        items.append(_gallery(content.diagram, language))
    if isinstance(content, OwnTree):
        items += _leaf_rows(content)
    if content.question is not None:
        items.append(_choice_row(content.page, content.question))
    if isinstance(content, TreeWalk):
        items += _walkable_board(content, language.symbols)
    if isinstance(content, DepthLimitDemo):
        items += _board_with_guesses(content, language.symbols)
        items.append(_depth_row(content, language))
    items.append(ui.ActionRow(*_navigation(content, language)))
    return container_view(screen(content, language), *items, symbols=language.symbols)


def hint_confirmation_view(language: Language) -> ui.LayoutView:
    """The question whether to learn from an example or from one's own match with the bot."""
    example = language.say(NC_("button", "An example"))
    my_match = language.say(NC_("button", "My match (a hint)"))
    return container_view(
        # Translators: a sentence above two buttons.
        language.say(N_("You're playing me: a lesson on your match counts as a hint.")),
        ui.ActionRow(
            button(custom_id(TutorialPage(EXAMPLE_GAME), 0), label=example),
            button(custom_id(ShortcutPage(Shortcut.MY_MATCH), 1), label=my_match),
        ),
        symbols=language.symbols,
        colour=discord.Colour.blurple(),
    )


def _gallery(diagram: DiagramNode, language: Language) -> ui.MediaGallery[Any]:
    url = f"attachment://{PICTURE_NAME}"
    description = alt_text(diagram, language)
    return ui.MediaGallery(discord.MediaGalleryItem(url, description=description))


def _choice_row(page: TutorialPage, question: Question) -> ui.ActionRow[Any]:
    """A button for each choice; wrong answers are red, and the right one is green once shown."""
    is_answer_shown = page.reveals(question.right)
    style = ButtonStyle.secondary if is_answer_shown else ButtonStyle.primary
    styles = dict.fromkeys(range(len(question.choices)), style)
    for answer in (page.wrong_answer, page.answer):
        if answer is not None:
            styles[answer] = ButtonStyle.danger
    if is_answer_shown:
        styles[question.right] = ButtonStyle.success
    buttons = [
        button(
            custom_id(page.with_answer(number, question.right), _FIRST_CHOICE_ID + number),
            label=with_minus(choice),
            style=styles[number],
        )
        for number, choice in enumerate(question.choices)
    ]
    return ui.ActionRow(*buttons)


def _leaf_rows(tree: OwnTree) -> list[ui.Item[Any]]:
    """The leaves of the reader's own tree; a press changes one to the next number."""
    leaves = [
        button(
            custom_id(tree.page.with_next_leaf(number), _FIRST_CELL_ID + number),
            label=with_sign(leaf),
        )
        for number, leaf in enumerate(tree.page.leaves)
    ]
    half = len(tree.left)
    return [ui.ActionRow(*leaves[:half]), ui.ActionRow(*leaves[half:])]


def _walkable_board(walk: TreeWalk, symbols: Symbols) -> list[ui.Item[Any]]:
    """Free cells lead down the tree; marks lead back up, to before their move or to the start."""
    page = walk.page
    board = page.board
    shows_values = page.chapter is Chapter.NUMBERS and not walk.has_deep_diagram
    styles = utility_styles(walk.verdicts) if shows_values else {}
    start = TutorialPage(page.record, page.chapter)
    pages = dict.fromkeys(board.rules.cells, start)
    for ply, cell in enumerate(page.path):
        pages[cell] = replace(start, path=page.path[:ply])
    for cell in board.actions():
        pages[cell] = replace(start, path=(*page.path, cell))
    custom_ids = {cell: custom_id(target, _FIRST_CELL_ID + cell) for cell, target in pages.items()}
    return board_rows(board, styles, custom_ids, symbols)


def _board_with_guesses(demo: DepthLimitDemo, symbols: Symbols) -> list[ui.Item[Any]]:
    """The board with the search's guess for each move, and the move that it chooses in colour."""
    board = demo.board
    styles: dict[Cell, CellStyle] = {}
    for cell, guess in demo.guesses.items():
        if guess is not None:
            label = f"{board.rules.coordinate(cell)} {with_sign(guess)}"
            styles[cell] = CellStyle(label=label)
    chosen = demo.glimpse.action
    chosen_style = styles.get(chosen, CellStyle(emoji=symbols.of(board.to_move)))
    styles[chosen] = chosen_style._replace(
        button_style=ButtonStyle.danger if demo.gives_win else ButtonStyle.success
    )
    return board_rows(board, styles, {}, symbols)


def _depth_row(demo: DepthLimitDemo, language: Language) -> ui.ActionRow[Any]:
    """The buttons that choose how deep to search."""
    buttons = [
        button(
            custom_id(replace(demo.page, answer=number), _FIRST_CHOICE_ID + number),
            label=language.say(NC_("button", "Depth {n}"), n=depth),
            style=ButtonStyle.primary if depth == demo.glimpse.depth else ButtonStyle.secondary,
        )
        for number, depth in enumerate(DEPTHS)
    ]
    return ui.ActionRow(*buttons)


def _navigation(content: TutorialContent, language: Language) -> Iterator[ui.Button[Any]]:
    """The buttons Back, Next and Up; the one to press next is highlighted.

    On the last page, a button starts a match, unless the tutorial is on a match already.
    """
    page = content.page
    is_asking = content.question is not None and not content.is_answered
    can_go_up = page.chapter in WALKABLE and bool(page.path)
    should_go_up = page.chapter is Chapter.NUMBERS and can_go_up and not is_asking
    next_style = ButtonStyle.secondary if is_asking or should_go_up else ButtonStyle.primary
    previous_page = _adjacent_page(page, -1)
    next_page = _adjacent_page(page, 1)
    yield button(
        custom_id(previous_page or page, _BACK_ID),
        label=language.say(BACK),
        disabled=previous_page is None,
    )
    if next_page is not None:
        next_id = custom_id(next_page, _NEXT_ID)
        yield button(next_id, label=language.say(NEXT), style=next_style)
    elif not page.is_on_match:
        start_id = custom_id(ShortcutPage(Shortcut.START), _NEXT_ID)
        yield button(start_id, label=language.say(PLAY), style=next_style)
    if can_go_up:
        yield button(
            custom_id(TutorialPage(page.record, page.chapter, page.path[:-1]), _UP_ID),
            label=language.say(UP),
            style=ButtonStyle.primary if should_go_up else ButtonStyle.secondary,
        )


def _adjacent_page(page: TutorialPage, offset: int) -> TutorialPage | None:
    """The first page of the step before (-1) or after (+1); None if there is none."""
    index = STEPS.index(page.chapter) + offset
    if index not in range(len(STEPS)):
        return None
    adjacent_page = TutorialPage(page.record, STEPS[index])
    if adjacent_page.chapter is Chapter.NUMBERS:
        return adjacent_page.first_question
    return adjacent_page

"""The tutorial on minimax, for a curious twelve-year-old: at most 40 words a screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import factorial
from typing import Any

import discord
from discord import ButtonStyle, ui

from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.tree_diagram import Diagram
from bot.domain.tutorial import (
    CHAPTERS,
    DEPTHS,
    EXAMPLE_GAME,
    STEPS,
    WALKABLE,
    BotOverview,
    Chapter,
    DepthLimitDemo,
    FastestWin,
    OwnTree,
    PruningDemo,
    SearchComparison,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    question_of,
    shows_answer,
)
from bot.views.components import CellStyle, board_rows, button, container_view, utility_styles
from bot.views.i18n import N_, NC_, PLAY, Language, Sentence, Texts, with_sign
from bot.views.symbols import SYMBOLS, Symbols
from bot.views.tutorial_questions import choice_row
from bot.views.tutorial_searches import SearchTexts
from bot.views.tutorial_trees import TreeTexts
from engine import Cell, Value

# Translators, from here on: the heading of a lesson's screen: about 25 letters.
TITLES: Mapping[Chapter, Sentence] = {
    Chapter.TREE: N_("The game tree"),
    Chapter.NUMBERS: N_("What the numbers mean"),
    Chapter.ALPHA: N_("Cutting branches off"),
    Chapter.BETA: N_("Cutting branches off"),
    Chapter.PRUNING: N_("Cutting branches off"),
    Chapter.RULE: N_("Cutting branches off"),
    Chapter.SAVED: N_("What it saves"),
    Chapter.OWN_TREE: N_("A tree of your own"),
    Chapter.COMPARISON: N_("On a whole board"),
    Chapter.FASTEST_WIN: N_("Sooner is better"),
    Chapter.LIMIT: N_("Stopping early"),
    Chapter.HORIZON: N_("The horizon"),
    Chapter.BOT: N_("How I think"),
}

# Translators, from here on: buttons under a lesson: about 12 letters.
# Translators: buttons that turn to the screen before, and to the next.
BACK = NC_("screen", "Back")

NEXT = NC_("screen", "Next")

ERDOS_SELFRIDGE_URL = "https://en.wikipedia.org/wiki/Maker-Breaker_game"
"""A page that explains the theorem of Erdos and Selfridge."""


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
class TutorialTexts(Texts):
    """How minimax works, and how Velha thinks, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._trees = TreeTexts(language)
        self._searches = SearchTexts(language)

    def alt_text(self, picture: Diagram) -> str:
        """The alternative text of a picture, for people who cannot see it."""
        return self._trees.alt_text(picture.root)

    def screen(self, content: TutorialContent) -> str:
        """The whole text of a page."""
        lines = [f"## {self._title(content.page.chapter)}", *self._body(content)]
        if content.page.is_on_match and isinstance(content, PruningDemo | FastestWin):
            lines.append(self._("-# Another board, as an example."))
        return "\n".join(lines)

    def _title(self, step: Chapter) -> str:
        """The chapter's number and name and, if it has several steps, which of them this is."""
        steps = next(steps for steps in CHAPTERS if step in steps)
        chapter_number = CHAPTERS.index(steps) + 1
        title = f"{chapter_number}/{len(CHAPTERS)} · {self._(TITLES[step])}"
        if len(steps) == 1:
            return title
        step_number = steps.index(step) + 1
        return f"{title} ({step_number}/{len(steps)})"

    def _body(self, content: TutorialContent) -> Iterator[str]:
        match content:
            case TreeWalk():
                yield from self._trees.position(content)
            case PruningDemo():
                yield self._searches.pruning(content)
            case OwnTree():
                yield self._searches.own_tree(content)
            case SearchComparison():
                yield self._searches.comparison(content)
            case FastestWin():
                yield self._searches.fastest_win(content)
            case DepthLimitDemo():
                yield from self._depth_limit(content)
            case BotOverview():
                yield self._overview()

    def _depth_limit(self, demo: DepthLimitDemo) -> Iterator[str]:
        yield self._limit(demo) if demo.page.chapter is Chapter.LIMIT else self._horizon(demo)
        yield f"-# {self._language.rules(demo.board.rules)}"

    def _limit(self, demo: DepthLimitDemo) -> str:
        board = demo.board
        # Translators: {cell} is a cell.
        return self._language.ngettext(
            "Up to {n} game: too many. So the search stops early and **guesses**: lines "
            "open for ❌ minus lines open for ⭕. The cells show it at depth **{depth}**: "
            "{cell} is best.",
            "Up to {n} games: too many. So the search stops early and **guesses**: lines "
            "open for ❌ minus lines open for ⭕. The cells show it at depth **{depth}**: "
            "{cell} is best.",
            factorial(board.plies_left),
            depth=demo.glimpse.depth,
            cell=f"**{board.rules.coordinate(demo.glimpse.action)}**",
        )

    def _horizon(self, demo: DepthLimitDemo) -> str:
        """What the search chooses, and whether that gives the win away."""
        if demo.glimpse.proven_worth.value is Value.WIN:
            # Translators: {other} is ⭕.
            sentence = N_(
                "At depth **{depth}**, {symbol} takes {cell}: {guess}. But then {other} can force "
                "a win. That was beyond the **horizon**. Look further!"
            )
        else:
            sentence = N_(
                "At depth **{depth}**, {symbol} finds {cell}: {guess}. What was beyond the horizon "
                "is now in sight."
            )
        return self._(
            sentence,
            depth=demo.glimpse.depth,
            symbol=SYMBOLS[demo.board.to_move],
            other=SYMBOLS[demo.board.to_move.other],
            cell=f"**{demo.board.rules.coordinate(demo.glimpse.action)}**",
            guess=self._guess(demo),
        )

    def _guess(self, demo: DepthLimitDemo) -> str:
        if demo.glimpse.guess is None:
            return self._(NC_("search", "a sure win"))
        # Translators: {guess} is a number with its sign.
        return self._("a guess of {guess}", guess=f"**{with_sign(demo.glimpse.guess)}**")

    def _overview(self) -> str:
        return self._(
            "On big boards I can't read everything. So I ask less: can I force a win? Can you? A "
            "threat leaves one reply: little to read. With too few open lines you can't win "
            "([Erdős-Selfridge]({link})).",
            link=ERDOS_SELFRIDGE_URL,
        )

    def back_button(self) -> str:
        return self._(BACK)

    def next_button(self) -> str:
        return self._(NEXT)

    def play_button(self) -> str:
        return self._(PLAY)

    def up_button(self) -> str:
        return self._(NC_("tree", "Up"))

    def depth_button(self, depth: int) -> str:
        return self._(NC_("button", "Depth {n}"), n=depth)

    def hint_confirmation(self) -> str:
        return self._("You're playing me: a lesson on your match counts as a hint.")

    def example_button(self) -> str:
        return self._(NC_("button", "An example"))

    def my_match_button(self) -> str:
        return self._(NC_("button", "My match (a hint)"))


PICTURE_NAME = "velha.png"

# Numbers that keep the custom_ids on a page different; those of choices are in between.
_BACK_ID = 0
_NEXT_ID = 1
_UP_ID = 2
_FIRST_DEPTH_ID = 10
_FIRST_CELL_ID = 20


def tutorial_view(content: TutorialContent, language: Language) -> ui.LayoutView:
    """A page: its picture, text, choices, a board to walk on, and navigation buttons."""
    texts = TutorialTexts(language)
    question = question_of(content)
    items: list[ui.Item[Any]] = []
    if picture := picture_of(content):
        items.append(_gallery(picture, texts))
    if isinstance(content, OwnTree):
        items += _leaf_rows(content)
    if question is not None:
        items.append(choice_row(content.page, question))
    if isinstance(content, TreeWalk):
        items += _walkable_board(content, language.symbols)
    if isinstance(content, DepthLimitDemo):
        items += _board_with_guesses(content, language.symbols)
        items.append(_depth_row(content, texts))
    is_asking = question is not None and not shows_answer(content)
    items.append(ui.ActionRow(*_navigation(content.page, texts, is_asking=is_asking)))
    return container_view(texts.screen(content), *items, symbols=language.symbols)


def picture_of(content: object) -> Diagram | None:
    """The picture that goes with a page, if any."""
    return content.picture if isinstance(content, TreeWalk | PruningDemo | FastestWin) else None


def hint_confirmation_view(language: Language) -> ui.LayoutView:
    """The question whether to learn from an example or from one's own match with the bot."""
    texts = TutorialTexts(language)
    buttons = (
        button(custom_id(TutorialPage(EXAMPLE_GAME), 0), label=texts.example_button()),
        button(custom_id(ShortcutPage(Shortcut.MY_MATCH), 1), label=texts.my_match_button()),
    )
    return container_view(
        texts.hint_confirmation(),
        ui.ActionRow(*buttons),
        symbols=language.symbols,
        colour=discord.Colour.blurple(),
    )


def _gallery(picture: Diagram, texts: TutorialTexts) -> ui.MediaGallery[Any]:
    url = f"attachment://{PICTURE_NAME}"
    return ui.MediaGallery(discord.MediaGalleryItem(url, description=texts.alt_text(picture)))


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
    shows_values = page.chapter is Chapter.NUMBERS and not walk.shows_more_than_a_move
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
    gives_win = demo.glimpse.proven_worth.value is Value.WIN
    chosen_style = styles.get(chosen, CellStyle(emoji=symbols.of(board.to_move)))
    styles[chosen] = chosen_style._replace(
        button_style=ButtonStyle.danger if gives_win else ButtonStyle.success
    )
    return board_rows(board, styles, {}, symbols)


def _depth_row(demo: DepthLimitDemo, texts: TutorialTexts) -> ui.ActionRow[Any]:
    """The buttons that choose how deep to search."""
    buttons = [
        button(
            custom_id(replace(demo.page, answer=number), _FIRST_DEPTH_ID + number),
            label=texts.depth_button(depth),
            style=ButtonStyle.primary if depth == demo.glimpse.depth else ButtonStyle.secondary,
        )
        for number, depth in enumerate(DEPTHS)
    ]
    return ui.ActionRow(*buttons)


def _navigation(
    page: TutorialPage, texts: TutorialTexts, *, is_asking: bool
) -> Iterator[ui.Button[Any]]:
    """The buttons Back, Next and Up; the one to press next is highlighted.

    On the last page, a button starts a match, unless the tutorial is on a match already.
    """
    can_go_up = page.chapter in WALKABLE and bool(page.path)
    should_go_up = page.chapter is Chapter.NUMBERS and can_go_up and not is_asking
    next_style = ButtonStyle.secondary if is_asking or should_go_up else ButtonStyle.primary
    previous_page = _adjacent_page(page, -1)
    next_page = _adjacent_page(page, 1)
    yield button(
        custom_id(previous_page or page, _BACK_ID),
        label=texts.back_button(),
        disabled=previous_page is None,
    )
    if next_page is not None:
        yield button(custom_id(next_page, _NEXT_ID), label=texts.next_button(), style=next_style)
    elif not page.is_on_match:
        start_id = custom_id(ShortcutPage(Shortcut.START), _NEXT_ID)
        yield button(start_id, label=texts.play_button(), style=next_style)
    if can_go_up:
        yield button(
            custom_id(TutorialPage(page.record, page.chapter, page.path[:-1]), _UP_ID),
            label=texts.up_button(),
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

"""The texts of the tutorial's first chapters, on which one walks a game tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import factorial

from bot.domain.tree_diagram import DiagramNode, NodeStyle
from bot.domain.tutorial import (
    Chapter,
    TreeWalk,
    TutorialPage,
    shows_answer,
)
from bot.views.i18n import N_, NC_, Sentence, with_minus, with_sign
from bot.views.symbols import SYMBOLS
from bot.views.tutorial_questions import QuestionTexts
from engine import Mark, small_tree

# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# {number} is +1, 0 or -1, {cell} a cell. **max** and **min** stand in the picture too: keep them
# in brackets.
CHOICE_SENTENCES: Mapping[Mark, Sentence] = {
    Mark.X: N_("❌ takes the **largest** (max): **{number}**, with {cell}."),
    Mark.O: N_("⭕ takes the **smallest** (min): **{number}**, with {cell}."),
}

OUTCOME_SENTENCES: Mapping[int, Sentence] = {
    1: N_("The game is over: ❌ has won."),
    -1: N_("The game is over: ⭕ has won."),
    0: N_("The game is over: a draw."),
}

# Translators, from here on: in words for people who cannot see the picture of a tree.
# Translators: of boards in the picture of a tree, where they stand in brackets.
CUT_NOTE = NC_("branch", "cut")

CHOSEN_NOTE = NC_("branch", "taken")

CURRENT_NOTE = NC_("branch", "you are here")


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# **Up** is a button: as you translate it there. {symbol} is ❌ or ⭕.
class TreeTexts(QuestionTexts):
    """The pages on which one walks a game tree, in one language."""

    def position(self, walk: TreeWalk) -> Iterator[str]:
        """The text for the position that was walked to."""
        page = walk.page
        if page.chapter is Chapter.TREE:
            yield self._tree(page)
        elif shows_answer(walk):
            yield self._value_answer(walk)
        else:
            yield self.prompt(page, self._value_question(page))
        if page.is_on_match and page == TutorialPage(page.record):
            yield self._("-# This channel's match: if it's yours, this counts as a hint.")

    def alt_text(self, diagram: DiagramNode) -> str:
        """The tree in words, for people who cannot see its picture."""
        board = diagram.board
        # Translators: {tree} is a list of moves, each with those that can follow in brackets.
        return self._(
            "Game tree. {marks}. {symbol}'s turn{notes}: {tree}.",
            marks=self._language.marks(board) or self._("An empty board"),
            symbol=SYMBOLS[board.to_move],
            notes="".join(f", {note}" for note in self._notes(diagram)),
            tree="; ".join(map(self._branch, diagram.children)),
        )

    def _tree(self, page: TutorialPage) -> str:
        board = page.board
        if board.is_terminal:
            # Translators: the end of a game, in a game tree.
            leaf = self._("This is a **leaf** of the tree. Go **Up** and try another branch.")
            return self._language.sentences(self._(OUTCOME_SENTENCES[board.utility]), leaf)
        if page.path:
            return self._(
                "{symbol}'s turn. Press a free cell to go down, or **Up** to go back.",
                symbol=SYMBOLS[board.to_move],
            )
        if small_tree(board):
            return self._(
                "Here's all that can still happen. Each line between boards is a move; a board "
                "with nothing below is a finished game. That's the **game tree**. Press a free "
                "cell to go down."
            )
        free_cells = len(board.actions())
        return self._language.ngettext(
            "{symbol}'s choices: **{free}**. With every reply, that's up to {n} game: the **game "
            "tree**. Press a free cell to go down.",
            "{symbol}'s choices: **{free}**. With every reply, that's up to {n} games: the **game "
            "tree**. Press a free cell to go down.",
            factorial(free_cells),
            symbol=SYMBOLS[board.to_move],
            free=free_cells,
        )

    def _value_question(self, page: TutorialPage) -> str:
        if page.board.is_terminal:
            return self._(
                "At the bottom, the rules decide: **+1** if ❌ has won, **{minus_one}** if "
                "⭕ has, **0** for a draw. Which number goes here?",
                minus_one=with_sign(-1),
            )
        # Translators: {minus_one} is -1, with the sign that is read aloud.
        return self._(
            "❌ has won: **+1**. ⭕ has won: **{minus_one}**. A draw: **0**. Further up, ❌ takes "
            "the **largest** number (max), ⭕ the **smallest** (min). Which number goes here?",
            minus_one=with_sign(-1),
        )

    def _value_answer(self, walk: TreeWalk) -> str:
        board = walk.page.board
        number = with_sign(walk.utility)
        sentences = [self.feedback(walk)]
        if board.is_terminal:
            sentences += [self._(OUTCOME_SENTENCES[board.utility]), f"**{number}**"]
        else:
            cell = f"**{board.rules.coordinate(walk.chosen)}**"
            sentences.append(self._(CHOICE_SENTENCES[board.to_move], number=number, cell=cell))
        answer = self._language.sentences(*sentences)
        return f"{answer}\n{self._after_value_answer(walk.page)}"

    def _after_value_answer(self, page: TutorialPage) -> str:
        if page.path:
            return self._("Now go **Up**: which number belongs there?")
        return self._(
            "So each number says how the game ends if nobody makes a mistake. That's **minimax**."
        )

    def _branch(self, diagram: DiagramNode) -> str:
        assert diagram.action is not None, "every board but the first comes by a move"
        cell = diagram.board.rules.coordinate(diagram.action)
        move = " ".join([cell, *self._notes(diagram)])
        replies = ", ".join(map(self._branch, diagram.children))
        return f"{move} ({replies})" if replies else move

    def _notes(self, diagram: DiagramNode) -> Iterator[str]:
        """A board's captions, and in words how it is drawn."""
        if diagram.style is NodeStyle.CUT:
            yield self._(CUT_NOTE)
        yield from map(with_minus, diagram.captions)
        if diagram.is_chosen:
            yield self._(CHOSEN_NOTE)
        if diagram.style is NodeStyle.CURRENT:
            yield self._(CURRENT_NOTE)

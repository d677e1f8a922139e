"""The texts of a game tree: of the positions one walks through, and of its picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import factorial

from bot.game.learn import Chapter, LearnPage
from bot.game.minimax import Question, Walk
from bot.game.sketch import Look, Sketch
from bot.texts.judgements import signed, with_minus
from bot.texts.words import N_, NC_, SYMBOLS, Sentence, Texts
from engine import Mark, small_tree

CHOOSES: Mapping[Mark, Sentence] = {
    Mark.X: N_("❌ takes the **largest** (max): **{number}**, with {cell}."),
    Mark.O: N_("⭕ takes the **smallest** (min): **{number}**, with {cell}."),
}
ENDS: Mapping[int, Sentence] = {
    1: N_("The game is over: ❌ has won."),
    -1: N_("The game is over: ⭕ has won."),
    0: N_("The game is over: a draw."),
}
# Translators: of boards in the picture of a tree, where they stand in brackets.
CUT, TAKEN = NC_("branch", "cut"), NC_("branch", "taken")
HERE = NC_("branch", "you are here")


class TreeTexts(Texts):
    """A game tree, in one language."""

    def walk(self, walk: Walk) -> Iterator[str]:
        """The text for the position that was walked to."""
        page = walk.page
        if page.chapter is Chapter.TREE:
            yield self._tree(page)
        elif page.answer is None:
            yield self._asks_number(page)
        else:
            yield self._number(walk)
        if page.is_on_match and page == LearnPage(page.record):
            yield self._("-# This channel's match: if it's yours, this counts as a hint.")

    def _tree(self, page: LearnPage) -> str:
        board, free = page.board, len(page.board.actions())
        if board.is_terminal:
            # Translators: the end of a game, in a game tree.
            leaf = self._("This is a **leaf** of the tree. Go **Up** and try another branch.")
            return f"{self._(ENDS[board.utility])} {leaf}"
        if page.path:
            return self._(
                "{symbol} to move. Press a free cell to go down, or **Up** to go back.",
                symbol=SYMBOLS[board.to_move],
            )
        if small_tree(board):
            return self._(
                "Here's what can still happen: lines are moves, and a board with none below is a "
                "finished game. That's the **game tree**. Press a free cell to go down."
            )
        # Translators: {ways} is a number.
        return self._(
            "{symbol} has **{free}** cells to choose from. With every reply, that's up to "
            "{ways} games: the **game tree**. Press a free cell to go down.",
            symbol=SYMBOLS[board.to_move],
            free=free,
            ways=self._language.number(factorial(free)),
        )

    def _asks_number(self, page: LearnPage) -> str:
        if page.board.is_terminal:
            return self._(
                "At the bottom, the rules decide: **+1** if ❌ has won, **{minus_one}** if "
                "⭕ has, **0** for a draw. Which number goes here?",
                minus_one=signed(-1),
            )
        # Translators: {minus_one} is -1, with the sign that is read aloud.
        return self._(
            "❌ has won: **+1**. ⭕ has won: **{minus_one}**. A draw: **0**. Further up, ❌ takes "
            "the **largest** number (max), ⭕ the **smallest** (min). Which number goes here?",
            minus_one=signed(-1),
        )

    def _number(self, walk: Walk) -> str:
        board, number = walk.page.board, signed(walk.number)
        if board.is_terminal:
            why = f"{self._(ENDS[board.utility])} **{number}**."
        else:
            cell = board.rules.coordinate(walk.chosen)
            why = self._(CHOOSES[board.to_move], number=number, cell=f"**{cell}**")
        if walk.page.path:
            more = self._("Now go **Up**: which number belongs there?")
        else:
            more = self._(
                "So each number says how the game ends if nobody makes a mistake. "
                "That's **minimax**."
            )
        return f"{self.verdict(walk.page, walk.question)} {why}\n{more}"

    def verdict(self, page: LearnPage, question: Question | None) -> str:
        """Whether an answer was right."""
        is_right = question is not None and page.answer == question.right
        return self._("Right!") if is_right else self._("Not quite.")

    def alternative(self, sketch: Sketch) -> str:
        """The alternative text of a picture, for people who cannot see it."""
        board = sketch.board
        below = "; ".join(map(self._branch, sketch.children))
        # Translators: {tree} is a list of moves, each with those that can follow in brackets.
        return self._(
            "Game tree. {marks}. {symbol} to move{notes}: {tree}.",
            marks=self._language.marks(board) or self._("An empty board"),
            symbol=SYMBOLS[board.to_move],
            notes="".join(f", {note}" for note in self._notes(sketch)),
            tree=below,
        )

    def _branch(self, sketch: Sketch) -> str:
        assert sketch.made is not None, "every board but the first comes by a move"
        notes = " ".join([sketch.board.rules.coordinate(sketch.made), *self._notes(sketch)])
        below = ", ".join(map(self._branch, sketch.children))
        return f"{notes} ({below})" if below else notes

    def _notes(self, sketch: Sketch) -> Iterator[str]:
        """A board's captions, and in words how it is drawn."""
        if sketch.look is Look.CUT:
            yield self._(CUT)
        yield from map(with_minus, sketch.captions)
        if sketch.is_taken:
            yield self._(TAKEN)
        if sketch.look is Look.HERE:
            yield self._(HERE)

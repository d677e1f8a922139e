"""The texts of the tutorial's chapters on searches: pruning, what it saves, and fastest wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.domain.tree_diagram import UNKNOWN_VALUE, UNREAD_NAMES
from bot.domain.tutorial import (
    CUT_RULES,
    Chapter,
    FastestWin,
    OwnTree,
    PruningDemo,
    SearchComparison,
    shows_answer,
)
from bot.views.i18n import N_, Sentence, with_sign
from bot.views.tutorial_questions import QuestionTexts
from engine import Way, depth_within_reach
from engine.terminal.columns import columns, ljust, rjust


class QuestionAndAnswer(NamedTuple):
    """What a page on cut branches asks, and what it says once the answer is known."""

    question: Sentence
    answer: Sentence


# Translators, from here on: questions on the picture of a game tree, and what is said of the
# answers. {first}, {second} are cells; {sure}, {reply} numbers with their signs; {a}, {b} letters
# in the picture.
PRUNING_QUESTIONS: Mapping[Chapter, QuestionAndAnswer] = {
    Chapter.ALPHA: QuestionAndAnswer(
        N_("Read from the left. ❌ plays {first}, then ⭕ chooses. What is ❌ sure of here?"),
        N_("With {first}, ❌ gets **{sure}** at least. What ❌ is sure of is called **alpha**."),
    ),
    Chapter.BETA: QuestionAndAnswer(
        N_("Next, {second}. ⭕ has found this reply so far. What can ❌ get here, at most?"),
        N_("**{reply}**. ⭕ has that now, and may find even less. What ⭕ is sure of is **beta**."),
    ),
    Chapter.PRUNING: QuestionAndAnswer(
        N_(
            "{first} is worth **{sure}** to ❌. After {second}, ⭕ has found **{reply}**. What can "
            "you skip: **{a}**, **{b}**, or both?"
        ),
        N_(
            "❌ has {sure} already. With {second} it's {reply} at most, whatever **{a}** holds. "
            "But **{b}** might be better."
        ),
    ),
    Chapter.RULE: QuestionAndAnswer(
        N_("So **{a}** was cut: alpha was {sure}, beta was {reply}. When can you always cut?"),
        N_("**Cut when {rule}.** ❌ has {sure} elsewhere, so ❌ never comes here for {reply}."),
    ),
    Chapter.SAVED: QuestionAndAnswer(
        N_(
            "The grey boards were never read. Plain minimax visits every board in this picture, "
            "the top one too. How many visits does alpha-beta save?"
        ),
        N_(
            "Count the grey boards: **{saved}**. Alpha-beta makes **{visits}** visits, plain "
            "minimax {all}, and both find **{number}**."
        ),
    ),
}


# Translators, from here on: a line of a table in letters of equal width: about 12 letters.
SEARCH_NAMES: Mapping[Way, Sentence] = {
    Way.PLAIN: N_("minimax"),
    Way.PRUNED: N_("alpha-beta"),
    Way.ORDERED: N_("+ order"),
    Way.WITH_MEMORY: N_("+ memory"),
    # Translators: both order and memory.
    Way.WITH_BOTH: N_("+ both"),
}


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# **alpha** and **beta** stand in the picture too: keep them recognisable. {n} and {all} count
# positions that were read.
class SearchTexts(QuestionTexts):
    """The chapters on how a tree is searched, in one language."""

    def pruning(self, demo: PruningDemo) -> str:
        """A question about cut branches; once it is answered, whether that was right, and why."""
        texts = PRUNING_QUESTIONS[demo.page.chapter]
        coordinate = demo.tree.board.rules.coordinate
        assert demo.best_before_cut.action is not None
        assert demo.cut_node.action is not None
        values = {
            "first": coordinate(demo.best_before_cut.action),
            "second": coordinate(demo.cut_node.action),
            "sure": with_sign(demo.best_before_cut.value),
            "reply": with_sign(demo.refutation.value),
            "a": UNREAD_NAMES[0],
            "b": UNREAD_NAMES[1],
            "rule": CUT_RULES[1],
            "saved": demo.saved,
            "visits": demo.visits,
            "all": demo.saved + demo.visits,
            "number": with_sign(demo.tree.value),
        }
        if shows_answer(demo):
            return self._language.sentences(self.feedback(demo), self._(texts.answer, **values))
        return self.prompt(demo.page, self._(texts.question, **values))

    def own_tree(self, tree: OwnTree) -> str:
        """The tree whose leaves the reader chooses, and what alpha-beta reads of it."""
        is_answered = shows_answer(tree)
        picture = _drawn_tree(tree, is_answered=is_answered)
        if is_answered:
            text = self._language.sentences(self.feedback(tree), self._own_tree_answer(tree))
        else:
            text = self.prompt(tree.page, self._own_tree_question())
        return f"{picture}\n{text}"

    def comparison(self, comparison: SearchComparison) -> str:
        """A table of how many nodes each search visits, and why."""
        searches = comparison.searches
        rows = [
            (self._(name), self._language.number(searches[way].nodes))
            for way, name in SEARCH_NAMES.items()
        ]
        if searches[Way.ORDERED].nodes <= searches[Way.PRUNED].nodes:
            note = self._("Order: good-looking moves first. Memory: hardly anything is read twice.")
        else:
            note = self._("Order: good-looking moves first; here that costs more. Memory helps.")
        return "\n".join([self._reach(comparison), _table(rows), note])

    def fastest_win(self, demo: FastestWin) -> str:
        """The question which of two wins to take, or why the sooner one is better."""
        rules = demo.fastest.board.rules
        wins = [verdict.action for verdict in demo.wins]
        if not shows_answer(demo):
            question = self._(
                "{cells} are both **+1**. A search that knows only {minus_one}, 0 and +1 takes "
                "the first it reads: {first}. Which would you take?",
                cells=self._language.cells(rules, wins),
                minus_one=with_sign(-1),
                first=f"**{rules.coordinate(wins[0])}**",
            )
            return self.prompt(demo.page, question)
        why = self._(
            "**{soonest}** wins now, {first} only later. With +1 alone, a win can wait and "
            "wait. So **depth** goes into the score: win sooner, lose later.",
            soonest=rules.coordinate(demo.fastest.action),
            first=rules.coordinate(wins[0]),
        )
        return self._language.sentences(self.feedback(demo), why)

    def _own_tree_question(self) -> str:
        return self._(
            "Change the numbers at the bottom: press them. Alpha-beta reads from the left. How "
            "many of them does it never read?"
        )

    def _own_tree_answer(self, tree: OwnTree) -> str:
        if tree.unread:
            # Translators: {alpha}, {beta} are numbers with their signs.
            return self._(
                "On the left, ❌ is sure of **{alpha}**. On the right, ⭕ finds **{beta}**: the "
                "rest is cut. Change a number and guess again!",
                alpha=with_sign(tree.alpha),
                beta=with_sign(tree.beta),
            )
        return self._(
            "On the left, ❌ is sure of **{alpha}**. On the right, nothing could be left out. "
            "Change a number and guess again!",
            alpha=with_sign(tree.alpha),
        )

    def _reach(self, comparison: SearchComparison) -> str:
        """How far the searches look ahead, and the value that all of them find."""
        board = comparison.board
        number = with_sign(int(comparison.searches[Way.PLAIN].value))
        depth = depth_within_reach(board)
        if depth < board.plies_left:
            return self._language.ngettext(
                "Visits from the match's board, only {n} move ahead. So far, each finds "
                "**{number}**:",
                "Visits from the match's board, only {n} moves ahead. So far, each finds "
                "**{number}**:",
                depth,
                number=number,
            )
        if board.plies == 0:
            return self._("Visits from the empty board. Each finds **{number}**:", number=number)
        return self._(
            "Visits from the match's board to the end. Each finds **{number}**:", number=number
        )


def _drawn_tree(tree: OwnTree, *, is_answered: bool) -> str:
    """A tree of two branches with three leaves each, drawn with characters."""
    value = alpha = beta = UNKNOWN_VALUE
    left = [with_sign(leaf) for leaf in tree.left]
    right = [with_sign(leaf) for leaf in tree.right]
    if is_answered:
        value = with_sign(tree.value)
        alpha = with_sign(tree.alpha)
        beta = f"≤{with_sign(tree.beta)}" if tree.unread else with_sign(tree.beta)
        right = [with_sign(leaf) for leaf in tree.read] + ["·"] * tree.unread
    left_leaves = "".join(f"{leaf:>3}" for leaf in left)
    right_leaves = "".join(f"{leaf:>3}" for leaf in right)
    lines = [
        f"max  {value:^23}",
        f"     {'┌─────┴─────┐':^23}",
        f"min {alpha:^12}{beta:^12}",
        f"    {'┌──┼──┐':^12}{'┌──┼──┐':^12}",
        f"    {left_leaves:^12}{right_leaves:^12}",
    ]
    return "\n".join(["```", *(line.rstrip() for line in lines), "```"])


def _table(rows: Sequence[tuple[str, str]]) -> str:
    """Names and numbers in two columns, in letters of equal width."""
    name_width = max(columns(name) for name, _number in rows)
    number_width = max(columns(number) for _name, number in rows)
    lines = [f"{ljust(name, name_width)}  {rjust(number, number_width)}" for name, number in rows]
    return "\n".join(["```", *lines, "```"])

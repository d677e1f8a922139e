"""The texts of the tutorial's chapters on searches: pruning, what it saves, and fastest wins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.domain.tree_diagram import CUT_OFF_NAME, READ_NEXT_NAME, UNKNOWN_VALUE
from bot.domain.tutorial import (
    CUT_RULE,
    Chapter,
    FastestWin,
    OwnTree,
    PruningDemo,
    SearchComparison,
    shows_answer,
)
from bot.views.i18n import N_, Sentence, with_sign
from bot.views.tutorial_questions import QuestionTexts
from engine import Node, Way, depth_within_reach
from engine.terminal.drawing import columns, ljust, rjust


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
        N_("**{reply}**. ⭕ has that now. What ⭕ is sure of is **beta**."),
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


_TREE_PICTURE = """\
max  {value:^23}
          ┌─────┴─────┐
min {alpha:^12}{beta:^12}
      ┌──┼──┐     ┌──┼──┐
    {left:^12}{right:^12}"""
"""A tree of two branches with three leaves each; the widths centre values above their branches."""

_LEAF_WIDTH = 3
_UNREAD_LEAF = "·"


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
        values = _pruning_values(demo)
        if shows_answer(demo):
            return self._language.sentences(self.feedback(demo), self._(texts.answer, **values))
        return self.prompt(demo.page, self._(texts.question, **values))

    def own_tree(self, tree: OwnTree) -> str:
        """The tree whose leaves the reader chooses, and what alpha-beta reads of it."""
        is_answered = shows_answer(tree)
        picture = _tree_picture(tree, is_answered=is_answered)
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
        return "\n".join([self._comparison_heading(comparison), _table(rows), note])

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
        if tree.unread_count:
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

    def _comparison_heading(self, comparison: SearchComparison) -> str:
        """How far the searches look ahead, and the value that all of them find."""
        board = comparison.board
        number = with_sign(int(comparison.searches[Way.PLAIN].utility))
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


def _pruning_values(demo: PruningDemo) -> Mapping[str, object]:
    """The values of the placeholders in the question and answer of a page on cut branches."""
    if demo.page.chapter is Chapter.SAVED:
        return {
            "saved": demo.saved,
            "visits": demo.visits,
            "all": demo.saved + demo.visits,
            "number": with_sign(demo.tree.utility),
        }
    return {
        "first": _move_to(demo.best_before_cut),
        "second": _move_to(demo.cut_node),
        "sure": with_sign(demo.best_before_cut.utility),
        "reply": with_sign(demo.refutation.utility),
        "a": CUT_OFF_NAME,
        "b": READ_NEXT_NAME,
        "rule": CUT_RULE,
    }


def _move_to(node: Node) -> str:
    """The name of the cell where the move was made that led to a node."""
    assert node.action is not None, "only the root has no move before it"
    return node.board.rules.coordinate(node.action)


def _tree_picture(tree: OwnTree, *, is_answered: bool) -> str:
    """The reader's tree, drawn with characters; once answered, with what alpha-beta finds in it."""
    if is_answered:
        read = map(with_sign, tree.read_leaves)
        picture = _TREE_PICTURE.format(
            value=with_sign(tree.value),
            alpha=with_sign(tree.alpha),
            beta=f"≤{with_sign(tree.beta)}" if tree.unread_count else with_sign(tree.beta),
            left=_leaf_row(map(with_sign, tree.left)),
            right=_leaf_row([*read, *[_UNREAD_LEAF] * tree.unread_count]),
        )
    else:
        picture = _TREE_PICTURE.format(
            value=UNKNOWN_VALUE,
            alpha=UNKNOWN_VALUE,
            beta=UNKNOWN_VALUE,
            left=_leaf_row(map(with_sign, tree.left)),
            right=_leaf_row(map(with_sign, tree.right)),
        )
    lines = [line.rstrip() for line in picture.splitlines()]
    return "\n".join(["```", *lines, "```"])


def _leaf_row(leaves: Iterable[str]) -> str:
    return "".join(leaf.rjust(_LEAF_WIDTH) for leaf in leaves)


def _table(rows: Sequence[tuple[str, str]]) -> str:
    """Names and numbers in two columns, in letters of equal width."""
    name_width = max(columns(name) for name, _number in rows)
    number_width = max(columns(number) for _name, number in rows)
    lines = [f"{ljust(name, name_width)}  {rjust(number, number_width)}" for name, number in rows]
    return "\n".join(["```", *lines, "```"])

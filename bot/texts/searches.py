"""Searches in the lesson on minimax: what they prune, how much they visit, what they prefer."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.learn import Chapter
from bot.game.minimax import Pruned, Sooner, Ways
from bot.game.sketch import UNREAD
from bot.texts.judgements import signed
from bot.texts.trees import TreeTexts
from bot.texts.words import N_, Language, Sentence, Texts
from engine import Way, depth_within_reach

WAYS: Mapping[Way, Sentence] = {
    # Translators: lines of a table, explained below it; so are those that follow.
    Way.PLAIN: N_("minimax"),
    Way.PRUNED: N_("alpha-beta"),
    Way.ORDERED: N_("+ order"),
    Way.WITH_MEMORY: N_("+ memory"),
    # Translators: both order and memory.
    Way.WITH_BOTH: N_("+ both"),
}


class SearchTexts(Texts):
    """Searches, in one language."""

    def __init__(self, language: Language, trees: TreeTexts) -> None:
        super().__init__(language)
        self._trees = trees

    def pruned(self, pruned: Pruned) -> str:
        is_first = pruned.page.chapter is Chapter.PRUNING
        return self._pruning(pruned) if is_first else self._saved(pruned)

    def _pruning(self, pruned: Pruned) -> str:
        page, name = pruned.page, pruned.tree.board.rules.coordinate
        assert pruned.best_before_cut.action is not None
        assert pruned.cut_node.action is not None
        sure, reply = signed(pruned.best_before_cut.value), signed(pruned.refutation.value)
        if page.answer is None:
            # Translators: {first}, {second} are cells; {a}, {b} are letters in a picture.
            return self._(
                "Read from the left. {first} is worth **{sure}** to ❌. After {second}, ⭕ has "
                "found **{reply}**. What can you skip: **{a}**, **{b}**, or both?",
                first=name(pruned.best_before_cut.action),
                second=name(pruned.cut_node.action),
                sure=sure,
                reply=reply,
                a=UNREAD[0],
                b=UNREAD[1],
            )
        if page.answer == pruned.question.right:
            verdict = self._("Right!")
        else:
            # Translators: {b} is a branch of a tree, by its letter.
            verdict = self._("Not quite: **{b}** might have been better.", b=UNREAD[1])
        why = self._(
            "❌ is sure of {sure} (**alpha**), ⭕ of {reply} here (**beta**). ❌ won't come here, "
            "whatever **{a}** holds. **Cut when alpha >= beta.**",
            sure=sure,
            reply=reply,
            a=UNREAD[0],
        )
        return f"{verdict} {why}"

    def _saved(self, pruned: Pruned) -> str:
        if pruned.page.answer is None:
            return self._(
                "The grey boards were never read. Plain minimax visits every board in this "
                "picture, the top one too. How many visits does alpha-beta save?"
            )
        why = self._(
            "Count the grey boards: **{saved}**. Alpha-beta makes **{visits}** visits, plain "
            "minimax {all}, and both find **{number}**.",
            saved=pruned.saved,
            visits=pruned.visits,
            all=pruned.saved + pruned.visits,
            number=signed(pruned.tree.value),
        )
        return f"{self._trees.verdict(pruned.page, pruned.question)} {why}"

    def ways(self, ways: Ways) -> str:
        found = ways.found
        names = {way: self._(name) for way, name in WAYS.items()}
        width = max(map(len, names.values()))
        counts = {way: self._language.number(found[way].nodes) for way in names}
        most = max(map(len, counts.values()))
        table = "\n".join(f"{names[way]:<{width}}  {counts[way]:>{most}}" for way in names)
        is_cheaper = found[Way.ORDERED].nodes <= found[Way.PRUNED].nodes
        order = (
            self._("Order: good-looking moves first. Memory: hardly anything is read twice.")
            if is_cheaper
            else self._("Order: good-looking moves first; here that costs more. Memory helps.")
        )
        return f"{self._reach(ways)}\n```\n{table}\n```\n{order}"

    def _reach(self, ways: Ways) -> str:
        number = signed(int(ways.found[Way.PLAIN].value))
        depth = depth_within_reach(ways.board)
        if depth < ways.board.plies_left:
            return self._language.ngettext(
                "Visits from the match's board, only {n} move ahead. So far, each finds "
                "**{number}**:",
                "Visits from the match's board, only {n} moves ahead. So far, each finds "
                "**{number}**:",
                depth,
                number=number,
            )
        if ways.board.plies == 0:
            return self._("Visits from the empty board. Each finds **{number}**:", number=number)
        return self._(
            "Visits from the match's board to the end. Each finds **{number}**:", number=number
        )

    def sooner(self, sooner: Sooner) -> str:
        name = sooner.soonest.board.rules.coordinate
        first, soonest = sooner.wins[0], sooner.soonest
        if sooner.page.answer is None:
            return self._(
                "{cells} are both **+1**. A search that knows only {minus_one}, 0 and +1 takes "
                "the first it reads: {first}. Which would you take?",
                cells=self._language.cells(
                    soonest.board.rules, [verdict.action for verdict in sooner.wins]
                ),
                minus_one=signed(-1),
                first=f"**{name(first.action)}**",
            )
        why = self._(
            "**{soonest}** wins now, {first} only later. With +1 alone, a win can wait and "
            "wait. So **depth** goes into the score: win sooner, lose later.",
            soonest=name(soonest.action),
            first=name(first.action),
        )
        return f"{self._trees.verdict(sooner.page, sooner.question)} {why}"

"""The lesson on minimax: for a curious twelve-year-old, and correct. At most 40 words a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import factorial

from bot.game.learn import DEPTHS, Chapter
from bot.game.minimax import Minimax, Pruned, Sight, Sooner, Walk, Ways
from bot.game.sketch import UNREAD
from bot.texts.judgements import signed
from bot.texts.trees import TreeTexts
from bot.texts.words import N_, NC_, SYMBOLS, Language, Sentence
from engine import Value, Way, depth_within_reach

TITLES: Mapping[Chapter, Sentence] = {
    Chapter.TREE: N_("The game tree"),
    Chapter.NUMBERS: N_("What the numbers mean"),
    Chapter.PRUNING: N_("Cutting branches off"),
    Chapter.SAVED: N_("What it saves"),
    Chapter.WAYS: N_("On a whole board"),
    Chapter.SOONER: N_("Sooner is better"),
    Chapter.LIMIT: N_("Stopping early"),
    Chapter.HORIZON: N_("The horizon"),
    Chapter.MIND: N_("How I think"),
}
WAYS: Mapping[Way, Sentence] = {
    # Translators: lines of a table, explained below it; so are those that follow.
    Way.PLAIN: N_("minimax"),
    Way.PRUNED: N_("alpha-beta"),
    Way.ORDERED: N_("+ order"),
    Way.WITH_MEMORY: N_("+ memory"),
    # Translators: both order and memory.
    Way.WITH_BOTH: N_("+ both"),
}
TURNS: Sequence[Sentence] = (
    # Translators: buttons that turn to the screen before, and to the next.
    NC_("screen", "Back"),
    NC_("screen", "Next"),
)
THEOREM = "https://en.wikipedia.org/wiki/Maker-Breaker_game"
"""Where the theorem of Erdos and Selfridge is told."""


class MinimaxTexts:
    """How minimax works, and how Velha thinks, in one language."""

    def __init__(self, language: Language) -> None:
        self._language, self._ = language, language.say
        self._trees = TreeTexts(language)
        self.alternative = self._trees.alternative

    def screen(self, lesson: Minimax) -> str:
        """All that is written on a page."""
        match lesson:
            case Walk():
                lines = list(self._trees.walk(lesson))
            case Pruned(page):
                is_first = page.chapter is Chapter.PRUNING
                lines = [self._pruning(lesson) if is_first else self._saved(lesson)]
            case Ways():
                lines = [self._ways(lesson)]
            case Sooner():
                lines = [self._sooner(lesson)]
            case Sight(page):
                is_first = page.chapter is Chapter.LIMIT
                lines = [self._limit(lesson) if is_first else self._horizon(lesson)]
                lines.append(f"-# {self._language.board(lesson.board.rules)}")
            case _:
                lines = [self._mind()]
        return "\n".join([self._title(lesson.page.chapter), *lines])

    def _title(self, chapter: Chapter) -> str:
        return f"## {chapter}/{max(Chapter)} · {self._(TITLES[chapter])}"

    def _pruning(self, pruned: Pruned) -> str:
        page, name = pruned.page, pruned.tree.board.rules.coordinate
        assert pruned.sure.action is not None
        assert pruned.parent.action is not None
        sure, reply = signed(pruned.sure.value), signed(pruned.reply.value)
        if page.answer is None:
            # Translators: {first}, {second} are cells; {a}, {b} are letters in a picture.
            return self._(
                "Read from the left. {first} is worth **{sure}** to ❌. After {second}, ⭕ has "
                "found **{reply}**. Which one can you skip, **{a}** or **{b}**?",
                first=name(pruned.sure.action),
                second=name(pruned.parent.action),
                sure=sure,
                reply=reply,
                a=UNREAD[0],
                b=UNREAD[1],
            )
        if page.answer == pruned.question.right:
            verdict = self._("Right!")
        else:
            # Translators: {b} is a branch of a tree, by its letter.
            verdict = self._("No: **{b}** might be better.", b=UNREAD[1])
        why = self._(
            "❌ is sure of {sure} (**alpha**), ⭕ of {reply} here (**beta**). ❌ will not come "
            "here, whatever **{a}** holds. **Cut when alpha >= beta.**",
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

    def _ways(self, ways: Ways) -> str:
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
                "Visits, looking only {n} move ahead. So far, each finds **{number}**:",
                "Visits, looking only {n} moves ahead. So far, each finds **{number}**:",
                depth,
                number=number,
            )
        if ways.board.plies == 0:
            return self._("Visits from the empty board. Each finds **{number}**:", number=number)
        return self._("Visits from here to the end. Each finds **{number}**:", number=number)

    def _sooner(self, sooner: Sooner) -> str:
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
            "**{soonest}** wins now, {first} in {n} moves. With +1 alone, a win can wait and "
            "wait. So **depth** goes into the score: win sooner, lose later.",
            soonest=name(soonest.action),
            first=name(first.action),
            n=first.worth.plies_to_end,
        )
        return f"{self._trees.verdict(sooner.page, sooner.question)} {why}"

    def _limit(self, sight: Sight) -> str:
        board = sight.board
        # Translators: {games} is a number; {cell} a cell, {guess} a number with its sign.
        return self._(
            "Up to {games} games: too many. So the search stops early and **guesses**: "
            "lines open for ❌ minus lines open for ⭕. Looking **{depth}** ahead, it picks "
            "{cell}: {guess}.",
            games=self._language.number(factorial(board.plies_left)),
            depth=sight.glimpse.depth,
            cell=f"**{board.rules.coordinate(sight.glimpse.action)}**",
            guess=self._guess(sight),
        )

    def _horizon(self, sight: Sight) -> str:
        cell = f"**{sight.board.rules.coordinate(sight.glimpse.action)}**"
        if sight.glimpse.truly.value is Value.WIN:
            # Translators: {other} is ⭕.
            return self._(
                "Looking **{depth}** ahead, {symbol} takes {cell}: {guess}. But then "
                "{other} can force a win. That was beyond the **horizon**. Look further!",
                depth=sight.glimpse.depth,
                symbol=SYMBOLS[sight.board.to_move],
                other=SYMBOLS[sight.board.to_move.other],
                cell=cell,
                guess=self._guess(sight),
            )
        return self._(
            "Looking **{depth}** ahead, {symbol} finds {cell}: {guess}. What was beyond "
            "the horizon is now in sight.",
            depth=sight.glimpse.depth,
            symbol=SYMBOLS[sight.board.to_move],
            cell=cell,
            guess=self._guess(sight),
        )

    def _guess(self, sight: Sight) -> str:
        if sight.glimpse.guess is None:
            return self._(NC_("search", "a sure win"))
        # Translators: {guess} is a number with its sign.
        return self._("a guess of {guess}", guess=f"**{signed(sight.glimpse.guess)}**")

    def _mind(self) -> str:
        return self._(
            "I ask: can I force a win? Can you? Forced replies first (`engine/solver.py`). "
            "[Erdős-Selfridge]({link}): an open line missing r marks weighs 2^-r. If yours "
            "total under 1 on my move, I can block them all.",
            link=THEOREM,
        )

    # Buttons

    def turn_buttons(self) -> list[str]:
        return [self._(turn) for turn in TURNS]

    def up_button(self) -> str:
        return self._(NC_("tree", "Up"))

    def depth_buttons(self) -> list[str]:
        """How many moves ahead to look."""
        return [self._language.ngettext("{n} move", "{n} moves", depth) for depth in DEPTHS]

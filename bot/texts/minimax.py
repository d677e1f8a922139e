"""The lesson on minimax: for a curious fourteen-year-old, and correct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import factorial

from bot.game.page import Chapter
from bot.texts.judgements import CUT, Judgements, signed
from bot.texts.words import N_, NC_, SYMBOLS, Language, Sentence
from engine import Board, Cell, Cutoff, Search, Verdict, Way, depth_within_reach

TITLES: Mapping[Chapter, Sentence] = {
    Chapter.TREE: N_("The game tree"),
    Chapter.NUMBERS: N_("What the numbers mean"),
    Chapter.PRUNING: N_("Cutting branches off"),
    Chapter.COSTS: N_("What it saves"),
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


class MinimaxTexts:
    """How Velha thinks, in one language."""

    def __init__(self, language: Language, judgements: Judgements) -> None:
        self._language, self._ = language, language.say
        self._judgements = judgements

    def learn_title(self, screen: int, screens: int) -> str:
        return f"## {screen}/{screens} · {self._(TITLES[Chapter(screen)])}"

    def tree(self, board: Board) -> str:
        free = len(board.actions())
        # Translators: {less} is one less than {free}; {ways} is a number.
        return self._(
            "{symbol} is to move and can choose among **{free}** cells. Unless that ends the game, "
            "{other} then has {less} replies, and so on until it is over.\n"
            "Draw a line from this position to each of those that can follow, and from each of "
            "them to each that can follow next: that is the **game tree**. This position is its "
            "root, every move a branch, every finished game a leaf.\n"
            "There are {ways} orders in which to fill {free} cells: that would be the number of "
            "leaves, if no game ended earlier. To play well is to know which branch to take.",
            symbol=SYMBOLS[board.to_move],
            other=SYMBOLS[board.to_move.other],
            free=free,
            less=free - 1,
            ways=self._language.number(factorial(free)),
        )

    def numbers(self, verdicts: Sequence[Verdict]) -> str:
        best = verdicts[0]
        return "\n".join(
            [
                # Translators: {minus_one} is -1, with the sign that is read aloud.
                self._(
                    "Write a number on every leaf: **+1** where ❌ has won, **{minus_one}** "
                    "where ⭕ has won, **0** for a draw. Then go back towards the root. Where ❌ "
                    "chooses, a position gets the **largest** of the numbers of the positions that "
                    "can follow; where ⭕ chooses, the **smallest**. Largest and smallest in turn: "
                    "that is **minimax**.\n"
                    "So each number says how the game ends if nobody makes a mistake. This "
                    "position has **{number}**. It is the turn of {symbol}; each move leads to:",
                    number=signed(best.worth.value.utility(best.mark)),
                    minus_one=signed(-1),
                    symbol=SYMBOLS[best.mark],
                ),
                self._judgements.legend(verdicts, numbered=True),
            ]
        )

    def pruning(self, board: Board, cutoff: Cutoff | None) -> str:
        if cutoff is None:
            return self._(
                "Once a reply shows that a move is no better than one you know already, the other "
                "replies to that move need not be read: that is **alpha-beta pruning**. Here there "
                "is nothing to cut off: each move has to be read to its end."
            )
        name = board.rules.coordinate
        # Translators: {best}, {second}, {reply} are cells; {symbol}, {other} are ❌, ⭕.
        cut = self._language.ngettext(
            "Say {symbol} has read {best} to its end and knows: it is worth **{sure}**. Next comes "
            "{symbol} {second}. Its replies are read until {other} {reply}, which is worth "
            "**{at_most}**. {other} can always choose that, so {second} is no better for {symbol} "
            "than {best}, whatever the one reply not read yet is worth. It is cut off ({cut}), "
            "with the whole tree behind it.",
            "Say {symbol} has read {best} to its end and knows: it is worth **{sure}**. Next comes "
            "{symbol} {second}. Its replies are read until {other} {reply}, which is worth "
            "**{at_most}**. {other} can always choose that, so {second} is no better for {symbol} "
            "than {best}, whatever the **{n}** replies not read yet are worth. They are cut off "
            "({cut}), each with the whole tree behind it.",
            len(cutoff.skipped),
            symbol=SYMBOLS[board.to_move],
            other=SYMBOLS[board.to_move.other],
            best=f"**{name(cutoff.best)}**",
            sure=signed(cutoff.sure),
            second=f"**{name(cutoff.other)}**",
            reply=f"**{name(cutoff.reply)}**",
            at_most=signed(cutoff.at_most),
            cut=CUT,
        )
        return cut + self._(
            "\nThis is **alpha-beta pruning**: *alpha* is what ❌ is sure of, *beta* what ⭕ is; "
            "between them lies what still matters. The answer stays exactly the same. The better "
            "the move that is read first, the more is cut."
        )

    def costs(self, board: Board, found: Mapping[Way, Search[Cell]]) -> str:
        names = {way: self._(name) for way, name in WAYS.items()}
        width = max(map(len, names.values()))
        counts = {way: self._language.number(found[way].nodes) for way in names}
        most = max(map(len, counts.values()))
        table = "\n".join(f"{names[way]:<{width}}  {counts[way]:>{most}}" for way in names)
        depth = depth_within_reach(board)
        if depth == len(board.actions()):
            reach = self._("Positions that each search visits, from here to the end of every game:")
        else:
            reach = self._language.ngettext(
                "Positions that each search visits, looking {n} move ahead:",
                "Positions that each search visits, looking {n} moves ahead:",
                depth,
            )
        return f"{reach}\n```\n{table}\n```\n" + self._(
            "All these searches find the same value; only the cost differs. Order: moves that look "
            "good are read first, which usually leaves more to cut off. Memory: a position reached "
            "again by another order of moves seldom has to be read again.\n"
            "The code is there to be read: `engine/alphabeta.py`. `python3 -m engine --watch` "
            "counts along while you play."
        )

    def lesson_on_match(self) -> str:
        return self._("-# The board of this channel's match: for its player this counts as a hint.")

    def turn_buttons(self) -> list[str]:
        return [self._(turn) for turn in TURNS]

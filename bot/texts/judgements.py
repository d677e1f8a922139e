"""What a position and a move are worth and good for, in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.texts.words import SYMBOLS, Words
from engine import (
    Cell,
    Mark,
    Reason,
    Rules,
    Value,
    Verdict,
    Worth,
)

VALUE_SYMBOLS = {Value.WIN: "🏆", Value.DRAW: "🤝", Value.LOSS: "💀"}
_MINUS = "\N{MINUS SIGN}"  # a hyphen is not read aloud
ASKED, BETTER, CUT, HIT, MISS = "🔎", "💡", "✂️", "🎯", "💥"


class Judgements(Words):
    """The engine's verdicts, in one language."""

    def outlook(self, worth: Worth, mark: Mark) -> str:
        """What best play leads to from a position, `worth` being what it is to `mark`."""
        if worth.value is Value.DRAW:
            return self._("With best play it is a draw.")
        winner = mark if worth.value is Value.WIN else mark.other
        moves = (worth.distance_plies + (winner is mark)) // 2
        return self._n(
            "With best play {symbol} wins with its next move.",
            "With best play {symbol} wins, with {n} more moves of its own.",
            moves,
        ).format(symbol=SYMBOLS[winner], n=moves)

    def reason(self, rules: Rules, cell: Cell, reason: Reason | None, value: Value) -> str:
        """What a move is good for, in a sentence; where that has no name, by its value."""
        sentences = {
            Reason.WIN: self._("**{cell}** completes a line and wins."),
            Reason.BLOCK: self._("**{cell}** blocks: the opponent would complete a line there."),
            Reason.FORK: self._("**{cell}** makes a fork: two ways to win at once."),
            Reason.BLOCK_FORK: self._(
                "**{cell}** prevents a fork: the opponent would have two ways to win at once."
            ),
            Reason.DOUBLE_THREAT: self._(
                "**{cell}** makes two threats at once: only one of them can be stopped."
            ),
            Reason.BLOCK_DOUBLE_THREAT: self._(
                "**{cell}** prevents two threats at once by the opponent."
            ),
            Reason.FORCED_SEQUENCE: self._(
                "**{cell}** threatens to win, and the forced reply leaves a won position."
            ),
            Reason.CENTRE: self._("**{cell}** takes the centre, where most lines cross."),
            Reason.OPPOSITE_CORNER: self._(
                "**{cell}** takes the corner opposite to one of the opponent's."
            ),
            Reason.CORNER: self._("**{cell}** takes a corner, where three lines meet."),
            Reason.SIDE: self._("**{cell}** takes a side, where two lines meet."),
        }
        unnamed = {
            Value.WIN: self._("**{cell}** prepares a win that cannot be stopped any more."),
            Value.DRAW: self._("**{cell}** keeps the balance."),
            Value.LOSS: self._("**{cell}** does not hold."),
        }
        said = unnamed[value] if reason is None else sentences[reason]
        return said.format(cell=rules.coordinate(cell))

    def judgement(self, verdict: Verdict, reply: Verdict | None = None) -> str:
        """What a move is good for and leads to; of one that loses, what it is answered with."""
        if verdict.worth.value is Value.LOSS and reply is not None:
            cell = verdict.board.rules.coordinate(verdict.action)
            return f"{self._loses(cell)} {self._answered(reply)}"
        why = self._why(verdict)
        if verdict.reason is Reason.WIN:
            return why
        return f"{why} {self.outlook(verdict.worth.after_the_move(), verdict.mark.other)}"

    def _why(self, verdict: Verdict) -> str:
        rules, cell = verdict.board.rules, verdict.action
        return self.reason(rules, cell, verdict.reason, verdict.worth.value)

    def _loses(self, cell: str) -> str:
        return self._("**{cell}** loses.").format(cell=cell)

    def _answered(self, reply: Verdict) -> str:
        said = self._("{symbol} answers: {judgement}")
        return said.format(symbol=SYMBOLS[reply.mark], judgement=self.judgement(reply))

    def legend(self, verdicts: Sequence[Verdict], *, numbered: bool = False) -> str:
        """Every free cell by what it is worth: a line with the symbol, the word and the cells.

        If it is numbered, then with utilities: 1 where X wins, -1 where O does.
        """
        words = {
            Value.WIN: self._("win"),
            Value.DRAW: self._("draw"),
            Value.LOSS: self._("loss"),
        }
        lines = []
        for value, word in words.items():
            cells = [verdict.action for verdict in verdicts if verdict.worth.value is value]
            listed = self.cells(verdicts[0].board.rules, sorted(cells))
            if len(cells) == len(verdicts) > 1:
                listed = self._("every free cell")
            if cells:
                number = f" **{signed(value.utility(verdicts[0].mark))}**" if numbered else ""
                lines.append(f"{VALUE_SYMBOLS[value]}{number} {word}: {listed}")
        return "\n".join(lines)


def signed(number: int) -> str:
    return f"{number:+d}".replace("-", _MINUS) if number else "0"

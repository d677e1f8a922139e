"""What a position and a move are worth and good for, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.texts.words import N_, SYMBOLS, Words
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

VALUES: Mapping[Value, str] = {
    Value.WIN: N_("win"),
    Value.DRAW: N_("draw"),
    Value.LOSS: N_("loss"),
}
REASONS: Mapping[Reason, str] = {
    Reason.WIN: N_("**{cell}** completes a line and wins."),
    Reason.BLOCK: N_("**{cell}** blocks: the opponent would complete a line there."),
    Reason.FORK: N_("**{cell}** makes a fork: two ways to win at once."),
    Reason.BLOCK_FORK: N_(
        "**{cell}** prevents a fork: the opponent would have two ways to win at once."
    ),
    Reason.DOUBLE_THREAT: N_(
        "**{cell}** makes two threats at once: only one of them can be stopped."
    ),
    Reason.BLOCK_DOUBLE_THREAT: N_("**{cell}** prevents two threats at once by the opponent."),
    Reason.FORCED_SEQUENCE: N_(
        "**{cell}** threatens to win, and the forced reply leaves a won position."
    ),
    Reason.CENTRE: N_("**{cell}** takes the centre, where most lines cross."),
    Reason.OPPOSITE_CORNER: N_("**{cell}** takes the corner opposite to one of the opponent's."),
    Reason.CORNER: N_("**{cell}** takes a corner, where three lines meet."),
    Reason.SIDE: N_("**{cell}** takes a side, where two lines meet."),
}
UNNAMED: Mapping[Value, str] = {
    Value.WIN: N_("**{cell}** prepares a win that cannot be stopped any more."),
    Value.DRAW: N_("**{cell}** keeps the balance."),
    Value.LOSS: N_("**{cell}** does not hold."),
}


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
        said = UNNAMED[value] if reason is None else REASONS[reason]
        return self._(said).format(cell=rules.coordinate(cell))

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
        lines = []
        for value, word in VALUES.items():
            cells = [verdict.action for verdict in verdicts if verdict.worth.value is value]
            listed = self.cells(verdicts[0].board.rules, sorted(cells))
            if len(cells) == len(verdicts) > 1:
                listed = self._("every free cell")
            if cells:
                number = f" **{signed(value.utility(verdicts[0].mark))}**" if numbered else ""
                lines.append(f"{VALUE_SYMBOLS[value]}{number} {self._(word)}: {listed}")
        return "\n".join(lines)


def signed(number: int) -> str:
    return f"{number:+d}".replace("-", _MINUS) if number else "0"

"""The value of positions and moves, and the reasons for moves, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.views.i18n import N_, NC_, SYMBOLS, Sentence, Texts
from engine import Board, Cell, Mark, Reason, Rules, Value, Verdict, Worth

_MINUS = "\N{MINUS SIGN}"  # screen readers skip a hyphen

SIGNS = {Value.WIN: "+", Value.DRAW: "=", Value.LOSS: _MINUS}
"""Shown beside a cell's coordinate, for those who cannot tell the colours apart."""

COLOURS = {Value.WIN: "🟩", Value.DRAW: "⬜", Value.LOSS: "🟥"}

ADVISED = "🟦"

_MOST_LISTED = 4  # cells; more, if more than half too, are "all the others"

ASKED, BETTER, CUT, HIT, MISS = "🔎", "💡", "✂️", "🎯", "💥"

VALUES: Mapping[Value, Sentence] = {
    # Translators: nouns: what a move leads to. A list of cells follows.
    Value.WIN: NC_("result", "win"),
    Value.DRAW: NC_("result", "draw"),
    Value.LOSS: NC_("result", "loss"),
}

REASONS: Mapping[Reason, Sentence] = {
    # Translators: {cell} is a move by its cell, such as B2; {symbol} is who makes it, {other} the
    # other player, such as ⭕; so below.
    Reason.WIN: N_("**{cell}** completes a line and wins."),
    # Translators: {wins} is a cell or several, such as "A1 or B2".
    Reason.MISSED_WIN: N_("**{cell}** misses a win: {wins} would have won right away."),
    Reason.OWN_LINE: N_("**{cell}** completes a line: here, that loses."),
    # Translators: the mark that vanishes had stood in the other's way.
    Reason.UNBLOCKS: N_(
        "**{cell}** makes {vanishing} vanish. That mark was blocking a line, and {other} can win "
        "there."
    ),
    Reason.BLOCK: N_("**{cell}** blocks a line."),
    # Translators: "fork" as players of chess say it.
    Reason.FORK: N_("**{cell}** makes a fork, two ways to win at once."),
    Reason.DOUBLE_THREAT: N_("**{cell}** makes two threats at once, and only one can be stopped."),
    Reason.FORCED_SEQUENCE: N_(
        "**{cell}** threatens to win, so {other} must block, and still loses."
    ),
    Reason.QUIET_WIN: N_("**{cell}** sets up a win that can't be stopped."),
    Reason.THROWN_WIN: N_("**{cell}** throws away a win."),
    Reason.BLOCK_FORK: N_(
        "**{cell}** prevents a fork: {other} would have two ways to win at once."
    ),
    Reason.BLOCK_DOUBLE_THREAT: N_("**{cell}** stops {other} from making two threats at once."),
    Reason.ONLY_MOVE: N_("**{cell}** holds the draw: every other move loses."),
    Reason.THREAT: N_("**{cell}** threatens to win, so {other} has to block."),
    Reason.MOST_REPLIES_LOSE: N_(
        "**{cell}** sets a trap: most replies ({n} of {m}) lose within three moves."
    ),
    Reason.LONGEST_DEFENCE: N_("**{cell}** holds out as long as possible."),
    Reason.NOTHING_LEFT: N_("**{cell}** changes nothing: no line can be completed any more."),
    Reason.CENTRE: N_("**{cell}** takes the centre, where the most lines cross."),
    Reason.OPPOSITE_CORNER: N_("**{cell}** takes the corner opposite {other}."),
    Reason.CORNER: N_("**{cell}** takes a corner, where three lines meet."),
    Reason.SIDE: N_("**{cell}** takes a side, where two lines meet."),
    Reason.SOME_REPLIES_LOSE: N_(
        "**{cell}** sets a trap. Replies that lose within three moves: {n} of {m}."
    ),
    # Translators: more than where other moves hold the draw.
    Reason.OPEN_LINES: N_("**{cell}** holds the draw where {symbol} has the most open lines."),
    Reason.CLOSED_LINES: N_(
        "**{cell}** holds the draw and takes the most lines away from {other}."
    ),
}

SELF_EXPLANATORY = (
    *(Reason.WIN, Reason.OWN_LINE),
    *(Reason.ONLY_MOVE, Reason.OPEN_LINES, Reason.CLOSED_LINES),
)
"""Reasons that end the game or state the draw, so that best play need not be told."""

WITHOUT_REASON: Mapping[Value, Sentence] = {
    Value.DRAW: N_("**{cell}** keeps the balance."),
    Value.LOSS: N_("**{cell}** doesn't save the game."),
}


class VerdictTexts(Texts):
    """Hints, and the engine's verdicts, in one language."""

    def hint(
        self, verdicts: Sequence[Verdict], asked: Cell | None, reply: Verdict | None = None
    ) -> str:
        """The best move and why, more about the cell `asked` about, and the value of each move."""
        board = verdicts[0].board
        title = self._(
            "## Hint for move {number}: {symbol}",
            number=board.plies + 1,
            symbol=SYMBOLS[board.to_move],
        )
        best = verdicts[0]
        vanishing = [f"-# {words}" for words in self._language.vanishing_next(board)]
        said = [title, *vanishing, f"{ADVISED} {self._advice(best)}"]
        if asked == best.action:
            said += [] if reply is None else [f"{ASKED} {self.answered(reply)}"]
        elif asked is not None:
            verdict = next(verdict for verdict in verdicts if verdict.action == asked)
            said.append(f"{ASKED} {self.judgement(verdict, reply)}")
        more = self._(
            "-# Blue is what I'd play. Press a cell to learn more. The finished match shows "
            "how many hints you used."
        )
        return "\n".join([*said, self.legend(verdicts), more])

    def _advice(self, best: Verdict) -> str:
        if best.worth.value is not Value.LOSS:
            return self.judgement(best)
        cell = best.board.rules.coordinate(best.action)
        said = self._("Every move loses; **{cell}** holds out longest.", cell=cell)
        return f"{said} {self.outlook(best.worth, best.mark)}"

    def play_button(self, rules: Rules, cell: Cell) -> str:
        return self._(NC_("button", "Play {cell}"), cell=rules.coordinate(cell))

    def outlook(self, worth: Worth, mark: Mark) -> str:
        """What best play leads to from a position of value `worth` to `mark`, who is to move."""
        if worth.distance_plies is None:
            return self._("With best play, nobody wins.")
        if worth.value is Value.DRAW:
            return self._("With best play, it's a draw.")
        winner = mark if worth.value is Value.WIN else mark.other
        last = mark if worth.distance_plies % 2 else mark.other
        moves = (worth.distance_plies + (last is mark)) // 2
        if last is not winner:
            return self._language.ngettext(
                "With best play, {symbol} loses: it must complete a line on its next move.",
                "With best play, {symbol} loses: it must complete a line within {n} more moves.",
                moves,
                symbol=SYMBOLS[last],
            )
        return self._language.ngettext(
            "With best play, {symbol} wins on its next move.",
            "With best play, {symbol} wins with {n} more moves.",
            moves,
            symbol=SYMBOLS[winner],
        )

    def reason(
        self, board: Board, cell: Cell, reason: Reason | None, value: Value, **facts: str | int
    ) -> str:
        """A sentence for the reason of a move; for its value, if it has no reason."""
        return self._(
            WITHOUT_REASON[value] if reason is None else REASONS[reason],
            cell=board.rules.coordinate(cell),
            symbol=SYMBOLS[board.to_move],
            other=SYMBOLS[board.to_move.other],
            **facts,
        )

    def judgement(self, verdict: Verdict, reply: Verdict | None = None) -> str:
        """The reason of a move, followed by the best reply or by what best play leads to."""
        why = self.why(verdict)
        if reply is not None:
            if verdict.worth.value is Value.LOSS:
                why = self.loses(verdict.board.rules.coordinate(verdict.action))
            return f"{why} {self.answered(reply)}"
        if verdict.reason in SELF_EXPLANATORY:
            return why
        return f"{why} {self.outlook(verdict.worth.one_ply_later(), verdict.mark.other)}"

    def why(self, verdict: Verdict) -> str:
        board, vanishing = verdict.board, verdict.board.vanishing
        return self.reason(
            board,
            verdict.action,
            verdict.reason,
            verdict.worth.value,
            wins=self._language.cells(board.rules, verdict.missed_wins, "or"),
            n=verdict.losing_replies,
            m=verdict.replies,
            vanishing="" if vanishing is None else board.rules.coordinate(vanishing),
        )

    def loses(self, cell: str) -> str:
        return self._("**{cell}** loses.", cell=cell)

    def answered(self, reply: Verdict) -> str:
        symbol, judgement = SYMBOLS[reply.mark], self.judgement(reply)
        # Translators: {judgement} is a whole sentence, such as "**B2** completes a line and wins."
        return self._("{symbol} can answer: {judgement}", symbol=symbol, judgement=judgement)

    def miss(self, board: Board, cell: Cell, worth: Worth, reply: Verdict | None) -> str:
        """What a wrong try at a puzzle or a mistake leads to."""
        name = board.rules.coordinate(cell)
        if cell in board.losing_cells():
            return f"{MISS} {self.reason(board, cell, Reason.OWN_LINE, worth.value)}"
        if worth.value is Value.LOSS and reply is not None:
            return f"{MISS} {self.loses(name)} {self.answered(reply)}"
        after = worth.one_ply_later()
        return f"{MISS} **{name}** · {self.outlook(after, board.to_move.other)}"

    def legend(self, verdicts: Sequence[Verdict]) -> str:
        """The free cells by value: a line for each, with its colour, sign, word and cells."""
        lines, others = [], self._("all the others")
        for value, word in VALUES.items():
            if listed := self._cells_worth(value, verdicts, others):
                lines.append(f"{COLOURS[value]} `{SIGNS[value]}` {self._(word)}: {listed}")
        return "\n".join(sorted(lines, key=lambda line: line.endswith(others)))

    def _cells_worth(self, value: Value, verdicts: Sequence[Verdict], others: str) -> str:
        cells = [verdict.action for verdict in verdicts if verdict.worth.value is value]
        if len(cells) == len(verdicts) > 1:
            return self._("every free cell")
        if len(cells) > max(len(verdicts) // 2, _MOST_LISTED):
            return others
        return self._language.cells(verdicts[0].board.rules, sorted(cells)) if cells else ""


def signed(number: int) -> str:
    return with_minus(f"{number:+d}") if number else "0"


def with_minus(text: str) -> str:
    """Replace hyphens by minus signs, which screen readers read aloud."""
    return text.replace("-", _MINUS)

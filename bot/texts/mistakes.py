"""The texts about mistakes, in reviews and where they are tried again."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.lesson import Retry
from bot.texts.judgements import BETTER, HIT, Judgements
from bot.texts.words import N_, NC_, SYMBOLS, Language, Sentence, Texts
from engine import Reason, Value, Verdict

MISTAKES: Mapping[tuple[Value, Value], Sentence] = {
    (Value.DRAW, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a draw into a loss."),
    (Value.WIN, Value.DRAW): N_("Move {number}, {cell}: {symbol} turned a win into a draw."),
    (Value.WIN, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a win into a loss."),
}
OWN_LINE = N_("Move {number}, {cell}: {symbol} completed a line, and here that loses.")
LONG_WAY = N_("Move {number}, {cell}: {symbol} took the long way.")


class MistakeTexts(Texts):
    """Mistakes, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._judgements = Judgements(language)

    def mistake(self, number: int, verdict: Verdict) -> str:
        """What a move gave away, or that it lost or missed a win at once; and what was better."""
        return f"{self._turned(number, verdict)} {BETTER} {self._better(verdict)}"

    def _turned(self, number: int, verdict: Verdict) -> str:
        values = verdict.best.value, verdict.worth.value
        return self._(
            OWN_LINE if verdict.lost_at_once else MISTAKES.get(values, LONG_WAY),
            number=number,
            cell=verdict.board.rules.coordinate(verdict.action),
            symbol=SYMBOLS[verdict.mark],
        )

    def _better(self, verdict: Verdict) -> str:
        best = verdict.best_actions
        cells = self._language.cells(verdict.board.rules, best, "or")
        if verdict.missed_wins:
            # Translators: {cells} is one move or several, such as "A1 or B2"; so below.
            return self._language.ngettext(
                "{cells} would have won right away.",
                "{cells} would have won right away.",
                len(best),
                cells=cells,
            )
        if verdict.best.value is Value.WIN:
            return self._language.ngettext(
                "{cells} would have won.", "{cells} would have won.", len(best), cells=cells
            )
        if verdict.best.value is Value.LOSS:
            return self._language.ngettext(
                "{cells} would have held out longer.",
                "{cells} would have held out longer.",
                len(best),
                cells=cells,
            )
        # Translators: what they would have held is the draw.
        return self._language.ngettext(
            "{cells} would have held the draw.",
            "{cells} would have held the draw.",
            len(best),
            cells=cells,
        )

    def retry(self, retry: Retry) -> str:
        """A mistake to try again, and the result of the last try, if any."""
        page, tried, language = retry.page, retry.tried, self._language
        made, said = retry.verdicts[page.ply - 1], []
        if tried is None or not tried.kept_value:
            symbol = SYMBOLS[made.mark]
            said.append(self._("{symbol} to move: which move is better?", symbol=symbol))
        if tried is not None:
            said.append(self._tried(tried, retry.reply))
        position = [language.board(page.record.rules), *language.vanishing_next(page.board)]
        head = [self._("## Try again"), f"-# {' · '.join(position)}"]
        return "\n".join([*head, self._turned(page.ply, made), *said])

    def _tried(self, tried: Verdict, reply: Verdict | None) -> str:
        judgements = self._judgements
        if not tried.kept_value:
            return judgements.miss(tried.board, tried.action, tried.worth, reply)
        if tried.missed_wins:
            outlook = judgements.outlook(tried.worth.one_ply_later(), tried.mark.other)
            return f"{HIT} {outlook} {self._better(tried)}"
        return " ".join([HIT, judgements.judgement(tried), *self.only_move(tried)])

    def only_move(self, verdict: Verdict) -> list[str]:
        """Say that a move was the only good one, unless its reason says so already."""
        if not verdict.is_only_move or verdict.reason is Reason.ONLY_MOVE:
            return []
        return [self._("It was the only good move.")]

    def retry_button(self) -> str:
        return self._(NC_("button", "Try again"))

    def retry_buttons(self) -> list[str]:
        """The labels that lead back to the review, and on to the next mistake."""
        return [self._(NC_("button", "Back to the review")), self._(NC_("button", "Next mistake"))]

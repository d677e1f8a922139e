"""The texts of a review of a finished game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.game.headers import Headers
from bot.game.lesson import Review, shown_ply
from bot.texts.board import ENDINGS, WHY
from bot.texts.judgements import Judgements
from bot.texts.mistakes import MistakeTexts
from bot.texts.words import N_, NC_, SYMBOLS, Language, Sentence, Texts
from engine import Mark, Record, Value, Verdict, accuracy

STEPS: Sequence[Sentence] = (
    # Translators: five buttons in a row: a word or two each.
    NC_("move", "Start"),
    NC_("move", "Back"),
    NC_("move", "Next"),
    NC_("move", "End"),
    # Translators: leads to the move that decided the game.
    NC_("move", "Turning point"),
)
ACCURACY = N_("-# Accuracy: of the moves where a mistake was possible, how many were right.")
MIN_CRITICAL_MOVES = 4


class ReviewTexts(Texts):
    """A game judged, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._judgements, self._mistakes = Judgements(language), MistakeTexts(language)

    def review(self, review: Review) -> str:
        page, verdicts = review.page, review.verdicts
        record, headers, accuracy = page.record, page.headers, list(self._accuracy(verdicts))
        return "\n".join(
            [
                self._("## Review"),
                *self._players(headers),
                f"-# {self._language.board(record.rules)} · {self._result(record, headers)}",
                *accuracy,
                *self._all_mistakes(verdicts),
                "",
                self._at(record, verdicts, shown_ply(page, verdicts), review.reply),
                "",
                *([self._(ACCURACY)] if accuracy else []),
                self._("-# Code for `/velha replay`:"),
                f"```\n{record.code}\n```",
            ]
        )

    def _players(self, headers: Headers | None) -> list[str]:
        if headers is None:
            return []
        return [
            self._language.sides(
                self._language.mention(headers.x), self._language.mention(headers.o)
            )
        ]

    def _result(self, record: Record, headers: Headers | None) -> str:
        outcome = record.boards[-1].outcome()
        if outcome is not None and outcome.winner:
            return self._("{symbol} won", symbol=SYMBOLS[outcome.winner])
        if outcome is not None:
            return self._("a draw")
        if headers is None or headers.early_ending is None:
            # Translators: said of a match that did not come to its end.
            return self._("unfinished")
        how, loser = headers.early_ending.how, headers.loser
        return self._(
            WHY.get(how) or ENDINGS[how], loser=self._language.mention(loser) if loser else ""
        )

    def _accuracy(self, verdicts: Sequence[Verdict]) -> Iterator[str]:
        """The accuracy of each side that had enough critical moves."""
        for mark in Mark:
            kept, critical = accuracy(verdicts, mark)
            if critical >= MIN_CRITICAL_MOVES:
                # Translators: of {n} moves that could have been mistakes {kept} were not.
                yield self._(
                    "{symbol} **{percent}** accuracy: {kept} of {n}",
                    symbol=SYMBOLS[mark],
                    percent=self._language.percent(kept / critical),
                    kept=kept,
                    n=critical,
                )

    def _all_mistakes(self, verdicts: Sequence[Verdict]) -> list[str]:
        """The mistakes in the order of play, but that which lost at once comes first."""
        numbered = [
            (number, verdict)
            for number, verdict in enumerate(verdicts, start=1)
            if verdict.is_blunder or verdict.missed_wins or verdict.lost_at_once
        ]
        numbered.sort(key=lambda one: not one[1].lost_at_once)
        mistakes = [self._mistakes.mistake(*one) for one in numbered]
        if any(verdict.is_blunder for verdict in verdicts):
            return mistakes
        return [self._("No move changed the result."), *mistakes]

    def _at(
        self, record: Record, verdicts: Sequence[Verdict], ply: int, reply: Verdict | None
    ) -> str:
        """Where in the game we are: the move just made, and what it was good for."""
        if ply == 0:
            return self._("**Before the first move**")
        verdict, is_over = verdicts[ply - 1], record.boards[ply].is_terminal
        where = self._(
            "**Move {number} of {total}: {symbol} {cell}**",
            number=ply,
            total=len(record.moves),
            symbol=SYMBOLS[verdict.mark],
            cell=record.rules.coordinate(verdict.action),
        )
        where = " · ".join([where, *self._language.vanishing_next(record.boards[ply])])
        if verdict.is_blunder and not verdict.lost_at_once:
            said = [self._("A mistake.")]
        else:
            said = [self._judgements.why(verdict), *self._mistakes.only_move(verdict)]
        if verdict.is_blunder and verdict.worth.value is Value.LOSS and reply is not None:
            said.append(self._judgements.answered(reply))
        elif not is_over:
            after = verdict.worth.one_ply_later()
            said.append(self._judgements.outlook(after, verdict.mark.other))
        if ply == len(record.moves) and not is_over:
            said.append(self._("The match stopped here."))
        return f"{where}\n{' '.join(said)}"

    def step_buttons(self) -> list[str]:
        return [self._(step) for step in STEPS]

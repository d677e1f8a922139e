"""A hint, a review to step through, and a mistake to try again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.analysis import (
    Headers,
    Hint,
    HintPage,
    Retry,
    RetryPage,
    Review,
    decided_after,
    next_mistake,
    shown_ply,
)
from bot.domain.ids import custom_id
from bot.domain.match_actions import MatchAction, Press
from bot.views.components import (
    RIGHT,
    WRONG,
    board_rows,
    button,
    lesson_view,
    move_faces,
    steps,
    verdict_faces,
)
from bot.views.i18n import N_, NC_, SYMBOLS, Language, Sentence, Texts
from bot.views.matches import ENDINGS, WHY
from bot.views.verdicts import BETTER, HIT, VerdictTexts
from engine import Cell, Mark, Reason, Record, Value, Verdict, accuracy

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
        self._judgements = VerdictTexts(language)

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
        self._judgements, self._mistakes = VerdictTexts(language), MistakeTexts(language)

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
        reason, loser = headers.early_ending.reason, headers.loser
        return self._(
            WHY.get(reason) or ENDINGS[reason], loser=self._language.mention(loser) if loser else ""
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


def hint_view(hint: Hint, language: Language) -> ui.LayoutView:
    """The value of every move, and the best one in blue; pressing a cell tells more about it.

    In a match, buttons play the best move and the one that was pressed.
    """
    texts = VerdictTexts(language)
    page, faces, advised = hint.page, verdict_faces(hint.verdicts), hint.verdicts[0].action
    faces[advised] = (faces[advised][0], ButtonStyle.primary)
    text = texts.hint(hint.verdicts, page.cell, hint.reply)
    pages = {cell: _leads_to(page, cell) for cell in faces}
    board = board_rows(page.record.boards[-1], faces, pages, language.symbols)
    if page.match is None:
        return lesson_view(text, *board, symbols=language.symbols)
    plays = [
        button(
            str(Press(page.match.id, page.match.version, MatchAction.PLAY, cell)),
            label=texts.play_button(page.record.rules, cell),
            style=faces[cell][1],
        )
        for cell in dict.fromkeys((advised, advised if page.cell is None else page.cell))
    ]
    return lesson_view(text, *board, ui.ActionRow(*plays), symbols=language.symbols)


def _leads_to(page: HintPage, cell: Cell) -> str:
    """The custom_id for more about a cell; in a match a `Press`, as that checks the version."""
    if page.match is None:
        return custom_id(HintPage(page.record, cell), 0)
    return str(Press(page.match.id, page.match.version, MatchAction.HINT, cell))


def review_view(review: Review, language: Language) -> ui.LayoutView:
    """A game judged, with the board at one ply; each mark leads to the ply that made it."""
    texts, mistakes = ReviewTexts(language), MistakeTexts(language)
    page, verdicts = review.page, review.verdicts
    ply = shown_ply(page, verdicts)
    made = verdicts[ply - 1] if ply else None
    board = page.record.boards[ply]
    faces = move_faces(board, made.action, language.symbols) if made else {}
    decided = decided_after(verdicts)
    turning_point = ply if decided is None else decided
    labels = texts.step_buttons()
    buttons = steps(page, ply, len(page.record.moves), labels, turning_point)
    rows: list[ui.Item[Any]] = [ui.ActionRow(*buttons)]
    pages = {
        cell: custom_id(replace(page, ply=number), len(buttons))
        for number, cell in enumerate(page.record.moves[:ply], start=1)
        if board[cell]
    }
    if made:
        is_mistake = made.is_blunder or made.lost_at_once
        better = made.best_actions if is_mistake else made.missed_wins
        faces |= dict.fromkeys(better, (BETTER, ButtonStyle.secondary))
    if made and made.is_blunder:
        again = RetryPage(page.record, ply, headers=page.headers)
        pages |= {cell: custom_id(replace(again, cell=cell), 0) for cell in better}
        label, style = mistakes.retry_button(), ButtonStyle.primary
        rows.append(ui.ActionRow(button(custom_id(again, 0), label=label, style=style)))
    text = texts.review(review)
    squares = board_rows(board, faces, pages, language.symbols)
    return lesson_view(text, *squares, *rows, symbols=language.symbols)


def retry_view(retry: Retry, language: Language) -> ui.LayoutView:
    """A mistake to try again: pressing a free cell tries it; marks lead back to the review."""
    texts = MistakeTexts(language)
    page, tried = retry.page, retry.tried
    faces = {page.made: WRONG}
    if tried is not None:
        faces[tried.action] = RIGHT if tried.kept_value else WRONG
    pages = {cell: custom_id(replace(page, cell=cell), 0) for cell in page.board.actions()}
    for number, cell in enumerate(page.record.moves[: page.ply], start=1):
        if page.board[cell] or number == page.ply:
            pages[cell] = custom_id(replace(page.review, ply=number), 1)
    back, on = texts.retry_buttons()
    buttons = [button(custom_id(page.review, 0), label=back)]
    if another := next_mistake(page, retry.verdicts):
        buttons.append(button(custom_id(replace(page, ply=another, cell=None), 0), label=on))
    text = texts.retry(retry)
    board = board_rows(page.board, faces, pages, language.symbols)
    return lesson_view(text, *board, ui.ActionRow(*buttons), symbols=language.symbols)

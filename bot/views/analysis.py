"""A hint, a mistake to try again, and a review to step through."""

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
    find_decisive_ply,
    next_mistake,
    shown_ply,
)
from bot.domain.ids import custom_id
from bot.domain.match_actions import MatchAction, Press
from bot.domain.moments import MomentPage
from bot.views.components import (
    RIGHT,
    WRONG,
    CellStyle,
    board_rows,
    button,
    lesson_view,
    move_styles,
    step_buttons,
    value_styles,
)
from bot.views.i18n import N_, NC_, SYMBOLS, Language, Sentence, Texts
from bot.views.matches import ENDINGS, LOSER_SENTENCES
from bot.views.verdicts import BETTER, HIT, VerdictTexts
from engine import Cell, Mark, Reason, Record, Rules, Value, Verdict, accuracy

COLOURS = {Value.WIN: "🟩", Value.DRAW: "⬜", Value.LOSS: "🟥"}

BEST = "🟦"

PRESSED = "🔎"

# Translators, from here on: in a hint, which only one person sees, beside the board. {symbol} is ❌
# or ⭕, {cell} a cell. A button has about 20 letters.
VALUES: Mapping[Value, Sentence] = {
    # Translators: nouns: what a move leads to. A list of cells follows.
    Value.WIN: NC_("result", "win"),
    Value.DRAW: NC_("result", "draw"),
    Value.LOSS: NC_("result", "loss"),
}

# Translators: a button on a hint, for more about it.
WHY = NC_("button", "Why?")

_MAX_LISTED = 4
"""Cells of one value: more than these, and more than half, are "all the others"."""


class HintTexts(Texts):
    """A hint, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._verdict_texts = VerdictTexts(language)

    def hint(self, hint: Hint) -> str:
        """The best move and why, in two short lines; or, where asked for, all there is to say."""
        best = hint.verdicts[0]
        if not hint.page.is_detailed:
            return "\n".join(self._best(best))
        return self._details(hint, best)

    def _details(self, hint: Hint, best: Verdict) -> str:
        """The best move and why, more about the cell that was pressed, and each move's value."""
        board = best.board
        title = self._(
            "## Hint for move {number}: {symbol}",
            number=board.plies + 1,
            symbol=SYMBOLS[board.to_move],
        )
        vanishing = [f"-# {line}" for line in self._language.vanishing_next(board)]
        footnote = self._("-# Blue is what I'd play. Press a cell to learn more.")
        return "\n".join(
            [
                title,
                *vanishing,
                f"{BEST} {self._language.sentences(*self._best(best))}",
                *self._pressed(hint),
                *self._legend(hint.verdicts),
                footnote,
            ]
        )

    def _best(self, best: Verdict) -> Sequence[str]:
        """The best move and why; what best play leads to, unless that says it already."""
        if best.worth.value is not Value.LOSS:
            return self._verdict_texts.reason_and_outlook(best)
        cell = best.board.rules.coordinate(best.action)
        advice = self._("Every move loses; **{cell}** holds out longest.", cell=cell)
        return [advice, self._verdict_texts.outlook(best.worth, best.mark)]

    def _pressed(self, hint: Hint) -> Iterator[str]:
        """More about the cell that was pressed; the reason for the best move is given already."""
        cell = hint.page.cell
        if cell is None:
            return
        if cell != hint.verdicts[0].action:
            verdict = next(verdict for verdict in hint.verdicts if verdict.action == cell)
            yield f"{PRESSED} {self._verdict_texts.explanation(verdict, hint.reply)}"
        elif hint.reply is not None:
            yield f"{PRESSED} {self._verdict_texts.best_reply(hint.reply)}"

    def _legend(self, verdicts: Sequence[Verdict]) -> list[str]:
        """The free cells by value: a line for each, with its colour, word and cells.

        There is none where the best move's sentence says it all.
        """
        if verdicts[0].reason is Reason.ONLY_MOVE:
            return []
        listed: list[str] = []
        others: list[str] = []
        for value, word in VALUES.items():
            label = f"{COLOURS[value]} {self._(word)}"
            cells = sorted(verdict.action for verdict in verdicts if verdict.worth.value is value)
            if len(cells) > max(len(verdicts) // 2, _MAX_LISTED):
                others.append(self._language.labelled(label, self._("all the others")))
            elif cells:
                names = self._language.cells(verdicts[0].board.rules, cells)
                listed.append(self._language.labelled(label, names))
        lines = [*listed, *others]
        return lines if len(lines) > 1 else []

    def play_button(self, rules: Rules, cell: Cell) -> str:
        return self._(NC_("button", "Play {cell}"), cell=rules.coordinate(cell))

    def why_button(self) -> str:
        return self._(WHY)


def hint_view(hint: Hint, language: Language) -> ui.LayoutView:
    """The best move, lit on the board, and why; pressing a cell tells more about it.

    In detail, each move has the colour of its value. In a match, buttons play the best move and the
    one at the cell that was pressed.
    """
    texts = HintTexts(language)
    page = hint.page
    best_cell = hint.verdicts[0].action
    styles = value_styles(hint.verdicts) if page.is_detailed else {}
    styles[best_cell] = CellStyle(ButtonStyle.primary)
    text = texts.hint(hint)
    pages = {verdict.action: _hint_custom_id(page, verdict.action) for verdict in hint.verdicts}
    board = board_rows(page.record.boards[-1], styles, pages, language.symbols)
    if page.match is None:
        return lesson_view(text, *board, symbols=language.symbols)
    pressed_cell = best_cell if page.cell is None else page.cell
    buttons = [
        button(
            str(Press(page.match.id, page.match.version, MatchAction.PLAY, cell)),
            label=texts.play_button(page.record.rules, cell),
            style=styles[cell].button_style,
        )
        for cell in dict.fromkeys((best_cell, pressed_cell))
    ]
    if not page.is_detailed:
        why = str(Press(page.match.id, page.match.version, MatchAction.WHY))
        buttons.append(button(why, label=texts.why_button()))
    return lesson_view(text, *board, ui.ActionRow(*buttons), symbols=language.symbols)


def _hint_custom_id(page: HintPage, cell: Cell) -> str:
    """The custom_id for more about a cell: in a match a `Press`, which checks the version."""
    if page.match is None:
        return custom_id(HintPage(page.record, cell), 0)
    return str(Press(page.match.id, page.match.version, MatchAction.HINT, cell))


# Translators, from here on: a mistake, in a review, followed by what was better. {symbol} is ❌ or
# ⭕, {cell} a cell.
MISTAKES: Mapping[tuple[Value, Value], Sentence] = {
    (Value.DRAW, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a draw into a loss."),
    (Value.WIN, Value.DRAW): N_("Move {number}, {cell}: {symbol} turned a win into a draw."),
    (Value.WIN, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a win into a loss."),
}

OWN_LINE = N_("Move {number}, {cell}: {symbol} completed a line, and here that loses.")

LONG_WAY = N_("Move {number}, {cell}: {symbol} took the long way.")


# Translators, from here on: in a review, or a mistake to try again. {cells} is one cell or
# several, such as "A1 or B2". A button has about 20 letters.
class MistakeTexts(Texts):
    """Mistakes, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._verdict_texts = VerdictTexts(language)

    def mistake(self, number: int, verdict: Verdict) -> str:
        """What a move gave away, or that it lost or missed a win at once; and what was better."""
        return f"{self._cost(number, verdict)} {BETTER} {self._better(verdict)}"

    def _cost(self, number: int, verdict: Verdict) -> str:
        values = verdict.best.value, verdict.worth.value
        sentence = OWN_LINE if verdict.lost_at_once else MISTAKES.get(values, LONG_WAY)
        return self._(
            sentence,
            number=number,
            cell=verdict.board.rules.coordinate(verdict.action),
            symbol=SYMBOLS[verdict.mark],
        )

    def _better(self, verdict: Verdict) -> str:
        best = verdict.best_actions
        cells = self._language.cells(verdict.board.rules, best, "or")
        if verdict.missed_wins:
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
        # Translators: what they would have saved is the draw.
        return self._language.ngettext(
            "{cells} would have saved the draw.",
            "{cells} would have saved the draw.",
            len(best),
            cells=cells,
        )

    def retry(self, retry: Retry) -> str:
        """A mistake to try again, and the result of the last try, if any."""
        page = retry.page
        verdict = retry.try_verdict
        mistake = retry.verdicts[page.ply - 1]
        position = [
            self._language.board(page.record.rules),
            *self._language.vanishing_next(page.board),
        ]
        lines = [
            self._("## Try again"),
            f"-# {' · '.join(position)}",
            self._cost(page.ply, mistake),
        ]
        if verdict is None or not verdict.kept_value:
            symbol = SYMBOLS[mistake.mark]
            lines.append(self._("{symbol}'s turn: which move is better?", symbol=symbol))
        if verdict is not None:
            lines.append(self.try_result(verdict, retry.reply))
        return "\n".join(lines)

    def try_result(self, verdict: Verdict, reply: Verdict | None) -> str:
        """Whether a try was right, and why, or what it leads to."""
        texts = self._verdict_texts
        if not verdict.kept_value:
            return texts.miss(verdict.board, verdict.action, verdict.worth, reply)
        if verdict.missed_wins:
            outlook = texts.outlook(verdict.worth.one_ply_later(), verdict.mark.other)
            return f"{HIT} {self._language.sentences(outlook, self._better(verdict))}"
        praise = self._language.sentences(texts.explanation(verdict), *self.only_move(verdict))
        return f"{HIT} {praise}"

    def only_move(self, verdict: Verdict) -> list[str]:
        """That a move was the only good one, unless its reason says so already."""
        if not verdict.is_only_move or verdict.reason is Reason.ONLY_MOVE:
            return []
        return [self._("It was the only good move.")]

    def retry_button(self) -> str:
        return self._(NC_("button", "Try again"))

    def back_button(self) -> str:
        return self._(NC_("button", "Back to the review"))

    def next_button(self) -> str:
        return self._(NC_("button", "Next mistake"))


def retry_view(retry: Retry, language: Language) -> ui.LayoutView:
    """A mistake to try again: pressing a free cell tries it; marks lead back to the review."""
    texts = MistakeTexts(language)
    page = retry.page
    verdict = retry.try_verdict
    styles = {page.mistake: WRONG}
    if verdict is not None:
        styles[verdict.action] = RIGHT if verdict.kept_value else WRONG
    pages = {cell: custom_id(replace(page, cell=cell), 0) for cell in page.board.actions()}
    for number, cell in enumerate(page.record.moves[: page.ply], start=1):
        if page.board[cell] or number == page.ply:
            pages[cell] = custom_id(replace(page.review, ply=number), 1)
    buttons = [button(custom_id(page.review, 0), label=texts.back_button())]
    if next_ply := next_mistake(page, retry.verdicts):
        next_page = replace(page, ply=next_ply, cell=None)
        buttons.append(button(custom_id(next_page, 0), label=texts.next_button()))
    text = texts.retry(retry)
    board = board_rows(page.board, styles, pages, language.symbols)
    return lesson_view(text, *board, ui.ActionRow(*buttons), symbols=language.symbols)


# Translators, from here on: in a review, under a board. Buttons in a row have about 10 letters.
STEPS: Sequence[Sentence] = (
    # Translators: five buttons in a row: a word or two each.
    NC_("move", "Start"),
    NC_("move", "Back"),
    NC_("move", "Next"),
    NC_("move", "End"),
    # Translators: leads to the move that decided the game.
    NC_("move", "Turning point"),
)

# Translators: a button that shows everybody the position, and asks them for the right move.
ASK_EVERYONE = NC_("button", "Ask everyone")

# Translators, from here on: in a review, which one person reads, above or below its board.
# {symbol} is ❌ or ⭕.
ACCURACY = N_("-# Accuracy: of the moves where a mistake was possible, how many were right.")

MIN_CRITICAL_MOVES = 4


class ReviewTexts(Texts):
    """The review of a game, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._verdict_texts = VerdictTexts(language)
        self._mistakes = MistakeTexts(language)

    def review(self, review: Review) -> str:
        page = review.page
        verdicts = review.verdicts
        record = page.record
        headers = page.headers
        accuracy = list(self._accuracy(verdicts))
        lines = [
            self._("## Review"),
            *self._players(headers),
            f"-# {self._language.board(record.rules)} · {self._result(record, headers)}",
            *accuracy,
            *self._all_mistakes(verdicts),
            "",
            self._position(review),
            "",
        ]
        if accuracy:
            lines.append(self._(ACCURACY))
        lines.append(self._("-# Code for `/velha replay`:"))
        lines.append(f"```\n{record.code}\n```")
        return "\n".join(lines)

    def _players(self, headers: Headers | None) -> list[str]:
        if headers is None:
            return []
        return [
            self._language.sides(
                self._language.mention(headers.x_id), self._language.mention(headers.o_id)
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
        reason = headers.early_ending.reason
        sentence = LOSER_SENTENCES.get(reason, ENDINGS[reason])
        loser = self._language.mention(headers.loser_id) if headers.loser_id else ""
        return self._(sentence, loser=loser)

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
        """The mistakes in the order of play, but a move that lost at once comes first."""
        numbers = [
            number
            for number, verdict in enumerate(verdicts, start=1)
            if verdict.is_blunder or verdict.missed_wins or verdict.lost_at_once
        ]
        numbers.sort(key=lambda number: not verdicts[number - 1].lost_at_once)
        mistakes = [self._mistakes.mistake(number, verdicts[number - 1]) for number in numbers]
        if any(verdict.is_blunder for verdict in verdicts):
            return mistakes
        return [self._("No move changed the result."), *mistakes]

    def _position(self, review: Review) -> str:
        """The position shown: the move that led to it, and what that move was good for."""
        record = review.page.record
        ply = shown_ply(review.page, review.verdicts)
        if ply == 0:
            return self._("**Before the first move**")
        verdict = review.verdicts[ply - 1]
        move = self._(
            "**Move {number} of {total}: {symbol} {cell}**",
            number=ply,
            total=len(record.moves),
            symbol=SYMBOLS[verdict.mark],
            cell=record.rules.coordinate(verdict.action),
        )
        heading = " · ".join([move, *self._language.vanishing_next(record.boards[ply])])
        text = self._language.sentences(*self._move(review, verdict, ply))
        return f"{heading}\n{text}"

    def _move(self, review: Review, verdict: Verdict, ply: int) -> Iterator[str]:
        """What the move at `ply` was good for, the best reply or outlook, and if play stopped."""
        record = review.page.record
        is_over = record.boards[ply].is_terminal
        if verdict.is_blunder and not verdict.lost_at_once:
            yield self._("A mistake.")
        else:
            yield self._verdict_texts.reason_for(verdict)
            yield from self._mistakes.only_move(verdict)
        if verdict.is_blunder and verdict.worth.value is Value.LOSS and review.reply is not None:
            yield self._verdict_texts.best_reply(review.reply)
        elif not is_over:
            after = verdict.worth.one_ply_later()
            yield self._verdict_texts.outlook(after, verdict.mark.other)
        if ply == len(record.moves) and not is_over:
            yield self._("The match stopped here.")

    def step_labels(self) -> list[str]:
        return [self._(step) for step in STEPS]

    def moment_button(self) -> str:
        return self._(ASK_EVERYONE)


def review_view(review: Review, language: Language) -> ui.LayoutView:
    """A game reviewed, with the board at one ply; each mark leads to the ply that made it."""
    texts = ReviewTexts(language)
    page = review.page
    verdicts = review.verdicts
    ply = shown_ply(page, verdicts)
    board = page.record.boards[ply]
    decisive_ply = find_decisive_ply(verdicts)
    turning_point = ply if decisive_ply is None else decisive_ply
    labels = texts.step_labels()
    buttons = step_buttons(page, ply, len(page.record.moves), labels, turning_point)
    if review.is_by_player and ply == decisive_ply:  # 5x5 leaves no room for one more
        buttons[-1] = button(custom_id(MomentPage(page.record), 0), label=texts.moment_button())
    rows: list[ui.Item[Any]] = [ui.ActionRow(*buttons)]
    styles: dict[Cell, CellStyle] = {}
    pages = {
        cell: custom_id(replace(page, ply=number), len(buttons))
        for number, cell in enumerate(page.record.moves[:ply], start=1)
        if board[cell]
    }
    if ply:
        verdict = verdicts[ply - 1]
        better = _better_cells(verdict)
        styles = move_styles(board, verdict.action)
        styles |= dict.fromkeys(better, CellStyle(emoji=BETTER))
        if verdict.is_blunder:
            retry = RetryPage(page.record, ply, headers=page.headers)
            pages |= {cell: custom_id(replace(retry, cell=cell), 0) for cell in better}
            label = MistakeTexts(language).retry_button()
            again = button(custom_id(retry, 0), label=label, style=ButtonStyle.primary)
            rows.append(ui.ActionRow(again))
    squares = board_rows(board, styles, pages, language.symbols)
    return lesson_view(texts.review(review), *squares, *rows, symbols=language.symbols)


def _better_cells(verdict: Verdict) -> Sequence[Cell]:
    """The moves that were better than the one made; none if that was right."""
    is_mistake = verdict.is_blunder or verdict.lost_at_once
    return verdict.best_actions if is_mistake else verdict.missed_wins

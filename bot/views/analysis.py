"""The review of a game, to step through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.analysis import Headers, RetryPage, Review, find_decisive_ply, shown_ply
from bot.domain.matches import MAX_BOARD_SIZE
from bot.domain.moments import MomentPage
from bot.domain.pages import custom_id
from bot.domain.tutorial import TutorialPage
from bot.views.components import (
    CellStyle,
    board_rows,
    button,
    container_view,
    move_styles,
    step_buttons,
)
from bot.views.i18n import N_, NC_, Language, Sentence, Texts
from bot.views.matches import ENDINGS, LOSER_SENTENCES
from bot.views.mistakes import MistakeTexts
from bot.views.symbols import SYMBOLS
from bot.views.verdicts import BETTER_MOVE_EMOJI, VerdictTexts
from engine import Cell, Mark, Record, Value, Verdict, accuracy

# Translators, from here on: in a review, under a board. Buttons in a row have about 10 letters.
STEP_LABELS: Sequence[Sentence] = (
    # Translators: five buttons in a row: a word or two each.
    NC_("move", "Start"),
    NC_("move", "Back"),
    NC_("move", "Next"),
    NC_("move", "End"),
    # Translators: leads to the move that decided the game.
    NC_("move", "Turning point"),
)

# Translators: a button below a move that lost the match: it leads into the lesson on how I think,
# at that position.
WHAT_I_SAW = NC_("button", "See what I saw")

# Translators: a button that shows everybody the position, and asks them for the right move.
ASK_EVERYONE = NC_("button", "Ask everyone")

# Translators, from here on: in a review, which one person reads, above or below its board.
# {symbol} is ❌ or ⭕.
ACCURACY_NOTE = N_("-# Accuracy: of the moves where a mistake was possible, how many were right.")

MIN_CRITICAL_MOVES = 4
"""With fewer moves where a mistake was possible, an accuracy would say little."""

_MARK_ID = 5
"""Follows the page in the custom_ids of marks; those of the step buttons end with 0 to 4."""


class ReviewTexts(Texts):
    """The review of a game, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._verdict_texts = VerdictTexts(language)
        self._mistake_texts = MistakeTexts(language)

    def review(self, review: Review) -> str:
        """The game and its mistakes, the position shown, and the code of the game."""
        record = review.page.record
        headers = review.page.headers
        accuracies = list(self._accuracies(review.verdicts))
        lines = [self._("## Review")]
        if headers is not None:
            mention = self._language.mention
            lines.append(self._language.versus(mention(headers.x_id), mention(headers.o_id)))
        lines.append(f"-# {self._language.rules(record.rules)} · {self._result(record, headers)}")
        lines += accuracies
        lines += self._all_mistakes(review.verdicts)
        lines += ["", self._position(review), ""]
        if accuracies:
            lines.append(self._(ACCURACY_NOTE))
        lines.append(self._("-# Code for `/velha replay`:"))
        lines.append(f"```\n{record.code}\n```")
        return "\n".join(lines)

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

    def _accuracies(self, verdicts: Sequence[Verdict]) -> Iterator[str]:
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
        decisive: list[str] = []
        others: list[str] = []
        for number, verdict in enumerate(verdicts, start=1):
            if verdict.lost_at_once:
                decisive.append(self._mistake_texts.mistake(number, verdict))
            elif verdict.is_blunder or verdict.missed_wins:
                others.append(self._mistake_texts.mistake(number, verdict))
        mistakes = [*decisive, *others]
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
            yield from self._mistake_texts.only_move(verdict)
        if verdict.is_blunder and verdict.worth.value is Value.LOSS and review.reply is not None:
            yield self._verdict_texts.best_reply(review.reply)
        elif not is_over:
            after = verdict.worth.one_ply_later()
            yield self._verdict_texts.outlook(after, verdict.mark.other)
        if ply == len(record.moves) and not is_over:
            yield self._("The match stopped here.")

    def step_labels(self) -> list[str]:
        return [self._(label) for label in STEP_LABELS]

    def lesson_button(self) -> str:
        return self._(WHAT_I_SAW)

    def moment_button(self) -> str:
        return self._(ASK_EVERYONE)


def review_view(review: Review, language: Language) -> ui.LayoutView:
    """A game reviewed, with the board at one ply; each mark leads to the ply that made it."""
    texts = ReviewTexts(language)
    page = review.page
    ply = shown_ply(page, review.verdicts)
    board = page.record.boards[ply]
    lesson = [*_lesson_button(review, ply, texts)]
    rows = [ui.ActionRow(*_review_buttons(review, ply, texts, has_lesson=bool(lesson)))]
    styles: dict[Cell, CellStyle] = {}
    custom_ids = {
        cell: custom_id(replace(page, ply=number), _MARK_ID)
        for number, cell in enumerate(page.record.moves[:ply], start=1)
        if board[cell]
    }
    if ply > 0:
        verdict = review.verdicts[ply - 1]
        better_cells = _better_cells(verdict)
        styles = move_styles(board, verdict.action)
        styles |= dict.fromkeys(better_cells, CellStyle(emoji=BETTER_MOVE_EMOJI))
        if verdict.is_blunder:
            retry = RetryPage(page.record, ply, headers=page.headers)
            custom_ids |= {cell: custom_id(replace(retry, cell=cell), 0) for cell in better_cells}
            label = MistakeTexts(language).retry_button()
            retry_button = button(custom_id(retry, 0), label=label, style=ButtonStyle.primary)
            rows.append(ui.ActionRow(retry_button, *lesson))
    squares = board_rows(board, styles, custom_ids, language.symbols)
    return container_view(texts.review(review), *squares, *rows, symbols=language.symbols)


def _review_buttons(
    review: Review, ply: int, texts: ReviewTexts, *, has_lesson: bool
) -> list[ui.Button[Any]]:
    """The buttons that step through the game; the last leads to the move that decided it.

    At that move, a player can ask everybody about it instead. 5x5 leaves no room for one more
    button: where there is one to the lesson, none leads to the start.
    """
    page = review.page
    decisive_ply = find_decisive_ply(review.verdicts)
    turning_point = ply if decisive_ply is None else decisive_ply
    last_ply = len(page.record.moves)
    buttons = step_buttons(page, ply, last_ply, texts.step_labels(), turning_point)
    if review.is_by_player and ply == decisive_ply:
        buttons[-1] = button(custom_id(MomentPage(page.record), 0), label=texts.moment_button())
    is_full = len(page.record.rules.cells) == MAX_BOARD_SIZE**2
    return buttons[1:] if has_lesson and is_full else buttons


def _lesson_button(review: Review, ply: int, texts: ReviewTexts) -> Iterator[ui.Button[Any]]:
    """At the move that lost the match, the button that leads into the lesson on that position."""
    record, rules = review.page.record, review.page.record.rules
    if ply != find_decisive_ply(review.verdicts) or record.boards[ply].is_terminal:
        return
    if review.verdicts[ply - 1].worth.value is Value.LOSS and not rules.repeats:
        page = TutorialPage(Record(rules, record.moves[:ply]))
        yield button(custom_id(page, 0), label=texts.lesson_button())


def _better_cells(verdict: Verdict) -> Sequence[Cell]:
    """The moves that were better than the one made; none if that was right."""
    is_mistake = verdict.is_blunder or verdict.lost_at_once
    return verdict.best_actions if is_mistake else verdict.missed_wins

"""Mistakes: what they gave away, what was better, and a page to try again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.analysis import Game, Retry
from bot.domain.match_actions import MatchAction
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.practice import MistakePage
from bot.views.components import CORRECT_STYLE, WRONG_STYLE, board_rows, button, container_view
from bot.views.i18n import N_, NC_, PLAY, Language, Sentence, Texts
from bot.views.matches import MatchTexts
from bot.views.symbols import SYMBOLS
from bot.views.verdicts import BETTER_MOVE_EMOJI, CORRECT_EMOJI, VerdictTexts
from engine import TIC_TAC_TOE, Board, Reason, Value, Verdict

# Translators, from here on: a mistake, in a review, followed by what was better. {symbol} is ❌ or
# ⭕, {cell} a cell.
MISTAKES: Mapping[tuple[Value, Value], Sentence] = {
    (Value.DRAW, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a draw into a loss."),
    (Value.WIN, Value.DRAW): N_("Move {number}, {cell}: {symbol} turned a win into a draw."),
    (Value.WIN, Value.LOSS): N_("Move {number}, {cell}: {symbol} turned a win into a loss."),
}

COMPLETED_LINE = N_("Move {number}, {cell}: {symbol} completed a line, and here that loses.")

SLOWER = N_("Move {number}, {cell}: {symbol} took the long way.")

# Translators: a button that leads to one's mistakes in one's last matches.
PRACTISE = NC_("button", "Work on my mistakes")

_MAX_NAMED = 4
"""How many better moves a headline names; the board shows all."""


# Translators, from here on: in a review, or a mistake to try again. {cells} is one cell or
# several, such as "A1 or B2". A button has about 20 letters.
class MistakeTexts(Texts):
    """Mistakes, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._verdict_texts = VerdictTexts(language)

    def mistake(self, number: int, verdict: Verdict) -> str:
        """What a move gave away, or that it lost or missed a win at once; and what was better."""
        return f"{self.cost(number, verdict)} {BETTER_MOVE_EMOJI} {self._better(verdict)}"

    def cost(self, number: int, verdict: Verdict) -> str:
        """What a move gave away."""
        values = verdict.best_worth.value, verdict.worth.value
        sentence = COMPLETED_LINE if verdict.lost_at_once else MISTAKES.get(values, SLOWER)
        return self._(
            sentence,
            number=number,
            cell=verdict.board.rules.coordinate(verdict.action),
            symbol=SYMBOLS[verdict.mark],
        )

    def _better(self, verdict: Verdict, max_cells: int | None = None) -> str:
        best = verdict.best_actions[:max_cells]
        cells = self._language.any_cell(verdict.board.rules, best)
        if len(best) < len(verdict.best_actions):
            # Translators: in place of {cells} where there are more of them, as in "A1 or B2, for
            # example, would have won."
            cells = self._("{cells}, for example,", cells=cells)
        if verdict.missed_wins:
            return self._language.ngettext(
                "{cells} would have won right away.",
                "{cells} would have won right away.",
                len(best),
                cells=cells,
            )
        if verdict.best_worth.value is Value.WIN:
            return self._language.ngettext(
                "{cells} would have won.", "{cells} would have won.", len(best), cells=cells
            )
        if verdict.best_worth.value is Value.LOSS:
            return self._language.ngettext(
                "{cells} would have held out longer.",
                "{cells} would have held out longer.",
                len(best),
                cells=cells,
            )
        # Translators: what they would have saved is the draw.
        return self._language.ngettext(
            "{cells} would have held the draw.",
            "{cells} would have held the draw.",
            len(best),
            cells=cells,
        )

    def headline(self, number: int, verdict: Verdict, *, with_symbol: bool) -> str:
        """What would have been better than a mistake; whose it was, `with_symbol`."""
        cell = verdict.board.rules.coordinate(verdict.action)
        # Translators: {cell} is a move, such as "C1" or "⭕ C1"; {better} is a whole sentence, such
        # as "A1 would have won."
        return self._(
            "Move {number}, {cell}: {better}",
            number=number,
            cell=f"{SYMBOLS[verdict.mark]} {cell}" if with_symbol else cell,
            better=self._better(verdict, _MAX_NAMED),
        )

    def retry(self, retry: Retry) -> str:
        """A mistake to try again, and the result of the last try, if any."""
        page = retry.page
        verdict = retry.try_verdict
        lines = [self._retry_title(retry)]
        lines += self.small_print(retry.board)
        lines.append(self.cost(page.ply, retry.mistake))
        if not retry.is_right:
            symbol = SYMBOLS[retry.mistake.mark]
            lines.append(self._("{symbol}'s turn: which move is better?", symbol=symbol))
        if verdict is not None:
            lines.append(self.try_result(verdict))
        if retry.are_all_right:
            lines.append(self._("**All fixed!**"))
        return "\n".join(lines)

    def _retry_title(self, retry: Retry) -> str:
        plies = retry.game.retry_plies
        if len(plies) < 2 or retry.page.ply not in plies:
            return self._("## Try again")
        return self._(
            "## Try again: {number} of {total}",
            number=plies.index(retry.page.ply) + 1,
            total=len(plies),
        )

    def small_print(self, board: Board) -> list[str]:
        """What a board does not show: rules other than the usual ones, and what vanishes."""
        rules = [] if board.rules == TIC_TAC_TOE else [self._language.rules(board.rules)]
        notes = [*rules, *self._language.vanishing_next(board)]
        return [f"-# {' · '.join(notes)}"] if notes else []

    def try_result(self, verdict: Verdict) -> str:
        """Whether a try was right, and why, or what it leads to."""
        texts = self._verdict_texts
        if not verdict.kept_value:
            return texts.wrong_try(verdict)
        if verdict.missed_wins:
            outlook = texts.outlook(verdict.worth.one_ply_later(), verdict.mark.other)
            return f"{CORRECT_EMOJI} {self._language.sentences(outlook, self._better(verdict))}"
        why, *leads_to = texts.reason_and_outlook(verdict)
        praise = self._language.sentences(why, *self.only_move(verdict), *leads_to)
        return f"{CORRECT_EMOJI} {praise}"

    def only_move(self, verdict: Verdict) -> list[str]:
        """That a move was the only good one, unless its reason says so already."""
        if not verdict.is_only_move or verdict.reason is Reason.ONLY_MOVE:
            return []
        return [self._("That was the only good move.")]

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
    mistake = retry.mistake.action
    styles = {mistake: WRONG_STYLE}
    if verdict is not None:
        styles[verdict.action] = CORRECT_STYLE if verdict.kept_value else WRONG_STYLE
    custom_ids = {cell: custom_id(replace(page, cell=cell), 0) for cell in retry.board.actions()}
    for number, cell in enumerate(retry.game.record.moves[: page.ply], start=1):
        if retry.board[cell] or number == page.ply:
            custom_ids[cell] = custom_id(replace(page.review, ply=number), 1)
    board = board_rows(retry.board, styles, custom_ids, language.symbols)
    buttons = ui.ActionRow[Any](*_retry_buttons(retry, language))
    return container_view(texts.retry(retry), *board, buttons, symbols=language.symbols)


def _retry_buttons(retry: Retry, language: Language) -> Iterator[ui.Button[Any]]:
    texts = MistakeTexts(language)
    style = ButtonStyle.primary if retry.is_right else ButtonStyle.secondary
    if next_page := retry.next_page:
        yield button(custom_id(next_page, 0), label=texts.next_button(), style=style)
    elif retry.is_right:
        yield again_button(retry.game, language, style)
    yield button(custom_id(retry.page.review, 0), label=texts.back_button())


def again_button(
    game: Game, language: Language, style: ButtonStyle = ButtonStyle.secondary
) -> ui.Button[Any]:
    """The button for a rematch against the bot; where there can be none, for a new match."""
    if game.rematch is not None:
        label = MatchTexts(language).button(MatchAction.REMATCH)
        return button(str(game.rematch), label=label, style=style)
    start = custom_id(ShortcutPage(Shortcut.START), 0)
    return button(start, label=language.say(PLAY), style=style)


def practise_button(language: Language) -> ui.Button[Any]:
    """The button that leads to one's own mistakes in one's last matches."""
    return button(custom_id(MistakePage(), 0), label=language.say(PRACTISE))

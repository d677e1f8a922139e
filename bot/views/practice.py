"""One's own mistakes to practise, and the score at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from discord import ButtonStyle, ui

from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.practice import Exercise, PracticeEnd, PracticeStep
from bot.views.components import (
    CORRECT_STYLE,
    WRONG_STYLE,
    CellStyle,
    board_rows,
    button,
    container_view,
)
from bot.views.i18n import LEVELS, N_, NC_, PLAY, Language, Sentence, Texts
from bot.views.mistakes import MistakeTexts
from bot.views.stats import LastMatchTexts
from bot.views.symbols import SYMBOLS
from bot.views.verdicts import BETTER_MOVE_EMOJI, VerdictTexts
from engine import Cell, Value

# Translators, from here on: somebody practises the positions of their last matches in which they
# made a mistake. {symbol} is ❌ or ⭕. A button has about 10 letters.
QUESTIONS: Mapping[Value, Sentence] = {
    Value.WIN: N_("You are {symbol}. You could have won here: which move?"),
    Value.DRAW: N_("You are {symbol}. You could have held the draw here: which move?"),
}

# Translators: a button that tells the right move.
SHOW = NC_("button", "Show it")

# Translators: a button that leads to the next mistake.
NEXT = NC_("practice", "Next")


class PracticeTexts(Texts):
    """Mistakes to practise, in one language."""

    def exercise(self, exercise: Exercise) -> str:
        """Which match it was, the question, and what the last try was worth; or the answer."""
        # Translators: a heading; {number} counts the mistakes that are practised.
        heading = self._("## Mistake {number}", number=exercise.page.met + 1)
        match = LastMatchTexts(self._language).match(exercise.match, exercise.user_id)
        small_print = MistakeTexts(self._language).small_print(exercise.mistake.board)
        answer = self._answer(exercise) if exercise.is_over else self._question(exercise)
        return "\n".join([heading, f"-# {match}", *small_print, *answer])

    def _question(self, exercise: Exercise) -> Iterator[str]:
        mistake = exercise.mistake
        yield self._(QUESTIONS[mistake.best_worth.value], symbol=SYMBOLS[mistake.mark])
        if exercise.answer is not None:
            texts = MistakeTexts(self._language)
            yield texts.try_result(exercise.answer)

    def _answer(self, exercise: Exercise) -> Iterator[str]:
        """What the mistake was, and why another move was right."""
        texts, ply = MistakeTexts(self._language), exercise.page.ply
        assert exercise.answer is not None, "it is over"
        if exercise.is_shown:
            yield texts.mistake(ply, exercise.mistake)
            yield VerdictTexts(self._language).explanation(exercise.answer)
        else:
            yield texts.cost(ply, exercise.mistake)
            yield texts.try_result(exercise.answer)

    def end(self, end: PracticeEnd) -> str:
        """The score; or, if there was no mistake, what to do instead."""
        if end.met:
            heading = self._("## That's all of them")
            # Translators: of {n} mistakes, {right} were put right on the first try.
            score = self._(
                "Right on the first try: {right}/{n}.",
                right=self._language.number(end.right),
                n=self._language.number(end.met),
            )
            return f"{heading}\n{score}"
        if end.level is None:
            return self._("Nothing to show yet. Start a match: `/velha start`")
        heading = self._("## Not one mistake in your latest matches!")
        # Translators: an offer; {level} is the name of a level.
        offer = self._("How about **{level}** next?", level=self._(LEVELS[end.level]))
        return f"{heading}\n{offer}"

    def show_button(self) -> str:
        return self._(SHOW)

    def next_button(self) -> str:
        return self._(NEXT)


def exercise_view(exercise: Exercise, language: Language) -> ui.LayoutView:
    """A mistake to practise: the board before it, where pressing a free cell tries that."""
    texts = PracticeTexts(language)
    page, board = exercise.page, exercise.mistake.board
    custom_ids = {}
    if exercise.is_over:
        button_below = button(
            custom_id(exercise.next_page, 0), label=texts.next_button(), style=ButtonStyle.primary
        )
    else:
        show = replace(page, step=PracticeStep.SHOW)
        button_below = button(custom_id(show, 0), label=texts.show_button())
        custom_ids = {
            cell: custom_id(replace(page, tries=(*page.tries, cell)), 0)
            for cell in board.actions()
            if cell not in page.tries
        }
    return container_view(
        texts.exercise(exercise),
        *board_rows(board, _styles(exercise), custom_ids, language.symbols),
        ui.ActionRow(button_below),
        symbols=language.symbols,
    )


def _styles(exercise: Exercise) -> dict[Cell, CellStyle]:
    """The styles of the cells that were tried and, in the end, of the mistake and what is right."""
    styles = dict.fromkeys(exercise.page.tries, WRONG_STYLE)
    if exercise.answer is None or not exercise.is_over:
        return styles
    styles[exercise.mistake.action] = WRONG_STYLE
    if exercise.is_shown:
        best = CellStyle(ButtonStyle.success, emoji=BETTER_MOVE_EMOJI)
        return styles | dict.fromkeys(exercise.mistake.best_actions, best)
    return styles | {exercise.answer.action: CORRECT_STYLE}


def practice_end_view(end: PracticeEnd, language: Language) -> ui.LayoutView:
    """The score, or that there was no mistake; and a match to play."""
    texts = PracticeTexts(language)
    start = custom_id(ShortcutPage(Shortcut.START), 0)
    play = button(start, label=language.say(PLAY), style=ButtonStyle.primary)
    return container_view(texts.end(end), ui.ActionRow(play), symbols=language.symbols)

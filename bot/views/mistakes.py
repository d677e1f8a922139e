"""Mistakes to try again, one after the other, and the score at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from discord import ButtonStyle, ui

from bot.domain.mistakes import Mistake, MistakeEnd, MistakeStep
from bot.domain.pages import custom_id
from bot.views.analysis import again_button, back_button
from bot.views.components import (
    CORRECT_STYLE,
    WRONG_STYLE,
    CellStyle,
    board_rows,
    button,
    container_view,
    play_on_button,
)
from bot.views.i18n import LEVELS, N_, NC_, Language, Sentence
from bot.views.stats import match_line
from bot.views.symbols import SYMBOLS
from bot.views.verdicts import (
    BETTER_MOVE_EMOJI,
    board_small_print,
    cost_sentence,
    explanation,
    mistake_sentences,
    try_result,
)
from engine import Cell, Value

# Translators, from here on: someone is shown positions in which a mistake was made, and tries
# again. {symbol} is ❌ or ⭕, whose turn it is. A button has about 10 letters.
QUESTIONS: Mapping[Value, Sentence] = {
    Value.WIN: N_("{symbol} could have won here. How?"),
    Value.DRAW: N_("{symbol} could have saved a draw here. How?"),
}

# Translators: a button that tells the right move.
SHOW = NC_("button", "Show me")

# Translators: a button that leads to the next mistake.
NEXT = NC_("mistake", "Next")


def mistake_view(mistake: Mistake, language: Language) -> ui.LayoutView:
    """The board before a mistake, where pressing a free cell tries that."""
    page, board = mistake.page, mistake.verdict.board
    custom_ids = {}
    if mistake.is_over:
        below = [
            button(
                custom_id(mistake.next_page, 0), label=language.say(NEXT), style=ButtonStyle.primary
            )
        ]
        if mistake.play_on is not None:
            below.append(play_on_button(mistake.play_on, language))
    else:
        below = [
            button(custom_id(replace(page, step=MistakeStep.SHOW), 0), label=language.say(SHOW))
        ]
        custom_ids = {
            cell: custom_id(replace(page, tries=(*page.tries, cell)), 0)
            for cell in board.actions()
            if cell not in page.tries
        }
    if page.review is not None:
        below.append(back_button(page.review, language))
    return container_view(
        "\n".join(_text(mistake, language)),
        *board_rows(board, _styles(mistake), custom_ids, language.symbols),
        ui.ActionRow(*below),
        symbols=language.symbols,
    )


def _text(mistake: Mistake, language: Language) -> Iterator[str]:
    """Which mistake it is, the question, and what the last try was worth; or the answer."""
    verdict, ply = mistake.verdict, mistake.page.ply
    # Translators: a heading; {number} counts the mistakes that are tried again.
    yield language.say(N_("## Mistake {number}"), number=mistake.page.met + 1)
    if mistake.match is not None:
        player = mistake.match.players[verdict.mark]
        yield f"-# {match_line(language, mistake.match, player.user_id)}"
    yield from board_small_print(language, verdict.board)
    if not mistake.is_over:
        yield language.say(QUESTIONS[verdict.best_worth.value], symbol=SYMBOLS[verdict.mark])
    elif not mistake.is_shown:
        yield cost_sentence(language, ply, verdict)
    if mistake.answer is None:
        return
    if mistake.is_shown:
        yield mistake_sentences(language, ply, verdict)
        yield explanation(language, mistake.answer, with_outlook=False)
    else:
        yield try_result(language, mistake.answer)


def _styles(mistake: Mistake) -> dict[Cell, CellStyle]:
    """The styles of the cells that were tried and, in the end, of the mistake and what is right."""
    styles = dict.fromkeys(mistake.page.tries, WRONG_STYLE)
    if mistake.answer is None or not mistake.is_over:
        return styles
    styles[mistake.verdict.action] = WRONG_STYLE
    if mistake.is_shown:
        best = CellStyle(ButtonStyle.success, emoji=BETTER_MOVE_EMOJI)
        return styles | dict.fromkeys(mistake.verdict.best_actions, best)
    return styles | {mistake.answer.action: CORRECT_STYLE}


def mistake_end_view(end: MistakeEnd, language: Language) -> ui.LayoutView:
    """The score, or that there was no mistake; and a match to play."""
    below = [again_button(end.game, language, ButtonStyle.primary)]
    if end.page.review is not None:
        below.append(back_button(end.page.review, language))
    return container_view(_end_text(end, language), ui.ActionRow(*below), symbols=language.symbols)


def _end_text(end: MistakeEnd, language: Language) -> str:
    """The score; or, if there was no mistake, what to do instead."""
    if end.page.met:
        heading = language.say(N_("## That's all of them"))
        score = language.say(
            # Translators: of {n} mistakes, {right} were put right on the first try.
            N_("{right} of {n} right first time."),
            right=language.number(end.page.right),
            n=language.number(end.page.met),
        )
        return f"{heading}\n{score}"
    if end.level is None:
        return language.say(N_("Nothing to show yet. Start a match with `/velha start`."))
    heading = language.say(N_("## Not one mistake in your latest matches!"))
    # Translators: an offer; {level} is the name of a level.
    offer = language.say(N_("How about **{level}** next?"), level=language.say(LEVELS[end.level]))
    return f"{heading}\n{offer}"

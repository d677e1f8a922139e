"""The review of a game: what decided it, the board to step through, and all mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from discord import ButtonStyle, ui

from bot.domain.analysis import (
    Game,
    Review,
    ReviewPage,
    ReviewView,
    shown_ply,
    weighty_mistakes,
)
from bot.domain.match_actions import MatchAction
from bot.domain.matches import MAX_BOARD_SIZE, PrivateMatch
from bot.domain.mistakes import MistakePage, MistakeStep
from bot.domain.moments import MomentPage
from bot.domain.pages import Shortcut, ShortcutPage, custom_id
from bot.domain.tutorial import TutorialPage
from bot.views.components import (
    CellStyle,
    board_rows,
    button,
    container_view,
    move_styles,
    play_on_button,
    step_buttons,
)
from bot.views.i18n import N_, NC_, PLAY, Language
from bot.views.match_texts import BUTTONS, ENDINGS, LOSER_SENTENCES
from bot.views.symbols import SYMBOLS
from bot.views.verdicts import (
    BETTER_MOVE_EMOJI,
    board_small_print,
    cause_sentence,
    line_of_play,
    mistake_headline,
    mistake_line,
    only_move_note,
    outlook_sentence,
    reason_and_outlook,
    reason_for,
)
from engine import Accuracy, Board, Cell, Mark, Record, Verdict, accuracy

# Translators, from here on: in a review, under a board. Buttons in a row have about 10 letters.
# Translators: a button that leads to everything else that is said about a match.
MORE = NC_("button", "More")

# Translators: a button below a move that lost the match: it shows what I played for.
HOW_I_SAW_IT = NC_("button", "How I saw it")

# Translators: the button that follows there: it leads into the lesson on how I think, at that
# position.
HOW_TO_FIND_IT = NC_("button", "How to find it")

# Translators: a button that shows everyone the position, and asks them for the right move.
ASK_EVERYONE = NC_("button", "Ask everyone")

MIN_CRITICAL_MOVES = 4
"""With fewer tricky moves, where a mistake was possible, their count would say little."""

_MAX_MISTAKES = 3
"""How many are listed: more would fill a phone."""

_THREAT_EMOJI = "⚡"

_MARK_ID = 5
"""Follows the page in the custom_ids of marks; those of the step buttons end with 0 and 1."""


# Translators, from here on: in a review, which one person reads, above its board. {symbol} is ❌ or
# ⭕.
def position_text(language: Language, review: Review) -> str:
    """The move that led to the position shown, what was better, and what it was good for."""
    game = review.game
    ply = shown_ply(review.page, game)
    if ply == game.start:
        return language.say(N_("**Before the first move**"))
    verdict = game.verdicts[ply - 1]
    lines = [
        _heading(language, game, ply, verdict),
        language.sentences(*_move(language, review, verdict, ply)),
        *line_of_play(language, verdict, review.line),
        *board_small_print(language, game.record.boards[ply]),
    ]
    return "\n".join(filter(None, lines))


def _heading(language: Language, game: Game, ply: int, verdict: Verdict) -> str:
    """What would have been better; or, at the end, what decided; or else which move it is."""
    if verdict.is_blunder:
        is_own = verdict.mark is game.side
        return f"**{mistake_headline(language, ply, verdict, with_symbol=not is_own)}**"
    if ply == len(game.verdicts) and game.key_ply is None:
        return f"**{_what_decided(language, game)}**"
    return language.say(
        N_("**Move {number} of {total}: {symbol} {cell}**"),
        number=ply,
        total=len(game.verdicts),
        symbol=SYMBOLS[verdict.mark],
        cell=verdict.board.rules.coordinate(verdict.action),
    )


def _what_decided(language: Language, game: Game) -> str:
    """What decided a game in which no move changed the result."""
    say = language.say
    outcome = game.record.boards[-1].outcome()
    if outcome is None:
        return _ending(language, game) or say(N_("No move changed the result."))
    if outcome.winner is None:
        return say(N_("Nobody made a mistake, so it's a draw."))
    if game.start:
        # Translators: of a match that began with marks on the board. {symbol} is ❌ or ⭕.
        sentence = N_("{symbol} could win from the start, and made no mistakes.")
        return say(sentence, symbol=SYMBOLS[outcome.winner])
    # Translators: of a board on which the first player can always win. {symbol} is ❌.
    sentence = N_("{symbol} went first and made no mistakes.")
    return say(sentence, symbol=SYMBOLS[outcome.winner])


def _move(language: Language, review: Review, verdict: Verdict, ply: int) -> Iterator[str]:
    """Why the move at `ply` was good or bad, what it leads to, and if play stopped."""
    game = review.game
    is_over = game.record.boards[ply].is_terminal
    reason, *outlook = reason_and_outlook(language, verdict)
    if verdict.is_blunder and verdict.missed_wins:  # the heading says so
        if verdict.allowed is not None:
            outlook = [cause_sentence(language, verdict.board, verdict.action, verdict.allowed)]
    else:
        yield reason
    yield from only_move_note(language, verdict)
    if not is_over:
        yield from outlook
    if ply == len(game.verdicts) and not is_over and game.key_ply is not None:
        yield _ending(language, game) or language.say(N_("The match stopped here."))


def more_text(language: Language, game: Game) -> str:
    """Who played, the mistakes that weighed most, how many tricky moves were right; the code."""
    lines = [language.say(N_("## Review"))]
    if game.headers is not None:
        mention = language.mention
        players = mention(game.headers.x_id), mention(game.headers.o_id)
        lines.append(language.versus(*players))
    lines.append(f"-# {language.rules(game.record.rules)} · {_result(language, game)}")
    lines += _mistakes(language, game)
    lines += _tricky_moves(language, game.verdicts[game.start :])
    lines.append(language.say(N_("-# Watch it again with `/velha replay` and this code")))
    lines.append(f"```\n{game.record.code}\n```")
    return "\n".join(lines)


def _result(language: Language, game: Game) -> str:
    say = language.say
    outcome = game.record.boards[-1].outcome()
    if outcome is not None and outcome.winner:
        return say(N_("{symbol} won"), symbol=SYMBOLS[outcome.winner])
    if outcome is not None:
        return say(N_("a draw"))
    # Translators: said of a match that did not come to its end.
    return _ending(language, game) or say(N_("unfinished"))


def _ending(language: Language, game: Game) -> str | None:
    """How a match ended before the board was decided; None if that is not known."""
    headers = game.headers
    if headers is None or headers.early_ending is None:
        return None
    reason = headers.early_ending.reason
    sentence = LOSER_SENTENCES.get(reason, ENDINGS[reason])
    loser = language.mention(headers.loser_id) if headers.loser_id else ""
    return language.say(sentence, loser=loser)


def _mistakes(language: Language, game: Game) -> Iterator[str]:
    """The mistakes, the wins that were put off and the lines that lost, in order of play.

    Of many, those that weighed most, the reader's own before the other player's.
    """
    if not any(verdict.is_blunder for verdict in game.verdicts[game.start :]):
        yield language.say(N_("No move changed the result."))
    mistakes = weighty_mistakes(game)
    for ply in sorted(mistakes[:_MAX_MISTAKES]):
        yield mistake_line(language, ply, game.verdicts[ply - 1])
    if (omitted := len(mistakes) - _MAX_MISTAKES) > 0:
        yield language.ngettext("-# and {n} more", "-# and {n} more", omitted)


def _tricky_moves(language: Language, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """How many tricky moves each side got right; nothing unless that tells of both."""
    accuracies = {mark: accuracy(verdicts, mark) for mark in Mark}
    if not all(map(_is_telling, accuracies.values())):
        return
    # Translators: the moves where a mistake was possible. Each player's count follows, such as
    # "❌ 4/6".
    parts = [language.say(N_("Right on tricky moves"))]
    for mark, (kept, critical) in accuracies.items():
        parts.append(f"{SYMBOLS[mark]} {kept}/{critical}")
    yield f"-# {' · '.join(parts)}"


def _is_telling(accuracy: Accuracy) -> bool:
    """Whether an accuracy says something, and not that nothing was right."""
    return accuracy.kept > 0 and accuracy.critical >= MIN_CRITICAL_MOVES


def review_view(review: Review, language: Language) -> ui.LayoutView:
    """A game reviewed, as its page asks for it."""
    if review.page.view is ReviewView.MORE:
        return _more_view(review, language)
    if review.page.view is ReviewView.REFUTATION:
        return _refutation_view(review, language)
    board = _board(review, language)
    rows = _button_rows(review, language)
    return container_view(position_text(language, review), *board, *rows, symbols=language.symbols)


def _board(review: Review, language: Language) -> list[ui.Item[Any]]:
    """The board at one ply; marks lead to the plies that made them, better moves to a try."""
    page, game = review.page, review.game
    ply = shown_ply(page, game)
    board = game.record.boards[ply]
    styles: dict[Cell, CellStyle] = {}
    custom_ids = {
        cell: custom_id(replace(page, ply=number), _MARK_ID)
        for number, cell in enumerate(game.record.moves[:ply], start=1)
        if board[cell] and number > game.start
    }
    if ply > game.start:
        verdict = game.verdicts[ply - 1]
        better_cells = _better_cells(verdict)
        styles = move_styles(board, verdict.action, board.outcome())
        styles |= dict.fromkeys(better_cells, CellStyle(emoji=BETTER_MOVE_EMOJI))
        if verdict.is_blunder:
            retry = MistakePage(MistakeStep.TRY, page.game, ply, in_review=True)
            custom_ids |= {
                cell: custom_id(replace(retry, tries=(cell,)), 0) for cell in better_cells
            }
    return board_rows(board, styles, custom_ids, language.symbols)


def _button_rows(review: Review, language: Language) -> list[ui.Item[Any]]:
    """What teaches most comes first. 5x5 has room for six buttons in two rows.

    There, playing on takes the place of a rematch.
    """
    page, game = review.page, review.game
    ply = shown_ply(page, game)
    lessons = []
    if game.mistake_plies:
        first = MistakePage(MistakeStep.NEXT, page.game, in_review=True)
        if ply in game.mistake_plies:
            first = replace(first, step=MistakeStep.TRY, ply=ply)
        label = language.say(NC_("button", "Try again"))
        lessons.append(button(custom_id(first, 0), label=label, style=ButtonStyle.primary))
    if ply == game.lost_ply:
        refutation = ReviewPage(page.game, ply, ReviewView.REFUTATION)
        lessons.append(button(custom_id(refutation, 0), label=language.say(HOW_I_SAW_IT)))
    more = custom_id(replace(page, ply=ply, view=ReviewView.MORE), 0)
    more_button = button(more, label=language.say(MORE))
    steps = step_buttons(lambda step: replace(page, ply=step), ply, len(game.verdicts), game.start)
    next_match = again_button(game, language)
    if (private := game.play_on(ply)) is not None:
        play_on = play_on_button(private, language)
        if game.record.rules.rows == MAX_BOARD_SIZE:
            next_match = play_on
        else:
            lessons.append(play_on)
    rows: list[ui.Item[Any]] = [ui.ActionRow(*lessons)] if lessons else []
    return [*rows, ui.ActionRow(*steps, next_match, more_button)]


def _refutation_view(review: Review, language: Language) -> ui.LayoutView:
    """Best play after the move that lost, one move after the other."""
    page, game, moves = review.page, review.game, review.refutation
    lost = game.verdicts[shown_ply(page, game) - 1]
    last = moves[page.shown - 1] if page.shown else lost
    board = last.board.result(last.action)
    threats = [moves[0].action] if last is lost else _threats(board, lost.mark.other)
    styles = dict.fromkeys(threats, CellStyle(emoji=_THREAT_EMOJI))
    styles |= move_styles(board, last.action, board.outcome())
    text = _refutation_text(language, review, lost, last)
    steps = step_buttons(lambda step: replace(page, shown=step), page.shown, len(moves))
    back = [back_button(ReviewPage(page.game, page.ply), language)]
    if not board.rules.repeats:  # its tree can be shown
        lesson = TutorialPage(Record(board.rules, game.record.moves[: page.ply]))
        is_at_end = page.shown == len(moves)
        style = ButtonStyle.primary if is_at_end else ButtonStyle.secondary
        label = language.say(HOW_TO_FIND_IT)
        back.insert(0, button(custom_id(lesson, 0), label=label, style=style))
    rows = board_rows(board, styles, {}, language.symbols)
    return container_view(
        text, *rows, ui.ActionRow(*steps), ui.ActionRow(*back), symbols=language.symbols
    )


def _threats(board: Board, winner: Mark) -> Sequence[Cell]:
    """Where the winner could complete a line, or the loser would, where that loses."""
    return board.losing_cells() if board.rules.lines_lose else board.winning_cells(winner)


def _refutation_text(language: Language, review: Review, lost: Verdict, last: Verdict) -> str:
    """What the move that lost let the other play; then why each move was made."""
    moves, board = review.refutation, last.board.result(last.action)
    if last is lost:
        heading, reason = _what_it_let(language, review.game, lost, moves[0]), ""
    else:
        cell = board.rules.coordinate(last.action)
        heading = f"{SYMBOLS[last.mark]} {cell}"
        reason = reason_for(language, last)
        if last is moves[-1] and not board.is_terminal:
            worth = last.worth.one_ply_later()
            outlook = outlook_sentence(language, worth, last.mark.other)
            reason = language.sentences(reason, outlook)
    lines = [f"**{heading}**", reason, *board_small_print(language, board)]
    return "\n".join(filter(None, lines))


def _what_it_let(language: Language, game: Game, lost: Verdict, reply: Verdict) -> str:
    coordinate = lost.board.rules.coordinate
    moves = {"cell": coordinate(lost.action), "reply": coordinate(reply.action)}
    other = SYMBOLS[reply.mark]
    if lost.mark is not game.side:
        # Translators: a heading: with {cell}, {symbol} allowed {other} to play {reply}.
        sentence = N_("{symbol} {cell} let {other} play {reply}.")
        return language.say(sentence, symbol=SYMBOLS[lost.mark], other=other, **moves)
    if game.level is not None:
        # Translators: the same, said by the bot, who won, to the player who lost.
        return language.say(N_("Your {cell} let me play {reply}."), **moves)
    # Translators: the same, said to the player who lost.
    return language.say(N_("Your {cell} let {other} play {reply}."), other=other, **moves)


def _more_view(review: Review, language: Language) -> ui.LayoutView:
    """All mistakes and the code; a player can ask everyone about the move that decided."""
    game = review.game
    board = replace(review.page, view=ReviewView.BOARD)
    buttons = [back_button(board, language)]
    is_private = isinstance(review.page.game, PrivateMatch)
    if not is_private and game.side is not None and game.decisive_ply is not None:
        moment_id = custom_id(MomentPage(game.record), 0)
        buttons.append(button(moment_id, label=language.say(ASK_EVERYONE)))
    return container_view(
        more_text(language, game), ui.ActionRow[Any](*buttons), symbols=language.symbols
    )


def back_button(page: ReviewPage, language: Language) -> ui.Button[Any]:
    return button(custom_id(page, 0), label=language.say(NC_("button", "Back to the review")))


def again_button(
    game: Game | None, language: Language, style: ButtonStyle = ButtonStyle.secondary
) -> ui.Button[Any]:
    """The button for a rematch against the bot; where there can be none, for a new match."""
    if game is not None and game.rematch is not None:
        label = language.say(BUTTONS[MatchAction.REMATCH])
        return button(custom_id(game.rematch, 0), label=label, style=style)
    start = custom_id(ShortcutPage(Shortcut.START), 0)
    return button(start, label=language.say(PLAY), style=style)


def _better_cells(verdict: Verdict) -> Sequence[Cell]:
    """The moves that were better than the one made; none if that was right."""
    is_mistake = verdict.is_blunder or verdict.lost_at_once
    return verdict.best_actions if is_mistake else verdict.missed_wins

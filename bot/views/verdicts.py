"""Sentences about verdicts: what a move or position is worth, why, and what was better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.views.i18n import N_, NC_, Language, Sentence
from bot.views.symbols import SYMBOLS
from engine import TIC_TAC_TOE, Board, Cause, Cell, Mark, Reason, Value, Verdict, Worth

BETTER_MOVE_EMOJI = "💡"

CORRECT_EMOJI = "🎯"

WRONG_EMOJI = "💥"

# Translators, from here on: nouns: what a move leads to, as in "draw → loss".
VALUE_NAMES: Mapping[Value, Sentence] = {
    Value.WIN: NC_("result", "win"),
    Value.DRAW: NC_("result", "draw"),
    Value.LOSS: NC_("result", "loss"),
}

# Translators: of a mistake that changes only how long it takes: "win → slower win".
SLOWER_WIN = NC_("result", "slower win")

# Translators: the same: "loss → quicker loss".
SOONER_LOSS = NC_("result", "quicker loss")

# Translators, from here on: in hints, reviews and puzzles, under a board.
# Translators: {line} are moves of both sides, such as "❌ A1 · ⭕ B2".
BEST_PLAY = N_("Best moves: {line}")

# Translators, from here on: why a move is good or bad: a sentence that stands alone, in hints,
# reviews and puzzles, under a board. {cell} is a cell, {symbol} and {other} are ❌ or ⭕.
REASON_SENTENCES: Mapping[Reason, Sentence] = {
    # Translators: {cell} is a move by its cell, such as B2; {symbol} is who makes it, {other} the
    # other player, such as ⭕.
    Reason.WIN: N_("**{cell}** completes a line and wins."),
    # Translators: {wins} is a cell or several, such as "A1 or B2".
    Reason.MISSED_WIN: N_("**{cell}** misses a win at {wins}."),
    Reason.OWN_LINE: N_("**{cell}** completes a line, and here that loses."),
    # Translators: the mark that vanishes had stood in the other's way.
    Reason.UNBLOCKS: N_(
        "**{cell}** makes {vanishing} vanish, and that mark was blocking {other}'s win."
    ),
    # Translators: {cells} is a cell or several, such as "A1 or B2", where {other} wins.
    Reason.ALLOWED_WIN: N_("**{cell}** lets {other} win at {cells}."),
    # Translators: {cells} is a cell; then every move that is left to the other player loses.
    Reason.MISSED_ZUGZWANG: N_("**{cell}** misses {cells}, after which {other} can only lose."),
    Reason.ALLOWED_ZUGZWANG: N_(
        "**{cell}** lets {other} play {cells}, and then {symbol} can only lose."
    ),
    # Translators: {cells} is a cell to play first; the mark that vanishes next stood in the way.
    Reason.MISSED_UNBLOCKING: N_(
        "**{cell}** misses {cells}, after which {other}'s blocking mark vanishes."
    ),
    Reason.ALLOWED_UNBLOCKING: N_(
        "**{cell}** lets {other} play {cells}, and then {symbol}'s blocking mark vanishes."
    ),
    # Translators: "fork" as players of chess say it; {cells} is a cell.
    Reason.MISSED_FORK: N_("**{cell}** misses a fork at {cells}."),
    Reason.ALLOWED_FORK: N_("**{cell}** lets {other} make a fork at {cells}."),
    # Translators: each move threatens to win, until two threats at once cannot be stopped; {cells}
    # is the cell of the first.
    Reason.MISSED_THREATS: N_("**{cell}** misses a win by threats, starting at {cells}."),
    Reason.ALLOWED_THREATS: N_("**{cell}** lets {other} win by threats, starting at {cells}."),
    # Translators: {cells} is a cell; each reply leaves threats that win.
    Reason.MISSED_QUIET_MOVE: N_(
        "**{cell}** misses {cells}, with more threats than {other} can stop."
    ),
    Reason.ALLOWED_QUIET_MOVE: N_(
        "**{cell}** lets {other} play {cells}, with more threats than {symbol} can stop."
    ),
    Reason.BLOCK: N_("**{cell}** blocks a line."),
    # Translators: "fork" as players of chess say it.
    Reason.FORK: N_("**{cell}** makes a fork, with two ways to win."),
    Reason.DOUBLE_THREAT: N_("**{cell}** makes two threats at once, and only one can be stopped."),
    Reason.FORCED_SEQUENCE: N_(
        "**{cell}** threatens to win. {other} has to block, but loses anyway."
    ),
    # Translators: of a game in which a completed line loses.
    Reason.ZUGZWANG: N_("**{cell}** leaves {other} only squares that lose."),
    Reason.QUIET_WIN: N_("**{cell}** sets up a win that can't be stopped."),
    Reason.THROWN_WIN: N_("**{cell}** throws away a win."),
    Reason.BLOCK_FORK: N_("**{cell}** stops a fork that would give {other} two ways to win."),
    Reason.BLOCK_DOUBLE_THREAT: N_("**{cell}** stops {other} from making two threats at once."),
    Reason.ONLY_MOVE: N_("**{cell}** is the only move that doesn't lose."),
    Reason.THREAT: N_("**{cell}** threatens to win, so {other} has to block."),
    Reason.MOST_REPLIES_LOSE: N_(
        "**{cell}** sets a trap. {other} falls for it with {n} of {m} replies."
    ),
    Reason.LONGEST_DEFENCE: N_("**{cell}** holds out longest."),
    Reason.NOTHING_LEFT: N_("**{cell}** changes nothing. No line can be completed any more."),
    Reason.CENTRE: N_("**{cell}** takes the centre, where the most lines cross."),
    Reason.OPPOSITE_CORNER: N_("**{cell}** takes the corner opposite {other}."),
    Reason.CORNER: N_("**{cell}** takes a corner, where three lines meet."),
    Reason.SIDE: N_("**{cell}** takes an edge, where two lines meet."),
    Reason.SOME_REPLIES_LOSE: N_(
        "**{cell}** sets a trap. {other} falls for it with {n} of {m} replies."
    ),
    # Translators: more than where other moves hold the draw.
    Reason.OPEN_LINES: N_("**{cell}** keeps it a draw, with the most lines open for {symbol}."),
    Reason.CLOSED_LINES: N_(
        "**{cell}** keeps it a draw and blocks as many of {other}'s lines as it can."
    ),
    Reason.SOME_MOVES_LOSE: N_("**{cell}** keeps it a draw. Not every move does."),
    Reason.EVERY_MOVE_DRAWS: N_("**{cell}** is a draw, like every other move."),
}
"""All but `LOSES`, which counts moves."""

SELF_EXPLANATORY_REASONS = (
    Reason.WIN,
    Reason.OWN_LINE,
    Reason.ALLOWED_WIN,
    Reason.UNBLOCKS,
    Reason.ALLOWED_ZUGZWANG,
    Reason.ALLOWED_UNBLOCKING,
    Reason.ALLOWED_FORK,
    Reason.ALLOWED_THREATS,
    Reason.ALLOWED_QUIET_MOVE,
    Reason.LOSES,
    Reason.ZUGZWANG,
    Reason.ONLY_MOVE,
    Reason.NOTHING_LEFT,
    Reason.OPEN_LINES,
    Reason.CLOSED_LINES,
    Reason.SOME_MOVES_LOSE,
    Reason.EVERY_MOVE_DRAWS,
)
"""Reasons that leave no doubt of the result, so nothing is said about best play."""

TRAPS = (Reason.MOST_REPLIES_LOSE, Reason.SOME_REPLIES_LOSE)
"""Reasons that say what happens after a mistake."""

_MAX_LINE = 8
"""How many moves of a line of play are shown."""


# Translators, from here on: a mistake, in a review, followed by what was better. {symbol} is ❌ or
# ⭕, {cell} a cell.
MISTAKES: Mapping[tuple[Value, Value], Sentence] = {
    (Value.DRAW, Value.LOSS): N_("Move {number}, {symbol} {cell}, turned a draw into a loss."),
    (Value.WIN, Value.DRAW): N_("Move {number}, {symbol} {cell}, turned a win into a draw."),
    (Value.WIN, Value.LOSS): N_("Move {number}, {symbol} {cell}, turned a win into a loss."),
}

COMPLETED_LINE = N_("Move {number}, {symbol} {cell}, completed a line, and here that loses.")

SLOWER = N_("Move {number}, {symbol} {cell}, missed a quicker win.")

_MAX_NAMED = 4
"""How many better moves are named."""


# Translators, from here on: what best play leads to: a sentence behind the reason for a move.
# {symbol} is ❌ or ⭕.
def outlook_sentence(language: Language, worth: Worth, mark: Mark) -> str:
    """What best play leads to, from a position where `mark` moves, which is worth `worth`."""
    if worth.distance_plies is None:
        return language.say(N_("From here, nobody wins."))
    if worth.value is Value.DRAW:
        return language.say(N_("From here it's a draw."))
    winner = mark if worth.value is Value.WIN else mark.other
    last_mover = mark if worth.distance_plies % 2 else mark.other
    moves = (worth.distance_plies + 1) // 2  # those of the last mover
    if last_mover is not winner:  # completing a line loses
        return _loss_within(language, moves, SYMBOLS[last_mover])
    return _win_in(language, moves, SYMBOLS[winner])


def move_outlook(language: Language, verdict: Verdict, *, is_made: bool = True) -> str:
    """What best play leads to with a move; its distance is counted after it or, if not `is_made`,
    before.
    """
    if verdict.reason in TRAPS and verdict.worth.distance_plies is None:
        # Translators: behind a trap, in a game that best play never ends: what follows if the other
        # player does not fall for it.
        return language.say(N_("Otherwise nobody wins."))
    if verdict.reason in TRAPS:
        # Translators: behind a trap: what follows if the other player does not fall for it.
        return language.say(N_("Otherwise it's a draw."))
    if not is_made:
        return outlook_sentence(language, verdict.worth, verdict.mark)
    return outlook_sentence(language, verdict.worth.one_ply_later(), verdict.mark.other)


def reason_sentence(
    language: Language, board: Board, cell: Cell, reason: Reason, **facts: str | int
) -> str:
    """The reason for a move, or against it."""
    return language.say(
        REASON_SENTENCES[reason],
        cell=board.rules.coordinate(cell),
        symbol=SYMBOLS[board.to_move],
        other=SYMBOLS[board.to_move.other],
        **facts,
    )


def reason_for(language: Language, verdict: Verdict) -> str:
    """The reason for a move that was judged, or against it."""
    board, cause = verdict.board, verdict.cause
    if cause is not None and cause.reason is verdict.reason:
        return cause_sentence(language, board, verdict.action, cause)
    return reason_sentence(
        language,
        board,
        verdict.action,
        verdict.reason,
        wins=language.any_cell(board.rules, verdict.missed_wins),
        n=verdict.losing_reply_count,
        m=verdict.reply_count,
        vanishing="" if board.vanishing is None else board.rules.coordinate(board.vanishing),
    )


def cause_sentence(language: Language, board: Board, cell: Cell, cause: Cause) -> str:
    """Why a move is bad."""
    if cause.reason is Reason.LOSES:
        # Translators: in so many moves, whatever its player, {symbol}, does next.
        return language.ngettext(
            "**{cell}** loses in {n} move, whatever {symbol} does.",
            "**{cell}** loses in {n} moves, whatever {symbol} does.",
            cause.plies // 2,
            cell=board.rules.coordinate(cell),
            symbol=SYMBOLS[board.to_move],
        )
    cells = language.any_cell(board.rules, cause.cells)
    return reason_sentence(language, board, cell, cause.reason, wins=cells, cells=cells)


def explanation(language: Language, verdict: Verdict, *, with_outlook: bool = True) -> str:
    """The reason for a move and, if wanted, what best play leads to."""
    if not with_outlook:
        return reason_for(language, verdict)
    return language.sentences(*reason_and_outlook(language, verdict))


def reason_and_outlook(language: Language, verdict: Verdict) -> list[str]:
    """The reason for a move, and what best play leads to, unless the reason says it."""
    reason = reason_for(language, verdict)
    is_lost = verdict.is_blunder and verdict.allowed is not None
    if is_lost or verdict.reason in SELF_EXPLANATORY_REASONS:
        return [reason]
    return [reason, move_outlook(language, verdict)]


def line_of_play(language: Language, verdict: Verdict, line: Sequence[Cell]) -> list[str]:
    """The line of play that shows why a move is bad, if there is one, in small print."""
    if not line:
        return []
    board, mark = verdict.board, verdict.mark
    if verdict.reason is Reason.LOSES:
        mark = mark.other
    moves = []
    for cell in line[:_MAX_LINE]:
        moves.append(f"{SYMBOLS[mark]} {board.rules.coordinate(cell)}")
        mark = mark.other
    if len(line) > _MAX_LINE:
        moves.append("…")
    best_play = language.say(BEST_PLAY, line=" · ".join(moves))
    return [f"-# {best_play}"]


def best_reply(language: Language, reply: Verdict, *, with_outlook: bool) -> str:
    """The best reply, why and, if wanted, what best play leads to."""
    return language.say(
        # Translators: {judgement} is a whole sentence, such as "**B2** completes a line and wins."
        N_("Here's {symbol}'s reply. {judgement}"),
        symbol=SYMBOLS[reply.mark],
        judgement=explanation(language, reply, with_outlook=with_outlook),
    )


def wrong_try(language: Language, verdict: Verdict, secret: Cell | None = None) -> str:
    """What a wrong try allows, or leads to, and never what would have been right.

    The `secret` cell is not named: it is right, and a reply there wins.
    """
    board, cell, allowed = verdict.board, verdict.action, verdict.allowed
    if allowed is not None:
        if secret in allowed.cells:
            allowed = Cause(Reason.LOSES, allowed.plies, ())
        text = cause_sentence(language, board, cell, allowed)
    else:
        outlook = move_outlook(language, verdict)
        text = f"**{board.rules.coordinate(cell)}** · {outlook}"
    return f"{WRONG_EMOJI} {text}"


def _win_in(language: Language, moves: int, symbol: str) -> str:
    if moves == 1:
        return language.say(N_("From here, {symbol} wins on its next move."), symbol=symbol)
    return language.ngettext(
        "From here, {symbol} wins in {n} move.",
        "From here, {symbol} wins in {n} moves.",
        moves,
        symbol=symbol,
    )


def _loss_within(language: Language, moves: int, symbol: str) -> str:
    """How soon a player has to complete a line where that loses."""
    if moves == 1:
        return language.say(
            N_("From here, {symbol} has to complete a line on its next move, and loses."),
            symbol=symbol,
        )
    return language.ngettext(
        "From here, {symbol} has to complete a line within {n} move, and loses.",
        "From here, {symbol} has to complete a line within {n} moves, and loses.",
        moves,
        symbol=symbol,
    )


# Translators, from here on: in a review, or a mistake to try again. {cells} is one cell or several,
# such as "A1 or B2".
def mistake_sentences(language: Language, number: int, verdict: Verdict) -> str:
    """What a move gave away, or that it lost or missed a win at once; and what was better."""
    cost = cost_sentence(language, number, verdict)
    return f"{cost} {BETTER_MOVE_EMOJI} {_better(language, verdict)}"


def cost_sentence(language: Language, number: int, verdict: Verdict) -> str:
    """What a move gave away."""
    values = verdict.best_worth.value, verdict.worth.value
    sentence = COMPLETED_LINE if verdict.lost_at_once else MISTAKES.get(values, SLOWER)
    return language.say(
        sentence,
        number=number,
        cell=verdict.board.rules.coordinate(verdict.action),
        symbol=SYMBOLS[verdict.mark],
    )


def mistake_line(language: Language, number: int, verdict: Verdict) -> str:
    """What a move gave away and what was better, without a sentence: `draw → loss`, say."""
    rules, best = verdict.board.rules, verdict.best_actions
    better = language.cells(rules, best[:_MAX_NAMED])
    if len(best) > _MAX_NAMED:
        better += " …"
    before, after = map(language.say, _values(verdict))
    move = f"**{number}** {SYMBOLS[verdict.mark]} {rules.coordinate(verdict.action)}"
    return f"{move} · {before} → {after} · {BETTER_MOVE_EMOJI} {better}"


def _values(verdict: Verdict) -> tuple[Sentence, Sentence]:
    """What a mistake turned into what."""
    before, after = verdict.best_worth.value, verdict.worth.value
    if not verdict.kept_value:
        return VALUE_NAMES[before], VALUE_NAMES[after]
    return VALUE_NAMES[before], SLOWER_WIN if after is Value.WIN else SOONER_LOSS


def _better(language: Language, verdict: Verdict, max_cells: int | None = None) -> str:
    best = verdict.best_actions[:max_cells]
    cells = language.any_cell(verdict.board.rules, best)
    if len(best) < len(verdict.best_actions):
        # Translators: in place of {cells} where there are more of them, as in "A1 or B2, for
        # example, would have won."
        cells = language.say(N_("{cells}, for example,"), cells=cells)
    if verdict.missed_wins:
        return language.ngettext(
            "{cells} would have won right away.",
            "{cells} would have won right away.",
            len(best),
            cells=cells,
        )
    if verdict.best_worth.value is Value.WIN:
        return language.ngettext(
            "{cells} would have won.", "{cells} would have won.", len(best), cells=cells
        )
    if verdict.best_worth.value is Value.LOSS:
        return language.ngettext(
            "{cells} would have held out longer.",
            "{cells} would have held out longer.",
            len(best),
            cells=cells,
        )
    # Translators: what they would have saved is the draw.
    return language.ngettext(
        "{cells} would have saved the draw.",
        "{cells} would have saved the draw.",
        len(best),
        cells=cells,
    )


def mistake_headline(
    language: Language, number: int, verdict: Verdict, *, with_symbol: bool
) -> str:
    """What would have been better than a mistake and, `with_symbol`, whose mistake it was."""
    cell = verdict.board.rules.coordinate(verdict.action)
    return language.say(
        # Translators: {cell} is a move, such as "C1" or "⭕ C1"; {better} is a whole sentence, such
        # as "A1 would have won."
        N_("Move {number}, {cell} · {better}"),
        number=number,
        cell=f"{SYMBOLS[verdict.mark]} {cell}" if with_symbol else cell,
        better=_better(language, verdict, _MAX_NAMED),
    )


def board_small_print(language: Language, board: Board) -> list[str]:
    """What a board does not show: rules other than the usual ones, and what vanishes."""
    rules = [] if board.rules == TIC_TAC_TOE else [language.rules(board.rules)]
    notes = [*rules, *language.vanishing_next(board)]
    return [f"-# {' · '.join(notes)}"] if notes else []


def try_result(language: Language, verdict: Verdict) -> str:
    """Whether a try was right, and why, or what it leads to."""
    if not verdict.kept_value:
        return wrong_try(language, verdict)
    if verdict.missed_wins:
        outlook = move_outlook(language, verdict)
        return f"{CORRECT_EMOJI} {language.sentences(outlook, _better(language, verdict))}"
    why, *leads_to = reason_and_outlook(language, verdict)
    praise = language.sentences(why, *only_move_note(language, verdict), *leads_to)
    return f"{CORRECT_EMOJI} {praise}"


def only_move_note(language: Language, verdict: Verdict) -> list[str]:
    """That a move was the only good one, unless its reason says so already."""
    if not verdict.is_only_move or verdict.reason is Reason.ONLY_MOVE:
        return []
    return [language.say(N_("That was the only good move."))]

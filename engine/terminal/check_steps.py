"""What a learner's own `minimax` does on a board, step by step, beside the lines of its program."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.board import Board
from engine.check.checks import to_action
from engine.check.learner import LearnerFile
from engine.check.steps import Call, Followed
from engine.terminal.check_texts import CheckTexts
from engine.terminal.drawing import GREEN, GREY, RED, SYMBOLS, coloured, table_row
from engine.terminal.language import N_, Language

_MAX_STEPS = 500
_WIDTHS = (4, 5, 2, -60)


# Translators, from here on: about a learner's program, in a terminal: lines of about 80 columns.
def own_step_lines(file: LearnerFile, followed: Followed, texts: CheckTexts) -> Iterator[str]:
    """The steps of the file's `minimax` on a board, and what it answers."""
    language, say = texts.language, texts.language.say
    for row in str(followed.board).upper().split():
        yield "    " + " ".join(row)
    yield ""
    if followed.call is None:
        yield say(
            N_("This minimax isn't written in {file}: I can't follow it."), file=file.path.name
        )
    else:
        rows = [*islice(_rows(followed.call, None, language, 0), _MAX_STEPS + 1)]
        yield from _program_lines(file, {line for line, _ in rows[:_MAX_STEPS] if line})
        # Translators: the head of a table: the number of a step, that of a line of the program.
        # They have 4 and 5 columns.
        yield table_row([say(N_("step")), say(N_("line")), "", ""], _WIDTHS)
        for number, (line, sentence) in enumerate(rows[:_MAX_STEPS], start=1):
            yield table_row([str(number), str(line or ""), "", sentence], _WIDTHS)
        if len(rows) > _MAX_STEPS:
            yield "..."
    yield ""
    if followed.is_right:
        right = N_("minimax(board) returns {got}, and that is right.")
        yield coloured(say(right, got=followed.answer), GREEN)
    for finding in followed.findings:
        message = texts.message("minimax", finding)
        yield coloured(message, RED) if finding.kind.is_fault else message


def _program_lines(file: LearnerFile, numbers: set[int]) -> Iterator[str]:
    """The lines of the program that the steps name."""
    lines = file.source.splitlines()
    for number in sorted(numbers.intersection(range(1, len(lines) + 1))):
        yield f"{number:>7}  {lines[number - 1].strip()}"
    if numbers:
        yield ""


def _rows(
    call: Call, caller: Call | None, language: Language, depth: int
) -> Iterator[tuple[int | None, str]]:
    """The number of a line, and what happens there: a call, those below it, and what it returns."""
    indent = "  " * depth
    asked = indent + _asked(call, caller)
    if not call.calls:
        yield call.end or call.line, f"{asked} {_returned(call, language)}"
        return
    yield call.line, asked
    for each in call.calls:
        yield from _rows(each, call, language, depth + 1)
    yield call.end, f"{indent}{call.name} {_returned(call, language)}"


def _asked(call: Call, caller: Call | None) -> str:
    """A call, behind the move that leads to its board."""
    text = f"{call.name}({', '.join(['board', *call.given])})"
    if caller is None or caller.board == call.board:
        return text
    return f"{_move(caller.board, call.board)}: {text}"


def _move(before: Board, after: Board) -> str:
    """The move between two boards; the second board itself if there is none."""
    cells = [cell for cell in before.rules.cells if before[cell] != after[cell]]
    if len(cells) == 1 and (mark := after[cells[0]]) is not None and before[cells[0]] is None:
        return f"{SYMBOLS[mark]} {to_action(cells[0])}"
    return str(after).upper().replace(" ", "/")


# Translators, from here on: in a table in a terminal: short. Behind a call in Python, as in
# "max_value(board) returns 1".
def _returned(call: Call, language: Language) -> str:
    say = language.say
    if call.returned is None:
        return say(N_("raises an error"))
    text = say(N_("returns {got}"), got=call.returned)
    if not call.calls:
        return f"{text} ({_state(call.board, language)})"
    if not call.untried:
        return text
    cells = language.items([str(to_action(cell)) for cell in call.untried])
    untried = say(N_("not tried: {moves}"), moves=cells)
    return f"{text}   {coloured(untried, GREY)}"


def _state(board: Board, language: Language) -> str:
    """How a game ended, if it has."""
    if board.winner is not None:
        return language.say(N_("{symbol} wins"), symbol=SYMBOLS[board.winner])
    return language.say(N_("draw") if not board.free_cells else N_("not over yet"))

"""The texts about a learner's `tictactoe.py`: what is right and what is wrong, with examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path

from engine.alphabeta import search
from engine.board import Board
from engine.check.finding import Finding, FindingKind
from engine.check.report import FunctionReport, Judgement
from engine.check.runner import TimeLimits
from engine.lessons import size_of_tree
from engine.terminal.drawing import GREEN, RED, SYMBOLS, YELLOW, coloured, columns, ljust
from engine.terminal.language import N_, Language
from engine.worth import Value

_MAX_EXAMPLES = 3  # of one function

# Translators, from here on: what a learner's function does wrong, behind the call, as in
# "winner(board) returns X"; in English a verb without its subject. {got} and {expected} are values
# in Python.
_FINDINGS: Mapping[FindingKind, str] = {
    # Translators: {got} is a name in Python, such as minimax.
    FindingKind.MISSING: N_("{got} is missing."),
    # Translators: {expected} is a name in the learner's file that is close to {got}.
    FindingKind.MISNAMED: N_("{got} is missing. There is {expected}: did you mean {got}?"),
    FindingKind.NOTHING_DEFINED: N_("defines none of the eight functions: {got}."),
    # Translators: {got} is the number of a line; UTF-8 is how text is stored.
    FindingKind.NOT_UTF8: N_("isn't stored as UTF-8: see line {got}."),
    FindingKind.MISSING_IMPORT: N_("imports {got}, which isn't installed here."),
    FindingKind.READS_INPUT: N_("waits for somebody to type, and here nobody does: {got}"),
    FindingKind.SAME_CONSTANTS: N_("X, O and EMPTY must be three different values."),
    FindingKind.RAISES: N_("raises {got}"),
    FindingKind.EXITS: N_("ends the program. {got}"),
    FindingKind.HANGS: N_("doesn't return within {seconds} s. Does it loop forever?"),
    FindingKind.CHANGES_BOARD: N_("changes the board it is given. Work on a copy."),
    FindingKind.WRONG: N_("returns {got}; {expected} would be right."),
    FindingKind.SHARES_ROWS: N_(
        "has the same list for several rows: a mark in one would be in all of them."
    ),
    FindingKind.ALLOWS_INVALID: N_("accepts this; an invalid action must raise an exception."),
    FindingKind.ILLEGAL_MOVE: N_("returns {got}; that isn't a free cell as a pair (row, column)."),
    # Translators: {was} and {left} are "a win", "a draw" or "a loss".
    FindingKind.WORSE_MOVE: N_("returns {got}: {left}, where {better} would be {was}."),
    FindingKind.LATER_WIN: N_("returns {got}, and wins; sooner with {better}."),
    FindingKind.SOONER_LOSS: N_("returns {got}, and loses; later with {better}."),
    FindingKind.PRINTS: N_("prints {got!r}. Take that out once it works."),
}
# Translators, from here on: in a report on a learner's program, in a terminal: lines of about 80
# columns.
_OUT_OF_TIME = N_("The other boards would take longer than {seconds} s; --seconds gives more.")
_MINIMAX_OUT_OF_TIME = N_(
    "Larger trees would take longer than {seconds} s: no mistake, but slow. --seconds gives more."
)
# Translators, from here on: what a move leads to; stands inside other sentences.
_VALUES = {Value.WIN: N_("a win"), Value.DRAW: N_("a draw"), Value.LOSS: N_("a loss")}
_WITHOUT_SUBJECT = {FindingKind.MISSING, FindingKind.MISNAMED, FindingKind.SAME_CONSTANTS}


# Translators, from here on: in a report on a learner's program, in a terminal: lines of about 80
# columns.
class CheckTexts:
    """The texts about one file, in one language."""

    def __init__(self, path: Path, limits: TimeLimits, language: Language) -> None:
        self.path = path
        self.limits = limits
        self.language = language
        self._say = language.say

    def lines(self, report: FunctionReport) -> Iterator[str]:
        """The lines about one function, or about the whole file."""
        if report.hanging_function:
            yield from self._not_judged_lines(report)
            return
        if report.name:
            yield self._headline(report)
        yield from self._finding_lines(report)
        if report.ended_early:
            yield "    " + self._say(N_("That is enough: I left out the other boards."))
        if report.judgement is Judgement.RIGHT_SO_FAR:
            sentence = _MINIMAX_OUT_OF_TIME if report.name == "minimax" else _OUT_OF_TIME
            yield "    " + self._say(sentence, seconds=f"{self.limits.function:g}")
        if report.name == "minimax":
            yield from self._minimax_lines(report)

    def message(self, name: str, finding: Finding) -> str:
        """The sentence about a finding on a function or, without a name, on the file."""
        best, actual = finding.values or (Value.DRAW, Value.DRAW)
        text = self._say(
            _FINDINGS[finding.kind],
            got=finding.got,
            expected=finding.expected,
            better=finding.expected,
            seconds=f"{self.limits.call:g}",
            was=self._say(_VALUES[best]),
            left=self._say(_VALUES[actual]),
        )
        if finding.kind not in _WITHOUT_SUBJECT:
            subject = _call(name, finding) if name else self.path.name
            text = f"{subject} {text}"
        if not finding.kind.is_fault:
            text = self._say(N_("Not a mistake: {remark}"), remark=text)
        return text.strip()

    def _not_judged_lines(self, report: FunctionReport) -> Iterator[str]:
        word = self._say(N_("not judged"))
        yield f"{report.name:<15}{coloured(word, YELLOW)}"
        reason = N_("It would hang in {name}: mend that first.")
        yield "    " + self._say(reason, name=report.hanging_function)

    def _headline(self, report: FunctionReport) -> str:
        """Whether a function is right, and on how many boards it was checked."""
        ngettext = self.language.ngettext
        word = self._say(N_("wrong") if report.is_wrong else N_("right"))
        checked = ngettext("{n} board judged", "{n} boards judged", report.boards_checked)
        if report.boards_checked < report.boards_total:
            checked = ngettext(
                "{judged} of {n} board judged",
                "{judged} of {n} boards judged",
                report.boards_total,
                judged=self.language.number(report.boards_checked),
            )
        width = max(8, columns(word) + 2)
        coloured_word = coloured(ljust(word, width), RED if report.is_wrong else GREEN)
        return f"{report.name:<15}{coloured_word}{checked}"

    def _finding_lines(self, report: FunctionReport) -> Iterator[str]:
        """All findings about the file, or the first few about a function; mistakes first."""
        findings = report.faults_first
        examples = findings[:_MAX_EXAMPLES] if report.name else findings
        for finding, board_count in examples:
            yield from self._example_lines(report.name, finding, board_count)
        hidden = len(findings) - len(examples)
        if hidden > 0:
            yield "    " + self.language.ngettext("and {n} more kind", "and {n} more kinds", hidden)

    def _example_lines(self, name: str, finding: Finding, board_count: int) -> Iterator[str]:
        """A finding, on the smallest board that shows it."""
        boards = ""
        if board_count > 1:
            boards = self.language.ngettext("({n} board)", "({n} boards)", board_count)
        colour = RED if finding.kind.is_fault else YELLOW
        yield f"    {coloured(self.message(name, finding), colour)} {boards}".rstrip()
        if finding.board is not None:
            for row in str(finding.board).upper().split():
                yield "        " + " ".join(row)
            if finding.line:
                yield "      " + self._refutation(finding.board, finding)

    def _refutation(self, board: Board, finding: Finding) -> str:
        """How the game may continue after a bad move."""
        replies = [str(divmod(cell, board.rules.columns)) for cell in finding.line]
        marks = cycle([board.to_move, board.to_move.other])
        moves = zip(marks, [finding.got, *replies], strict=False)
        text = self.language.items([f"{SYMBOLS[mark]} {move}" for mark, move in moves])
        return self._say(N_("It could go on like this: {moves}"), moves=text)

    def _minimax_lines(self, report: FunctionReport) -> Iterator[str]:
        """For whom `minimax` is wrong or, if it is right, what it costs."""
        if len(report.wrong_for) == 1:
            (mark,) = report.wrong_for
            sentence = N_("It is wrong only where {symbol} is to move.")
            yield "    " + self._say(sentence, symbol=SYMBOLS[mark])
        if report.largest_board and report.result_calls and not report.is_wrong:
            yield from _cost_lines(report.largest_board, report.result_calls, self.language)


def _call(name: str, finding: Finding) -> str:
    arguments = [] if finding.board is None else ["board"]
    if name == "result":
        arguments.append(finding.action or "action")
    return f"{name}({', '.join(arguments)})"


# Translators, from here on: in a table of a report, in a terminal: about 30 columns.
def _cost_lines(board: Board, calls: int, language: Language) -> Iterator[str]:
    """How often the learner's `minimax` called `result` on a board, compared with our searches."""
    say = language.say
    calls_of_result = language.ngettext(
        "calls of result, on the largest board judged ({n} free cell)",
        "calls of result, on the largest board judged ({n} free cells)",
        len(board.actions()),
    )
    yield f"    {calls_of_result}"
    rows = {
        say(N_("yours")): calls,
        say(N_("plain minimax")): size_of_tree(board) - 1,
        say(N_("alpha-beta, any win")): search(board, soonest=False).nodes - 1,
        say(N_("alpha-beta, the soonest win")): search(board).nodes - 1,
    }
    width = max(32, *map(columns, rows))
    for name, count in rows.items():
        yield f"        {ljust(name, width)}{language.number(count):>9}"

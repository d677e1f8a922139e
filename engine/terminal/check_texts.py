"""The texts about a learner's `tictactoe.py`: what is right and what is wrong, with examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path

from engine.alphabeta import search
from engine.board import Board, Mark
from engine.check.checks import to_action
from engine.check.finding import Finding, FindingKind
from engine.check.hypotheses import Cause, Hint
from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport, Judgement, UnjudgedReason
from engine.lessons import size_of_tree
from engine.terminal.check_search import search_lines
from engine.terminal.drawing import GREEN, RED, SYMBOLS, YELLOW, coloured, columns, ljust, table_row
from engine.terminal.language import N_, Language
from engine.terminal.options import command_line
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
    FindingKind.NOTEBOOK: N_("is a notebook: save it as a .py file, and have that one judged."),
    # Translators: {got} is the number of a line; UTF-8 is how text is stored.
    FindingKind.NOT_UTF8: N_("isn't stored as UTF-8: see line {got}."),
    FindingKind.MISSING_IMPORT: N_("imports {got}, which isn't installed here."),
    FindingKind.ENGINE_IMPORT: N_(
        "imports {got}, which --own keeps out of reach: write it yourself."
    ),
    # Translators: {got} is the name of a function that was imported from elsewhere.
    FindingKind.NOT_OWN: N_("{got} isn't your own: its code isn't in the file's folder."),
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
    # Translators: {mark} is X or O.
    FindingKind.LOSES_GAME: N_("loses as {mark}, in a game from the empty board."),
    FindingKind.INCONSISTENT: N_(
        "is wrong after other calls, or now and then, such as here: look at what it remembers, and "
        "at chance."
    ),
    # Translators: {got}, {expected}, {action} and {family} are moves, such as (0, 1).
    FindingKind.NOT_CUT: N_(
        "is right, but doesn't cut as alpha-beta does. Here {better} is known to be a draw, and "
        "the reply {family} makes {action} no better. So the reply {got} needn't be searched, and "
        "is."
    ),
    FindingKind.NOT_ALPHA_BETA: N_("is right, but its search isn't alpha-beta."),
    FindingKind.LATER_WIN: N_("wins later than it could."),
    FindingKind.SOONER_LOSS: N_("loses sooner than it must."),
    FindingKind.PRINTS: N_("prints {got!r}. Take that out once it works."),
    # Translators: said to a teacher; {got} is a name in Python, such as exec, {expected} the
    # number of a line.
    FindingKind.REACHES_OUT: N_("can take code from elsewhere, by {got} in line {expected}."),
}
# Translators, from here on: in a report on a learner's program, in a terminal: lines of about 80
# columns.
_OUT_OF_TIME = N_("Not judged to the end, which would take longer: --seconds {more} gives more.")
_MINIMAX_OUT_OF_TIME = N_(
    "Not judged to the end: no mistake, but slow on large trees. --seconds {more} gives more."
)
_WRONG_OUT_OF_TIME = N_(
    "Not judged to the end: another time it may be a few boards more, or fewer."
)
# Translators, from here on: why a learner's function is wrong, as a teacher would say it, in a
# report. {line} is the number of a line, {was} what stands there, in Python, and {now} what
# was tried in its place. X takes the largest value, O the smallest.
_HINTS: Mapping[Cause, str] = {
    Cause.NOT_IMPORTED: N_("{was} isn't known here: write `{now}` at the top of the file."),
    Cause.FOR_BOTH: N_(
        "In line {line} both players take the {was}. With `{now}` in its place it is right: X "
        "takes the largest value, O the smallest."
    ),
    Cause.MIN_MAX: N_("In line {line}, `{now}` in place of `{was}` makes it right."),
    Cause.AVERAGE: N_(
        "`{was}` in line {line} is an average: right if that player moved by chance. With `{now}`, "
        "which is what it chooses, it is right."
    ),
    Cause.FIRST_VALUE: N_(
        "In line {line} it begins with {was} and keeps only what is better, and sometimes nothing "
        "is. With {now} it is right."
    ),
    Cause.CUT_OFF: N_(
        "Without the cut-off where `{was}`, in line {line}, it is right: the bounds are to blame."
    ),
    Cause.MEMORY: N_(
        "Without its memory, in line {line}, it is right: what it keeps there isn't always the "
        "value of that board, such as where alpha-beta left off and it is only a bound."
    ),
    # Translators: {was} is a parameter with its default, such as seen=set().
    Cause.KEPT_DEFAULT: N_(
        "`{was}` in line {line} is made once, and kept from call to call. Made anew in each call, "
        "it is right."
    ),
    Cause.RETURN_IN_LOOP: N_(
        "`{was}` in line {line} stands inside the loop, so it ends in its first round. Behind the "
        "loop it is right."
    ),
    Cause.ONLY_PRINTS: N_(
        "It prints {was!r}, and returns nothing: `return` hands a value back, `print` only shows "
        "it."
    ),
    Cause.TYPED_OFF: N_(
        "Typed from a printed page? Look for a line that is cut off at the margin, and for a 0 "
        "that is the letter O."
    ),
    # Translators: {line} is the number of a line.
    Cause.PLAYS: N_(
        'Put what plays, from line {line} on, below `if __name__ == "__main__":`. Then it can be '
        "judged."
    ),
    Cause.IDENTITY: N_(
        "`{was}` in line {line} asks whether it is the same object, not whether it is equal. With "
        "`{now}` it is right."
    ),
    Cause.COLUMN_FIRST: N_(
        "In line {line} the row and the column are exchanged: with `{now}` in place of `{was}` it "
        "is right."
    ),
    # Translators: {was} is a line of three cells in Python, or several, with ; between them.
    Cause.LINES: N_("On all these boards the line is {was}: is it among those you look at?"),
    Cause.OTHER_WAY_ROUND: N_("It is exactly the other way round, each time."),
    Cause.NOT_A_SET: N_("These are the right actions, but they are asked for as a set: {{...}}."),
    Cause.LOST: N_(
        "All these boards are lost: every move is worth the same, so none is better than a loss. "
        "It has to return one of them all the same."
    ),
    Cause.NEGATIVE: N_("In Python, row -1 is the last row, so refuse numbers below 0 as well."),
    Cause.MARKS_LEFT: N_(
        "It leaves marks on the board that it has tried: take each of them back, or try on a copy."
    ),
    Cause.NO_CUT_OFF: N_(
        "Not a mistake: there are alpha and beta, but as many calls as without them, so nothing is "
        "cut off. Raise alpha where X moves, lower beta where O does, and pass both on."
    ),
    Cause.OTHER_SHAPE: N_("It may stay so: wrap it in a few lines."),
    # Translators, from here on: how a program plays that goes wrong as others do. {was} is X or O,
    # max or min, or a number.
    Cause.OTHER_SIDE: N_(
        "It plays for the other side: a sign is wrong, or `max` and `min` are exchanged."
    ),
    Cause.ROOT_SWAPPED: N_(
        "It plays the move that is worst for itself: where the move is chosen, a sign is wrong, or "
        "`max` and `min` are exchanged."
    ),
    Cause.REPLIES_SWAPPED: N_(
        "Below its own move it takes the wrong turns: where O would reply it takes the largest, "
        "where X would, the smallest. What is called first for a reply, and with which flag?"
    ),
    Cause.OWN_MOVES_ONLY: N_(
        "It plays as if all moves to come were its own. Is a flag handed on without `not`, or a "
        "value without its minus?"
    ),
    Cause.OTHER_MOVES_ONLY: N_(
        "It plays as if all moves after its own were the other player's. Is a flag handed on "
        "without `not`, or a value without its minus?"
    ),
    Cause.SAME_FOR_BOTH: N_(
        "Below its own move it takes the `{was}` of the values, whoever is to move there."
    ),
    Cause.SAME_AT_ROOT: N_(
        "Where the move is chosen it takes the `{was}` for X and for O; below that it is right."
    ),
    Cause.CALLS_ITSELF: N_(
        "It plays as if the function with `{was}` called itself for the reply, not the other one."
    ),
    Cause.LEAF_OF_X: N_(
        "It takes the worth of a finished game with the wrong sign where O would be next. In "
        "negamax it must be seen by the player to move."
    ),
    Cause.NO_MINUS: N_(
        "It hands values up as they are: what is good for one player is bad for the other, so they "
        "need a minus."
    ),
    Cause.OWN_WINS_ONLY: N_("It looks for wins alone: a draw is no better than a loss to it."),
    Cause.OWN_LOSSES_ONLY: N_("It only avoids to lose: a draw is as good as a win to it."),
    Cause.WINS_OF_ONE_ONLY: N_(
        "It sees only whether {was} wins: a draw and a win of the other player are the same to it."
    ),
    Cause.DEPTH: N_(
        "It plays as if it looked no deeper than {was}, where its own move is depth 1."
    ),
    Cause.WINS_AND_BLOCKS: N_(
        "It wins at once, blocks, and looks no further. So does a depth of 2, and so do values "
        "that begin with 0."
    ),
    Cause.DEPTH_TURNS: N_(
        "It takes a win at depth {was} for nothing, and a later one for a loss: the depth is taken "
        "from too small a number."
    ),
    Cause.DEPTH_OUTWEIGHS: N_("The depth weighs more with it than who wins."),
    Cause.AVERAGED: N_("It plays as if the other player moved by chance: it takes averages."),
    Cause.ADDED: N_("It plays by sums of all that may come, where each player would choose."),
    Cause.NOTHING_BETTER: N_(
        "Where no move is worth more than a draw it returns None: its best value begins with 0, "
        "and it keeps only what is better."
    ),
    Cause.FIRST_MOVE: N_(
        "It always plays the first move that it tries: a `return` in the loop does that, and a cut "
        "that is always made."
    ),
    Cause.FIRST_REPLY: N_(
        "Below its own move it looks at the first move of each board alone: a `return` in the loop "
        "does that, and a cut that is always made."
    ),
    Cause.FIRST_REPLY_OF_ONE: N_(
        "Where {was} would reply, it looks at the first move alone: a `return` in the loop does "
        "that, and a cut that is always made."
    ),
    Cause.LAST_MOVE: N_("It always plays the last move that it tries."),
    Cause.LAST_REPLY: N_("Below its own move it keeps the last value, not the best."),
    Cause.BOUNDS_AT_ROOT: N_(
        "It plays moves that only seem as good: where bounds are handed on, a value may be no more "
        "than a bound. Keep the first of the best."
    ),
    Cause.SIDE_UNSEEN: N_("It sees no line of {was}."),
    # Translators: {was} is three cells in Python, or several times three, with ; between them.
    Cause.NOT_A_LINE: N_("It takes {was} for a line."),
    Cause.FULL_FORGOTTEN: N_("A full board is over, too, when nobody has won."),
}
# Translators: a folder of this repository; yours has your language in its name, if there is one.
_ROAD = N_("docs/en/write-your-own")
_PAGE_OF = {
    Cause.IDENTITY: "1-first-win.md",
    Cause.NOT_A_SET: "1-first-win.md",
    Cause.COLUMN_FIRST: "2-board.md",
    Cause.LINES: "3-winner.md",
    Cause.TYPED_OFF: "3-winner.md",
    Cause.NOT_IMPORTED: "4-minimax.md",
    Cause.RETURN_IN_LOOP: "4-minimax.md",
    Cause.AVERAGE: "4-minimax.md",
    Cause.BOUNDS_AT_ROOT: "6-alpha-beta.md",
    Cause.DEPTH_TURNS: "7-depth-and-memory.md",
    Cause.DEPTH_OUTWEIGHS: "7-depth-and-memory.md",
    Cause.LEAF_OF_X: "5-any-game.md",
    Cause.NO_MINUS: "5-any-game.md",
    Cause.FOR_BOTH: "4-minimax.md",
    Cause.FIRST_VALUE: "4-minimax.md",
    Cause.LOST: "4-minimax.md",
    Cause.CUT_OFF: "6-alpha-beta.md",
    Cause.NO_CUT_OFF: "6-alpha-beta.md",
    Cause.MEMORY: "7-depth-and-memory.md",
    Cause.KEPT_DEFAULT: "7-depth-and-memory.md",
    Cause.MARKS_LEFT: "8-make-and-undo.md",
    Cause.PLAYS: "9-other-shapes.md",
    Cause.OTHER_SHAPE: "9-other-shapes.md",
}
_OTHER_PAGE = "2-board.md"
_PAGE_OF_FUNCTION = {
    **dict.fromkeys(("winner", "terminal", "utility"), "3-winner.md"),
    "minimax": "4-minimax.md",
}
# Translators, from here on: what a move leads to; stands inside other sentences.
_VALUES = {Value.WIN: N_("a win"), Value.DRAW: N_("a draw"), Value.LOSS: N_("a loss")}
_PRINTS_ON_IMPORT = N_("prints {got!r} while it is imported. Take that out once it works.")
_WITHOUT_SUBJECT = {
    FindingKind.MISSING,
    FindingKind.MISNAMED,
    FindingKind.NOT_OWN,
    FindingKind.SAME_CONSTANTS,
}
# Translators, from here on: the verdict on a function, in a column of a report.
_WORDS = {
    Judgement.RIGHT: N_("right"),
    Judgement.RIGHT_SO_FAR: N_("not judged yet"),
    Judgement.WRONG: N_("wrong"),
    Judgement.NOT_JUDGED: N_("not judged yet"),
}
_COLOURS = {
    Judgement.RIGHT: GREEN,
    Judgement.RIGHT_SO_FAR: YELLOW,
    Judgement.WRONG: RED,
    Judgement.NOT_JUDGED: YELLOW,
}


# Translators, from here on: in a report on a learner's program, in a terminal: lines of about 80
# columns.
class CheckTexts:
    """The texts about one file, in one language."""

    def __init__(self, path: Path, limits: TimeLimits, language: Language) -> None:
        self.path = path
        self.limits = limits
        self.language = language
        self._say = language.say
        self.sentences = _FINDINGS
        """What is said of each kind of finding, behind what it is about."""

    def introduction(self) -> list[str]:
        """The lines before a report."""
        return [
            self._say(
                N_("{file} runs in its own process, with all your permissions."),
                file=self.path.name,
            ),
            self._say(N_("Boards: row and column from 0, a dot is EMPTY.")),
        ]

    def lines(self, report: FunctionReport) -> Iterator[str]:
        """The lines about one function, or about the whole file."""
        if report.name:
            yield self._headline(report)
        yield from self._finding_lines(report)
        if report.ended_early and report.reason is None:
            yield "    " + self._say(N_("That is enough: I left out the other boards."))
        if reason := self.reason(report):
            yield f"    {reason}"
        if report.name == "minimax":
            yield from self._minimax_lines(report)
        if hint := report.hint:
            yield f"    {coloured(self.hint(hint, report.name), YELLOW)}"
            yield from self._wrapping_lines(hint)

    def found_so_far(self, name: str, finding: Finding) -> Iterator[str]:
        """The lines about the first mistake of a function, while it is still judged."""
        yield from self._example_lines(name, finding, 1)
        yield self._say(N_("I look on: is there a game that it loses?"))

    def first_fault(self, report: FunctionReport) -> str:
        """The sentence on the first mistake of a function, or on why it was not judged, if any."""
        if report.is_wrong or report.reason is UnjudgedReason.MISSING:
            return self.message(report.name, report.faults_first[0][0])
        reason = self.reason(report)
        return f"{report.name}: {reason}".removeprefix(": ") if reason else ""

    def reason(self, report: FunctionReport) -> str:
        """The sentence that says why a function was not judged; empty if it was, or is missing."""
        if report.reason is UnjudgedReason.NOT_WRITTEN:
            return self._say(N_("It isn't written yet."))
        if report.reason is UnjudgedReason.OTHER_SHAPE and report.hint is not None:
            # Translators: {was} is the name of a function in Python.
            sentence = N_("It isn't the eight functions ({was}, line {line}): not judged as it is.")
            return self._say(sentence, was=report.hint.was, line=report.hint.line)
        if report.reason is UnjudgedReason.DEPENDS:
            names = self.language.items(report.depends_on)
            return self._say(N_("It goes wrong because of {names}: begin there."), names=names)
        if report.reason is UnjudgedReason.UNSEEN:
            return self._say(N_("Whether it cuts can't be seen by its calls of result."))
        if report.reason is UnjudgedReason.NO_TIME:
            sentence = _MINIMAX_OUT_OF_TIME if report.name == "minimax" else _OUT_OF_TIME
            sentence = _WRONG_OUT_OF_TIME if report.is_wrong else sentence
            return self._say(sentence, more=f"{5 * self.limits.function:g}")
        return ""

    def _wrapping_lines(self, hint: Hint) -> Iterator[str]:
        """The lines to be pasted, or why there are none."""
        if hint.cause is not Cause.OTHER_SHAPE:
            return
        if hint.now:
            wrapped = self.path.with_name("wrapped.py")
            command = command_line("check", wrapped, "--only", "minimax")
            sentence = N_("Save these as wrapped.py beside it, and judge that: {command}")
            yield from ("    " + self._say(sentence, command=command), "", *hint.now.splitlines())
        elif not self.path.stem.isidentifier():
            name = re.sub(r"\W", "_", f"_{self.path.stem}").lstrip("_")
            sentence = N_("No file can import {file}: give it another name, such as {name}.py.")
            yield "    " + self._say(sentence, file=self.path.name, name=name)

    def hint(self, hint: Hint, name: str = "minimax") -> str:
        """Why a function is wrong, and where to read about it."""
        text = self._say(_HINTS[hint.cause], line=hint.line, was=hint.was, now=hint.now)
        return f"{text} ({self._say(_ROAD)}/{_page_of(hint, name)})"

    def message(self, name: str, finding: Finding) -> str:
        """The sentence about a finding on a function or, without a name, on the file."""
        best, actual = finding.values or (Value.DRAW, Value.DRAW)
        is_import = finding.kind is FindingKind.PRINTS and not name
        sentence = _PRINTS_ON_IMPORT if is_import else self.sentences[finding.kind]
        text = self._say(
            sentence,
            got=finding.got,
            mark=finding.family.upper(),
            action=finding.action,
            family=finding.family,
            expected=finding.expected,
            better=finding.expected,
            seconds=f"{self.limits.call:g}",
            was=self._say(_VALUES[best]),
            left=self._say(_VALUES[actual]),
        )
        if finding.kind not in _WITHOUT_SUBJECT:
            text = f"{self.subject(name, finding)} {text}"
        if not finding.kind.is_fault:
            text = self._say(N_("Not a mistake: {remark}"), remark=text)
        return text.strip()

    def title(self, name: str) -> str:
        """What stands before the verdict on a function."""
        return name

    def subject(self, name: str, finding: Finding) -> str:
        """What a finding is about: a call or, without the name of a function, the file."""
        return _call(name, finding) if name else self.path.name

    def _headline(self, report: FunctionReport) -> str:
        """Whether a function is right, and on how many boards it was checked."""
        word = self._say(_WORDS[report.judgement])
        verdict = coloured(ljust(word, max(8, columns(word) + 2)), _COLOURS[report.judgement])
        line = f"{ljust(self.title(report.name), 15)}{verdict}"
        return f"{line}{self._judged(report)}" if report.boards_checked else line.rstrip()

    def _judged(self, report: FunctionReport) -> str:
        """On how many boards a function was judged, and in how many games."""
        ngettext = self.language.ngettext
        checked = ngettext("{n} board judged", "{n} boards judged", report.boards_checked)
        if report.boards_checked < report.boards_total:
            checked = ngettext(
                "{judged} of {n} board judged",
                "{judged} of {n} boards judged",
                report.boards_total,
                judged=self.language.number(report.boards_checked),
            )
        if not report.games:
            return checked
        played = ngettext("{n} game played", "{n} games played", report.games)
        return self.language.items([checked, played])

    def _finding_lines(self, report: FunctionReport) -> Iterator[str]:
        """All findings about the file, or the first few about a function; mistakes first."""
        findings = [found for found in report.faults_first if not found[0].is_game]
        examples = findings[:_MAX_EXAMPLES] if report.name else findings
        games = [found for found in report.faults_first if found[0].is_game]
        for finding, board_count in examples + games:
            yield from self._example_lines(report.name, finding, board_count)
        hidden = len(findings) - len(examples)
        if hidden > 0:
            yield "    " + self.language.ngettext("and {n} more kind", "and {n} more kinds", hidden)

    def _example_lines(self, name: str, finding: Finding, board_count: int) -> Iterator[str]:
        """A finding, on the smallest board that shows it."""
        boards = ""
        if board_count > 1 and finding.is_game:
            boards = self.language.ngettext("({n} game)", "({n} games)", board_count)
        elif board_count > 1:
            boards = self.language.ngettext("({n} board)", "({n} boards)", board_count)
        text = self.message(name, finding)
        text = coloured(text, RED) if finding.kind.is_fault else text
        yield f"    {text} {boards}".rstrip()
        if finding.board is not None and finding.kind.is_fault:
            for row in str(finding.board).upper().split():
                yield "        " + " ".join(row)
            if finding.is_game:
                yield "      " + self._moves(finding)
            elif finding.line:
                yield "      " + self._refutation(finding.board, finding)

    def _refutation(self, board: Board, finding: Finding) -> str:
        """How the game may continue after a bad move."""
        text = self._listed([finding.got, *_actions(finding)], board.to_move)
        return self._say(N_("It could go on like this: {moves}"), moves=text)

    def _moves(self, finding: Finding) -> str:
        """All moves of a lost game."""
        return self._say(N_("The moves: {moves}"), moves=self._listed(_actions(finding), Mark.X))

    def _listed(self, actions: Sequence[str], first: Mark) -> str:
        moves = zip(cycle([first, first.other]), actions, strict=False)
        return self.language.items([f"{SYMBOLS[mark]} {action}" for mark, action in moves])

    def _minimax_lines(self, report: FunctionReport) -> Iterator[str]:
        """For whom `minimax` is wrong or, if it is right, what it costs."""
        if len(report.wrong_for) == 1 and not (report.hangs or report.exits):
            (mark,) = report.wrong_for
            sentence = N_("It is wrong only where {symbol} is to move.")
            yield "    " + self._say(sentence, symbol=SYMBOLS[mark])
        if report.on_trees is not None:
            lines = search_lines(report.on_trees, self.language, is_mistake=report.is_wrong)
            yield from ("    " + line for line in lines)
        if report.cold_calls is not None and not report.is_wrong:
            yield from _cost_lines(report.cold_calls, self.language)


def _actions(finding: Finding) -> list[str]:
    return [str(to_action(cell)) for cell in finding.line]


def _call(name: str, finding: Finding) -> str:
    arguments = [] if name == "initial_state" else ["board"]
    if name == "result":
        arguments.append(finding.action or "action")
    return f"{name}({', '.join(arguments)})"


# Translators, from here on: in a table of a report, in a terminal: about 30 columns.
def _cost_lines(calls: int, language: Language) -> Iterator[str]:
    """How often the learner's `minimax` called `result`, compared with our searches."""
    say = language.say
    board = Board()
    yield "    " + say(N_("calls of result, for the empty board in a fresh process"))
    rows = {
        say(N_("yours")): calls,
        say(N_("plain minimax")): size_of_tree(board) - 1,
        say(N_("alpha-beta, any win")): search(board, soonest=False).nodes - 1,
        say(N_("alpha-beta, the soonest win")): search(board).nodes - 1,
    }
    widths = [-max(32, *map(columns, rows)), 9]
    for name, count in rows.items():
        yield "        " + table_row([name, language.number(count)], widths)


def _page_of(hint: Hint, name: str) -> str:
    if hint.cause is Cause.MIN_MAX and re.search(r"\b(alpha|beta)\b", hint.was):
        return _PAGE_OF[Cause.CUT_OFF]
    return _PAGE_OF.get(hint.cause) or _PAGE_OF_FUNCTION.get(name, _OTHER_PAGE)

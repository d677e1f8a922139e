"""The report on a learner's `tictactoe.py`, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.alphabeta import search
from engine.board import Board
from engine.check.finding import Finding, FindingKind
from engine.check.runner import FunctionReport, TimeLimits, judge
from engine.terminal.drawing import GREEN, RED, SYMBOLS, YELLOW, coloured, progress, show_instead
from engine.terminal.language import N_, Language
from engine.tree import size_of_tree
from engine.worth import Value

_MOST_EXAMPLES = 3  # of one function

_FINDINGS: Mapping[FindingKind, str] = {
    # Translators: {got} is a name in Python, such as minimax; so below, or a value, or an error.
    FindingKind.MISSING: N_("{got} is missing."),
    FindingKind.SAME: N_("X, O and EMPTY must be three different values."),
    FindingKind.RAISES: N_("raises {got}"),
    FindingKind.EXITS: N_("ends the program. {got}"),
    FindingKind.HANGS: N_("doesn't return within {seconds} seconds. Does it loop forever?"),
    FindingKind.CHANGES: N_("changes the board it is given. Work on a copy."),
    FindingKind.WRONG: N_("returns {got}; {expected} would be right."),
    FindingKind.SHARES: N_(
        "has the same list for several rows: a mark in one would be in all of them."
    ),
    FindingKind.ALLOWS: N_("accepts this; an invalid action must raise an exception."),
    FindingKind.ILLEGAL: N_("returns {got}; that isn't a free cell as a pair (row, column)."),
    # Translators: {was} and {left} are "a win", "a draw" or "a loss".
    FindingKind.WORSE: N_("returns {got}: {left}, where {better} would be {was}."),
    FindingKind.LATER_WIN: N_("returns {got}, and wins; {better} wins sooner."),
    FindingKind.SOONER_LOSS: N_("returns {got}, and loses; {better} holds out longer."),
    FindingKind.PRINTS: N_("prints {got!r}. Take that out once it works."),
    FindingKind.SLOW: N_("doesn't return within {seconds} seconds: the tree is large here."),
}
_VALUES = {Value.WIN: N_("a win"), Value.DRAW: N_("a draw"), Value.LOSS: N_("a loss")}


def check(path: Path, limits: TimeLimits, language: Language) -> bool:
    """Judge a learner's file and print the findings; return whether nothing is wrong."""
    say = language.say
    print(
        say(N_("{file} runs in its own process, with all your permissions."), file=path.name),
        say(N_("Boards: row and column from 0, a dot is EMPTY.")) + "\n",
        sep="\n",
        flush=True,
    )
    wrong = []
    for judgement in judge(path, limits, progress):
        show_instead("")
        for line in lines_on(judgement, path, limits, language):
            print(line, flush=True)
        wrong += _wrong_names(judgement, path)
    print()
    if not wrong:
        print(coloured(say(N_("No mistakes found.")), GREEN))
        return True
    print(coloured(say(N_("Wrong: {names}."), names=", ".join(wrong)), RED))
    if len(wrong) > 1:
        print(say(N_("Start with the first: the others may follow from it.")))
    return False


def _wrong_names(judgement: FunctionReport, path: Path) -> list[str]:
    if judgement.name:
        return [judgement.name] if judgement.is_wrong else []
    return [
        finding.got if finding.kind is FindingKind.MISSING else path.name
        for finding, _ in judgement.findings.values()
    ]


def lines_on(
    judgement: FunctionReport, path: Path, limits: TimeLimits, language: Language
) -> Iterator[str]:
    """The lines of the report on one judgement."""
    findings = sorted(judgement.findings.values(), key=lambda found: not found[0].kind.is_fault)
    if judgement.name:
        yield _headline(judgement, language)
    shown = findings[:_MOST_EXAMPLES] if judgement.name else findings
    for finding, count in shown:
        called = _call(judgement.name, finding) if judgement.name else path.name
        yield from _example(called, finding, count, limits, language)
    more = len(findings) - len(shown)
    if more > 0:
        yield "    " + language.count(N_("and 1 more kind"), N_("and {n} more kinds"), more)
    if judgement.ran_out_of_time:
        yield "    " + language.say(N_("Time is up; --seconds gives more."))
    if judgement.name == "minimax" and len(judgement.wrong_for) == 1:
        only = N_("It is wrong only where {symbol} is to move.")
        yield "    " + language.say(only, symbol=SYMBOLS[next(iter(judgement.wrong_for))])
    if judgement.name == "minimax" and judgement.largest and not judgement.is_wrong:
        yield from _costs(judgement.largest, judgement.calls, language)


def _headline(judgement: FunctionReport, language: Language) -> str:
    """Whether a function is right, and on how many boards it was judged."""
    say, number = language.say, language.number
    word = say(N_("wrong") if judgement.is_wrong else N_("right"))
    judged = language.count(N_("1 board judged"), N_("{n} boards judged"), judgement.judged)
    if judgement.judged < judgement.boards_total:
        judged = say(
            N_("{judged} of {all} boards judged"),
            judged=number(judgement.judged),
            all=number(judgement.boards_total),
        )
    coloured_word = coloured(f"{word:<8}", RED if judgement.is_wrong else GREEN)
    return f"{judgement.name:<15}{coloured_word}{judged}"


def _example(
    called: str, finding: Finding, count: int, limits: TimeLimits, language: Language
) -> Iterator[str]:
    """A finding, on the smallest board that shows it."""
    say = language.say
    was, left = finding.values or (Value.DRAW, Value.DRAW)
    said = say(
        _FINDINGS[finding.kind],
        got=finding.got,
        expected=finding.expected,
        better=finding.expected,
        seconds=f"{limits.call:g}",
        was=say(_VALUES[was]),
        left=say(_VALUES[left]),
    )
    more = say(N_("({n} boards)"), n=language.number(count)) if count > 1 else ""
    colour = RED if finding.kind.is_fault else YELLOW
    whole = said if finding.kind in {FindingKind.MISSING, FindingKind.SAME} else f"{called} {said}"
    if not finding.kind.is_fault:
        whole = say(N_("Not a mistake: {remark}"), remark=whole)
    yield f"    {coloured(whole.strip(), colour)} {more}".rstrip()
    if finding.board is not None:
        yield from (f"        {' '.join(row)}" for row in str(finding.board).upper().split())
    if finding.line:
        yield "      " + _refutation(finding, language)


def _call(name: str, finding: Finding) -> str:
    given = ["board"] if finding.board is not None else []
    action = [finding.action] if finding.action else []
    return f"{name}({', '.join([*given, *action])})"


def _refutation(finding: Finding, language: Language) -> str:
    """The sentence that says how the game may go on after a bad move."""
    assert finding.board is not None
    mark, moves = finding.board.to_move, [finding.got]
    moves += [str(divmod(cell, finding.board.rules.columns)) for cell in finding.line]
    marks = [mark, mark.other] * len(moves)
    played = ", ".join(f"{SYMBOLS[m]} {move}" for m, move in zip(marks, moves, strict=False))
    return language.say(N_("It could go on like this: {moves}"), moves=played)


def _costs(board: Board, calls: int, language: Language) -> Iterator[str]:
    """How often the learner's `minimax` called `result` on a board, compared with our searches."""
    say, number = language.say, language.number
    if not calls:
        return
    one = N_("calls of result, on the largest board judged (1 free cell)")
    many = N_("calls of result, on the largest board judged ({n} free cells)")
    yield "    " + language.count(one, many, len(board.actions()))
    rows = {
        say(N_("yours")): calls,
        say(N_("plain minimax")): size_of_tree(board) - 1,
        say(N_("alpha-beta, any win")): search(board, soonest=False).nodes - 1,
        say(N_("alpha-beta, the soonest win")): search(board).nodes - 1,
    }
    for name, count in rows.items():
        yield f"        {name:<32}{number(count):>9}"

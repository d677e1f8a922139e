"""The texts about a learner's search on small trees, and the tree that shows what is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.board import Mark
from engine.check.tree_search import Fault, TreeFinding, TreeReport
from engine.terminal.drawing import GREY, RED, SYMBOLS, YELLOW, coloured
from engine.terminal.language import N_, Language
from engine.tree import Numbers, Path, game_tree, move_name, number_text


# Translators, from here on: in a report on a learner's program, in a terminal: lines of about 80
# columns. Alpha and beta are letters of a formula.
def search_lines(report: TreeReport, language: Language, *, is_mistake: bool) -> Iterator[str]:
    """What a search did on small trees and, if it goes wrong there, one of them.

    If `minimax` is wrong and the search is right there, that may still be what it remembers.
    """
    say = language.say
    finding = report.finding
    if finding is None and is_mistake:
        return
    if finding is None:
        # Translators: {functions} are names in Python.
        right = N_("{functions}: right on {n} small trees, with given alpha and beta.")
        functions = language.items(report.functions)
        yield say(right, functions=functions, n=language.number(report.trees))
        if report.read is not None:
            leaves = N_("It looks at {read} leaves there; in its order, alpha-beta needs {enough}.")
            read, enough = map(language.number, (report.read, report.enough))
            yield say(leaves, read=read, enough=enough)
        return
    message = _message(finding, language)
    is_remark = finding.fault is Fault.MANY and not is_mistake
    if is_remark:
        message = say(N_("Not a mistake: {remark}"), remark=message)
    yield coloured(message, RED if is_mistake else YELLOW)
    if not is_mistake and not is_remark:
        yield say(N_("No board that was judged shows it."))
    yield say(N_("X takes the largest number, O the smallest."))
    if finding.is_negated:
        yield say(N_("What it is given and returns is seen by the player to move."))
    yield from ("    " + line for line in _tree_lines(finding, language))


def _message(finding: TreeFinding, language: Language) -> str:
    is_seen_by_o = finding.is_negated and finding.tree.to_move is Mark.O
    sign = -1 if is_seen_by_o else 1
    alpha, beta = sorted((sign * finding.case.alpha, sign * finding.case.beta))
    call = f"{finding.function}(tree, alpha={_number(alpha)}, beta={_number(beta)})"
    leaf = _name(finding.tree, finding.missed)
    if finding.fault is Fault.MANY:
        # Translators: {call} is a call in Python, {leaf} the name of a leaf of a tree, such as a2.
        return language.ngettext(
            "{call} looks at {n} leaf, where {enough} would do: {leaf} can't matter any more.",
            "{call} looks at {n} leaves, where {enough} would do: {leaf} can't matter any more.",
            len(finding.read),
            call=call,
            enough=language.number(finding.enough),
            leaf=leaf,
        )
    value = sign * game_tree(finding.tree).utility
    expected = _number(value)
    if value <= alpha:
        # Translators: a number, which stands for all up to it.
        expected = language.say(N_("{number} or less"), number=_number(alpha))
    elif value >= beta:
        # Translators: a number, which stands for all from it on.
        expected = language.say(N_("{number} or more"), number=_number(beta))
    # Translators: {call} is a call in Python, {got} a number, {expected} one, or "0 or less".
    wrong = N_("{call} returns {got}; {expected} would be right.")
    text = language.say(wrong, call=call, got=_number(sign * finding.got), expected=expected)
    if finding.fault is Fault.FEW:
        few = N_("It doesn't look at {leaf}, which could still matter.")
        text = f"{text} {language.say(few, leaf=leaf)}"
    return text


def _tree_lines(finding: TreeFinding, language: Language) -> Iterator[str]:
    yield _chooses(finding.tree, language)
    yield from _branches(finding, finding.tree, (), "", language)


def _branches(
    finding: TreeFinding, tree: Numbers, path: Path, indent: str, language: Language
) -> Iterator[str]:
    actions = tree.actions()
    for action in actions:
        child, below = tree.result(action), (*path, action)
        is_last = action == actions[-1]
        line = f"{indent}{'└─' if is_last else '├─'} {_name(finding.tree, below)}"
        if not child.is_terminal:
            yield f"{line}  {_chooses(child, language)}"
            yield from _branches(
                finding, child, below, indent + ("   " if is_last else "│  "), language
            )
        elif below in finding.read:
            yield f"{line} {child.utility:>3}"
        else:
            # Translators: beside a leaf of a tree.
            unread = language.say(N_("not looked at"))
            yield coloured(f"{line} {child.utility:>3}   {unread}", GREY)


def _chooses(tree: Numbers, language: Language) -> str:
    return language.say(N_("{symbol} chooses"), symbol=SYMBOLS[tree.to_move])


def _name(tree: Numbers, path: Path) -> str:
    return move_name(tree, path) if path else ""


def _number(value: float) -> str:
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return number_text(value, signed=False) if value == int(value) else f"{value:g}"

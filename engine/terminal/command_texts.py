"""The texts about a program in any language, of which only the moves are judged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from engine.check.finding import Finding, FindingKind
from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport
from engine.rules import TIC_TAC_TOE
from engine.terminal.check_texts import CheckTexts
from engine.terminal.language import N_, Language

# Translators, from here on: what a program does wrong, in any language, behind its name. {got} is
# the line that it has written.
_SENTENCES = {
    FindingKind.ILLEGAL_MOVE: N_("answers {got}; that isn't a free cell, from 0 to 8."),
    FindingKind.HANGS: N_("doesn't answer within {seconds} s. Does it flush each line?"),
    FindingKind.EXITS: N_("ends before it has answered. {got}"),
    # Translators: {was} and {left} are "a win", "a draw" or "a loss".
    FindingKind.WORSE_MOVE: N_("answers {got}: {left}, where {better} would be {was}."),
}
_ACTION = re.compile(r"\((\d), (\d)\)")


class CommandTexts(CheckTexts):
    """The texts about a command; cells are numbers, as it answers them."""

    def __init__(self, command: Path, limits: TimeLimits, language: Language) -> None:
        super().__init__(command, limits, language)
        self.sentences = {**self.sentences, **_SENTENCES}

    def introduction(self) -> list[str]:
        say = self.language.say
        # Translators: said before a report on a program in any language.
        return [
            say(N_("{command} runs with all your permissions."), command=self.path),
            say(N_("Cells are numbered row by row, from 0 to 8.")),
        ]

    def lines(self, report: FunctionReport) -> Iterator[str]:
        yield from map(_with_numbers, super().lines(report))

    def message(self, name: str, finding: Finding) -> str:
        return _with_numbers(super().message(name, finding))

    def title(self, name: str) -> str:  # noqa: ARG002 - it is always the same
        # Translators: stands before a verdict, such as "right": those of a program.
        return self.language.say(N_("moves"))

    def subject(self, name: str, finding: Finding) -> str:  # noqa: ARG002 - it is always the same
        return self.path.name


def _with_numbers(text: str) -> str:
    """A text with the number of a cell in the place of its row and column."""
    return _ACTION.sub(lambda cell: str(int(cell[1]) * TIC_TAC_TOE.columns + int(cell[2])), text)

"""What the checks found out about one function of a learner's file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from engine.board import Board, Mark
from engine.check.checks import FUNCTION_NAMES, boards_for
from engine.check.finding import Finding, FindingKind


class Judgement(Enum):
    """What is known about a function."""

    RIGHT = "right"
    RIGHT_SO_FAR = "right so far"
    WRONG = "wrong"
    NOT_JUDGED = "not judged"


@dataclass(slots=True)
class FunctionReport:
    """The findings about one function, on the first `boards_checked` of its boards.

    `findings` has the first finding of each kind and family, and its number of boards.
    `result_calls` is how often `minimax` called `result` for `largest_board`, the last unfinished
    board that was checked. `wrong_for` has the players to move on boards with a mistake.
    `hanging_function` is the one that kept this one from being checked.
    """

    name: str
    boards_checked: int = 0
    findings: dict[tuple[FindingKind, str], tuple[Finding, int]] = field(default_factory=dict)
    result_calls: int = 0
    largest_board: Board | None = None
    wrong_for: set[Mark] = field(default_factory=set)
    hanging_function: str = ""

    def add_board(self, board: Board, findings: Sequence[Finding], result_calls: int) -> None:
        """Add the results of one more board, which counts once for each kind and family."""
        self.boards_checked += 1
        if not board.is_terminal:
            self.result_calls = result_calls
            self.largest_board = board
        first_of_each = {(finding.kind, finding.family): finding for finding in reversed(findings)}
        for finding in first_of_each.values():
            self.add(finding)

    def add(self, finding: Finding) -> None:
        if self.name == "initial_state":  # it takes no board
            finding = replace(finding, board=None)
        key = finding.kind, finding.family
        first, count = self.findings.get(key, (finding, 0))
        self.findings[key] = first, count + 1
        if finding.kind.is_fault and finding.board is not None:
            self.wrong_for.add(finding.board.to_move)

    @property
    def boards_total(self) -> int:
        return len(boards_for(self.name)) if self.name in FUNCTION_NAMES else 0

    @property
    def is_wrong(self) -> bool:
        return any(kind.is_fault for kind, _ in self.findings)

    @property
    def faults_first(self) -> list[tuple[Finding, int]]:
        """The findings and their numbers of boards, mistakes before remarks."""
        return sorted(self.findings.values(), key=lambda entry: not entry[0].kind.is_fault)

    @property
    def hangs(self) -> bool:
        return any(kind is FindingKind.HANGS for kind, _ in self.findings)

    @property
    def exits(self) -> bool:
        return any(kind is FindingKind.EXITS for kind, _ in self.findings)

    @property
    def judgement(self) -> Judgement:
        if self.is_wrong:
            return Judgement.WRONG
        if self.hanging_function:
            return Judgement.NOT_JUDGED
        is_complete = self.boards_checked == self.boards_total
        return Judgement.RIGHT if is_complete else Judgement.RIGHT_SO_FAR

    @property
    def ended_early(self) -> bool:
        """Whether a wrong function was left before its last board, although it still returned."""
        if not self.is_wrong or self.hangs or self.exits:
            return False
        return self.boards_checked < self.boards_total

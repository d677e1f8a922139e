"""What the checks found out about one function of a learner's file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from functools import cached_property

from engine.board import Mark
from engine.check.finding import Finding, FindingKind
from engine.check.hypotheses import Hint
from engine.check.tree_search import TreeReport

_MAX_EXAMPLES = 3
"""On how many boards a finding is tried again, until it is found there."""

FindingKey = tuple[FindingKind, str]


class Judgement(Enum):
    """What is known about a function."""

    RIGHT = "right"
    RIGHT_SO_FAR = "right so far"
    WRONG = "wrong"
    NOT_JUDGED = "not judged"


NOT_ALL_JUDGED = frozenset({Judgement.RIGHT_SO_FAR, Judgement.NOT_JUDGED})


class UnjudgedReason(Enum):
    """Why a function was not judged, or not on every board."""

    NOT_WRITTEN = "not written"
    MISSING = "missing"
    NO_TIME = "no time"
    DEPENDS = "depends"
    UNSEEN = "unseen"
    OTHER_SHAPE = "other shape"


@dataclass
class FunctionReport:
    """The findings about one function, on the first `boards_checked` of its boards.

    `findings` has the first finding of each kind and family, and its number of boards; `examples`
    has some more. `games` is how many games `minimax` has played, and `cold_calls` how often it
    called `result` for the empty board, in a fresh process; None if it wasn't asked. `wrong_for`
    has the players to move on boards with a mistake. `depends_on` are the functions that made this
    one wrong. `on_trees` is what the search that `minimax` uses does on small trees.
    """

    name: str
    is_own: bool = True
    reason: UnjudgedReason | None = None
    depends_on: tuple[str, ...] = ()
    boards_checked: int = 0
    boards_total: int = 0
    games: int = 0
    findings: dict[FindingKey, tuple[Finding, int]] = field(default_factory=dict)
    examples: dict[FindingKey, list[Finding]] = field(default_factory=dict)
    cold_calls: int | None = None
    wrong_for: set[Mark] = field(default_factory=set)
    on_trees: TreeReport | None = None
    find_hint: Callable[[], Hint | None] = lambda: None

    @cached_property
    def hint(self) -> Hint | None:
        """What was found to be the cause; it may take seconds when it is first asked for."""
        return self.find_hint()

    def add_board(self, findings: Sequence[Finding]) -> None:
        """Add the results of one more board, which counts once for each kind and family."""
        self.boards_checked += 1
        first_of_each = {(finding.kind, finding.family): finding for finding in reversed(findings)}
        for finding in first_of_each.values():
            self.add(finding)

    def add(self, finding: Finding, count: int = 1) -> None:
        if self.name == "initial_state":  # it takes no board
            finding = replace(finding, board=None)
        key = finding.kind, finding.family
        first, before = self.findings.get(key, (finding, 0))
        self.findings[key] = first, before + count
        examples = self.examples.setdefault(key, [])
        if len(examples) < _MAX_EXAMPLES:
            examples.append(finding)
        if finding.kind.is_fault and finding.board is not None:
            self.wrong_for.add(finding.board.to_move)

    @property
    def is_wrong(self) -> bool:
        if self.reason in {UnjudgedReason.MISSING, UnjudgedReason.OTHER_SHAPE}:
            return False
        return any(kind.is_fault for kind, _ in self.findings)

    @property
    def faults_first(self) -> list[tuple[Finding, int]]:
        """The findings and their numbers of boards: mistakes, what only adds to them, remarks."""
        return sorted(
            self.findings.values(),
            key=lambda entry: (
                not entry[0].kind.is_fault,
                entry[0].kind is FindingKind.INCONSISTENT,
            ),
        )

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
        if self.reason is None:
            return Judgement.RIGHT
        return Judgement.RIGHT_SO_FAR if self.boards_checked else Judgement.NOT_JUDGED

    @property
    def ended_early(self) -> bool:
        """Whether a wrong function was left before its last board, although it still returned."""
        if not self.is_wrong or self.hangs or self.exits:
            return False
        return self.boards_checked < self.boards_total


class ExitCode(IntEnum):
    """What a check says to whoever started it; 2 is argparse's, for options it can't understand."""

    RIGHT = 0
    WRONG = 1
    NOT_ALL_JUDGED = 3


def exit_code(reports: Sequence[FunctionReport]) -> ExitCode:
    if any(report.is_wrong for report in reports):
        return ExitCode.WRONG
    if any(report.judgement in NOT_ALL_JUDGED for report in reports):
        return ExitCode.NOT_ALL_JUDGED
    return ExitCode.RIGHT

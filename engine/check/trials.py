"""What was found about a function, tried again in fresh processes: whether it holds, and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from engine.board import Board
from engine.check.checks import Symbols, actions_for, boards_for, findings_on
from engine.check.finding import Finding, FindingKind
from engine.check.hypotheses import Cause, Hint, changes, missing_import, seen_on_boards
from engine.check.learner import LearnerFile
from engine.check.process import WorkerLostError
from engine.check.report import FindingKey, FunctionReport, Judgement, Reason

_MIN_SLOW_FREE_CELLS = 7
"""With this many free cells or more, a correct plain minimax may be slow."""
_MAX_CONFIRMED = 12
"""Of how many kinds of findings on a function the board is shown."""
_MAX_TRIAL_SECONDS = 20
_SAMPLE = 200
"""On how many boards, at least, a function must be right before a cause is believed."""


@dataclass(frozen=True)
class Trials:
    """The trials of one function, which change its report."""

    file: LearnerFile
    report: FunctionReport
    symbols: Symbols

    def confirm(self) -> None:
        """Keep those findings that are found again if the function is called first of all."""
        report = self.report
        keys = [(finding.kind, finding.family) for finding, _ in report.faults_first]
        for index, key in enumerate(keys):
            first, count = report.findings[key]
            if first.kind in {FindingKind.LOSES_GAME, FindingKind.INCONSISTENT}:
                continue
            if index >= _MAX_CONFIRMED:
                report.findings[key] = replace(first, board=None, action="", line=()), count
                continue
            found = (self._found_again(finding, key) for finding in report.examples[key])
            again = next((finding for finding in found if finding is not None), None)
            if again is not None:
                report.findings[key] = again, count
                continue
            del report.findings[key]
            if first.kind.is_fault:
                report.add(Finding(FindingKind.INCONSISTENT), count)

    def _found_again(
        self, finding: Finding, key: FindingKey, source: str | None = None
    ) -> Finding | None:
        """The same finding, if a fresh process makes it, too."""
        name, limits = self.report.name, self.file.limits
        board = finding.board or Board()
        is_slow = name == "minimax" and may_be_slow(board)
        try:
            with self.file.fresh(source=source) as (worker, _):
                (receive,) = worker.answers(name, [board], actions_for(name))
                seconds = limits.function if is_slow else limits.call
                answer = receive(limits.clock() + seconds)
        except WorkerLostError as lost:
            return finding if lost.kind is key[0] else None
        findings = findings_on(name, board, answer, self.symbols)
        again = {(finding.kind, finding.family): finding for finding in reversed(findings)}.get(key)
        if again is None or name != "initial_state":
            return again
        return replace(again, board=None)

    def blame_others(self, before: Sequence[FunctionReport]) -> None:
        """Find out whether there are no mistakes with right functions in the place of others."""
        report = self.report
        may_spoil = {Judgement.WRONG, Judgement.NOT_JUDGED}
        suspects = [other.name for other in before if other.judgement in may_spoil]
        trials: list[tuple[str, ...]] = [(suspect,) for suspect in suspects]
        if len(suspects) > 1:
            trials.append(tuple(suspects))
        boards = self._boards_with_mistakes()
        for replaced in trials:
            if boards and self._is_right_on(boards, replaced):
                report.reason = Reason.DEPENDS
                report.depends_on = replaced
                report.findings.clear()
                report.wrong_for.clear()
                report.boards_checked = report.games = report.cold_calls = 0
                return

    def find_cause(self, right: Collection[Board], wrong: Collection[Board]) -> None:
        """Find what makes the function wrong on some boards, and give it as the hint."""
        report = self.report
        findings = [finding for finding, _ in report.findings.values() if finding.kind.is_fault]
        source = self.file.source
        for finding in findings:
            change = missing_import(source, finding.got)
            key = finding.kind, finding.family
            if change and not self._found_again(finding, key, source=change.source):
                report.hint = change.hint
                return
        seen = seen_on_boards(report.name, findings, wrong, right)
        if not report.hangs and (seen is None or seen.cause is Cause.LOST):
            is_vague = {finding.kind for finding in findings} == {FindingKind.INCONSISTENT}
            seen = self._try_changes(source, {Cause.MEMORY} if is_vague else set(Cause)) or seen
        report.hint = seen

    def _try_changes(self, source: str, causes: Collection[Cause]) -> Hint | None:
        """The first change of the code with which the function is right, or right for a player."""
        clock, name = self.file.limits.clock, self.report.name
        boards = self._boards_with_mistakes()
        small = [board for board in boards_for(name) if not may_be_slow(board)]
        sample = small[:: max(1, len(small) // _SAMPLE)]
        movers = {board.to_move for board in boards}
        deadline = clock() + _MAX_TRIAL_SECONDS
        for_a_player = None
        for change in changes(source, name):
            if not boards or clock() > deadline:
                break
            if change.hint.cause not in causes or not self._is_right_on(boards, (), change.source):
                continue
            if self._is_right_on(sample, (), change.source):
                return change.hint
            ours = [board for board in sample if {board.to_move} == movers]
            if ours and name == "minimax" and self._is_right_on(ours, (), change.source):
                for_a_player = for_a_player or replace(change.hint, mark=ours[0].to_move.name)
        return for_a_player

    def _boards_with_mistakes(self) -> list[Board]:
        """Some boards of each kind of mistake, and those of a lost game, one after the other."""
        boards = []
        for (kind, family), examples in self.report.examples.items():
            if kind is FindingKind.LOSES_GAME:
                game = examples[0].line
                before = [Board.after(game[:ply]) for ply in range(len(game))]
                boards += [board for board in before if board.to_move.value == family]
            elif kind.is_fault and kind is not FindingKind.INCONSISTENT:
                boards += [finding.board or Board() for finding in examples]
        return boards

    def _is_right_on(
        self, boards: Sequence[Board], replaced: Sequence[str] = (), source: str | None = None
    ) -> bool:
        """Whether there is no mistake, in a fresh process, with other functions or other code."""
        name, limits = self.report.name, self.file.limits
        try:
            with self.file.fresh(replaced, source) as (worker, loaded):
                if loaded.error is not None:
                    return False
                answers = worker.answers(name, boards, actions_for(name))
                for board, receive in zip(boards, answers, strict=True):
                    answer = receive(limits.clock() + limits.call)
                    findings = findings_on(name, board, answer, self.symbols)
                    if any(finding.kind.is_fault for finding in findings):
                        return False
        except WorkerLostError:
            return False
        return True


def may_be_slow(board: Board) -> bool:
    return len(board.free_cells) >= _MIN_SLOW_FREE_CELLS

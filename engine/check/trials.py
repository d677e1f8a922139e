"""What was found about a function, tried again in fresh processes: whether it holds, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from engine.board import Board, Mark
from engine.check.checks import (
    FUNCTION_NAMES,
    Symbols,
    actions_for,
    boards_for,
    expected_answer,
    findings_on,
    move_of,
    to_action,
    value_keeping_moves,
)
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.hypotheses import Cause, Change, Hint, changes, missing_import, seen_on_boards
from engine.check.learner import LearnerFile
from engine.check.models import NO_LINE_TO_BLAME, Order, hint_of_lines, hint_of_player
from engine.check.process import Answer, WorkerLostError
from engine.check.report import FindingKey, FunctionReport, Judgement, UnjudgedReason
from engine.rules import Cell

_MIN_SLOW_FREE_CELLS = 7
"""With this many free cells or more, a correct plain minimax may be slow."""
_MAX_CONFIRMED = 12
"""Of how many kinds of findings on a function the board is shown."""
_MAX_CHANGES = 60
_MAX_TRIAL_SECONDS = 4
"""Of all changes that are tried; if they take longer, no cause is said."""
_MAX_TRIED = 12
"""On how many wrong boards, and right ones, a change is tried before it is on all."""
_MAX_UNJUDGED = 200
"""On how many boards that weren't judged, perhaps, a cause is right as well."""
_MAX_LARGE_CALLS = 20_000
_MAX_LARGE_SECONDS = 0.3
"""How often `result` is called on large boards to try a change, and for how long."""
_SEEN_AFTER_CALLS = {Cause.MEMORY, Cause.KEPT_DEFAULT}
"""What may make a function wrong only after other calls."""
_REMOVES = (Cause.CUT_OFF, Cause.MEMORY)
"""What is found by taking something out, where a smaller change may be as right."""


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
                board, got = first.board, first.got
                report.add(Finding(FindingKind.INCONSISTENT, board, got, first.expected), count)

    def holds(self, finding: Finding) -> bool:
        """Whether a fresh process makes a finding, too."""
        return self._found_again(finding, (finding.kind, finding.family)) is not None

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
                answer = receive(seconds)
        except WorkerLostError as lost:
            return finding if lost.kind is key[0] else None
        findings = findings_on(name, board, answer, self.symbols)
        again = {(finding.kind, finding.family): finding for finding in reversed(findings)}.get(key)
        if again is None or name != "initial_state":
            return again
        return replace(again, board=None)

    def blame_others(self, before: Sequence[FunctionReport], judged: Sequence[Board]) -> None:
        """Find out whether there are no mistakes with right functions in the place of others."""
        report = self.report
        may_spoil = {Judgement.WRONG, Judgement.NOT_JUDGED}
        suspects = [other.name for other in before if other.judgement in may_spoil]
        trials: list[tuple[str, ...]] = [(suspect,) for suspect in suspects]
        if len(suspects) > 1:
            trials.append(tuple(suspects))
        boards = [*self._boards_with_mistakes(), *judged]
        for replaced in trials:
            if boards and self._is_right_on(boards, replaced):
                report.reason = UnjudgedReason.DEPENDS
                report.depends_on = replaced
                report.findings.clear()
                report.wrong_for.clear()
                report.boards_checked = report.games = 0
                report.cold_calls = None
                return

    def find_cause(self, judged: Mapping[Board, bool], answers: Mapping[Board, Answer]) -> None:
        """Find what makes the function wrong on some boards, and give it as the hint.

        `judged` has all its boards, in order, and whether it was right on them. What takes long is
        left to be done when it is asked for.
        """
        report = self.report
        findings = [finding for finding, _ in report.findings.values()]
        source = self.file.source
        for finding in findings:
            change = missing_import(source, finding.got)
            key = finding.kind, finding.family
            if change and not self._found_again(finding, key, source=change.source):
                report.hint = change.hint
                return
        right = [board for board, is_right in judged.items() if is_right]
        wrong = [board for board, is_right in judged.items() if not is_right]
        seen = seen_on_boards(report.name, findings, wrong, right)
        if seen is not None and seen.cause is Cause.ONLY_PRINTS:
            for key in [key for key in report.findings if key[0] is FindingKind.PRINTS]:
                del report.findings[key]
        if report.hangs or (seen is not None and seen.cause is not Cause.LOST):
            report.hint = seen
        else:

            def find() -> Hint | None:
                known = self._known_program(answers)
                if known is not None and known.cause in NO_LINE_TO_BLAME:
                    return known
                return self._try_changes(right, wrong, list(judged)) or known or seen

            report.find_hint = find

    def _known_program(self, answers: Mapping[Board, Answer]) -> Hint | None:
        """The wrong program, of those that are known, that would have given these answers."""
        name = self.report.name
        if name not in {"winner", "terminal", "minimax"}:
            return None
        values = {board: answer.said.calls[0].value for board, answer in answers.items()}
        if name == "terminal":
            return hint_of_lines(name, values)
        if name == "winner":
            marks = {self.symbols.of(mark): mark for mark in (*Mark, None)}
            try:
                return hint_of_lines(name, {each: marks[value] for each, value in values.items()})
            except (KeyError, TypeError):
                return None
        cells: dict[Board, Cell | None] = {}
        for board, value in values.items():
            if not board.is_terminal:
                try:
                    cells[board] = move_of(board, answers[board].said, self.symbols)
                except FindingError:
                    if value is not None or answers[board].said.calls[0].error is not None:
                        return None
                    cells[board] = None
        return hint_of_player(cells, value_keeping_moves, self._orders)

    def _orders(self) -> list[Order]:
        """The orders in which the program may try the moves: its own, and sorted."""
        boards = boards_for("actions")
        orders: list[Order] = [{}]
        with suppress(WorkerLostError, ValueError, KeyError), self.file.fresh() as (worker, _):
            cells: dict[object, Cell] = {to_action(each): each for each in Board().actions()}
            own: dict[Board, Sequence[Cell]] = {}
            for board, receive in zip(boards, worker.answers("actions", boards), strict=True):
                (call,) = receive(self.file.limits.call).said.calls
                tried = [cells[each] for each in call.items]
                if sorted(tried) == list(board.actions()):
                    own[board] = tried
            orders.append(own)
        return orders

    def _try_changes(
        self, right: Sequence[Board], wrong: Sequence[Board], judged: Sequence[Board]
    ) -> Hint | None:
        """The only change of the code with which the function is right where it was judged.

        Of several in one line it is the smallest; if others cure it, too, none is the cause.
        """
        faults = {kind for kind, _ in self.report.findings if kind.is_fault}
        is_inconsistent = faults == {FindingKind.INCONSISTENT}
        few = [
            *self._boards_with_mistakes(),
            *_spread(wrong, _MAX_TRIED),
            *_spread(right, _MAX_TRIED),
        ]
        cures: list[Change] = []
        seconds: list[float] = []
        tried = changes(self.file.source, self.report.name, FUNCTION_NAMES)
        for change in islice(tried, _MAX_CHANGES):
            if is_inconsistent and change.hint.cause not in _SEEN_AFTER_CALLS:
                continue
            if is_inconsistent or self._is_right_on(few, (), change.source, seconds):
                cures.append(change)
            if sum(seconds) > _MAX_TRIAL_SECONDS:
                return None
        order = (Cause.FOR_BOTH, *(cause for cause in Cause if cause not in _REMOVES), *_REMOVES)
        cures.sort(key=lambda change: (order.index(change.hint.cause), len(change.hint.now)))
        if is_inconsistent:  # it is wrong only on all boards, one after the other
            cures = [cure for cure in cures if self._is_right_on(judged, (), cure.source)]
        if len({cure.hint.line for cure in cures}) != 1:
            return None
        boards = [*judged, *_spread(boards_for(self.report.name), _MAX_UNJUDGED)]
        is_right = is_inconsistent or self._is_right_on(boards, (), cures[0].source)
        is_right = is_right and not self._is_wrong_on_large_boards(cures[0].source)
        return cures[0].hint if is_right else None

    def _is_wrong_on_large_boards(self, source: str) -> bool:
        """Whether a changed `minimax` is wrong where trees are large, as far as it is quick there.

        A rule such as `if len(actions(board)) < 6`, turned round, is only moved to these boards.
        Who plays by a rule is quick; who reads the tree does so as on smaller boards.
        """
        name = self.report.name
        if name != "minimax":
            return False
        boards = [board for board in boards_for(name) if may_be_slow(board)]
        calls = seconds = 0.0
        try:
            with self.file.fresh(source=source) as (worker, _):
                for board in boards:
                    (receive,) = worker.answers(name, [board])
                    answer = receive(self.file.limits.function)
                    findings = findings_on(name, board, answer, self.symbols)
                    if any(finding.kind.is_fault for finding in findings):
                        return True
                    calls, seconds = calls + answer.result_calls, seconds + answer.seconds
                    if calls > _MAX_LARGE_CALLS or seconds > _MAX_LARGE_SECONDS:
                        return False
        except WorkerLostError:
            return True
        return False

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
        self,
        boards: Sequence[Board],
        replaced: Sequence[str] = (),
        source: str | None = None,
        seconds: list[float] | None = None,
    ) -> bool:
        """Whether there is no mistake, in a fresh process, with other functions or other code.

        What the calls take is added to `seconds`; all together they have the time of a function.
        """
        name, limits = self.report.name, self.file.limits
        left = limits.function
        try:
            with self.file.fresh(replaced, source) as (worker, loaded):
                if loaded.error is not None:
                    return False
                expected = expected_answer(name, self.symbols)
                answers = worker.answers(name, boards, actions_for(name), expected)
                for board, receive in zip(boards, answers, strict=True):
                    is_slow = name == "minimax" and may_be_slow(board)
                    answer = receive(left if is_slow else min(left, limits.call))
                    left -= answer.seconds
                    if seconds is not None:
                        seconds.append(answer.seconds)
                    findings = findings_on(name, board, answer, self.symbols)
                    if any(finding.kind.is_fault for finding in findings):
                        return False
        except WorkerLostError:
            return False
        return True


def _spread(boards: Sequence[Board], count: int) -> Sequence[Board]:
    """So many boards of many, the first among them; none with a large tree if there are others."""
    small = [board for board in boards if not may_be_slow(board)] or boards
    return small[:: 1 + len(small) // count][:count]


def may_be_slow(board: Board) -> bool:
    return len(board.free_cells) >= _MIN_SLOW_FREE_CELLS

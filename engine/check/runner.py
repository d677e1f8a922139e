"""Judges a learner's file: each function on its boards, and `minimax` in games as well.

Nothing is said of a board or a game that does not hold in a fresh process.
"""

from __future__ import annotations

import time
import tokenize
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.board import Board, Mark
from engine.check.checks import (
    FUNCTION_NAMES,
    Symbols,
    actions_for,
    boards_for,
    effort,
    findings_on,
    move_of,
)
from engine.check.file import findings_of_file, is_usable, missing_finding, unwritten_functions
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.games import games_against
from engine.check.hypotheses import Cause, Hint, changes, missing_import, seen_on_boards
from engine.check.process import Answer, Loaded, Worker, WorkerLostError, is_own, running
from engine.check.report import FindingKey, FunctionReport, Judgement, Reason
from engine.lessons import size_of_tree
from engine.rules import Cell

_MIN_SLOW_FREE_CELLS = 7
"""With this many free cells or more, a correct plain minimax may be slow."""
_MIN_HANG_SECONDS = 1
"""A call that was given less time than this is not said to hang."""
_MAX_CONFIRMED = 12
"""Of how many kinds of findings on a function the board is shown."""
_MAX_REPLAYS = 3
_MAX_TRIAL_SECONDS = 20
_SAMPLE = 200
"""On how many boards, at least, a function must be right before a cause is believed."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How many seconds of `clock` a call may take, and all calls of one function together.

    Once a function is known to be wrong, its checks end after `wrong_function` seconds: further
    boards would only raise the counts. Boards with more than `free_cells` are left out, and with
    them the games, which begin on the empty board.
    """

    call: float = 10
    function: float = 60
    wrong_function: float = 5
    clock: Callable[[], float] = time.monotonic
    free_cells: int = 9


Progress = Callable[[str, float, float], None]
"""A callback: a function's name, how much of its work is done (0 to 1), and for how many seconds.

It is also called while a board takes long.
"""


class _OutOfTimeError(Exception):
    """A function has had its time."""


def check_file(
    path: Path,
    limits: TimeLimits,
    progress: Progress,
    *,
    only: Sequence[str] = FUNCTION_NAMES,
    own: bool = False,
) -> Iterator[FunctionReport]:
    """Check a file, or `only` some of its functions. The first report, named "", is on the file.

    With `own`, functions that are not the learner's own are wrong, and the engine is out of reach.
    """
    check = _Check(path, limits, progress, own)
    try:
        loaded = check.load()
    except WorkerLostError as lost:
        yield _file_report([Finding(lost.kind)])
        return
    findings = findings_of_file(path, loaded, own=own)
    file_report = _file_report(findings)
    if loaded.error_text.startswith("NameError"):
        change = missing_import(check.source(), loaded.error_text)
        if change and check.load(change.source).error_text != loaded.error_text:
            file_report.hint = change.hint
    yield file_report
    if not is_usable(findings):
        return
    symbols = Symbols(loaded.constants)
    stubs = unwritten_functions(path)
    reports: list[FunctionReport] = []
    for name in only:
        report = FunctionReport(name)
        if name not in loaded.functions:
            report.reason = Reason.MISSING
            report.add(missing_finding(name, loaded))
        else:
            report.is_own = is_own(path, loaded.functions[name])
            if name in stubs:
                report.reason = Reason.NOT_WRITTEN
            elif own and not report.is_own:
                report.add(Finding(FindingKind.NOT_OWN, got=name))
            else:
                _FunctionCheck(check, report, symbols, reports).run()
        reports.append(report)
        yield report


def _file_report(findings: Sequence[Finding]) -> FunctionReport:
    report = FunctionReport("")
    for finding in findings:
        report.add(finding)
    return report


@dataclass
class _Check:
    """The check of a file."""

    path: Path
    limits: TimeLimits
    progress: Progress
    own: bool

    def load(self, source: str | None = None) -> Loaded:
        with self.fresh(source=source) as (_, loaded):
            return loaded

    def source(self) -> str:
        with tokenize.open(self.path) as file:
            return file.read()

    @contextmanager
    def fresh(
        self, replaced: Sequence[str] = (), source: str | None = None
    ) -> Iterator[tuple[Worker, Loaded]]:
        """A fresh process that has imported the file, or other code in its place.

        Raises:
            WorkerLostError: The import hangs, or ends the process.
        """
        limits = self.limits
        path, own = self.path, self.own
        with running(path, limits.clock, own=own, replaced=replaced, source=source) as worker:
            loaded = worker.loaded(limits.clock() + max(limits.call, _MIN_HANG_SECONDS))
            yield worker, loaded


@dataclass
class _FunctionCheck:
    """The check of one function, whose findings are added to its report."""

    check: _Check
    report: FunctionReport
    symbols: Symbols
    before: Sequence[FunctionReport]
    """The reports on the functions that come before."""
    started: float = 0
    total_effort: int = 1
    effort_done: int = 0
    judged: set[Board] = field(default_factory=set)
    wrong_boards: list[Board] = field(default_factory=list)
    is_lost: bool = False
    """Whether a call hung or ended the process, so that no more are made."""

    def run(self) -> None:
        limits, report = self.check.limits, self.report
        self.started = limits.clock()
        boards = [
            board for board in boards_for(report.name) if len(board.free_cells) <= limits.free_cells
        ] or boards_for(report.name)
        report.boards_total = len(boards)
        self.total_effort = sum(effort(report.name, board) for board in boards)
        try:
            if report.name == "minimax":
                self._judge_minimax(boards)
            else:
                self._judge_boards(boards)
        except _OutOfTimeError:
            report.reason = Reason.NO_TIME
        except WorkerLostError as lost:
            report.add(Finding(lost.kind))
        if report.is_wrong:
            report.reason = None
            self._blame_others()
        self._confirm()
        if report.is_wrong:
            self._find_cause()
        elif _cuts_nothing_off(report, self.check.source()):
            report.hint = Hint(Cause.NO_CUT_OFF)

    def _judge_minimax(self, boards: Sequence[Board]) -> None:
        """Judge the boards and the games, those with the largest trees last."""
        self._judge_boards([board for board in boards if not _may_be_slow(board)])
        if self.check.limits.free_cells < len(Board().free_cells):
            return
        self._play_games(Mark.O, [(cell,) for cell in Board().actions()])
        self._judge_boards([board for board in boards[:-1] if board not in self.judged])
        self._play_games(Mark.X, [()])

    def _judge_boards(self, boards: Sequence[Board]) -> None:
        if self.is_lost or not boards:
            return
        name = self.report.name
        with self.check.fresh() as (worker, _):
            answers = worker.answers(name, boards, actions_for(name))
            for board, receive in zip(boards, answers, strict=True):
                answer = self._receive(receive, board)
                if answer is None:
                    return
                self._add_board(board, answer)

    def _receive(self, receive: Callable[..., Answer], board: Board) -> Answer | None:
        """The answer for a board; None if the process is lost, which is a finding.

        Raises:
            _OutOfTimeError: There is no time left for it.
        """
        limits, report = self.check.limits, self.report
        self._show_progress()
        seconds = limits.clock() - self.started
        limit = limits.wrong_function if report.is_wrong else limits.function
        if seconds > min(limit, limits.function):
            raise _OutOfTimeError
        is_slow = report.name == "minimax" and _may_be_slow(board)
        deadline = self.started + (limits.function if is_slow else seconds + limits.call)
        try:
            return receive(deadline, self._show_progress)
        except WorkerLostError as lost:
            is_short = is_slow or limits.call < _MIN_HANG_SECONDS
            if lost.kind is FindingKind.HANGS and is_short:
                raise _OutOfTimeError from None
            report.add(Finding(lost.kind, board))
            self.is_lost = True
            return None

    def _show_progress(self) -> None:
        seconds = self.check.limits.clock() - self.started
        self.check.progress(self.report.name, self.effort_done / self.total_effort, seconds)

    def _add_board(self, board: Board, answer: Answer) -> None:
        findings = findings_on(self.report.name, board, answer, self.symbols)
        self.report.add_board(findings)
        self.judged.add(board)
        if any(finding.kind.is_fault for finding in findings):
            self.wrong_boards.append(board)
        self.effort_done += effort(self.report.name, board)

    def _play_games(self, mark: Mark, starts: Sequence[tuple[Cell, ...]]) -> None:
        """Play all games that begin so, with a fresh process for each start; add what is lost."""
        lost: list[tuple[Cell, ...]] = []
        try:
            for moves in starts:
                if self.is_lost:
                    return
                with self.check.fresh() as (worker, _):
                    choose = self._chooser(worker)
                    for game in games_against(choose, mark, Board.after(moves), moves):
                        self.report.games += 1
                        if Board.after(game).winner is mark.other:
                            lost.append(game)
        finally:
            self._add_lost_game(mark, sorted(lost, key=len))

    def _chooser(self, worker: Worker) -> Callable[[Board], Cell | None]:
        """A function that asks the worker for a move, once for each board."""
        moves: dict[Board, Cell | None] = {}

        def choose(board: Board) -> Cell | None:
            if board not in moves:
                moves[board] = None
                (receive,) = worker.answers("minimax", [board])
                answer = None if self.is_lost else self._receive(receive, board)
                if answer is not None:
                    moves[board] = self._move_in_game(board, answer)
            return moves[board]

        return choose

    def _move_in_game(self, board: Board, answer: Answer) -> Cell | None:
        if board == Board():
            self.report.cold_calls = answer.result_calls
        if board not in self.judged:
            self._add_board(board, answer)
        elif board not in self.wrong_boards:  # it may answer otherwise than it did
            for finding in findings_on("minimax", board, answer, self.symbols):
                if finding.kind.is_fault:
                    self.report.add(finding)
        try:
            return move_of(board, answer, self.symbols)
        except FindingError:
            return None

    def _add_lost_game(self, mark: Mark, games: Sequence[tuple[Cell, ...]]) -> None:
        """Add the shortest lost game that a fresh process loses again."""
        for game in games[:_MAX_REPLAYS]:
            if self._replay(mark, game):
                finding = Finding(
                    FindingKind.LOSES_GAME, Board.after(game), family=mark.value, line=game
                )
                self.report.add(finding, len(games))
                return
        if games:
            self.report.add(Finding(FindingKind.INCONSISTENT), len(games))

    def _replay(self, mark: Mark, game: tuple[Cell, ...]) -> bool:
        """Whether a fresh process plays a game again, as it did."""
        boards = [Board.after(game[:ply]) for ply in range(len(game))]
        asked = [board for board in boards if board.to_move is mark]
        deadline = self.check.limits.clock() + self.check.limits.function
        try:
            with self.check.fresh() as (worker, _):
                for board, receive in zip(asked, worker.answers("minimax", asked), strict=True):
                    if move_of(board, receive(deadline), self.symbols) != game[board.plies]:
                        return False
        except (WorkerLostError, FindingError):
            return False
        return True

    def _confirm(self) -> None:
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
        name, limits = self.report.name, self.check.limits
        board = finding.board or Board()
        is_slow = name == "minimax" and _may_be_slow(board)
        try:
            with self.check.fresh(source=source) as (worker, _):
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

    def _blame_others(self) -> None:
        """Find out whether there are no mistakes with right functions in the place of others."""
        report = self.report
        may_spoil = {Judgement.WRONG, Judgement.NOT_JUDGED}
        suspects = [other.name for other in self.before if other.judgement in may_spoil]
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

    def _find_cause(self) -> None:
        """Find what makes the function wrong, and give it as the hint."""
        report = self.report
        findings = [finding for finding, _ in report.findings.values() if finding.kind.is_fault]
        source = self.check.source()
        for finding in findings:
            change = missing_import(source, finding.got)
            key = finding.kind, finding.family
            if change and not self._found_again(finding, key, source=change.source):
                report.hint = change.hint
                return
        right = self.judged.difference(self.wrong_boards)
        seen = seen_on_boards(report.name, findings, self.wrong_boards, right)
        if seen is None or seen.cause is Cause.LOST:
            is_vague = {finding.kind for finding in findings} == {FindingKind.INCONSISTENT}
            seen = self._try_changes(source, {Cause.MEMORY} if is_vague else set(Cause)) or seen
        report.hint = seen

    def _try_changes(self, source: str, causes: Collection[Cause]) -> Hint | None:
        """The first change of the code with which the function is right, or right for a player."""
        clock, name = self.check.limits.clock, self.report.name
        boards = self._boards_with_mistakes()
        small = [board for board in boards_for(name) if not _may_be_slow(board)]
        sample = small[:: max(1, len(small) // _SAMPLE)]
        movers = {board.to_move for board in boards}
        deadline = clock() + _MAX_TRIAL_SECONDS
        for_a_player = None
        for change in changes(source):
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
        name, limits = self.report.name, self.check.limits
        try:
            with self.check.fresh(replaced, source) as (worker, loaded):
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


def _cuts_nothing_off(report: FunctionReport, source: str) -> bool:
    """Whether the code speaks of alpha and beta, and reads all of the tree."""
    names = {"alpha", "beta"}
    return report.cold_calls >= size_of_tree(Board()) - 1 and all(name in source for name in names)


def _may_be_slow(board: Board) -> bool:
    return len(board.free_cells) >= _MIN_SLOW_FREE_CELLS


@contextmanager
def learner_player(path: Path, limits: TimeLimits) -> Iterator[Callable[[Board], Cell]]:
    """A function that asks the file's `minimax` for a move on an unfinished board.

    Raises:
        FindingError: The file cannot be used, or its move is none.
    """
    with ExitStack() as stack:
        try:
            check = _Check(
                path, replace(limits, call=TimeLimits().call), lambda *_: None, own=False
            )
            worker, loaded = stack.enter_context(check.fresh())
        except WorkerLostError as lost:
            raise FindingError(Finding(lost.kind)) from None
        findings = findings_of_file(path, loaded, own=False)
        if "minimax" not in loaded.functions and is_usable(findings):
            findings.append(missing_finding("minimax", loaded))
        for finding in findings:
            if finding.kind.is_fault:
                raise FindingError(finding)
        symbols = Symbols(loaded.constants)

        def choose(board: Board) -> Cell:
            (receive,) = worker.answers("minimax", [board])
            try:
                answer = receive(limits.clock() + limits.call)
            except WorkerLostError as lost:
                raise FindingError(Finding(lost.kind, board)) from None
            return move_of(board, answer, symbols)

        yield choose

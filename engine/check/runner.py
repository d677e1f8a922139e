"""Judges a learner's file: each function on its boards, and `minimax` in games as well.

Nothing is said of a board or a game that does not hold in a fresh process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.board import Board, Mark
from engine.check.checks import (
    FUNCTION_NAMES,
    Symbols,
    actions_for,
    effort,
    expected_answer,
    findings_on,
    move_of,
)
from engine.check.expect import expect_cuts
from engine.check.file import (
    fault_of_player,
    findings_of_file,
    is_usable,
    missing_finding,
    unwritten_functions,
    without_play,
)
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.games import games_against
from engine.check.hypotheses import Cause, Hint, missing_import
from engine.check.learner import MIN_HANG_SECONDS, LearnerFile, TimeLimits
from engine.check.process import DOUBT_FACTOR, Answer, Answering, Loaded, WorkerLostError, is_own
from engine.check.report import FunctionReport, Judgement, UnjudgedReason
from engine.check.shapes import hint_of_shape
from engine.check.tree_search import report_on_trees
from engine.check.trials import Trials, may_be_slow
from engine.lessons import size_of_tree
from engine.rules import Cell

_MAX_REPLAYS = 3

Progress = Callable[[str, float, float], None]
"""A callback: a function's name, how much of its work is done (0 to 1), and for how many seconds.

It is also called while a board takes long.
"""


class _OutOfTimeError(Exception):
    """A function has had its time."""


class _InexactError(Exception):
    """The process is lost, on this board or on one of the next few."""


@dataclass
class _Seconds:
    """How many seconds boards, or games, may take, and how many they took."""

    limit: float
    used: float = 0


def check_file(  # noqa: PLR0913 - an argument for each option
    path: Path,
    limits: TimeLimits,
    progress: Progress,
    *,
    only: Sequence[str] = FUNCTION_NAMES,
    own: bool = False,
    expects_cuts: bool = False,
    finds_causes: bool = True,
    found: Callable[[str, Finding], None] = lambda *_: None,
) -> Iterator[FunctionReport]:
    """Check a file, or `only` some of its functions. The first report, named "", is on the file.

    With `own`, functions that are not the learner's own are wrong, and the engine is out of reach.
    With `expects_cuts`, so is a `minimax` that does not cut as alpha-beta does. The cause of a
    mistake is looked for after its report was given, when it is asked for, or else before the next
    if it `finds_causes`. A slow `minimax` that is wrong plays games for long: before that, `found`
    is called with the first mistake.
    """
    file = LearnerFile(path, limits, own)
    loaded = _loaded(file)
    findings = findings_of_file(path, loaded, own=own)
    file_report = _file_report(file, loaded, findings)
    yield file_report
    if file_report.reason is not None or not is_usable(findings):
        return
    symbols = Symbols(loaded.constants)
    stubs = unwritten_functions(path)
    reports: list[FunctionReport] = []
    for name in only:
        report = _report_uncalled(name, file, loaded, is_stub=name in stubs)
        if report.reason is None and not report.findings:
            _FunctionCheck(file, progress, report, symbols, reports, found).run()
            if name == "minimax":
                _judge_search(file, loaded, report, expects_cuts=expects_cuts)
        reports.append(report)
        yield report
        if finds_causes:
            _ = report.hint  # found before the next function is judged, at the latest


def _report_uncalled(
    name: str, file: LearnerFile, loaded: Loaded, *, is_stub: bool
) -> FunctionReport:
    """The report on a function before it is called; with a reason or a finding it need not be."""
    report = FunctionReport(name)
    if name not in loaded.functions:
        report.reason = UnjudgedReason.MISSING
        report.add(missing_finding(name, loaded))
        return report
    report.is_own = is_own(file.path, loaded.functions[name])
    if is_stub:
        report.reason = UnjudgedReason.NOT_WRITTEN
    elif file.own and not report.is_own:
        report.add(Finding(FindingKind.NOT_OWN, got=name))
    return report


def _judge_search(
    file: LearnerFile, loaded: Loaded, report: FunctionReport, *, expects_cuts: bool
) -> None:
    """Complete the report on a `minimax` by how it searches."""
    if not report.cold_calls and not is_own(file.path, loaded.functions.get("result")):
        report.cold_calls = None  # it searches without it, in a file of another shape
    if not (report.hangs or report.exits):
        report.on_trees = report_on_trees(file, is_wrong=report.is_wrong)
    if expects_cuts and not report.is_wrong:
        expect_cuts(file, report)


def check_function(
    file: LearnerFile, progress: Progress, report: FunctionReport, symbols: Symbols
) -> None:
    """Check a function, and complete the report on it."""
    _FunctionCheck(file, progress, report, symbols, []).run()


def _loaded(file: LearnerFile, source: str | None = None) -> Loaded:
    try:
        return file.load(source)
    except WorkerLostError as lost:
        return Loaded({}, {}, (), "", lost.kind)


def _file_report(file: LearnerFile, loaded: Loaded, findings: Sequence[Finding]) -> FunctionReport:
    """The report on a file, with what would help, tried, if it can't be used."""
    report = FunctionReport("")
    shape = hint_of_shape(file, loaded)
    if shape is not None:
        report.reason, report.hint = UnjudgedReason.OTHER_SHAPE, shape
        findings = [each for each in findings if each.kind is not FindingKind.NOTHING_DEFINED]
    for finding in findings:
        report.add(finding)
    if loaded.error is None or {finding.kind for finding in findings} != {loaded.error}:
        return report
    text = loaded.error_text
    if _is_typed_off(text, file.source):
        report.hint = Hint(Cause.TYPED_OFF)
    elif (change := missing_import(file.source, text)) or (change := without_play(file, loaded)):
        again = _loaded(file, change.source)
        if again.error is None or (again.error is FindingKind.RAISES and again.error_text != text):
            report.hint = change.hint
    return report


def _is_typed_off(text: str, source: str) -> bool:
    """Whether an error is what a line gets that is cut off, or has a digit for a letter."""
    if text.startswith("SyntaxError: invalid decimal literal"):  # `2player` gets it, too
        return re.search(r"\b0[A-Z]", source) is not None
    return bool(
        re.match(r"SyntaxError: (cannot assign to literal|'literal' is|expected ':')", text)
    )


@dataclass
class _FunctionCheck:
    """The check of one function, whose findings are added to its report."""

    file: LearnerFile
    progress: Progress
    report: FunctionReport
    symbols: Symbols
    before: Sequence[FunctionReport]
    """The reports on the functions that come before."""
    found: Callable[[str, Finding], None] = lambda *_: None
    total_effort: int = 1
    effort_done: int = 0
    judged: dict[Board, bool] = field(default_factory=dict)
    """Whether it was right on each board that it was asked about."""
    answers: dict[Board, Answer] = field(default_factory=dict)
    is_lost: bool = False
    """Whether a call hung or ended the process, so that no more are made."""

    def __post_init__(self) -> None:
        limits = self.file.limits
        self.board_seconds = _Seconds(limits.function)
        self.game_seconds = _Seconds(limits.games)

    def run(self) -> None:
        limits, report = self.file.limits, self.report
        boards = self.file.boards_for(report.name)
        boards = [each for each in boards if len(each.free_cells) <= limits.free_cells] or boards
        report.boards_total = len(boards)
        self.total_effort = sum(effort(report.name, board) for board in boards)
        try:
            if report.name == "minimax":
                self._judge_minimax(boards)
            else:
                self._judge_boards(boards)
        except WorkerLostError as lost:
            report.add(Finding(lost.kind, got=lost.text))
        trials = Trials(self.file, report, self.symbols)
        if report.is_wrong:
            trials.blame_others(self.before, list(self.judged))
        trials.confirm()
        if report.is_wrong:
            trials.find_cause(self.judged, self.answers)
        elif _cuts_nothing_off(report, self.file.source):
            report.hint = Hint(Cause.NO_CUT_OFF)

    def _judge_minimax(self, boards: Sequence[Board]) -> None:
        """Judge the boards and the games, those with the largest trees last."""
        self._judge_boards([board for board in boards if not may_be_slow(board)])
        if self.file.limits.free_cells < len(Board().free_cells):
            return
        if self._is_enough():
            self._say_first_fault()
        self._play_games(Mark.O, [(cell,) for cell in Board().actions()])
        self._judge_boards([board for board in boards[:-1] if board not in self.judged])
        self._play_games(Mark.X, [()])

    def _say_first_fault(self) -> None:
        """Say what is wrong before what takes long, if it is this function that makes it so."""
        before = {report.judgement for report in self.before}
        first, _ = self.report.faults_first[0]
        if before <= {Judgement.RIGHT} and Trials(self.file, self.report, self.symbols).holds(
            first
        ):
            self.found(self.report.name, first)

    def _judge_boards(self, boards: Sequence[Board]) -> None:
        if self.is_lost or not boards or self._is_enough():
            return
        with suppress(_OutOfTimeError):
            try:
                self._ask(boards)
            except _InexactError:
                self._ask(boards, one_by_one=True)

    def _ask(self, boards: Sequence[Board], *, one_by_one: bool = False) -> None:
        """Judge these boards, in a fresh process, until it is enough.

        Raises:
            _OutOfTimeError: There is no time left.
            _InexactError: The process is lost; they have to be asked about `one_by_one`.
        """
        name, free_cells = self.report.name, len(boards[0].free_cells)
        expected = expected_answer(name, self.symbols)
        with self.file.fresh() as (worker, _):
            answers = worker.answers(
                name, boards, actions_for(name), expected, one_by_one=one_by_one
            )
            for board, receive in zip(boards, answers, strict=True):
                if len(board.free_cells) != free_cells and self._is_enough():
                    return
                free_cells = len(board.free_cells)
                answer = self._receive(receive, board, self.board_seconds)
                if answer is None:
                    return
                if board not in self.judged:
                    self._add_board(board, answer)

    def _is_enough(self) -> bool:
        """Whether a wrong function has had its time, so that further boards are left out.

        Only where the number of free cells changes, so that it is said of the same boards each
        time. Who comes near the limit may keep it another time, so that this is said.
        """
        if not self.report.is_wrong:
            return False
        used = (self.board_seconds.used + self.game_seconds.used) / self.file.limits.wrong_function
        if 1 / DOUBT_FACTOR < used < DOUBT_FACTOR:
            self.report.reason = UnjudgedReason.NO_TIME
        return used > 1 / DOUBT_FACTOR

    def _receive(
        self, receive: Callable[..., Answer], board: Board, seconds: _Seconds
    ) -> Answer | None:
        """The answer for a board; None if the process is lost, which is a finding.

        Raises:
            _OutOfTimeError: There is no time left for it.
            _InexactError: The process is lost, but perhaps on a later board.
        """
        limits, report = self.file.limits, self.report
        self._show_progress()
        left = seconds.limit - seconds.used
        is_slow = report.name == "minimax" and may_be_slow(board)
        limit = left if is_slow else limits.call
        try:
            answer = receive(limit, self._show_progress)
        except WorkerLostError as lost:
            if not lost.is_exact:
                raise _InexactError from None
            is_short = lost.is_doubtful or limits.call < MIN_HANG_SECONDS
            if lost.kind is FindingKind.HANGS and (is_short or is_slow):
                report.reason = UnjudgedReason.NO_TIME
                raise _OutOfTimeError from None
            report.add(Finding(lost.kind, board, lost.text))
            self.is_lost = True
            return None
        seconds.used += answer.seconds
        if seconds.used > seconds.limit:
            report.reason = UnjudgedReason.NO_TIME
            raise _OutOfTimeError
        return answer

    def _show_progress(self) -> None:
        seconds = self.board_seconds.used + self.game_seconds.used
        self.progress(self.report.name, self.effort_done / self.total_effort, seconds)

    def _add_board(self, board: Board, answer: Answer) -> None:
        findings = findings_on(self.report.name, board, answer, self.symbols)
        self.report.add_board(findings)
        self.judged[board] = not any(finding.kind.is_fault for finding in findings)
        self.answers[board] = answer
        self.effort_done += effort(self.report.name, board)

    def _play_games(self, mark: Mark, starts: Sequence[tuple[Cell, ...]]) -> None:
        """Play all games that begin so, with a fresh process for each start; add what is lost."""
        lost: list[tuple[Cell, ...]] = []
        with suppress(_OutOfTimeError):
            for moves in starts:
                if self.is_lost or ((lost or self._has_lost_game()) and self._is_enough()):
                    break
                with self.file.fresh() as (worker, _):
                    choose = self._chooser(worker)
                    for game in games_against(choose, mark, Board.after(moves), moves):
                        self.report.games += 1
                        if Board.after(game).winner is mark.other:
                            lost.append(game)
        self._add_lost_game(mark, sorted(lost, key=len))

    def _has_lost_game(self) -> bool:
        return any(kind is FindingKind.LOSES_GAME for kind, _ in self.report.findings)

    def _chooser(self, worker: Answering) -> Callable[[Board], Cell | None]:
        """A function that asks the worker for a move, once for each board."""
        moves: dict[Board, Cell | None] = {}

        def choose(board: Board) -> Cell | None:
            if board not in moves:
                moves[board] = None
                (receive,) = worker.answers("minimax", [board])
                answer = None if self.is_lost else self._receive(receive, board, self.game_seconds)
                if answer is not None:
                    moves[board] = self._move_in_game(board, answer)
            return moves[board]

        return choose

    def _move_in_game(self, board: Board, answer: Answer) -> Cell | None:
        if board == Board():
            self.report.cold_calls = answer.result_calls
        if board not in self.judged:
            self._add_board(board, answer)
        elif self.judged[board]:  # it may answer otherwise than it did
            for finding in findings_on("minimax", board, answer, self.symbols):
                if finding.kind.is_fault:
                    self.report.add(finding)
        try:
            return move_of(board, answer.said, self.symbols)
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
        try:
            with self.file.fresh() as (worker, _):
                for board, receive in zip(asked, worker.answers("minimax", asked), strict=True):
                    if (
                        move_of(board, receive(self.file.limits.function).said, self.symbols)
                        != game[board.plies]
                    ):
                        return False
        except (WorkerLostError, FindingError):
            return False
        return True


def _cuts_nothing_off(report: FunctionReport, source: str) -> bool:
    """Whether the code speaks of alpha and beta, and reads all of the tree."""
    if report.cold_calls is None or not all(name in source for name in ("alpha", "beta")):
        return False
    return report.cold_calls >= size_of_tree(Board()) - 1


@contextmanager
def learner_player(
    path: Path, limits: TimeLimits, *, own: bool = False
) -> Iterator[Callable[[Board], Cell]]:
    """A function that asks the file's `minimax` for a move on an unfinished board.

    With `own`, it has to be the learner's own, and the engine is out of reach.

    Raises:
        FindingError: The file cannot be used, or its move is none.
    """
    with ExitStack() as stack:
        try:
            file = LearnerFile(path, replace(limits, call=TimeLimits().call), own)
            worker, loaded = stack.enter_context(file.fresh())
        except WorkerLostError as lost:
            raise FindingError(Finding(lost.kind)) from None
        if fault := fault_of_player(path, loaded, own=own):
            raise FindingError(fault)
        symbols = Symbols(loaded.constants)

        def choose(board: Board) -> Cell:
            (receive,) = worker.answers("minimax", [board])
            try:
                answer = receive(limits.call)
            except WorkerLostError as lost:
                raise FindingError(Finding(lost.kind, board)) from None
            return move_of(board, answer.said, symbols)

        yield choose

"""What a learner's `minimax` does on one board, call by call: its own search, not ours."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.check.checks import Symbols, findings_on
from engine.check.file import fault_of_player
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.learner import LearnerFile
from engine.check.process import Answer, Worker, WorkerLostError, drawing_of, parse_answer
from engine.rules import Cell, bit_set

_SCRIPT = Path(__file__).with_name("steps_worker.py")


@dataclass(slots=True)
class Call:
    """A call of a function with a board, and the calls that it makes itself.

    `line` is where it is called, and `end` where it returns; None if that is in another file.
    `given` are its other arguments, such as `alpha=0`, and `returned` is what comes back, as text;
    None if it raises an exception, or has not ended. `tried` are the boards that it made or asked
    about.
    """

    name: str
    board: Board
    line: int | None
    given: Sequence[str]
    calls: list[Call] = field(default_factory=list)
    end: int | None = None
    returned: str | None = None
    is_number: bool = False
    tried: set[Board] = field(default_factory=set)

    def walk(self) -> Iterator[Call]:
        yield self
        for call in self.calls:
            yield from call.walk()

    @property
    def untried(self) -> list[Cell]:
        """The moves that it does not try, although it tries others."""
        moves = [] if self.board.is_terminal else self.board.free_cells
        untried = [cell for cell in moves if self.board.result_unchecked(cell) not in self.tried]
        return untried if len(untried) < len(moves) else []


@dataclass(frozen=True, slots=True)
class Followed:
    """What `minimax` does on a board: its call, None if that can't be followed, and its answer."""

    board: Board
    call: Call | None
    answer: object
    findings: Sequence[Finding]

    @property
    def is_right(self) -> bool:
        return not any(finding.kind.is_fault for finding in self.findings)


def follow(file: LearnerFile, board: Board) -> Followed:
    """Follow the file's `minimax` on a board that is not over.

    Raises:
        FindingError: The file can't be used, or it hangs or ends the process.
    """
    at = None
    try:
        with file.fresh() as (worker, loaded):
            if fault := fault_of_player(file.path, loaded, own=file.own):
                raise FindingError(fault)
            at = board
            assert isinstance(worker, Worker), "only a `Command` has another process"
            events = [*_events(worker, board, file.limits.call)]
            said = parse_answer(str(events.pop()["answer"]).encode(), 1)
    except WorkerLostError as lost:
        raise FindingError(Finding(lost.kind, at)) from None
    try:
        call = _nested(events)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        raise FindingError(Finding(FindingKind.EXITS, board)) from None  # as it has written itself
    if call is not None:
        call.calls = [*_kept(call, _recursive(call))]
    findings = findings_on("minimax", board, Answer(said), Symbols(loaded.constants))
    return Followed(board, call, said.calls[0].value, findings)


def _events(worker: Worker, board: Board, limit: float) -> Iterator[Any]:
    for receive in worker.run_script(_SCRIPT, board=drawing_of(board)):
        event = receive(limit)
        if not isinstance(event, dict):
            raise WorkerLostError(FindingKind.EXITS)  # the file has written this itself
        yield event
        if "answer" in event:
            return


def _nested(events: Sequence[Any]) -> Call | None:
    """The first call, with all others below it."""
    root, begun = None, list[Call]()
    for event in events:
        if "name" in event:
            name, given = str(event["name"]), tuple(map(str, event["given"]))
            call = Call(name, _board(event["board"]), _line(event), given)
            if begun:
                begun[-1].calls.append(call)
                begun[-1].tried.add(call.board)
            begun.append(call)
            root = root or call
        else:
            call = begun.pop()
            if "returns" in event:
                call.returned, call.end = str(event["returns"]), _line(event)
                call.is_number = bool(event["is_number"])
                call.tried.update(map(_board, event["tried"]))
    return root


def _line(event: Any) -> int | None:
    return None if event["line"] is None else int(event["line"])


def _board(letters: str) -> Board:
    """A board with these letters, even if play can't reach it: the program may be wrong."""
    masks = {mark: bit_set(i for i, each in enumerate(letters) if each == mark) for mark in "xo"}
    return Board(x=masks["x"], o=masks["o"])


def _recursive(call: Call) -> set[str]:
    """The names of the functions that call themselves, or one another."""
    below = {each.name for inner in call.calls for each in inner.walk()}
    names = {call.name} & below
    return names.union(*map(_recursive, call.calls))


def _kept(caller: Call, recursive: Collection[str]) -> Iterator[Call]:
    """The calls that ask what a board is worth: those of a search, or with another board.

    In the place of the others, which only help with a board, are those that they make.
    """
    for call in caller.calls:
        is_value = call.is_number or call.returned is None or call.name == "winner"
        is_other = is_value and call.board != caller.board
        inner = [*_kept(call, recursive)]
        if call.name in recursive or is_other:
            call.calls = inner
            yield call
        else:
            caller.tried |= call.tried
            yield from (each for each in inner if each.board != caller.board or each.calls)

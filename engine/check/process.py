"""The process that a learner's file runs in, seen from its parent: start, ask, kill.

What comes from there is data, and never trusted: what cannot be read is the end of the process.
This is no sandbox: the file is the learner's own and runs with the learner's permissions.
"""

from __future__ import annotations

import json
import marshal
import os
import py_compile
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from io import BufferedReader
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Protocol

from engine import tictactoe
from engine.board import Board
from engine.check.finding import Action, FindingKind

_POLL_SECONDS = 0.1
_MAX_START_SECONDS = 60
DOUBT_FACTOR = 4 / 3
"""Who needs up to a third more than a limit may keep it another time."""
_WALL_FACTOR = 4
"""How many times its limit of CPU time a call may last, beside others on a busy machine."""
_IDLE_FRACTION = 0.1
"""Of its limit: who used less CPU time than this waits for something, and for ever."""
_ENGINE = Path(tictactoe.__file__).parent
_MAX_ANSWER_BYTES = 100_000
_READ_BYTES = 65_536
_BOARDS_A_REQUEST = 50  # fits the buffer of a pipe, so that the parent never waits to write


class WorkerLostError(Exception):
    """The worker hangs or has ended, as `kind` says; if `is_doubtful`, it may just be slow.

    `text` is what it said at last. Unless `is_exact`, it may have answered more than has come.
    """

    def __init__(
        self,
        kind: FindingKind,
        text: str = "",
        *,
        is_doubtful: bool = False,
        is_exact: bool = True,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.text = text
        self.is_doubtful = is_doubtful
        self.is_exact = is_exact


@dataclass(frozen=True, slots=True)
class Other:
    """A value that is no plain data: its repr, and which of X, O and EMPTY it is, if any."""

    text: str = field(compare=False)
    constant: str = ""

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file defines: the values of its constants, its functions with the file of their code
    (None if it is not in Python), and its other names. Or the error that its import raises.
    """

    constants: Mapping[str, object]
    functions: Mapping[str, str | None]
    others: Sequence[str]
    printed: str
    error: FindingKind | None = None
    error_text: str = ""


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call returned, or the error it raised; and its board, if the call touched it.

    `items` is what is in a set, in the order in which a loop finds it.
    """

    value: object = None
    items: tuple[object, ...] = ()
    shares_rows: bool = False
    error: FindingKind | None = None
    error_text: str = ""
    board: object = None


@dataclass(frozen=True, slots=True)
class Said:
    """What the calls for one board returned, and what was printed.

    `trace` has the boards, such as `xo.......`, and the actions that `minimax` called `result`
    with, if asked for.
    """

    calls: tuple[CallResult, ...]
    printed: str
    trace: tuple[tuple[str, Action], ...] = ()


AS_EXPECTED = Said((), "")
"""In place of what is, letter for letter, what would be right: it isn't read any further."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said of one board; `seconds` is the CPU time that it took.

    `result_calls` is how often `minimax` called `result`.
    """

    said: Said
    result_calls: int = 0
    seconds: float = 0


@lru_cache(maxsize=8_192)
def drawing_of(board: Board) -> str:
    """A board such as `xo.......`."""
    return str(board).replace(" ", "")


class Answering(Protocol):
    """A process that can be asked about boards."""

    def answers(  # noqa: PLR0913 - what a request can ask for
        self,
        name: str,
        boards: Sequence[Board],
        actions: Sequence[Action] | None = None,
        expected: Callable[[Board], bytes] = ...,
        *,
        traced: bool = False,
        one_by_one: bool = False,
    ) -> Iterator[Callable[..., Answer]]:
        """For each board in turn a function that waits for its answer.

        It is given the most seconds that this may take, and what to call while it waits. It raises
        a WorkerLostError if there is no answer.
        """


class Worker:
    """A process that has imported a file.

    Its seconds are of CPU time, which is the same beside busy neighbours. It says them with each
    answer and, while it works on one, several times a second.
    """

    def __init__(self, process: subprocess.Popen[bytes], clock: Callable[[float], float]) -> None:
        self._process = process
        self._clock = clock
        self._cpu_seconds = 0.0
        self._is_one_by_one = True
        self._is_flushed = False
        self.seconds = clock(0)
        self._lines: deque[bytes] = deque()
        self._read_lines: SimpleQueue[Sequence[bytes]] = SimpleQueue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, request: Any) -> None:
        assert self._process.stdin is not None, "it is a pipe"
        with suppress(OSError):  # then it has ended, as `receive` says
            self._process.stdin.write(marshal.dumps(request))
            self._process.stdin.flush()

    def receive(
        self, limit: float, while_waiting: Callable[[], None] = lambda: None
    ) -> tuple[bytes, float]:
        """The next answer of the worker, and how many seconds it took.

        Raises:
            WorkerLostError: It takes more seconds than the limit, or has ended.
        """
        before = self.seconds
        if not self._lines:
            self._wait(limit, while_waiting)
        cpu_seconds, _, answer = self._lines.popleft().partition(b" ")
        if not answer:
            raise WorkerLostError(FindingKind.EXITS, is_exact=self._is_one_by_one)
        self.seconds = self._clock(_parsed(cpu_seconds, float))
        if self.seconds - before > limit:
            raise WorkerLostError(FindingKind.HANGS, is_doubtful=True)
        return answer, self.seconds - before

    def _wait(self, limit: float, while_waiting: Callable[[], None]) -> None:
        """Wait for lines to come, the last of which is empty if the worker has ended."""
        started = time.monotonic()
        while not self._lines:
            try:
                self._lines.extend(self._read_lines.get(timeout=_POLL_SECONDS))
            except Empty:
                used = self._clock(self._cpu_seconds) - self.seconds
                is_slow = time.monotonic() - started > limit * _WALL_FACTOR
                if is_slow or used > limit * DOUBT_FACTOR:
                    raise WorkerLostError(
                        FindingKind.HANGS,
                        is_doubtful=limit * _IDLE_FRACTION < used <= limit * DOUBT_FACTOR,
                        is_exact=self._is_one_by_one or self._is_flushed,
                    ) from None
                while_waiting()

    def answers(  # noqa: PLR0913 - what a request can ask for
        self,
        name: str,
        boards: Sequence[Board],
        actions: Sequence[Action] | None = None,
        expected: Callable[[Board], bytes] = lambda _: b"",
        *,
        traced: bool = False,
        one_by_one: bool = False,
    ) -> Iterator[Callable[..., Answer]]:
        """For each board in turn a function that waits for its answer, as `receive` does.

        If it is what `expected` says, it is not read: then `AS_EXPECTED` is said. If the answers
        come `one_by_one`, which takes longer, it is known on which board a worker was lost.
        """
        calls = 1 if actions is None else len(actions)
        for start in range(0, len(boards), _BOARDS_A_REQUEST):
            part = boards[start : start + _BOARDS_A_REQUEST]
            self.send(
                {
                    "name": name,
                    "boards": [drawing_of(board) for board in part],
                    "actions": actions,
                    "traced": traced,
                    "at_once": one_by_one,
                }
            )
            self._is_one_by_one = one_by_one or len(part) == 1
            for board in part:
                yield partial(self._answer, calls, expected(board))

    def run_script(self, script: Path, **request: Any) -> Iterator[Callable[..., Any]]:
        """Let a script of ours work on the file; for each of its answers a function to wait for it.

        There are as many as the caller goes on to ask for.
        """
        self.send({"script": str(script), "boards": [], "at_once": True, **request})
        self._is_one_by_one = True
        while True:
            yield lambda limit: _parsed(self.receive(limit)[0], json.loads)

    def _answer(self, calls: int, expected: bytes, *limits: Any) -> Answer:
        line, seconds = self.receive(*limits)
        count, _, answer = line.partition(b" ")
        said = AS_EXPECTED if answer == expected else parse_answer(answer, calls)
        return Answer(said, _parsed(count, int), seconds)

    def loaded(self, limit: float) -> Loaded:
        """What the file defines, if its import ends in time; the process may start slowly."""
        self.receive(_MAX_START_SECONDS)
        line, _ = self.receive(limit)
        loaded: Loaded = _parsed(line.partition(b" ")[2], lambda text: _loaded(json.loads(text)))
        return loaded

    def _read(self) -> None:
        assert isinstance(self._process.stdout, BufferedReader), "it is a pipe"
        rest = b""
        while len(rest) < _MAX_ANSWER_BYTES and (data := self._process.stdout.read1(_READ_BYTES)):
            *lines, rest = (rest + data).split(b"\n")
            answers = [line for line in lines if b" " in line]
            if answers:
                self._read_lines.put(answers)
            if lines:
                self._is_flushed = b" " not in lines[-1]
                with suppress(ValueError):  # how long it has worked, until now
                    self._cpu_seconds = float(lines[-1].partition(b" ")[0])
        self._read_lines.put([b""])

    def end(self) -> None:
        end(self._process, self._reader)


def end(process: subprocess.Popen[bytes], reader: Thread) -> None:
    """Kill a process and its children, whose group it leads; `reader` reads what it writes."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    reader.join(timeout=1)
    for stream in (process.stdin, process.stdout):
        if stream is not None and not reader.is_alive():
            with suppress(OSError):  # it may have ended before it read
                stream.close()


@cache
def _script() -> str:
    """The script of the process, compiled for all the times that it is started."""
    script = str(Path(__file__).with_name("worker.py"))
    try:
        return py_compile.compile(script) or script
    except OSError:  # it can't be written
        return script


@contextmanager
def running(
    path: Path,
    clock: Callable[[float], float],
    *,
    own: bool,
    replaced: Sequence[str],
    source: str | None,
) -> Iterator[Worker]:
    """A fresh process that imports a file; with `own`, where it finds no engine.

    Right functions take the place of those `replaced`, and a `source` that of the file's code.
    """
    process = subprocess.Popen(  # noqa: S603 - it runs what the learner asked to have judged
        [sys.executable, _script()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={
            name: value for name, value in os.environ.items() if not (own and name == "PYTHONPATH")
        },
        cwd=path.absolute().parent,  # not ours, where a relative path would find the engine
        start_new_session=True,  # an interrupt in the terminal is for the parent
    )
    worker = Worker(process, clock)
    right = Path(tictactoe.__file__).read_text("utf-8") if replaced else ""
    try:
        worker.send(
            {
                "path": str(path.absolute()),
                "engine": None if own else str(_ENGINE.parent),
                "replaced": replaced,
                "right": right,
                "source": source,
            }
        )
        yield worker
    finally:
        worker.end()


def is_own(path: Path, source: str | None) -> bool:
    """Whether code from a source file is the learner's own: in a file beside it, and not ours."""
    if source is None:
        return False
    parents = Path(source).resolve().parents
    is_installed = any(folder.name == "site-packages" for folder in parents)
    is_near = path.resolve().parent in parents and Path(source).is_file()
    return is_near and _ENGINE not in parents and not is_installed


def _parsed(data: bytes, parse: Callable[[bytes], Any]) -> Any:
    try:
        return parse(data)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise WorkerLostError(FindingKind.EXITS) from None  # the file has written this itself


def _loaded(data: Any) -> Loaded:
    if "error" in data:
        error = FindingKind[data["error"]]
        return Loaded({}, {}, (), str(data["printed"]), error, str(data["text"]))
    constants = {str(name): _value(value) for name, value in data["constants"].items()}
    return Loaded(constants, dict(data["functions"]), list(data["others"]), str(data["printed"]))


@lru_cache(maxsize=1_024)
def parse_answer(text: bytes, calls: int) -> Said:
    """The answer with this number of calls.

    Raises:
        WorkerLostError: It is anything else.
    """
    said: Said = _parsed(text, partial(_said, calls=calls))
    return said


def _said(text: bytes, calls: int) -> Said:
    data = json.loads(text)
    answered = tuple(map(_call_result, data["calls"]))
    if len(answered) != calls:
        raise ValueError(data)
    trace = tuple((str(board), (int(i), int(j))) for board, (i, j) in data.get("trace", ()))
    return Said(answered, str(data["printed"]), trace)


def _call_result(data: Any) -> CallResult:
    board = _value(data["board"]) if "board" in data else None
    if "error" in data:
        error = FindingKind[data["error"]]
        return CallResult(error=error, error_text=str(data.get("text", "")), board=board)
    value = data["value"]
    items = map(_value, value.get("set", ())) if isinstance(value, dict) else ()
    return CallResult(_value(value), tuple(items), bool(data.get("shares_rows")), board=board)


def _value(data: Any) -> object:
    """The value that `worker.to_data` wrote."""
    if not isinstance(data, dict):
        return data
    if "repr" in data:
        return Other(str(data["repr"]), str(data["constant"]))
    ((name, items),) = data.items()
    values = [_value(item) if isinstance(item, dict) else item for item in items]
    return {"list": list, "tuple": tuple, "set": set}[name](values)

"""The process that a learner's file runs in: it imports the file and answers calls with plain data.

A script of its own, which imports nothing of the engine: nothing that could judge the file, or
answer in its place, is in its process. Requests and answers are JSON, a line each.

A process is started for each way to mend a mistake that the judge tries, so it imports no more than
it needs: `inspect`, `pathlib` and `typing` would take as long as all the rest.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import sys
import time
import warnings
from contextlib import contextmanager, suppress
from functools import partial
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import chain
from reprlib import Repr
from threading import Lock, Thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import ModuleType
    from typing import Any, TypeAlias

_HEARTBEAT_SECONDS = 0.2
_MAX_FORKS = 16
_MAX_WRAPPERS = 100
_MAX_CHARACTERS = 200  # of what is sent as text
_MAX_PRINTED = 40
_MAX_ITEMS = 20
_MAX_DEPTH = 3  # of lists in lists
_MAX_INT = 2**63
_MAX_TRACED = 1000
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_REPR = Repr()
_REPR.maxother = 80
_REPR.maxset = _REPR.maxlist = 9  # a board has nine cells

_COLLECTIONS: dict[Any, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "set"}

Data: TypeAlias = "Any"
"""What JSON can write: see `to_data`."""
Constants: TypeAlias = "Mapping[str, object]"
"""The learner's X, O and EMPTY."""


def main() -> None:
    """Answer the parent's requests until it goes: the file first, then calls of its functions."""
    process_id = os.getpid()
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    output, lock = _capture_output(), Lock()
    _limit_forks()

    def send(answer: Data) -> None:
        if os.getpid() != process_id:  # this is a child that the file has forked
            os._exit(0)
        with lock:
            seconds = time.process_time()
            line = seconds if answer is None else answer | {"cpu_seconds": seconds}
            print(json.dumps(line), file=answers, flush=True)

    def beat() -> None:
        with suppress(OSError):  # the parent process has gone
            while True:
                time.sleep(_HEARTBEAT_SECONDS)
                send(None)

    Thread(target=beat, daemon=True).start()
    try:
        send({})  # ready: what takes long from now on is the file
        module, loaded = load(json.loads(requests.readline()))
        send(loaded | {"printed": output.take()})
        for line in requests:
            request = json.loads(line)
            for answer in run_script(module, request):
                send(answer)
            for board in request.get("boards", ()):
                traced = request.get("traced", False)
                answer = call(module, request["name"], board, request["actions"], traced=traced)
                send(answer | {"printed": output.take()})
    except OSError:
        pass  # the parent process has gone
    finally:
        os._exit(0)  # even if the file has left threads running


def run_script(module: ModuleType, request: Data) -> Iterator[Data]:
    """The answers of one of our scripts, which works on the learner's module, if one is named."""
    if "script" in request:
        loader = SourceFileLoader("script", request["script"])
        spec = spec_from_loader(loader.name, loader)
        assert spec is not None
        script: Any = module_from_spec(spec)
        loader.exec_module(script)
        yield from script.run(module, request, sys.modules[__name__])


def load(request: Data) -> tuple[ModuleType, Data]:
    """Import the file; what it defines, or the error that it raises."""
    path = request["path"]
    sys.path[0] = os.path.dirname(path)  # in place of this script's own folder
    if request["engine"] is None:
        sys.modules["engine"] = None  # type: ignore[assignment] # an import of it is an error
        sys.path[1:] = [entry for entry in sys.path[1:] if not _has_engine(entry)]
    else:
        sys.path.append(request["engine"])
    sys.argv = [path]
    sys.dont_write_bytecode = True
    random.seed(0)  # the same file gets the same report
    warnings.simplefilter("ignore")  # what they say is not printed by the file
    loader = SourceFileLoader(os.path.splitext(os.path.basename(path))[0], path)
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[loader.name] = module
    try:
        if request["source"] is None:
            loader.exec_module(module)
        else:
            exec(compile(request["source"], path, "exec"), vars(module))  # noqa: S102 - as above
    except BaseException as error:  # noqa: BLE001 - SystemExit too: it may do anything
        return module, _error(error, path)
    constants = constants_of(module)
    _replace(module, request["replaced"], request["right"], constants)
    return module, {
        "constants": {name: to_data(value, constants) for name, value in constants.items()},
        "functions": {
            name: _source(value)
            for name, value in vars(module).items()
            if callable(value) and not name.startswith("__")
        },
        "others": [name for name, value in vars(module).items() if not callable(value)],
    }


def _has_engine(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, "engine", "tictactoe.py"))


def constants_of(module: Any) -> Constants:
    defaults = {"X": "X", "O": "O", "EMPTY": None}
    return {name: getattr(module, name, default) for name, default in defaults.items()}


def _replace(module: ModuleType, names: list[str], right: str, constants: Constants) -> None:
    """Put right functions in the place of the learner's."""
    functions: dict[str, Any] = {}
    if names:
        exec(right, functions)  # noqa: S102 - it is ours
        functions |= constants
    for name in names:
        setattr(module, name, functions[name])


def _source(function: Any) -> str | None:
    """The file of a function's code, below its decorators; None if it is not written in Python."""
    try:
        for _ in range(_MAX_WRAPPERS):
            function = getattr(function, "__wrapped__", function)
        while isinstance(function, partial):
            function = function.func
        code = getattr(function, "__code__", None) or type(function).__call__.__code__
        return str(code.co_filename)
    except BaseException:  # noqa: BLE001 - an object may do anything
        return None


def call(
    module: Any, name: str, drawing: str, actions: Sequence[Any] | None, *, traced: bool = False
) -> Data:
    """Call a function with a board such as `xo.......` or, for `result`, with each action.

    With `traced`, the answer has the boards and actions that `minimax` called `result` with.
    """
    constants = constants_of(module)
    marks = {"x": constants["X"], "o": constants["O"], ".": constants["EMPTY"]}
    cells = [marks[letter] for letter in drawing]
    calls = []
    trace: list[tuple[str, Any]] = []

    def record(board: Any, action: Any) -> None:
        letters = {mark: letter for letter, mark in marks.items()}
        drawn = "".join(letters[mark] for mark in chain.from_iterable(board))
        if len(trace) < _MAX_TRACED:
            trace.append((drawn, [int(number) for number in action]))

    counted = _counted(module if name == "minimax" else None, record if traced else None)
    with counted as counter:
        for action in [None] if actions is None else actions:
            rows = [cells[:3], cells[3:6], cells[6:]]
            board = [row.copy() for row in rows]
            arguments: tuple[Any, ...] = () if name == "initial_state" else (board,)
            if action is not None:
                arguments = board, tuple(action)
            try:
                value = getattr(module, name)(*arguments)
                answer = {"value": to_data(value, constants), "shares_rows": _shares_rows(value)}
            except BaseException as error:  # noqa: BLE001 - SystemExit too: it may do anything
                answer = _error(error, module.__file__)
            if not _is_same(board, rows):
                answer["board"] = to_data(board, constants)
            calls.append(answer)
    return {"calls": calls, "result_calls": counter[0], "trace": trace}


@contextmanager
def _counted(module: Any, record: Callable[..., None] | None = None) -> Iterator[list[int]]:
    """Count the calls of a module's `result`, those by the module itself included."""
    counter = [0]
    function = getattr(module, "result", None)
    if function is None:
        yield counter
        return

    def counted(*args: object, **kwargs: object) -> object:
        counter[0] += 1
        if record is not None:
            with suppress(Exception):  # called with something else than a board and an action
                record(*args, **kwargs)
        return function(*args, **kwargs)

    module.result = counted
    try:
        yield counter
    finally:
        module.result = function


def _is_same(board: list[list[object]], rows: list[list[object]]) -> bool:
    """Whether a board still holds the very same objects: they are not asked what they equal."""
    if [type(row) for row in board] != [list] * 3 or [len(row) for row in board] != [3] * 3:
        return False
    cells, others = chain.from_iterable(board), chain.from_iterable(rows)
    return all(cell is other for cell, other in zip(cells, others, strict=True))


def _shares_rows(value: object) -> bool:
    rows = list(value) if type(value) is list else []
    return len({id(row) for row in rows}) < len(rows)


def to_data(value: Any, constants: Constants, depth: int = 0) -> Data:
    """A value as JSON: plain data and collections as such, a constant by its name, or a repr.

    Subclasses of the built-in types are converted by the methods of these types.
    """
    kind = type(value)
    if kind.__module__ == "numpy" and hasattr(kind, "item") and not hasattr(kind, "sort"):
        return to_data(value.item(), constants, depth)  # a number, or a truth value
    data: Data = None
    if value is None or kind is bool:
        data = value
    elif issubclass(kind, int) and abs(int.__int__(value)) < _MAX_INT:
        data = int.__int__(value)
    elif issubclass(kind, float):
        data = float.__float__(value)
    elif issubclass(kind, str) and str.__len__(value) < _MAX_CHARACTERS:
        data = str.__str__(value)
    elif builtin := next(filter(partial(issubclass, kind), _COLLECTIONS), None):
        items: list[Any] = list(builtin.__iter__(value))
        if len(items) <= _MAX_ITEMS and depth < _MAX_DEPTH:
            data = {_COLLECTIONS[builtin]: [to_data(item, constants, depth + 1) for item in items]}
    if data is None and value is not None:
        names = [name for name, constant in constants.items() if value is constant]
        data = {"repr": short_repr(value), "constant": names[0] if names else ""}
    return data


def short_repr(value: object) -> str:
    try:
        return _ADDRESS.sub("", str.__str__(_REPR.repr(value)))[:_MAX_CHARACTERS]
    except BaseException:  # noqa: BLE001 - its own __repr__ may fail
        return f"<{type(value).__name__}>"


def _error(error: BaseException, path: str) -> Data:
    """An error: its kind, as `FindingKind` names it, and what it says, with the line number."""
    kind = "RAISES" if isinstance(error, Exception) else "EXITS"
    text = type(error).__name__
    with suppress(BaseException):  # its own __str__ may fail
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        text = f"{text}: {message}"[:_MAX_CHARACTERS] if message else text
    if isinstance(error, ModuleNotFoundError) and error.name:
        kind, text = "MISSING_IMPORT", error.name
    if isinstance(error, EOFError):
        kind = "READS_INPUT"
    line = _last_line_number(path, error)
    place = "" if line is None else f" ({os.path.basename(path)}:{line})"
    return {"error": kind, "text": text + place}


def _last_line_number(path: str, error: BaseException) -> int | None:
    """The last line number of a file in an error's traceback; None if the file is not in it.

    Of a recursion without an end it is the line that comes again and again.
    """
    if isinstance(error, SyntaxError) and error.filename == path and error.lineno:
        return error.lineno
    numbers, traced = [], error.__traceback__
    while traced is not None:
        if traced.tb_frame.f_code.co_filename == path:
            numbers.append(traced.tb_lineno)
        traced = traced.tb_next
    if isinstance(error, RecursionError):
        return max(numbers, key=numbers.count, default=None)
    return numbers[-1] if numbers else None


def _limit_forks() -> None:
    """Let the file fork a few times, and its children never, so that it cannot fill the machine."""
    if not hasattr(os, "fork"):
        return
    fork = os.fork
    forks_left = _MAX_FORKS

    def limited_fork() -> int:
        nonlocal forks_left
        if not forks_left:
            raise BlockingIOError("too many processes")
        forks_left -= 1
        child_id = fork()
        if child_id == 0:
            forks_left = 0
        return child_id

    os.fork = limited_fork


class _Output(io.TextIOBase):
    """A stream that keeps only the beginning of what is printed."""

    text = ""

    def write(self, text: str, /) -> int:
        self.text = self.text or text.strip()[:_MAX_PRINTED]
        return len(text)

    def take(self) -> str:
        """What was printed since it was last asked."""
        text, self.text = self.text, ""
        return text


def _capture_output() -> _Output:
    """Keep everything that the file prints off the terminal, and let it read nothing."""
    for descriptor, flags in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        os.dup2(os.open(os.devnull, flags), descriptor)
    output = _Output()
    sys.stdout = sys.stderr = output
    return output


if __name__ == "__main__":
    main()

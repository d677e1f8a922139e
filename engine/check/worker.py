"""The process that a learner's file runs in: it imports the file and answers calls with plain data.

A script of its own, which imports nothing of the engine: nothing that could judge the file, or
answer in its place, is in its process. Requests come marshalled; an answer is a line, with the
process's CPU time so far and JSON.

A process is started for each way to mend a mistake that the judge tries, so it imports no more than
it needs: `importlib.util`, `inspect`, `json`, `pathlib`, `re` and `typing` would take longer than
all the rest.
"""

from __future__ import annotations

import io
import marshal
import os
import random
import sys
import time
import warnings
from _functools import partial  # type: ignore[import-not-found] # it has no stub
from _json import encode_basestring_ascii as quoted
from _thread import allocate_lock, start_new_thread
from importlib._bootstrap import module_from_spec, spec_from_loader
from importlib.machinery import SourceFileLoader
from itertools import chain
from operator import is_
from reprlib import Repr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType
    from typing import Any, TypeAlias

_HEARTBEAT_SECONDS = 0.2
_FLUSH_SECONDS = 0.02
_MAX_FORKS = 16
_MAX_WRAPPERS = 100
_MAX_CHARACTERS = 200  # of what is sent as text
_MAX_PRINTED = 40
_MAX_ITEMS = 20
_MAX_DEPTH = 3  # of lists in lists
_MAX_INT = 2**63
_MAX_TRACED = 1000
_REPR = Repr()
_REPR.maxother = 80
_REPR.maxset = _REPR.maxlist = 9  # a board has nine cells

_SINGLETONS = {None: "null", True: "true", False: "false"}
_COLLECTIONS: dict[Any, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "set"}

Json: TypeAlias = "str"
"""A value as text: see `to_json`."""
Constants: TypeAlias = "Mapping[str, object]"
"""The learner's X, O and EMPTY."""


def main() -> None:
    """Answer the parent's requests until it goes: the file first, then calls of its functions."""
    requests, answers = os.fdopen(os.dup(0), "rb"), _Answers(os.dup(1))
    output = _capture_output()
    _limit_forks()
    start_new_thread(answers.beat, ())
    try:
        answers.add("0 {}", at_once=True)  # ready: what takes long from now on is the file
        module, loaded = load(marshal.load(requests))  # noqa: S302 - it is the parent's
        answers.add(f"0 {{{loaded},{output.take()}}}", at_once=True)
        while True:
            request = marshal.load(requests)  # noqa: S302 - as above
            for answer in run_script(module, request):
                answers.add(answer, at_once=True)
            drawings, at_once = request["boards"], request["at_once"]
            for drawing in drawings:
                count, answer = call(
                    module, request["name"], drawing, request["actions"], traced=request["traced"]
                )
                line = f"{count} {{{answer},{output.take()}}}"
                answers.add(line, at_once=at_once or drawing is drawings[-1])
    except (OSError, EOFError):
        pass  # the parent process has gone
    finally:
        os._exit(0)  # even if the file has left threads running


def run_script(module: ModuleType, request: Mapping[str, Any]) -> Iterator[Json]:
    """The answers of one of our scripts, which works on the learner's module, if one is named."""
    if "script" not in request:
        return
    import json  # noqa: PLC0415 - rarely needed, and slow to import

    loader = SourceFileLoader("script", request["script"])
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None, "there is a loader"
    script: Any = module_from_spec(spec)
    loader.exec_module(script)
    yield from map(json.dumps, script.run(module, request, sys.modules[__name__]))


class _Answers:
    """The lines for the parent, which go many at a time; and a heartbeat, a line of its own."""

    def __init__(self, descriptor: int) -> None:
        self._process_id = os.getpid()
        self._lock = allocate_lock()
        self._lines: list[str] = []
        self._next_flush = 0.0
        self._file = os.fdopen(descriptor, "wb")

    def add(self, answer: str, *, at_once: bool) -> None:
        if os.getpid() != self._process_id:  # this is a child that the file has forked
            os._exit(0)
        seconds = time.process_time()
        with self._lock:
            self._lines.append(f"{seconds:.6f} {answer}\n")
        if at_once or seconds > self._next_flush:
            self._next_flush = seconds + _FLUSH_SECONDS
            self.flush()

    def flush(self) -> None:
        with self._lock:
            lines, self._lines = self._lines, []
            self._file.write("".join(lines).encode())
            self._file.flush()

    def beat(self) -> None:
        try:
            while True:
                time.sleep(_HEARTBEAT_SECONDS)
                with self._lock:
                    self._lines.append(f"{time.process_time():.6f}\n")
                self.flush()
        except OSError:
            pass  # the parent process has gone


def load(request: Mapping[str, Any]) -> tuple[ModuleType, Json]:
    """Import the file; what it defines, or the error that it raises."""
    path = request["path"]
    _set_up(path, request["engine"])
    loader = SourceFileLoader(os.path.splitext(os.path.basename(path))[0], path)
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None, "there is a loader"
    module = module_from_spec(spec)
    sys.modules[loader.name] = module
    try:
        if request["source"] is None:
            loader.exec_module(module)
        else:
            exec(compile(request["source"], path, "exec"), vars(module))  # noqa: S102 - the learner's
    except BaseException as error:  # noqa: BLE001 - SystemExit too: it may do anything
        return module, _error(error, path)
    constants = constants_of(module)
    _replace(module, request["replaced"], request["right"], constants)
    return module, _definitions(module, constants)


def _set_up(path: str, engine: str | None) -> None:
    """Make the process as if it had been started with the file; `engine` is the folder of ours."""
    sys.path[0] = os.path.dirname(path)  # in place of this script's own folder
    if engine is None:
        sys.modules["engine"] = None  # type: ignore[assignment] # an import of it is an error
        sys.path[1:] = [entry for entry in sys.path[1:] if not _has_engine(entry)]
    else:
        sys.path.append(engine)
    sys.argv = [path]
    sys.dont_write_bytecode = True
    random.seed(0)  # the same file gets the same report
    warnings.simplefilter("ignore")  # what they say is not printed by the file


def _definitions(module: ModuleType, constants: Constants) -> Json:
    values = [f"{quoted(name)}:{to_json(value, constants)}" for name, value in constants.items()]
    functions = [
        f"{quoted(name)}:{'null' if source is None else quoted(source)}"
        for name, value in vars(module).items()
        if callable(value) and not name.startswith("__")
        for source in [_source(value)]
    ]
    others = [quoted(name) for name, value in vars(module).items() if not callable(value)]
    return (
        f'"constants":{{{",".join(values)}}},"functions":{{{",".join(functions)}}},'
        f'"others":[{",".join(others)}]'
    )


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
) -> tuple[int, Json]:
    """Call a function with a board such as `xo.......` or, for `result`, with each action.

    Returns how often `minimax` called `result`, and what the calls returned. With `traced`, that
    has the boards and actions that `minimax` called `result` with.
    """
    constants = constants_of(module)
    marks = {"x": constants["X"], "o": constants["O"], ".": constants["EMPTY"]}
    cells = [marks[letter] for letter in drawing]
    calls = []
    counter = _Counter(module, marks, traced=traced) if name == "minimax" else None
    for action in [None] if actions is None else actions:
        board = [cells[:3], cells[3:6], cells[6:]]
        arguments: tuple[Any, ...] = () if name == "initial_state" else (board,)
        if action is not None:
            arguments = board, tuple(action)
        try:
            value = getattr(module, name)(*arguments)
            answer = f'"value":{to_json(value, constants)}'
            if _shares_rows(value):
                answer += ',"shares_rows":true'
        except BaseException as error:  # noqa: BLE001 - SystemExit too: it may do anything
            is_asked_for = action is not None and not _is_free(action, drawing)
            answer = _error(error, module.__file__, is_asked_for=is_asked_for)
        if not _is_same(board, cells):
            answer += f',"board":{to_json(board, constants)}'
        calls.append(f"{{{answer}}}")
    answers = f'"calls":[{",".join(calls)}]'
    if counter is None:
        return 0, answers
    counter.end()
    trace = [f'["{drawn}",[{row},{column}]]' for drawn, (row, column) in counter.trace]
    return counter.count, f'{answers},"trace":[{",".join(trace)}]' if traced else answers


def _is_free(action: Sequence[int], drawing: str) -> bool:
    row, column = action
    return 0 <= row < 3 and 0 <= column < 3 and drawing[3 * row + column] == "."


class _Counter:
    """Counts the calls of a module's `result`, those by the module itself included."""

    def __init__(self, module: Any, marks: Mapping[str, object], *, traced: bool) -> None:
        self.count = 0
        self.trace: list[tuple[str, tuple[int, int]]] = []
        self._module = module
        self._function = function = getattr(module, "result", None)
        self._letters = {mark: letter for letter, mark in marks.items()} if traced else {}
        if function is None:
            return

        def counted(*args: object, **kwargs: object) -> object:
            self.count += 1
            if traced and len(self.trace) < _MAX_TRACED:
                try:  # noqa: SIM105 - contextlib takes long to import
                    self.trace.append(self._move(*args, **kwargs))
                except Exception:  # noqa: BLE001, S110 - called with something else
                    pass
            return function(*args, **kwargs)

        module.result = counted

    def _move(self, board: Any, action: Any) -> tuple[str, tuple[int, int]]:
        row, column = action
        drawn = "".join(self._letters[mark] for mark in chain.from_iterable(board))
        return drawn, (int(row), int(column))

    def end(self) -> None:
        if self._function is not None:
            self._module.result = self._function


def _is_same(board: list[list[object]], cells: list[object]) -> bool:
    """Whether a board still holds the very same objects: they are not asked what they equal."""
    if [type(row) for row in board] != [list] * 3 or [len(row) for row in board] != [3] * 3:
        return False
    return all(map(is_, chain.from_iterable(board), cells))


def _shares_rows(value: object) -> bool:
    if type(value) is not list:
        return False
    return len(set(map(id, value))) < len(value)


def to_json(value: Any, constants: Constants, depth: int = 0) -> Json:
    """A value as JSON: plain data and collections as such, a constant by its name, or a repr.

    Subclasses of the built-in types are converted by the methods of these types.
    """
    kind = type(value)
    text = ""
    if value is None or kind is bool:
        text = _SINGLETONS[value]
    elif kind in _COLLECTIONS:
        text = _collection_to_json(kind, value, constants, depth)
    elif issubclass(kind, str):
        text = quoted(str.__str__(value)) if str.__len__(value) < _MAX_CHARACTERS else ""
    elif kind.__module__ == "numpy" and hasattr(kind, "item") and not hasattr(kind, "sort"):
        text = to_json(value.item(), constants, depth)  # a number, or a truth value
    elif issubclass(kind, int):
        number = int.__int__(value)
        text = int.__repr__(number) if abs(number) < _MAX_INT else ""
    elif issubclass(kind, float):
        text = _float_to_json(float.__float__(value))
    else:
        for builtin in filter(partial(issubclass, kind), _COLLECTIONS):
            text = _collection_to_json(builtin, value, constants, depth)
            break
    return text or _repr_to_json(value, constants)


def _collection_to_json(builtin: Any, value: Any, constants: Constants, depth: int) -> Json:
    """The items of a value of a built-in type; empty if they are too many, or too deep."""
    items = list(builtin.__iter__(value))
    if len(items) > _MAX_ITEMS or depth >= _MAX_DEPTH:
        return ""
    written = ",".join([to_json(item, constants, depth + 1) for item in items])
    return f'{{"{_COLLECTIONS[builtin]}":[{written}]}}'


def _repr_to_json(value: object, constants: Constants) -> Json:
    names = [name for name, constant in constants.items() if value is constant]
    name = names[0] if names else ""
    return f'{{"repr":{quoted(short_repr(value))},"constant":"{name}"}}'


def _float_to_json(number: float) -> Json:
    if number != number:  # noqa: PLR0124 - so only NaN is
        return "NaN"
    text = float.__repr__(number)
    return text.replace("inf", "Infinity")


def short_repr(value: object) -> str:
    import re  # noqa: PLC0415 - rarely needed, and slow to import

    try:
        text = str.__str__(_REPR.repr(value))
        return re.sub(" at 0x[0-9a-fA-F]+", "", text)[:_MAX_CHARACTERS]
    except BaseException:  # noqa: BLE001 - its own __repr__ may fail
        return f"<{type(value).__name__}>"


def _error(error: BaseException, path: str, *, is_asked_for: bool = False) -> Json:
    """An error: its kind, as `FindingKind` names it, and what it says, with the line number.

    Of an error that is asked for, by an invalid action, the kind is enough.
    """
    kind = "RAISES" if isinstance(error, Exception) else "EXITS"
    text = type(error).__name__
    if isinstance(error, ModuleNotFoundError) and error.name:
        kind, text = "MISSING_IMPORT", error.name
    elif is_asked_for and kind == "RAISES" and not isinstance(error, EOFError):
        return f'"error":"{kind}"'
    else:
        try:
            message = error.msg if isinstance(error, SyntaxError) else str(error)
            text = f"{text}: {message}"[:_MAX_CHARACTERS] if message else text
        except BaseException:  # noqa: BLE001, S110 - its own __str__ may fail
            pass
    if isinstance(error, EOFError):
        kind = "READS_INPUT"
    line = _last_line_number(path, error)
    place = "" if line is None else f" ({os.path.basename(path)}:{line})"
    return f'"error":"{kind}","text":{quoted(text + place)}'


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

    def take(self) -> Json:
        """What was printed since it was last asked."""
        text, self.text = self.text, ""
        return f'"printed":{quoted(text)}'


def _capture_output() -> _Output:
    """Keep everything that the file prints off the terminal, and let it read nothing."""
    for descriptor, flags in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        os.dup2(os.open(os.devnull, flags), descriptor)
    output = _Output()
    sys.stdout = sys.stderr = output
    return output


if __name__ == "__main__":
    main()

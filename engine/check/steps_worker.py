"""What runs beside a learner's file to follow its `minimax` on one board; see `worker.run_script`.

Like `worker.py` it imports nothing of the engine.
"""

from __future__ import annotations

import opcode
import os
import sys
from itertools import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_MAX_EVENTS = 3000
_MAX_DEPTH = 50
"""Of calls that are recorded: a recursion without an end is deeper."""
_MAX_GIVEN = 5
_MAX_TEXT = 30
_GIVEN = ("initial_state", "player", "actions", "result", "winner", "terminal", "utility")
_VALUES = ("winner", "utility")
_GENERATOR = 0x20  # of the flags of a function's code


def run(module: Any, request: Mapping[str, Any], worker: Any) -> Iterator[dict[str, Any]]:
    """Call `minimax` with a board; yield the calls of functions with a board in them, in order.

    A call is `{"name": "max_value", "line": 12, "board": "xo.......", "given": ["alpha=0"]}`, and
    what comes back is `{"returns": "1", "is_number": True, "line": 20, "tried": []}`, or
    `{"raises": True}`; `tried` are the boards that the given functions were called with, or made.
    The last answer has that of `worker.call`: `{"answer": "..."}`.
    """
    recorder = _Recorder(module, worker)
    sys.setprofile(recorder)
    try:
        _, answer = worker.call(module, "minimax", request["board"], None)
    finally:
        sys.setprofile(None)
    yield from recorder.events
    yield {"answer": f'{{{answer},"printed":""}}'}


class _Recorder:
    """A profile function, which Python calls when a function begins and ends."""

    def __init__(self, module: Any, worker: Any) -> None:
        self._worker = worker
        self._path = module.__file__
        self._folder = os.path.dirname(self._path)
        self._minimax = _code(module.minimax)
        functions = {name: getattr(module, name, None) for name in _GIVEN}
        self._given = {_code(function): name for name, function in functions.items() if function}
        constants = worker.constants_of(module)
        self._letters = [(constants["X"], "x"), (constants["O"], "o"), (constants["EMPTY"], ".")]
        self._open: list[tuple[Any, set[str]]] = []
        """The recorded calls that have not ended, with the boards that they have tried."""
        self._muted: Any = None
        """One of the given functions, whose own calls are not recorded."""
        self.events: list[dict[str, Any]] = []

    def __call__(self, frame: Any, event: str, value: Any) -> None:
        if event == "call" and self._muted is None:
            self._begin(frame)
        elif event == "return" and frame is self._muted:
            self._muted = None
            self._try(value)
        if event == "return" and self._open and frame is self._open[-1][0]:
            _, tried = self._open.pop()
            self._end(frame, value, tried)

    def _begin(self, frame: Any) -> None:
        code = frame.f_code
        if self._is_followed(code):
            arguments = _arguments(frame)
            drawn = {name: self._drawing(value) for name, value in arguments.items()}
            board = next(filter(None, drawn.values()), None)
            if board is not None:
                others = {
                    name: value
                    for name, value in arguments.items()
                    if not (drawn[name] or callable(value))
                }
                call = {
                    "name": self._name(code),
                    "line": self._line(frame.f_back),
                    "board": board,
                    "given": [f"{name}={self._text(value)}" for name, value in others.items()],
                }
                self._open.append((frame, set()))
                self.events.append(call)
        if self.events and code in self._given:
            self._muted = frame
            for value in _arguments(frame).values():
                self._try(value)

    def _try(self, value: Any) -> None:
        """Remember a board that a given function was called with, or has made."""
        board = self._drawing(value)
        if board is not None and self._open:
            self._open[-1][1].add(board)

    def _is_followed(self, code: Any) -> bool:
        """Whether calls of a function are recorded: if it is the learner's, and no generator."""
        if not self.events:
            return code is self._minimax and os.path.dirname(code.co_filename) == self._folder
        if len(self.events) >= _MAX_EVENTS or len(self._open) >= _MAX_DEPTH:
            return False
        if code in self._given:
            return self._given[code] in _VALUES
        is_named = not code.co_name.startswith("<")  # as <lambda> is
        is_own = os.path.dirname(code.co_filename) == self._folder
        return is_own and is_named and not code.co_flags & _GENERATOR

    def _name(self, code: Any) -> str:
        name: str = "minimax" if code is self._minimax else self._given.get(code, code.co_name)
        return name

    def _end(self, frame: Any, value: Any, tried: set[str]) -> None:
        instruction = opcode.opname[frame.f_code.co_code[frame.f_lasti]]
        if not instruction.startswith("RETURN"):
            self.events.append({"raises": True})
            return
        first = value[0] if type(value) in {tuple, list} and value else value
        is_number = isinstance(first, int | float) and not isinstance(first, bool)
        returned = {"returns": self._text(value), "is_number": is_number, "line": self._line(frame)}
        self.events.append(returned | {"tried": [*tried]})

    def _line(self, frame: Any) -> int | None:
        return frame.f_lineno if frame.f_code.co_filename == self._path else None

    def _text(self, value: Any) -> str:
        text: str = self._worker.short_repr(value)
        return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}..."

    def _drawing(self, value: Any) -> str | None:
        """A board as `xo.......`, if a value is one: three rows of three, or nine cells."""
        if type(value) not in {list, tuple}:
            return None
        is_rows = len(value) == 3 and all(type(row) in {list, tuple} for row in value)
        cells = list(chain.from_iterable(value)) if is_rows else list(value)
        letters = [self._letter(cell) for cell in cells]
        return "".join(letters) if len(letters) == 9 and all(letters) else None

    def _letter(self, cell: Any) -> str:
        for mark, letter in self._letters:
            if cell is mark or (type(cell) is type(mark) and cell == mark):
                return letter
        return ""


def _arguments(frame: Any) -> dict[str, Any]:
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = {name: frame.f_locals[name] for name in names if name in frame.f_locals}
    return dict([*given.items()][:_MAX_GIVEN])


def _code(function: Any) -> Any:
    """The code of a function, below its decorators."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return getattr(function, "__code__", None)

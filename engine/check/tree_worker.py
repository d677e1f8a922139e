"""What runs beside a learner's file to try its search on small trees; see `worker.run_script`.

Like `worker.py` it imports nothing of the engine. The trees take the place of the boards: the
learner's `terminal`, `utility`, ... are replaced by those of the tree, for as long as a call takes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_REPLACED = ("player", "actions", "result", "terminal", "utility", "winner")
_MAX_ASKED = 1000
_MAX_ITEMS = 3


class TreeState:
    """A node, in the place of a board; it can be told apart, and no more."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TreeState) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def run(module: Any, request: Mapping[str, Any], _worker: Any) -> Iterator[dict[str, Any]]:
    """For each run of a request: what the function returned, and the nodes that it asked about.

    `{"value": 0, "asked": [["terminal", ""], ...]}`, a node as the digits of the moves that lead to
    it. An exception is `{"error": True}`.
    """
    marks = {"X": getattr(module, "X", "X"), "O": getattr(module, "O", "O")}
    for each in request["runs"]:
        game = _Game(each, (marks["X"], marks["O"]))
        kept = {name: vars(module)[name] for name in _REPLACED if name in vars(module)}
        vars(module).update((name, getattr(game, name)) for name in kept)
        arguments = {name: marks.get(value, value) for name, value in each["arguments"].items()}
        arguments[each["state"]] = TreeState(each["name"])
        try:
            value = _plain(getattr(module, each["function"])(**arguments))
            answer = {"value": value, "asked": game.asked}
        except BaseException:  # noqa: BLE001 - SystemExit too: it may do anything
            answer = {"error": True}
        finally:
            vars(module).update(kept)
        yield answer


class _Game:
    """A tree as a game: the functions that take the place of the learner's."""

    def __init__(self, request: Mapping[str, Any], marks: tuple[Any, Any]) -> None:
        self._request = request
        self._marks = marks
        self.asked: list[tuple[str, str]] = []

    def player(self, state: Any) -> Any:
        path, _ = self._at("player", state)
        return self._marks[(len(path) + self._request["is_o"]) % 2]

    def actions(self, state: Any) -> Any:
        _, node = self._at("actions", state)
        cells = _cells(node)
        return cells if self._request["is_list"] else set(cells)

    def result(self, state: Any, action: Any) -> TreeState:
        _, node = self._at("result", state)
        return TreeState(f"{state.name}{_cells(node).index(tuple(action))}")

    def terminal(self, state: Any) -> bool:
        return not isinstance(self._at("terminal", state)[1], list)

    def utility(self, state: Any) -> Any:
        _, node = self._at("utility", state)
        if isinstance(node, list):
            raise ValueError("the game isn't over")  # noqa: TRY004 - as the learner's may do
        return node

    def winner(self, state: Any) -> Any:
        _, node = self._at("winner", state)
        if isinstance(node, list) or not node:
            return None
        return self._marks[node < 0]

    def _at(self, name: str, state: Any) -> tuple[str, Any]:
        """The place of a node, and its children or its number."""
        path = state.name.removeprefix(self._request["name"])
        node = self._request["tree"]
        for digit in path:
            node = node[int(digit)]
        if len(self.asked) < _MAX_ASKED:
            self.asked.append((name, path))
        return path, node


def _cells(node: Any) -> list[tuple[int, int]]:
    """The moves at a node: cells, as they are on a board."""
    return [divmod(index, 3) for index, _ in enumerate(node if isinstance(node, list) else ())]


def _plain(value: Any) -> Any:
    """A number, or the numbers that stand in a pair, None for what is none."""
    if type(value) in {tuple, list}:
        return [_number(item) for item in value[:_MAX_ITEMS]]
    return _number(value)


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None

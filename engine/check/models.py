"""Wrong programs that are known, as models: what each answers, board by board.

If all answers of a learner's function lie in a model, it behaves so, whatever its code looks like.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain, combinations, product
from statistics import fmean

from engine.board import Board, Mark
from engine.check.hypotheses import Cause, Hint
from engine.lessons import reachable_positions
from engine.rules import TIC_TAC_TOE, Cell, bit_set

_MIN_BOARDS = 20
"""How many boards must speak for a player, and against each other one that it may be, too."""
_MAX_LUCK = 4
"""How many times less often than by chance a program may be wrong."""
NO_LINE_TO_BLAME = {
    *(Cause.DEPTH, Cause.DEPTH_TURNS, Cause.DEPTH_OUTWEIGHS, Cause.ADDED, Cause.BOUNDS_AT_ROOT),
    *(Cause.OWN_WINS_ONLY, Cause.OWN_LOSSES_ONLY, Cause.WINS_OF_ONE_ONLY),
}
"""What no small change of one line makes right."""
_MAX_LINES = 6
_MAX_OTHERS = 2
_ANY_DEPTH = 9

Order = Mapping[Board, Sequence[Cell]]
"""The cells of each board in the order in which a program tries them."""


@dataclass(eq=False)
class _Node:
    """A board of the game tree; `sign` is 1 if X is to move, -1 if O is."""

    board: Board
    sign: int
    utility: int
    children: Sequence[tuple[Cell, _Node]]


@cache
def _nodes() -> Mapping[Board, _Node]:
    nodes: dict[Board, _Node] = {}
    for board in reversed(reachable_positions(Board())):  # what follows a board comes before it
        is_over = board.is_terminal
        cells = () if is_over else board.free_cells
        children = [(cell, nodes[board.result_unchecked(cell)]) for cell in cells]
        sign = 1 if board.to_move is Mark.X else -1
        nodes[board] = _Node(board, sign, board.utility if is_over else 0, children)
    return nodes


Choose = Callable[[Sequence[float]], float]
"""What a search makes of the values of the moves, in its order; NaN if it takes none of them."""


def _extreme(sign: int) -> Choose:
    return max if sign > 0 else min


def _first(values: Sequence[float]) -> float:
    return values[0]


def _last(values: Sequence[float]) -> float:
    return values[-1]


@dataclass(eq=False)
class Player:
    """A search that is minimax but for what is given; values are those of X.

    `leaf` makes the value of a finished game from its utility, `inner` chooses at the boards below
    the root. Both are given who searches, who is to move (1 is X, -1 is O) and the depth. `root`
    chooses the move, given who searches. It looks `limit` moves ahead.
    """

    cause: Cause
    was: str = ""
    leaf: Callable[[int, int, int, int], float] = lambda utility, _me, _sign, _depth: utility
    inner: Callable[[int, int, int], Choose] = lambda _me, sign, _depth: _extreme(sign)
    root: Callable[[int], Choose] = _extreme
    limit: int = _ANY_DEPTH
    order: Order | None = None
    _values: dict[tuple[_Node, int], float] = field(default_factory=dict)

    def moves(self, board: Board) -> Collection[Cell | None]:
        """The moves that it may choose on an unfinished board."""
        node = _nodes()[board]
        children, choose = _in_order(node, self.order), self.root(node.sign)
        if choose in {_first, _last}:
            return {children[0 if choose is _first else -1][0]}
        values = [self._value(child, node.sign, 1) for _, child in children]
        best = choose(values)
        cells = {cell for (cell, _), value in zip(children, values, strict=True) if value == best}
        return cells or {None}

    def _value(self, node: _Node, me: int, depth: int) -> float:
        key = node, depth
        value = self._values.get(key)
        if value is None:
            if not node.children:
                value = self.leaf(node.utility, me, node.sign, depth)
            elif depth == self.limit:
                value = 0
            else:
                children = _in_order(node, self.order)
                values = [self._value(child, me, depth + 1) for _, child in children]
                value = self.inner(me, node.sign, depth)(values)
            self._values[key] = value
        return value


@dataclass(eq=False)
class BoundsAtRoot:
    """Alpha-beta that hands bounds on at the root, and plays any move that comes back as good."""

    order: Order
    root_order: Order
    cause: Cause = Cause.BOUNDS_AT_ROOT
    was: str = ""
    _values: dict[tuple[_Node, float, float, bool], float] = field(default_factory=dict)

    def moves(self, board: Board) -> Collection[Cell | None]:
        node, found = _nodes()[board], set[Cell | None]()
        for soft in (True, False):
            bounds, values = {1: -math.inf, -1: math.inf}, {}
            for cell, child in _in_order(node, self.root_order):
                values[cell] = self._value(child, bounds[1], bounds[-1], soft=soft)
                bounds[node.sign] = _extreme(node.sign)([bounds[node.sign], values[cell]])
            best = _extreme(node.sign)([*values.values()])
            found.update(cell for cell, value in values.items() if value == best)
        return found

    def _value(self, node: _Node, alpha: float, beta: float, *, soft: bool) -> float:
        if not node.children:
            return node.utility
        key = node, alpha, beta, soft
        if key not in self._values:
            bounds, best = {1: alpha, -1: beta}, -math.inf * node.sign
            best = best if soft else bounds[node.sign]
            choose = _extreme(node.sign)
            for _, child in _in_order(node, self.order):
                best = choose([best, self._value(child, bounds[1], bounds[-1], soft=soft)])
                bounds[node.sign] = choose([bounds[node.sign], best])
                if bounds[1] >= bounds[-1]:
                    break
            self._values[key] = best
        return self._values[key]


def _in_order(node: _Node, order: Order | None) -> Sequence[tuple[Cell, _Node]]:
    if order is None or node.board not in order:
        return node.children
    children = dict(node.children)
    return [(cell, children[cell]) for cell in order[node.board]]


def _players() -> Iterator[Player]:
    """Those for which no order matters, each made anew."""

    def flipped(me: int) -> Choose:
        return _extreme(-me)

    def swapped(_me: int, sign: int, _depth: int) -> Choose:
        return _extreme(-sign)

    yield Player(Cause.OTHER_SIDE, inner=swapped, root=flipped)
    yield Player(Cause.ROOT_SWAPPED, root=flipped)
    yield Player(Cause.REPLIES_SWAPPED, inner=swapped)
    yield Player(Cause.OWN_MOVES_ONLY, inner=lambda me, *_: _extreme(me))
    yield Player(Cause.OTHER_MOVES_ONLY, inner=lambda me, *_: _extreme(-me))
    for sign, name in ((1, "max"), (-1, "min")):
        for root in (_extreme, partial(_always, sign)):
            yield Player(Cause.SAME_FOR_BOTH, name, inner=partial(_always, sign), root=root)
        yield Player(Cause.SAME_AT_ROOT, name, root=partial(_always, sign))
        yield Player(Cause.CALLS_ITSELF, name, inner=partial(_calling_itself, sign))
    yield Player(Cause.LEAF_OF_X, leaf=lambda utility, _, sign, __: utility * sign)
    for sign in (1, -1):  # the value is that of who is to move
        root = partial(_always, sign)
        yield Player(Cause.NO_MINUS, leaf=_always_lost, inner=partial(_always, 1), root=root)
    yield from _players_with_leaves()
    for limit in range(1, 6):  # 6 is enough on this board
        cause = Cause.WINS_AND_BLOCKS if limit == 2 else Cause.DEPTH
        yield Player(cause, str(limit), limit=limit)
    yield Player(Cause.AVERAGED, inner=lambda me, sign, _: _extreme(sign) if sign == me else fmean)
    yield Player(Cause.AVERAGED, inner=lambda *_: fmean)
    yield Player(Cause.ADDED, inner=lambda *_: sum)
    yield Player(Cause.NOTHING_BETTER, root=_better_than_a_draw)


def _players_with_leaves() -> Iterator[Player]:
    """Those that take a finished game for something else than it is."""
    yield Player(Cause.OWN_WINS_ONLY, leaf=lambda utility, me, *_: utility * (utility == me))
    yield Player(Cause.OWN_LOSSES_ONLY, leaf=lambda utility, me, *_: utility * (utility != me))
    for sign, name in ((1, "X"), (-1, "O")):
        yield Player(Cause.WINS_OF_ONE_ONLY, name, leaf=partial(_only, sign))
    for most in range(1, 9):
        yield Player(Cause.DEPTH_TURNS, str(most), leaf=partial(_less_depth, most))
    yield Player(Cause.DEPTH_OUTWEIGHS, leaf=lambda utility, _, __, depth: utility - depth)
    yield Player(Cause.DEPTH_OUTWEIGHS, leaf=lambda utility, _, __, depth: utility + depth)


def _players_in(order: Order) -> Iterator[Player]:
    """Those whose moves depend on an order."""
    for choose, move, value in (
        (_first, Cause.FIRST_MOVE, Cause.FIRST_REPLY),
        (_last, Cause.LAST_MOVE, Cause.LAST_REPLY),
    ):
        yield Player(move, root=partial(_given, choose), order=order)
        yield Player(value, inner=partial(_given, choose), order=order)
    for sign, name in ((1, "X"), (-1, "O")):
        inner = partial(_first_of_one, sign)
        yield Player(Cause.FIRST_REPLY_OF_ONE, name, inner=inner, order=order)


def _given(choose: Choose, *_: int) -> Choose:
    return choose


def _always(sign: int, *_: int) -> Choose:
    return _extreme(sign)


def _calling_itself(sign: int, me: int, _sign: int, depth: int) -> Choose:
    """Of a pair of functions, the one for `sign` calls itself in place of the other."""
    return _extreme(sign if depth > 1 or me == -sign else -sign)


def _first_of_one(sign: int, _me: int, to_move: int, _depth: int) -> Choose:
    return _first if to_move == sign else _extreme(to_move)


def _always_lost(utility: int, *_: int) -> float:
    return -abs(utility)


def _only(sign: int, utility: int, *_: int) -> float:
    return utility * (utility == sign)


def _less_depth(most: int, utility: int, _me: int, _sign: int, depth: int) -> float:
    return utility * (most - depth)


def _better_than_a_draw(me: int) -> Choose:
    def choose(values: Sequence[float]) -> float:
        best = _extreme(me)(values)
        return best if best * me > 0 else math.nan

    return choose


def hint_of_player(
    moves: Mapping[Board, Cell | None],
    right: Callable[[Board], Collection[Cell]],
    orders: Callable[[], Sequence[Order]],
) -> Hint | None:
    """The only known player that has made all these moves, if enough boards speak for it.

    `right` has the best moves on a board, and `orders` those in which the program may try them.
    """
    mistakes_first = sorted(moves, key=lambda board: moves[board] in right(board))
    moves = {board: moves[board] for board in mistakes_first}  # on which most players differ
    players: list[Player | BoundsAtRoot] = [each for each in _players() if _fits(each, moves)]
    if not players:
        known = orders()
        ordered = chain.from_iterable(map(_players_in, known))
        bounded = [BoundsAtRoot(order, at_root) for order, at_root in product(known, repeat=2)]
        players = [each for each in ordered if _fits(each, moves)]
        players += [each for each in bounded if _fits(each, moves)]
    sizes = {each: sum(len(each.moves(board)) for board in moves) for each in players}
    players.sort(key=lambda each: sizes[each])
    if not players:
        return None
    best, *others = players
    hint = Hint(best.cause, was=best.was)
    if any(
        sizes[each] - sizes[best] < _MIN_BOARDS and Hint(each.cause, was=each.was) != hint
        for each in others
    ):
        return None
    return hint if _is_spoken_for(best, moves, right) else None


def _is_spoken_for(
    player: Player | BoundsAtRoot,
    moves: Mapping[Board, Cell | None],
    right: Callable[[Board], Collection[Cell]],
) -> bool:
    """Whether enough boards tell it from a program that goes wrong anywhere.

    It must be wrong there; or it can't be, and the program, which is wrong on other boards with as
    many free cells, is right. Nor may the program be right far more often than by chance.
    """
    wrong, boards, sure = Counter[int](), Counter[int](), Counter[int]()
    speaking = expected = 0.0
    for board, move in moves.items():
        best, allowed, free = set(right(board)), set(player.moves(board)), len(board.free_cells)
        boards[free] += 1
        wrong[free] += move not in best
        sure[free] += allowed <= best
        speaking += not allowed & best
        expected += len(allowed - best) / len(allowed)
    speaking += sum(sure[free] * wrong[free] / boards[free] for free in boards)
    return speaking >= _MIN_BOARDS and wrong.total() >= max(_MIN_BOARDS, expected / _MAX_LUCK)


def _fits(player: Player | BoundsAtRoot, moves: Mapping[Board, Cell | None]) -> bool:
    return all(move in player.moves(board) for board, move in moves.items())


_LINES = [bit_set(line) for line in TIC_TAC_TOE.lines]
_OTHERS = [
    mask for each in combinations(TIC_TAC_TOE.cells, 3) if (mask := bit_set(each)) not in _LINES
]
Seen = Mapping[Mark, Collection[int]]
"""Of each player the lines that a function sees, as bit sets."""


def hint_of_lines(name: str, answers: Mapping[Board, object]) -> Hint | None:
    """What `winner` or `terminal` takes for a line, or doesn't, if that explains all its answers.

    `answers` are those of `winner`: a mark or None; or of `terminal`: whether the game is over.
    """
    seen = {mark: _seen_lines(name, mark, answers) for mark in Mark}
    unseen = {mark: set(_LINES) - seen[mark] for mark in Mark}
    forgets_full = name == "terminal" and not any(
        answers[board] for board in answers if board.winner is None
    )
    if _explains(name, answers, seen, forgets_full=forgets_full):
        if unseen[Mark.X] == unseen[Mark.O]:
            return _hint_of_unseen(unseen[Mark.X], forgets_full=forgets_full)
        for mark in Mark:
            if len(unseen[mark]) == len(_LINES) and not unseen[mark.other]:
                return Hint(Cause.SIDE_UNSEEN, was=mark.name)
        return None
    others = [line for line in _OTHERS if _is_taken_for_line(name, line, answers)]
    more = {mark: [*seen[mark], *others] for mark in Mark}
    if len(others) > _MAX_OTHERS or not _explains(name, answers, more, forgets_full=forgets_full):
        return None
    return Hint(Cause.NOT_A_LINE, was=_lines_text(others))


def _hint_of_unseen(lines: Collection[int], *, forgets_full: bool) -> Hint | None:
    if not lines:
        return Hint(Cause.FULL_FORGOTTEN) if forgets_full else None
    if forgets_full or len(lines) > _MAX_LINES:
        return None
    return Hint(Cause.LINES, was=_lines_text(lines))


def _lines_text(lines: Collection[int]) -> str:
    texts = []
    for line in lines:
        cells = [cell for cell in TIC_TAC_TOE.cells if line >> cell & 1]
        texts.append(", ".join(str(divmod(cell, TIC_TAC_TOE.columns)) for cell in cells))
    return "; ".join(sorted(texts))


def _complete(board: Board, lines: Seen) -> list[tuple[Mark, int]]:
    """The lines that somebody has completed."""
    return [
        (mark, line) for mark in Mark for line in lines[mark] if line & board.mask_of(mark) == line
    ]


_ALL_LINES: Seen = dict.fromkeys(Mark, _LINES)


def _seen_lines(name: str, mark: Mark, answers: Mapping[Board, object]) -> set[int]:
    """Those with which a player has won, says the function, wherever it is the only line."""
    unseen = set()
    for board, answer in answers.items():
        is_seen = answer is mark if name == "winner" else answer or not board.free_cells
        if not is_seen and board.winner is mark:
            lines = [line for _, line in _complete(board, _ALL_LINES)]
            unseen.update(lines if len(lines) == 1 else [])
    return set(_LINES) - unseen


def _is_taken_for_line(name: str, line: int, answers: Mapping[Board, object]) -> bool:
    """Whether a function says so wherever a player has these cells and there is no line."""
    said = [
        answer is mark if name == "winner" else bool(answer)
        for board, answer in answers.items()
        if board.winner is None and board.free_cells
        for mark in Mark
        if line & board.mask_of(mark) == line
    ]
    return bool(said) and all(said)


def _explains(
    name: str, answers: Mapping[Board, object], lines: Seen, *, forgets_full: bool
) -> bool:
    for board, answer in answers.items():
        marks: set[object] = {mark for mark, _ in _complete(board, lines)}
        if name == "terminal":
            is_full = not board.free_cells and not forgets_full
            if answer is not (bool(marks) or is_full):
                return False
        elif answer not in (marks or {None}):
            return False
    return True

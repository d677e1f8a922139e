"""Game trees, and what alpha-beta does in them, step by step."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Collection, Iterator

import pytest

from engine import (
    MISERE,
    MOST_EVENTS,
    Board,
    EventKind,
    Mark,
    Node,
    Numbers,
    Path,
    Rules,
    SolvedBelow,
    game_tree,
    known_bounds,
    leaf_count,
    move_name,
    search,
    small_tree,
    solver_of,
    trace,
    watchable,
)
from engine.__main__ import main
from engine.lessons import size_of_tree
from engine.terminal.language import ENGLISH
from engine.terminal.tree import tree_lines
from tests.engine.positions import DISTINCT, TRUTH, as_taught

FEW_LEFT = [board for board in DISTINCT if len(board.actions()) <= 5][::4]
MISERES = [Board.parse(str(board), MISERE) for board in FEW_LEFT]


TEXTBOOK = Numbers.of([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
"""The tree of Russell and Norvig."""


def at(root: Board, path: Path) -> Board:
    for cell in path:
        root = root.result(cell)
    return root


@pytest.mark.parametrize("boards", [FEW_LEFT, MISERES])
def test_a_trace_visits_in_the_order_of_the_textbook(boards: list[Board]) -> None:
    for board in boards:
        value, visits = as_taught(board)
        events = trace(board)
        if len(events) == MOST_EVENTS:
            continue
        last = {event.path: event for event in events}
        read = [(at(board, path), event.alpha, event.beta) for path, event in last.items()]
        assert read == visits, board
        ends = events[-1].least, events[-1].greatest
        assert ends == (value, value)
        assert value == search(board, memory=True).utility, board


def test_the_textbook_s_tree_is_searched_as_in_the_book() -> None:
    told = [
        (event.kind.value, event.path, event.alpha, event.beta, event.unread)
        for event in trace(TEXTBOOK)[9:15]
    ]
    inf = math.inf
    assert told == [
        ("visit", (1,), 3, inf, 3),
        ("leaf", (1, 0), 3, inf, 0),
        ("better", (1,), 3, 2, 2),
        ("cut", (1,), 3, 2, 2),
        ("no better", (), 3, inf, 1),
        ("visit", (2,), 3, inf, 3),
    ]
    end = trace(TEXTBOOK)[-1]
    assert (end.path, end.least, end.greatest) == ((), 3, 3)


def test_equal_is_enough_to_cut() -> None:
    events = trace(Numbers.of([[0, 1], [0, 5]]))
    assert [event.path for event in events if event.kind is EventKind.CUT] == [(1,)]


def test_a_cut_comes_where_alpha_is_no_less_than_beta_and_something_is_left() -> None:
    cuts = 0
    for board in FEW_LEFT:
        for event in trace(board):
            if event.kind is EventKind.CUT:
                cuts += 1
                assert event.alpha >= event.beta
                assert event.unread > 0
    assert cuts > 500


def test_a_bound_is_better_exactly_where_it_moves() -> None:
    for board in FEW_LEFT[::5]:
        bounds: dict[Path, tuple[float, float]] = {}
        for event in trace(board):
            moved = bounds.get(event.path) not in {None, (event.alpha, event.beta)}
            assert moved == (event.kind is EventKind.BETTER), event
            bounds[event.path] = event.alpha, event.beta


def test_every_node_has_its_minimax_value() -> None:
    for board in FEW_LEFT:
        for node in game_tree(board).walk():
            assert isinstance(node.state, Board)
            value = TRUTH[node.state][0] if node.children else node.state.utility
            assert node.utility == value, node.state


def test_a_trace_is_never_longer_than_its_limit() -> None:
    events = trace(Board())
    assert len(events) == MOST_EVENTS
    assert events[-1].path, "it did not come to its end"


@pytest.mark.parametrize(
    "board",
    [
        Board.parse("x.. ... ..."),
        Board.parse("x... .o.. .... ....", Rules(4, 4, 3)),
        Board.parse("..x.. ..... .o... ..... .....", Rules(5, 5, 5)),
        Board.parse("x.. .o. ...", MISERE),
    ],
)
def test_two_plies_with_solved_leaves_are_worth_what_the_position_is(board: Board) -> None:
    events = trace(watchable(board))
    assert len(events) < MOST_EVENTS
    worth = solver_of(board.rules).worth(board).value.utility(board.to_move)
    assert (events[-1].least, events[-1].greatest) == (worth, worth)


def test_two_plies_end_where_the_game_does() -> None:
    board = Board.parse("xx. oo. ...")
    win = SolvedBelow(board).result(2)
    assert win.is_terminal
    assert win.utility == 1


def test_a_small_tree_is_watched_to_its_end() -> None:
    board = Board.parse("xo. xxo ..o")
    assert watchable(board) is board


def test_leaves_are_counted_without_being_solved() -> None:
    assert leaf_count(TEXTBOOK) == 9
    assert leaf_count(SolvedBelow(Board.parse("x.. ... ..."))) == 8 * 7


def test_moves_have_names_in_every_kind_of_tree() -> None:
    board = Board.parse("x.. ... ...")
    assert move_name(board, (4,)) == move_name(SolvedBelow(board), (4,)) == "B2"
    assert [move_name(TEXTBOOK, path) for path in ((0,), (2, 1))] == ["a", "c2"]


def test_a_tree_is_small_exactly_if_it_has_at_most_six_leaves() -> None:
    for board in DISTINCT:
        is_small = len(board.actions()) <= 5 and leaf_count(board) <= 6
        assert (small_tree(board) is not None) == is_small, board
    assert small_tree(Board(Rules(4, 4, 3), x=0b0101_0101_1010, o=0b1010_1010_0101)) is None


def test_a_whole_tree_is_counted_without_being_built() -> None:
    for board in FEW_LEFT:
        assert size_of_tree(board) == len(list(game_tree(board).walk()))


@pytest.mark.parametrize("text", ["1 / x", "1 2 / ", "1 / 1000", "1 " * 101 + "/ 1"])
def test_what_is_no_tree_of_numbers_is_refused(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["tree", text, "--language", "en"])
    assert "isn't a tree of numbers" in capsys.readouterr().err


def values_with(node: Node, known: Collection[Path], unread: int, path: Path = ()) -> Iterator[int]:
    """The value of each node that is read, in reading order, if every unread one were `unread`."""
    if path not in known:
        return
    yield value_with(node, known, unread, path)
    for child in node.children:
        yield from values_with(child, known, unread, (*path, child.action))


def value_with(node: Node, known: Collection[Path], unread: int, path: Path) -> int:
    if path not in known:
        return unread
    if not node.children:
        return node.utility
    below = [value_with(child, known, unread, (*path, child.action)) for child in node.children]
    return max(below) if node.state.to_move is Mark.X else min(below)


def test_whatever_the_unread_branches_hold_each_number_is_true() -> None:
    signs = set()
    for board in FEW_LEFT:
        tree, known = game_tree(board), known_bounds(trace(board))
        drawn = "\n".join(tree_lines(board, ENGLISH))
        shown = re.findall(
            r"^(?:[│ ]*[├└]─ ..)? *([≤≥]?)([+-]?\d)  (?:[XO] [cw]|draw)", drawn, re.MULTILINE
        )
        assert not shown[0][0], "the root's value is exact"
        for unread in (-1, 1):
            for (sign, number), value in zip(shown, values_with(tree, known, unread), strict=True):
                signs.add(sign)
                at_most, at_least = int(number) >= value, int(number) <= value
                assert {"": at_most and at_least, "≤": at_most, "≥": at_least}[sign], drawn
    assert signs == {"", "≤", "≥"}


def test_what_was_not_read_is_never_beaten() -> None:
    """A leaf is called the smallest of its branch only if it is, whatever comes after a cut."""
    rng = random.Random(1)
    called = 0
    for _ in range(300):
        branches = [rng.choices(range(10), k=rng.randint(1, 4)) for _ in range(3)]
        lines = "\n".join(tree_lines(Numbers.of(branches), ENGLISH))
        for branch, leaf in re.findall(r" ([abc])(\d) +\d  <- the smallest", lines):
            called += 1
            leaves = branches[ord(branch) - ord("a")]
            assert leaves[int(leaf) - 1] == min(leaves), lines
    assert called > 300


@pytest.mark.parametrize("text", ["XO. XXO ..O", "xo./xxo/..o", " xo. xxo\n..o "])
def test_a_position_may_be_typed_as_the_pages_write_it(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tree", text, "--language", "en"]) == 0
    assert " 1  X | O | . \n" in capsys.readouterr().out

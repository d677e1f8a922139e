"""The picture of a game tree, and what alpha-beta does not read of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine import MISERE, Board, Mark, Node, Rules, search
from engine.__main__ import main
from engine.lessons import game_tree, size_of_tree, small_tree
from engine.terminal.drawing import MAX_DRAWN_NODES, tree_lines
from engine.terminal.language import ENGLISH
from tests.engine.positions import TRUTH, UNFINISHED, as_taught

FEW_LEFT = [board for board in UNFINISHED if len(board.actions()) <= 5][::7]
MISERES = [Board.parse(str(board), MISERE) for board in FEW_LEFT]


@pytest.mark.parametrize("boards", [FEW_LEFT, MISERES])
def test_a_tree_is_visited_in_the_order_of_the_textbook(boards: list[Board]) -> None:
    for board in boards:
        tree = game_tree(board)
        value, visits = as_taught(board)
        read = [node for node in tree.walk() if not node.is_cut]
        assert [(node.board, node.alpha, node.beta) for node in read] == visits, board
        assert tree.utility == value == search(board, memory=True).utility, board


def test_every_node_has_its_minimax_value_even_if_cut() -> None:
    cut = 0
    for board in FEW_LEFT:
        for node in game_tree(board).walk():
            value = TRUTH[node.board][0] if node.children else node.board.utility
            assert node.utility == value, node.board
            cut += node.is_cut
    assert cut > 1000


def test_a_node_with_cut_children_has_alpha_no_less_than_beta() -> None:
    for board in FEW_LEFT:
        for node in game_tree(board).walk():
            if not node.is_cut and any(child.is_cut for child in node.children):
                assert node.alpha >= node.beta, node.board


def test_a_tree_is_small_exactly_if_it_has_at_most_eight_leaves() -> None:
    for board in UNFINISHED[::7]:
        tree = small_tree(board)
        if len(board.actions()) <= 5:
            leaves = game_tree(board).leaves
            assert (leaves <= 8) == (tree is not None), board
        else:
            assert tree is None
    assert small_tree(Board(Rules(4, 4, 3), x=0b0101_0101_1010, o=0b1010_1010_0101)) is None


def test_a_whole_tree_is_counted_without_being_built() -> None:
    assert size_of_tree(Board()) == 549_946
    for board in FEW_LEFT:
        nodes = search(board, pruning=False).nodes
        assert size_of_tree(board) == len(list(game_tree(board).walk())) == nodes


def test_a_tree_is_drawn_with_its_values_and_cut_offs() -> None:
    assert "\n".join(tree_lines(game_tree(Board.parse("xo. xxo ..o")), ENGLISH)) == (
        "    A   B   C\n"
        " 1  X | O | . \n"
        "   ---+---+---\n"
        " 2  X | X | O \n"
        "   ---+---+---\n"
        " 3  . | . | O \n"
        "\n"
        "+1 where X wins, -1 where O wins, 0 for a draw. X takes the largest, O the smallest.\n"
        "\n"
        "+1  X chooses\n"
        "├─ X C1   0  O chooses\n"
        "│  ├─ O A3   0  X chooses  <- the smallest\n"
        "│  │  └─ X B3   0  draw  <- the largest\n"
        "│  └─ O B3  +1  X chooses\n"
        "│     └─ X A3  +1  X wins  <- the largest\n"
        "├─ X A3  +1  X wins  <- the largest\n"
        "└─ X B3 ≤-1  O chooses\n"
        "   ├─ O C1  -1  O wins  <- the smallest\n"
        "   └─ O A3   not read: alpha +1 >= beta -1\n"
        "\n"
        "Minimax reads 11 positions, alpha-beta 9: it stops where alpha >= beta."
    )


def test_the_default_tree_has_all_three_values(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--tree", "--language", "pt"]) == 0
    branches = [line for line in capsys.readouterr().out.splitlines() if "─ X" in line[:4]]
    assert {line.split()[3] for line in branches} == {"≤-1", "0", "+1"}


def values_with(node: Node, unread: int) -> Iterator[int]:
    """The value of each node that is read, in reading order, if every unread one were `unread`."""
    if node.is_cut:
        return
    yield value_with(node, unread)
    for child in node.children:
        yield from values_with(child, unread)


def value_with(node: Node, unread: int) -> int:
    if node.is_cut:
        return unread
    if not node.children:
        return node.board.utility
    values = [value_with(child, unread) for child in node.children]
    return max(values) if node.board.to_move is Mark.X else min(values)


DRAWABLE = [board for board in UNFINISHED if size_of_tree(board) <= MAX_DRAWN_NODES][::5]


def test_whatever_the_unread_branches_hold_each_number_is_true() -> None:
    signs = set()
    for board in DRAWABLE:
        tree = game_tree(board)
        drawn = "\n".join(tree_lines(tree, ENGLISH))
        shown = re.findall(
            r"^(?:[│ ]*[├└]─ [XO] ..)? *([≤≥]?)([+-]?\d)  (?:[XO] [cw]|draw)", drawn, re.MULTILINE
        )
        assert not shown[0][0], "the root's value is exact"
        for unread in (-1, 1):
            for (sign, number), value in zip(shown, values_with(tree, unread), strict=True):
                signs.add(sign)
                at_most, at_least = int(number) >= value, int(number) <= value
                assert {"": at_most and at_least, "≤": at_most, "≥": at_least}[sign], drawn
    assert signs == {"", "≤", "≥"}

"""The picture of a game tree, and what alpha-beta does not read of it."""

from __future__ import annotations

import pytest

from engine import Board, search
from engine.__main__ import main
from engine.terminal.language import ENGLISH
from engine.terminal.picture import picture
from engine.tree import Node, size_of_tree, tree_of
from tests.engine.positions import TRUTH, UNFINISHED

FEW_FREE_CELLS = [board for board in UNFINISHED if board.plies >= 5][::5]


def read(node: Node) -> int:
    return 1 + sum(read(child) for child in node.children if child.cut is None)


def test_its_numbers_are_those_of_minimax_and_its_cuts_those_of_alpha_beta() -> None:
    for board in FEW_FREE_CELLS:
        tree = tree_of(board)
        assert tree.value == TRUTH[board][0]
        assert tree.size == size_of_tree(board) == search(board, pruning=False).nodes
        assert read(tree) == search(board, soonest=False).nodes


def test_a_whole_tree_is_counted_without_being_built() -> None:
    assert size_of_tree(Board()) == 549_946


def test_a_tree_is_drawn_with_its_numbers_and_what_is_not_read() -> None:
    assert "\n".join(picture(tree_of(Board.parse("xo. xxo ..o")), ENGLISH)) == (
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
        "└─ X B3  -1  O chooses\n"
        "   ├─ O C1  -1  O wins  <- the smallest\n"
        "   └─ O A3   not read: alpha +1 >= beta -1\n"
        "\n"
        "Minimax reads 11 positions, alpha-beta 9: it stops where alpha >= beta."
    )


def test_the_tree_that_is_shown_unasked_has_all_three_values_and_a_cut(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--tree", "--language", "pt"]) == 0
    branches = [line for line in capsys.readouterr().out.splitlines() if "─ X" in line[:4]]
    assert {line.split()[3] for line in branches} == {"-1", "0", "+1"}


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("x.. .o. ...", "this tree has 7,332 positions"),
        ("xxx", "isn't a position of 3x3"),
        ("xxx ... ...", "isn't a position of 3x3"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_reason(
    position: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--tree", position, "--language", "en"])
    assert reason in capsys.readouterr().err

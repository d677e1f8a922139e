"""The tutorial on minimax: its pages, and what is claimed of the positions chosen for it."""

from __future__ import annotations

import pytest

from bot.domain.pages import custom_id
from bot.domain.tree_diagram import UNREAD_NAMES, NodeStyle, alpha_diagram, beta_diagram
from bot.domain.tutorial import (
    DEPTH_LIMIT_GAMES,
    EXAMPLE_GAME,
    SLOW_WIN_GAME,
    WALKABLE,
    Chapter,
    DepthLimitDemo,
    FastestWin,
    OwnTree,
    PruningDemo,
    TreeWalk,
    TutorialPage,
    shows_answer,
)
from engine import Board, Mark, Record, Rules, Value, game_tree, search, small_tree
from tests.bot.custom_ids import parse_page
from tests.bot.tutorial_contents import EARLY, LATE, WIDE, content_of, tutorial_contents

LONGEST = Record(Rules(5, 5, 5), (0,))


@pytest.mark.parametrize("chapter", [1, 2, 3, 4])
@pytest.mark.parametrize("record", [Record(), EARLY, LATE])
def test_buttons_of_older_releases_still_lead_to_their_chapter(
    record: Record, chapter: int
) -> None:
    old = f"velha:learn:{record.code}:{chapter}:0"
    assert parse_page(old) == TutorialPage(record, Chapter(chapter))
    assert custom_id(TutorialPage(record, Chapter(chapter)), 0) == old


def test_a_button_holds_the_path_in_the_tree_and_the_answer() -> None:
    page = TutorialPage(EXAMPLE_GAME, Chapter.NUMBERS, (0, 3), 2)
    assert custom_id(page, 7) == f"velha:learn:{EXAMPLE_GAME.code}:2:ad:2:7"
    assert parse_page(custom_id(page, 7)) == page


def test_a_button_holds_a_wrong_answer_that_came_before() -> None:
    page = TutorialPage(EXAMPLE_GAME, Chapter.PRUNING, (), 0, wrong_answer=2)
    assert custom_id(page, 1) == f"velha:learn:{EXAMPLE_GAME.code}:3::0:2:1"
    assert parse_page(custom_id(page, 1)) == page


def test_a_wrong_answer_may_be_tried_again_before_the_right_one_is_shown() -> None:
    right = 1
    asked = TutorialPage(EXAMPLE_GAME, Chapter.SAVED)
    once = asked.with_answer(0, right)
    assert not once.reveals(right)
    assert once.with_answer(0, right) == once, "the same answer again changes nothing"
    assert once.with_answer(1, right).reveals(right), "right"
    assert once.with_answer(2, right).reveals(right), "wrong twice"
    assert asked.with_answer(1, right).reveals(right)


# A tree of the reader's own


@pytest.mark.parametrize(
    ("leaves", "unread"),
    [
        ("0 1 0 1 -1 0", 1),
        ("0 1 0 -1 1 1", 2),
        ("0 1 0 0 1 1", 2),  # equal is enough
        ("0 1 0 1 1 -1", 0),
        ("-1 1 1 0 1 1", 0),
        ("1 1 1 1 1 1", 2),
    ],
)
def test_what_alpha_beta_leaves_out_of_a_tree_of_one_s_own(leaves: str, unread: int) -> None:
    path = tuple(int(leaf) + 1 for leaf in leaves.split())
    tree = OwnTree(TutorialPage(EXAMPLE_GAME, Chapter.OWN_TREE, path))
    assert tree.page.leaves == tuple(map(int, leaves.split()))
    assert tree.unread_count == unread
    assert tree.question.choices[tree.question.right] == str(unread)
    assert tree.value == max(min(tree.left), min(tree.right)), "nothing that matters is left out"
    assert max(tree.alpha, tree.beta) == tree.value


def test_a_press_changes_a_leaf_and_asks_again() -> None:
    page = TutorialPage(EXAMPLE_GAME, Chapter.OWN_TREE, answer=1)
    following = page.with_next_leaf(0)
    assert following.answer is None
    assert following.leaves[1:] == page.leaves[1:]
    assert following.leaves[0] != page.leaves[0]
    assert following.with_next_leaf(0).with_next_leaf(0).leaves == page.leaves
    assert parse_page(custom_id(following, 3)) == following


def test_the_longest_path_fits_into_a_button() -> None:
    order = [0, 1, 2, 3, 5, 4, 6, 7, 8, 9, 11, 10, 12, 13, 14, 15, 17, 16, 18, 19, 21, 20, 22, 23]
    page = TutorialPage(Record(Rules(5, 5, 5)), Chapter.NUMBERS, tuple(order), 2)
    assert len(page.boards) == 25
    assert len(custom_id(page, 99)) <= 100
    assert parse_page(custom_id(page, 99)) == page


@pytest.mark.parametrize(
    "rest",
    [
        "1:e:",  # a cell that is taken
        "1:aa:",
        "1:z:",
        "1:A:",
        "1:a",
        "1::",
        "2::3",
        "2::-1",
        "2:a:01",
        "2:a:1:",
        "2:a::1",
        "2:a:1:3",
        "13:abc:",  # six leaves
        "13:abcabd:",  # a leaf is -1, 0 or +1
        "3:a:0",  # there is nothing to walk on
        "9:a:",
        "14",
        "0",
    ],
)
def test_forged_paths_and_answers_are_not_parsed(rest: str) -> None:
    assert parse_page(f"velha:learn:{EXAMPLE_GAME.code}:2:a:0:1") is not None
    assert parse_page(f"velha:learn:{EXAMPLE_GAME.code}:{rest}:1") is None


# The positions chosen


def test_the_example_has_all_three_values_in_six_leaves_and_no_immediate_win() -> None:
    board = EXAMPLE_GAME.boards[-1]
    assert str(board) == str(Board.parse(".o. .ox xxo"))
    tree = small_tree(board)
    assert tree is not None
    leaves = [node.board.utility for node in tree.walk() if not node.children]
    assert set(leaves) == {-1, 0, 1}
    assert len(leaves) == 6
    assert len({child.utility for child in tree.children}) > 1, "max has something to choose"
    assert not any(child.board.is_terminal for child in tree.children)
    for child in tree.children:
        assert len({reply.utility for reply in child.children}) == 2, "min as well, each time"


def test_the_first_cut_of_the_example_is_worth_explaining() -> None:
    pruned = content_of(EXAMPLE_GAME, Chapter.PRUNING)
    assert isinstance(pruned, PruningDemo)
    tree, parent = pruned.tree, pruned.cut_node
    assert tree.board.to_move is Mark.X
    assert pruned.best_before_cut.utility == 0, "more could still be hoped for"
    assert (parent.alpha, parent.beta) == (0, -1)
    assert pruned.refutation.utility == -1
    [cut] = [child for child in parent.children if child.is_cut]
    assert cut.utility == 1 or cut.children, "there is more behind it"
    assert max(node.utility for node in tree.walk() if node.is_cut) == 1, "even a win is cut"
    following = tree.children[tree.children.index(parent) + 1]
    assert not following.is_cut, "the next move has to be read"


def test_visits_are_counted_on_the_tree_that_is_drawn() -> None:
    pruned = content_of(EXAMPLE_GAME, Chapter.SAVED)
    assert isinstance(pruned, PruningDemo)
    assert pruned.picture is not None
    drawn = [*pruned.picture.root.walk()]
    grey = [diagram for diagram in drawn if diagram.style is NodeStyle.CUT]
    assert (pruned.saved, pruned.visits) == (len(grey), len(drawn) - len(grey))
    plain = search(EXAMPLE_GAME.boards[-1], pruning=False)
    assert pruned.saved + pruned.visits == plain.nodes
    assert pruned.tree.utility == plain.utility
    assert pruned.question.choices[pruned.question.right] == str(len(grey))


def test_a_bot_that_knows_only_plus_one_delays_its_win() -> None:
    sooner = content_of(EXAMPLE_GAME, Chapter.FASTEST_WIN)
    assert isinstance(sooner, FastestWin)
    first, second = sooner.wins
    assert sooner.fastest is second
    assert (second.worth.plies_to_end, first.worth.plies_to_end) == (1, 3)
    chosen = game_tree(SLOW_WIN_GAME.boards[-1]).chosen
    assert chosen is not None
    assert chosen.action == first.action, "by utility alone"
    assert search(SLOW_WIN_GAME.boards[-1]).best_actions[0] == second.action, "and with the depth"


def test_the_depth_limit_is_shown_to_fail_and_then_to_succeed() -> None:
    sights = [content_of(EXAMPLE_GAME, Chapter.HORIZON, (), answer) for answer in (0, 1, 2)]
    assert all(isinstance(sight, DepthLimitDemo) for sight in sights)
    for sight, is_fooled in zip(sights, (True, True, False), strict=True):
        assert isinstance(sight, DepthLimitDemo)
        assert sight.board == DEPTH_LIMIT_GAMES[Chapter.HORIZON].boards[-1]
        assert (sight.glimpse.proven_worth.value is Value.WIN) is is_fooled
        assert (sight.glimpse.guess is not None) is is_fooled


# What is drawn


def test_numbers_are_drawn_except_those_that_are_asked_for() -> None:
    for lesson in tutorial_contents():
        if not isinstance(lesson, TreeWalk) or lesson.picture is None:
            continue
        diagram = lesson.picture.root
        here = next(one for one in diagram.walk() if one.style is NodeStyle.CURRENT)
        assert here.board == lesson.page.board
        captions = {one.board: one.captions for one in diagram.walk()}
        if lesson.page.chapter is Chapter.TREE:
            assert not any(captions.values())
        elif not shows_answer(lesson):
            assert here.captions == ("?",)
            assert not any(one.is_chosen for one in here.children)
        else:
            assert here.captions == (f"{lesson.utility:+d}" if lesson.utility else "0",)
            assert sum(one.is_chosen for one in here.children) == bool(here.children)
        for above in lesson.page.boards[:-1]:
            assert not captions.get(above), "what is further up is asked for later"


@pytest.mark.parametrize(
    ("drawing", "alpha"), [("xox ox. ..o", "alpha +1"), ("xox xo. o..", "alpha 0")]
)
def test_alpha_is_the_best_value_before_the_first_cut(drawing: str, alpha: str) -> None:
    tree = small_tree(Board.parse(drawing))
    assert tree is not None
    assert alpha_diagram(tree, is_answered=True).captions == (alpha,)
    for is_answered in (False, True):
        assert beta_diagram(tree, is_answered=is_answered).captions == (alpha,)


def test_a_picture_shows_six_leaves_at_most_or_one_move_ahead() -> None:
    for lesson in tutorial_contents():
        if isinstance(lesson, TreeWalk) and lesson.picture:
            diagram = lesson.picture.root
            leaves = [one for one in diagram.walk() if not one.children]
            is_one_ahead = all(not child.children for child in diagram.children)
            assert len(leaves) <= 6 or is_one_ahead


def test_boards_larger_than_3x3_have_no_diagram() -> None:
    for chapter in WALKABLE:
        lesson = content_of(WIDE, chapter)
        assert isinstance(lesson, TreeWalk)
        assert lesson.picture is None


def test_before_the_answer_nothing_shows_what_is_cut() -> None:
    asked, told = (
        content_of(EXAMPLE_GAME, Chapter.PRUNING),
        content_of(EXAMPLE_GAME, Chapter.PRUNING, (), 0),
    )
    assert isinstance(asked, PruningDemo)
    assert isinstance(told, PruningDemo)
    assert asked.picture is not None
    assert told.picture is not None
    names = [one.captions for one in asked.picture.root.walk()]
    assert [name for (name,) in names if name in UNREAD_NAMES] == list(UNREAD_NAMES)
    assert not any(one.style is NodeStyle.CUT for one in asked.picture.root.walk())
    cut = [one for one in told.picture.root.walk() if one.style is NodeStyle.CUT]
    assert cut[0].captions == (UNREAD_NAMES[0],)
    [noted, *_] = [one for one in told.picture.root.walk() if len(one.captions) == 3]
    assert noted.captions == ("-1", "alpha 0", "beta -1")

"""The tutorial on minimax: its pages, and what is claimed of the positions chosen for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.tree_diagram import CUT_SIGN, DiagramNode, NodeStyle
from bot.domain.tutorial import (
    EXAMPLE_GAME,
    READ,
    SKIP,
    STEPS,
    TEXTBOOK_LEAVES,
    TRAP_GAME,
    Chapter,
    Leaves,
    OwnNumbers,
    TrapDemo,
    TreeWalk,
    TutorialPage,
    WatchedSearch,
)
from engine import (
    MISERE,
    Board,
    EventKind,
    Level,
    Mark,
    Record,
    Rules,
    Value,
    advise,
    move_odds,
    small_tree,
    trace,
    watchable,
)
from tests.bot.custom_ids import parse_page
from tests.bot.tutorial_contents import EARLY, WIDE, content_of, tutorial_contents


def test_every_chapter_is_in_its_place() -> None:
    assert {*STEPS} == {*Chapter}


def test_a_wrong_answer_may_be_tried_again_before_the_right_one_is_shown() -> None:
    asked = content_of(EXAMPLE_GAME, Chapter.BOT)
    question = asked.question
    assert question is not None
    assert question.right == 1
    once = question.answered(asked.page, 0)
    assert not question.is_answered_on(once)
    assert question.answered(once, 0) == once, "the same answer again changes nothing"
    assert question.is_answered_on(question.answered(once, 1)), "right"
    assert question.is_answered_on(question.answered(once, 2)), "wrong twice"
    assert question.is_answered_on(question.answered(asked.page, 1))


def test_where_there_are_two_answers_there_is_one_try() -> None:
    [asked] = [
        search
        for step in range(20)
        if (search := watched(EXAMPLE_GAME.boards[-1], step)).question and step < 6
    ]
    answered = replace(asked, page=replace(asked.page, answer=1))
    assert answered.question is not None
    assert answered.question.right == 0
    assert answered.is_answered


@pytest.mark.parametrize(
    "rest",
    [
        "1:e",  # a cell that is taken
        "1:aa",
        "1:z",
        "1:A",
        "1:",
        "1:a:",
        "2::3",
        "2::-1",
        "2:a:01",
        "2:a:1:",
        "2:a::1",
        "2:a:1:3",
        "3:a",  # there is nothing to walk on
        "3::::500",  # no trace is so long
        "3::::-1",
        "3::::0",
        "6::::1",  # there is nothing to step through
        "5:j",  # nine leaves
        "5:ab",
        "5:::::1.2.3",
        "5:::::20.0.0.0.0.0.0.0.0",
        "5:::::3.12.8.2.4.6.14.5.2",  # left out where it is the textbook's
        "3:::::1.0.0.0.0.0.0.0.0",  # no numbers there
        "5::::0:3.12.8.2.4.6.14.5.2:1",  # no program there
        "6:a",
        "8",
        "0",
    ],
)
def test_forged_pages_are_not_parsed(rest: str) -> None:
    assert parse_page(f"velha:learn:{EXAMPLE_GAME.code}:2:a:0:1") is not None
    assert parse_page(f"velha:learn:{EXAMPLE_GAME.code}:{rest}:1") is None


# A search that is watched


def watched(board: Board, step: int = 0) -> WatchedSearch:
    root = watchable(board)
    page = TutorialPage(EXAMPLE_GAME, Chapter.WATCH, step=step)
    return WatchedSearch(page, root, trace(root))


def questions_in(search: WatchedSearch) -> list[str]:
    """The right answers to all questions, in the order of the search."""
    pages = [TutorialPage(EXAMPLE_GAME, Chapter.WATCH, step=n) for n in range(len(search.events))]
    asked = [WatchedSearch(page, search.root, search.events).question for page in pages]
    return [question.answer for question in asked if question is not None]


def test_the_questions_on_the_example_and_on_the_textbook_s_tree_have_both_answers() -> None:
    assert questions_in(watched(EXAMPLE_GAME.boards[-1])) == [READ, SKIP, SKIP]
    textbook = WatchedSearch.in_numbers(TutorialPage(EXAMPLE_GAME, Chapter.NUMBER_TREE))
    assert questions_in(textbook) == [READ, SKIP, READ, READ]


def test_every_cut_is_asked_for_before_it_is_shown() -> None:
    for board in (EXAMPLE_GAME.boards[-1], EARLY.boards[-1], WIDE.boards[-1]):
        search = watched(board)
        kinds = [event.kind for event in search.events]
        assert questions_in(search).count(SKIP) == kinds.count(EventKind.CUT) > 0


def test_one_can_jump_from_cut_to_cut_and_to_the_end() -> None:
    search = watched(EXAMPLE_GAME.boards[-1])
    steps = []
    while not search.is_over:
        search = watched(EXAMPLE_GAME.boards[-1], search.next_cut)
        steps.append(search.event.kind)
    assert steps == [EventKind.CUT, EventKind.CUT, EventKind.NO_BETTER]
    assert watched(EXAMPLE_GAME.boards[-1], 499).step == len(search.events) - 1


@pytest.mark.parametrize("record", [EARLY, WIDE, Record(MISERE, (0,)), Record(Rules(4, 4, 3))])
def test_on_larger_trees_two_plies_are_searched_and_their_leaves_solved(record: Record) -> None:
    search = watched(record.boards[-1], 499)
    assert max(len(event.path) for event in search.events) == 2
    best = advise(record.boards[-1])[0]
    assert search.event.least == search.event.greatest == best.utility


# What is drawn


def styles_at(step: int) -> list[tuple[str, str]]:
    """The caption and style of each board of the example, after a step."""
    tree = watched(EXAMPLE_GAME.boards[-1], step).diagram
    assert isinstance(tree, DiagramNode)
    return [(node.caption, node.style.value) for node in tree.walk()]


def test_a_watched_search_shows_what_was_read_where_it_is_and_what_is_cut() -> None:
    assert styles_at(0) == [("?", "current"), *[("", "unread")] * 13]
    at_first_cut = styles_at(watched(EXAMPLE_GAME.boards[-1]).next_cut)
    assert at_first_cut == [
        ("≥0", "plain"),
        *[("0", "plain"), ("+1", "plain"), ("+1", "plain"), ("0", "plain"), ("0", "plain")],
        *[("≤-1", "current"), ("-1", "plain"), ("", "cut"), ("", "cut")],
        *[("", "unread")] * 4,
    ]
    assert "current" not in {style for _, style in styles_at(499)}


def test_numbers_that_are_not_read_yet_are_hidden() -> None:
    page = TutorialPage(EXAMPLE_GAME, Chapter.NUMBER_TREE, step=12)
    tree = WatchedSearch.in_numbers(page).diagram
    assert isinstance(tree, DiagramNode)
    leaves = [node.caption for node in tree.walk() if not node.children]
    assert leaves == ["3", "12", "8", "2", "", "", "", "", ""]


def test_two_boards_show_the_moves_and_the_replies_with_their_values() -> None:
    search = watched(EARLY.boards[-1])
    boards = search.diagram
    assert isinstance(boards, tuple)
    assert [(board.texts, board.current) for board in boards] == [((), None)]
    boards = watched(EARLY.boards[-1], search.next_cut).diagram
    assert isinstance(boards, tuple)
    left, right = boards
    assert right.board == left.board.result(left.current or 0)
    assert CUT_SIGN in dict(right.texts).values()
    assert left.caption == "min ≤0"


def test_numbers_are_drawn_except_those_that_are_asked_for() -> None:
    for lesson in tutorial_contents():
        if not isinstance(lesson, TreeWalk) or not lesson.diagram:
            continue
        tree = lesson.diagram
        if isinstance(tree, tuple):
            [board] = tree
            assert dict(board.texts) == {
                verdict.action: f"{verdict.utility:+d}" if verdict.utility else "0"
                for verdict in lesson.verdicts
            }
            assert board.current == (lesson.chosen if lesson.is_answered else None)
            continue
        here = next(one for one in tree.walk() if one.style is NodeStyle.CURRENT)
        assert here.board == lesson.page.board
        captions = {one.board: one.caption for one in tree.walk()}
        if lesson.page.chapter is Chapter.TREE:
            assert not any(captions.values())
        elif not lesson.is_answered:
            assert here.caption == "?"
            assert not any(one.is_chosen for one in here.children)
        else:
            assert here.caption == (f"{lesson.utility:+d}" if lesson.utility else "0")
            chosen = [child.action for child in here.children if child.is_chosen]
            assert chosen == ([lesson.chosen] if here.children else [])
        for above in lesson.page.boards[:-1]:
            assert not captions.get(above), "what is further up is asked for later"


def test_a_walk_has_a_tree_where_that_has_six_leaves_at_most() -> None:
    for lesson in tutorial_contents():
        if isinstance(lesson, TreeWalk):
            boards = lesson.page.boards
            has_tree = isinstance(lesson.diagram, DiagramNode)
            assert has_tree == any(small_tree(board) is not None for board in boards)


# The positions chosen


def test_the_example_has_all_three_values_in_six_leaves_and_no_immediate_win() -> None:
    board = EXAMPLE_GAME.boards[-1]
    assert str(board) == str(Board.parse(".o. .ox xxo"))
    tree = small_tree(board)
    assert tree is not None
    leaves = [node.utility for node in tree.walk() if not node.children]
    assert set(leaves) == {-1, 0, 1}
    assert len(leaves) == 6
    assert len({child.utility for child in tree.children}) > 1, "max has something to choose"
    assert not any(child.state.is_terminal for child in tree.children)
    for child in tree.children:
        assert len({reply.utility for reply in child.children}) == 2, "min as well, each time"


def test_a_press_changes_a_number_as_far_as_it_goes() -> None:
    leaves = TEXTBOOK_LEAVES.with_change(1, 5)
    assert leaves.numbers == (3, 17, 8, 2, 4, 6, 14, 5, 2)
    assert leaves.with_change(1, 5).numbers[1] == 19
    assert Leaves((-18,) * 9).with_change(8, -5).numbers[8] == -19


@pytest.mark.parametrize(
    ("leaves", "read"),
    [
        ("3 12 8 2 4 6 14 5 2", 7),
        ("3 12 8 2 4 6 2 5 14", 5),
        ("3 12 8 3 4 6 3 5 14", 5),  # equal is enough
        ("1 2 3 4 5 6 7 8 9", 9),
    ],
)
def test_what_alpha_beta_reads_of_one_s_own_numbers(leaves: str, read: int) -> None:
    numbers = Leaves(tuple(map(int, leaves.split())))
    page = TutorialPage(EXAMPLE_GAME, Chapter.OWN_NUMBERS, leaves=numbers)
    assert OwnNumbers(page).read_count == read
    assert OwnNumbers.fewest == 3 + 3 - 1


def test_the_trap_is_one_that_the_bot_sets_and_one_reply_holds() -> None:
    trap = content_of(EXAMPLE_GAME, Chapter.BOT)
    assert isinstance(trap, TrapDemo)
    before, move = TRAP_GAME.boards[-2], TRAP_GAME.moves[-1]
    assert trap.board.rules == Rules(4, 4, 4)
    assert trap.board.to_move is Mark.O
    assert move_odds(before, Level.IMPOSSIBLE)[move] == 1
    values = [verdict.worth.value for verdict in trap.verdicts]
    assert values == [Value.DRAW, *[Value.LOSS] * 6], "nobody can force a win"
    assert not trap.board.winning_cells(Mark.X), "nothing shows it"
    assert trap.question.answer == trap.board.rules.coordinate(trap.holding.action)
    assert len(trap.question.choices) == 3

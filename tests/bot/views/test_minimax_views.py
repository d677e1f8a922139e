"""The lesson on minimax as messages: short, pressable, and told in words as well."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
from discord import ButtonStyle, ui

from bot.game.learn import EXAMPLE, IN_SIGHT, Chapter, LearnPage
from bot.game.minimax import Minimax, Pruned, Sooner, Walk, Ways
from bot.game.page import parse_page
from bot.game.shortcut import Shortcut
from bot.game.sketch import Look
from bot.texts import LANGUAGES, language_for
from bot.texts.minimax import MinimaxTexts
from bot.texts.words import Language
from bot.views.minimax import minimax_view, picture_of
from engine import Board, Cell, Mark, Record, Way, search_each_way
from tests.bot.taught import BACKWARDS, EARLY, LATE, WIDE, shown, taught
from tests.bot.views.test_lesson_views import buttons, is_still, text_of

EN, PT = language_for("en"), language_for("pt-BR")
languages = pytest.mark.parametrize("language", [language_for(code) for code in LANGUAGES])
MOST_WORDS = 40
DEARER = "... .x. .xo"
"""Here the moves that look good are not the good ones, and reading them first costs more."""
LOST = "\N{MINUS SIGN}1"


def views(language: Language) -> list[tuple[Minimax, ui.LayoutView]]:
    return [(lesson, minimax_view(lesson, language)) for lesson in taught()]


def view_of(language: Language, chapter: Chapter, *rest: Any) -> ui.LayoutView:
    return minimax_view(shown(EXAMPLE, chapter, *rest), language)


def words(text: str) -> list[str]:
    """Whatever is read as a word or a number; the address of a link is not."""
    told = re.sub(r"\]\([^)]*\)", "]", text)
    return [word for word in told.split() if any(map(str.isalnum, word))]


def gallery(view: ui.LayoutView) -> list[discord.MediaGalleryItem]:
    found = [item for item in view.walk_children() if isinstance(item, ui.MediaGallery)]
    return found[0].items if found else []


def labels(view: ui.LayoutView) -> list[str]:
    return [button.label for button in buttons(view) if button.label]


def button_at(view: ui.LayoutView, label: str) -> ui.Button[Any]:
    return next(button for button in buttons(view) if button.label == label)


def leads(view: ui.LayoutView, label: str) -> object:
    return parse_page(button_at(view, label).custom_id or "")


# Every screen


@languages
def test_no_screen_has_more_than_forty_words(language: Language) -> None:
    for lesson, view in views(language):
        assert 3 < len(words(text_of(view))) <= MOST_WORDS, lesson.page


def test_words_are_counted() -> None:
    assert len(words("## 1/9 · The **tree**:\n-# [it is](https://x.y/a_b) +1 ❌")) == 6


@languages
def test_every_screen_fits_into_a_message(language: Language) -> None:
    for lesson, view in views(language):
        assert view.total_children_count <= 40
        ids = [button.custom_id or "" for button in buttons(view)]
        assert len(set(ids)) == len(ids), lesson.page
        assert max(map(len, ids)) <= 100


@languages
def test_whatever_can_be_pressed_leads_to_a_page_but_boards_that_are_only_looked_at(
    language: Language,
) -> None:
    for lesson, view in views(language):
        for button in buttons(view):
            if lesson.page.chapter in IN_SIGHT and is_still(button):
                continue
            page, chapter = parse_page(button.custom_id or ""), lesson.page.chapter
            assert isinstance(page, LearnPage) or (page, chapter) == (Shortcut.START, max(Chapter))
            assert not button.disabled or chapter is Chapter.TREE, "only where there is no page"


@languages
def test_chapters_follow_one_another(language: Language) -> None:
    back, on = MinimaxTexts(language).navigation_buttons()
    record = LATE
    ways = [shown(LATE, Chapter.TREE), shown(LATE, Chapter.NUMBERS), shown(LATE, Chapter.WAYS)]
    for lesson in ways:
        view, chapter = minimax_view(lesson, language), lesson.page.chapter
        before, after = leads(view, back), leads(view, on)
        assert isinstance(after, LearnPage)
        assert isinstance(before, LearnPage)
        assert after.chapter == chapter + 1
        assert before.chapter == chapter - 1 or button_at(view, back).disabled
        assert before.record == after.record == record
    first = leads(view_of(language, Chapter.TREE), on)
    assert first == LearnPage(EXAMPLE, Chapter.NUMBERS, (0,)), "begins below the root"
    assert (
        leads(view_of(language, Chapter.MIND), MinimaxTexts(language).play_button())
        is Shortcut.START
    )
    titles = {text_of(view).splitlines()[0] for _, view in views(language)}
    assert {title.split()[1] for title in titles} == {f"{n}/9" for n in range(1, 10)}
    assert len(titles) == 9


# Pictures


@languages
def test_a_picture_says_in_words_what_it_shows(language: Language) -> None:
    for lesson, view in views(language):
        picture, items = picture_of(lesson), gallery(view)
        assert bool(picture) == bool(items)
        if picture is None:
            continue
        [item] = items
        assert item.media.url == "attachment://velha.png"
        told = item.description or ""
        assert 0 < len(told) <= 1024
        drawn = [*picture.sketch.walk()][1:]
        names = [one.board.rules.coordinate(one.made) for one in drawn if one.made is not None]
        tree = told.rsplit(": ", 1)[-1]
        assert re.findall(r"\b[A-C][1-3]\b", tree) == names, "in the same order"
        for caption in {caption for one in drawn for caption in one.captions}:
            assert caption.replace("-", "\N{MINUS SIGN}") in tree


def test_the_alternative_text_is_exact() -> None:
    assert gallery(view_of(EN, Chapter.PRUNING, (), 0))[0].description == (
        "Game tree. ❌ C2, A3, and B3 · ⭕ B1, B2, and C3. ❌ to move, 0: "
        "A1 0 taken (C1 +1 (A2 +1 taken), A2 0 taken (C1 0 taken)); "
        f"C1 {LOST} alpha 0 beta {LOST} (A1 {LOST} taken, A2 cut a (A1 cut)); "
        f"A2 {LOST} alpha 0 beta {LOST} b (A1 {LOST} taken, C1 cut (A1 cut))."
    )


@pytest.mark.parametrize(
    ("language", "cut", "here"), [(EN, "cut", "you are here"), (PT, "cortado", "você está aqui")]
)
def test_whoever_does_not_see_it_is_told_what_is_cut_and_where_they_are(
    language: Language, cut: str, here: str
) -> None:
    for lesson in taught():
        if (picture := picture_of(lesson)) is None:
            continue
        told = MinimaxTexts(language).alternative(picture.sketch)
        looks = [one.look for one in picture.sketch.walk()]
        assert told.count(cut) == looks.count(Look.CUT)
        assert told.count(here) == looks.count(Look.HERE)


# Walking


@languages
def test_free_cells_lead_down_and_marks_back_to_where_they_were_made(language: Language) -> None:
    for lesson in taught():
        if not isinstance(lesson, Walk):
            continue
        page, board = lesson.page, lesson.page.board
        square = squares_of(minimax_view(lesson, language), page)
        for cell in board.rules.cells:
            target = parse_page(square[cell].custom_id or "")
            ply = page.path.index(cell) if cell in page.path else 0
            path = page.path[:ply] if board[cell] else (*page.path, cell)
            free = board.actions()
            if board[cell] or cell in free:
                assert target == LearnPage(page.record, page.chapter, path)
            assert not square[cell].disabled


def squares_of(view: ui.LayoutView, page: LearnPage) -> dict[Cell, ui.Button[Any]]:
    cells = page.board.rules.cells
    answers = 3 if page.chapter is Chapter.NUMBERS else 0
    return dict(zip(cells, buttons(view)[answers:], strict=False))


def test_up_leads_up_and_stands_out_once_something_is_answered() -> None:
    asked = view_of(EN, Chapter.NUMBERS, (0, 3))
    assert leads(asked, "Up") == LearnPage(EXAMPLE, Chapter.NUMBERS, (0,))
    assert button_at(asked, "Up").style is ButtonStyle.secondary
    told = view_of(EN, Chapter.NUMBERS, (0, 3), 1)
    assert button_at(told, "Up").style is ButtonStyle.primary
    assert button_at(told, "Next").style is ButtonStyle.secondary
    at_the_root = view_of(EN, Chapter.NUMBERS, (), 1)
    assert "Up" not in labels(at_the_root)
    assert button_at(at_the_root, "Next").style is ButtonStyle.primary


@pytest.mark.parametrize(
    ("record", "has_picture", "has_signs"),
    [(EXAMPLE, True, False), (EARLY, True, True), (WIDE, False, True)],
)
def test_where_no_whole_tree_is_drawn_the_cells_say_what_they_are_worth(
    record: Record,
    has_picture: bool,  # noqa: FBT001
    has_signs: bool,  # noqa: FBT001
) -> None:
    view = minimax_view(shown(record, Chapter.NUMBERS), EN)
    assert bool(gallery(view)) is has_picture
    number = rf"[A-E][1-5]( \+1| {LOST}| 0|[⁺⁰⁻])"
    signs = [label for label in labels(view) if re.fullmatch(number, label)]
    assert len(signs) == (len(record.boards[-1].actions()) if has_signs else 0)


def test_only_a_match_is_said_to_be_one() -> None:
    note = "This channel's match"
    assert note in text_of(minimax_view(shown(EARLY, Chapter.TREE), EN))
    assert note not in text_of(view_of(EN, Chapter.TREE))
    assert note in text_of(minimax_view(shown(BACKWARDS, Chapter.TREE), EN))


# Questions


@pytest.mark.parametrize(("language", "verdict"), [(EN, "Right!"), (PT, "Isso!")])
@pytest.mark.parametrize("path", [(), (0,), (2,), (0, 3), (2, 0)])
def test_every_number_is_asked_for_and_a_wrong_answer_gets_the_reason(
    language: Language, verdict: str, path: tuple[Cell, ...]
) -> None:
    for answer, number in enumerate((-1, 0)):
        lesson = shown(EXAMPLE, Chapter.NUMBERS, path, answer)
        assert isinstance(lesson, Walk)
        said, is_right = text_of(minimax_view(lesson, language)), lesson.number == number
        true = {-1: LOST, 0: "0", 1: "+1"}[lesson.number]
        assert f"**{true}**" in said
        assert (verdict in said) is is_right
        if lesson.verdicts:
            kind = "max" if lesson.page.board.to_move is Mark.X else "min"
            assert f"({kind})" in said


@pytest.mark.parametrize("chapter", [Chapter.PRUNING, Chapter.SAVED, Chapter.SOONER])
def test_the_right_answer_is_green_and_a_wrong_one_red(chapter: Chapter) -> None:
    lesson = shown(EXAMPLE, chapter)
    assert isinstance(lesson, Pruned | Sooner)
    question = lesson.question
    for answer, pressed in enumerate(question.choices):
        view = view_of(EN, chapter, (), answer)
        styles = {label: button_at(view, label).style for label in question.choices}
        right = question.choices[question.right]
        assert styles.pop(right) is ButtonStyle.success
        assert styles.pop(pressed, ButtonStyle.danger) is ButtonStyle.danger
        assert set(styles.values()) <= {ButtonStyle.secondary}
        assert ("Right!" in text_of(view)) == (pressed == right)
        assert question.choices == tuple(labels(view)[: len(question.choices)]), "to try again"


@languages
def test_words_and_picture_say_that_the_same_move_is_taken(language: Language) -> None:
    compared = 0
    for lesson, view in views(language):
        told, picture = lesson.page.answer is not None, picture_of(lesson)
        if isinstance(lesson, Walk) and lesson.verdicts and told and picture:
            compared += 1
            (here,) = (one for one in picture.sketch.walk() if one.look is Look.HERE)
            (taken,) = (child.made for child in here.children if child.is_taken)
            assert taken is not None
            assert f"**{lesson.page.board.rules.coordinate(taken)}**" in text_of(view)
    assert compared > 3


@pytest.mark.parametrize(
    ("language", "elsewhere"), [(EN, "-# Another board"), (PT, "-# Outro tabuleiro")]
)
def test_away_from_the_match_it_is_said_that_this_is_another_board(
    language: Language, elsewhere: str
) -> None:
    for chapter in (Chapter.PRUNING, Chapter.SAVED, Chapter.SOONER):
        assert elsewhere not in text_of(view_of(language, chapter)), "all of it is an example"
        assert elsewhere in text_of(minimax_view(shown(LATE, chapter), language))


def test_alpha_and_beta_are_told_with_their_numbers_and_the_rule() -> None:
    said = text_of(view_of(EN, Chapter.PRUNING, (), 1))
    assert "Not quite: **b** might have been better." in said
    assert f"❌ is sure of 0 (**alpha**), ⭕ of {LOST} here (**beta**)." in said
    assert "**Cut when alpha >= beta.**" in said


# Costs


@languages
def test_the_costs_are_those_counted_just_now(language: Language) -> None:
    said = text_of(minimax_view(shown(LATE, Chapter.WAYS), language))
    table = said.split("```")[1].strip().splitlines()
    counted = [int(re.sub(r"\D", "", line.rsplit(maxsplit=1)[-1])) for line in table]
    ways = [Way.PLAIN, Way.PRUNED, Way.ORDERED, Way.WITH_MEMORY, Way.WITH_BOTH]
    assert counted == [way.search(LATE.boards[-1]).nodes for way in ways]
    assert len({len(line) for line in table}) == 1


def test_of_searches_that_stop_early_only_what_they_have_found_so_far_is_said() -> None:
    to_the_end = text_of(minimax_view(shown(LATE, Chapter.WAYS), EN))
    assert "Visits from the match's board to the end. Each finds **" in to_the_end
    so_far = text_of(minimax_view(shown(WIDE, Chapter.WAYS), EN))
    assert "only 4 moves ahead. So far, each finds **" in so_far


@pytest.mark.parametrize(
    ("drawing", "said"),
    [("x.. .o. ...", "hardly anything is read twice"), (DEARER, "here that costs more")],
)
def test_order_is_not_praised_where_it_costs_more(drawing: str, said: str) -> None:
    board = Board.parse(drawing)
    found = search_each_way(board)
    is_dearer = found[Way.ORDERED].nodes > found[Way.PRUNED].nodes
    assert is_dearer == (drawing == DEARER)
    lesson = Ways(LearnPage(LATE, Chapter.WAYS), board, found)
    assert said in text_of(minimax_view(lesson, EN))


def test_the_bot_tells_how_it_thinks_itself_and_links_the_theorem() -> None:
    said = text_of(view_of(EN, Chapter.MIND))
    assert "[Erdős-Selfridge](https://en.wikipedia.org/wiki/Maker-Breaker_game)" in said
    assert "minimax" not in said

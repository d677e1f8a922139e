"""What answers whom, and which page a custom_id leads to, whatever somebody writes in it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from bot.client.routes import PAGES as ROUTED
from bot.client.routes import ROUTE_NAMES, ROUTES, find_route
from bot.domain.analysis import ReviewPage, ReviewView
from bot.domain.match_actions import MatchAction, Press
from bot.domain.mistakes import MistakePage, MistakeStep
from bot.domain.moments import MomentPage, MomentTry
from bot.domain.pages import Page, Shortcut, ShortcutPage, custom_id
from bot.domain.privacy import PrivacyAction, PrivacyPage
from bot.domain.puzzles import PuzzlePage, PuzzleWordsPage, SharePage
from bot.domain.settings import Setting, SettingsPage, Tab
from bot.domain.tutorial import Chapter, TutorialPage
from engine import TIC_TAC_TOE, TRIES, Grade, Record, Rules
from tests.bot.custom_ids import parse_page
from tests.bot.domain.test_match_actions import presses

DRAWN = Record(TIC_TAC_TOE, (0, 1, 2, 4, 3, 5, 7, 6, 8))
WON = Record(TIC_TAC_TOE, (0, 3, 1, 4, 2))
OPEN = Record(TIC_TAC_TOE, (4, 0))

cells = st.lists(st.sampled_from(range(25)), unique=True, max_size=TRIES).map(tuple)
puzzle_pages = st.builds(PuzzlePage, st.dates(), cells, st.integers(0, 25))
share_pages = st.builds(SharePage, st.dates(), st.sampled_from(Grade), st.integers(0, TRIES))


def random_game(rules: Rules, seed: int) -> Record:
    """A game of two who move at random, to its end."""
    rng, record = random.Random(seed), Record(rules)
    while free := record.boards[-1].actions():
        record = Record(rules, (*record.moves, rng.choice(free)))
    return record


def all_pages_of(game: Record) -> list[Page]:
    """Every page there is of a game: the review of each ply, all lessons on each position."""
    beginnings = [Record(game.rules, game.moves[:ply]) for ply in range(len(game.moves) + 1)]
    plies = range(1, len(game.moves) + 1)
    unfinished = [record for record in beginnings if not record.boards[-1].is_terminal]
    return [
        ReviewPage(game),
        MomentPage(game),
        *(ReviewPage(game, ply) for ply in range(len(game.moves) + 1)),
        *(ReviewPage(record, len(record.moves)) for record in beginnings),
        *(MistakePage(step, game, ply, in_review=True) for step in MistakeStep for ply in plies),
        *(TutorialPage(record, screen) for record in unfinished for screen in Chapter),
    ]


LONGEST = next(
    game for seed in count() if len((game := random_game(Rules(5, 5, 5), seed)).moves) == 25
)
GAMES = [LONGEST, DRAWN, WON, random_game(Rules(4, 3, 3), seed=1)]
PAGES = [page for game in GAMES for page in all_pages_of(game)]
some_pages = st.one_of(puzzle_pages, share_pages, st.sampled_from(PAGES))


def round_trips(page: Page, button: int) -> bool:
    written = custom_id(page, button)
    return parse_page(written) == page and len(written) <= 100


def page_classes(base: type[Page] = Page) -> Iterator[type[Page]]:
    for page_class in base.__subclasses__():
        yield page_class
        yield from page_classes(page_class)


def test_every_button_has_a_route() -> None:
    assert {page_class.kind for page_class in page_classes()} == {page.kind for page in ROUTED}
    assert {page_class for page_class in ROUTED if page_class not in ROUTES} == {ShortcutPage}
    assert [action for action in MatchAction if action not in ROUTES] == []
    assert [each for each in Shortcut if ShortcutPage(each) not in ROUTES] == []


def test_each_route_has_a_name_of_its_own() -> None:
    assert sorted(route.name for route in {*ROUTES.values()}) == ROUTE_NAMES
    assert len(ROUTE_NAMES) < 50, "each is a label of metrics"


@given(st.text())
def test_what_is_unknown_has_one_route(text: str) -> None:
    assert find_route(text) == (ROUTES["unknown button"], (text,))


def test_a_page_of_any_game_survives_being_written_on_a_button() -> None:
    assert [page for page in PAGES if not round_trips(page, 99)] == []


@given(st.one_of(puzzle_pages, share_pages), st.integers(0, 99))
def test_a_puzzle_of_any_day_survives_being_written_on_a_button(page: Page, button: int) -> None:
    assert round_trips(page, button)


@given(some_pages, st.sets(st.integers(0, 99), min_size=2))
def test_two_buttons_to_one_page_have_different_custom_ids(page: Page, buttons: set[int]) -> None:
    assert len({custom_id(page, button) for button in buttons}) == len(buttons)


lessons = st.sampled_from(
    ["review", "mistake", "learn", "puzzle", "share", "still", "play", "Review", ""]
)
abouts = st.one_of(
    st.sampled_from([DRAWN.code, WON.code, OPEN.code, OPEN.code.lower(), "0", "-", "Z" * 20]),
    st.sampled_from(["2026-07-01", "20260701", "2026-W27-3", "2026-02-30", "0000-00-00"]),
    st.from_regex(r"[0-9A-Z-]{0,21}", fullmatch=True),
)
places = st.one_of(
    st.integers(-1, 100).map(str),
    st.sampled_from(["", "00", "09", "a", "y", "z", "abc", "aa", "abcd", "\u0663", "²", "1 "]),
)
nonsense = st.builds(
    "{}{}:{}:{}:{}{}".format,
    st.sampled_from(["velha:", "velha", " velha:", "VELHA:", ""]),
    *(lessons, abouts, places, places),
    st.sampled_from(["", "", "", "\n", ":", ":0", " "]),
)


@given(st.one_of(st.text(), nonsense))
def test_any_text_is_a_page_or_nothing(text: str) -> None:
    page = parse_page(text)
    assert page is None or round_trips(page, 0)


def review_of(record: Record, ply: object) -> str:
    return f"velha:review:{record.code}:{ply}:0"


def review_with(view: str) -> str:
    return f"velha:review:{OPEN.code}:1:{view}:0"


def learn_from(record: Record, screen: object) -> str:
    return f"velha:learn:{record.code}:{screen}:0"


def puzzle_of(day: str, tried: str = "") -> str:
    return f"velha:puzzle:{day}:{tried}:0"


def share_of(day: str, grade: object, wrong_tries: object) -> str:
    return f"velha:share:{day}:{grade}:{wrong_tries}:0"


def test_valid_custom_ids_are_parsed() -> None:
    """Those below have one thing wrong each; these have nothing."""
    assert parse_page(review_of(DRAWN, 9)) == ReviewPage(DRAWN, 9)
    assert parse_page(review_of(DRAWN, "")) == ReviewPage(DRAWN)
    assert parse_page(review_with("more")) == ReviewPage(OPEN, 1, ReviewView.MORE)
    assert parse_page(learn_from(OPEN, 2)) == TutorialPage(OPEN, Chapter.NUMBERS)
    assert parse_page(puzzle_of("2026-07-01", "a:4")) == PuzzlePage(date(2026, 7, 1), (0,), 4)
    assert parse_page(share_of("2026-07-01", 3, 2)) == SharePage(date(2026, 7, 1), Grade.HARD, 2)
    assert parse_page("velha:review:#7:25:more:0") == ReviewPage(7, 25, ReviewView.MORE)
    assert parse_page("velha:mistake:next:0") == MistakePage()
    assert parse_page("velha:settings:boards:level::0") == SettingsPage(Tab.BOARDS, Setting.LEVEL)
    assert parse_page("velha:privacy:hide:0") == PrivacyPage(PrivacyAction.HIDE)
    tried = MistakePage(MistakeStep.TRY, 7, 4, (1, 2), 3, 3)
    assert parse_page("velha:mistake:try:#7:4:bc:3:3:0") == tried
    tried = replace(tried, game=OPEN, in_review=True)
    assert parse_page(f"velha:mistake:try:{OPEN.code}:4:bc:3:3:1:0") == tried
    assert parse_page("velha:puzzle:2026-07-01::0:9:0") == PuzzlePage(date(2026, 7, 1), picked=9)
    assert parse_page("velha:words:2026-07-01:0") == PuzzleWordsPage(date(2026, 7, 1))
    assert parse_page(f"velha:moment:{OPEN.code}:0") == MomentPage(OPEN)
    assert parse_page(f"velha:find:{2**63 - 1}:24:0") == MomentTry(2**63 - 1, 24)
    assert parse_page(puzzle_of("2026-07-01", "aby")) == PuzzlePage(date(2026, 7, 1), (0, 1, 24))


MISTAKEN = [
    review_with("saw:4"),
    review_with("more:1"),
    review_with("board:0"),
    review_of(DRAWN, 10),
    review_of(OPEN, 3),
    review_of(OPEN, "b"),
    review_of(OPEN, -1),
    review_of(OPEN, "001"),
    review_of(OPEN, "\u0661"),
    review_of(OPEN, "²"),
    review_of(OPEN, 1) + "\n",
    review_of(OPEN, 1) + ":0",
    review_of(OPEN, 1) + "00",
    review_of(OPEN, 1).removesuffix(":0"),
    review_of(OPEN, 1).removesuffix("0"),
    review_of(OPEN, 1).upper(),
    " " + review_of(OPEN, 1),
    "velha:review::1:0",
    "velha:review:-:1:0",
    f"velha:review:{'Z' * 20}:1:0",
    f"velha:review:{'0' * 21}:1:0",
    "velha:review:U:1:0",
    f"velha:review:{OPEN.code.swapcase()}x:1:0",
    review_with(""),
    review_with("board"),  # left out, as it is the default
    review_with("MORE"),
    review_with("more:more"),
    learn_from(OPEN, 0),
    learn_from(OPEN, 20),
    learn_from(WON, 1),
    learn_from(DRAWN, 1),
    puzzle_of("2026-02-30"),
    puzzle_of("2026-7-1"),
    puzzle_of("26-07-01"),
    puzzle_of("0000-01-01"),
    puzzle_of("\u0662\u0660\u0662\u0666-07-01"),
    puzzle_of("2026-07-01", "abcd"),
    puzzle_of("2026-07-01", "aba"),
    puzzle_of("2026-07-01", "z"),
    puzzle_of("2026-07-01", "A"),
    puzzle_of("2026-07-01", "a:0"),
    puzzle_of("2026-07-01", "a:1:1"),
    puzzle_of("2026-07-01", "a:0:1"),
    puzzle_of("2026-07-01", ":0:-1"),
    "velha:review:7:1:0",
    "velha:review:##7:1:0",
    f"velha:review:#{2**63}:1:0",
    "velha:review:#::0",
    "velha:review:#x::0",
    "velha:review:#7::-1-2:0",
    "velha:review:#7:1:all:0",
    "velha:mistake:try:0",
    "velha:mistake:next::0",
    "velha:mistake:next::4:0",
    "velha:mistake:hide:#7:4:0",
    "velha:mistake:try:#7:4:0:0:0:0",
    "velha:mistake:try:#7:4:bb:0",
    "velha:mistake:try:#7:4::1:2:0",
    "velha:mistake:try:#7:4::1000:0",
    "velha:mistake:try:#7:4::1:0:0:0",
    "velha:mistake:try:#7:4::1:0:2:0",
    "velha:mistake:next::0::0:0:1:0",
    f"velha:mistake:try:{OPEN.code}:2:0",
    f"velha:mistake:try:#{2**63}:4:0",
    "velha:mistake:try:#7:1:-1-2:0",
    share_of("2026-07-32", 1, 0),
    share_of("2026-07-01", 0, 0),
    share_of("2026-07-01", 4, 0),
    share_of("2026-07-01", 1, 4),
    share_of("2026-07-01", 1, "0:0"),
    f"velha:stats:{2**63}:0",
    "velha:ranking:best:0",
    "velha:settings:boards:level:EASY:0",  # a select says what was chosen
    "velha:settings:cellar:::0",
    "velha:settings:boards:0",
    "velha:privacy:burn:0",
    "velha:privacy::0",
    "velha:practice:2026-07-01:aa:0",
    f"velha:moment:{OPEN.code}:1:0",
    f"velha:find:{2**63}:0:0",
    "velha:find:7:25:0",
    "velha:still:0",
    "velha:replay:0:0:0",
]
"""Each has one mistake; numbers, dates and games are read alike in all of them."""


def test_custom_ids_with_one_mistake_are_not_parsed() -> None:
    assert [text for text in MISTAKEN if parse_page(text) is not None] == []


@given(presses)
def test_no_press_of_a_match_is_a_page(press: Press) -> None:
    assert parse_page(str(press)) is None


@given(some_pages, st.integers(0, 99))
def test_no_page_is_a_press_of_a_match(page: Page, button: int) -> None:
    assert Press.parse(custom_id(page, button)) is None
